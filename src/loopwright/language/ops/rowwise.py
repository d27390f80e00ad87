"""Row by row: arithmetic, comparisons, flags and choices among what one row holds."""

from __future__ import annotations

from dataclasses import replace

from loopwright.language.formulas import Comparison, Formula, Same
from loopwright.language.op import (
    NUMBERS,
    Op,
    Operand,
    check_stored,
    is_natural,
    is_whole,
    need,
    op,
    takes,
    written,
)
from loopwright.language.ops.kinds import COUNT, FLAG, INDEX, POSITION
from loopwright.language.variables import Variable, fits_floats


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
