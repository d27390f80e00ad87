"""A model in narrower floats, as hardware without float64 would run it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from loopwright.model.weights import Layer, Weights


def in_dtype(model: Weights, dtype: np.dtype[Any]) -> Weights:
    """The same weights, rounded; NumPy then computes in this dtype, and X₀ is rounded to it."""

    def cast(layer: Layer) -> Layer:
        heads = tuple(
            replace(
                head,
                query=head.query.astype(dtype),
                key=head.key.astype(dtype),
                value=head.value.astype(dtype),
            )
            for head in layer.heads
        )
        w1, w2, w3, w4 = (matrix.astype(dtype) for matrix in layer.mlp)
        return replace(layer, heads=heads, mlp=(w1, w2, w3, w4))

    return replace(model, layers=tuple(map(cast, model.layers)))
