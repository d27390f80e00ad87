"""The vocabulary: every op, with what it takes, how it prints, and what is true of it.

In reading order:

    kinds       the kinds and scopes of operands, by short names
    rowwise     row by row: arithmetic, comparisons, flags
    attending   what all ops below have in common: they read other rows, or the graph
    everyone    one for all: what every node is told, or asked
    positions   a position points at a node: reading and writing there
    finding     nodes found by what they hold: the least, the first, those with a key
    edges       sums along edges
    choosing    every node chooses the best of its edges
    retracing   every node finds the edge by which a number came about

`language.op` says what each class attribute means. To add an op, declare it in the file of its idea
and name it here, say what it means in `language.meaning`, give it weights in `compiler.lower` and a
strategy in `tests/strategies.py`: tests run over `ALL` and fail until all of that exists.
"""

from __future__ import annotations

from loopwright.language.op import DECLARED, Op, Phase
from loopwright.language.ops import (
    choosing,
    edges,
    everyone,
    finding,
    positions,
    retracing,
    rowwise,
)
from loopwright.language.ops.attending import Attending
from loopwright.language.ops.choosing import (
    Choosing,
    HeaviestFrom,
    HeaviestTo,
    LeastFrom,
    LeastTo,
    NearestFrom,
    NearestTo,
)
from loopwright.language.ops.edges import AddFrom, AddTo, ColumnOf, RowOf, SumFrom, SumTo
from loopwright.language.ops.everyone import AllOne, Everywhere, Repeat
from loopwright.language.ops.finding import Gather, LeastWhereEqual, MarkLeast, ReadFirst, ReadLeast
from loopwright.language.ops.positions import (
    OneHot,
    ReadColumn,
    ReadRow,
    ReadX,
    RoundPosition,
    SubtractAt,
    WriteRow,
)
from loopwright.language.ops.retracing import (
    HeaviestViaFrom,
    HeaviestViaTo,
    LeastViaFrom,
    LeastViaTo,
    NearestViaFrom,
    NearestViaTo,
)
from loopwright.language.ops.rowwise import (
    Add,
    Between,
    Copy,
    Difference,
    Equal,
    Increment,
    LessOrEqual,
    LessThan,
    MarkZeros,
    Maximum,
    Minimum,
    Multiply,
    RoundFlag,
    Set,
    Subtract,
    Where,
)

FILES = (rowwise, everyone, positions, finding, edges, choosing, retracing)
"""In reading order, which is the order of the ops."""
ALL: tuple[type[Op], ...] = tuple(
    op for file in FILES for op in DECLARED if op.__module__ == file.__name__
)
"""Every op. Tests run over it."""

__all__ = [
    "ALL",
    "Add",
    "AddFrom",
    "AddTo",
    "AllOne",
    "Attending",
    "Between",
    "Choosing",
    "ColumnOf",
    "Copy",
    "Difference",
    "Equal",
    "Everywhere",
    "Gather",
    "HeaviestFrom",
    "HeaviestTo",
    "HeaviestViaFrom",
    "HeaviestViaTo",
    "Increment",
    "LeastFrom",
    "LeastTo",
    "LeastViaFrom",
    "LeastViaTo",
    "LeastWhereEqual",
    "LessOrEqual",
    "LessThan",
    "MarkLeast",
    "MarkZeros",
    "Maximum",
    "Minimum",
    "Multiply",
    "NearestFrom",
    "NearestTo",
    "NearestViaFrom",
    "NearestViaTo",
    "OneHot",
    "Op",
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
