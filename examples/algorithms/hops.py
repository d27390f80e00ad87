"""How many hops is each node away from a source?

    loopwright run examples/algorithms/hops.py examples/roads.txt --source Ulm

docs/write-your-own.md explains it, docs/command-line.md what else can be done with the file.
"""

import loopwright as lw


@lw.algorithm(source="required", edges="ones", iterations=lambda n: n)
def hops(p):
    """Which nodes a source reaches, and in how many hops."""
    reached = p.nodes.flag(start=0, at_source=1)
    hops = p.nodes.count(start=lw.UNREACHED, at_source=0)
    round = p.nodes.count()

    new = (p.edges_from(reached) > 0) & ~reached
    reached |= new
    round += 1
    hops[new] = round

    p.halt_unless(p.any(new))
    return {"hops": hops}
