"""Programs that read like the paper's algorithms, with its step numbers."""

from loopwright.algorithms.bfs import bfs
from loopwright.algorithms.dfs import dfs
from loopwright.algorithms.dijkstra import dijkstra
from loopwright.algorithms.graph_subleq import graph_subleq
from loopwright.algorithms.multitask import multitask
from loopwright.algorithms.registry import Algorithm
from loopwright.algorithms.scc import scc

ALGORITHMS: dict[str, Algorithm] = {
    algorithm.name: algorithm for algorithm in (dijkstra, bfs, dfs, scc, multitask, graph_subleq)
}
"""Name → algorithm, as the command line knows them."""

__all__ = ["ALGORITHMS", "Algorithm", "bfs", "dfs", "dijkstra", "graph_subleq", "multitask", "scc"]
