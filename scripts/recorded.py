"""Records of many models in one file: what is measured anew takes the place of what was there.

A file is written after every model, so that a script which is stopped has lost one at most.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from loopwright.algorithms import ALGORITHMS

Record = dict
Model = tuple[str, str]
"""Algorithm and construction."""

ORDER = {
    (name, construction): (number, place)
    for number, (name, algorithm) in enumerate(ALGORITHMS.items())
    for place, construction in enumerate(algorithm.constructions)
}


def arguments(description: str | None, out: str) -> argparse.ArgumentParser:
    """Which models, and where to write."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("names", nargs="*", metavar="ALGORITHM", help="all, if none is given")
    parser.add_argument("--only", metavar="CONSTRUCTION", help="of these alone")
    parser.add_argument("--out", type=Path, default=Path(out))
    return parser


def chosen(given: argparse.Namespace) -> Iterator[Model]:
    """The models that were asked for, in the order of the registry."""
    for name, construction in ORDER:
        if name in (given.names or ALGORITHMS) and given.only in (None, construction):
            yield name, construction


def read(path: Path) -> list[Record]:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


def replace(path: Path, model: Model, new: list[Record]) -> None:
    """Write what was found of a model; what the file says of others stays."""
    others = [each for each in read(path) if model_of(each) != model]
    found = sorted([*others, *new], key=lambda each: ORDER[model_of(each)])
    path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def model_of(record: Record) -> Model:
    return record["algorithm"], record["construction"]
