"""Model → nn.Module: the same equations with gradients, on any device, for many graphs at once.

Shapes in the comments:

    B     graphs in a batch
    K     rows of X: row 0, then one for each node of the largest graph in the batch
    d     columns of X, and hidden units of each level of an MLP
    d_a   columns of queries and keys (2: the coordinates of a position)

A step of the program is a submodule, so what PyTorch offers for modules works by step:

    net = LoopedTransformer.from_model(model)
    net.layer("read value").register_forward_hook(…)          X after a step
    net.layer("read value").heads[1].attend.register_…(…)     a head's attention: see it, replace it
    x, seen = net(*collate([problem]), capture=True)          all of them, for one iteration
"""

# torch has no complete types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from math import inf
from threading import Lock
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from loopwright.errors import CapacityError, DidNotHalt, LoopwrightError
from loopwright.model.layout import GLOBAL_ROW
from loopwright.model.limits import GUARD_BITS
from loopwright.model.weights import EDGE_HEADS, Matrix, Over, Weights
from loopwright.model.weights import Head as HeadWeights
from loopwright.runtime.encode import Array, Problem
from loopwright.runtime.hook_points import (
    HeadPoints,
    LayerPoints,
    MLPPoints,
    at,
    attended,
    with_attention,
)
from loopwright.runtime.machines import Loop
from loopwright.runtime.observe import AfterLayer, Progress

# ── one layer, from the inside out ──────────────────────────────────────────────────────────────


class Hardmax(nn.Module):
    """1 for the largest scores of each row, 0 for others; scores this close to it count as equal.

    The choice is piecewise constant: gradients pass through the values, none through the scores.

    >>> Hardmax(tie_tolerance=0.0)(torch.tensor([[[1.0, 3.0, 3.0]]]))
    tensor([[[0., 1., 1.]]])
    """

    def __init__(self, tie_tolerance: float) -> None:
        super().__init__()
        self.tie_tolerance = tie_tolerance

    def forward(self, scores: Tensor) -> Tensor:
        largest = scores.amax(dim=-1, keepdim=True)  # (B, K, K) → (B, K, 1)
        return (scores >= largest - self.tie_tolerance).to(scores.dtype)  # (B, K, K), 0 or 1

    def extra_repr(self) -> str:
        return f"tie_tolerance={self.tie_tolerance:.3g}"


class Softmax(nn.Module):
    """exp(score/T), up to the factor that makes the largest 1.

    The largest score is taken off before dividing, as the reference does: dividing by a small T
    first would round the difference. It cancels, so no gradient needs to pass through it.
    """

    def __init__(self, temperature: float) -> None:
        super().__init__()
        self.temperature = temperature

    def forward(self, scores: Tensor) -> Tensor:
        largest = scores.amax(dim=-1, keepdim=True).detach()  # (B, K, K) → (B, K, 1)
        return torch.exp((scores - largest) / self.temperature)  # (B, K, K)

    def extra_repr(self) -> str:
        return f"temperature={self.temperature:.3g}"


class Head(nn.Module):
    """ψ(X, Ã) = Ã σ(X W_Q W_Kᵀ Xᵀ) X W_V, with I or Ãᵀ for Ã where the head says so. [P Eq. 1]

    `attend` is σ before rows are divided by their sums. That comes last: sums of values on a grid
    are exact, thirds of them are not.

    An edge head sees the weight of each edge as one more column of the row at its end, and chooses
    among the edges alone: see `loopwright.model.weights`.

    Padding is dealt with here and nowhere else: nobody attends to a padded row, and
    a padded row attends to nobody. So heads add 0 to rows that were padded with 0, and an MLP
    without biases maps 0 to 0: they stay 0, and Ã, padded with 0, carries nothing from them.
    """

    def __init__(
        self, over: Over, attend: nn.Module, query: Tensor, key: Tensor, value: Tensor
    ) -> None:
        super().__init__()
        self.over: Over = over
        self.attend = attend
        self.query = nn.Parameter(query)  # (d, d_a)
        self.key = nn.Parameter(key)  # (d, d_a); of an edge head (d + 1, d_a)
        self.value = nn.Parameter(value)  # (d, d); of an edge head (d + 1, d)

    @property
    def chooses(self) -> bool:
        """Whether it is an edge head."""
        return self.over in EDGE_HEADS

    def of_rows(self, matrix: Tensor) -> Tensor:
        """A matrix without what is multiplied by the weights of edges."""
        return matrix[:-1] if self.chooses else matrix

    def edges(self, a: Tensor) -> Tensor:
        """[i, j]: the weight of the edge by which row i sees row j, 0 if there is none."""
        return a.mT if self.over == "E" else a  # (B, K, K)

    def scores(self, query: Tensor, key: Tensor, a: Tensor) -> Tensor:
        """X W_Q W_Kᵀ Xᵀ: how well the query of each row meets the key of each other.

        Where there are more than two coordinates they are added in their order, as on every
        machine: what is to cancel comes first.
        """
        if self.chooses:
            return self.edge_scores(query, key, self.edges(a))
        if query.shape[-1] <= 2:
            return query @ key.mT  # (B, K, d_a) → (B, K, K)
        scores = torch.zeros_like(a)  # (B, K, K)
        for q, k in zip(query.unbind(-1), key.unbind(-1), strict=True):
            scores = scores + q[:, :, None] * k[:, None, :]
        return scores

    def edge_scores(self, query: Tensor, key: Tensor, edges: Tensor) -> Tensor:
        """(xᵢ W_Q) · ([xⱼ, edge] W_K) where there is an edge, and for row 0; −∞ elsewhere."""
        total = torch.zeros_like(edges)  # (B, K, K)
        for q, k, weight in zip(query.unbind(-1), key.unbind(-1), self.key[-1], strict=True):
            total = total + q[:, :, None] * (k[:, None, :] + weight * edges)  # (B, K, K)
        seen = edges != 0  # (B, K, K)
        seen[:, :, GLOBAL_ROW] = True
        return total.masked_fill(~seen, -inf)

    def brought(self, pattern: Tensor, value: Tensor, a: Tensor) -> Tensor:
        """σ X W_V, with the weights of edges beside X in an edge head."""
        found = pattern @ value  # (B, K, K) @ (B, K, d) → (B, K, d)
        if not self.chooses:
            return found
        along = (pattern * self.edges(a)).sum(dim=-1, keepdim=True)  # (B, K, K) → (B, K, 1)
        return found + along * self.value[-1]  # (B, K, d)

    def forward(
        self,
        x: Tensor,  # (B, K, d)
        a: Tensor,  # (B, K, K)
        mask: Tensor | None = None,  # (B, K)
        attention: list[Tensor] | None = None,
        points: HeadPoints | None = None,
    ) -> Tensor:
        """What the head adds to X; its attention is appended to `attention`."""
        q = at(points, "hook_q", at(points, "hook_q_input", x) @ self.query)  # (B, K, d) → d_a
        k = at(points, "hook_k", at(points, "hook_k_input", x) @ self.of_rows(self.key))  # the same
        v = at(points, "hook_v", at(points, "hook_v_input", x) @ self.of_rows(self.value))
        scores = at(points, "hook_attn_scores", self.scores(q, k, a))  # (B, K, d_a) → (B, K, K)
        if mask is not None:
            scores = scores.masked_fill(~mask[:, None, :], -inf)  # columns: nobody finds padding
        found_by = self.attend(scores)  # (B, K, K), the largest of each row is 1
        if mask is not None:
            found_by = found_by.masked_fill(~mask[:, :, None], 0)  # rows: padding finds nobody
        total = found_by.sum(dim=-1, keepdim=True).clamp(min=1)  # only padding's is less
        if attention is not None:
            attention.append(found_by / total)
        found = attended(points, found_by, total, lambda pattern: self.brought(pattern, v, a))
        found = at(points, "hook_z", found)  # (B, K, d)
        match self.over:
            case "I" | "E" | "ET":
                return at(points, "hook_result", found)
            case "A":
                return at(points, "hook_result", a @ found)
            case "AT":
                return at(points, "hook_result", a.mT @ found)

    def extra_repr(self) -> str:
        return f"over={self.over}"


class MLP(nn.Module):
    """relu(relu(relu(X W¹) W²) W³) W⁴, row by row. No biases: X has constant columns. [P Eq. 2]"""

    def __init__(self, w1: Tensor, w2: Tensor, w3: Tensor, w4: Tensor) -> None:
        super().__init__()
        self.w1 = nn.Parameter(w1)  # (d, d), and so the others
        self.w2 = nn.Parameter(w2)
        self.w3 = nn.Parameter(w3)
        self.w4 = nn.Parameter(w4)

    def forward(self, x: Tensor, points: MLPPoints | None = None) -> Tensor:
        z = x  # (B, K, d), and so everything that follows
        for level, w in enumerate((self.w1, self.w2, self.w3), start=1):
            before = at(points, f"hook_pre_{level}", z @ w)
            z = at(points, f"hook_post_{level}", torch.relu(before))
        return z @ self.w4


class Layer(nn.Module):
    """One step of the program: heads, then an MLP, each added to X. [P Eq. 2]"""

    def __init__(
        self,
        name: str,
        paper_step: int | None,
        writes: tuple[str, ...],
        heads: Iterable[Head],
        mlp: MLP,
    ) -> None:
        super().__init__()
        self.name, self.paper_step, self.writes = name, paper_step, writes
        self.heads = nn.ModuleList(heads)
        self.mlp = mlp

    def forward(
        self,
        x: Tensor,  # (B, K, d)
        a: Tensor,  # (B, K, K)
        mask: Tensor | None = None,  # (B, K)
        attention: list[Tensor] | None = None,
        points: LayerPoints | None = None,
    ) -> Tensor:
        x = at(points, "hook_resid_pre", x)
        middle = x
        for h, head in enumerate(self.heads):
            # In the order of the heads: the first clears (x − x = 0), the next brings the new.
            middle = middle + head(x, a, mask, attention, points and points.heads[h])  # (B, K, d)
        middle = at(points, "hook_resid_mid", with_attention(points, x, middle))
        added = self.mlp(at(points, "hook_mlp_in", middle), points and points.mlp)  # (B, K, d)
        return at(points, "hook_resid_post", middle + at(points, "hook_mlp_out", added))

    def extra_repr(self) -> str:
        return f"'{self.name}', writes {', '.join(self.writes)}"


# ── graphs of unequal size as one batch ─────────────────────────────────────────────────────────


class Batch(NamedTuple):
    """What a forward pass takes. Padding is 0 in x and a, False in the mask."""

    x: Tensor  # (B, K, d)
    a: Tensor  # (B, K, K)
    mask: Tensor  # (B, K), bool: is there such a row?


def collate(
    problems: Sequence[Problem],
    *,
    dtype: torch.dtype = torch.float64,
    device: torch.device | str = "cpu",
) -> Batch:
    """Encoded graphs, padded to the rows of the largest.

    >>> import loopwright as lw
    >>> from loopwright.runtime.encode import encode
    >>> model = lw.compile(lw.algorithms.dijkstra())
    >>> graphs = [lw.Graph.of([("a", "b", 1)]), lw.Graph.of([("a", "b", 1), ("b", "c", 2)])]
    >>> collate([encode(model, graph, source="a") for graph in graphs]).mask
    tensor([[ True,  True,  True, False],
            [ True,  True,  True,  True]])
    """
    if not problems:
        raise LoopwrightError("a batch needs at least one problem.")
    size, rows = len(problems), max(problem.rows for problem in problems)
    x = np.zeros((size, rows, problems[0].x.shape[1]))
    a = np.zeros((size, rows, rows))
    mask = np.zeros((size, rows), dtype=np.bool_)
    for b, problem in enumerate(problems):
        x[b, : problem.rows] = problem.x
        a[b, problem.tails, problem.heads] = problem.weights
        mask[b, : problem.rows] = True
    return Batch(
        torch.as_tensor(x, dtype=dtype, device=device),
        torch.as_tensor(a, dtype=dtype, device=device),
        torch.as_tensor(mask, device=device),
    )


# ── the loop ────────────────────────────────────────────────────────────────────────────────────


class Snapshot(NamedTuple):
    """What one step did."""

    name: str
    x: Tensor  # (B, K, d), after the step
    attention: tuple[Tensor, ...]  # for each head (B, K, K): row i attends to row j


class Run(NamedTuple):
    """Where every graph of a batch halted."""

    x: Tensor  # (B, K, d)
    iterations: Tensor  # (B,)


Watch = Callable[[int, Tensor, list[Snapshot]], None]
"""Called after every iteration (from 1) with the graphs still running, (b,) indices into the batch,
and every step's snapshot of those b graphs alone."""


class LoopedTransformer(nn.Module):
    """X ← layers(X, Ã), until the halting flag is set. [P Alg. 1]

    >>> import loopwright as lw
    >>> from loopwright.runtime.encode import encode
    >>> model = lw.compile(lw.algorithms.dijkstra())
    >>> graphs = [lw.Graph.of([("a", "b", 1)]), lw.Graph.of([("a", "b", 1), ("b", "c", 2)])]
    >>> problems = [encode(model, graph, source="a") for graph in graphs]
    >>> x, iterations = LoopedTransformer.from_model(model).run(problems, max_iterations=9)
    >>> x[:, :, model.layout["dists"].first], iterations
    (tensor([[0., 0., 1., 0.],
            [0., 0., 1., 3.]], dtype=torch.float64), tensor([2, 3]))
    """

    def __init__(self, name: str, layers: Iterable[Layer], halt: int) -> None:
        super().__init__()
        self.name = name
        self.layers = nn.ModuleList(layers)
        self.halt = halt
        """The column whose entry in row 0 is the halting flag."""

    @classmethod
    def from_model(
        cls,
        model: Weights,
        *,
        dtype: torch.dtype = torch.float64,
        device: torch.device | str = "cpu",
        requires_grad: bool = False,
    ) -> LoopedTransformer:
        """A copy of the weights as parameters: training them leaves the model as it is.

        Raises:
            CapacityError: if the model's constants need more digits than the dtype has. To run such
                a model nevertheless, convert it afterwards: `from_model(model).float()`.
        """
        check_precision(model, dtype)

        def parameter(matrix: Matrix) -> Tensor:
            return torch.tensor(matrix, dtype=dtype, device=device)

        def attend(head: HeadWeights) -> nn.Module:
            if model.attention == "hardmax":
                return Hardmax(head.tie_tolerance)
            return Softmax(head.temperature)

        layers = [
            Layer(
                layer.name,
                layer.paper_step,
                layer.writes,
                [
                    Head(h.over, attend(h), *map(parameter, (h.query, h.key, h.value)))
                    for h in layer.heads
                ],
                MLP(*map(parameter, layer.mlp)),
            )
            for layer in model.layers
        ]
        net = cls(model.name, layers, model.layout[model.layout.halt].first)
        return net.requires_grad_(requires_grad)

    def layer(self, name: str) -> Layer:
        """The layer of a step, to hang hooks on."""
        named = [layer for layer in self.layers if layer.name == name]
        if len(named) != 1:
            steps = ", ".join(f"'{layer.name}'" for layer in self.layers)
            raise LoopwrightError(
                f"'{self.name}' has {len(named)} steps '{name}'; its steps are: {steps}."
            )
        return named[0]  # type: ignore[return-value]  # a ModuleList forgets what it holds

    def forward(
        self,
        x: Tensor,  # (B, K, d)
        a: Tensor,  # (B, K, K)
        mask: Tensor | None = None,  # (B, K); None: no graph is padded
        *,
        capture: bool = False,
    ) -> Tensor | tuple[Tensor, list[Snapshot]]:
        """One iteration: the new X, (B, K, d); with `capture`, also a list of snapshots."""
        seen: list[Snapshot] = []
        for layer in self.layers:
            attention: list[Tensor] | None = [] if capture else None
            x = layer(x, a, mask, attention)  # (B, K, d)
            if attention is not None:
                seen.append(Snapshot(str(layer.name), x, tuple(attention)))
        return (x, seen) if capture else x

    def run(
        self,
        problems: Problem | Sequence[Problem] | Batch,
        max_iterations: int,
        *,
        watch: Watch | None = None,
    ) -> Run:
        """Loop until every graph has halted.

        A graph that halts leaves the batch: its X stays as it is, and costs nothing more. That the
        number of iterations depends on X does not trouble autograd, which follows what was done.

        Raises:
            DidNotHalt: if some graph's halting flag is not set in time.
        """
        x, a, mask = self.batch(problems)
        last = torch.zeros_like(x)  # (B, K, d)
        iterations = torch.zeros(len(x), dtype=torch.int64, device=x.device)  # (B,)
        running = torch.arange(len(x), device=x.device)  # (b,), from here on b graphs of the B
        padding = None if mask.all() else mask
        for iteration in range(1, max_iterations + 1):
            if watch:
                x, seen = self(x, a, padding, capture=True)  # (b, K, d)
                watch(iteration, running, seen)
            else:
                x = self(x, a, padding)  # (b, K, d)
            halted = x[:, GLOBAL_ROW, self.halt] > 0.5  # (b, K, d) → (b,)
            if halted.any():
                last[running[halted]] = x[halted]
                iterations[running[halted]] = iteration
                x, a, mask, running = (part[~halted] for part in (x, a, mask, running))
                padding = None if mask.all() else mask
                if not len(running):
                    return Run(last, iterations)
        which = "" if len(last) == 1 else f": graphs {running.tolist()} of {len(last)}"
        raise DidNotHalt(f"'{self.name}' did not halt within {max_iterations} iterations{which}.")

    def batch(self, problems: Problem | Sequence[Problem] | Batch) -> Batch:
        """Collated where the parameters are, in their dtype, if it is not a batch yet."""
        if isinstance(problems, Batch):
            return problems
        some = next(self.parameters())
        several = [problems] if isinstance(problems, Problem) else problems
        return collate(several, dtype=some.dtype, device=some.device)


def check_precision(model: Weights, dtype: torch.dtype) -> None:
    """The two conditions of `Limits.constants`, with this dtype's roundings in place of float64's.

    Ω/ε, the number of steps of the grid, must leave guard bits in the significand; and positions,
    after drifting by 4 roundings in each of `nodes` increments, must still tie within tolerance.
    """
    constants = model.constants
    rounding = Fraction(torch.finfo(dtype).eps) / 2  # 2⁻²⁴ for float32, of 24 bits
    on_the_grid = constants.omega / constants.resolution <= 1 / rounding / 2**GUARD_BITS
    told_apart = constants.tie_tolerance >= 16 * (constants.nodes + 1) * rounding
    if not on_the_grid:
        raise CapacityError(
            f"{dtype} cannot hold values up to {float(constants.omega):g} at a resolution of "
            f"{float(constants.resolution):g}, as this build of '{model.name}' does: recompile "
            "with Limits of a larger resolution or a smaller largest, or use torch.float64."
        )
    if not told_apart:
        raise CapacityError(
            f"{dtype} cannot tell {constants.nodes} positions apart, as this build of "
            f"'{model.name}' does: recompile with Limits(nodes=…), or use torch.float64."
        )


# ── as a machine ────────────────────────────────────────────────────────────────────────────────


class OneThread:
    """Runs on the calling thread alone, and then lets PyTorch have its threads back.

    One graph is too small to share out: threads wait for one another longer than they work (with
    a second process on two cores, 90 ms an iteration in place of 2). Many graphs are spread over
    the cores by `run_many`, or go into one batch, which is not held back by this.

    A new Python thread inherits the count of the thread that set it last. So what is given back is
    what was found by the first to enter, not by those who entered meanwhile and found 1.
    """

    def __init__(self) -> None:
        self.lock, self.inside, self.outside = Lock(), 0, 1

    def __enter__(self) -> None:
        with self.lock:
            if not self.inside:
                self.outside = torch.get_num_threads()
            self.inside += 1
            torch.set_num_threads(1)

    def __exit__(self, *problem: object) -> None:
        with self.lock:
            self.inside -= 1
            torch.set_num_threads(self.outside)


one_thread = OneThread()


@lru_cache(maxsize=8)
def prepare(model: Weights) -> Loop:
    """The loop for one graph. Parameters are made once for each model, which cannot change."""
    return partial(loop, LoopedTransformer.from_model(model))


def loop(
    net: LoopedTransformer,
    problem: Problem,
    max_iterations: int,
    after_layer: AfterLayer | None = None,
    progress: Progress | None = None,
) -> tuple[Array, int]:
    """A batch of one, seen through NumPy."""

    def watch(iteration: int, running: Tensor, seen: list[Snapshot]) -> None:
        for index, snapshot in enumerate(seen if after_layer else []):
            assert after_layer is not None
            after_layer(iteration, index, snapshot.x[0].numpy())
        if progress:
            progress(iteration)

    watched = after_layer is not None or progress is not None
    with one_thread, torch.inference_mode():
        x, iterations = net.run(problem, max_iterations, watch=watch if watched else None)
    return x[0].numpy(), int(iterations[0])
