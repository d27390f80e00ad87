"""Run every task, split, construction and attention of the benchmark: docs/table-1.md.

    python scripts/record_table_1.py
    python scripts/record_table_1.py dijkstra --construction compact --attention hardmax

What is named is measured, all if nothing is; the other rows of the page stay as they are.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "table-1.md"
HEAD = """# Table 1

Accuracy on the CLRS-30 benchmark's graphs: the paper's Table 1, for every algorithm that has a task
there, in its constructions and with both kinds of attention (softmax with the paper's parameters:
T = 1e-7, δ = 1e-2, Ω = 1e5; heads of `compact` that find a least value have T = 3.73e-9, as values
differ by less than neighbouring positions do). The splits count whole graphs, every node of them
right. Made by `python scripts/record_table_1.py`, which runs `loopwright clrs` on the native
machine.

All 12 graph tasks of the benchmark are there. Three of them are asked or compared in a way of their
own:

- `floyd_warshall` has n² outputs, which do not fit in a constant width. It is answered by one run
  for each source, n runs a graph, with the weights of Dijkstra's or of Bellman and Ford's
  algorithm. Its matrix is compared whole: pairs that are not connected, where the benchmark has the
  source, and the diagonal, which it begins with the weights of self-loops, so that a shorter way
  from a node back to itself counts. For that, a run has one more node, with the edges into the
  source of that run.
- `mst_kruskal` is a set of edges, compared with the benchmark's mask; it does not matter which node
  of ours holds an edge.
- `scc` in its `parallel` construction calls a component by its first node, the benchmark by the
  root of Kosaraju's second search. There, which nodes are together is compared, and not the names.

`parallel` has heads that the paper does not have: see [parallel.md](parallel.md). "refused" means
that the certificate says beforehand that the answers would not be guaranteed, so nothing was run.

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


CONSTRUCTIONS, ATTENTIONS = ("paper", "compact", "parallel"), ("hardmax", "softmax")


def clrs(construction: str, attention: str, algorithms: list[str]) -> list[dict]:
    command = [sys.executable, "-c", "from loopwright.cli import main; main()", "clrs", "--json"]
    command += ["--construction", construction, "--attention", attention, *algorithms]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def right(score: dict) -> str:
    refused = score["refused"] == score["graphs"]
    return "refused" if refused else f"{score['correct']} / {score['graphs']}"


def rows(construction: str, attention: str, algorithms: list[str]) -> list[str]:
    found: dict[tuple[str, str], dict[str, dict]] = {}
    for score in clrs(construction, attention, algorithms):
        found.setdefault((score["algorithm"], score["task"]), {})[score["split"]] = score
    lines = []
    for (algorithm, task), splits in found.items():
        counts = [right(splits[split]) for split in ("train", "val", "test")]
        refused = all(count == "refused" for count in counts)
        nodes = min(score["node_accuracy"] for score in splits.values())
        seconds = sum(score["seconds"] for score in splits.values())
        cells = [construction, attention, f"{algorithm} ({task})", *counts]
        cells += ["–", "–"] if refused else [f"{nodes:.2%}", f"{seconds:.1f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def order(line: str) -> tuple[int, int]:
    construction, attention = line.split(" | ")[:2]
    return CONSTRUCTIONS.index(construction.strip("| ")), ATTENTIONS.index(attention)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("algorithms", nargs="*")
    parser.add_argument("--construction", choices=CONSTRUCTIONS)
    parser.add_argument("--attention", choices=ATTENTIONS)
    given = parser.parse_args()
    before = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    lines = {
        line.rpartition(")")[0]: line
        for line in re.findall(r"^\| \w+ \| (?:hardmax|softmax) \|.*", before, re.MULTILINE)
    }
    for construction in [given.construction] if given.construction else CONSTRUCTIONS:
        for attention in [given.attention] if given.attention else ATTENTIONS:
            for line in rows(construction, attention, given.algorithms):
                lines[line.rpartition(")")[0]] = line
    table = sorted(lines.values(), key=order)
    PAGE.write_text(HEAD + "\n".join(table) + "\n" + FOOT, encoding="utf-8")


if __name__ == "__main__":
    main()
