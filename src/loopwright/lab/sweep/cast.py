"""A model in narrower floats, as hardware without float64 would run it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from loopwright.model.weights import Head, Layer, Weights


def in_dtype(model: Weights, dtype: np.dtype[Any]) -> Weights:
    """The same model with rounded weights: NumPy then rounds X₀ as well, and computes so."""

    def head(of: Head) -> Head:
        return replace(of, **{name: w.astype(dtype) for name, w in of.matrices.items()})

    def layer(of: Layer) -> Layer:
        w1, w2, w3, w4 = (matrix.astype(dtype) for matrix in of.mlp)
        return replace(of, heads=tuple(map(head, of.heads)), mlp=(w1, w2, w3, w4))

    return replace(model, layers=tuple(map(layer, model.layers)))
