"""Fill generated parts: the README's table of algorithms and lines on speed, docs/speed.md.

python scripts/update_readme.py            write them
python scripts/update_readme.py --check    exit 1 if they are out of date
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from loopwright import compile
from loopwright.algorithms import ALGORITHMS
from loopwright.compiler.pack import pack
from loopwright.model.cost import bound_as_text

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
SPEED = ROOT / "docs" / "speed.md"
RESULTS = ROOT / "benchmarks" / "results.json"


def algorithms() -> str:
    """A row for each algorithm and construction."""
    lines = [
        "| algorithm | construction | layers (packed) | softmax | heads | width | iterations |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, algorithm in ALGORITHMS.items():
        for construction in algorithm.constructions:
            program = algorithm(construction)
            model, packed = compile(program), pack(program)
            soft = compile(program, attention="softmax")
            bound = f"≤ {bound_as_text(model.bound)}" if model.bound else "the program's"
            lines.append(
                f"| {name}: {algorithm.summary} | {construction} | {len(model.layers)} "
                f"({len(packed.steps)}) | {len(soft.layers)} | {sum(model.heads.values())} | "
                f"{model.width} | {bound} |"
            )
    return "\n".join(lines)


def bench() -> str:
    """What `benchmarks/results.json` says, in three lines."""
    from loopwright.lab.bench.report import markdown

    return markdown(json.loads(RESULTS.read_text(encoding="utf-8")))


def speed() -> str:
    """All that it says, as sentences and tables."""
    from loopwright.lab.bench.report import page

    return page(json.loads(RESULTS.read_text(encoding="utf-8")))


def filled(text: str) -> str:
    for name, make in (("algorithms", algorithms), ("bench", bench), ("speed", speed)):
        if f"<!-- {name}:begin -->" not in text:
            continue
        begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
        block = f"{begin}\n{make()}\n{end}"
        text = re.sub(f"{begin}.*?{end}", lambda _, block=block: block, text, flags=re.DOTALL)
    return text


def main() -> None:
    for page in (README, SPEED):
        before = page.read_text(encoding="utf-8")
        after = filled(before)
        if "--check" not in sys.argv:
            page.write_text(after, encoding="utf-8")
        elif after != before:
            sys.exit(f"{page.name} is out of date: run scripts/update_readme.py")


if __name__ == "__main__":
    main()
