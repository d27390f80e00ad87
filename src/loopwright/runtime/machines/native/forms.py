"""Forms: weighted sums of columns and ReLUs, kept as simple as exactness allows.

All that a layer does to a row becomes one form for each column that changes. Three identities, all
exact in floating point, do most of the work:

    relu(f) = f                 where every term of f is known to be ≥ 0
    relu(f) − relu(−f) = f      so that a signed value carried through three levels costs nothing
    relu(f) − f = relu(−f)      so that what a ReLU leaves of a value is known to have a sign

Like terms are gathered as well: what a residual adds and an MLP erases vanishes here, before any
code is made. Where all sums are exact (multiples of ε below Ω) no value changes by that; elsewhere
it saves roundings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum

from loopwright.model.layout import Scope
from loopwright.runtime.machines.native.sparse import SparseHead


class Sign(IntEnum):
    """What is known of a number before the run: the larger of two signs holds for either number."""

    ZERO = 0
    NONNEGATIVE = 1
    ANY = 2


Signs = Mapping[Scope, tuple[Sign, ...]]
"""What is known of every column: in row 0 (`Scope.SINGLE`), and at the nodes (`Scope.NODES`)."""


@dataclass(frozen=True)
class Own:
    """The entry of one column of X in the row that the form is for."""

    column: int


@dataclass(frozen=True)
class Global:
    """The entry of one column of X in row 0, wherever the form is computed."""

    column: int


@dataclass(frozen=True)
class Found:
    """What a head's attention finds for one column: σ(…) X W_V, before Ã."""

    head: SparseHead
    column: int


@dataclass(frozen=True)
class Carried:
    """What a head over Ã or Ãᵀ brings along edges to one column."""

    head: SparseHead
    column: int


Leaf = Own | Global | Found | Carried


@dataclass(frozen=True, eq=False, slots=True)
class Atom:
    """A leaf, or the ReLU of a form. One `Algebra` makes each atom only once, so atoms are compared
    by identity."""

    content: Leaf | Form
    sign: Sign


Form = Mapping[Atom, float]
"""A sum: each atom with its coefficient, which is never 0. The empty form is the number 0."""

ZERO: Form = {}


def sign_of(form: Form) -> Sign:
    """What is known of a form's sign.

    A sum of numbers ≥ 0 is ≥ 0, and it stays so if one relu(p − …) is taken away from it that the
    sum's own p outweighs. Both hold after rounding, in any order of adding: rounding is monotone.
    """
    if not form:
        return Sign.ZERO
    taken = [atom for atom, k in form.items() if k < 0]
    if any(atom.sign is Sign.ANY for atom in form) or len(taken) > 1:
        return Sign.ANY
    if not taken or _outweighed(taken[0], form):
        return Sign.NONNEGATIVE
    return Sign.ANY


def _outweighed(taken: Atom, form: Form) -> bool:
    """Whether `taken` is a relu(p − something ≥ 0), so at most p, and the form also adds that p."""
    inner = taken.content
    if form[taken] != -1.0 or not isinstance(inner, Mapping):
        return False
    above = [(atom, k) for atom, k in inner.items() if k > 0]
    if len(above) != 1 or any(atom.sign is Sign.ANY for atom in inner):
        return False
    (atom, k) = above[0]
    return form.get(atom, 0.0) >= k


def is_nonpositive(form: Form) -> bool:
    """Whether every term of a form is known to be ≤ 0."""
    return all(k < 0 and atom.sign is not Sign.ANY for atom, k in form.items())


def leaves(forms: Iterable[Form]) -> Iterator[Leaf]:
    """All leaves that the forms are computed from; some of them come more than once."""
    for form in forms:
        for atom in form:
            if isinstance(atom.content, Mapping):
                yield from leaves([atom.content])
            else:
                yield atom.content


class Algebra:
    """Makes the forms of one class of rows in one layer, and the atoms in them."""

    def __init__(self) -> None:
        self._leaves: dict[Leaf, Atom] = {}
        self._relus: dict[frozenset[tuple[Atom, float]], Atom] = {}
        self._twins: dict[Atom, Atom] = {}
        """The atom of relu(f) for that of relu(−f), where there are both."""

    def leaf(self, leaf: Leaf, sign: Sign) -> Form:
        """The form that is this leaf alone."""
        if sign is Sign.ZERO:
            return ZERO
        if leaf not in self._leaves:
            self._leaves[leaf] = Atom(leaf, sign)
        return {self._leaves[leaf]: 1.0}

    def relu(self, form: Form) -> Form:
        """The form that is the ReLU of another one."""
        if is_nonpositive(form):
            return ZERO
        if sign_of(form) is Sign.NONNEGATIVE:
            return form
        key = frozenset(form.items())
        atom = self._relus.get(key)
        if atom is None:
            atom = self._relus[key] = Atom(form, Sign.NONNEGATIVE)
            twin = self._relus.get(frozenset((inner, -k) for inner, k in form.items()))
            if twin is not None:
                self._twins[atom], self._twins[twin] = twin, atom
        return {atom: 1.0}

    def total(self, parts: Iterable[tuple[float, Form]]) -> Form:
        """Σ weight · form, simplified by the identities above."""
        total: dict[Atom, float] = {}
        for weight, form in parts:
            _add(total, weight, form)
        while self._join_pair(total) or self._flip(total):
            pass
        return total

    def without(self, form: Form, gone: Collection[Leaf]) -> Form:
        """The form where these leaves are 0."""
        parts: list[tuple[float, Form]] = []
        for atom, k in form.items():
            if isinstance(atom.content, Mapping):
                parts.append((k, self.relu(self.without(atom.content, gone))))
            elif atom.content not in gone:
                parts.append((k, {atom: 1.0}))
        return self.total(parts)

    def _join_pair(self, total: dict[Atom, float]) -> bool:
        """k·relu(f) − k·relu(−f) → k·f, once; False if there is no such pair."""
        for atom, k in total.items():
            twin = self._twins.get(atom)
            if twin is not None and total.get(twin) == -k:
                assert isinstance(atom.content, Mapping)
                del total[atom], total[twin]
                _add(total, k, atom.content)
                return True
        return False

    def _flip(self, total: dict[Atom, float]) -> bool:
        """k·relu(f) − k·f → k·relu(−f), once; False if there is no such part."""
        for atom, k in total.items():
            inner = atom.content
            if isinstance(inner, Mapping) and all(
                total.get(part) == -k * weight for part, weight in inner.items()
            ):
                del total[atom]
                for part in inner:
                    del total[part]
                _add(total, k, self.relu({part: -weight for part, weight in inner.items()}))
                return True
        return False


def _add(total: dict[Atom, float], weight: float, form: Form) -> None:
    for atom, k in form.items():
        summed = total.get(atom, 0.0) + weight * k
        if summed == 0.0:
            total.pop(atom, None)
        else:
            total[atom] = summed
