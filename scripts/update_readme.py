"""Fill what is generated in the pages: the tables of algorithms, and the benchmark's figures.

python scripts/update_readme.py            write them
python scripts/update_readme.py --check    exit 1 if they are out of date
"""

from __future__ import annotations

import json
import re
import sys
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
    """What `benchmarks/results.json` says, as prose and a table."""
    from loopwright.lab.bench.report import markdown

    return markdown(json.loads(RESULTS.read_text(encoding="utf-8")))


def figures() -> str:
    """The first three of its sentences."""
    from loopwright.lab.bench.report import headline

    sentences = headline(json.loads(RESULTS.read_text(encoding="utf-8")))
    return "\n".join(f"- {sentence}" for sentence in sentences[:3])


def commands() -> str:
    """A row for each command: what it says of itself, and its example."""
    from loopwright.cli.commands import COMMANDS

    lines = ["| command | what it does | for example |", "| --- | --- | --- |"]
    for command in COMMANDS:
        words = cleandoc(command.__doc__ or "")
        example = re.search(r"^For example: (.*(?:\n.+)*)", words, re.MULTILINE)
        shown = f"`{' '.join(example[1].split())}`" if example else ""
        name = command.__name__.replace("_", "-")
        lines.append(f"| `{name}` | {words.partition(chr(10))[0]} | {shown} |")
    return "\n".join(lines)


PARTS = {"algorithms": algorithms, "bench": bench, "commands": commands, "figures": figures}


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
