"""Data flow → layers: the fewest, then with the fewest heads, then as narrow as may be.

A layer does all its attention first and then its MLP. So attention has to wait for the layer after
the one that makes what it reads; what works row by row can follow in the same layer, as long as the
formulas, which nest when they are chained, need no more ReLUs than an MLP has. Nothing else orders
the ops, so doing each of them as early as that allows takes as few layers as any schedule can.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from loopwright.compiler.assemble import LEVELS
from loopwright.compiler.flow import Flow, HeadKey, Node
from loopwright.model.weights import HEAD_KINDS

Schedule = tuple[int, ...]
"""For each node of a flow, the layer that does it."""
Budget = Counter[str]
"""How many heads of each kind a layer may have."""

PATIENCE = 2000
"""How many ways of placing attention are looked at before the best one so far is taken."""


def few_layers(flow: Flow, budget: Budget | None = None) -> Schedule:
    """A schedule with as few layers as there can be, and few heads.

    Under a budget of heads it is a good one, but there may be shorter ones.
    """
    if budget is not None:
        return as_early_as_possible(flow, budget)
    return HeadSearch(flow, as_early_as_possible(flow)).search()


def narrow_layers(flow: Flow, layers: Schedule) -> list[Schedule]:
    """Schedules with the same attention that should be narrow; which is, has to be tried."""
    return list(dict.fromkeys(narrowed(flow, layers, by) for by in (columns_of, width_of)))


# ── layers ──────────────────────────────────────────────────────────────────────────────────────


def first_layer(flow: Flow, node: Node, layers: Sequence[int]) -> int:
    """The first layer in which everything that a node needs has been done."""
    made = (layers[i] + node.attends for i in node.reads)
    read = (layers[i] + lag(node, flow.nodes[i]) for i in node.waits)
    return max((*made, *read), default=0)


def lag(node: Node, reader: Node) -> int:
    """How many layers after a reader a node may overwrite, in place, what that reads."""
    return int(node.attends and reader.is_late(node.op.out))


def depth_in(node: Node, layer: int, layers: Sequence[int], depths: Sequence[int]) -> int:
    """How many ReLUs nest if a node is done in a layer: what the same layer makes is no column
    yet, but the formula that makes it."""
    here = (depths[i] + nest for i, nest in node.nests.items() if layers[i] == layer)
    return node.depth if node.attends else max((node.depth, *here))


def earliest(
    flow: Flow, node: Node, layers: Sequence[int], depths: Sequence[int]
) -> tuple[int, int]:
    """The first layer that can do a node, and how many ReLUs nest there."""
    layer = first_layer(flow, node, layers)
    depth = depth_in(node, layer, layers, depths)
    return (layer, depth) if depth <= LEVELS else (layer + 1, node.depth)


def as_early_as_possible(flow: Flow, budget: Budget | None = None) -> Schedule:
    """Every node in the first layer that can do it: no schedule has fewer layers.

    With a budget, in the first that also has the heads for it.
    """
    layers: list[int] = []
    depths: list[int] = []
    heads: dict[int, set[HeadKey]] = {}
    for node in flow.nodes:
        layer, depth = earliest(flow, node, layers, depths)
        while budget and not kinds(heads.get(layer, set()) | node.heads) <= budget:
            layer += 1
        heads.setdefault(layer, set()).update(node.heads)
        layers.append(layer)
        depths.append(depth)
    return tuple(layers)


def depths_of(flow: Flow, layers: Sequence[int]) -> list[int] | None:
    """How many ReLUs nest in what each node makes; None if this is no schedule."""
    found: list[int] = []
    for node, layer in zip(flow.nodes, layers, strict=True):
        if layer < first_layer(flow, node, layers):
            return None
        found.append(depth_in(node, layer, layers, found))
        if found[-1] > LEVELS:
            return None
    return found


# ── heads ───────────────────────────────────────────────────────────────────────────────────────


def kinds(heads: Iterable[HeadKey]) -> Counter[str]:
    return Counter(HEAD_KINDS[over] for _, over in heads)


def heads_of(flow: Flow, layers: Sequence[int]) -> Counter[str]:
    """How many heads of each kind a layer of the architecture needs."""
    used: dict[int, set[HeadKey]] = {}
    for node, layer in zip(flow.nodes, layers, strict=True):
        used.setdefault(layer, set()).update(node.heads)
    most: Counter[str] = Counter()
    for heads in used.values():
        most |= kinds(heads)
    return most


@dataclass
class HeadSearch:
    """Places attention in layers, one op after the other, and keeps what needs the fewest heads.

    All else follows as early as it can. A branch is left as soon as it needs as many heads as the
    best schedule so far.
    """

    flow: Flow
    best: Schedule
    patience: int = PATIENCE

    def __post_init__(self) -> None:
        self.length = max(self.best) + 1
        self.fewest = heads_of(self.flow, self.best).total()
        self.latest = latest(self.flow, self.length)
        self.used: list[Counter[HeadKey]] = [Counter() for _ in range(self.length)]

    def search(self) -> Schedule:
        searches = [self.place([], [])]
        while searches:
            deeper = next(searches[-1], None)
            if deeper is None:
                searches.pop()
            else:
                searches.append(deeper)
        return self.best

    def place(self, layers: list[int], depths: list[int]) -> Iterator[Any]:
        """Place the nodes after these; yields what has to be searched before it goes on, another
        such iterator. So a long program does not exceed the depth of Python's calls."""
        i = len(layers)
        if i == len(self.flow.nodes):
            self.best, self.fewest = tuple(layers), self.heads()
            return
        node = self.flow.nodes[i]
        first, depth = earliest(self.flow, node, layers, depths)
        if not node.attends:
            if first <= self.latest[i]:
                yield self.place([*layers, first], [*depths, depth])
            return
        for layer in self.by_heads(node, range(first, self.latest[i] + 1)):
            self.patience -= 1
            if self.patience < 0:
                return
            self.used[layer].update(node.heads)
            if self.heads() < self.fewest:
                yield self.place([*layers, layer], [*depths, node.depth])
            self.used[layer].subtract(node.heads)

    def by_heads(self, node: Node, layers: Iterable[int]) -> list[int]:
        """Those first in which the node needs the fewest heads of its own."""
        return sorted(layers, key=lambda layer: sum(not self.used[layer][k] for k in node.heads))

    def heads(self) -> int:
        most: Counter[str] = Counter()
        for keys in self.used:
            most |= kinds(key for key, times in keys.items() if times)
        return most.total()


def latest(flow: Flow, length: int) -> list[int]:
    """The last layer that each node may be in, but for how deep formulas nest."""
    found = [length - 1] * len(flow.nodes)
    for i in reversed(range(len(flow.nodes))):
        node = flow.nodes[i]
        for maker in node.reads:
            found[maker] = min(found[maker], found[i] - node.attends)
        for reader in node.waits:
            found[reader] = min(found[reader], found[i] - lag(node, flow.nodes[reader]))
    return found


# ── width ───────────────────────────────────────────────────────────────────────────────────────


def columns_of(flow: Flow, layers: Sequence[int]) -> tuple[int, int]:
    """(the most columns that temporary values take at once, the sum over the whole iteration).

    A layer has two moments: 2ℓ, after its attention, and 2ℓ + 1, after its MLP. A value takes a
    column from when it is made until it is read for the last time; none if only formulas of its
    own layer build on it. A carried variable has a column, and its new value needs another one only
    if it is made before the old one has been read; else that is free meanwhile.
    """
    taken = [0] * (2 * max(layers) + 2)
    ends = {i: variable for variable, i in flow.carried.items()}
    for i, node in enumerate(flow.nodes):
        made, wide = 2 * layers[i] + (not node.attends), node.op.out.kind.width
        if i in ends:
            old = [k for k in flow.first_readers[ends[i]] if k != i]
            until = max((2 * layers[k] + flow.nodes[k].is_late(ends[i]) for k in old), default=0)
            for at in range(until, made):
                taken[at] -= wide
        else:
            until = max((moment(flow, layers, i, k) for k in flow.readers[i]), default=0)
            until = max(until, made + 2) if node.attends else until
        for at in range(made, until):
            taken[at] += wide
    return max(taken), sum(taken)


def width_of(flow: Flow, layers: Sequence[int]) -> tuple[int, int]:
    """(how wide the model would be, the sum as above): as wide as X, or as the widest level of
    hidden units, which are counted as if no two ops shared any."""
    units: Counter[tuple[int, int]] = Counter()
    for node, layer in zip(flow.nodes, layers, strict=True):
        for level, count in enumerate(node.units):
            units[layer, level] += count
    most, whole = columns_of(flow, layers)
    return max(flow.lasting + most, *units.values()), whole


def moment(flow: Flow, layers: Sequence[int], maker: int, reader: int) -> int:
    """When a reader needs to find in a column what a node made."""
    made, node = flow.nodes[maker], flow.nodes[reader]
    if layers[maker] == layers[reader] and not made.attends:
        return 0
    return 2 * layers[reader] + node.is_late(made.op.out)


Cost = Callable[[Flow, Sequence[int]], tuple[int, int]]


def narrowed(flow: Flow, layers: Schedule, cost: Cost) -> Schedule:
    """The same schedule with ops that do not attend moved, each to where it saves most.

    They begin as late as they can: what is made where it is used needs no column.
    """
    now = list(as_late_as_possible(flow, layers))
    best = cost(flow, now)
    movable = [i for i, node in enumerate(flow.nodes) if not node.attends]
    improved = True
    while improved:
        improved = False
        for i in movable:
            home = now[i]
            for layer in range(max(layers) + 1):
                now[i] = layer
                if layer == home or depths_of(flow, now) is None:
                    continue
                if (found := cost(flow, now)) < best:
                    best, home, improved = found, layer, True
            now[i] = home
    return tuple(now)


def as_late_as_possible(flow: Flow, layers: Schedule) -> Schedule:
    """The same attention, and every other op in the last layer that still serves its readers."""
    now = list(layers)
    for i in reversed(range(len(now))):
        if flow.nodes[i].attends:
            continue
        for layer in range(max(layers), now[i], -1):
            moved = [*now[:i], layer, *now[i + 1 :]]
            if depths_of(flow, moved) is not None:
                now = moved
                break
    return tuple(now)
