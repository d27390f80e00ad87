"""Random problems, and for every op a random step that uses it within its exact range."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import networkx as nx
from hypothesis import strategies as st

from loopwright import Limits
from loopwright.language import ops
from loopwright.language.formulas import And, Formula, Less, Not, Or, Same
from loopwright.language.op import NUMBERS, STORES, Op, Operand, Phase
from loopwright.language.program import Program, step
from loopwright.language.variables import (
    B_GLOBAL,
    B_LOCAL,
    MASK,
    NOBODY,
    NOWHERE,
    OWN_INDEX,
    OWN_SQUARE,
    UNREACHED,
    Variable,
    given,
    single,
)
from loopwright.model.layout import Kind, Scope

SMALL = Limits(nodes=8, largest=64, resolution=Fraction(1, 2**20))
"""Few positions and a small Ω: quick in exact arithmetic."""
SCOPES = st.sampled_from(list(Scope))

# ── graphs ──────────────────────────────────────────────────────────────────────────────────────


@st.composite
def graphs(draw: Any, *, max_nodes: int) -> nx.Graph:
    """Directed or not, seldom connected, with self-loops, ties, or a single node.

    Weights are k/4: sums of them are exact in float64. Half of the graphs draw from two weights
    only, so that many paths are equally long.
    """
    n = draw(st.integers(1, max_nodes))
    graph = draw(st.sampled_from([nx.Graph, nx.DiGraph]))()
    graph.add_nodes_from(range(n))
    node = st.integers(0, n - 1)
    weight = draw(st.sampled_from([st.integers(1, 2), st.integers(1, 40)]))
    edges = draw(st.lists(st.tuples(node, node), unique=True, max_size=4 * n))
    for tail, head in edges:
        graph.add_edge(tail, head, weight=draw(weight) / 4)
    return graph


@st.composite
def problems(draw: Any, max_nodes: int) -> tuple[nx.Graph, int]:
    """A graph, and a node of it to start from."""
    graph = draw(graphs(max_nodes=max_nodes))
    return graph, draw(st.sampled_from(sorted(graph)))


# ── variables with random starts ────────────────────────────────────────────────────────────────


@dataclass
class Bench:
    """Declares variables, each with a random start that is passed as an input."""

    draw: Callable[[st.SearchStrategy[Any]], Any]
    n: int
    limits: Limits
    graph: nx.Graph
    prefix: str = ""
    inputs: dict[str, Any] = field(default_factory=dict)

    def chance(self) -> bool:
        return self.draw(st.booleans())

    def new(
        self,
        kind: Kind,
        scope: Scope,
        *,
        signed: bool = False,
        among: st.SearchStrategy[Any] | None = None,
        start: Any = None,
    ) -> Variable:
        """A variable that starts `among` some values (any of its kind), or exactly at `start`."""
        name = f"{self.prefix}v{len(self.inputs)}"
        entry = among if among is not None else self.entries(kind, signed=signed)
        if start is None:
            length = self.n if scope is Scope.NODES else 1
            values = self.draw(st.lists(entry, min_size=length, max_size=length))
            start = values if scope is Scope.NODES else values[0]
        self.inputs[name] = start
        signed = signed or kind is Kind.POSITION
        return Variable(name, kind, scope, given(name), signed=signed)

    def entries(
        self, kind: Kind, *, signed: bool = False, share: int = 1
    ) -> st.SearchStrategy[int | Fraction]:
        """All that a kind can hold, up to 1/share of Ω: whole numbers or multiples of ε."""
        constants = self.limits.constants()
        match kind:
            case Kind.FLAG:
                return st.integers(0, 1)
            case Kind.INDEX | Kind.POSITION:
                return st.integers(0, self.n)
            case Kind.SQUARE:
                return st.integers(0, self.n).map(lambda i: i * i)
            case Kind.COUNT:
                grain = Fraction(1)
            case Kind.VALUE:
                grain = constants.resolution
        most = constants.mask / share
        special = [Fraction(0), grain, constants.unreached / share, most, most - most % grain]
        special = [x - x % grain for x in special]
        steps = st.integers(0, int(most / grain))
        few = st.integers(0, 3)
        number = st.one_of(
            (few | steps).map(lambda k: k * grain), st.sampled_from([*special, special[2] + grain])
        )
        return st.tuples(number, st.sampled_from([1, -1])).map(_times) if signed else number

    def number(self, scope: Scope, **options: Any) -> Variable:
        """A variable of any numeric kind."""
        kind = self.draw(st.sampled_from(NUMBERS))
        return self.new(kind, scope, signed=kind is not Kind.INDEX and self.chance(), **options)

    def flag(self, scope: Scope) -> Variable:
        return self.new(Kind.FLAG, scope)

    def position(self) -> Variable:
        return self.new(Kind.POSITION, Scope.SINGLE)

    def storable(self, out: Variable, *, share: int = 1) -> Operand:
        """Something that fits into `out`: another variable, `out` itself, or a constant."""
        if out.kind is Kind.POSITION:
            choices = st.sampled_from(["new", "new", "same", "constant"])
        else:
            choices = st.sampled_from(["new", "new", "same", "constant", "named"])
        match self.draw(choices):
            case "same":
                return out
            case "constant":
                return self.constant(out, share)
            case "named" if out.kind in (Kind.COUNT, Kind.VALUE) and share == 1:
                return self.draw(st.sampled_from([MASK, UNREACHED]))
            case _:
                kinds = [kind for kind, wider in STORES.items() if out.kind in wider]
                kind = self.draw(st.sampled_from(kinds))
                signed = out.signed and kind in (Kind.COUNT, Kind.VALUE) and self.chance()
                among = self.entries(kind, signed=signed, share=share)
                return self.new(kind, out.scope, signed=signed, among=among)

    def constant(self, out: Variable, share: int) -> Operand:
        """One that a program may contain: up to `largest`, which is a quarter of the mask."""
        if out.kind is Kind.POSITION:
            return NOWHERE
        small = (Kind.INDEX, Kind.SQUARE)  # of which only 0 and 1 are constants
        kind = Kind.FLAG if out.kind in small else out.kind
        signed = out.signed and kind in (Kind.COUNT, Kind.VALUE)
        return self.draw(self.entries(kind, signed=signed, share=max(share, 4)))

    def out(self, scope: Scope, *kinds: Kind, signed: bool | None = None, share: int = 1) -> Any:
        """A target with an old value that must go."""
        kind = self.draw(st.sampled_from(kinds))
        if signed is None:
            signed = kind in (Kind.COUNT, Kind.VALUE) and self.chance()
        among = self.entries(kind, signed=signed, share=share)
        return self.new(kind, scope, signed=signed, among=among)


def _times(pair: tuple[Any, int]) -> Any:
    return pair[0] * pair[1]


# ── one random use of each op ───────────────────────────────────────────────────────────────────

OP_USES: dict[type[Op], Callable[[Bench], Op]] = {}
"""Op → a function that draws one use of it, inside its exact range."""


def uses(op: type[Op]) -> Callable[[Callable[[Bench], Op]], Callable[[Bench], Op]]:
    def register(use: Callable[[Bench], Op]) -> Callable[[Bench], Op]:
        OP_USES[op] = use
        return use

    return register


def _compared(bench: Bench, scope: Scope | None = None) -> tuple[Variable, Operand, Operand]:
    """Two numbers of any kinds, often equal or next to each other; one or both may be constants."""
    scope = scope or bench.draw(SCOPES)
    a = bench.number(scope)
    match bench.draw(st.sampled_from(["new", "near", "constant", "constants", "named", "same"])):
        case "new":
            b: Operand = bench.number(scope)
        case "near":
            grain = bench.limits.constants().resolution if a.kind is Kind.VALUE else 1
            old = bench.inputs[a.name]
            moves = st.sampled_from([-grain, 0, grain])
            near = [x + bench.draw(moves) for x in (old if isinstance(old, list) else [old])]
            if a.kind is Kind.INDEX:
                near = [min(max(x, 0), bench.n) for x in near]
            start = near if scope is Scope.NODES else near[0]
            b = bench.new(a.kind, scope, signed=a.kind is not Kind.INDEX, start=start)
        case "constant":
            b = bench.constant(a, 1)
        case "constants":
            numbers = bench.entries(Kind.VALUE, signed=True, share=4)
            return bench.flag(scope), bench.draw(numbers), bench.draw(numbers)
        case "named":
            b = bench.draw(st.sampled_from([MASK, UNREACHED]))
        case _:
            b = a
    out = bench.flag(scope)
    return (out, a, b) if bench.chance() else (out, b, a)


@uses(ops.LessThan)
def _(bench: Bench) -> Op:
    return ops.LessThan(*_compared(bench))


@uses(ops.LessOrEqual)
def _(bench: Bench) -> Op:
    return ops.LessOrEqual(*_compared(bench))


@uses(ops.Between)
def _(bench: Bench) -> Op:
    """A comparison that is often close, and a third number, of the same kind as one of the two."""
    out, a, b = _compared(bench)
    kind = next((x.kind for x in (a, b) if isinstance(x, Variable)), Kind.VALUE)
    c = bench.draw(st.sampled_from([a, b, bench.new(kind, out.scope)]))
    return ops.Between(out, *bench.draw(st.permutations([a, b, c])))


@uses(ops.Where)
def _(bench: Bench) -> Op:
    scope = bench.draw(SCOPES)
    out = bench.out(scope, *Kind)
    condition = out if out.kind is Kind.FLAG and bench.chance() else bench.flag(scope)
    return ops.Where(out, condition, bench.storable(out), bench.storable(out))


@uses(ops.Copy)
def _(bench: Bench) -> Op:
    out = bench.out(bench.draw(SCOPES), *Kind)
    return ops.Copy(out, bench.storable(out))


@uses(ops.Increment)
def _(bench: Bench) -> Op:
    scope = bench.draw(SCOPES)
    out = bench.new(Kind.POSITION, scope)
    return ops.Increment(out, out if bench.chance() else bench.new(Kind.POSITION, scope))


@uses(ops.MarkZeros)
def _(bench: Bench) -> Op:
    scope = bench.draw(SCOPES)
    kind = bench.draw(st.sampled_from(NUMBERS))
    return ops.MarkZeros(bench.flag(scope), bench.new(kind, scope))


def formulas(flags: list[Formula], depth: int) -> st.SearchStrategy[Formula]:
    """∧, ∨ and ¬ of flags, nested at most `depth` deep (¬ costs nothing, so it may be anywhere)."""
    leaf: st.SearchStrategy[Formula] = st.sampled_from(flags)
    leaf = leaf | leaf.map(Not)
    if depth == 0:
        return leaf
    parts = st.lists(formulas(flags, depth - 1), min_size=1, max_size=3).map(tuple)
    joined = parts.map(And) | parts.map(Or)
    return leaf | joined | joined.map(Not)


@uses(ops.Set)
def _(bench: Bench) -> Op:
    scope = bench.draw(SCOPES)
    flags = [bench.flag(scope) for _ in range(3)]
    out = flags[0] if bench.chance() else bench.flag(scope)
    constant = B_GLOBAL if scope is Scope.SINGLE else B_LOCAL
    if bench.chance():
        return ops.Set(out, bench.draw(formulas([*flags, constant], depth=3)))
    _, a, b = _compared(bench, scope)
    atoms = [*flags, Less(a, b), Less(b, a), Same(a, b)]
    return ops.Set(out, bench.draw(formulas(atoms, depth=1)))


@uses(ops.Equal)
def _(bench: Bench) -> Op:
    scope = bench.draw(SCOPES)
    kind = bench.draw(st.sampled_from([Kind.FLAG, Kind.INDEX, Kind.COUNT]))
    signed = kind is Kind.COUNT and bench.chance()
    near = st.integers(0, 2) if kind is Kind.COUNT else None
    a = bench.new(kind, scope, signed=signed, among=near)
    b = bench.draw(st.sampled_from([a, bench.new(kind, scope, signed=signed, among=near)]))
    out = a if kind is Kind.FLAG and bench.chance() else bench.flag(scope)
    return ops.Equal(out, a, b)


@uses(ops.Add)
def _(bench: Bench) -> Op:
    out = bench.out(bench.draw(SCOPES), *NUMBERS, share=2)
    return ops.Add(out, bench.storable(out, share=2), bench.storable(out, share=2))


@uses(ops.Subtract)
def _(bench: Bench) -> Op:
    out = bench.out(bench.draw(SCOPES), Kind.COUNT, Kind.VALUE, signed=True, share=2)
    return ops.Subtract(out, bench.storable(out, share=2), bench.storable(out, share=2))


@uses(ops.Multiply)
def _(bench: Bench) -> Op:
    """Up to four times as much, so that no multiple exceeds Ω; an index stays that of a node."""
    scope = bench.draw(SCOPES)
    kind = bench.draw(st.sampled_from([Kind.FLAG, *NUMBERS]))
    wider = [each for each in STORES[kind] if each in NUMBERS]
    signed = kind in (Kind.COUNT, Kind.VALUE) and bench.chance()
    a = bench.new(kind, scope, signed=signed, among=bench.entries(kind, signed=signed, share=2))
    times = bench.draw(st.integers(-4, 4))
    negative = signed or times < 0
    if negative:
        wider = [each for each in wider if each is not Kind.INDEX]
    out = bench.out(scope, *wider, signed=True if negative else None)
    times = min(times, 1) if out.kind is Kind.INDEX else times
    same = out.kind is a.kind and out.signed == a.signed
    return ops.Multiply(a if same and bench.chance() else out, a, times)


def _two_numbers(bench: Bench) -> tuple[Variable, Operand, Operand]:
    out = bench.out(bench.draw(SCOPES), *NUMBERS, share=2)
    return out, _number_for(bench, out), _number_for(bench, out)


def _number_for(bench: Bench, out: Variable) -> Operand:
    """Something that fits into `out`, but for flags."""
    operand = bench.storable(out, share=2)
    is_flag = isinstance(operand, Variable) and operand.kind is Kind.FLAG
    return out if is_flag else operand


@uses(ops.Minimum)
def _(bench: Bench) -> Op:
    return ops.Minimum(*_two_numbers(bench))


@uses(ops.Maximum)
def _(bench: Bench) -> Op:
    return ops.Maximum(*_two_numbers(bench))


@uses(ops.Difference)
def _(bench: Bench) -> Op:
    """Often of signed numbers, into what is not signed."""
    out, a, b = _two_numbers(bench)
    unsigned = replace(out, name=f"{out.name}_apart", start=0, signed=False)
    return ops.Difference(bench.draw(st.sampled_from([out, unsigned])), a, b)


@uses(ops.RoundFlag)
def _(bench: Bench) -> Op:
    return ops.RoundFlag(bench.flag(bench.draw(SCOPES)))


@uses(ops.Repeat)
def _(bench: Bench) -> Op:
    out = bench.out(Scope.NODES, *Kind)
    kinds = [kind for kind, wider in STORES.items() if out.kind in wider]
    kind = bench.draw(st.sampled_from(kinds))
    signed = out.signed and kind in (Kind.COUNT, Kind.VALUE)
    return ops.Repeat(out, bench.new(kind, Scope.SINGLE, signed=signed))


@uses(ops.ReadRow)
def _(bench: Bench) -> Op:
    return ops.ReadRow(bench.out(Scope.NODES, Kind.VALUE), bench.position())


@uses(ops.ReadColumn)
def _(bench: Bench) -> Op:
    return ops.ReadColumn(bench.out(Scope.NODES, Kind.VALUE), bench.position())


@uses(ops.ReadX)
def _(bench: Bench) -> Op:
    out = bench.out(Scope.SINGLE, *Kind)
    kinds = [kind for kind, wider in STORES.items() if out.kind in wider]
    kind = bench.draw(st.sampled_from(kinds))
    signed = out.signed and kind in (Kind.COUNT, Kind.VALUE)
    column = bench.new(kind, Scope.NODES, signed=signed)
    position = bench.position()
    if kind is Kind.POSITION and bench.chance():
        out = position
    return ops.ReadX(out, position, column)


@uses(ops.WriteRow)
def _(bench: Bench) -> Op:
    out = bench.flag(Scope.NODES)
    content = bench.draw(st.sampled_from([B_GLOBAL, bench.flag(Scope.SINGLE)]))
    also = bench.draw(st.sampled_from([None, out, bench.flag(Scope.NODES)]))
    return ops.WriteRow(out, bench.position(), content, also)


@uses(ops.OneHot)
def _(bench: Bench) -> Op:
    content = bench.draw(st.sampled_from([B_GLOBAL, bench.flag(Scope.SINGLE)]))
    return ops.OneHot(bench.flag(Scope.NODES), bench.position(), content)


@uses(ops.SubtractAt)
def _(bench: Bench) -> Op:
    kind = bench.draw(st.sampled_from([Kind.COUNT, Kind.VALUE]))
    out = bench.out(Scope.NODES, kind, signed=True, share=2)
    kinds = [kind for kind, wider in STORES.items() if out.kind in wider and kind is not Kind.FLAG]
    kind = bench.draw(st.sampled_from(kinds))
    signed = kind in (Kind.COUNT, Kind.VALUE) and bench.chance()
    among = bench.entries(kind, signed=signed, share=2)
    content = bench.new(kind, Scope.SINGLE, signed=signed, among=among)
    return ops.SubtractAt(out, bench.position(), content)


@uses(ops.AllOne)
def _(bench: Bench) -> Op:
    mostly = st.integers(0, 5).map(bool).map(int)
    among = bench.draw(st.sampled_from([mostly, st.just(1), st.just(0)]))
    return ops.AllOne(bench.flag(Scope.SINGLE), bench.new(Kind.FLAG, Scope.NODES, among=among))


@uses(ops.Everywhere)
def _(bench: Bench) -> Op:
    mostly = st.integers(0, 5).map(bool).map(int)
    among = bench.draw(st.sampled_from([mostly, st.just(1), st.just(0)]))
    return ops.Everywhere(bench.flag(Scope.NODES), bench.new(Kind.FLAG, Scope.NODES, among=among))


@uses(ops.SumFrom)
def _(bench: Bench) -> Op:
    return ops.SumFrom(bench.out(Scope.NODES, Kind.VALUE), bench.flag(Scope.NODES))


@uses(ops.SumTo)
def _(bench: Bench) -> Op:
    return ops.SumTo(bench.out(Scope.NODES, Kind.VALUE), bench.flag(Scope.NODES))


def _column_and_sum(bench: Bench) -> tuple[Variable, Variable]:
    """(out, column): numbers so small that six of them are no more than Ω."""
    kind = bench.draw(st.sampled_from(NUMBERS))
    signed = kind is not Kind.INDEX and bench.chance()
    column = bench.new(
        kind, Scope.NODES, signed=signed, among=bench.entries(kind, signed=signed, share=8)
    )
    wider = [each for each in STORES[kind] if each is not Kind.INDEX]
    out = bench.out(Scope.NODES, *wider, signed=True if signed else None)
    same = out.kind is kind and out.signed == signed
    return column if same and bench.chance() else out, column


@uses(ops.AddFrom)
def _(bench: Bench) -> Op:
    return ops.AddFrom(*_column_and_sum(bench))


@uses(ops.AddTo)
def _(bench: Bench) -> Op:
    return ops.AddTo(*_column_and_sum(bench))


def _at_most_one(bench: Bench) -> Variable:
    at = bench.draw(st.integers(0, bench.n))
    return bench.new(Kind.FLAG, Scope.NODES, start=[int(i + 1 == at) for i in range(bench.n)])


@uses(ops.RowOf)
def _(bench: Bench) -> Op:
    return ops.RowOf(bench.out(Scope.NODES, Kind.VALUE), _at_most_one(bench))


@uses(ops.ColumnOf)
def _(bench: Bench) -> Op:
    return ops.ColumnOf(bench.out(Scope.NODES, Kind.VALUE), _at_most_one(bench))


def _tied(bench: Bench, *kinds: Kind) -> Variable:
    """Values up to Ω/4, often few and so tied."""
    kind = bench.draw(st.sampled_from(kinds or NUMBERS))
    signed = kind is not Kind.INDEX and bench.chance()
    some = bench.draw(st.lists(bench.entries(kind, signed=signed, share=2), min_size=1, max_size=3))
    return bench.new(kind, Scope.NODES, signed=signed, among=st.sampled_from(some))


@uses(ops.MarkLeast)
def _(bench: Bench) -> Op:
    """The flags may leave out any node, or all."""
    # `out` is not `unless`: see test_ops.test_mark_least_in_place.
    return ops.MarkLeast(bench.flag(Scope.NODES), _tied(bench), bench.flag(Scope.NODES))


@uses(ops.ReadLeast)
def _(bench: Bench) -> Op:
    value = _tied(bench)
    among = bench.draw(st.sampled_from([st.integers(0, 1), st.just(1)]))
    unless = bench.new(Kind.FLAG, Scope.NODES, among=among)
    return ops.ReadLeast(replace(value, name=f"{value.name}_least", start=0), value, unless)


@uses(ops.ReadFirst)
def _(bench: Bench) -> Op:
    out = bench.out(Scope.NODES, Kind.FLAG, *NUMBERS)
    kinds = [kind for kind, wider in STORES.items() if out.kind in wider]
    kind = bench.draw(st.sampled_from(kinds))
    signed = out.signed and kind in (Kind.COUNT, Kind.VALUE)
    column = bench.new(kind, Scope.NODES, signed=signed)
    return ops.ReadFirst(out, bench.flag(Scope.NODES), column)


@uses(ops.Gather)
def _(bench: Bench) -> Op:
    """Pointers of any nodes, or none; at times `out` points itself, or is what is brought."""
    out = bench.out(Scope.NODES, Kind.FLAG, *NUMBERS, Kind.SQUARE)
    kinds = [kind for kind, wider in STORES.items() if out.kind in wider]
    kind = bench.draw(st.sampled_from(kinds))
    signed = out.signed and kind in (Kind.COUNT, Kind.VALUE)
    column = bench.new(kind, Scope.NODES, signed=signed)
    if kind is Kind.SQUARE and bench.chance():
        column = OWN_SQUARE
    elif kind is out.kind and bench.chance():
        column = out
    pointer = bench.new(Kind.INDEX, Scope.NODES)
    return ops.Gather(out, out if out.kind is Kind.INDEX and bench.chance() else pointer, column)


@uses(ops.LeastWhereEqual)
def _(bench: Bench) -> Op:
    """Few keys, so that several nodes share one, and queries of these and others."""
    value = _tied(bench, *NUMBERS)
    some = bench.draw(st.lists(st.integers(0, bench.n), min_size=1, max_size=3))
    key = bench.new(Kind.INDEX, Scope.NODES, among=st.sampled_from(some))
    squares = [k * k for k in bench.inputs[key.name]]
    square = bench.new(Kind.SQUARE, Scope.NODES, start=squares)
    query = bench.draw(st.sampled_from([key, bench.new(Kind.INDEX, Scope.NODES)]))
    squares = [t * t for t in bench.inputs[query.name]]
    asked = square if query is key else bench.new(Kind.SQUARE, Scope.NODES, start=squares)
    unless = bench.draw(st.sampled_from([NOBODY, bench.flag(Scope.NODES)]))
    wider = [kind for kind in STORES[value.kind] if kind in NUMBERS]
    out = bench.out(Scope.NODES, *wider, signed=True if value.signed else None)
    among = [
        out,
        *(v for v in (value, key, query) if v.kind is out.kind and v.signed == out.signed),
    ]
    out = bench.draw(st.sampled_from(among))
    return ops.LeastWhereEqual(out, value, key, square, query, asked, unless)


# ── edge heads ──────────────────────────────────────────────────────────────────────────────────


def _with_ties(bench: Bench, *kinds: Kind) -> Operand:
    """A number at each node, at times the same at several, or one constant for all of them."""
    if bench.chance():
        return _tied(bench, *kinds)
    return bench.draw(st.sampled_from([0, 1]))


def _out_for(bench: Bench, value: Operand, *kinds: Kind) -> Variable:
    """A variable that can hold it."""
    kind = value.kind if isinstance(value, Variable) else Kind.INDEX
    signed = isinstance(value, Variable) and value.signed
    wider = [each for each in STORES[kind] if each in kinds]
    return bench.out(Scope.NODES, *wider, signed=True if signed else None)


def _cut(bench: Bench) -> Variable | None:
    """A flag or an index in which the ends of edges have to differ, or none."""
    match bench.draw(st.sampled_from(["none", "flag", "index"])):
        case "flag":
            return bench.flag(Scope.NODES)
        case "index":
            return _tied(bench, Kind.INDEX)
        case _:
            return None


def _least(op: type[ops.LeastFrom], *kinds: Kind) -> Callable[[Bench], Op]:
    def make(bench: Bench) -> Op:
        value = _with_ties(bench, *NUMBERS)
        out = _out_for(bench, value, *kinds)
        others = [0, 1, *([UNREACHED, 7] if out.kind is not Kind.INDEX else [])]
        otherwise = bench.draw(st.sampled_from(others))
        return op(out, value, bench.flag(Scope.NODES), otherwise, across=_cut(bench))

    return make


for _op in (ops.LeastFrom, ops.LeastTo):
    OP_USES[_op] = _least(_op, *NUMBERS)
for _op in (ops.NearestFrom, ops.NearestTo):
    OP_USES[_op] = _least(_op, Kind.VALUE)


def _heaviest(op: type[ops.HeaviestFrom]) -> Callable[[Bench], Op]:
    def make(bench: Bench) -> Op:
        out = bench.out(Scope.NODES, Kind.VALUE)
        return op(out, bench.flag(Scope.NODES), across=_cut(bench))

    return make


for _op in (ops.HeaviestFrom, ops.HeaviestTo):
    OP_USES[_op] = _heaviest(_op)


def _least_sums(
    op: type[Op], bench: Bench, value: list[Any], unless: list[int], side: list[int] | None
) -> list[Any]:
    """For each node the least value, or value and edge, that its edges show it; None if none do.

    If nodes are on sides, edges show what is on the other one alone.
    """
    graph = bench.graph if bench.graph.is_directed() else bench.graph.to_directed()
    found: list[Any] = [None] * bench.n
    for tail, head, weight in graph.edges(data="weight"):
        at, other = (head, tail) if op.edges == "from" else (tail, head)
        if not unless[other] and (side is None or side[at] != side[other]):
            total = value[other] + (Fraction(weight) if op.along else 0)
            found[at] = total if found[at] is None else min(found[at], total)
    return found


def _via(op: type[ops.LeastViaFrom]) -> Callable[[Bench], Op]:
    """Paths that are as long as the way, or too short for any; values of few sizes, so that there
    are several ways."""

    def make(bench: Bench) -> Op:
        kind = Kind.VALUE if op.along else bench.draw(st.sampled_from(NUMBERS))
        value, unless, cut = _tied(bench, kind), bench.flag(Scope.NODES), _cut(bench)
        given = [each if each is None else bench.inputs[each.name] for each in (value, unless, cut)]
        sums = _least_sums(op, bench, *given)
        short = bench.draw(st.lists(st.booleans(), min_size=bench.n, max_size=bench.n))
        least = min([0, *bench.inputs[value.name]])
        lengths = [
            least if total is None or no else total for total, no in zip(sums, short, strict=True)
        ]
        path = bench.new(kind, Scope.NODES, signed=value.signed, start=lengths)
        column = bench.draw(st.sampled_from([OWN_INDEX, value]))
        out = _out_for(bench, column, *NUMBERS)
        return op(out, value, path, unless, column, across=cut)

    return make


for _op in (op for op in ops.ALL if op.retraces):
    OP_USES[_op] = _via(_op)


@uses(ops.RoundPosition)
def _(bench: Bench) -> Op:
    return ops.RoundPosition(bench.new(Kind.POSITION, Scope.SINGLE), _at_most_one(bench))


# ── whole cases ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Case:
    """A program of one random step, and what to run it on."""

    program: Program
    graph: nx.Graph
    inputs: dict[str, Any]
    limits: Limits


def one_step(*made: Op, edges: Any = "weights") -> Program:
    """One step of these ops, attention first; then one that reads what it wrote, and halts.

    A variable that no later step reads would need no column, and nothing would be compared.
    """
    halt = single.flag("halt")
    wrote = dict.fromkeys(op.out for op in made)
    look = [ops.Copy(replace(out, name=f"{out.name}_seen", start=None), out) for out in wrote]
    ordered = sorted(made, key=lambda op: op.phase is Phase.MLP)
    return Program(
        name="one step",
        steps=(step("try", *ordered), step("look", *look, ops.Copy(halt, 1))),
        outputs={"node": B_LOCAL},
        halt=halt,
        bound=(1,),
        edges=edges,
    )


@st.composite
def cases(
    draw: Any,
    *chosen: type[Op],
    max_nodes: int = 6,
    limits: tuple[Limits, ...] = (SMALL, Limits(), Limits.paper()),
) -> Case:
    """One step that has one use of each chosen op, all on variables of their own."""
    graph = draw(graphs(max_nodes=max_nodes))
    declared = draw(st.sampled_from(limits))
    made, inputs = [], {}
    ones = any(op.edges and op.quantities and not op.chooses for op in chosen)
    seen = nx.create_empty_copy(graph)
    seen.add_edges_from(
        (u, v, {"weight": 1 if ones else w}) for u, v, w in graph.edges(data="weight")
    )
    for i, op in enumerate(chosen):
        bench = Bench(draw, len(graph), declared, seen, prefix=f"{op.__name__}{i}_")
        made.append(OP_USES[op](bench))
        inputs |= bench.inputs
    read = {variable.name for op in made for variable in op.reads()}
    targets = {op.out.name for op in made}
    used = {name: start for name, start in inputs.items() if name in read | targets}
    return Case(one_step(*made, edges="ones" if ones else "weights"), graph, used, declared)


# ── what an algorithm needs besides a graph ─────────────────────────────────────────────────────


@st.composite
def instructions(draw: Any, n: int) -> dict[str, Any]:
    """n instructions of Graph-SUBLEQ that jump forwards only, so that they halt."""
    places = st.lists(st.integers(1, n), min_size=n, max_size=n)
    c = [draw(st.sampled_from([0, *range(i + 1, n + 1)])) for i in range(1, n + 1)]
    return {
        "memory": draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n)),
        "a1": draw(places),
        "a2": draw(places),
        "b": draw(places),
        "c": c,
        "gamma": draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)),
        "halts": [int(jump == 0) for jump in c],
        "last": [0] * (n - 1) + [1],
        "max_iterations": n,
    }


INPUTS: dict[str, Callable[[int], st.SearchStrategy[dict[str, Any]]]] = {
    "multitask": lambda n: st.fixed_dictionaries({"dfs": st.integers(0, 1)}),
    "graph-subleq": instructions,
    "independent-set": lambda n: st.fixed_dictionaries(
        {"priority": st.lists(st.integers(0, 3), min_size=n, max_size=n)}
    ),
}
"""Algorithm that declares given inputs → what to pass to it on a graph of n nodes."""
