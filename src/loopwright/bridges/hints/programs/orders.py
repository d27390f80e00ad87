"""Topological order, and shortest paths along it: the benchmark's events, one by one."""

from __future__ import annotations

from loopwright.algorithms.registry import algorithm
from loopwright.bridges.hints.programs.events import CONSTRUCTION, Events
from loopwright.language import OWN, UNREACHED, Outputs, Statements


class Order:
    """A list of the nodes that were left, the last of them at its head.

    Before there is one, the first of all nodes is the head, as the benchmark has it: it is not
    black, so nothing is put before it.
    """

    def __init__(self, p: Statements, events: Events) -> None:
        self.p, self.events = p, events
        self.topo = p.nodes.index(start=OWN)
        self.head = p.nodes.index()

    def note(self) -> None:
        """Before the event turns the node black."""
        p, events = self.p, self.events
        self.head[self.head == 0] = p.first(p.index > 0)
        some = p.first(p.index == self.head, events.black)
        self.topo[events.leave & events.here & some] = self.head
        self.head[events.leave] = events.at

    def told(self) -> Outputs:
        return {"next": self.topo, "head": self.p.index == self.head, "first": self.head}


@algorithm(
    name="topological-sort",
    construction=CONSTRUCTION,
    edges="ones",
    needs=("acyclic",),
    iterations=lambda n: 3 * n,
    choices="one",
    counts=lambda n: 2 * n + 1,
)
def topological_sort(p: Statements) -> Outputs:
    """Topological order by depth-first search: the last node to be left comes first."""
    events = Events(p)
    order = Order(p, events)

    events.look(events.white)
    events.choose(p.edge_from(events.here) & events.white)
    order.note()
    events.note(entering=events.begin)
    p.halt_when(p.all(events.black))
    return {**order.told(), **events.told()}


@algorithm(
    name="dag-shortest-paths",
    construction=CONSTRUCTION,
    source="required",
    needs=("acyclic",),
    iterations=lambda n: 3 * n + 1,
    choices="one",
    counts=lambda n: 2 * n + 1,
    values="paths",
)
def dag_shortest_paths(p: Statements) -> Outputs:
    """Shortest paths from a source, without cycles: sort what it reaches, then relax in order.

    When the search is over, an iteration marks the source, and each after it relaxes the edges of
    the head, which is then the next of the order. The last has no edges to relax.
    """
    events = Events(p)
    order = Order(p, events)
    source = p.nodes.flag(start=0, at_source=1)
    prev = p.nodes.index(start=OWN)
    d = p.nodes.value()
    mark = p.nodes.flag()
    second = p.nodes.flag()

    events.look(source & events.white)
    over = events.at == 0
    edge = p.edge_from(p.index == p.where(over, order.head, events.at))
    events.choose((edge > 0) & events.white & ~over)
    order.note()
    events.note(entering=events.begin)

    path = d[order.head] + edge
    closer = second & (edge > 0) & (~mark | (path < d))
    d[closer] = path
    prev[closer] = order.head
    mark |= closer | (over & source)
    order.head[second] = order.topo[order.head]
    second |= over
    p.halt_when(p.all(second & (order.topo[order.head] == order.head)))
    return {
        "dists": p.where(mark, d, UNREACHED),
        "prev": prev,
        "d": d,
        "mark": mark,
        "second": second,
        **order.told(),
        **events.told(),
    }
