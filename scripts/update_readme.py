"""Fill what is generated in the pages: the tables of algorithms, and the benchmark's figures.

python scripts/update_readme.py            write them
python scripts/update_readme.py --check    exit 1 if they are out of date
"""

from __future__ import annotations

import json
import re
import sys
from importlib import import_module
from inspect import cleandoc
from pathlib import Path

from loopwright import compile
from loopwright.algorithms import ALGORITHMS
from loopwright.compiler.pack import pack
from loopwright.model.cost import bound_as_text

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md"]
PAGES += [ROOT / "docs" / f"{name}.md" for name in ("algorithms", "command-line", "speed")]
"""Each has some of the parts, between comments that name them."""
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


def commands() -> str:
    """A row for each command: what it says of itself, and its example."""
    from loopwright.cli.commands import COMMANDS

    lines = ["| command | what it does | for example |", "| --- | --- | --- |"]
    for name in COMMANDS:
        command = getattr(import_module(f"loopwright.cli.{name}"), name)
        words = cleandoc(command.__doc__ or "")
        example = re.search(r"^For example: (.*(?:\n.+)*)", words, re.MULTILINE)
        shown = f"`{' '.join(example[1].split())}`" if example else ""
        lines.append(f"| `{name}` | {words.partition(chr(10))[0]} | {shown} |")
    return "\n".join(lines)


PARTS = {"algorithms": algorithms, "figures": bench, "commands": commands, "speed": speed}


def filled(text: str) -> str:
    for name, make in PARTS.items():
        begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
        if begin in text:
            block = f"{begin}\n{make()}\n{end}"
            text = re.sub(f"{begin}.*?{end}", lambda _, block=block: block, text, flags=re.DOTALL)
    return text


def main() -> None:
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        after = filled(before)
        if "--check" not in sys.argv:
            page.write_text(after, encoding="utf-8")
        elif after != before:
            sys.exit(f"{page.name} is out of date: run scripts/update_readme.py")


if __name__ == "__main__":
    main()
