"""Which function lowers which op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from loopwright.compiler.layer import LayerBuilder
from loopwright.language.op import Op

Lowering = Callable[[Any, LayerBuilder], None]
LOWERINGS: dict[type[Op], Lowering] = {}


def lowers(op: type[Op]) -> Callable[[Lowering], Lowering]:
    """Register the weights of `op`."""

    def register(lowering: Lowering) -> Lowering:
        LOWERINGS[op] = lowering
        return lowering

    return register
