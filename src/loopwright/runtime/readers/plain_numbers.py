"""Lines of whole numbers, and a weight → columns, all at once: millions of edges in seconds.

Most large files are this plain: every line has as many fields, labels are whole numbers as one
writes them (7, not 07), weights have digits and at most a point, and some an exponent. Of any other
file these functions say None, and the reader of its format goes through it line by line, with all
that it can name.
"""

# pyarrow has no complete types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from loopwright.runtime.arcs import Rows, SoundParts
from loopwright.runtime.decimals import MOST_DIGITS, MOST_PLACES, floats_or_decimals
from loopwright.runtime.edge_columns import sorted_parts
from loopwright.runtime.edge_weights import EdgeWeights

LINE_BREAK, POINT, ZERO, NINE = b"\n.09"
BLANKS = b" \t"
UNUSUAL = b"eE+-"
"""Bytes of signs and exponents."""
SCIENTIFIC = re.compile(rb"\+?(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,3}))?")
"""A weight that may have these, of no absurd length."""


class Columns(NamedTuple):
    """Tails, heads, and the weights exactly as they are written; or 1."""

    tails: Rows
    heads: Rows
    weights: EdgeWeights


def read_columns(
    content: bytes,
    *,
    delimiters: bytes = BLANKS,
    order: tuple[int, int, int] = (0, 1, 2),
) -> Columns | None:
    """The columns of a text, if it is plain; `order` names the fields of tail, head and weight."""
    if not content:
        return None
    if content[-1] != LINE_BREAK:
        content += b"\n"
    first = content[: content.index(b"\n")]
    fields = 1 + sum(map(first.count, delimiters))
    weight = order[2] if fields == 3 else None
    tokens = _Tokens.of(content, delimiters, fields) if fields in (2, 3) else None
    unusual = None if tokens is None else tokens.read_unusual(weight)
    if tokens is None or unusual is None:
        return None
    tokens = tokens.without_unusual()
    if not tokens.are_plain(weight):
        return None
    # Without its point, a decimal is a whole number.
    numbers = _numbers(tokens.text.tobytes().translate(None, b"."), delimiters, fields)
    tails, heads = (numbers[i] for i in order[:2])
    if weight is None:
        return Columns(tails, heads, np.ones(len(tails)))
    mantissas, places = numbers[weight], tokens.places(weight)
    lines = tokens.unusual // fields
    mantissas[lines], places[lines] = unusual.T
    if not mantissas.min() > 0:
        return None
    return Columns(tails, heads, floats_or_decimals(mantissas, places))


def _numbers(content: bytes, delimiters: bytes, fields: int) -> list[NDArray[np.int64]]:
    """The columns of a text that is known to be of whole numbers, by pyarrow where it is installed,
    which is several times as fast."""
    single = [d for d in delimiters if content.find(d) >= 0]
    if find_spec("pyarrow") is None or len(single) != 1:
        plain = content.translate(bytes.maketrans(delimiters, b" " * len(delimiters)))
        table = np.fromstring(plain.decode("ascii"), np.int64, sep=" ").reshape(-1, fields)
        return [table[:, i].copy() for i in range(fields)]
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.csv as pc  # type: ignore[import-untyped]

    read = pc.read_csv(
        pa.BufferReader(content),
        pc.ReadOptions(autogenerate_column_names=True),
        pc.ParseOptions(delimiter=chr(single[0]), quote_char=False),
        pc.ConvertOptions(column_types={f"f{i}": pa.int64() for i in range(fields)}),
    )
    return [read.column(i).to_numpy().copy() for i in range(fields)]


class _Tokens(NamedTuple):
    """Where the fields of a text begin and end."""

    text: NDArray[np.uint8]
    begins: NDArray[np.int64]
    lengths: NDArray[np.int64]
    fields: int
    points: NDArray[np.int64]
    """Where there are points …"""
    of_points: NDArray[np.int64]
    """… and in which fields."""
    unusual: NDArray[np.int64]
    """The long fields, and those with a sign or an exponent: few, in most files."""

    @classmethod
    def of(cls, content: bytes, delimiters: bytes, fields: int) -> _Tokens | None:
        """None unless every line has as many fields, and these are of what numbers consist of."""
        text = np.frombuffer(content, np.uint8)
        points = text == POINT
        inside = (text >= ZERO) & (text <= NINE) | points
        signs = np.empty(0, np.int64)
        if there := [byte for byte in UNUSUAL if content.find(byte) >= 0]:
            signs = np.flatnonzero(np.isin(text, there))
            inside[signs] = True
        ends = np.flatnonzero(~inside)
        if len(ends) % fields:
            return None
        separators = text[ends].reshape(-1, fields)
        between = np.isin(separators[:, :-1], np.frombuffer(delimiters, np.uint8))
        if not ((separators[:, -1] == LINE_BREAK).all() and between.all()):
            return None
        begins = np.concatenate([[0], ends[:-1] + 1])
        points = np.flatnonzero(points)
        of_points, of_signs = (
            begins.searchsorted(places, side="right") - 1 for places in (points, signs)
        )
        lengths = ends - begins
        unusual = np.union1d(of_signs, np.flatnonzero(lengths > MOST_DIGITS + 1))
        return cls(text, begins, lengths, fields, points, of_points, unusual)

    def read_unusual(self, weight: int | None) -> NDArray[np.int64] | None:
        """Mantissa and places of each unusual field; None if one is no weight, or too long."""
        if len(self.unusual) and (weight is None or (self.unusual % self.fields != weight).any()):
            return None
        begins, lengths = self.begins[self.unusual], self.lengths[self.unusual]
        read = np.empty((len(begins), 2), np.int64)
        for i, (begin, length) in enumerate(zip(begins.tolist(), lengths.tolist(), strict=True)):
            number = _scientific(self.text[begin : begin + length].tobytes())
            if number is None:
                return None
            read[i] = number
        return read

    def without_unusual(self) -> _Tokens:
        """The same with 0 in place of each unusual field: points, which nobody reads, and a 0."""
        if not len(self.unusual):
            return self
        text, begins, lengths = self.text.copy(), self.begins.copy(), self.lengths.copy()
        at, count = begins[self.unusual], lengths[self.unusual]
        text[np.repeat(at - np.cumsum(count) + count, count) + np.arange(count.sum())] = POINT
        text[at + count - 1] = ZERO
        begins[self.unusual], lengths[self.unusual] = at + count - 1, 1
        usual = ~np.isin(self.of_points, self.unusual)
        points, of_points = self.points[usual], self.of_points[usual]
        return self._replace(
            text=text, begins=begins, lengths=lengths, points=points, of_points=of_points
        )

    def are_plain(self, weight: int | None) -> bool:
        """Whether labels are whole numbers as one writes them, and weights have one point at most,
        with a digit before it and behind it."""
        digits = self.lengths.copy()
        digits[self.of_points] -= 1
        if not (digits.min() >= 1 and digits.max() <= MOST_DIGITS):
            return False
        zero_first = (self.text[self.begins] == ZERO) & (self.lengths > 1)
        for field in range(self.fields):
            if field != weight and zero_first[field :: self.fields].any():
                return False
        of, first = self.of_points, self.begins[self.of_points]
        inside = (self.points > first) & (self.points < first + self.lengths[of] - 1)
        return bool(inside.all() and (of % self.fields == weight).all() and (np.diff(of) > 0).all())

    def places(self, weight: int) -> NDArray[np.int64]:
        """How many digits each weight has behind its point."""
        behind = np.zeros(len(self.begins) // self.fields, np.int64)
        of = self.of_points
        behind[of // self.fields] = self.begins[of] + self.lengths[of] - 1 - self.points
        return behind


def _scientific(text: bytes) -> tuple[int, int] | None:
    """Mantissa and places of a number, with exponent or without; None if they are too many."""
    found = SCIENTIFIC.fullmatch(text)
    if found is None:
        return None
    whole, part, exponent = found.groups(b"")
    mantissa, places = int(whole + part), len(part) - int(exponent or 0)
    if -MOST_DIGITS <= places < 0:
        mantissa, places = mantissa * 10**-places, 0
    fits = mantissa < 10**MOST_DIGITS and 0 <= places <= MOST_PLACES
    return (mantissa, places) if fits else None


def parts_of_text_labels(columns: Columns, most_nodes: int, most_edges: int) -> SoundParts | None:
    """A graph whose labels are these numbers as text, in the order in which they are first met;
    None if there are more nodes or edges than these."""
    met = np.stack(columns[:2], axis=1).reshape(-1)
    largest = int(met.max())
    if len(columns.tails) > most_edges or largest > 8 * len(met) + 1024:
        return None
    first = np.full(largest + 1, len(met), np.int64)
    first[met[::-1]] = np.arange(len(met) - 1, -1, -1)  # of several, the last to be written counts
    known = np.flatnonzero(first < len(met))
    labels = known[np.argsort(first[known])]
    if len(labels) > most_nodes:
        return None
    row = np.empty(largest + 1, np.int64)
    row[labels] = np.arange(len(labels))
    names = tuple(map(str, labels.tolist()))
    return sorted_parts(names, row[columns.tails], row[columns.heads], columns.weights)
