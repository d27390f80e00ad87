"""Layout → which variable a column of X holds: the one place of the viewer that knows."""

from __future__ import annotations

from loopwright.model.layout import Field, Layout


def held_by(layout: Layout, column: int, layer: int) -> Field | None:
    """The variable in a column of X after a layer (from 0), or in X₀ if the layer is −1; None if
    the column is scratch."""
    for field in layout.after(layer):
        if field.columns.start <= column < field.columns.stop:
            return field
    return None


def column_table(layout: Layout, layers: int) -> list[list[int]]:
    """For X₀, and then after each layer, each column's variable as its number among the fields; −1
    for scratch."""
    numbers = {field.name: k for k, field in enumerate(layout.fields)}
    moments = range(-1, layers)
    held = [[held_by(layout, column, at) for column in range(layout.width)] for at in moments]
    return [[-1 if field is None else numbers[field.name] for field in row] for row in held]
