"""What holds a graph together: bridges and articulation points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from loopwright.algorithms.bridges import bridges as bridges_algorithm
from loopwright.algorithms.components import components
from loopwright.bridges.networkx.asking import ask, certify
from loopwright.bridges.networkx.columns import Columns
from loopwright.bridges.networkx.declare import answers, unsupported
from loopwright.bridges.networkx.edges import ones, places
from loopwright.bridges.networkx.levels import depth_first_inputs
from loopwright.bridges.networkx.parts import by_components, parts
from loopwright.bridges.networkx.programs.search import articulation_points_in_order
from loopwright.bridges.networkx.snapshot import Node, Snapshot


def by_bridges(G: Snapshot, root: Node | None = None) -> None:
    unsupported("root", root, why="the order of its component is that of a Python set")
    if len(G):
        certify(bridges_algorithm, ones(G), {})


def by_cuts(G: Snapshot, **rest: Any) -> None:
    if len(G):
        edges = places(G, "out")
        certify(articulation_points_in_order, edges, depth_first_inputs(edges, range(len(G))))


def by_cuts_and_components(G: Snapshot, **rest: Any) -> None:
    by_cuts(G)
    by_components(G)


@answers(by_bridges)
def bridges(G: Snapshot, root: Node | None = None) -> Iterator[tuple[Node, Node]]:
    """In the order of the edges; parallel edges are on a cycle of two."""
    if not len(G):
        return
    result = ask(bridges_algorithm, ones(G), {}).result
    found = {
        frozenset((row, result["prev"][row])) for row in range(len(G)) if result["bridge"][row]
    }
    for u, v, data in G.edges():
        if frozenset((G.row(u), G.row(v))) in found and not (G.multigraph and len(data) > 1):
            yield u, v


@answers(by_bridges)
def has_bridges(G: Snapshot, root: Node | None = None) -> bool:
    return next(bridges(G), None) is not None


@answers(by_cuts)
def articulation_points(G: Snapshot) -> Iterator[Node]:
    """By when they were found; a root is found when it is left, if it has a second child."""
    if not len(G):
        return
    edges = places(G, "out")
    given = depth_first_inputs(edges, range(len(G)))
    columns = Columns(G, ask(articulation_points_in_order, edges, given))
    when = dict[int, int]()
    for row, (cut, children) in enumerate(zip(columns["cut"], columns["children"], strict=True)):
        if cut:
            when[row] = cut
        elif columns["depth"][row] == 1 and children > 1:
            when[row] = columns["left"][row]
    yield from columns.names(sorted(when, key=when.__getitem__))


@answers(by_cuts_and_components)
def is_biconnected(G: Snapshot) -> bool:
    """In one piece, and no node parts it; a node alone, or none, is not."""
    return (
        len(G) > 1 and len(parts(G, components)) == 1 and next(articulation_points(G), None) is None
    )
