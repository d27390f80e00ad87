"""Depth-first search, strongly connected components: the benchmark's events, one by one."""

from __future__ import annotations

from loopwright.algorithms.registry import algorithm
from loopwright.bridges.hints.programs.events import CONSTRUCTION, Events, Times
from loopwright.language import OWN, Outputs, Statements


@algorithm(
    name="dfs",
    construction=CONSTRUCTION,
    edges="ones",
    source="optional",
    iterations=lambda n: 3 * n,
    choices="one",
    counts=lambda n: 2 * n + 1,
)
def dfs(p: Statements) -> Outputs:
    """Depth-first search of the whole graph; the source is the first root, if there is one."""
    events = Events(p)
    times = Times(p, events)
    prev = p.nodes.index(start=OWN)
    rank = p.nodes.count(start=OWN, at_source=0)

    events.look(p.is_least(rank, unless=~events.white))
    events.choose(p.edge_from(events.here) & events.white)
    prev[events.find & events.there] = events.at
    events.note(entering=events.begin | events.find)
    times.note()
    p.halt_when(p.all(events.black))
    return {"prev": prev, **events.told(), **times.told()}


@algorithm(
    name="scc",
    construction=CONSTRUCTION,
    edges="ones",
    iterations=lambda n: 6 * n,
    choices="one",
    counts=lambda n: 4 * n + 1,
)
def scc(p: Statements) -> Outputs:
    """Strongly connected components, by two searches.

    The second goes against the edges, from roots in the order in which the first left them, last
    first; what it finds belongs to its root. In the second search only roots are entered: all
    others have a time already, and keep it.
    """
    events = Events(p)
    times = Times(p, events)
    component = p.nodes.index(start=OWN)
    second = p.nodes.flag()

    turns = p.all(events.black)
    second |= turns
    events.white |= turns
    events.black &= ~turns
    events.look(p.is_least(p.where(second, -times.f, p.index), unless=~events.white))
    forward, backward = p.edge_from(events.here), p.edge_to(events.here)
    events.choose(events.white & ((forward & ~second) | (backward & second)))
    component[events.here & second & ~events.begin] = events.s
    events.note(entering=events.begin | (events.find & ~second))
    times.note()
    p.halt_when(p.all(events.black & second))
    return {"component": component, "second": second, **events.told(), **times.told()}
