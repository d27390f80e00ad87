"""Lines of whole numbers, and a weight → columns, all at once: millions of edges in seconds.

Most large files are this plain: every line has as many fields, labels are whole numbers as one
writes them (7, not 07), weights have digits and at most a point. Of any other file these functions
say None, and the reader of its format goes through it line by line, with all that it can name.
"""

# pyarrow has no complete types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from loopwright.model.limits import MANTISSA
from loopwright.runtime.arcs import Rows, SoundParts
from loopwright.runtime.edge_columns import sorted_parts

LINE_BREAK, POINT, ZERO, NINE = b"\n.09"
BLANKS = b" \t"
LONGEST = 15
"""Digits of a number that is read so: floats hold all of these."""


class Columns(NamedTuple):
    """Tails, heads, and the weights as floats that are exactly what is written; or 1."""

    tails: Rows
    heads: Rows
    weights: NDArray[np.float64]


def read_columns(
    content: bytes,
    *,
    delimiters: bytes = BLANKS,
    order: tuple[int, int, int] = (0, 1, 2),
    nearest: bool = False,
) -> Columns | None:
    """The columns of a text, if it is plain; `order` says which fields are tail, head and weight.

    With `nearest`, a weight may be one that floats only come near, as Matrix Market has it.
    """
    if not content:
        return None
    if content[-1] != LINE_BREAK:
        content += b"\n"
    text = np.frombuffer(content, np.uint8)
    fields = 1 + sum(text[: content.index(b"\n")].tobytes().count(d) for d in delimiters)
    if fields not in (2, 3):
        return None
    tokens = _Tokens.of(text, delimiters, fields)
    weighted = fields == 3
    if tokens is None or not tokens.are_plain(order[2] if weighted else None):
        return None
    numbers = _numbers(content, delimiters, fields)
    tails, heads = (numbers[i].astype(np.int64) for i in order[:2])
    if not weighted:
        return Columns(tails, heads, np.ones(len(tails)))
    weights = np.ascontiguousarray(numbers[order[2]], np.float64)
    if not (weights.min() > 0 and (nearest or tokens.floats_hold(weights, order[2]))):
        return None
    return Columns(tails, heads, weights)


def _numbers(content: bytes, delimiters: bytes, fields: int) -> list[NDArray[Any]]:
    """The columns of a text that is known to be plain, by pyarrow where it is installed, which is
    several times as fast."""
    single = [d for d in delimiters if content.find(d) >= 0]
    if find_spec("pyarrow") is None or len(single) != 1:
        plain = content.translate(bytes.maketrans(delimiters, b" " * len(delimiters)))
        table = np.fromstring(plain.decode("ascii"), sep=" ").reshape(-1, fields)
        return [table[:, i] for i in range(fields)]
    import pyarrow as pa  # type: ignore[import-untyped]
    import pyarrow.csv as pc  # type: ignore[import-untyped]

    read = pc.read_csv(
        pa.BufferReader(content),
        pc.ReadOptions(autogenerate_column_names=True),
        pc.ParseOptions(delimiter=chr(single[0]), quote_char=False),
        pc.ConvertOptions(column_types={f"f{i}": pa.float64() for i in range(fields)}),
    )
    return [read.column(i).to_numpy() for i in range(fields)]


class _Tokens(NamedTuple):
    """Where the fields of a text begin and end."""

    text: NDArray[np.uint8]
    begins: NDArray[np.int64]
    lengths: NDArray[np.int64]
    points: NDArray[np.int64]
    """Where there are points."""
    fields: int

    @classmethod
    def of(cls, text: NDArray[np.uint8], delimiters: bytes, fields: int) -> _Tokens | None:
        """None unless every line has as many fields, and these are digits and points."""
        digit = (text >= ZERO) & (text <= NINE)
        points, ends = np.flatnonzero(text == POINT), np.flatnonzero(~digit & (text != POINT))
        if len(ends) % fields:
            return None
        separators = text[ends].reshape(-1, fields)
        between = np.isin(separators[:, :-1], np.frombuffer(delimiters, np.uint8))
        if not ((separators[:, -1] == LINE_BREAK).all() and between.all()):
            return None
        begins = np.concatenate([[0], ends[:-1] + 1])
        return cls(text, begins, ends - begins, points, fields)

    def are_plain(self, weight: int | None) -> bool:
        """Whether labels are whole numbers as one writes them, and weights have one point at most,
        with a digit before it and behind it."""
        if not (self.lengths.min() >= 1 and self.lengths.max() <= LONGEST):
            return False
        zero_first = (self.text[self.begins] == ZERO) & (self.lengths > 1)
        for field in range(self.fields):
            if field != weight and zero_first[field :: self.fields].any():
                return False
        of = self._token_of_point()
        inside = (self.points > self.begins[of]) & (
            self.points < self.begins[of] + self.lengths[of] - 1
        )
        return bool(inside.all() and (of % self.fields == weight).all() and (np.diff(of) > 0).all())

    def _token_of_point(self) -> NDArray[np.int64]:
        return np.searchsorted(self.begins, self.points, side="right") - 1

    def floats_hold(self, weights: NDArray[np.float64], field: int) -> bool:
        """Whether floats are exactly what is written: N/10ᵏ is one just if 5ᵏ divides N."""
        of = self._token_of_point()
        places = self.begins[of] + self.lengths[of] - 1 - self.points
        if not len(places):
            return bool(weights.max() < 2.0**MANTISSA)
        whole = np.rint(weights[of // self.fields] * 10.0**places)
        if not whole.max() < 2.0**MANTISSA:
            return False
        return not (whole.astype(np.int64) % 5**places).any()


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
