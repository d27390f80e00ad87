"""Formulas over the columns of X, built from +, − , · constant and relu.

>>> x, y = Linear.column(0), Linear.column(1)
>>> str(relu(2 * x - y) + y)
'relu(2·x0 − x1) + x1'
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Column:
    """A column of X. An unsigned one is never negative, so it passes a ReLU as it is."""

    index: int
    signed: bool = False

    depth = 0

    def __str__(self) -> str:
        return f"x{self.index}"


@dataclass(frozen=True)
class Relu:
    """max(0, of)"""

    of: Linear

    @property
    def depth(self) -> int:
        return 1 + self.of.depth

    def __str__(self) -> str:
        return f"relu({self.of})"


Atom = Column | Relu


class Linear:
    """Σ coefficient · atom, with rational coefficients; immutable, hashable."""

    __slots__ = ("_hash", "depth", "terms")

    def __init__(self, terms: Mapping[Atom, Fraction]) -> None:
        self.terms = {atom: k for atom, k in terms.items() if k}
        self.depth: int = max([atom.depth for atom in self.terms], default=0)
        self._hash: int | None = None

    @classmethod
    def column(cls, index: int, *, signed: bool = False) -> Linear:
        return cls({Column(index, signed): Fraction(1)})

    @classmethod
    def zero(cls) -> Linear:
        return cls({})

    def __add__(self, other: Linear) -> Linear:
        total = dict(self.terms)
        for atom, k in other.terms.items():
            total[atom] = total[atom] + k if atom in total else k
        return Linear(total)

    def __sub__(self, other: Linear) -> Linear:
        return self + -other

    def __neg__(self) -> Linear:
        return Linear({atom: -k for atom, k in self.terms.items()})

    def __rmul__(self, factor: Fraction | int) -> Linear:
        return Linear({atom: factor * k for atom, k in self.terms.items()})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Linear) and self.terms == other.terms

    def __hash__(self) -> int:
        """Found when it is asked for: most sums are only a part of the next one."""
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    @property
    def nonnegative(self) -> bool:
        """Whether it can be seen to be ≥ 0: positive multiples of what is never negative."""
        return all(
            k > 0 and not (isinstance(atom, Column) and atom.signed)
            for atom, k in self.terms.items()
        )

    def relus(self) -> Iterator[Relu]:
        """Every ReLU in it, those inside of others included."""
        for atom in self.terms:
            if isinstance(atom, Relu):
                yield atom
                yield from atom.of.relus()

    def __str__(self) -> str:
        return self.text(str)

    def text(self, called: Callable[[Atom], str]) -> str:
        """The formula, its atoms called as they are to be called."""
        text = ""
        for atom, k in self.terms.items():
            size = str(k).removeprefix("-")
            minus = k.numerator < 0
            sign = ("− " if minus else "") if not text else (" − " if minus else " + ")
            text += sign + ("" if size == "1" else f"{size}·") + called(atom)
        return text or "0"


def relu(of: Linear) -> Linear:
    """max(0, of)"""
    return Linear({Relu(of): Fraction(1)})


def clip(of: Linear, one: Linear) -> Linear:
    """min(1, max(0, of)) = 1 − relu(1 − relu(of)), where `one` is the bias of the row.

    Exactly 1 as soon as `of` ≥ 1, however large, and exactly 0 as soon as `of` ≤ 0: no digit of
    `of` reaches the result. (r − relu(r − 1) is the same function, but exact for r < 2⁵³ only.)
    In a row whose bias is 0 the result is 0.
    """
    return one - relu(one - relu(of))
