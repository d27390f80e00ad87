"""Model → an nn.Module of a whole run, with a named hook point for everything in every iteration.

    net = HookedLoop(model, iterations=8)
    net.iterations["3"].layers[0].hook_resid_post           X after the first layer of iteration 3
    net.iterations["3"].layers[0].heads[1].hook_pattern     what its second head attends to
    net.iterations["3"].layers[0].mlp.hook_post_2           its second hidden level

Names are TransformerLens', and hook points are modules (`register_forward_hook`, nnsight). Weights
are there once, as parameters `layers.…`, under the same names as in `LoopedTransformer`.
"""

# torch has no complete types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from loopwright.circuits.moments import moment_of
from loopwright.errors import DidNotHalt, LoopwrightError, require_known, require_whole
from loopwright.model.layout import GLOBAL_ROW, Scope
from loopwright.model.weights import Head, Layer, Matrix, Weights
from loopwright.runtime.basis import Turned
from loopwright.runtime.decode import Answer, decode, pointers
from loopwright.runtime.encode import Problem, encode
from loopwright.runtime.graph import Graph, Label
from loopwright.runtime.hook_points import HookPoint, LayerPoints
from loopwright.runtime.machines.torch import Batch, LoopedTransformer, collate
from loopwright.runtime.model import Model

Hook = Callable[[Tensor, HookPoint], Tensor | None]
"""What TransformerLens' users write: it sees a tensor, and may give back another in its place."""


class Iteration(nn.Module):
    """The hook points of one iteration."""

    def __init__(self, model: Weights) -> None:
        super().__init__()
        self.layers = nn.ModuleList(LayerPoints(len(layer.heads)) for layer in model.layers)


class HookedLoop(nn.Module):
    """A run of a model, unrolled: some iterations, in each of which every hook point has a name.

    >>> import loopwright as lw
    >>> net = HookedLoop(lw.compile(lw.algorithms.dijkstra()), iterations=3)
    >>> answers, cache = net.run_with_cache([("a", "b", 3), ("b", "c", 0.5)], source="a")
    >>> answers[0].dists
    {'a': 0.0, 'b': 3.0, 'c': 3.5}
    >>> cache["dists", 2], cache[2, 0, "hook_resid_pre"].shape
    (tensor([[0.0000, 3.0000, 3.5000]], dtype=torch.float64), torch.Size([1, 4, 11]))
    """

    def __init__(
        self,
        model: Weights,
        *,
        iterations: int,
        dtype: torch.dtype = torch.float64,
        requires_grad: bool = False,
    ) -> None:
        super().__init__()
        count = require_whole("iterations", iterations)
        net = LoopedTransformer.from_model(model, dtype=dtype, requires_grad=requires_grad)
        self.model = model
        self.layers = net.layers
        self.halt = net.halt
        self.iterations = nn.ModuleDict({str(t): Iteration(model) for t in range(1, count + 1)})

    # ── running ─────────────────────────────────────────────────────────────────────────────────

    def forward(self, x: Tensor, a: Tensor, mask: Tensor | None = None) -> Tensor:
        """X after the last iteration, (B, K, d). A graph that has halted keeps the X it has then:
        its hook points go on, but nobody reads what they give."""
        return self.unrolled(x, a, mask)[0]

    def unrolled(
        self, x: Tensor, a: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The same, with how many iterations each graph took, and which have not halted, (B,)."""
        running = torch.ones(len(x), dtype=torch.bool, device=x.device)
        taken = torch.zeros(len(x), dtype=torch.int64, device=x.device)
        padding = None if mask is None or bool(mask.all()) else mask
        for points in self.iterations.values():
            new = x
            for layer, at in zip(self.layers, points.layers, strict=True):  # type: ignore[arg-type]
                new = layer(new, a, padding, None, at)  # (B, K, d)
            x = torch.where(running[:, None, None], new, x)
            taken = taken + running
            running = running & ~(new[:, GLOBAL_ROW, self.halt] > 0.5)
        return x, taken, running

    def problems(
        self, graphs: object, source: Label | Sequence[Label] | None = None, **inputs: Any
    ) -> list[tuple[Graph, Problem]]:
        """One graph, or a list of them, encoded; a list of graphs may have a list of sources."""
        several = isinstance(graphs, list) and bool(graphs) and all(map(is_graph, graphs))
        listed = list(graphs) if several else [graphs]  # type: ignore[call-overload]
        sources = source if several and isinstance(source, list) else [source] * len(listed)
        if len(sources) != len(listed):
            raise LoopwrightError(f"{len(listed)} graphs and {len(sources)} sources: one for each.")
        made, turned = [Graph.of(graph) for graph in listed], Turned(self.model.basis)
        return [
            (graph, turned.problem(encode(self.model, graph, source=start, inputs=inputs)))
            for graph, start in zip(made, sources, strict=True)
        ]

    def batch(
        self, graphs: object, source: Label | Sequence[Label] | None = None, **inputs: Any
    ) -> Batch:
        """What `forward` takes, for one graph or for several of any sizes."""
        some = next(self.parameters())
        problems = [problem for _, problem in self.problems(graphs, source, **inputs)]
        return collate(problems, dtype=some.dtype, device=some.device)

    def run_with_hooks(
        self,
        graphs: object,
        *,
        source: Label | Sequence[Label] | None = None,
        fwd_hooks: Iterable[tuple[str, Hook]] = (),
        **inputs: Any,
    ) -> list[Answer]:
        """The answers, with some hooks in place for as long as it takes.

        Raises:
            DidNotHalt: if a graph needs more iterations than there are here.
            LoopwrightError: if there is no hook point of that name.
        """
        found = self.problems(graphs, source, **inputs)
        some = next(self.parameters())
        batch = collate([p for _, p in found], dtype=some.dtype, device=some.device)
        with self.hooked(fwd_hooks):
            x, taken, running = self.unrolled(*batch)
        if bool(running.any()):
            late = running.nonzero().flatten().tolist()
            raise DidNotHalt(
                f"'{self.model.name}' did not halt within {len(self.iterations)} iterations on "
                f"graphs {late}: make a HookedLoop of more."
            )
        return [
            self.answer(graph, problem, x[b, : problem.rows], int(taken[b]))
            for b, (graph, problem) in enumerate(found)
        ]

    def answer(self, graph: Graph, problem: Problem, x: Tensor, iterations: int) -> Answer:
        """What decoding reads from a last X."""
        last = Turned(self.model.basis).back(x.detach().cpu().double().numpy())
        result = decode(self.model, graph, last, problem.scale)
        return Answer(
            result,
            iterations,
            0.0,
            construction=self.model.construction,
            pointers=pointers(self.model),
            graph=graph,
        )

    def run_with_cache(
        self,
        graphs: object,
        *,
        source: Label | Sequence[Label] | None = None,
        iterations: Iterable[int] | None = None,
        **inputs: Any,
    ) -> tuple[list[Answer], Cache]:
        """The answers, and what every hook point saw; of some iterations alone, if so wanted."""
        wanted = {str(t) for t in iterations} if iterations is not None else set(self.iterations)
        for t in wanted:
            require_known("iteration", t, self.iterations, of=self.model.name)
        seen: dict[str, Tensor] = {}

        def keep(name: str) -> Hook:
            def hook(x: Tensor, point: HookPoint) -> None:
                seen[name] = x.detach().clone()

            return hook

        hooks = [(n, keep(n)) for n in self.hook_dict if n.split(".")[1] in wanted]
        answers = self.run_with_hooks(graphs, source=source, fwd_hooks=hooks, **inputs)
        return answers, Cache(self.model, seen)

    # ── hooks ───────────────────────────────────────────────────────────────────────────────────

    @property
    def hook_dict(self) -> dict[str, HookPoint]:
        """Every hook point by its name, `iterations.3.layers.0.heads.1.hook_pattern`."""
        return {n: m for n, m in self.named_modules() if isinstance(m, HookPoint)}

    @contextmanager
    def hooked(self, hooks: Iterable[tuple[str, Hook]]) -> Generator[None]:
        """Hooks as TransformerLens has them, which are gone afterwards."""
        points = self.hook_dict
        with ExitStack() as stack:
            for name, hook in hooks:
                require_known("hook point", name, points, of=self.model.name)
                handle = points[name].register_forward_hook(as_forward_hook(hook))
                stack.callback(handle.remove)
            yield

    # ── back to weights ─────────────────────────────────────────────────────────────────────────

    def to_model(self) -> Model:
        """The parameters as they are now, as a model that every machine runs."""

        def array(tensor: Any) -> Matrix:
            return tensor.detach().cpu().double().numpy().copy()

        layers: list[Layer] = []
        for made, now in zip(self.model.layers, self.layers, strict=True):
            heads: list[Head] = [
                replace(head, **{name: array(getattr(h, name)) for name in head.matrices})
                for head, h in zip(made.heads, now.heads, strict=True)  # type: ignore[arg-type]
            ]
            mlp: Any = now.mlp
            w1, w2, w3, w4 = map(array, (mlp.w1, mlp.w2, mlp.w3, mlp.w4))
            layers.append(replace(made, heads=tuple(heads), mlp=(w1, w2, w3, w4)))
        return Model.of(replace(self.model, layers=tuple(layers)))


def as_forward_hook(hook: Hook) -> Any:
    """PyTorch tells a hook the module, its inputs and its output."""

    def called(module: HookPoint, inputs: Any, output: Tensor) -> Tensor | None:
        return hook(output, module)

    return called


def is_graph(thing: object) -> bool:
    """Whether it is a graph of its own: an edge is a tuple of its ends."""
    return not isinstance(thing, tuple)


class Cache:
    """What hook points saw: `cache[3, 0, "hook_mlp_out"]`, or by variable `cache["dists", 3]`."""

    def __init__(self, model: Weights, seen: dict[str, Tensor]) -> None:
        self.model, self.seen = model, seen

    def __getitem__(self, place: tuple[int, int | str, str] | tuple[str, int] | str) -> Tensor:
        """By (iteration, layer or step, name), by (variable, iteration), or by the whole name.

        Raises:
            LoopwrightError: if there is nothing there.
        """
        if isinstance(place, tuple) and len(place) == 2:
            return self.variable(*place)
        if isinstance(place, tuple):
            iteration, layer, name = place
            place = f"iterations.{iteration}.layers.{self.layer(layer)}.{name}"
        require_known("hook point", place, self.seen, of=self.model.name)
        return self.seen[place]

    def layer(self, layer: int | str) -> int:
        """The number of a layer, from 0, or of the step of that name."""
        if isinstance(layer, int):
            return layer
        names = [each.name for each in self.model.layers]
        require_known("step", layer, names, of=self.model.name)
        return names.index(layer)

    def variable(self, name: str, iteration: int) -> Tensor:
        """A variable of the program, after the step of that iteration that writes it last.

        Of nodes it is (B, K − 1), of one row alone (B,); positions have two coordinates more.
        """
        field, layer = moment_of(self.model, name)
        begins = layer < 0
        x = self[iteration, max(layer, 0), "hook_resid_pre" if begins else "hook_resid_post"]
        if self.model.basis is not None:
            x = x @ torch.as_tensor(self.model.basis.copy(), dtype=x.dtype, device=x.device).T
        found = x[:, GLOBAL_ROW] if field.scope is Scope.SINGLE else x[:, 1:]
        columns = found[..., field.columns]
        return columns if field.kind.width > 1 else columns[..., 0]

    def keys(self) -> list[str]:
        return list(self.seen)

    def __repr__(self) -> str:
        return f"<Cache of '{self.model.name}': {len(self.seen)} hook points>"
