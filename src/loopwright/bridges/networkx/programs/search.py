"""Searches as NetworkX does them: Ã[u, v] is the place of v among the neighbours of u."""

from __future__ import annotations

from loopwright.algorithms.registry import algorithm
from loopwright.bridges.networkx.programs import CONSTRUCTION
from loopwright.language import OWN, Outputs, Statements, Truth, given
from loopwright.language.terms import Number


@algorithm(name="bfs-in-order", iterations=lambda n: n + 1, construction=CONSTRUCTION)
def bfs_in_order(p: Statements) -> Outputs:
    """Breadth-first search from sources; neighbours enter the queue in their order.

    A place in the queue is that of whoever found the node, times more than any place of an edge,
    plus the place of the edge.
    """
    stride = p.nodes.value(start=given("stride"))
    queued = p.nodes.value(start=given("queued"))
    base = p.nodes.value(start=given("base"))
    reached = p.nodes.flag(start=given("starts"))
    closed = p.nodes.flag(start=given("closed"))
    level = p.nodes.count()
    prev = p.nodes.index(start=OWN)
    node = p.nodes.index()
    farthest = p.nodes.count()
    below = p.nodes.flag()  # neighbours of the node that are one level below it

    front = p.is_least(queued, unless=closed)
    node[:], farthest[:] = p.first(front), p.first(front, level)
    chosen = p.index == node
    closed |= chosen

    place = p.edge_from(chosen)
    new = (place > 0) & ~reached
    level[new] = farthest + 1
    prev[new] = node
    queued[new] = base + place
    closed[new] = 0
    reached |= new
    below[:] = (place > 0) & (level == farthest + 1) & reached
    base += stride
    p.halt_when(p.all(closed))
    return {
        "level": level,
        "prev": prev,
        "queued": queued,
        "reached": reached,
        "node": node,
        "below": below,
        "farthest": farthest,
    }


class OrderedWalk:
    """A depth-first search as a walk, as `algorithms/walk.py` has it, with an order of neighbours.

    Every iteration moves to the node with the least key:

        unvisited neighbours of the current node    place − far      go on to the first of them
        nodes on the path to the current node       −(first visit)   else back to the parent
        other unvisited nodes that may be roots     their order      else to a new root

    `far` is given, and more than places, times and orders together, so the classes do not overlap.
    """

    def __init__(self, p: Statements) -> None:
        self.p = p
        self.far = p.nodes.value(start=given("far"))
        self.limit = p.nodes.count(start=given("limit"))
        self.root = p.nodes.flag(start=given("starts"))
        self.closed = p.nodes.flag(start=given("closed"))
        self.key = p.nodes.value(start=given("queued"), signed=True)
        self.rank = p.nodes.value(start=given("queued"), signed=True)
        self.visit = p.nodes.flag()
        self.finished = p.nodes.flag()
        self.fresh = p.nodes.flag()
        self.last = p.nodes.flag()
        self.last_node = p.nodes.index()
        self.clock = p.nodes.value(start=1)
        self.depth = p.nodes.count()
        self.entered = p.nodes.value()
        self.left = p.nodes.value()
        self.prev = p.nodes.index(start=OWN)

    chosen: Truth
    neighbour: Truth
    place: Number
    down: Truth
    first: Truth
    finish: Truth

    def move(self) -> None:
        """To the next node, or to none when the last root is finished; and look around there."""
        p = self.p
        self.chosen = p.is_least(self.key, unless=self.closed)
        p.halt_unless(p.any(self.chosen))
        self.node = p.first(self.chosen)
        self.down = p.first(self.chosen, self.fresh)
        self.first = self.chosen & ~self.visit
        self.finish = self.last & ~self.down
        self.depth[self.first] = p.where(self.down, p.first(self.last, self.depth) + 1, 1)
        self.entered[self.first] = self.clock
        self.left[self.finish] = self.clock
        self.prev[self.first & self.down] = self.last_node
        self.place = p.edge_from(self.chosen)
        self.neighbour = (self.place > 0) & (p.first(self.chosen, self.depth) <= self.limit)

    def leave(self) -> None:
        """Note what was done, and give the nodes their keys for the next move."""
        p = self.p
        self.visit |= self.chosen
        self.finished |= self.finish
        self.fresh[:] = self.neighbour & ~self.visit
        waits = self.root | self.fresh | self.visit
        self.closed[:] = self.finished | self.chosen | ~waits
        self.rank[self.first] = -self.clock
        self.key[:] = p.where(self.fresh, self.place - self.far, self.rank)
        self.clock += 1
        self.last[:] = self.chosen
        self.last_node[:] = self.node


@algorithm(
    name="dfs-in-order", iterations=lambda n: 2 * n + 1, choices="one", construction=CONSTRUCTION
)
def dfs_in_order(p: Statements) -> Outputs:
    """Depth-first search, with when each node was entered and left."""
    walk = OrderedWalk(p)
    walk.move()
    walk.leave()
    return {"prev": walk.prev, "entered": walk.entered, "left": walk.left, "depth": walk.depth}


@algorithm(
    name="articulation-points-in-order",
    iterations=lambda n: 2 * n + 1,
    choices="one",
    construction=CONSTRUCTION,
)
def articulation_points_in_order(p: Statements) -> Outputs:
    """When each node was found to be an articulation point, in a depth-first search; 0 if never.

    As `articulation-points`: what lies below a node escapes it by an edge to above it, and a new
    node tells how high up the path it has one. If nothing has escaped when the walk returns from a
    child, the node is a cut. A root is one if it has a second child, which is known when it is
    left: `root_cut` says so.
    """
    walk = OrderedWalk(p)
    time = p.nodes.value()
    skip = p.nodes.flag(start=1)  # no ancestor that the current node has an edge to
    cut = p.nodes.value()
    escaped = p.nodes.flag()
    children = p.nodes.count()

    top = p.least(time, unless=skip)
    escaped |= (top > 0) & (top < time)
    walk.move()
    is_root = p.first(walk.chosen, walk.depth) == 1
    returns = walk.chosen & walk.visit
    cut[returns & ~escaped & ~is_root & (cut == 0)] = walk.clock
    children[returns] = children + 1
    escaped[walk.last & walk.down] = 0
    time[walk.first] = walk.clock
    skip[:] = ~(walk.neighbour & walk.visit & walk.down & ~walk.last)
    walk.leave()
    return {"cut": cut, "children": children, "left": walk.left, "depth": walk.depth}
