"""How many shortest paths lead from a source to each node, where every edge is one hop?

As many as lead to its neighbours of the level before, together: breadth-first search, in which the
nodes that were reached last pass their numbers on along all their edges at once.

    loopwright run examples/algorithms/count_shortest_paths.py examples/roads.txt --source Ulm

There may be exponentially many. A run is watched, and stopped before a number is too large.
"""

import loopwright as lw


@lw.algorithm(source="required", edges="ones", iterations=lambda n: n)
def count_shortest_paths(p):
    """The number of shortest paths from a source; 0 where there is none."""
    paths = p.nodes.count(start=0, at_source=1)
    front = p.nodes.flag(start=0, at_source=1)

    arriving = p.sum_from(p.where(front, paths, 0))
    front[:] = (arriving > 0) & (paths == 0)
    paths[front] = arriving

    p.halt_unless(p.any(front))
    return {"paths": paths}
