"""The eccentricity of a node: how many hops is the farthest node away?

    loopwright run examples/algorithms/eccentricity.py examples/roads.txt --source Ulm --undirected

It is the number of rounds in which somebody is reached for the first time; None, if there are nodes
that nobody can reach from there. All nodes are told.
"""

import loopwright as lw


@lw.algorithm(source="required", edges="ones", iterations=lambda n: n)
def eccentricity(p):
    """The most hops that a shortest path from a source takes."""
    reached = p.nodes.flag(start=0, at_source=1)
    rounds = p.nodes.count()

    new = (p.edges_from(reached) > 0) & ~reached
    reached |= new
    rounds += p.any(new)
    p.halt_unless(p.any(new))
    return {"eccentricity": p.where(p.all(reached), rounds, lw.UNREACHED)}
