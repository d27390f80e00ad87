"""Depth-first search with an iteration for each event that the benchmark notes."""

from __future__ import annotations

from loopwright.language import OWN, Outputs, Statements, Truth
from loopwright.language.terms import Number

CONSTRUCTION = "events"
"""What the constructions of these programs are called."""


class Events:
    """A search with its stack in X.

    An iteration is one event, at the node on top of the stack:

        begin    the stack was empty: the first of the roots is put on it
        enter    the node is entered
        find     its next edge leads to a white node, which is put on the stack
        revisit  its next edge leads to a node of another colour
        leave    there is no such edge; the next event will take the node off the stack

    If the stack is empty and there is no root, nothing happens any more.

    `clock` counts those that enter or leave. `s_prev` is what lies below a node on the stack, or
    the node itself, and `s_last` the top. A node is white at first, grey when it was entered or
    found, and black when it was left. `s` is the root, `u` the node that the event is at, and `v`
    what its edge leads to, or the last of all nodes if none is left: what the benchmark calls by
    letters, told to all nodes.

    `look` finds the node, `choose` the event, and `note` writes it down. Before `note`, variables
    hold what was so before the event.
    """

    at: Number
    here: Truth
    """The node that the event is at."""
    child: Number
    there: Truth
    """What its edge leads to."""
    begin: Truth
    enter: Truth
    find: Truth
    revisit: Truth
    leave: Truth

    def __init__(self, p: Statements) -> None:
        self.p = p
        self.white = p.nodes.flag(start=1)
        self.grey = p.nodes.flag()
        self.black = p.nodes.flag()
        self.s = p.nodes.index()
        self.u = p.nodes.index()
        self.v = p.nodes.index()
        self.s_last = p.nodes.index()
        self.s_prev = p.nodes.index(start=OWN)
        self.clock = p.nodes.count()
        self.top = p.nodes.index()  # the node that the next event is at, 0 if the stack is empty
        self.left = p.nodes.flag()  # the node that the last event left
        self.entering = p.nodes.flag()

    def look(self, roots: Truth) -> None:
        """Go to the top of the stack; if it is empty, to the first of the roots, or to none."""
        p = self.p
        self.s_prev[self.left] = p.index
        self.at = p.where(self.top == 0, p.first(roots), self.top)
        self.here = p.index == self.at

    def choose(self, edges: Truth) -> None:
        """What happens, if these nodes are what edges that are left lead to."""
        p = self.p
        self.child = p.first(edges)
        self.there = p.index == self.child
        fresh = p.first(edges, self.white)
        free = (self.top > 0) & ~self.entering
        self.begin = (self.top == 0) & (self.at > 0)
        self.enter = (self.top > 0) & self.entering
        self.find = free & fresh
        self.revisit = free & ~fresh & (self.child > 0)
        self.leave = free & (self.child == 0)

    def note(self, *, entering: Truth) -> None:
        """Write down the event, and who is next; `entering` says whether what was put on the stack
        is entered by an event of its own."""
        p = self.p
        last = p.first(p.is_least(-p.index))
        below = p.first(self.here, self.s_prev)
        goes = self.find | self.revisit
        found = self.find & self.there
        self.s[self.begin] = self.at
        some = self.at > 0
        self.u[some] = self.at
        self.v[some] = p.where(goes, self.child, p.where(self.leave, last, self.at))
        self.s_last[some] = p.where(self.find, self.child, self.at)
        self.s_prev[found] = self.at
        self.clock[self.enter | self.leave] = self.clock + 1
        self.left[:] = self.leave & self.here
        self.grey[:] = (self.grey | found | (self.enter & self.here)) & ~self.left
        self.black |= self.left
        self.white[:] = ~(self.grey | self.black)
        rests = p.where(below == self.at, 0, below)
        self.top[some] = p.where(self.leave, rests, self.s_last)
        self.entering[:] = entering

    def told(self) -> Outputs:
        """What the benchmark notes of the search after every event."""
        return {
            "white": self.white,
            "grey": self.grey,
            "black": self.black,
            "s": self.s,
            "u": self.u,
            "v": self.v,
            "s_last": self.s_last,
            "s_prev": self.s_prev,
            "clock": self.clock,
        }


class Times:
    """When nodes were entered and left."""

    def __init__(self, p: Statements, events: Events) -> None:
        self.events = events
        self.d = p.nodes.count()
        self.f = p.nodes.count()

    def note(self) -> None:
        """After the event, which the clock has counted."""
        events = self.events
        self.d[events.enter & events.here] = events.clock
        self.f[events.left] = events.clock

    def told(self) -> Outputs:
        return {"d": self.d, "f": self.f}
