"""The vocabulary: every op, with what it takes, how it prints, and what is true of it.

`language.op` says what each class attribute means. To add an op, declare it here, say what it means
in `language.meaning`, give it weights in `compiler.lower` and a strategy in `tests/strategies.py`:
tests run over `ALL` and fail until all of that exists.
"""

from __future__ import annotations

from dataclasses import replace

from loopwright.language.formulas import Comparison, Formula, Same
from loopwright.language.op import DECLARED as _DECLARED
from loopwright.language.op import (
    NUMBERS,
    Op,
    Operand,
    Phase,
    check_stored,
    is_natural,
    is_whole,
    need,
    op,
    takes,
    written,
)
from loopwright.language.variables import (
    NOBODY,
    OWN_INDEX,
    OWN_SQUARE,
    Variable,
    fits_floats,
)
from loopwright.model.layout import Kind, Scope

FLAG, VALUE, COUNT, INDEX, SQUARE, POSITION = (
    Kind.FLAG,
    Kind.VALUE,
    Kind.COUNT,
    Kind.INDEX,
    Kind.SQUARE,
    Kind.POSITION,
)
NODES, SINGLE = Scope.NODES, Scope.SINGLE

# ── row by row ──────────────────────────────────────────────────────────────────────────────────


@op
class LessThan(Op):
    """out ← a < b"""

    text = "{out} ← {a} < {b}"
    quantities = ("a", "b")
    compares = (("a", "b"),)

    out: Variable = takes(FLAG)
    a: Operand = takes(*NUMBERS, constant=True)
    b: Operand = takes(*NUMBERS, constant=True)


@op
class LessOrEqual(LessThan):
    """out ← a ≤ b"""

    text = "{out} ← {a} ≤ {b}"
    compares = (("b", "a"),)


@op
class Between(Op):
    """out ← low < value < high"""

    text = "{out} ← {low} < {value} < {high}"
    quantities = ("low", "value", "high")
    compares = (("low", "value"), ("value", "high"))

    out: Variable = takes(FLAG)
    low: Operand = takes(*NUMBERS, constant=True)
    value: Operand = takes(*NUMBERS, constant=True)
    high: Operand = takes(*NUMBERS, constant=True)


@op
class Where(Op):
    """out ← then if condition else otherwise"""

    text = "{out} ← {then} if {condition} else {otherwise}"
    quantities = ("then", "otherwise")
    selects = "condition"

    condition: Variable = takes(FLAG)
    then: Operand = takes(constant=True, stored=True)
    otherwise: Operand = takes(constant=True, stored=True)


@op
class Copy(Op):
    """out ← source"""

    text = "{out} ← {source}"
    quantities = ("source",)

    source: Operand = takes(constant=True, stored=True)


@op
class Increment(Op):
    """out ← the position after `position`"""

    text = "{out} ← next({position})"
    quantities = ("position",)
    steps = 1

    out: Variable = takes(POSITION)
    position: Variable = takes(POSITION)


@op
class MarkZeros(Op):
    """out ← value = 0, for a value that is never negative"""

    text = "{out} ← {value} = 0"
    compares = ((0, "value"),)

    out: Variable = takes(FLAG)
    value: Variable = takes(*NUMBERS, sign="unsigned")


@op
class Set(Op):
    """out ← formula of flags, and of comparisons of numbers"""

    text = "{out} ← {formula}"

    out: Variable = takes(FLAG)
    formula: Formula = takes(FLAG, formula=True)

    def comparisons(self) -> list[Comparison]:
        return [atom for atom in self.formula.atoms() if isinstance(atom, Comparison)]

    def compared(self) -> list[tuple[Operand, Operand]]:
        """As a fact of the formula, not of the op: one way for <, both ways for =."""
        each = self.comparisons()
        there = [(one.a, one.b) for one in each]
        return there + [(one.b, one.a) for one in each if isinstance(one, Same)]

    def in_one_unit(self) -> list[list[Operand]]:
        return [[one.a, one.b] for one in self.comparisons()]


@op
class Equal(Op):
    """out ← a = b, for flags or whole numbers"""

    text = "{out} ← {a} = {b}"
    compares = (("a", "b"), ("b", "a"))

    out: Variable = takes(FLAG)
    a: Variable = takes(FLAG, INDEX, COUNT)
    b: Variable = takes(FLAG, INDEX, COUNT)


@op
class Add(Op):
    """out ← a + b"""

    text = "{out} ← {a} + {b}"
    quantities = ("a", "b")
    adds = True

    out: Variable = takes(*NUMBERS)
    a: Operand = takes(constant=True, stored=True)
    b: Operand = takes(constant=True, stored=True)


@op
class Subtract(Op):
    """out ← a − b"""

    text = "{out} ← {a} − {b}"
    quantities = ("a", "b")
    adds = True
    opposes = True

    out: Variable = takes(*NUMBERS, sign="signed")
    a: Operand = takes(constant=True, stored=True)
    b: Operand = takes(constant=True, stored=True)


@op
class Multiply(Op):
    """out ← times · a, for a whole number `times`

    A fraction of a value might lie between two multiples of ε, so there are none.
    """

    text = "{out} ← {times} · {a}"
    quantities = ("a",)
    multiplies = "times"

    out: Variable = takes(*NUMBERS)
    a: Variable = takes(FLAG, *NUMBERS, stored=True)
    times: int

    def check(self) -> None:
        super().check()
        whole = is_whole(self.times) and fits_floats(self.times)
        remedy = "choose another unit for what is multiplied"
        need(whole, "times", f"is {written(self.times)}, but must be a whole number: {remedy}")
        less = f"is unsigned, but {self.times} times '{self.a}' may be negative"
        need(self.out.signed or self.times >= 0, self.out, less)


@op
class Minimum(Op):
    """out ← a or b, whichever is less"""

    text = "{out} ← min({a}, {b})"
    quantities = ("a", "b")
    no_more = True

    out: Variable = takes(*NUMBERS)
    a: Operand = takes(*NUMBERS, constant=True)
    b: Operand = takes(*NUMBERS, constant=True)

    def check(self) -> None:
        super().check()
        for operand in (self.a, self.b):
            if not (self.bounds_an_index() and is_natural(operand)):
                check_stored(self.out, operand)


@op
class Maximum(Op):
    """out ← a or b, whichever is more"""

    text = "{out} ← max({a}, {b})"
    quantities = ("a", "b")

    out: Variable = takes(*NUMBERS)
    a: Operand = takes(*NUMBERS, constant=True, stored=True)
    b: Operand = takes(*NUMBERS, constant=True, stored=True)


@op
class Difference(Op):
    """out ← |a − b|, which is never negative, whatever a and b are"""

    text = "{out} ← |{a} − {b}|"
    quantities = ("a", "b")
    adds = True

    out: Variable = takes(*NUMBERS)
    a: Operand = takes(*NUMBERS, constant=True)
    b: Operand = takes(*NUMBERS, constant=True)

    def check(self) -> None:
        super().check()
        holds_both = self.out if self.out.kind is INDEX else replace(self.out, signed=True)
        for operand in (self.a, self.b):
            check_stored(holds_both, operand)


@op
class RoundFlag(Op):
    """out ← out, freed of small errors"""

    text = "round {out}"
    updates = True
    rounds = True

    out: Variable = takes(FLAG)


# ── attention: other rows, as they were before the step ─────────────────────────────────────────


class Attending(Op):
    """An op that reads other rows or the graph."""

    phase = Phase.ATTENTION


@op
class Repeat(Attending):
    """out[i] ← source, for every node i"""

    text = "{out}[:] ← {source}"
    quantities = ("source",)

    out: Variable = takes(scope=NODES)
    source: Variable = takes(scope=SINGLE, stored=True)


@op
class ReadRow(Attending):
    """out[i] ← A[position, i], for every node i; 0 where position is nowhere"""

    text = "{out}[:] ← A[{position}, :]"
    edges = "from"

    out: Variable = takes(VALUE, FLAG, scope=NODES)
    position: Variable = takes(POSITION, scope=SINGLE)


@op
class ReadColumn(ReadRow):
    """out[i] ← A[i, position], for every node i; 0 where position is nowhere"""

    text = "{out}[:] ← A[:, {position}]"
    edges = "to"


@op
class ReadX(Attending):
    """out ← column[position]; 0 where position is nowhere"""

    text = "{out} ← {column}[{position}]"
    quantities = ("column",)

    out: Variable = takes(scope=SINGLE)
    position: Variable = takes(POSITION, scope=SINGLE)
    column: Variable = takes(scope=NODES, stored=True)


@op
class WriteRow(Attending):
    """out[position] ← true if content; also true wherever `also` is. Other flags stay."""

    text = "{out}[{position}] ← {out} ∨ {content}"
    updates = True
    rounds = True
    late = ("also",)

    out: Variable = takes(FLAG, scope=NODES)
    position: Variable = takes(POSITION, scope=SINGLE)
    content: Variable = takes(FLAG, scope=SINGLE)
    also: Variable | None = takes(FLAG, scope=NODES, default=None)

    def __str__(self) -> str:
        return super().__str__() + ("" if self.also is None else f" ∨ {written(self.also)}")


@op
class OneHot(Attending):
    """out ← content at position, false at every other node"""

    text = "{out} ← one-hot({position}) ∧ {content}"
    rounds = True

    out: Variable = takes(FLAG, scope=NODES)
    position: Variable = takes(POSITION, scope=SINGLE)
    content: Variable = takes(FLAG, scope=SINGLE)


@op
class SubtractAt(Attending):
    """out[position] ← out[position] − content; nothing where position is nowhere"""

    text = "{out}[{position}] ← {out}[{position}] − {content}"
    updates = True
    quantities = ("content",)
    adds = True

    out: Variable = takes(*NUMBERS, scope=NODES, sign="signed")
    position: Variable = takes(POSITION, scope=SINGLE)
    content: Variable = takes(*NUMBERS, scope=SINGLE, stored=True)


@op
class AllOne(Attending):
    """out ← flags hold at every node"""

    text = "{out} ← all({flags})"
    magnifies = True

    out: Variable = takes(FLAG, scope=SINGLE)
    flags: Variable = takes(FLAG, scope=NODES)


@op
class Everywhere(Attending):
    """out[i] ← flags hold at every node, for every node i"""

    text = "{out}[:] ← all({flags})"
    magnifies = True

    out: Variable = takes(FLAG, scope=NODES)
    flags: Variable = takes(FLAG, scope=NODES)


@op
class SumFrom(Attending):
    """out[i] ← sum of A[j, i] over the nodes j whose flag is set"""

    text = "{out}[:] ← Σ A[{flags}, :]"
    edges = "from"
    adds_edges = True

    out: Variable = takes(VALUE, COUNT, scope=NODES)
    flags: Variable = takes(FLAG, scope=NODES)


@op
class SumTo(SumFrom):
    """out[i] ← sum of A[i, j] over the nodes j whose flag is set"""

    text = "{out}[:] ← Σ A[:, {flags}]"
    edges = "to"


@op
class AddFrom(Attending):
    """out[i] ← sum of column[j] over the edges j → i, each counted once

    The program must say edges="ones".
    """

    text = "{out}[:] ← Aᵀ · {column}"
    quantities = ("column",)
    edges = "from"
    adds_edges = True

    out: Variable = takes(VALUE, COUNT, scope=NODES)
    column: Variable = takes(*NUMBERS, scope=NODES, stored=True)


@op
class AddTo(AddFrom):
    """out[i] ← sum of column[j] over the edges i → j, each counted once

    If `out` is an index, the program must say that it needs graphs to be functional: then the sum
    has one term at most.
    """

    text = "{out}[:] ← A · {column}"
    edges = "to"

    out: Variable = takes(VALUE, COUNT, INDEX, scope=NODES)
    column: Variable = takes(*NUMBERS, scope=NODES, stored=True)


class Choosing(Attending):
    """An op by which every node chooses one of its edges: an edge head, beyond the paper."""

    chooses = True
    edges = "from"


@op
class LeastFrom(Choosing):
    """out[i] ← the least value[j] over the edges j → i, of nodes j where `unless` is not set;
    `otherwise`, a constant, where there is no such edge"""

    text = "{out}[:] ← least {value} from there unless {unless}, else {otherwise}"
    quantities = ("value", "otherwise")

    out: Variable = takes(*NUMBERS, scope=NODES)
    value: Operand = takes(*NUMBERS, scope=NODES, constant=True, stored=True)
    unless: Variable = takes(FLAG, scope=NODES)
    otherwise: Operand = takes(constant=True, stored=True, default=0)

    def check(self) -> None:
        super().check()
        need(not isinstance(self.otherwise, Variable), "otherwise", "is a variable, not a constant")


@op
class LeastTo(LeastFrom):
    """out[i] ← the least value[j] over the edges i → j, of nodes j where `unless` is not set;
    `otherwise` where there is no such edge"""

    text = "{out}[:] ← least {value} to there unless {unless}, else {otherwise}"
    edges = "to"


@op
class NearestFrom(LeastFrom):
    """out[i] ← the least value[j] + A[j, i] over the edges j → i, of nodes j where `unless` is not
    set; `otherwise`, a constant, where there is no such edge"""

    text = "{out}[:] ← least {value} + A from there unless {unless}, else {otherwise}"
    with_edge = True

    out: Variable = takes(VALUE, COUNT, scope=NODES)


@op
class NearestTo(NearestFrom):
    """out[i] ← the least value[j] + A[i, j] over the edges i → j, of nodes j where `unless` is not
    set; `otherwise` where there is no such edge"""

    text = "{out}[:] ← least {value} + A to there unless {unless}, else {otherwise}"
    edges = "to"


@op
class HeaviestFrom(Choosing):
    """out[i] ← the heaviest A[j, i] over the edges j → i, of nodes j where `unless` is not set; 0
    where there is no such edge"""

    text = "{out}[:] ← heaviest A from there unless {unless}"
    with_edge = True

    out: Variable = takes(VALUE, COUNT, scope=NODES)
    unless: Variable = takes(FLAG, scope=NODES)


@op
class HeaviestTo(HeaviestFrom):
    """out[i] ← the heaviest A[i, j] over the edges i → j, of nodes j where `unless` is not set; 0
    where there is no such edge"""

    text = "{out}[:] ← heaviest A to there unless {unless}"
    edges = "to"


@op
class LeastViaFrom(Choosing):
    """out[i] ← column[j] of the first node j with an edge to i, and `unless` not set, whose
    value[j] is path[i]; 0 where there is none

    A path that is more than such a value is an error of the program: LeastFrom, in a step before
    this one, makes the least.
    """

    text = "{out}[:] ← {column} of the first from there with {value} = {path} unless {unless}"
    quantities = ("column",)
    retraces = "path"
    reads_also = (OWN_INDEX,)

    out: Variable = takes(scope=NODES)
    value: Operand = takes(*NUMBERS, scope=NODES, constant=True)
    path: Variable = takes(*NUMBERS, scope=NODES)
    unless: Variable = takes(FLAG, scope=NODES)
    column: Variable = takes(FLAG, *NUMBERS, scope=NODES, stored=True, default=OWN_INDEX)

    def in_one_unit(self) -> list[list[Operand]]:
        return [*super().in_one_unit(), [self.value, self.path]]


@op
class LeastViaTo(LeastViaFrom):
    """out[i] ← column[j] of the first node j with an edge from i, and `unless` not set, whose
    value[j] is path[i]; 0 where there is none. A path may not be more than such a value."""

    text = "{out}[:] ← {column} of the first to there with {value} = {path} unless {unless}"
    edges = "to"


@op
class NearestViaFrom(LeastViaFrom):
    """out[i] ← column[j] of the first node j with an edge to i, and `unless` not set, for which
    value[j] + A[j, i] is path[i]; 0 where there is none. A path may not be more than such a sum."""

    text = "{out}[:] ← {column} of the first from there with {value} + A = {path} unless {unless}"
    along = True


@op
class NearestViaTo(NearestViaFrom):
    """out[i] ← column[j] of the first node j with an edge from i, and `unless` not set, for which
    value[j] + A[i, j] is path[i]; 0 where there is none. A path may not be more than such a sum."""

    text = "{out}[:] ← {column} of the first to there with {value} + A = {path} unless {unless}"
    edges = "to"


@op
class HeaviestViaFrom(NearestViaFrom):
    """out[i] ← column[j] of the node j with an edge to i, and `unless` not set, for which
    value[j] + A[j, i] is path[i]: of several the one with the heaviest edge, which is that of the
    least value, and of those the first; 0 where there is none. A path may not be more than such a
    sum."""

    text = "{out}[:] ← {column} of the nearest from there with {value} + A = {path} unless {unless}"
    heaviest = True


@op
class HeaviestViaTo(HeaviestViaFrom):
    """out[i] ← column[j] of the node j with an edge from i, and `unless` not set, for which
    value[j] + A[i, j] is path[i]: of several the one with the heaviest edge, and of those the
    first; 0 where there is none. A path may not be more than such a sum."""

    text = "{out}[:] ← {column} of the nearest to there with {value} + A = {path} unless {unless}"
    edges = "to"


@op
class RowOf(Attending):
    """out[i] ← A[j, i] of the one node j that is chosen; 0 if none is

    Choosing two is an error of the program. With one, `out` is never more than an edge.
    """

    text = "{out}[:] ← A[{chosen}, :]"
    edges = "from"

    out: Variable = takes(VALUE, FLAG, scope=NODES)
    chosen: Variable = takes(FLAG, scope=NODES)


@op
class ColumnOf(RowOf):
    """out[i] ← A[i, j] of the one node j that is chosen; 0 if none is"""

    text = "{out}[:] ← A[:, {chosen}]"
    edges = "to"


@op
class MarkLeast(Attending):
    """out ← the nodes whose value is least among those where `unless` is not set; ties all count"""

    text = "{out} ← {value} is least unless {unless}"
    picks = ("value", "unless")
    late = ("value", "unless")

    out: Variable = takes(FLAG, scope=NODES)
    value: Variable = takes(*NUMBERS, scope=NODES)
    unless: Variable = takes(FLAG, scope=NODES)

    def check(self) -> None:
        super().check()
        need(self.out not in (self.value, self.unless), self.out, "is read to the end, as well")


@op
class ReadLeast(Attending):
    """out[i] ← the least value among the nodes where `unless` is not set; 0 if it is set at all"""

    text = "{out}[:] ← least {value} unless {unless}"
    quantities = ("value",)
    picks = ("value", "unless")

    out: Variable = takes(scope=NODES)
    value: Variable = takes(*NUMBERS, scope=NODES, stored=True)
    unless: Variable = takes(FLAG, scope=NODES)


@op
class ReadFirst(Attending):
    """out[i] ← column at the first node where `found` is set, for every node i; 0 if none is"""

    text = "{out}[:] ← {column}[first {found}]"
    quantities = ("column",)

    out: Variable = takes(scope=NODES)
    found: Variable = takes(FLAG, scope=NODES)
    column: Variable = takes(FLAG, *NUMBERS, scope=NODES, stored=True)
    own_index: Variable = takes(INDEX, scope=NODES, default=OWN_INDEX)


@op
class Gather(Attending):
    """out[i] ← column[pointer[i]], for every node i; 0 where the pointer is 0, which is no node

    A pointer beyond the last row finds the last row.
    """

    text = "{out}[:] ← {column}[{pointer}[:]]"
    quantities = ("column",)
    reads_also = (OWN_INDEX, OWN_SQUARE)

    out: Variable = takes(scope=NODES)
    pointer: Variable = takes(INDEX, scope=NODES)
    column: Variable = takes(FLAG, *NUMBERS, SQUARE, scope=NODES, stored=True)


@op
class LeastWhereEqual(Attending):
    """out[i] ← the least value among the nodes j with key[j] = query[i] where `unless` is not set;
    0 if there is none

    `square` must be the square of `key` at every node, and `asked` that of `query`; all else is an
    error of the program: Gather(square, key, OWN_SQUARE) brings it, in a step before. Keys that are
    0 are keys as well.
    """

    text = "{out}[:] ← least {value} where {key} = {query}[:] unless {unless}"
    quantities = ("value",)
    matches = "value"

    out: Variable = takes(*NUMBERS, scope=NODES)
    value: Variable = takes(*NUMBERS, scope=NODES, stored=True)
    key: Variable = takes(INDEX, scope=NODES)
    square: Variable = takes(SQUARE, scope=NODES)
    query: Variable = takes(INDEX, scope=NODES)
    asked: Variable = takes(SQUARE, scope=NODES)
    unless: Variable = takes(FLAG, scope=NODES, default=NOBODY)


@op
class RoundPosition(Attending):
    """out ← the position of the node that `found` marks; nowhere if it marks none"""

    text = "{out} ← position of {found}"

    out: Variable = takes(POSITION, scope=SINGLE)
    found: Variable = takes(FLAG, scope=NODES)


ALL: tuple[type[Op], ...] = tuple(_DECLARED)
"""Every op. Tests run over it."""
