"""Which columns of X an answer can depend on, by who reads them: found backwards from the answer.

A reader of X matters as far as what it makes of it is read by one that matters: a head brings
single columns to others, an MLP makes some of others. So a component that serves two ends, one of
which is of no use, matters in the columns of the other alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from loopwright.circuits.components import (
    HALT,
    LOGITS,
    Columns,
    Grain,
    Port,
    head_name,
    mlp_name,
    of_x,
    readers_of,
    unit_name,
)
from loopwright.model.weights import Layer, Weights

Relevant = dict[tuple[str, Port], Columns]
"""Reader → the columns of X in which it matters."""


def relevance(model: Weights, grain: Grain) -> tuple[Relevant, set[str]]:
    """For every reader the columns that matter; and the heads and hidden units that do."""
    readers: Relevant = {(one.name, one.port): one.columns for one in readers_of(model, grain)}
    ends: tuple[tuple[str, Port], ...] = ((HALT, ""), (LOGITS, ""))
    found: Relevant = {}
    for key, columns in readers.items():
        found[key] = columns if key in ends else np.zeros(model.width, dtype=np.bool_)
    useful: set[str] = set()
    while True:
        looked_at = np.any(list(found.values()), axis=0)
        before = {key: int(columns.sum()) for key, columns in found.items()}
        for at, layer in enumerate(model.layers):
            for h, head in enumerate(layer.heads):
                into = head.value[:, looked_at]
                if into.any():
                    name = head_name(at, h)
                    useful.add(name)
                    found[name, "v"] = found[name, "v"] | of_x(into, model)
                    found[name, "q"], found[name, "k"] = readers[name, "q"], readers[name, "k"]
            alive = living_units(layer, looked_at)
            if grain == "unit":
                for level, flags in enumerate(alive, start=1):
                    useful |= {unit_name(at, level, int(u)) for u in np.flatnonzero(flags)}
                for u in np.flatnonzero(alive[0]):
                    name = unit_name(at, 1, int(u))
                    found[name, ""] = readers[name, ""]
            else:
                read = np.asarray(layer.mlp[0][:, alive[0]].any(axis=1))
                found[mlp_name(at), ""] = found[mlp_name(at), ""] | read
        if before == {key: int(columns.sum()) for key, columns in found.items()}:
            return found, useful


def living_units(layer: Layer, looked_at: Columns) -> list[NDArray[np.bool_]]:
    """The hidden units of each level from which a column that is looked at can be reached."""
    third = np.asarray(layer.mlp[3][:, looked_at].any(axis=1))
    second = np.asarray(layer.mlp[2][:, third].any(axis=1))
    first = np.asarray(layer.mlp[1][:, second].any(axis=1))
    return [first, second, third]
