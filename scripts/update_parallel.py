"""Fill the generated parts of docs/parallel.md: what the constructions cost, and what was measured.

python scripts/update_parallel.py            write them
python scripts/update_parallel.py --check    exit 1 if they are out of date
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from loopwright import compile
from loopwright.algorithms import ALGORITHMS
from loopwright.model.cost import bound_as_text

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/parallel.md"
RECORD = ROOT / "docs/figures/iterations.json"
SHAPES = ("path", "shuffled path", "star", "grid", "tree", "random, mean degree 4")


def constructions() -> str:
    """A row for each algorithm that has a `parallel` construction."""
    lines = [
        "| algorithm | layers | with softmax | heads: standard, A, Aᵀ, edge | width | iterations |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, algorithm in ALGORITHMS.items():
        if "parallel" in algorithm.constructions:
            program = algorithm("parallel")
            model, soft = compile(program), compile(program, attention="softmax")
            lines.append(
                f"| {name}: {algorithm.summary} | {len(model.layers)} | {len(soft.layers)} | "
                f"{', '.join(map(str, model.heads.values()))} | {model.width} | "
                f"≤ {bound_as_text(model.bound)} |"
            )
    return "\n".join(lines)


def iterations() -> str:
    """Algorithm and construction against shapes: the most nodes, and the iterations there."""
    last = {
        (row["algorithm"], row["construction"], row["shape"]): row
        for row in sorted(json.loads(RECORD.read_text("utf-8")), key=lambda row: row["nodes"])
    }
    lines = ["| algorithm | construction | " + " | ".join(SHAPES) + " |"]
    lines.append("| --- " * (2 + len(SHAPES)) + "|")
    for algorithm, construction in dict.fromkeys(key[:2] for key in sorted(last, key=_order)):
        cells = []
        for shape in SHAPES:
            row = last.get((algorithm, construction, shape))
            cells.append(f"{row['iterations']:,} (n = {row['nodes']:,})" if row else "–")
        lines.append("| " + " | ".join([algorithm, construction, *cells]) + " |")
    return "\n".join(lines)


def _order(key: tuple[str, str, str]) -> tuple[int, int]:
    algorithm, construction, _ = key
    return [*ALGORITHMS].index(algorithm), ("paper", "compact", "parallel").index(construction)


def main() -> None:
    before = after = PAGE.read_text(encoding="utf-8")
    for name, make in (("constructions", constructions), ("iterations", iterations)):
        begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
        block = f"{begin}\n{make()}\n{end}"
        after = re.sub(f"{begin}.*?{end}", lambda _, block=block: block, after, flags=re.DOTALL)
    if "--check" in sys.argv:
        out_of_date = "docs/parallel.md is out of date: run scripts/update_parallel.py"
        sys.exit(out_of_date if after != before else 0)
    PAGE.write_text(after, encoding="utf-8")


if __name__ == "__main__":
    main()
