"""Heads that find rows by whole numbers: recognised by their weights, and why they need no search.

Numbered. A row asks with (t, 1), and row j, whose number is j, answers (2j, −j²). The score is
t² − (t − j)², in whole numbers that floats hold as long as 2·rows² ≤ 2⁵³. So if t is a whole number
of a row, that row scores best, and every other at least 1 less.

Matched. A row asks with (t, 1, t², 1), and a row with the key k answers (2W·k, −W·k², −W, u): the
score is −W·(t − k)² + u. With W a power of two and all of these whole numbers, the first three
cancel exactly where k = t, and else come to −W at most. Row 0, whose answers are 0 but for a score
z, is found where nothing better is. If every u is less than z + W by more than the head's reach, no
row with another key gets attention; so rows are put into a bucket for each key, and a row looks
into the bucket of its number: O(rows) in the place of O(rows²).

Which columns hold numbers, squares and ones is read off the weights; whether they do so, `survey`
checks on X₀ where they never change, and the code itself wherever they do.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import frexp

from loopwright.runtime.machines.native.sparse import SparseHead, Sum

MOST_ROWS = 2**26
"""2·rows² ≤ 2⁵³."""


@dataclass(frozen=True)
class Numbering:
    """The columns of a numbered head."""

    asked: int
    number: int
    square: int
    ones: Sum

    @property
    def columns(self) -> set[int]:
        """Those that must not change, so that rows are numbered."""
        return {self.number, self.square, *(column for column, _ in self.ones)}


def numbering(head: SparseHead) -> Numbering | None:
    """The columns, if its weights are those of a numbered head."""
    if head.softmax or head.reach >= 1 or head.chooses or len(head.query) != 2:
        return None
    (ask, ones), (twice, less) = head.query, head.key
    if not (len(ask) == len(twice) == len(less) == 1 and ask[0][1] == 1.0):
        return None
    if twice[0][1] != 2.0 or less[0][1] != -1.0 or any(k != 1.0 for _, k in ones):
        return None
    return Numbering(ask[0][0], twice[0][0], less[0][0], ones)


@dataclass(frozen=True)
class Matching:
    """The columns of a matched head."""

    asked: int
    asked_square: int
    key: int
    key_square: int
    local: int
    """1 at the nodes, 0 in row 0."""
    single: int
    """1 in row 0, 0 at the nodes."""
    weight: float

    @property
    def columns(self) -> set[int]:
        """Those that must not change."""
        return {self.local, self.single}


def matching(head: SparseHead) -> Matching | None:
    """The columns, if its weights are those of a matched head."""
    if head.softmax or head.chooses or len(head.query) != 5:
        return None
    alone = [*head.query, *head.key[:3], head.key[4]]
    if any(len(weights) != 1 for weights in alone):
        return None
    (t, t_k), (one, one_k), (t2, t2_k), (also, also_k), (zero, zero_k) = (q[0] for q in head.query)
    (k, k_k), (k2, k2_k), (there, there_k) = (part[0] for part in head.key[:3])
    weight = -k2_k
    fits = (
        (t_k, one_k, t2_k, also_k, zero_k) == (1.0,) * 5
        and one == also == there
        and head.key[4] == ((zero, 1.0),)
        and (k_k, there_k) == (2 * weight, -weight)
        and weight > 0
        and frexp(weight)[0] == 0.5
        and one not in dict(head.key[3])
    )
    return Matching(t, t2, k, k2, one, zero, weight) if fits else None
