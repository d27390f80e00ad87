"""Run every task, split, construction and attention of the benchmark: docs/table-1.md."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "table-1.md"
HEAD = """# Table 1

Accuracy on the CLRS-30 benchmark's graphs: the paper's Table 1, for every algorithm that has a task
there, in both constructions and with both kinds of attention (softmax with the paper's parameters:
T = 1e-7, δ = 1e-2, Ω = 1e5; heads of `compact` that find a least value have T = 7.45e-9, as values
differ by less than neighbouring positions do). The splits count whole graphs, every node of them
right. Made by `python scripts/record_table_1.py`, which runs `loopwright clrs` on the native
machine.

| construction | attention | algorithm (task) | train | val | test | nodes right | seconds |
| --- | --- | --- | --- | --- | --- | --- | --- |
"""
FOOT = """
For comparison, published test accuracies of learned models, in per cent of nodes: BFS 99.99, DFS
68.1 and Dijkstra 97.3 (EvoPrompting, arXiv:2302.14838), SCC 43.4 (Triplet-GMPNN,
arXiv:2209.11142). They are not the last word: G-ForgetNet (arXiv:2403.04929) reports better
generalisation on this benchmark, M-ReNAR (arXiv:2606.00559) a mean of 94.74 % over its graph
tasks, DNAR (arXiv:2402.11628) perfect test scores on the algorithms that it learned, with a
proof, and FloydNet (arXiv:2601.19094) scores that are often above 99 % (its abstract). So learned
models can be right. What is different here: the weights are constructed, a certificate says
beforehand on which graphs they are right, and that for every task above.
"""


def clrs(construction: str, attention: str) -> list[dict]:
    command = [sys.executable, "-c", "from loopwright.cli import main; main()", "clrs", "--json"]
    command += ["--construction", construction, "--attention", attention]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def rows(construction: str, attention: str) -> list[str]:
    found: dict[tuple[str, str], dict[str, dict]] = {}
    for score in clrs(construction, attention):
        found.setdefault((score["algorithm"], score["task"]), {})[score["split"]] = score
    lines = []
    for (algorithm, task), splits in found.items():
        right = [
            f"{splits[s]['correct']} / {splits[s]['graphs']}" for s in ("train", "val", "test")
        ]
        nodes = min(score["node_accuracy"] for score in splits.values())
        seconds = sum(score["seconds"] for score in splits.values())
        cells = [construction, attention, f"{algorithm} ({task})", *right]
        lines.append("| " + " | ".join([*cells, f"{nodes:.2%}", f"{seconds:.1f}"]) + " |")
    return lines


def main() -> None:
    lines = [
        line
        for construction in ("paper", "compact")
        for attention in ("hardmax", "softmax")
        for line in rows(construction, attention)
    ]
    PAGE.write_text(HEAD + "\n".join(lines) + "\n" + FOOT, encoding="utf-8")


if __name__ == "__main__":
    main()
