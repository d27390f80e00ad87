"""Program → Reach: how far its numbers can go, whatever the graph. [Cousot & Cousot 1977]

The loop is run on bounds in the place of numbers. A bound that is the same after an iteration holds
always; one that has grown may grow by as much every time, which is then proved: if numbers are at
most a + b·t when iteration t begins, they are at most a + b·(t + 1) when it ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from loopwright.language.op import Op, Operand
from loopwright.language.program import Program
from loopwright.language.variables import Named, Variable
from loopwright.model.layout import OWN, Kind
from loopwright.model.reach import Bound, Quantity, Reach, Term

NOTHING: Bound = {}

FEW_ITERATIONS = 32
"""A program that takes no more of them, on any graph, is followed through each."""


def just(quantity: Quantity, times: Fraction | int = 1) -> Bound:
    return {Term(quantity): Fraction(times)} if times else NOTHING


def largest(bounds: Iterable[Bound | None]) -> Bound | None:
    """A bound on each of them: term by term, as no quantity is negative."""
    most: dict[Term, Fraction] = {}
    for bound in bounds:
        if bound is None:
            return None
        for term, times in bound.items():
            most[term] = max(times, most.get(term, times))
    return most


def total(bounds: Iterable[Bound | None]) -> Bound | None:
    """A bound on their sum."""
    whole: dict[Term, Fraction] = {}
    for bound in bounds:
        if bound is None:
            return None
        for term, times in bound.items():
            whole[term] = whole.get(term, Fraction(0)) + times
    return whole


def widest(bounds: Iterable[Bound | None]) -> list[Bound]:
    """Those that are within no other one."""
    found: list[Bound] = []
    for bound in bounds:
        assert bound is not None, "one iteration has bounds"
        if not any(within(bound, other) for other in found):
            found = [other for other in found if not within(other, bound)] + [bound]
    return found


def product(bound: Bound | None, times: int) -> Bound | None:
    """A bound on a multiple."""
    if bound is None:
        return None if times else NOTHING
    return {term: often * abs(times) for term, often in bound.items() if times}


def at_all_edges(bound: Bound | None) -> Bound | None:
    """A bound on a sum over the neighbours of a node: as often as a node has edges at most."""
    if bound is None:
        return None
    return {term._replace(degree=term.degree + 1): times for term, times in bound.items()}


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


def multiplied(each: Range, times: int) -> Range:
    """What a multiple can be; one of Ω̂ or the mask is neither any more."""
    return Range(
        product(each.plain, times),
        frozenset(),
        product(each.all(), times) if each.beyond else NOTHING,
    )


def summed(each: Range) -> Range:
    """What a sum over neighbours can be; one with Ω̂ or the mask in it is neither any more."""
    mixed = at_all_edges(each.all()) if each.beyond else NOTHING
    return Range(at_all_edges(each.plain), frozenset(), mixed)


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


def may_be_negative(operand: Operand) -> bool:
    if isinstance(operand, Variable):
        return operand.signed
    return not isinstance(operand, Named) and operand < 0


def written(op: Op, state: State, *, held_down: bool = True) -> Range:
    """What `out` can hold after an op, by the op's facts; or what it could if it were not held down
    by a minimum with an index."""
    if op.out.kind is Kind.FLAG:
        return plain(just("one"))
    if op.edges and not op.quantities:
        return plain(just("edges" if op.adds_edges else "edge"))
    if not op.quantities:  # the position of a node
        return plain(just("nodes"))
    if held_down and op.bounds_an_index():
        return plain(just("nodes"))
    read = [range_of(getattr(op, name), state) for name in op.quantities]
    if op.out.kind is Kind.INDEX and not op.adds:  # an index that is 1 is that of the first node
        ones = plain(just("one"))
        read = [plain(just("nodes")) if each == ones else each for each in read]
    if op.with_edge:  # of which only the first is at the end of an edge
        read[0] = added([read[0], plain(just("edge"))])
    read += [state[op.out]] if op.updates else []
    made = added(read) if op.adds else either(read)
    if op.opposes and not any(may_be_negative(getattr(op, name)) for name in op.quantities):
        made = replace(made, plain=largest(each.plain for each in read))
    if op.along_edges:  # into an index along one edge at most: the graph must be functional then
        return made if op.out.kind is Kind.INDEX else summed(made)
    if op.multiplies:
        made = multiplied(made, getattr(op, op.multiplies))
    return added([made, plain(just("one", op.steps))]) if op.steps else made


@dataclass
class Seen:
    """All that variables held meanwhile, and the differences that ops chose between them by."""

    held: State
    made: list[tuple[Variable, Range]] = field(default_factory=list["tuple[Variable, Range]"])
    """What each op gave to its variable, one after the other."""
    differences: Bound | None = field(default_factory=dict[Term, Fraction])

    def look(self, op: Op, before: State, after: Range) -> None:
        self.held[op.out] = either([self.held[op.out], after])
        self.made.append((op.out, after))
        if op.subtracts:
            read = (range_of(getattr(op, name), before).all() for name in op.quantities)
            self.differences = largest([self.differences, total(read)])


def iterate(
    program: Program, state: State, seen: Seen | None = None, *, held_down: bool = True
) -> State:
    """One iteration; `seen` collects what it makes on the way."""
    state = dict(state)
    for op in (op for at in program.steps for op in at.ops):
        after = written(op, state, held_down=held_down)
        if seen is not None:
            seen.look(op, state, after)
        state[op.out] = after
    return state


def growth(before: Bound | None, after: Bound | None) -> Bound | None:
    """What a bound grew by from one iteration to the next, as a bound that grows so in each."""
    if before is None or after is None:
        return None
    grown: dict[Term, Fraction] = {}
    for term, times in after.items():
        more = times - before.get(term._replace(each=0), Fraction(0))
        if more > 0:
            grown[term._replace(each=1)] = more
    return grown


def later(bound: Bound | None) -> Bound | None:
    """The same bound one iteration later: a + b·t at t + 1."""
    if bound is None:
        return None
    more = {term._replace(each=0): times for term, times in bound.items() if term.each}
    return total([bound, more])


def after_each_of(program: Program, iterations: int, *, held_down: bool = True) -> State:
    """What every variable can hold whenever one of the first few iterations begins."""
    state = held = {v: start_of(v) for v in program.variables}
    for _ in range(iterations - 1):
        state = iterate(program, state, held_down=held_down)
        held = {v: either([held[v], state[v]]) for v in held}
    return held


def invariant(program: Program, *, held_down: bool = True) -> State:
    """What every variable can hold whenever an iteration begins.

    Bounds pass from one variable to the next for as many iterations as there are variables, at
    most; what still does not grow evenly after that, and is refuted, is given up.
    """
    now = {v: start_of(v) for v in program.variables}
    guess, grows = now, now
    for _ in range(len(now) + 2):
        after = iterate(program, now, held_down=held_down)
        before, now = now, {v: either([now[v], after[v]]) for v in now}
        grew, grows = grows, {v: growing(before[v], now[v]) for v in now}
        guess = {v: either([now[v], grows[v]]) for v in now}
        if grows == grew and refuted(program, guess, held_down=held_down) == guess:
            return guess
    while (held := refuted(program, guess, held_down=held_down)) != guess:
        guess = held
    return guess


def growing(before: Range, after: Range) -> Range:
    return replace(
        after,
        plain=growth(before.plain, after.plain),
        mixed=growth(before.mixed, after.mixed),
    )


def refuted(program: Program, guess: State, *, held_down: bool) -> State:
    """The guess without the bounds that an iteration refutes."""
    found = iterate(program, guess, held_down=held_down)
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

    def whenever(*, held_down: bool) -> State:
        if few:
            return after_each_of(program, program.bound[0], held_down=held_down)
        return invariant(program, held_down=held_down)

    always, free = whenever(held_down=True), whenever(held_down=False)
    in_all = Seen(dict(always))
    iterate(program, always, in_all)
    once = {v: begun(v, always[v]) for v in always}
    in_one = Seen(dict(once))
    iterate(program, once, in_one)
    made, stepped = in_all.held, [*once.items(), *in_one.made]

    def most(state: State, *kinds: Kind) -> Bound | None:
        return largest(state[v].plain for v in state if v.kind in kinds)

    large = [(v, found) for v, found in stepped if v.kind in (Kind.VALUE, Kind.COUNT)]
    numbers = [found.plain for _, found in large]
    temporary = [found.plain for v, found in large if v.start is None]
    step_mixed = largest(found.mixed for _, found in stepped)
    assert step_mixed is not None, "one iteration has bounds"
    assert in_one.differences is not None, "one iteration has bounds"
    return Reach(
        values=most(made, Kind.VALUE),
        counts=most(made, Kind.COUNT),
        indices=most(made, Kind.INDEX),
        errors_of_indices=most(iterate(program, free, held_down=False) | free, Kind.INDEX),
        positions=most(made, Kind.POSITION),
        mixed=largest(made[v].mixed for v in made),
        step=tuple(widest(numbers)),
        meanwhile=tuple(widest(temporary)),
        step_mixed=step_mixed,
        sentinels=any(isinstance(constant, Named) for constant in constants_of(program)),
        increments=max(sum(op.steps for op in at.ops) for at in program.steps),
        iterations=program.bound[0] if few else None,
        pointers=tuple(
            tuple(v.name for op in at.ops for v in op.points_with()) for at in program.steps
        ),
        differences=in_all.differences,
        step_differences=in_one.differences,
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
