"""Program → Reliances: what its ops count on, but for what its other ops make so by themselves.

Proofs are of the simplest kind: they look at which ops write a variable, and at nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from loopwright.language import ops
from loopwright.language.formulas import And, Same
from loopwright.language.op import Op
from loopwright.language.program import Program
from loopwright.language.variables import OWN_INDEX, OWN_SQUARE, Variable
from loopwright.model.layout import Kind, Scope
from loopwright.model.reliance import Reliance, RelianceKind

ALIKE = (ops.ReadFirst, ops.ReadLeast, ops.Repeat)
"""What these write is the same at all nodes."""


def unproven(program: Program) -> set[RelianceKind]:
    """The kinds of things that some op counts on, and that neither the other ops of the program nor
    its author's word show to be so."""
    proof = Proof(program)
    counted = _counted_on(program)
    found: set[RelianceKind] = {kind for kind, op, at in counted if not proof.holds(kind, op, at)}
    if program.choices == "one":
        found.discard("one")
    return found


def reliances_of(program: Program, kinds: Collection[RelianceKind]) -> tuple[Reliance, ...]:
    """What the ops of a program count on, of these kinds, where its steps are layers."""
    counted = _counted_on(program)
    return tuple(_reliance(kind, op, at) for kind, op, at in counted if kind in kinds)


def _counted_on(program: Program) -> Iterator[tuple[RelianceKind, Any, int]]:
    """Each op that counts on something, on what, and the number of its step."""
    for at, step in enumerate(program.steps):
        for op in step.ops:
            if isinstance(op, ops.RowOf | ops.RoundPosition):
                yield "one", op, at
            elif isinstance(op, ops.LeastWhereEqual):
                yield "square", op, at
            elif op.retraces:
                yield "path", op, at


def chosen_by(op: Any) -> Variable:
    """The flag that is to be set at one node."""
    return op.found if isinstance(op, ops.RoundPosition) else op.chosen


def _reliance(kind: RelianceKind, op: Any, at: int) -> Reliance:
    match kind:
        case "one":
            return Reliance(kind, at, (chosen_by(op).name,))
        case "square":
            pairs = (op.square, op.key, op.asked, op.query)
            return Reliance(kind, at, tuple(variable.name for variable in pairs))
        case "path":
            of_node = isinstance(op.value, Variable)
            names = (op.path.name, op.unless.name, *([op.value.name] if of_node else []))
            constant = "0" if of_node else str(op.value)
            cut = None if op.across is None else op.across.name
            return Reliance(kind, at, names, constant, op.edges == "from", op.along, cut)


@dataclass(frozen=True)
class Proof:
    """Looks at who writes a variable, and at what is written before it is read."""

    program: Program

    def holds(self, kind: RelianceKind, op: Any, at: int) -> bool:
        match kind:
            case "one":
                return self.is_one(chosen_by(op))
            case "square":
                pairs = ((op.square, op.key), (op.asked, op.query))
                return all(self.is_square(square, number, at) for square, number in pairs)
            case "path":
                return self.is_least(op, at)

    def is_one(self, flag: Variable, seen: frozenset[Variable] = frozenset()) -> bool:
        """Whether a flag is set at one node at most: a node's number is one number alone.

        What was so before stays so where some of the nodes are left out, so a flag may be made of
        itself, and of flags that are `seen` on the way here.
        """

        seen |= {flag}

        def selects(formula: Any) -> bool:
            match formula:
                case And(parts):
                    return any(map(selects, parts))
                case Same(a, b):
                    sides = (a, b) if a == OWN_INDEX else (b, a)
                    return sides[0] == OWN_INDEX and self.is_alike(sides[1])
                case Variable():
                    return formula in seen or self.is_one(formula, seen)
                case _:
                    return False

        def chooses(op: Op) -> bool:
            match op:
                case ops.OneHot():
                    return True
                case ops.Equal():
                    return selects(Same(op.a, op.b))
                case ops.Set():
                    return selects(op.formula)
                case _:
                    return False

        return flag.start in (None, 0) and all(chooses(op) for _, op in self.writers(flag))

    def is_alike(self, number: Any) -> bool:
        """Whether it is the same at all nodes."""
        if not isinstance(number, Variable) or number.scope is Scope.SINGLE:
            return True
        starts_alike = number.start is None or isinstance(number.start, int | Fraction)
        written = [op for _, op in self.writers(number)]
        same = all(isinstance(op, ALIKE) for op in written) and bool(written)
        return same and starts_alike and number.at_source is None

    def is_square(self, square: Variable, number: Variable, at: int) -> bool:
        """Whether it is gathered for the number that is there when a step reads both."""
        if (square, number) == (OWN_SQUARE, OWN_INDEX):
            return True

        def is_made(maker: Any) -> bool:
            gathers = isinstance(maker, ops.Gather)
            return gathers and (maker.pointer, maker.column) == (number, OWN_SQUARE)

        return self.is_of_node(number) and self.made_by(square, is_made, [number], at)

    def is_of_node(self, number: Any, seen: frozenset[Variable] = frozenset()) -> bool:
        """Whether it is the number of a node, or 0 or 1: Gather finds no square of another.

        An op that does not add makes nothing larger than what it is made of, so that a number may
        be made of itself, and of numbers that are `seen` on the way here.
        """
        if not isinstance(number, Variable):
            return number in (0, 1)
        if number.kind is Kind.FLAG or number in seen:
            return True
        seen |= {number}

        def makes(op: Op) -> bool:
            if op.adds or op.multiplies or op.with_edge or op.along_edges or not op.quantities:
                return False
            made_of = (self.is_of_node(getattr(op, name), seen) for name in op.quantities)
            return any(made_of) if op.bounds_an_index() else all(made_of)

        return number.kind is Kind.INDEX and all(makes(op) for _, op in self.writers(number))

    def is_least(self, op: Any, at: int) -> bool:
        """Whether its path is the least of the ways that it looks at."""

        def is_made(maker: Any) -> bool:
            if not (maker.chooses and hasattr(maker, "otherwise")) or maker.retraces:
                return False
            same_ways = (maker.edges, maker.with_edge) == (op.edges, op.along)
            ends = (maker.value, maker.unless, maker.across)
            return same_ways and ends == (op.value, op.unless, op.across)

        return self.made_by(op.path, is_made, [op.value, op.unless, op.across], at)

    def made_by(
        self, made: Variable, is_maker: Callable[[Any], bool], of: list[Any], at: int
    ) -> bool:
        """Whether one op alone writes a variable, in a step before, and what it is made of does not
        change from there on."""
        (step, maker), *others = self.writers(made) or [(at, None)]
        if others or step >= at or made.start is not None or not is_maker(maker):
            return False
        return not any(step <= later < at for each in of for later, _ in self.writers(each))

    def writers(self, variable: Any) -> list[tuple[int, Op]]:
        steps = enumerate(self.program.steps)
        return [(at, op) for at, step in steps for op in step.ops if op.out == variable]
