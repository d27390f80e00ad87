"""Program → Demands: what its ops ask of numbers, for the certificate to check on a graph."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from math import lcm

from loopwright.language.program import Program, Step
from loopwright.language.reach import reach_of
from loopwright.language.reliance import reliances_of
from loopwright.language.variables import Named, Variable
from loopwright.model.demands import Demands
from loopwright.model.layout import Kind
from loopwright.model.reliance import RelianceKind


def selects_unrounded(steps: tuple[Step, ...]) -> bool:
    """Whether a comparison decides a selection before its flag, or one made of it, is rounded.

    The loop is walked twice: a flag may be left to the next iteration.
    """
    blurred: set[Variable] = set()
    for op in [op for at in (*steps, *steps) for op in at.ops]:
        if op.selects and getattr(op, op.selects) in blurred:
            return True
        from_blurred = not blurred.isdisjoint(op.reads()) and not op.rounds
        if op.compares_kinds() - {Kind.FLAG} or (op.out.kind is Kind.FLAG and from_blurred):
            blurred.add(op.out)
        else:
            blurred.discard(op.out)
    return False


def demands_of(program: Program, open_kinds: Collection[RelianceKind] = ()) -> Demands:
    """All of them at once. `open_kinds` are the kinds of things that its ops count on and nothing
    shows to be so."""
    ops = [op for at in program.steps for op in at.ops]
    values = [variable for variable in program.variables if variable.kind is Kind.VALUE]
    starts = [s for v in values for s in (v.start, v.at_source) if s and not isinstance(s, Named)]
    constants = [Fraction(start) for start in starts if not isinstance(start, str)]
    constants += [constant for op in ops for constant in op.constants]
    homogeneous = not starts and all(op.homogeneous for op in ops)
    added = {op.edges for op in ops if op.adds_edges and op.out.kind is Kind.VALUE}
    matched = {getattr(op, op.matches).kind for op in ops if op.matches}
    picked = {getattr(op, op.picks[0]).kind for op in ops if op.picks} | matched
    return Demands(
        counts=program.counts or (),
        values=bool(values),
        homogeneous=homogeneous,
        denominator=lcm(*(constant.denominator for constant in constants)),
        averages=Kind.VALUE in picked,
        averages_counts=Kind.COUNT in picked,
        picks_indices=Kind.INDEX in picked,
        chained=selects_unrounded(program.steps),
        sums_from="from" in added,
        sums_to="to" in added,
        paths=program.values == "paths",
        multiplies=any(op.magnifies_numbers for op in ops),
        matches=tuple(sorted(matched)),
        chooses=tuple(sorted({op.out.kind for op in ops if op.chooses and not op.retraces})),
        retraces=tuple(sorted({getattr(op, op.retraces).kind for op in ops if op.retraces})),
        prefers_heavy=any(op.heaviest for op in ops),
        reliances=reliances_of(program, open_kinds),
        reach=reach_of(program),
    )
