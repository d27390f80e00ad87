"""Algorithms that follow NetworkX's order: Ã holds places among neighbours, or twins do.

shortest.py   Dijkstra with a heap, Bellman and Ford with a queue; weights of 0 and below
search.py     breadth first, depth first, with roots and limits
order.py      Kahn's topological order, two colours by a stack
marks.py      articulation points in the order of their discovery, cores, a spanning forest
"""

CONSTRUCTION = "compact"
"""What the constructions of these programs are called: they are of that kind."""
