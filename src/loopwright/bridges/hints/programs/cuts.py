"""Articulation points and bridges: the benchmark's events, one by one."""

from __future__ import annotations

from loopwright.algorithms.registry import algorithm
from loopwright.bridges.hints.programs.events import CONSTRUCTION, Events, Times
from loopwright.language import OWN, Outputs, Statements, Truth
from loopwright.language.terms import Number


class Low:
    """A search that looks at one edge after the other, in both directions, and notes how far back
    each node's part of the tree reaches: `low`, the earliest time that an edge from it leads to.

    When the search comes back to a node, it looks at all of its edges again, as the benchmark does;
    that to the parent is left out. What children have is told when the node is left.
    """

    children: Truth
    """Those of the node that the event is at."""
    entered: Number
    """When that node was entered."""
    is_root: Truth

    def __init__(self, p: Statements) -> None:
        self.p = p
        self.events = Events(p)
        self.times = Times(p, self.events)
        self.prev = p.nodes.index(start=OWN)
        self.low = p.nodes.count()
        self.seen = p.nodes.index()  # what the last edge led to that was looked at, in this round

    def choose(self) -> None:
        """The event, and whom it concerns."""
        p, events = self.p, self.events
        events.look(events.white)
        here = events.here
        parent = p.first(here, self.prev)
        neighbour = p.edge_from(here) | p.edge_to(here)
        events.choose(neighbour & (p.index > self.seen) & (events.white | ~(p.index == parent)))
        self.is_root = parent == events.at
        self.children = (self.prev == events.at) & ~here
        self.entered = p.first(here, self.times.d)

    def note(self) -> None:
        """Write the event down."""
        p, events = self.p, self.events
        back = p.first(events.there, self.times.d)
        least = p.least(self.low, unless=~self.children)
        reached = p.where(events.revisit, back, least)
        self.low[events.here & (events.revisit | events.leave) & (reached > 0)] = p.min(
            self.low, reached
        )
        self.prev[events.find & events.there] = events.at
        self.seen[:] = p.where(events.revisit, events.child, 0)
        events.note(entering=events.begin | events.find)
        self.times.note()
        self.low[events.enter & events.here] = events.clock
        p.halt_when(p.all(events.black))

    def told(self) -> Outputs:
        """What the benchmark notes after every event."""
        return {"prev": self.prev, "low": self.low, **self.events.told(), **self.times.told()}


@algorithm(
    name="articulation-points",
    construction=CONSTRUCTION,
    edges="ones",
    iterations=lambda n: 2 * n * n + 3 * n,
    choices="one",
    counts=lambda n: 2 * n + 1,
)
def articulation_points(p: Statements) -> Outputs:
    """Nodes whose removal disconnects: when a node is left, it is one if a child reaches nothing
    above it; a root, if it has two children."""
    search = Low(p)
    events = search.events
    cut = p.nodes.flag()
    child_cnt = p.nodes.count()

    search.choose()
    child_cnt[events.find & events.here] = child_cnt + 1
    closed = p.any(search.children & (search.low >= search.entered))
    parts = (closed & ~search.is_root) | (search.is_root & (child_cnt > 1))
    cut |= events.leave & events.here & parts
    search.note()
    return {"cut": cut, "child_cnt": child_cnt, **search.told()}


@algorithm(
    name="bridges",
    construction=CONSTRUCTION,
    edges="ones",
    iterations=lambda n: 2 * n * n + 3 * n,
    choices="one",
    counts=lambda n: 2 * n + 1,
)
def bridges(p: Statements) -> Outputs:
    """Edges on no cycle: when a node is left, those to children that do not reach it."""
    search = Low(p)
    bridge = p.nodes.flag()

    search.choose()
    bridge |= search.events.leave & search.children & (search.low > search.entered)
    search.note()
    return {"bridge": bridge, **search.told()}
