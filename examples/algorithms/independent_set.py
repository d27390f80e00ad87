"""A maximal independent set: no two of its nodes are neighbours, and no node can be added.

The greedy algorithm: of the nodes that are still open take the one with the least priority, and the
first of those that tie; it joins the set, and its neighbours are out. Priorities are an input,
which Luby's algorithm would draw at random. Without them, nodes join in the order of the graph.

    loopwright run examples/algorithms/independent_set.py examples/roads.txt

Edges count in both directions. A self-loop keeps no node out.
"""

import loopwright as lw


@lw.algorithm(edges="ones", iterations=lambda n: n)
def independent_set(p):
    """A maximal independent set, by priorities that are given."""
    priority = p.nodes.value(start=lw.given("priority"))
    member = p.nodes.flag()
    closed = p.nodes.flag()

    candidates = p.is_least(priority, unless=closed)
    chosen = p.index == p.first(candidates)
    member |= chosen
    closed |= chosen | p.edge_from(chosen) | p.edge_to(chosen)

    p.halt_when(p.all(closed))
    return {"member": member}
