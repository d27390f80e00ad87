"""Attention patterns: which rows find each other, as a pair of query and key maps.

A head is a pattern, what it reads through (I, Ã or Ãᵀ), and a value map column → column. All value
maps over one pattern share one head. The self head comes first, so that its clearing of a target
(X − X = 0, exactly) precedes what another head brings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import get_args

from loopwright.compiler.assemble import Entries
from loopwright.language.variables import B_GLOBAL, B_LOCAL, OWN_INDEX, OWN_SQUARE, POSITIONS
from loopwright.model.limits import SHARPNESS, SHARPNESS_OF_NUMBERS, Constants
from loopwright.model.weights import Over

QUERY_WIDTH = 2
"""d_a at least: a position has two coordinates, and only edge heads have patterns of more."""
EDGE = -1
"""In the place of a column: the weight of the edge, which an edge head sees beside a row."""
RANKS: tuple[Over, ...] = get_args(Over)
"""The order of heads in a layer."""


CORNERS = [(Fraction(corner, 4), side) for corner, side in ((3, 1), (1, -1), (-1, -1), (-3, 1))]
"""Where the hinges of a cut have their corners, and which way they turn."""


Terms = dict[tuple[int, int], Fraction | int]
"""(column, coordinate) → weight."""


@dataclass(frozen=True)
class Pattern:
    """Query and key maps, ((column, coordinate), weight), and which scores count as equal."""

    query: tuple[tuple[tuple[int, int], Fraction], ...]
    key: tuple[tuple[tuple[int, int], Fraction], ...]
    tie_tolerance: Fraction
    temperature: Fraction
    hinges: tuple[Fraction, ...] = ()
    """The weights of the first coordinates, if these are hinges."""

    @property
    def size(self) -> int:
        """d_a: how many coordinates it needs."""
        return max(QUERY_WIDTH, *(coordinate + 1 for (_, coordinate), _ in self.query))


@dataclass(frozen=True)
class Cut:
    """What parts the nodes: those with the same whole number are on one side."""

    number: int
    """The column that it is in."""
    wall: Fraction
    """How much less an edge scores that does not cross the cut; a power of two."""


@dataclass(frozen=True)
class Biases:
    """The constant columns that patterns are made of."""

    b_global: int
    b_local: int
    position: int | None
    """The first of the two columns of P, where rows have positions; else they have numbers."""
    own_index: int | None
    own_square: int | None

    @classmethod
    def among(cls, columns: Mapping[str, int]) -> Biases:
        """Those that have columns."""
        of_rows = (POSITIONS, OWN_INDEX, OWN_SQUARE)
        b_global, b_local = (columns[v.name] for v in (B_GLOBAL, B_LOCAL))
        return cls(b_global, b_local, *(columns.get(v.name) for v in of_rows))


@dataclass
class Patterns:
    """The patterns of P, over a layout's constant columns."""

    biases: Biases
    constants: Constants

    def _pattern(
        self,
        query: Mapping[tuple[int, int], int | Fraction],
        key: Mapping[tuple[int, int], int | Fraction],
        *,
        gap: Fraction | int | None = None,
        hinges: Sequence[Fraction] = (),
    ) -> Pattern:
        """Unequal scores differ by `gap` at least; by 1 − cos δ̂ if they are of positions.

        Half of it is the largest tolerance, and the best: with scores that are off by less than a
        quarter, what should tie still does, and nothing else.
        """
        tolerance, temperature = self.constants.tie_tolerance, self.constants.temperature
        sharpness = SHARPNESS if self.biases.position is not None else SHARPNESS_OF_NUMBERS
        return Pattern(
            tuple((at, Fraction(k)) for at, k in query.items()),
            tuple((at, Fraction(k)) for at, k in key.items()),
            tolerance if gap is None else Fraction(gap) / 2,
            temperature if gap is None else min(temperature, Fraction(gap) / sharpness),
            tuple(hinges),
        )

    def self(self) -> Pattern:
        """Every row finds itself: the attention matrix is I. [P Eq. read_clear]

        Row 0 shows p₀ and node i shows pᵢ, all of length 1, so ⟨pᵢ, pᵢ⟩ = 1 is the only maximum.
        Where rows have numbers, each asks for its own.
        """
        b = self.biases
        if b.position is None:
            assert b.own_index is not None
            return self.numbered(b.own_index)
        own = {(b.position, 0): 1, (b.position + 1, 1): 1, (b.b_global, 1): 1}
        return self._pattern(own, own)

    def pointed(self, position: int) -> Pattern:
        """Row 0 and the node that `position` names find each other, ½ and ½. [P Eq. attn_read]

        Row 0 shows the position it holds, node i shows pᵢ. Other nodes find themselves. If the
        position is p₀, row 0 finds itself alone.
        """
        p = self.biases.position
        assert p is not None, "whoever moves positions has some"
        shown = {(p, 0): 1, (p + 1, 1): 1, (position, 0): 1, (position + 1, 1): 1}
        return self._pattern(shown, shown)

    def from_global(self) -> Pattern:
        """Every row finds row 0: score 1 there, 0 elsewhere. [P Eq. repeat_n]"""
        b = self.biases
        return self._pattern({(b.b_global, 0): 1, (b.b_local, 0): 1}, {(b.b_global, 0): 1}, gap=1)

    def mean_of_nodes(self) -> Pattern:
        """Row 0 finds all nodes, 1/n each; nodes find row 0. [P Eq. attention_matrix_term]"""
        b = self.biases
        return self._pattern(
            {(b.b_global, 0): 1, (b.b_local, 0): -1},
            {(b.b_global, 0): -1, (b.b_local, 0): 1},
            gap=2,
        )

    def all_nodes(self) -> Pattern:
        """Every node finds all nodes, 1/n each; row 0 finds itself."""
        b = self.biases
        own = {(b.b_local, 0): 1, (b.b_global, 1): 1}
        return self._pattern(own, own, gap=1)

    def pick(
        self,
        keys: Mapping[int, Fraction | int],
        *,
        row_0: Fraction | int,
        gap: Fraction | int,
    ) -> Pattern:
        """Every node finds the nodes whose key is largest, a sum of multiples of columns.

        Row 0 offers the key `row_0`, and finds itself: the nodes ask for the first coordinate, row
        0 for the second. Unequal keys differ by at least `gap`.
        """
        b = self.biases
        return self._pattern(
            {(b.b_local, 0): 1, (b.b_global, 1): 1},
            {(column, 0): k for column, k in keys.items()}
            | {(b.b_global, 0): row_0, (b.b_global, 1): 1},
            gap=gap,
        )

    def numbered(self, number: int) -> Pattern:
        """Every row finds the row of the number t that it holds in a column, and row 0 itself.

        It asks with (t, 1), and row j, whose number is j, answers (2j, −j²). So the score is
        t² − (t − j)²: it has one maximum, where j is nearest to t, and others are less by 1 at
        least. In row 0 all of these columns are 0, so that it has the number 0.
        """
        b = self.biases
        assert b.own_index is not None
        assert b.own_square is not None
        return self._pattern(
            {(number, 0): 1, (b.b_local, 1): 1, (b.b_global, 1): 1},
            {(b.own_index, 0): 2, (b.own_square, 1): -1},
            gap=1,
        )

    def matching(
        self,
        *,
        number: int,
        square: int,
        key: int,
        key_square: int,
        weight: Fraction,
        among_equals: Mapping[int, Fraction],
        gap: Fraction,
    ) -> Pattern:
        """Every node finds the nodes whose key is the number that it holds, and of those the ones
        that a sum of columns prefers; or row 0, if there are none. Row 0 finds itself.

        With t for the number and k for a key, it asks with (t, 1, t², 1) and is answered
        (2W·k, −W·k², −W, sum): −W·(t − k)² and the sum. Coordinates are added in their order, so
        that the squares cancel before the sum is added. Row 0 offers −W/2, whatever t is.
        """
        b = self.biases
        query = {(number, 0): 1, (b.b_local, 1): 1, (square, 2): 1, (b.b_local, 3): 1}
        answer = {(key, 0): 2 * weight, (key_square, 1): -weight, (b.b_local, 2): -weight}
        answer |= {(column, 3): k for column, k in among_equals.items()}
        itself = {(b.b_global, 4): 1}
        return self._pattern(
            query | itself, answer | {(b.b_global, 3): -weight / 2} | itself, gap=gap
        )

    def least_edge(
        self,
        keys: Mapping[int, Fraction | int],
        *,
        cut: Cut | None,
        row_0: Fraction | int,
        gap: Fraction | int,
    ) -> Pattern:
        """In an edge head: every node finds the edges whose key is largest, a sum of multiples of
        the columns at its other end and of its weight. Row 0 offers the key `row_0`."""
        b = self.biases
        query, answered, hinges = self._across(cut)
        at = len(hinges)
        answered |= {(column, at): k for column, k in keys.items()} | {(b.b_global, at): row_0}
        return self._pattern(query | {(b.b_local, at): 1}, answered, gap=gap, hinges=hinges)

    def _across(self, cut: Cut | None) -> tuple[Terms, Terms, list[Fraction]]:
        """The hinges that put edges behind a wall unless they cross a cut, if there is one: what is
        asked, what is answered, and their weights.

        With δ for what the numbers at the two ends differ by, 2(relu(δ + ¾) − relu(δ + ¼) −
        relu(δ − ¼) + relu(δ − ¾)) is 1 where |δ| ≤ ¼, and 0 where |δ| ≥ ¾. It comes first, so that
        it has cancelled before anything is added. Row 0 answers −1, so that it is behind no wall.
        """
        asked: Terms = {}
        answered: Terms = {}
        if cut is None:
            return asked, answered, []
        for c, (corner, _) in enumerate(CORNERS):
            asked[self.biases.b_local, c] = corner
            asked[cut.number, c] = asked.get((cut.number, c), 0) + 1
            answered |= {(cut.number, c): -1, (self.biases.b_global, c): 1}
        return asked, answered, [-2 * cut.wall * side for _, side in CORNERS]

    def way(
        self,
        path: int,
        sums: Mapping[int, Fraction | int],
        others: Mapping[int, Fraction | int],
        *,
        cut: Cut | None,
        weight: Fraction,
        row_0: Fraction | int,
    ) -> Pattern:
        """In an edge head: every node finds the edge whose sum is its path, and of those the one
        that the others prefer; row 0 offers `row_0`, if there is none.

        It asks with (path, 1, 1), and is answered (weight, −weight · sum, others). Coordinates are
        added in this order: where the first two cancel, they do so before the last is added.
        """
        b = self.biases
        query, answered, hinges = self._across(cut)
        at = len(hinges)
        query |= {(path, at): 1, (b.b_local, at + 1): 1, (b.b_local, at + 2): 1}
        answered |= {(b.b_local, at): weight, (b.b_global, at + 2): row_0}
        answered |= {(column, at + 1): -weight * k for column, k in sums.items()}
        answered |= {(column, at + 2): k for column, k in others.items()}
        return self._pattern(query, answered, gap=1, hinges=hinges)

    def marked(self, flags: int) -> Pattern:
        """Row 0 finds the one node whose flag is set, or itself if none is.

        Row 0 asks with 1; a marked node answers 1, row 0 itself ½, others 0. Nodes ask with 0 and
        find everything equally; what they get must not be used.
        """
        b = self.biases
        return self._pattern(
            {(b.b_global, 0): 1},
            {(flags, 0): 1, (b.b_global, 0): Fraction(1, 2)},
            gap=Fraction(1, 2),
        )


@dataclass
class Attention:
    """Collects what one layer's heads move from column to column."""

    patterns: Patterns
    heads: dict[tuple[Pattern, Over], Entries] = field(
        default_factory=dict["tuple[Pattern, Over]", Entries]
    )
    op: str = ""
    """The op that asks for what is moved now."""
    asked: dict[tuple[Pattern, Over], list[tuple[str, int, int, bool]]] = field(
        default_factory=dict["tuple[Pattern, Over]", "list[tuple[str, int, int, bool]]"]
    )
    """Head → what it moves: for which op, from which column to which, and whether that clears."""

    def move(
        self,
        pattern: Pattern,
        source: int,
        target: int,
        weight: Fraction | int = 1,
        *,
        over: Over = "I",
        clears: bool = False,
    ) -> None:
        """X[:, target] += weight · (pattern, read through `over`) X[:, source]"""
        value = self.heads.setdefault((pattern, over), {})
        value[source, target] = value.get((source, target), Fraction(0)) + weight
        self.asked.setdefault((pattern, over), []).append((self.op, source, target, clears))

    def clear(self, target: int) -> None:
        """X[:, target] −= X[:, target], in every row."""
        self.move(self.patterns.self(), target, target, -1, clears=True)

    def ordered(self) -> list[tuple[Pattern, Over, Entries]]:
        """Self head first, standard heads before those that read the graph."""
        return [(*head, self.heads[head]) for head in self._order()]

    def moves(self) -> list[list[tuple[str, int, int, bool]]]:
        """What each head was asked to move, in the same order."""
        return [self.asked[head] for head in self._order()]

    def _order(self) -> list[tuple[Pattern, Over]]:
        first = (self.patterns.self(), "I")

        def rank(head: tuple[Pattern, Over]) -> tuple[bool, int]:
            return (head != first, RANKS.index(head[1]))

        return sorted(self.heads, key=rank)
