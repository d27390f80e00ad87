"""Programs that read like the paper's algorithms, with its step numbers."""

from loopwright.algorithms.dijkstra import dijkstra
from loopwright.algorithms.registry import Algorithm

ALGORITHMS: dict[str, Algorithm] = {algorithm.name: algorithm for algorithm in (dijkstra,)}
"""Name → algorithm, as the command line knows them."""

__all__ = ["ALGORITHMS", "Algorithm", "dijkstra"]
