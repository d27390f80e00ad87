"""Variable → where in an iteration it has its value."""

from __future__ import annotations

from loopwright.errors import LoopwrightError, require_known
from loopwright.model.layout import Field
from loopwright.model.weights import Weights


def moment_of(model: Weights, name: str, layer: int | None = None) -> tuple[Field, int]:
    """A variable's columns, and the layer after which it is looked at: the last that writes it.

    A variable that no layer writes is there from the beginning, which is layer −1.

    Raises:
        LoopwrightError: if X has no such variable, or does not hold it after that layer.
    """
    require_known("variable", name, [each.name for each in model.layout.fields], of=model.name)
    field = model.layout[name]
    writers = [at for at, each in enumerate(model.layers) if name in each.writes]
    at = (max(writers, default=-1)) if layer is None else layer
    if field.held is not None and at not in field.held:
        there = ", ".join(str(each) for each in field.held)
        raise LoopwrightError(
            f"'{model.name}' does not hold '{name}' after layer {at}, but after: {there}."
        )
    return field, at
