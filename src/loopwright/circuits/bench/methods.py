"""Methods that look for a circuit: each gives every edge a score, the higher the more it matters.

An edge that scores 0 or less is one that the method would leave out.

random       the floor
weights      ‖W_out W_in‖ of source and target: no data at all, and no basis
attribution  edge attribution patching: what a corrupted run adds, times a gradient [Nanda 2023]
patching     activation patching: the edge alone is taken away, and answers compared
pruning      as ACDC: edges are taken away for good while answers stay the same [Conmy 2023]
"""

# torch has no complete types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor

from loopwright.circuits.ablate import run_ablated, starts_of
from loopwright.circuits.bench.kept import run_kept
from loopwright.circuits.bench.tasks import Example, Task, answers_of, by_size
from loopwright.circuits.check import AT_ONCE, most_iterations
from loopwright.circuits.components import GRAPH, HALT, LOGITS, head_name, mlp_name
from loopwright.circuits.module import HookedLoop
from loopwright.model.weights import Matrix
from loopwright.runtime.basis import Turned
from loopwright.runtime.hook_points import HookPoint
from loopwright.runtime.machines.torch import Batch, collate

Scores = dict[str, float]


def by_chance(task: Task, rng: np.random.Generator) -> Scores:
    return {name: float(rng.random()) for name in task.circuit.edges}


def by_weights(task: Task, rng: np.random.Generator) -> Scores:
    """How much of what a source writes its target reads, by the weights alone."""
    model, out, into = task.model, dict[str, Matrix](), dict[tuple[str, str], Matrix]()
    q = np.eye(model.width) if model.basis is None else model.basis
    for field in model.layout.after(-1):
        out[f"input.{field.name}"] = q[field.columns]
    for at, layer in enumerate(model.layers):
        for h, head in enumerate(layer.heads):
            name = head_name(at, h)
            out[name] = unit_rows(head.value)
            reads = {"q": head.query, "k": head.key, "v": head.value}
            into |= {(name, port): w[: model.width] for port, w in reads.items()}
        out[mlp_name(at)], into[mlp_name(at), ""] = unit_rows(layer.mlp[3]), layer.mlp[0]
    layout = model.layout
    ends = {HALT: [layout.halt], LOGITS: list(layout.outputs.values())}
    for end, names in ends.items():
        into[end, ""] = np.concatenate([q[layout[name].columns] for name in names]).T
    over = {
        head_name(at, h): float(head.over != "I")
        for at, layer in enumerate(model.layers)
        for h, head in enumerate(layer.heads)
    }
    return {
        name: over[edge.target]
        if edge.source == GRAPH
        else float(np.linalg.norm(out[edge.source] @ unit_columns(into[edge.target, edge.port])))
        for name, edge in task.circuit.edges.items()
    }


def unit_rows(w: Matrix) -> Matrix:
    """Rows of length 1, so that no unit counts for more because its numbers are large."""
    length = np.linalg.norm(w, axis=1, keepdims=True)
    return w / np.where(length > 0, length, 1)


def unit_columns(w: Matrix) -> Matrix:
    return unit_rows(w.T).T


def by_patching(task: Task, rng: np.random.Generator) -> Scores:
    """On how many clean graphs the answer is another without the edge."""
    scores = dict.fromkeys(task.circuit.edges, 0.0)
    edges = list(task.circuit.edges.values())
    tried = task.examples[:: max(1, len(task.examples) // PATCHED)]
    for example in tried:
        problem = example.problems[0]
        most = most_iterations(task.model, problem)
        (plain,) = run_ablated(task.model, problem, [None], most)
        for first in range(0, len(edges), AT_ONCE):
            some = edges[first : first + AT_ONCE]
            for edge, end in zip(some, run_ablated(task.model, problem, some, most), strict=True):
                scores[edge.name] += not end.answers_as(plain)
    return scores


PATCHED = 6
"""Graphs on which every edge is taken away alone."""


def by_pruning(task: Task, rng: np.random.Generator) -> Scores:
    """Edges are tried from the answer backwards, many at a time, and gone if nothing changes.

    What is left scores 1. What is gone scores less than 0: the more went with it at once, the less.
    """
    batches = [
        ([e.problems[0] for e in group], most_iterations(task.model, group[0].problems[0]))
        for group in by_size(task)
    ]
    expected = [
        answers_of(task.model, run_kept(task.model, problems, task.circuit.edges, most)[0])
        for problems, most in batches
    ]

    def same(kept: set[str]) -> bool:
        for (problems, most), right in zip(batches, expected, strict=True):
            x, halted = run_kept(task.model, problems, kept, most)
            if not (halted.all() and np.array_equal(answers_of(task.model, x), right)):
                return False
        return True

    left = set(task.circuit.edges)
    scores: Scores = {}
    order = list(task.circuit.edges)[::-1]
    waiting: list[list[str]] = [order]
    while waiting:
        some = waiting.pop()
        if same(left - set(some)):
            left -= set(some)
            scores |= dict.fromkeys(some, -float(len(some)))
        elif len(some) > 1:
            half = len(some) // 2
            waiting += [some[half:], some[:half]]
        else:
            scores[some[0]] = 1.0
    return scores


# ── edge attribution patching ───────────────────────────────────────────────────────────────────


def by_attribution(task: Task, rng: np.random.Generator) -> Scores:
    """What the corrupted run adds instead, times how fast the answer changes with what is read.

    The answer is the outputs, weighed by how they differ between the two runs. The choice of a
    hardmax head has no gradient, so what goes into queries and keys gets none.
    """
    scores = dict.fromkeys(task.circuit.edges, 0.0)
    for group in by_size(task):
        for name, score in attributed(task, group).items():
            if name in scores:
                scores[name] += abs(score)
    return scores


def attributed(task: Task, group: Sequence[Example]) -> Scores:
    model = task.model
    iterations = most_iterations(model, group[0].problems[0]) - 1
    net = HookedLoop(model, iterations=iterations)
    turned = Turned(model.basis)
    batches = [collate([turned.problem(e.problems[k]) for e in group]) for k in (0, 1)]
    out_clean, _, _ = watched(net, batches[0], gradients=False)
    out_corrupted, _, last = watched(net, batches[1], gradients=False)
    out, reads, end = watched(net, batches[0], gradients=True)
    q = torch.eye(model.width, dtype=end.dtype)
    if model.basis is not None:
        q = torch.as_tensor(model.basis.copy())
    columns = [model.layout[name].first for name in model.layout.outputs.values()]
    view = q[columns].T  # (d, outputs)
    change = ((last - end) @ view).detach()  # (B, K, outputs)
    weight = change / change.abs().amax(dim=(1, 2), keepdim=True).clamp(min=1e-9)
    ((end @ view) * weight)[:, 1:].sum().backward()
    del out
    differences = {key: out_corrupted[key] - out_clean[key] for key in out_clean}
    starts = start_differences(task, group)
    scores: Scores = {}

    def give(total: dict[str, Tensor], gradient: Tensor | None, target: str) -> None:
        if gradient is None:
            return
        for source, difference in total.items():
            name = f"{source}->{target}"
            scores[name] = scores.get(name, 0.0) + float((difference * gradient).sum())

    total = dict(starts)
    for t in range(1, iterations + 1):
        for at, layer in enumerate(model.layers):
            for h in range(len(layer.heads)):
                for port in ("q", "k", "v"):
                    give(total, reads[t, at, f"{h}{port}"].grad, f"{head_name(at, h)}<{port}>")
            for h in range(len(layer.heads)):
                grow(total, head_name(at, h), differences[t, at, str(h)])
            give(total, reads[t, at, "mlp"].grad, mlp_name(at))
            grow(total, mlp_name(at), differences[t, at, "mlp"])
    give(total, (weight @ view.T) * rows_of_nodes(end), LOGITS)
    return scores


def rows_of_nodes(x: Tensor) -> Tensor:
    """1 in rows of nodes, 0 in row 0."""
    mask = torch.ones_like(x)
    mask[:, 0] = 0
    return mask


def grow(total: dict[str, Tensor], name: str, more: Tensor) -> None:
    total[name] = total[name] + more if name in total else more


def start_differences(task: Task, group: Sequence[Example]) -> dict[str, Tensor]:
    """What the corrupted graph's start has in each variable that the clean one's has not."""
    found: dict[str, list[Matrix]] = {}
    for example in group:
        clean, corrupted = (starts_of(task.model, problem) for problem in example.problems)
        for name in clean:
            found.setdefault(name, []).append(corrupted[name] - clean[name])
    return {name: torch.as_tensor(np.stack(all_of)) for name, all_of in found.items()}


Places = dict[tuple[int, int, str], Tensor]


def watched(net: HookedLoop, batch: Batch, *, gradients: bool) -> tuple[Places, Places, Tensor]:
    """What every component added, and read, in every iteration; and the last X."""
    added: Places = {}
    read: Places = {}
    hooks: list[tuple[str, Callable[[Tensor, HookPoint], Tensor | None]]] = []

    def keep(key: tuple[int, int, str]) -> Callable[[Tensor, HookPoint], None]:
        def hook(x: Tensor, point: HookPoint) -> None:
            added[key] = x.detach()

        return hook

    def split(key: tuple[int, int, str]) -> Callable[[Tensor, HookPoint], Tensor]:
        def hook(x: Tensor, point: HookPoint) -> Tensor:
            own = x.clone()
            own.retain_grad()
            read[key] = own
            return own

        return hook

    for t in range(1, len(net.iterations) + 1):
        for at, layer in enumerate(net.model.layers):
            place = f"iterations.{t}.layers.{at}"
            for h in range(len(layer.heads)):
                hooks.append((f"{place}.heads.{h}.hook_result", keep((t, at, str(h)))))
                if gradients:
                    hooks += [
                        (f"{place}.heads.{h}.hook_{port}_input", split((t, at, f"{h}{port}")))
                        for port in ("q", "k", "v")
                    ]
            hooks.append((f"{place}.hook_mlp_out", keep((t, at, "mlp"))))
            if gradients:
                hooks.append((f"{place}.hook_mlp_in", split((t, at, "mlp"))))
    x = batch.x.clone().requires_grad_(gradients)
    with net.hooked(hooks), torch.set_grad_enabled(gradients):
        last = net(x, batch.a, batch.mask)
    return added, read, last


METHODS: dict[str, Callable[[Task, np.random.Generator], Scores]] = {
    "random": by_chance,
    "weights": by_weights,
    "attribution": by_attribution,
    "patching": by_patching,
    "pruning": by_pruning,
}
