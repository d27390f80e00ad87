"""A maximal independent set: no two of its nodes are neighbours, and no node can be added."""

from __future__ import annotations

from loopwright.algorithms.registry import Algorithm
from loopwright.language import UNREACHED, Outputs, Statements, given, statements


@statements(name="independent-set", edges="ones", iterations=lambda n: n)
def parallel(p: Statements) -> Outputs:
    """The set that the greedy algorithm makes, O(log² n) rounds if priorities are random.
    [Blelloch et al. 2012]

    In every round all nodes join that come before each of their open neighbours: by priority, which
    is given, and by index where that is the same. Their neighbours are out. Edges count in both
    directions, and a self-loop keeps no node out.
    """
    priority = p.nodes.value(start=given("priority"))
    member = p.nodes.flag()
    closed = p.nodes.flag()

    first = ~closed
    for beside in (p.least_from, p.least_to):
        least = beside(priority, unless=closed, otherwise=UNREACHED)
        first &= (priority < least) | ((priority == least) & (p.index <= p.via(least)))
    member |= first
    closed |= first | ((p.edges_from(first) + p.edges_to(first)) > 0)

    p.halt_when(p.all(closed))
    return {"member": member}


independent_set = Algorithm(
    "independent-set", "a maximal independent set, by given priorities", {"parallel": parallel}
)
