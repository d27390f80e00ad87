"""Shortest paths as NetworkX finds them: the same ties, and weights of 0 and below.

0 in Ã means that there is no edge. So every weight is given with an `offset` added, which makes it
1 at least, and the program takes it off again: weights may be 0 or negative. The twin of a node, as
many rows below it as there are nodes, has the places of its neighbours in the place of weights.
"""

from __future__ import annotations

from loopwright.algorithms.registry import algorithm
from loopwright.bridges.networkx.programs import CONSTRUCTION
from loopwright.language import OWN, Outputs, Statements, given


@algorithm(
    name="dijkstra-in-order", iterations=lambda n: n + 1, choices="one", construction=CONSTRUCTION
)
def dijkstra_in_order(p: Statements) -> Outputs:
    """Shortest paths from sources; of nodes that are as near, the first to be pushed comes first.

    A heap of (distance, number of the push) is one minimum after the other: which open nodes are
    nearest, and which of these was pushed first. A push is numbered by who pushed and by the place
    of the edge: `base` grows by more than any place with every node that is popped.
    """
    offset = p.nodes.value(start=given("offset"))
    stride = p.nodes.value(start=given("stride"))
    count = p.nodes.index(start=given("count"))
    cutoff = p.nodes.value(start=given("cutoff"), signed=True)
    dists = p.nodes.value(signed=True)
    prev = p.nodes.index(start=OWN)
    pushed = p.nodes.value(start=given("queued"))
    seen = p.nodes.value(start=given("queued"))  # when it was pushed for the first time
    reached = p.nodes.flag(start=given("starts"))
    closed = p.nodes.flag(start=given("closed"))  # popped, or not pushed yet
    base = p.nodes.value(start=given("base"))
    clock = p.nodes.count(start=1)
    popped = p.nodes.count()
    node = p.nodes.index()
    farthest = p.nodes.value(signed=True)
    closer = p.nodes.flag()
    equal = p.nodes.flag()

    nearest = p.is_least(dists, unless=closed)
    earliest = p.is_least(pushed, unless=~nearest)
    node[:], farthest[:] = p.first(earliest), p.first(earliest, dists)
    chosen = p.index == node
    twin = p.index == node + count
    closed |= chosen
    popped[chosen] = clock

    edge, place = p.edge_from(chosen), p.edge_from(twin)
    path = farthest + edge - offset
    usable = (edge > 0) & (path <= cutoff)
    equal[:] = usable & reached & (path == dists)
    closer[:] = usable & ((path < dists) | ~reached)
    new = closer & ~reached
    push = base + place
    dists[closer] = path
    prev[closer] = node
    pushed[closer] = push
    seen[new] = push
    closed[new] = 0
    reached |= closer
    base += stride
    clock += 1
    p.halt_when(p.all(closed))
    return {
        "dists": dists,
        "prev": prev,
        "popped": popped,
        "seen": seen,
        "reached": reached,
        "node": node,
        "closer": closer,
        "equal": equal,
        "farthest": farthest,
    }


@algorithm(
    name="bellman-ford-in-order",
    iterations=lambda n: n * n + n + 1,
    choices="one",
    construction=CONSTRUCTION,
)
def bellman_ford_in_order(p: Statements) -> Outputs:
    """Shortest paths with a queue, for weights of any sign; without an end if there is a cycle
    below 0.

    A node that is taken from the queue relaxes its edges, unless a predecessor of it is in the
    queue: then its distance is out of date. Who is a predecessor, of all that tie? Whoever relaxed
    its edges last at just that distance: what it had then, plus the edge, is what the node has now.
    If that is more, it was overtaken; it cannot be less.

    Without a cycle below 0 a node enters the queue n times at most, as in the textbook: after round
    k, all nodes with a shortest path of k edges have it, and such a node is never out of date.
    """
    offset = p.nodes.value(start=given("offset"))
    stride = p.nodes.value(start=given("stride"))
    count = p.nodes.index(start=given("count"))
    dists = p.nodes.value(signed=True)
    prev = p.nodes.index(start=OWN)
    queued = p.nodes.value(start=given("queued"))
    seen = p.nodes.value(start=given("queued"))
    reached = p.nodes.flag(start=given("starts"))
    out = p.nodes.flag(start=given("closed"))  # not in the queue
    relaxed = p.nodes.flag()
    relaxed_at = p.nodes.value(signed=True)  # its distance at that time
    base = p.nodes.value(start=given("base"))
    node = p.nodes.index()
    closer = p.nodes.flag()
    equal = p.nodes.flag()

    front = p.is_least(queued, unless=out)
    node[:], dist = p.first(front), p.first(front, dists)
    chosen = p.index == node
    twin = p.index == node + count
    out |= chosen

    into = p.edge_to(chosen)
    predecessor = relaxed & (into > 0) & (relaxed_at + into - offset == dist)
    ready = ~p.any(predecessor & ~out)
    relaxed |= chosen & ready
    relaxed_at[chosen & ready] = dist

    edge, place = p.edge_from(chosen), p.edge_from(twin)
    path = dist + edge - offset
    usable = (edge > 0) & ready
    equal[:] = usable & reached & (path == dists)
    closer[:] = usable & ((path < dists) | ~reached)
    push = base + place
    queued[closer & out] = push
    seen[closer & ~reached] = push
    dists[closer] = path
    prev[closer] = node
    out[closer] = 0
    reached |= closer
    base += stride
    p.halt_when(p.all(out))
    return {
        "dists": dists,
        "prev": prev,
        "seen": seen,
        "reached": reached,
        "node": node,
        "closer": closer,
        "equal": equal,
    }
