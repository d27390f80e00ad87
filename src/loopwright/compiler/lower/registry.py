"""Which function lowers which op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from loopwright.compiler.layer import LayerBuilder
from loopwright.language.op import Op

Lowering = Callable[[Any, LayerBuilder], None]
LOWERINGS: dict[type[Op], Lowering] = {}


def lowers(*ops: type[Op]) -> Callable[[Lowering], Lowering]:
    """Register the weights of an op, or of twins that differ in which edges they follow."""

    def register(lowering: Lowering) -> Lowering:
        LOWERINGS.update(dict.fromkeys(ops, lowering))
        return lowering

    return register
