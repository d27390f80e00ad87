"""The vocabulary: one frozen class for each op, with what it takes and how it prints.

What an op does is said twice, independently: `language.interpret` in plain Python, and
`compiler.lower` in weights. An op belongs to one of two phases of a layer, and of its step:

- ``ATTENTION``: it reads other rows or the graph, as they were before the step.
- ``MLP``: row by row, after all attention of the step and after the ops before it.
"""

from __future__ import annotations

from loopwright.language.ops.attending import (
    AllOne,
    ColumnOf,
    Everywhere,
    MarkLeast,
    OneHot,
    ReadColumn,
    ReadFirst,
    ReadLeast,
    ReadRow,
    ReadX,
    Repeat,
    RoundPosition,
    RowOf,
    SubtractAt,
    SumFrom,
    SumTo,
    WriteRow,
)
from loopwright.language.ops.base import NUMBERS, STORES, Malformed, Op, Operand, Phase
from loopwright.language.ops.rowwise import (
    Add,
    Between,
    Copy,
    Equal,
    Increment,
    LessOrEqual,
    LessThan,
    MarkZeros,
    RoundFlag,
    Set,
    Subtract,
    Where,
)

ALL: tuple[type[Op], ...] = (
    LessThan,
    LessOrEqual,
    Between,
    Where,
    Copy,
    Increment,
    MarkZeros,
    Set,
    Equal,
    Add,
    Subtract,
    RoundFlag,
    Repeat,
    ReadRow,
    ReadColumn,
    ReadX,
    WriteRow,
    OneHot,
    SubtractAt,
    AllOne,
    Everywhere,
    SumFrom,
    SumTo,
    RowOf,
    ColumnOf,
    MarkLeast,
    ReadLeast,
    ReadFirst,
    RoundPosition,
)
"""Every op. Tests run over this list: each needs a meaning, a lowering, and a strategy."""

__all__ = [
    "ALL",
    "NUMBERS",
    "STORES",
    "Add",
    "AllOne",
    "Between",
    "ColumnOf",
    "Copy",
    "Equal",
    "Everywhere",
    "Increment",
    "LessOrEqual",
    "LessThan",
    "Malformed",
    "MarkLeast",
    "MarkZeros",
    "OneHot",
    "Op",
    "Operand",
    "Phase",
    "ReadColumn",
    "ReadFirst",
    "ReadLeast",
    "ReadRow",
    "ReadX",
    "Repeat",
    "RoundFlag",
    "RoundPosition",
    "RowOf",
    "Set",
    "Subtract",
    "SubtractAt",
    "SumFrom",
    "SumTo",
    "Where",
    "WriteRow",
]
