"""Programs that read like the paper's algorithms, with its step numbers."""

from loopwright.algorithms.articulation_points import articulation_points
from loopwright.algorithms.bellman_ford import bellman_ford
from loopwright.algorithms.bfs import bfs
from loopwright.algorithms.bridges import bridges
from loopwright.algorithms.components import components
from loopwright.algorithms.dag_shortest_paths import dag_shortest_paths
from loopwright.algorithms.dfs import dfs
from loopwright.algorithms.dijkstra import dijkstra
from loopwright.algorithms.graph_subleq import graph_subleq
from loopwright.algorithms.independent_set import independent_set
from loopwright.algorithms.kruskal import kruskal
from loopwright.algorithms.multitask import multitask
from loopwright.algorithms.prim import prim
from loopwright.algorithms.registry import Algorithm
from loopwright.algorithms.scc import scc
from loopwright.algorithms.topological_levels import topological_levels
from loopwright.algorithms.topological_sort import topological_sort
from loopwright.algorithms.two_colouring import two_colouring
from loopwright.algorithms.widest_paths import widest_paths

ALGORITHMS: dict[str, Algorithm] = {
    algorithm.name: algorithm
    for algorithm in (
        dijkstra,
        bfs,
        dfs,
        scc,
        multitask,
        graph_subleq,
        prim,
        bellman_ford,
        dag_shortest_paths,
        topological_sort,
        topological_levels,
        components,
        articulation_points,
        bridges,
        independent_set,
        kruskal,
        two_colouring,
        widest_paths,
    )
}
"""Name → algorithm, as the command line knows them."""

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "articulation_points",
    "bellman_ford",
    "bfs",
    "bridges",
    "components",
    "dag_shortest_paths",
    "dfs",
    "dijkstra",
    "graph_subleq",
    "independent_set",
    "kruskal",
    "multitask",
    "prim",
    "scc",
    "topological_levels",
    "topological_sort",
    "two_colouring",
    "widest_paths",
]
