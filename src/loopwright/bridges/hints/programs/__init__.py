"""Algorithms that take the benchmark's steps: an iteration for each hint.

events.py     depth-first search, event by event, with its stack
searches.py   the search itself, and strongly connected components
orders.py     topological order, and shortest paths along it
cuts.py       articulation points and bridges
forest.py     Kruskal's algorithm, with its union-find
"""

from loopwright.algorithms.registry import Algorithm
from loopwright.bridges.hints.programs.cuts import articulation_points, bridges
from loopwright.bridges.hints.programs.events import CONSTRUCTION
from loopwright.bridges.hints.programs.forest import kruskal
from loopwright.bridges.hints.programs.orders import dag_shortest_paths, topological_sort
from loopwright.bridges.hints.programs.searches import dfs, scc

BY_EVENTS: dict[str, Algorithm] = {
    "dfs": dfs,
    "scc": scc,
    "topological-sort": topological_sort,
    "dag-shortest-paths": dag_shortest_paths,
    "articulation-points": articulation_points,
    "bridges": bridges,
    "kruskal": kruskal,
}
"""Name of an algorithm → the same by the benchmark's steps."""

__all__ = ["BY_EVENTS", "CONSTRUCTION"]
