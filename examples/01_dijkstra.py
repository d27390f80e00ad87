"""Shortest paths by weights alone: compile, run, see the answer."""

import networkx as nx

import loopwright as lw

graph = nx.DiGraph()
graph.add_weighted_edges_from([("a", "b", 3), ("b", "c", 1.5), ("a", "c", 10), ("c", "a", 1)])

model = lw.compile(lw.algorithms.dijkstra())
answer = model.run(graph, source="a")

print(answer.dists, answer.prev, f"after {answer.iterations} iterations")
assert answer.dists == {"a": 0.0, "b": 3.0, "c": 4.5}
