"""Multitask: one set of weights is Dijkstra, breadth-first or depth-first search."""

import loopwright as lw

model = lw.compile(lw.algorithms.multitask())
weighted = [("a", "b", 5), ("a", "c", 1), ("c", "b", 1), ("b", "d", 1)]
plain = [edge[:2] for edge in weighted]

print("Dijkstra", model.run(weighted, source="a").prev)
print("BFS     ", model.run(plain, source="a").prev)
print("DFS     ", model.run(plain, source="a", dfs=1).prev)
