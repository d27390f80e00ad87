"""Depth-first search as a walk: on to the first unvisited neighbour, or back to the parent."""

from __future__ import annotations

from dataclasses import dataclass

from loopwright.language import OWN, OWN_INDEX, UNREACHED, Formula, nodes, ops, single


@dataclass(frozen=True)
class Walk:
    """Two steps that visit every node and return to it from every child: at most 2n iterations.

    Every iteration moves to the node with the least key. There are three classes of keys, so that
    one minimum over all nodes makes the choice of a depth-first search:

        unvisited neighbours of the current node    index − Ω̂       go on to the first of them
        nodes on the path to the current node       −(first visit)   else back to the parent
        other unvisited nodes                       index            else the first is a new root

    Times reach 2n and indices n, and Ω̂ is more than 3n, so the classes do not overlap. A node's
    `rank` is its key while it is no neighbour of the current node. If the move does not lead to an
    unvisited neighbour, the node that it leaves is finished.

    `both_ways`: the search takes edges in either direction, as if the graph were undirected.

    A step's MLP ops go between `look` and `leave`. There `last` and `last_node` are the node that
    was current before, and `visit` and `finished` do not count this iteration's yet.
    """

    both_ways: bool = False

    chosen = nodes.flag("chosen")
    node = nodes.index("node")
    """The current node as a flag, and its index at every node."""
    last = nodes.flag("last", start=0)
    last_node = nodes.index("last_node", start=OWN)
    row = nodes.flag("A_row")
    column = nodes.flag("A_col")
    visit = nodes.flag("visit", start=0)
    finished = nodes.flag("finished", start=0)
    down = nodes.flag("down")
    """At every node: the current node was an unvisited neighbour of the last."""
    first = nodes.flag("first")
    """The current node, when it is visited for the first time."""
    finish = nodes.flag("finish")
    """The last node, when it is finished."""
    clock = nodes.count("clock", start=1)
    fresh = nodes.flag("fresh", start=0)
    closed = nodes.flag("closed", start=0)
    idle = nodes.flag("idle")
    rank = nodes.count("rank", start=OWN, signed=True)
    key = nodes.count("key", start=OWN, signed=True)
    term = single.flag("term")

    @property
    def neighbour(self) -> Formula:
        """Of the current node."""
        return self.row | self.column if self.both_ways else self.row

    def move(self) -> tuple[ops.Op, ...]:
        """To the next node, or to none when the last root is finished."""
        return (
            ops.MarkLeast(self.chosen, self.key, unless=self.closed),
            ops.Set(self.idle, ~self.chosen),
        )

    def look(self) -> tuple[ops.Op, ...]:
        """Around the current node, and back to how it was reached."""
        return (
            ops.RowOf(self.row, self.chosen),
            *([ops.ColumnOf(self.column, self.chosen)] if self.both_ways else []),
            ops.ReadFirst(self.node, self.chosen, OWN_INDEX),
            ops.ReadFirst(self.down, self.chosen, self.fresh),
            ops.AllOne(self.term, self.idle),
            ops.Set(self.first, self.chosen & ~self.visit),
            ops.Set(self.finish, self.last & ~self.down),
        )

    def leave(self) -> tuple[ops.Op, ...]:
        """Note what was done, and rank the nodes for the next move."""
        back, reach = nodes.count("back", signed=True), nodes.count("reach", signed=True)
        return (
            ops.Set(self.visit, self.visit | self.chosen),
            ops.Set(self.finished, self.finished | self.finish),
            ops.Set(self.closed, self.finished | self.chosen),
            ops.Subtract(back, 0, self.clock),
            ops.Where(self.rank, self.first, back, self.rank),
            ops.Set(self.fresh, self.neighbour & ~self.visit),
            ops.Subtract(reach, OWN_INDEX, UNREACHED),
            ops.Where(self.key, self.fresh, reach, self.rank),
            ops.Add(self.clock, self.clock, 1),
            ops.Copy(self.last, self.chosen),
            ops.Copy(self.last_node, self.node),
        )


@dataclass(frozen=True)
class Reach:
    """How high up the path a new node has an edge: told to all nodes, before it can be finished.

    In an undirected graph every edge that the walk does not take leads to an ancestor. The topmost
    ancestor of the new node's edges, but for its parent, has the least time of first visit. Every
    node `below` it is on a cycle with its parent.
    """

    walk: Walk

    time = nodes.count("time", start=0)
    skip = nodes.flag("skip", start=1)
    """Not such an ancestor of the current node, if that is new at all."""
    top = nodes.count("top")
    below = nodes.flag("below")

    def tell(self) -> ops.Op:
        """Attention of the step after `note`: the least time, 0 if there is no such ancestor."""
        return ops.ReadLeast(self.top, self.time, unless=self.skip)

    def hear(self) -> ops.Op:
        """Unvisited nodes, of time 0, are below nothing."""
        return ops.Between(self.below, 0, self.top, self.time)

    def note(self) -> tuple[ops.Op, ...]:
        """Between the walk's `look` and `leave`."""
        walk = self.walk
        return (
            ops.Where(self.time, walk.first, walk.clock, self.time),
            ops.Set(self.skip, ~(walk.neighbour & walk.visit & walk.down & ~walk.last)),
        )
