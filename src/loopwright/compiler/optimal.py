"""The fewest layers, and with them the fewest heads, by integer programming, with proof. [HiGHS]

Each node is in one layer, x[i, ℓ] ∈ {0, 1}. What a node reads is made before it; where both are in
one layer, the ReLUs nest: d[i] ≥ d[j] + nest. A head is there, h[k, ℓ] ≥ x[i, ℓ], if some node of
the layer needs it; and a layer has at most H heads of each kind, whose sum is least.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from loopwright.compiler.assemble import LEVELS
from loopwright.compiler.flow import Flow
from loopwright.compiler.schedule import (
    Budget,
    Schedule,
    as_early_as_possible,
    depths_of,
    lag,
    latest,
)
from loopwright.errors import LoopwrightError
from loopwright.model.weights import HEAD_KINDS, Over

KINDS = tuple(dict.fromkeys(HEAD_KINDS.values()))
INFEASIBLE = 2
"""What SciPy calls a problem that was proved to have no solution."""
SECONDS = 120.0
"""How long each question may take."""


def optimum(flow: Flow, budget: Budget | None = None) -> Schedule:
    """The best schedule of a flow: no other has fewer layers within the budget of heads, and none
    with as few layers has fewer heads.

    Raises:
        LoopwrightError: if a proof takes too long.
    """
    length = max(as_early_as_possible(flow)) + 1  # fewer are impossible, whatever the heads
    while (found := solved(flow, length, budget)) is None:
        length += 1
    assert depths_of(flow, found) is not None, "a solution is a schedule"
    return found


def solved(flow: Flow, length: int, budget: Budget | None = None) -> Schedule | None:
    """A schedule of so many layers with the fewest heads; None if there is none.

    Raises:
        LoopwrightError: if neither could be proved in time.
    """
    import scipy.optimize as so
    from scipy.sparse import csr_array

    milp = cast("Any", so)
    model = Model(flow, length, budget)
    rows, columns, values = zip(*model.entries, strict=True) if model.entries else ((), (), ())
    shape = (len(model.least), len(model.cost))
    answer: Any = milp.milp(
        np.array(model.cost),
        integrality=np.array(model.whole),
        bounds=milp.Bounds(np.zeros(len(model.cost)), np.array(model.most)),
        constraints=milp.LinearConstraint(
            csr_array((values, (rows, columns)), shape=shape), np.array(model.least), np.inf
        ),
        options={"time_limit": SECONDS, "mip_rel_gap": 0.0},
    )
    if answer.status == INFEASIBLE:
        return None
    if answer.status != 0:
        raise LoopwrightError(
            f"'{flow.program.name}': whether {length} layers are enough was not proved in "
            f"{SECONDS:g} seconds; leave out --optimal."
        )
    return tuple(
        next(layer for layer, column in at.items() if answer.x[column] > 0.5) for at in model.placed
    )


@dataclass
class Model:
    """The integer program: unknowns between 0 and `most`, and rows that are at least `least`."""

    flow: Flow
    length: int
    budget: Budget | None
    cost: list[float] = field(default_factory=list[float])
    most: list[float] = field(default_factory=list[float])
    whole: list[int] = field(default_factory=list[int])
    """1 where an unknown is a whole number."""
    least: list[float] = field(default_factory=list[float])
    entries: list[tuple[int, int, float]] = field(default_factory=list["tuple[int, int, float]"])
    placed: list[dict[int, int]] = field(default_factory=list["dict[int, int]"])
    """For each node: layer → the unknown that says whether it is there."""

    def __post_init__(self) -> None:
        first, last = as_early_as_possible(self.flow), latest(self.flow, self.length)
        for begin, end in zip(first, last, strict=True):
            layers = {layer: self.unknown(whole=True) for layer in range(begin, end + 1)}
            self.placed.append(layers)
            self.require(1, ((column, 1) for column in layers.values()))
            self.require(-1, ((column, -1) for column in layers.values()))
        self.order()
        self.nest()
        self.count_heads()

    def unknown(self, *, cost: float = 0, most: float = 1, whole: bool = False) -> int:
        self.cost.append(cost)
        self.most.append(most)
        self.whole.append(int(whole))
        return len(self.cost) - 1

    def require(self, least: float, terms: Iterable[tuple[int, float]]) -> None:
        """Σ value · unknown ≥ least"""
        self.entries += [(len(self.least), column, value) for column, value in terms]
        self.least.append(least)

    def layer(self, i: int, sign: int) -> Iterable[tuple[int, float]]:
        return ((column, sign * layer) for layer, column in self.placed[i].items())

    def order(self) -> None:
        """What is read is made before, and what is overwritten in place is read before."""
        for i, node in enumerate(self.flow.nodes):
            for k in node.reads:
                self.require(node.attends, (*self.layer(i, 1), *self.layer(k, -1)))
            for k in node.waits:
                after = lag(node, self.flow.nodes[k])
                self.require(after, (*self.layer(i, 1), *self.layer(k, -1)))

    def nest(self) -> None:
        """ReLUs of one layer nest, and an MLP has three of them."""
        depth = [self.unknown(most=LEVELS) for _ in self.flow.nodes]
        for i, node in enumerate(self.flow.nodes):
            self.require(node.depth, [(depth[i], 1)])
            for k, nest in node.nests.items() if not node.attends else ():
                for layer in self.placed[i].keys() & self.placed[k].keys():
                    # d[i] ≥ d[k] + nest, unless one of them is in another layer
                    apart = LEVELS + nest
                    both = [(self.placed[i][layer], -apart), (self.placed[k][layer], -apart)]
                    self.require(nest - 2 * apart, [(depth[i], 1), (depth[k], -1), *both])

    def count_heads(self) -> None:
        """Layers have heads for their nodes, and no more of a kind than the architecture."""
        keys = {key for node in self.flow.nodes for key in node.heads}
        for kind in KINDS:
            allowed = len(keys) if self.budget is None else self.budget[kind]
            most = self.unknown(cost=1, most=allowed)
            for layer in range(self.length):
                here = [self.head(key, layer) for key in keys if HEAD_KINDS[key[1]] == kind]
                self.require(0, [(most, 1), *((column, -1) for column in here)])

    def head(self, key: tuple[Any, Over], layer: int) -> int:
        """The unknown that is 1 if a layer has a node that needs this head."""
        column = self.unknown()
        for i, node in enumerate(self.flow.nodes):
            if key in node.heads and layer in self.placed[i]:
                self.require(0, [(column, 1), (self.placed[i][layer], -1)])
        return column
