"""Two colours, so that neighbours differ: or None everywhere, if the graph has an odd cycle.

The first node without a colour gets 0, its neighbours 1, theirs 0 again, a whole level at a time.
An edge within a level closes an odd cycle, and there is no use in going on.

    loopwright run examples/algorithms/two_colouring.py examples/roads.txt

Edges count in both directions.
"""

import loopwright as lw


@lw.algorithm(edges="ones", iterations=lambda n: n + 1)
def two_colouring(p):
    """Colours 0 and 1, different wherever there is an edge; None if that is impossible."""
    colour = p.nodes.flag()
    coloured = p.nodes.flag()
    front = p.nodes.flag()

    beside = (p.edges_from(front) + p.edges_to(front)) > 0
    impossible = p.any(beside & front)
    new = beside & ~coloured
    colour[new] = ~p.first(front, colour)
    first = p.is_least(p.index, unless=coloured)
    front[:] = p.where(p.any(new), new, first)
    coloured |= front

    p.halt_when(impossible | ~p.any(front))
    return {"colour": p.where(impossible, lw.UNREACHED, colour)}
