"""Program → Reach: how far its numbers can go, whatever the graph. [Cousot & Cousot 1977]

The loop is run on bounds in the place of numbers. A bound that is the same after an iteration holds
always; one that has grown may grow by as much every time, which is then proved: if numbers are at
most a + b·t when iteration t begins, they are at most a + b·(t + 1) when it ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from loopwright.language.op import Op, Operand
from loopwright.language.program import Program
from loopwright.language.variables import Named, Variable
from loopwright.model.layout import OWN, Kind
from loopwright.model.reach import Bound, Quantity, Reach

NOTHING: Bound = {}

FEW_ITERATIONS = 32
"""A program that takes no more of them, on any graph, is followed through each."""


def just(quantity: Quantity, times: Fraction | int = 1) -> Bound:
    return {(quantity, 0): Fraction(times)} if times else NOTHING


def largest(bounds: Iterable[Bound | None]) -> Bound | None:
    """A bound on each of them: term by term, as no quantity is negative."""
    most: dict[tuple[Quantity, int], Fraction] = {}
    for bound in bounds:
        if bound is None:
            return None
        for term, times in bound.items():
            most[term] = max(times, most.get(term, times))
    return most


def total(bounds: Iterable[Bound | None]) -> Bound | None:
    """A bound on their sum."""
    whole: dict[tuple[Quantity, int], Fraction] = {}
    for bound in bounds:
        if bound is None:
            return None
        for term, times in bound.items():
            whole[term] = whole.get(term, Fraction(0)) + times
    return whole


def within(bound: Bound | None, other: Bound | None) -> bool:
    """Whether one is at most the other, term by term."""
    if bound is None or other is None:
        return other is None
    return all(times <= other.get(term, 0) for term, times in bound.items())


@dataclass(frozen=True)
class Range:
    """What a variable can hold: numbers up to a bound, Ω̂ and the mask themselves, and numbers that
    these were mixed into."""

    plain: Bound | None
    sentinels: frozenset[Named]
    mixed: Bound | None

    @property
    def beyond(self) -> bool:
        """Whether it can hold what is not plain."""
        return bool(self.sentinels) or self.mixed != NOTHING

    def all(self) -> Bound | None:
        """A bound on everything that it can hold."""
        named = (just(each.name) for each in self.sentinels)  # type: ignore[arg-type]
        return largest([self.plain, self.mixed, *named])


def plain(bound: Bound) -> Range:
    return Range(bound, frozenset(), NOTHING)


def either(ranges: Iterable[Range]) -> Range:
    ranges = list(ranges)
    return Range(
        largest(each.plain for each in ranges),
        frozenset[Named]().union(*(each.sentinels for each in ranges)),
        largest(each.mixed for each in ranges),
    )


def added(ranges: Iterable[Range]) -> Range:
    ranges = list(ranges)
    mixed = total(each.all() for each in ranges) if any(r.beyond for r in ranges) else NOTHING
    return Range(total(each.plain for each in ranges), frozenset(), mixed)


State = dict[Variable, Range]


def start_of(variable: Variable) -> Range:
    """What the variable can hold before the first iteration."""

    def of(start: Fraction | int | str | Named | None) -> Range:
        match start:
            case None:
                return plain(NOTHING)
            case Named():
                return Range(NOTHING, frozenset([start]), NOTHING)
            case str():
                own = start == OWN or variable.kind in (Kind.INDEX, Kind.POSITION)
                return plain(just("nodes" if own else "given"))
            case _:
                return plain(just("one", abs(Fraction(start))))

    if variable.kind is Kind.FLAG:
        return plain(just("one"))
    return either([of(variable.start), of(variable.at_source)])


def range_of(operand: Operand, state: State) -> Range:
    if isinstance(operand, Variable):
        return state[operand]
    if isinstance(operand, Named):
        return Range(NOTHING, frozenset([operand]), NOTHING)
    return plain(just("one", abs(Fraction(operand))))


def written(op: Op, state: State) -> Range:
    """What `out` can hold after an op, by the op's facts."""
    if op.out.kind is Kind.FLAG:
        return plain(just("one"))
    if op.edges:
        return plain(just("edges" if op.adds_edges else "edge"))
    if not op.quantities:  # the position of a node
        return plain(just("nodes"))
    read = [range_of(getattr(op, name), state) for name in op.quantities]
    read += [state[op.out]] if op.updates else []
    made = added(read) if op.adds else either(read)
    return added([made, plain(just("one", op.steps))]) if op.steps else made


def iterate(program: Program, state: State, made: State | None = None) -> State:
    """One iteration; `made` collects all that a variable held meanwhile."""
    state = dict(state)
    for op in (op for at in program.steps for op in at.ops):
        state[op.out] = written(op, state)
        if made is not None:
            made[op.out] = either([made[op.out], state[op.out]])
    return state


def growth(before: Bound | None, after: Bound | None) -> Bound | None:
    """What a bound grew by from one iteration to the next, as a bound that grows so in each."""
    if before is None or after is None:
        return None
    grown: dict[tuple[Quantity, int], Fraction] = {}
    for (name, _), times in after.items():
        more = times - before.get((name, 0), Fraction(0))
        if more > 0:
            grown[name, 1] = more
    return grown


def later(bound: Bound | None) -> Bound | None:
    """The same bound one iteration later: a + b·t at t + 1."""
    if bound is None:
        return None
    return total([bound, {(name, 0): times for (name, each), times in bound.items() if each}])


def after_each_of(program: Program, iterations: int) -> State:
    """What every variable can hold whenever one of the first few iterations begins."""
    state = held = {v: start_of(v) for v in program.variables}
    for _ in range(iterations - 1):
        state = iterate(program, state)
        held = {v: either([held[v], state[v]]) for v in held}
    return held


def invariant(program: Program) -> State:
    """What every variable can hold whenever an iteration begins.

    Bounds pass from one variable to the next for as many iterations as there are variables, at
    most; what still does not grow evenly after that, and is refuted, is given up.
    """
    now = {v: start_of(v) for v in program.variables}
    guess, grows = now, now
    for _ in range(len(now) + 2):
        after = iterate(program, now)
        before, now = now, {v: either([now[v], after[v]]) for v in now}
        grew, grows = grows, {v: growing(before[v], now[v]) for v in now}
        guess = {v: either([now[v], grows[v]]) for v in now}
        if grows == grew and refuted(program, guess) == guess:
            return guess
    while (held := refuted(program, guess)) != guess:
        guess = held
    return guess


def growing(before: Range, after: Range) -> Range:
    return replace(
        after,
        plain=growth(before.plain, after.plain),
        mixed=growth(before.mixed, after.mixed),
    )


def refuted(program: Program, guess: State) -> State:
    """The guess without the bounds that an iteration refutes."""
    found = iterate(program, guess)
    return {v: weakened(guess[v], found[v]) for v in guess}


def weakened(guess: Range, found: Range) -> Range:
    """A guess for iterations t, without the bounds that are not those of iteration t + 1."""
    return replace(
        guess,
        sentinels=guess.sentinels | found.sentinels,
        plain=guess.plain if within(found.plain, later(guess.plain)) else None,
        mixed=guess.mixed if within(found.mixed, later(guess.mixed)) else None,
    )


def reach_of(program: Program) -> Reach:
    """Bounds on all numbers of each kind, over the whole loop and over one iteration of it."""
    few = len(program.bound) == 1 and program.bound[0] <= FEW_ITERATIONS
    always = after_each_of(program, program.bound[0]) if few else invariant(program)
    made = dict(always)
    iterate(program, always, made)
    once = {v: begun(v, always[v]) for v in always}
    stepped = dict(once)
    iterate(program, once, stepped)

    def most(state: State, *kinds: Kind) -> Bound | None:
        return largest(state[v].plain for v in state if v.kind in kinds)

    step = most(stepped, Kind.VALUE, Kind.COUNT)
    step_mixed = largest(stepped[v].mixed for v in stepped)
    assert step is not None, "one iteration has bounds"
    assert step_mixed is not None, "one iteration has bounds"
    return Reach(
        values=most(made, Kind.VALUE),
        counts=most(made, Kind.COUNT),
        indices=most(made, Kind.INDEX),
        positions=most(made, Kind.POSITION),
        mixed=largest(made[v].mixed for v in made),
        step=step,
        step_mixed=step_mixed,
        sentinels=any(isinstance(constant, Named) for constant in constants_of(program)),
        increments=max(sum(op.steps for op in at.ops) for at in program.steps),
        iterations=program.bound[0] if few else None,
        pointers=tuple(
            tuple(v.name for op in at.ops for v in op.points_with()) for at in program.steps
        ),
    )


def constants_of(program: Program) -> Iterator[object]:
    """All that variables start with, and all operands."""
    for variable in program.variables:
        yield from (variable.start, variable.at_source)
    for op in (op for at in program.steps for op in at.ops):
        yield from op.operands().values()


def begun(variable: Variable, always: Range) -> Range:
    """What a variable can hold when an iteration begins that a run watches: up to `before`."""
    if variable.kind not in (Kind.VALUE, Kind.COUNT):
        return plain(just("one" if variable.kind is Kind.FLAG else "nodes"))
    before = just("before")
    mixed = total([just("unreached"), before]) if always.mixed != NOTHING else NOTHING
    return Range(before, always.sentinels, mixed)
