"""Kruskal's algorithm: the benchmark's events, one by one."""

from __future__ import annotations

from loopwright.algorithms.registry import algorithm
from loopwright.bridges.hints.programs.events import CONSTRUCTION
from loopwright.language import OWN, UNREACHED, Outputs, Statements, Truth
from loopwright.language.terms import Number


class Queue:
    """All edges, the lightest first; of equals, that of the first node, to the first node.

    Every node holds the lightest of its edges to later nodes that were not taken yet. In the first
    n iterations one node after the other reads its row of Ã for it. When an edge is taken, its node
    reads the next.
    """

    reading: Truth
    """At all nodes: some node has not read its first edge, so that nothing can be taken."""
    owner: Number
    """Whose edge is taken; or who reads its first."""
    target: Number
    """Where that edge leads."""

    def __init__(self, p: Statements) -> None:
        self.p = p
        self.weight = p.nodes.value(start=UNREACHED)
        self.end = p.nodes.index()
        self.spent = p.nodes.flag()
        self.unread = p.nodes.flag(start=1)

    def take(self, *, busy: Truth) -> None:
        """The next edge; nothing while all nodes are busy."""
        p = self.p
        first = p.first(p.is_least(self.weight, unless=self.spent))
        self.reading = p.any(self.unread) & (p.index > 0)
        self.owner = p.where(self.reading, p.first(self.unread), p.where(busy, 0, first))
        here = p.index == self.owner
        above = p.where(self.reading, 0, p.first(here, self.weight))
        self.target = p.first(here, self.end)
        edge = p.edge_from(here)
        equal = (edge == above) & (p.index > self.target)
        left = (edge > 0) & (p.index > self.owner) & ((edge > above) | equal)
        self.weight[here] = p.least(edge, unless=~left)
        self.end[here] = p.first(p.is_least(edge, unless=~left))
        self.spent[here] = ~p.any(left)
        self.unread[here] = 0


@algorithm(
    name="kruskal",
    construction=CONSTRUCTION,
    needs=("undirected",),
    iterations=lambda n: n * n * n + n,
    choices="one",
)
def kruskal(p: Statements) -> Outputs:
    """Minimum spanning forest, edge by edge, with a union-find whose paths become shorter.

    `pi` leads to the root of a node's tree. For an edge from u to v that is taken, u's root is
    looked for, and then v's, one step in each iteration; all that was passed on the way
    (`mask_u`, `mask_v`) is led to where the way has come. If the roots differ, the first of them
    is led to the other, and holds the edge: `tail` and `head` are its ends.
    """
    queue = Queue(p)
    pi = p.nodes.index(start=OWN)
    tail, head = p.nodes.index(), p.nodes.index()
    u, v = p.nodes.index(), p.nodes.index()
    root_u, root_v = p.nodes.index(), p.nodes.index()
    mask_u, mask_v = p.nodes.flag(), p.nodes.flag()
    busy = p.nodes.flag()
    phase_0, phase_1, phase_2 = p.nodes.flag(), p.nodes.flag(), p.nodes.flag()
    noted = p.nodes.flag()  # whether the benchmark notes this iteration

    above_u, above_v = pi[root_u], pi[root_v]
    climbs = busy & (above_u != root_u)
    follows = busy & (above_u == root_u) & (above_v != root_v)
    joins = busy & (above_u == root_u) & (above_v == root_v)
    first = p.where(root_u < root_v, root_u, root_v)
    other = p.where(root_u < root_v, root_v, root_u)
    joined = joins & (p.index == first) & (first != other)
    takes = ~busy
    queue.take(busy=busy)

    pi[climbs & mask_u] = above_u
    pi[follows & mask_v] = above_v
    pi[joined] = other
    tail[joined], head[joined] = u, v
    root_u[climbs], root_v[follows] = above_u, above_v
    mask_u |= climbs & (p.index == above_u)
    mask_v |= follows & (p.index == above_v)

    some = takes & ~queue.reading
    begun = p.first(p.index > 0)  # the benchmark's u and v before the first edge
    u[takes] = p.where(queue.reading, begun, queue.owner)
    v[takes] = p.where(queue.reading, begun, queue.target)
    root_u[takes], root_v[takes] = u, v
    mask_u[some], mask_v[some] = p.index == u, p.index == v
    busy[:] = some | climbs | follows
    phase_1[:] = some | climbs
    phase_2[:] = follows
    phase_0[:] = ~(some | climbs | follows)
    noted[:] = ~p.any(queue.unread)
    p.halt_when(p.all(queue.spent & ~queue.unread & ~busy))
    return {
        "tail": tail,
        "head": head,
        "pi": pi,
        "u": u,
        "v": v,
        "root_u": root_u,
        "root_v": root_v,
        "mask_u": mask_u,
        "mask_v": mask_v,
        "phase_0": phase_0,
        "phase_1": phase_1,
        "phase_2": phase_2,
        "noted": noted,
    }
