"""Runs with one edge taken away: many at once, each with an edge of its own.

Beside X, every run keeps all that the source of its edge has added so far, C. The target of the
edge reads X − C in the place of X; everyone else reads X. The equations are the reference's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from loopwright.circuits.circuit import Edge
from loopwright.circuits.components import (
    HALT,
    LOGITS,
    Port,
    head_name,
    mlp_name,
    unit_name,
)
from loopwright.model.layout import GLOBAL_ROW
from loopwright.model.weights import EDGE_HEADS, Head, Layer, Weights
from loopwright.runtime.basis import Turned
from loopwright.runtime.encode import Problem

Stack = NDArray[np.float64]
"""(B, K, d): X of B runs."""


@dataclass(frozen=True)
class Outcome:
    """How a run ended, and what its ablation did on the way."""

    outputs: NDArray[np.float64] | None
    """The columns that decoding reads, (K − 1, outputs); None if the run did not halt in time."""
    iterations: int
    carried: bool
    """Whether what was taken away was ever anything but 0."""
    mattered: bool
    """Whether the target of the edge ever did something else because of it."""

    def answers_as(self, other: Outcome) -> bool:
        """Whether the outputs are the same, to the last bit."""
        if self.outputs is None or other.outputs is None:
            return self.outputs is other.outputs
        return bool(np.array_equal(self.outputs, other.outputs))


def run_ablated(
    model: Weights, problem: Problem, edges: Sequence[Edge | None], max_iterations: int
) -> list[Outcome]:
    """Run a model once for each edge without it; None takes nothing away.

    Without what keeps it in bounds a run may grow past all floats; it then has another answer.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return Runs(model, problem, edges).run(max_iterations)


def differs(found: Stack, expected: Stack | int) -> NDArray[np.bool_]:
    """Which of several X are not as expected, (B,)."""
    return np.asarray((found != expected).any(axis=(1, 2)))


class Runs:
    """Runs on one graph, side by side; those that halt leave."""

    def __init__(self, model: Weights, problem: Problem, edges: Sequence[Edge | None]) -> None:
        self.model, count = model, len(edges)
        self.a = np.zeros((problem.rows, problem.rows))
        self.a[problem.tails, problem.heads] = problem.weights
        self.turned = Turned(model.basis)
        self.x: Stack = np.repeat(self.turned.there(problem.x)[None], count, axis=0)
        self.added: Stack = np.zeros_like(self.x)
        self.running = np.arange(count)
        self.carried, self.mattered = (np.zeros(count, dtype=np.bool_) for _ in range(2))
        self.sources: dict[str, list[int]] = {}
        self.readers: dict[tuple[str, Port], list[int]] = {}
        self.wires: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        for b, edge in enumerate(edges):
            if edge is None:
                continue
            if wire := as_wire(edge):
                at, level, u, v = wire
                self.wires.setdefault((at, level), []).append((b, u, v))
                continue
            self.sources.setdefault(edge.source, []).append(b)
            self.readers.setdefault((edge.target, edge.port), []).append(b)
        for name, start in starts_of(model, problem).items():
            self.added[self.sources.get(name, [])] = start
        self.outputs = [model.layout[name].first for name in model.layout.outputs.values()]
        self.halt = model.layout[model.layout.halt].first

    def run(self, max_iterations: int) -> list[Outcome]:
        found: list[Outcome | None] = [None] * len(self.x)
        for iteration in range(1, max_iterations + 1):
            for at, layer in enumerate(self.model.layers):
                self.attend(at, layer)
                self.think(at, layer)
            flags = self.read(HALT, "")[:, GLOBAL_ROW, self.halt]
            for b in np.flatnonzero(flags > 0.5):
                last = self.turned.back(self.read(LOGITS, "", keep=True)[b])
                outputs = last[1:, self.outputs]
                found[self.running[b]] = self.outcome(int(b), outputs.copy(), iteration)
            self.drop(flags > 0.5)
            if not len(self.running):
                break
        for b, run in enumerate(self.running):
            found[run] = self.outcome(b, None, max_iterations)
        return [one for one in found if one is not None]

    def outcome(self, b: int, outputs: NDArray[np.float64] | None, iterations: int) -> Outcome:
        run = self.running[b]
        return Outcome(outputs, iterations, bool(self.carried[run]), bool(self.mattered[run]))

    def drop(self, halted: NDArray[np.bool_]) -> None:
        """Leave the runs that go on, and count them anew."""
        if not halted.any():
            return
        left = np.flatnonzero(~halted)
        place = {int(b): i for i, b in enumerate(left)}
        self.x, self.added, self.running = self.x[left], self.added[left], self.running[left]

        def counted(runs: list[int]) -> list[int]:
            return [place[b] for b in runs if b in place]

        self.sources = {name: counted(runs) for name, runs in self.sources.items()}
        self.readers = {name: counted(runs) for name, runs in self.readers.items()}
        self.wires = {
            at: [(place[b], u, v) for b, u, v in wires if b in place]
            for at, wires in self.wires.items()
        }

    def read(self, name: str, port: Port, *, keep: bool = False) -> Stack:
        """X as a component reads it."""
        runs = self.readers.get((name, port))
        if not runs:
            return self.x
        x = self.x.copy()
        x[runs] -= self.added[runs]
        if not keep:
            self.note(self.carried, runs, differs(self.added[runs], 0))
        return x

    def note(self, flags: NDArray[np.bool_], runs: list[int], seen: NDArray[np.bool_]) -> None:
        flags[self.running[runs]] |= seen

    def attend(self, at: int, layer: Layer) -> None:
        """Every head reads X as it was before the layer."""
        outs: list[Stack] = []
        for h, head in enumerate(layer.heads):
            name = head_name(at, h)
            q, k, v = (self.read(name, port) for port in ("q", "k", "v"))
            out = head_outputs(self.model, head, q, k, v, self.a)
            cut = self.readers.get((name, "g"))
            if cut and head.over != "I":
                out[cut] = head_outputs(self.model, head, q[cut], k[cut], v[cut], 0 * self.a)
                self.note(self.carried, cut, np.ones(len(cut), dtype=np.bool_))
            touched = [
                b for port in ("q", "k", "v", "g") for b in self.readers.get((name, port), ())
            ]
            if touched:
                x = self.x[touched]
                plain = head_outputs(self.model, head, x, x, x, self.a)
                self.note(self.mattered, touched, differs(plain, out[touched]))
            outs.append(out)
        for h, out in enumerate(outs):
            self.x = self.x + out
            if runs := self.sources.get(head_name(at, h)):
                self.added[runs] += out[runs]

    def think(self, at: int, layer: Layer) -> None:
        """The MLP, as a whole or unit by unit."""
        x = self.read(mlp_name(at), "")
        before = np.maximum(x @ layer.mlp[0], 0)
        for u in range(before.shape[2]):
            name = unit_name(at, 1, u)
            if runs := self.readers.get((name, "")):
                less = np.maximum(self.read(name, "")[runs] @ layer.mlp[0][:, u], 0)
                self.note(self.mattered, runs, (less != before[runs, :, u]).any(axis=1))
                before[runs, :, u] = less
        z = before
        for level in (1, 2):
            sums = z @ layer.mlp[level]
            plain = np.maximum(sums, 0)
            for b, u, v in self.wires.get((at, level), ()):
                sums[b, :, v] -= z[b, :, u] * layer.mlp[level][u, v]
                self.note(self.carried, [b], np.array([z[b, :, u].any()]))
            above = np.maximum(sums, 0)
            for b, _, v in self.wires.get((at, level), ()):
                self.note(self.mattered, [b], np.array([(above[b, :, v] != plain[b, :, v]).any()]))
            z = above
        out = z @ layer.mlp[3]
        if runs := self.readers.get((mlp_name(at), "")):
            self.note(self.mattered, runs, differs(mlp_outputs(layer, self.x[runs]), out[runs]))
        self.x = self.x + out
        if runs := self.sources.get(mlp_name(at)):
            self.added[runs] += out[runs]
        for u in range(z.shape[2]):
            if runs := self.sources.get(unit_name(at, 3, u)):
                self.added[runs] += z[runs, :, u, None] * layer.mlp[3][u]


def starts_of(model: Weights, problem: Problem) -> dict[str, NDArray[np.float64]]:
    """What each variable's start adds to X, (K, d), in the basis of the model."""
    turned, found = Turned(model.basis), dict[str, NDArray[np.float64]]()
    for field in model.layout.after(-1):
        start = np.zeros_like(problem.x)
        start[:, field.columns] = problem.x[:, field.columns]
        found[f"input.{field.name}"] = turned.there(start)
    return found


UNIT = re.compile(r"m(\d+)\.(\d)\.(\d+)")


def as_wire(edge: Edge) -> tuple[int, int, int, int] | None:
    """Layer, level and both units, of an edge inside of an MLP."""
    below, above = UNIT.fullmatch(edge.source), UNIT.fullmatch(edge.target)
    if not (below and above):
        return None
    at, level, u = map(int, below.groups())
    there, next_level, v = map(int, above.groups())
    return (at, level, u, v) if (there, next_level) == (at, level + 1) else None


def head_outputs(model: Weights, head: Head, q: Stack, k: Stack, v: Stack, a: Stack) -> Stack:
    """ψ(X, Ã) of a head whose query, key and value read three different X.

    The graph is one for all runs, (K, K), or one for each, (B, K, K).
    """
    d, among_edges = model.width, head.over in EDGE_HEADS
    edges = a if head.over in ("A", "ET") else a.swapaxes(-1, -2)  # [i, j]: by which i sees j
    scores = scores_of(head, q @ head.query, k @ head.key[:d], edges)
    largest = scores.max(axis=2, keepdims=True)
    if model.attention == "softmax":
        found = np.exp((scores - largest) / head.temperature)
    else:
        found = (scores >= largest - head.tie_tolerance).astype(scores.dtype)
    total = found @ (v @ head.value[:d])
    if among_edges:
        total += (found * edges).sum(axis=2, keepdims=True) * head.value[d]
    brought = total / found.sum(axis=2, keepdims=True)
    return brought if among_edges or head.over == "I" else edges @ brought


def scores_of(head: Head, query: Stack, key: Stack, edges: Stack) -> Stack:
    """How well queries meet keys, (B, K, K); an edge head's key is of an edge, or of row 0.

    Where there are more than two coordinates they are added in their order, as by the reference.
    """
    if head.over not in EDGE_HEADS and query.shape[2] <= 2:
        return query @ key.swapaxes(1, 2)
    total: Stack = np.zeros((*query.shape[:2], query.shape[1]))
    for c in range(query.shape[2]):
        shown = key[:, None, :, c]
        asked = query[:, :, None, c]
        if head.over in EDGE_HEADS:
            shown = shown + head.key[-1, c] * edges
        if c < len(head.hinges):
            total += head.hinges[c] * np.maximum(asked + shown, 0)
        else:
            total += asked * shown
    if head.over not in EDGE_HEADS:
        return total
    seen = edges != 0
    seen[..., GLOBAL_ROW] = True
    return np.where(seen, total, -np.inf)


def mlp_outputs(layer: Layer, x: Stack) -> Stack:
    z = x
    for w in layer.mlp[:3]:
        z = np.maximum(z @ w, 0)
    return z @ layer.mlp[3]
