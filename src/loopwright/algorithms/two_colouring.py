"""Two colours, so that neighbours differ: or None everywhere, if the graph has an odd cycle."""

from __future__ import annotations

from loopwright.algorithms.registry import Algorithm
from loopwright.language import OWN, UNREACHED, Outputs, Statements, statements


@statements(name="two-colouring", edges="ones", iterations=lambda n: n + 1)
def parallel(p: Statements) -> Outputs:
    """As many rounds as the first node of a component is away from the others, and one more.

    Every node follows the least index that it has heard of, and has another colour than the
    neighbour that it heard it from. In the end all of a component follow its first node, and have
    the colour that the length of the way has. If an edge joins two of the same colour, there is an
    odd cycle. Edges count in both directions.
    """
    first = p.nodes.index(start=OWN)
    colour = p.nodes.flag()
    other = p.nodes.flag(start=1)

    white, black = (
        p.min(
            *(
                beside(first, unless=unless, otherwise=UNREACHED)
                for beside in (p.least_from, p.least_to)
            )
        )
        for unless in (colour, other)
    )
    same = p.where(colour, black, white)
    least = p.min(white, black)
    joins = least < first
    clash = ~joins & (same == first)
    first[joins] = p.min(first, least)
    colour[joins] = white < black
    other[:] = ~colour

    changed = p.any(joins)
    p.halt_unless(changed)
    return {"colour": p.where(p.any(clash), UNREACHED, colour)}


two_colouring = Algorithm(
    "two-colouring", "two colours, so that neighbours differ", {"parallel": parallel}
)
