"""A model in another basis: machines run on X Q, and everyone else sees X.

Encoding, decoding and observers speak of variables, which are columns of X. A model whose `basis`
is an orthogonal Q has weights for X Q; this is the one place where X is turned, and turned back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from loopwright.model.weights import Matrix
from loopwright.runtime.encode import Array, Problem
from loopwright.runtime.observe import AfterLayer


@dataclass(frozen=True)
class Turned:
    """Q and back again; nothing at all where there is none."""

    basis: Matrix | None

    def problem(self, problem: Problem) -> Problem:
        """The same problem, as the machine wants it."""
        return problem if self.basis is None else replace(problem, x=self.there(problem.x))

    def there(self, x: Array) -> Array:
        return x if self.basis is None else x @ numbers(self.basis, x)

    def back(self, x: Array) -> Array:
        return x if self.basis is None else x @ numbers(self.basis, x).T

    def back_for(self, after_layer: AfterLayer | None) -> AfterLayer | None:
        """Whoever looks at layers sees X."""
        if self.basis is None or after_layer is None:
            return after_layer
        look = after_layer

        def turned(iteration: int, layer: int, x: Array) -> None:
            look(iteration, layer, self.back(x))

        return turned


def numbers(basis: Matrix, x: Array) -> Any:
    """The matrix in the numbers that X is made of: floats, or fractions."""
    if x.dtype != object:
        return basis
    exact = np.empty(basis.shape, dtype=object)
    exact[:] = [[Fraction(entry) for entry in row] for row in basis]
    return exact
