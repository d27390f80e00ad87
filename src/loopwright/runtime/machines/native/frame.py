"""The frame of a run: what machine code and Python must agree on.

It is a list of addresses and sizes, the one thing that machine code is given. Nothing here needs
LLVM, which is imported only where code has to be made.
"""

from __future__ import annotations

from enum import IntEnum, auto

from loopwright.model.weights import Over

LANES = 8
"""How many rows are worked on at a time, as a pack."""
PACK_BYTES = 8 * LANES


class Slot(IntEnum):
    """What the frame of a run holds, 8 bytes each: addresses of arrays, then sizes."""

    ROW_ZERO = 0
    """Row 0 of X, one number for each column."""
    COLUMNS = auto()
    """The other rows of X: column 0, and `PITCH` numbers further on column 1, and so on. After X's
    columns come those of scratch, for what heads find and carry within one layer; before them is,
    for each survey, every node's best score among the nodes. A column begins with a pack of which
    only the last number is used, for row 0, and only in scratch. Then come the nodes."""
    STARTS = auto()
    """Stored attention in compressed rows: for each survey, where each node's entries start, …"""
    ENDS = auto()
    """… which node each entry is about, …"""
    TERMS = auto()
    """… and that node's score, or under softmax its term."""
    TAILS = auto()
    """The edges as the problem lists them: the rows that they leave, …"""
    HEADS = auto()
    """… those that they enter, …"""
    WEIGHTS = auto()
    """… and their weights."""
    BY_TAIL_STARTS = auto()
    """Ã in compressed rows, by the row that an edge leaves: starts, other ends, weights …"""
    BY_TAIL_ENDS = auto()
    BY_TAIL_WEIGHTS = auto()
    BY_HEAD_STARTS = auto()
    """… and the same by the row that it enters."""
    BY_HEAD_ENDS = auto()
    BY_HEAD_WEIGHTS = auto()
    PITCH = auto()
    """How many numbers a column takes."""
    COUNT = auto()
    """How many nodes there are: all rows but row 0."""
    PACKS = auto()
    """How many packs the nodes take."""
    EDGES = auto()
    """How many edges the problem lists."""
    SHARES = auto()
    """Into how many shares the nodes are divided, where threads can take one each."""


EDGES: dict[Over, tuple[Slot, Slot, Slot]] = {
    "A": (Slot.BY_HEAD_STARTS, Slot.BY_HEAD_ENDS, Slot.BY_HEAD_WEIGHTS),
    "AT": (Slot.BY_TAIL_STARTS, Slot.BY_TAIL_ENDS, Slot.BY_TAIL_WEIGHTS),
    "E": (Slot.BY_HEAD_STARTS, Slot.BY_HEAD_ENDS, Slot.BY_HEAD_WEIGHTS),
    "ET": (Slot.BY_TAIL_STARTS, Slot.BY_TAIL_ENDS, Slot.BY_TAIL_WEIGHTS),
}
"""Where the frame has the edges in the order that a head needs: starts, other ends, weights."""


class Flaw(IntEnum):
    """What can be the matter with edges: the bits of a number."""

    OUTSIDE = 1
    """One leads out of the rows."""
    UNSORTED = 2
    """They are not sorted by tail and head, each once; or one has weight 0, which is none."""
    UNUSUAL = 4
    """One joins row 0, or weighs less than 0."""
