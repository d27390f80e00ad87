"""One layer under construction: what a lowering writes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from loopwright.compiler.assemble import MLP, check_depth
from loopwright.compiler.attend import Attention, Patterns
from loopwright.compiler.linear import Column, Linear, Relu, relu
from loopwright.errors import ProgramError
from loopwright.language.op import Op, Operand
from loopwright.language.variables import B_GLOBAL, B_LOCAL, Named, Variable
from loopwright.model.layout import Kind, Scope
from loopwright.model.limits import Constants
from loopwright.model.magnitudes import bound_of


def number_of(operand: Named | Fraction | int, constants: Constants) -> Fraction:
    """The number that a constant of a program is, in an op or as a start.

    Raises:
        ProgramError: if the limits have no place for it.
    """
    if isinstance(operand, Named):
        return getattr(constants, operand.name)
    number = Fraction(operand)
    if number % constants.resolution or abs(number) > constants.largest:
        raise ProgramError(
            f"the constant {operand} is no multiple of the resolution {constants.resolution} "
            f"up to {float(constants.largest):g}: declare other Limits."
        )
    return number


@dataclass
class LayerBuilder:
    """Attention and MLP of one layer, addressed by variables instead of columns."""

    columns: Mapping[str, int]
    """Variable name → its first column of X."""
    patterns: Patterns
    crowded: frozenset[int] = frozenset()
    """Columns that may hold what another variable left, and that may be negative."""
    attention: Attention = field(init=False)
    written: dict[Variable, tuple[Linear, ...]] = field(
        default_factory=dict[Variable, "tuple[Linear, ...]"]
    )
    """What the MLP has computed so far. A later op of the layer reads the formula, not the column:
    formulas nest, until one needs more ReLUs than an MLP has."""
    noisy: set[Variable] = field(default_factory=set[Variable])
    """Unsigned variables in which attention may have left something negative."""
    made: dict[Relu, str] = field(default_factory=dict[Relu, str])
    """ReLU → the op whose formula had it first."""
    wrote: dict[Variable, str] = field(default_factory=dict[Variable, str])
    """Variable → the op that wrote it last."""

    def __post_init__(self) -> None:
        self.attention = Attention(self.patterns)

    def begin(self, op: Op) -> None:
        """What follows, until another begins, is the lowering of this op."""
        self.attention.op = str(op)

    @property
    def constants(self) -> Constants:
        return self.patterns.constants

    def column(self, variable: Variable, coordinate: int = 0) -> int:
        return self.columns[variable.name] + coordinate

    def one(self, scope: Scope) -> Linear:
        """The bias: 1 in the rows of the scope, 0 in all others."""
        return self.forms(B_GLOBAL if scope is Scope.SINGLE else B_LOCAL, scope)[0]

    def forms(self, operand: Operand, scope: Scope) -> tuple[Linear, ...]:
        """The operand as a formula for each coordinate; constants as multiples of the bias."""
        if isinstance(operand, Variable):
            return self.written.get(operand) or self.stored(operand)
        return (number_of(operand, self.constants) * self.one(scope),)

    def like(self, out: Variable, operand: Operand) -> tuple[Linear, ...]:
        """The operand as `out` would hold it: the number k is the position p_k for a position."""
        if out.kind is Kind.POSITION and not isinstance(operand, Variable):
            assert operand == 0, "only the position 'nowhere' is a constant"
            return (Linear.zero(), self.one(out.scope))
        return self.forms(operand, out.scope)

    def bound(self, variable: Variable) -> Fraction:
        """Ω for this kind of variable: at least as large as anything it can hold."""
        return bound_of(variable.kind, self.constants)

    def resolution(self, *operands: Operand) -> Fraction:
        """The least difference that unequal operands can have: 1 if all of them are whole.

        Ω̂ and the mask may be fractions, but differ from other numbers by `largest` at least.
        """

        def whole(operand: Operand) -> bool:
            match operand:
                case Variable():
                    return operand.kind is not Kind.VALUE
                case Named():
                    return self.constants.largest >= 1
                case _:
                    return Fraction(operand).denominator == 1

        return Fraction(1) if all(map(whole, operands)) else self.constants.resolution

    def stored(self, variable: Variable) -> tuple[Linear, ...]:
        """The variable as attention left it in X."""
        signed = variable.signed or variable in self.noisy
        return tuple(
            Linear.column(self.column(variable, i), signed=signed)
            for i in range(variable.kind.width)
        )

    def write(self, out: Variable, *forms: Linear) -> None:
        """out ← forms, for this layer's MLP and for the ops that follow in it."""
        for form in forms:
            check_depth(form)
            for unit in form.relus():
                self.made.setdefault(unit, self.attention.op)
        self.written[out] = forms
        self.wrote[out] = self.attention.op

    def clear(self, out: Variable) -> None:
        """Attention takes away what `out` holds, so that what it brings is all there is."""
        for i in range(out.kind.width):
            self.attention.clear(self.column(out, i))

    def keep(self, out: Variable, scope: Scope) -> None:
        """Erase `out` in all rows but the scope's, whose bias holds Ω over it. [P Eq. read_mlp]"""
        self.noisy.add(out)
        wall = self.bound(out) * self.one(scope)
        self.write(out, *(x + relu(-x - wall) - relu(x - wall) for x in self.stored(out)))

    def mlp(self) -> MLP:
        """All that was written, as one MLP."""
        mlp = MLP()
        for variable, forms in self.written.items():
            if variable.name not in self.columns:
                continue
            for new, old in zip(forms, self.stored(variable), strict=True):
                (target,) = old.terms
                assert isinstance(target, Column)
                signed = target.signed or target.index in self.crowded
                mlp.overwrite(Column(target.index, signed), new)
        return mlp
