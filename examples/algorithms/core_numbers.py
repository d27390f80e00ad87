"""Core numbers: how deep in the dense part of a graph is each node?

The k-core is what is left when nodes with fewer than k neighbours are taken away again and again.
A node's core number is the largest k whose core it is in. So peel the graph: count each node's
neighbours among those that are left, and let k be the least of these numbers, if that is more than
before. Whoever has no more than k goes, all of them at once, with k for a core number.

    loopwright run examples/algorithms/core_numbers.py examples/roads.txt --undirected
"""

import loopwright as lw


@lw.algorithm(edges="ones", needs=("undirected",), iterations=lambda n: n)
def core_numbers(p):
    """The core number of every node."""
    left = p.nodes.flag(start=1)
    k = p.nodes.count()
    core = p.nodes.count()

    degree = p.edges_from(left)
    k[:] = p.max(k, p.least(degree, unless=~left))
    peeled = left & (degree <= k)
    core[peeled] = k
    left &= ~peeled

    p.halt_unless(p.any(left))
    return {"core": core}
