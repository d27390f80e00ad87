"""How many iterations each construction takes, against n: docs/figures/iterations.json and .png.

    python scripts/record_iterations.py --patience 20

Graphs of six shapes with 2⁴, 2⁵, … nodes, weights from 1 to 15, both directions of every edge; or,
where there must be no cycles, every edge from the lower number to the higher. A
line ends where a run takes longer than `--patience` seconds on the native machine, or where the
weights hold no more nodes: `paper` and `compact` tell rows apart by positions on a circle, which
end at 65,536 nodes in the default limits. `--draw` draws the picture again from the record,
and what `--algorithms` and `--constructions` leave out stays as it was recorded.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from scipy.sparse import coo_array

import loopwright as lw

FIGURES = Path(__file__).parents[1] / "docs/figures"
RECORD, PICTURE = FIGURES / "iterations.json", FIGURES / "iterations.png"
ALGORITHMS = (
    *("bfs", "dijkstra", "bellman-ford", "dag-shortest-paths"),
    *("topological-levels", "components", "kruskal", "prim"),
)
CONSTRUCTIONS = ("paper", "compact", "parallel")
POWERS = range(4, 18)
MOST = {"paper": 2**16, "compact": 2**16, "parallel": 2**17}
LIMITS = {
    "paper": lw.Limits(resolution=1),
    "compact": lw.Limits(resolution=1),
    "parallel": lw.Limits(nodes=2**17, largest=2**22, resolution=1),
}

# ── shapes ──────────────────────────────────────────────────────────────────────────────────────

Ends = tuple[np.ndarray, np.ndarray]


def path(n: int, rng: np.random.Generator) -> Ends:
    return np.arange(n - 1), np.arange(1, n)


def shuffled_path(n: int, rng: np.random.Generator) -> Ends:
    order = rng.permutation(n)
    return order[:-1], order[1:]


def star(n: int, rng: np.random.Generator) -> Ends:
    return np.zeros(n - 1, dtype=int), np.arange(1, n)


def grid(n: int, rng: np.random.Generator) -> Ends:
    """As square as a power of two allows."""
    nodes = np.arange(n).reshape(2 ** (n.bit_length() // 2), -1)
    across, down = (nodes[:, :-1], nodes[:, 1:]), (nodes[:-1], nodes[1:])
    return tuple(np.concatenate([a.ravel(), b.ravel()]) for a, b in zip(across, down, strict=True))


def tree(n: int, rng: np.random.Generator) -> Ends:
    """Every node hangs on a random earlier one."""
    heads = np.arange(1, n)
    return (rng.random(n - 1) * heads).astype(int), heads


def random_graph(n: int, rng: np.random.Generator) -> Ends:
    """A mean degree of 4, and seldom connected."""
    tails, heads = rng.integers(0, n, (2, 2 * n))
    return tails[tails != heads], heads[tails != heads]


SHAPES: dict[str, Callable[[int, np.random.Generator], Ends]] = {
    "path": path,
    "shuffled path": shuffled_path,
    "star": star,
    "grid": grid,
    "tree": tree,
    "random, mean degree 4": random_graph,
}


def graph_of(shape: str, n: int, *, acyclic: bool) -> lw.Graph:
    rng = np.random.default_rng([list(SHAPES).index(shape), n])
    tails, heads = SHAPES[shape](n, rng)
    once = np.unique(np.minimum(tails, heads) * n + np.maximum(tails, heads))
    low, high = once // n, once % n
    weights = rng.integers(1, 16, len(low)).astype(float)
    if acyclic:
        return lw.Graph.from_matrix(coo_array((weights, (low, high)), shape=(n, n)).tocsr())
    both = (np.concatenate([low, high]), np.concatenate([high, low]))
    return lw.Graph.from_matrix(coo_array((np.tile(weights, 2), both), shape=(n, n)).tocsr())


# ── measuring ───────────────────────────────────────────────────────────────────────────────────


def series(algorithm: str, construction: str, shape: str, patience: float) -> Iterator[dict]:
    made = lw.algorithms.ALGORITHMS[algorithm]
    if construction not in made.constructions:
        return
    model = lw.compile(made(construction), limits=LIMITS[construction])
    source = {"source": 0} if model.source == "required" else {}
    acyclic = "acyclic" in model.needs
    model.run(
        graph_of(shape, 2, acyclic=acyclic), machine="native", **source
    )  # makes the machine's code
    for n in (2**power for power in POWERS if 2**power <= MOST[construction]):
        graph = graph_of(shape, n, acyclic=acyclic)
        begin = time.perf_counter()
        answer = model.run(graph, machine="native", **source)
        seconds = time.perf_counter() - begin
        yield {
            "algorithm": algorithm,
            "construction": construction,
            "shape": shape,
            "nodes": n,
            "edges": graph.edge_count,
            "iterations": answer.iterations,
            "seconds": round(seconds, 3),
        }
        if seconds > patience:
            return


# ── the picture ─────────────────────────────────────────────────────────────────────────────────

COLOURS = {"paper": "tab:blue", "compact": "tab:orange", "parallel": "tab:green"}
LINES = {"shuffled path": "-", "random, mean degree 4": "--"}


def picture(rows: list[dict[str, Any]]) -> Figure:
    """A panel for each algorithm: a thin line for each shape, thick ones for two of them."""
    figure = Figure(figsize=(13, 6.4), layout="constrained")
    panels: Any = figure.subplots(2, 4, sharex=True, sharey=True)
    for panel, algorithm in zip(panels.flat, ALGORITHMS, strict=True):
        for (construction, colour), shape in product(COLOURS.items(), SHAPES):
            which = (algorithm, construction, shape)
            points = [
                (row["nodes"], row["iterations"])
                for row in rows
                if (row["algorithm"], row["construction"], row["shape"]) == which
            ]
            if points:
                line, width = LINES.get(shape, "-"), 1.6 if shape in LINES else 0.6
                panel.plot(*zip(*points, strict=True), line, color=colour, lw=width)
        panel.set_title(algorithm, fontsize=11)
        panel.set_xscale("log", base=2)
        panel.set_yscale("log")
        panel.grid(alpha=0.3)
    for panel in panels[-1]:
        panel.set_xlabel("nodes")
    for panel in panels[:, 0]:
        panel.set_ylabel("iterations")
    legend = panels.flat[ALGORITHMS.index("kruskal")]  # has the most room
    for construction, colour in COLOURS.items():
        legend.plot([], [], color=colour, lw=4, label=construction)
    for shape, line in LINES.items():
        legend.plot([], [], line, color="black", label=shape)
    legend.plot([], [], color="black", lw=0.6, label="path, star, grid, tree")
    legend.legend(fontsize=9, loc="upper left")
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--patience", type=float, default=20.0, help="seconds that a run may take")
    parser.add_argument("--draw", action="store_true", help="draw again what is recorded")
    parser.add_argument("--algorithms", nargs="*", choices=ALGORITHMS, default=ALGORITHMS)
    parser.add_argument("--constructions", nargs="*", choices=CONSTRUCTIONS, default=CONSTRUCTIONS)
    given = parser.parse_args()
    rows = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else []
    if not given.draw:
        chosen = [*product(given.algorithms, given.constructions)]
        rows = [row for row in rows if (row["algorithm"], row["construction"]) not in chosen]
        for (algorithm, construction), shape in product(chosen, SHAPES):
            for row in series(algorithm, construction, shape, given.patience):
                print(*row.values(), flush=True)
                rows.append(row)
        rows.sort(key=lambda row: ALGORITHMS.index(row["algorithm"]))
        RECORD.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    picture(rows).savefig(PICTURE, dpi=90, metadata={"Software": None})


if __name__ == "__main__":
    main()
