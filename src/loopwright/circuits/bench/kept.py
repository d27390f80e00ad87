"""Runs in which only some edges are left: a component reads what those bring it, and no more."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from loopwright.circuits.ablate import head_outputs, mlp_outputs, starts_of
from loopwright.circuits.components import (
    GRAPH,
    HALT,
    LOGITS,
    Port,
    head_name,
    mlp_name,
)
from loopwright.model.layout import GLOBAL_ROW
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Problem

Stack = NDArray[np.float64]


def run_kept(
    model: Weights, problems: Sequence[Problem], kept: Collection[str], iterations: int
) -> tuple[Stack, NDArray[np.bool_]]:
    """What decoding reads, (B, K, d), and which graphs have halted; of graphs of one size.

    `kept` has names of edges, as `a0.h1->m0`. What a component adds is remembered for each, so that
    the sum of some of them can be read.
    """
    allowed: dict[tuple[str, str], list[str]] = {}
    for name in sorted(kept):  # so that sums are always done in the same order
        source, _, target = name.partition("->")
        target, _, port = target.partition("<")
        allowed.setdefault((target, port.rstrip(">")), []).append(source)
    a = np.zeros((len(problems), problems[0].rows, problems[0].rows))
    added: dict[str, Stack] = {}
    for b, problem in enumerate(problems):
        a[b, problem.tails, problem.heads] = problem.weights
        for name, start in starts_of(model, problem).items():
            added.setdefault(name, np.zeros((len(problems), *start.shape)))[b] = start
    shape = next(iter(added.values())).shape

    def read(name: str, port: Port) -> Stack:
        total = np.zeros(shape)
        for source in allowed.get((name, port), ()):
            if source in added:
                total += added[source]
        return total

    def add(name: str, out: Stack) -> None:
        added[name] = added[name] + out if name in added else out

    last, halted = np.zeros(shape), np.zeros(len(problems), dtype=np.bool_)
    halt = model.layout[model.layout.halt].first
    for _ in range(iterations):
        for at, layer in enumerate(model.layers):
            outs: list[tuple[str, Stack]] = []
            for h, head in enumerate(layer.heads):
                name = head_name(at, h)
                q, k, v = (read(name, port) for port in ("q", "k", "v"))
                through = GRAPH in allowed.get((name, "g"), ()) or head.over == "I"
                out = head_outputs(model, head, q, k, v, a if through else 0 * a)
                outs.append((name, out))
            for name, out in outs:
                add(name, out)
            add(mlp_name(at), mlp_outputs(layer, read(mlp_name(at), "")))
        now = read(HALT, "")[:, GLOBAL_ROW, halt] > 0.5
        new = now & ~halted
        if new.any():
            last[new] = read(LOGITS, "")[new]
            halted |= new
        if halted.all():
            break
    return last, halted
