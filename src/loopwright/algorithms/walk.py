"""Depth-first search as a walk: on to the first unvisited neighbour, or back to the parent."""

from __future__ import annotations

from loopwright.language import OWN, UNREACHED, Statements, Truth


class Walk:
    """Visits every node, and returns to it from every child: at most 2n iterations.

    Every iteration moves to the node with the least key. There are three classes of keys, so that
    one minimum over all nodes makes the choice of a depth-first search:

        unvisited neighbours of the current node    index − Ω̂       go on to the first of them
        nodes on the path to the current node       −(first visit)   else back to the parent
        other unvisited nodes                       index            else the first is a new root

    Times reach 2n and indices n, and Ω̂ is more than 3n, so the classes do not overlap. A node's
    `rank` is its key while it is no neighbour of the current node. If the move does not lead to an
    unvisited neighbour, the node that it leaves is finished.

    `both_ways`: the search takes edges in either direction, as if the graph were undirected.

    Between `move` and `leave`, `last` and `last_node` are the node that was current before, and
    `visit` and `finished` do not count this iteration's yet.
    """

    chosen: Truth
    """The current node."""
    neighbour: Truth
    """Those of the current node."""
    down: Truth
    """At every node: the current node was an unvisited neighbour of the last."""
    first: Truth
    """The current node, when it is visited for the first time."""
    finish: Truth
    """The last node, when it is finished."""

    def __init__(self, p: Statements, *, both_ways: bool = False) -> None:
        self.p, self.both_ways = p, both_ways
        self.last = p.nodes.flag()
        self.last_node = p.nodes.index(start=OWN)
        self.visit = p.nodes.flag()
        self.finished = p.nodes.flag()
        self.clock = p.nodes.count(start=1)
        self.fresh = p.nodes.flag()
        self.closed = p.nodes.flag()
        self.rank = p.nodes.count(start=OWN, signed=True)
        self.key = p.nodes.count(start=OWN, signed=True)

    def move(self) -> None:
        """To the next node, or to none when the last root is finished; and look around there."""
        p = self.p
        self.chosen = p.is_least(self.key, unless=self.closed)
        p.halt_unless(p.any(self.chosen))
        self.neighbour = p.edge_from(self.chosen)
        if self.both_ways:
            self.neighbour = self.neighbour | p.edge_to(self.chosen)
        self.node = p.first(self.chosen)
        self.down = p.first(self.chosen, self.fresh)
        self.first = self.chosen & ~self.visit
        self.finish = self.last & ~self.down

    def leave(self) -> None:
        """Note what was done, and rank the nodes for the next move."""
        p = self.p
        self.visit |= self.chosen
        self.finished |= self.finish
        self.closed[:] = self.finished | self.chosen
        self.rank[self.first] = -self.clock
        self.fresh[:] = self.neighbour & ~self.visit
        self.key[:] = p.where(self.fresh, p.index - UNREACHED, self.rank)
        self.clock += 1
        self.last[:] = self.chosen
        self.last_node[:] = self.node


class Reach:
    """How high up the path a new node has an edge: told to all nodes, before it can be finished.

    In an undirected graph every edge that the walk does not take leads to an ancestor. The topmost
    ancestor of the new node's edges, but for its parent, has the least time of first visit. Every
    node `below` it is on a cycle with its parent.
    """

    def __init__(self, p: Statements, walk: Walk) -> None:
        self.p, self.walk = p, walk
        self.time = p.nodes.count()
        self.skip = p.nodes.flag(start=1)
        """Not such an ancestor of the current node, if that is new at all."""

    def below(self) -> Truth:
        """Before the walk moves on. Unvisited nodes, of time 0, are below nothing."""
        top = self.p.least(self.time, unless=self.skip)
        return (top > 0) & (top < self.time)

    def note(self) -> None:
        """Between the walk's `move` and `leave`."""
        walk = self.walk
        self.time[walk.first] = walk.clock
        self.skip[:] = ~(walk.neighbour & walk.visit & walk.down & ~walk.last)
