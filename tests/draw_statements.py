"""Random programs of statements: a seed makes a case, always the same.

Terms are drawn by what they are to be, a truth or a number, and assigned to variables that can hold
them, so that most programs are well formed. There are few variables and many names of terms, so
that much is read before and after it is written.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random
from types import SimpleNamespace
from typing import Any, Literal, NamedTuple

import loopwright as lw
from draw_programs import LIMITS, OFTEN, RARE, SELDOM, Drawing, declaration
from loopwright.language.variables import Named, Variable
from loopwright.model.layout import Kind, Scope
from second_meaning import Meaning, Problem
from statement_trees import LEAVES, Statement, Term, Tree
from trials import Case, Instance

NUMBERS = (Kind.INDEX, Kind.COUNT, Kind.VALUE)
RANKED = (Kind.FLAG, *NUMBERS)
"""Of two kinds, the later one can hold what the other holds."""
ROUNDS = "rounds"
"""The variable that counts iterations."""
INDEX = Term("index")
Naming = Literal["declared", "object", "nothing"]
"""Who names the variables that are written: their declarations, the attributes that hold them, or
nobody. What is only read must have a name, so that it is no slip."""


# ── written with the package ────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, kw_only=True)
class StatementsCase(Case):
    """A case whose program is a function that writes statements."""

    variables: tuple[Variable, ...]
    body: tuple[Statement, ...]
    naming: Naming
    functional: bool
    """Whether no node of its graphs has two edges out of it."""

    def program(self) -> lw.Program:
        def function(p: Any) -> dict[str, Any]:
            return Writer(p, self.naming).written(self)

        made = lw.algorithm(
            name="random",
            iterations=self.iterations(),
            edges=self.edges,
            source=self.source,
            needs=("functional",) if self.functional else (),
        )
        return made(function)()

    def iterations(self) -> Any:
        """As an author would write them."""
        return (lambda n: sum(k * n**i for i, k in enumerate(self.bound))) if self.bound else ()

    def meaning(self, problem: Problem) -> Meaning:
        return Tree(self.variables, self.body, self.outputs, self.edges == "ones").meaning(problem)

    def parts(self) -> set[str]:
        returned = [each for term, _ in self.outputs.values() for each in term.terms()]
        terms = [each for statement in self.body for each in statement.terms()]
        return {each.how for each in (*self.body, *terms, *returned)}

    def less(self) -> Iterator[StatementsCase]:
        """Without a statement, or with a simpler one."""
        for i, statement in enumerate(self.body):
            before, after = self.body[:i], self.body[i + 1 :]
            yield replace(self, body=before + after)
            for less in statement.simpler():
                yield replace(self, body=(*before, less, *after))
        for name, (term, kind) in self.outputs.items():
            for less in term.simpler():
                yield replace(self, outputs={**self.outputs, name: (less, kind)})

    def lines(self) -> list[str]:
        returned = ", ".join(f"{name!r}: {term}" for name, (term, _) in self.outputs.items())
        return [
            f"edges {self.edges!r}, bound {self.bound}, named by {self.naming}",
            *map(declaration, self.variables),
            *map(str, self.body),
            f"return {{{returned}}}",
        ]


SIGNS: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "negative": operator.neg,
    "abs": abs,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "&": operator.and_,
    "|": operator.or_,
    "~": operator.invert,
    "[]": operator.getitem,
    "+=": operator.iadd,
    "-=": operator.isub,
    "|=": operator.ior,
    "&=": operator.iand,
}


class Writer:
    """Calls what an author would call."""

    def __init__(self, p: Any, naming: Naming) -> None:
        self.p, self.naming = p, naming

    def written(self, case: StatementsCase) -> dict[str, Any]:
        """Write declarations and statements; what the author's function returns."""
        own = SimpleNamespace()  # its attributes are names, as a function's variables are
        held = vars(own) if self.naming == "object" else dict[str, Any]()
        written = {statement.name for statement in case.body if statement.how != "let"}
        for variable in case.variables:
            named = self.naming == "declared" or variable.name not in written
            held[variable.name] = self.declared(variable, named=named)
        for statement in case.body:
            self.do(statement, held)
        return {name: self.term(term, held) for name, (term, _) in case.outputs.items()}

    def declared(self, v: Variable, *, named: bool) -> Any:
        options: dict[str, Any] = {"start": v.start}
        options |= {"name": v.name} if named else {}
        options |= {"at_source": v.at_source} if v.at_source is not None else {}
        options |= {"signed": True} if v.signed else {}
        scope = self.p.single if v.scope is Scope.SINGLE else self.p.nodes
        return getattr(scope, str(v.kind))(**options)

    def do(self, statement: Statement, held: dict[str, Any]) -> None:
        name, value = statement.name, self.term(statement.value, held)
        match statement.how:
            case "let":
                held[name] = value
            case "[:]":
                held[name][:] = value
            case "[flag]":
                assert statement.where is not None
                held[name][self.term(statement.where, held)] = value
            case "halt_when" | "halt_unless":
                getattr(self.p, statement.how)(value)
            case sign:
                held[name] = SIGNS[sign](held[name], value)

    def term(self, term: Term, held: dict[str, Any]) -> Any:
        match term.how:
            case "index":
                return self.p.index
            case "number":
                return term.of[0]
            case "variable" | "alias":
                return held[term.of[0]]
        of = [self.term(part, held) for part in term.of]
        match term.how:
            case sign if sign in SIGNS:
                return SIGNS[sign](*of)
            case "is_least" | "least":
                return getattr(self.p, term.how)(of[0], unless=of[1])
            case "least_from" | "least_to" | "nearest_from" | "nearest_to":
                value, unless, *cut = of
                ends: dict[str, Any] = dict(zip(["unless", "across"], [unless, *cut], strict=False))
                ends |= {"otherwise": 0} if term.how.startswith("nearest") else {}
                return getattr(self.p, term.how)(value, **ends)
            case "heaviest_from" | "heaviest_to":
                return getattr(self.p, term.how)(
                    **dict(zip(["unless", "across"], of, strict=False))
                )
            case called:
                return getattr(self.p, called)(*of)


# ── drawn ───────────────────────────────────────────────────────────────────────────────────────


class Sort(NamedTuple):
    """What a term is."""

    kind: Kind
    scope: Scope
    signed: bool = False


class Drawn(NamedTuple):
    term: Term
    sort: Sort


def draw_case(seed: int) -> StatementsCase:
    """The case of a seed."""
    return StatementDrawing(Random(seed)).statements_case()


@dataclass
class StatementDrawing(Drawing):
    """A case that is being drawn."""

    named: dict[str, Sort] = field(default_factory=dict[str, Sort])
    """Names of terms that can be used from here on."""
    functional: bool = False
    """Whether no node of the graphs has two edges out of it."""

    # ── leaves ──────────────────────────────────────────────────────────────────────────────────

    def readable(self, kinds: tuple[Kind, ...], scope: Scope) -> list[Drawn]:
        """Variables and names; at the nodes, also those that are single."""
        scopes = (scope, Scope.SINGLE)
        found = [
            Drawn(Term("variable", (v.name,)), Sort(v.kind, v.scope, v.signed))
            for v in self.variables
            if v.kind in kinds and v.scope in scopes and not v.constant
        ]
        named = [
            Drawn(Term("alias", (name,)), sort)
            for name, sort in self.named.items()
            if sort.kind in kinds and sort.scope in scopes
        ]
        return found + 2 * named

    def constant(self, kind: Kind) -> Drawn:
        """A number that may meet terms of a kind; how large it is, its kind says."""
        if self.chance(0.3):
            number: Any = self.rng.choice([0, 1])
        else:
            number = self.number(kind, signed=self.chance(0.2))
        return Drawn(
            Term("number", (number,)), Sort(kind_of(number), Scope.SINGLE, below_0(number))
        )

    # ── truths ──────────────────────────────────────────────────────────────────────────────────

    def truth(self, depth: int, scope: Scope) -> Drawn:
        """Flags and comparisons, joined; at the nodes, also what attention says."""
        flags = self.readable((Kind.FLAG,), scope)
        if depth <= 0 or self.chance(0.15):
            return self.rng.choice(flags) if flags and self.chance(0.7) else self.comparison(scope)
        ways = ["joined"] * 6 + ["~"] * 3 + ["compared"] * 3 + ["all", "any"]
        ways += ["deep", "deep", "~~", "same", "where"]
        ways += ["is_least", "first", "[]", "edge"] if scope is Scope.NODES else []
        match self.rng.choice(ways):
            case "joined":
                sign = self.rng.choice("&|")
                return joined(sign, self.truth(depth - 1, scope), self.truth(depth - 1, scope))
            case "~":
                return joined("~", self.truth(depth - 1, scope))
            case "~~":
                return joined("~", joined("~", self.truth(0, scope)))
            case "deep":
                return self.formula_of(depth + 2, scope)
            case "compared":
                return self.comparison(scope, depth - 1)
            case "same":
                sign = self.rng.choice(["==", "!="])
                return joined(sign, self.truth(depth - 1, scope), self.truth(depth - 1, scope))
            case "where":
                condition = self.truth(depth - 1, scope)
                sides = self.truth(depth - 1, scope), self.truth(depth - 1, scope)
                return joined("where", condition, *sides)
            case "all" | "any" as how:
                of = self.truth(depth - 1, Scope.NODES)
                return Drawn(Term(how, (of.term,)), Sort(Kind.FLAG, Scope.SINGLE))
            case "is_least":
                return brought("is_least", Kind.FLAG, self.anyone(depth - 1), self.unless(depth))
            case "first":
                found = self.truth(depth - 1, Scope.NODES)
                return brought("first", Kind.FLAG, found, self.truth(depth - 1, Scope.NODES))
            case "[]":
                flag = self.truth(depth - 1, Scope.NODES)
                return brought("[]", Kind.FLAG, flag, self.pointer(depth - 1))
            case _:
                if self.edges == "ones":
                    way = self.rng.choice(["edge_from", "edge_to"])
                    return brought(way, Kind.FLAG, self.one_node(depth - 1))
                return self.comparison(scope, depth - 1)

    def formula_of(self, depth: int, scope: Scope) -> Drawn:
        """Flags and comparisons that are joined again and again, more than one layer can hold."""
        if depth == 0:
            return self.truth(0, scope)
        sides = self.formula_of(depth - 1, scope), self.truth(self.rng.randint(0, 1), scope)
        made = joined(self.rng.choice("&|"), *self.rng.sample(sides, k=2))
        return joined("~", made) if self.chance(OFTEN) else made

    def comparison(self, scope: Scope, depth: int = 0) -> Drawn:
        a = self.numeric(depth, scope)
        b = self.constant(a.sort.kind) if self.chance(0.4) else self.numeric(depth, scope)
        sides = self.rng.sample([a, b], k=2)
        return joined(self.rng.choice(["<", "<=", ">", ">=", "==", "!="]), *sides)

    def unless(self, depth: int) -> Drawn:
        """A truth of the nodes, or nowhere."""
        if self.chance(0.3):
            return Drawn(Term("number", (0,)), Sort(Kind.FLAG, Scope.SINGLE))
        return self.truth(depth - 1, Scope.NODES)

    def cut(self, depth: int) -> list[Drawn]:
        """A truth or an index of the nodes, in which the ends of edges have to differ, or none."""
        if not self.chance(OFTEN):
            return []
        return [self.pointer(depth - 1) if self.chance(0.5) else self.truth(depth - 1, Scope.NODES)]

    def one_node(self, depth: int) -> Drawn:
        """A truth of one node at most; hardly ever, of who knows how many."""
        flags = self.truth(depth - 1, Scope.NODES)
        if self.chance(RARE):
            return flags
        if self.chance(0.3):
            return brought(
                "is_least", Kind.FLAG, Drawn(INDEX, Sort(Kind.INDEX, Scope.NODES)), flags
            )
        return Drawn(
            Term("==", (INDEX, Term("first", (flags.term,)))), Sort(Kind.FLAG, Scope.NODES)
        )

    # ── numbers ─────────────────────────────────────────────────────────────────────────────────

    def numeric(self, depth: int, scope: Scope) -> Drawn:
        """Variables and what is made of them; at the nodes, also what attention brings."""
        known = self.readable(NUMBERS, scope)
        if depth <= 0 or self.chance(0.2):
            own = scope is Scope.NODES and self.chance(0.15)
            return Drawn(INDEX, Sort(Kind.INDEX, Scope.NODES)) if own else self.rng.choice(known)
        ways = ["+", "-", "min", "max", "where", "*", "abs", "abs -", "negative", "+ flag"]
        told = ["least", "first", "[]", "least_where", "edges", "sum", "chosen", "via"]
        ways += told * (scope is Scope.NODES)
        match self.rng.choice(ways):
            case "+" | "-" | "min" | "max" as how:
                a = self.numeric(depth - 1, scope)
                b = self.constant(a.sort.kind) if self.chance(0.3) else self.numeric(0, scope)
                return joined(how, *self.rng.sample([a, b], k=2))
            case "+ flag":
                sign = self.rng.choice("+-")
                return joined(sign, self.numeric(depth - 1, scope), self.truth(depth - 1, scope))
            case "where":
                condition, a = self.truth(depth - 1, scope), self.numeric(depth - 1, scope)
                b = self.constant(a.sort.kind) if self.chance(0.3) else self.numeric(0, scope)
                return joined("where", condition, *self.rng.sample([a, b], k=2))
            case "*":
                of = self.rng.choice([self.truth, self.numeric])(depth - 1, scope)
                times = self.rng.choice([0, 1, 2, 2, 3, -1, -2, 10])
                factor = Drawn(Term("number", (times,)), Sort(Kind.FLAG, Scope.SINGLE, times < 0))
                return joined("*", *self.rng.sample([of, factor], k=2))
            case "abs -":
                b = self.numeric(0, scope)
                return joined("abs", joined("-", self.numeric(depth - 1, scope), b))
            case "abs" | "negative" as how:
                before = [each for each in known if each.term.how == "alias"]
                if before and self.chance(OFTEN):
                    return joined(how, self.rng.choice(before))
                return joined(how, self.numeric(depth - 1, scope))
            case how:
                return self.told(how, depth - 1)

    def told(self, how: str, depth: int) -> Drawn:
        """A number that attention brings."""
        way = self.rng.choice(["from", "to"])
        match how:
            case "least":
                of = self.anyone(depth)
                return brought("least", of.sort.kind, of, self.unless(depth), of=of)
            case "first":
                found = self.truth(depth, Scope.NODES)
                if self.chance(OFTEN):
                    return brought("first", Kind.INDEX, found)
                of = self.anyone(depth)
                return brought("first", of.sort.kind, found, of, of=of)
            case "[]":
                of = self.anyone(depth)
                return brought("[]", of.sort.kind, of, self.pointer(depth), of=of)
            case "least_where":
                of = self.anyone(depth)
                keys = self.pointer(depth), self.pointer(depth)
                return brought("least_where", of.sort.kind, of, *keys, of=of)
            case "chosen":
                return self.chosen(way, depth)
            case "via":
                return brought("via", Kind.INDEX, self.least_edge(way, depth))
            case "sum" if self.edges == "ones":
                of = self.anyone(depth)
                kind = Kind.VALUE if of.sort.kind is Kind.VALUE else Kind.COUNT
                return brought(f"sum_{way}", kind, of, of=of)
            case _ if self.edges == "ones":
                return brought(f"edges_{way}", Kind.COUNT, self.truth(depth, Scope.NODES))
            case _ if self.chance(OFTEN):
                return brought(f"edge_{way}", Kind.VALUE, self.one_node(depth))
            case _:
                return brought(f"edges_{way}", Kind.VALUE, self.truth(depth, Scope.NODES))

    def chosen(self, way: str, depth: int) -> Drawn:
        """What an edge brings that is chosen of several."""
        if self.chance(0.2):
            kind = Kind.COUNT if self.edges == "ones" else Kind.VALUE
            return brought(f"heaviest_{way}", kind, self.unless(depth), *self.cut(depth))
        return self.least_edge(way, depth)

    def least_edge(self, way: str, depth: int) -> Drawn:
        """The least of what edges bring."""
        of, kind = self.anyone(depth), Kind.COUNT if self.edges == "ones" else Kind.VALUE
        if self.chance(OFTEN):
            ends = self.unless(depth), *self.cut(depth)
            return brought(f"least_{way}", of.sort.kind, of, *ends, of=of)
        kind = max(of.sort.kind, kind, key=RANKED.index)
        return brought(f"nearest_{way}", kind, of, self.unless(depth), *self.cut(depth), of=of)

    def anyone(self, depth: int) -> Drawn:
        return self.numeric(depth, Scope.NODES)

    def pointer(self, depth: int) -> Drawn:
        """An index: a variable, what the first node of some has, or one of two such."""
        known = self.readable((Kind.INDEX,), Scope.NODES)
        own = Drawn(INDEX, Sort(Kind.INDEX, Scope.NODES))
        one = self.rng.choice([*known, own])
        if depth <= 0:
            return one
        if self.functional and self.chance(OFTEN):
            return brought("successor", Kind.INDEX)
        match self.rng.choice(["known", "first", "[]", "where", "min"]):
            case "first":
                return brought("first", Kind.INDEX, self.truth(depth - 1, Scope.NODES))
            case "[]":
                return brought("[]", Kind.INDEX, one, self.rng.choice([*known, own]))
            case "where":
                condition, other = self.truth(depth - 1, Scope.NODES), self.pointer(0)
                return joined("where", condition, one, other)
            case "min":
                return joined(self.rng.choice(["min", "max"]), one, self.pointer(0))
            case _:
                return one

    # ── statements ──────────────────────────────────────────────────────────────────────────────

    def statement(self) -> Statement:
        if self.chance(0.4):
            return self.let()
        lasting = [v for v in self.variables if not v.constant and v.name != ROUNDS]
        variable = self.rng.choice(lasting)
        made = [self.assignment(variable) for _ in range(8)]
        fitting = [each for each, fits in made if fits or self.careless]
        return fitting[0] if fitting else self.let()

    def let(self) -> Statement:
        scope = self.rng.choice([Scope.NODES, Scope.NODES, Scope.SINGLE])
        make = self.rng.choice([self.truth, self.truth, self.numeric])
        made = make(self.depth(), scope)
        if self.chance(SELDOM):
            made = joined("-", self.numeric(0, scope), self.numeric(0, scope))
        name = f"t{len(self.named)}"
        if made.term.how in LEAVES - {"alias"}:  # the variable itself would change with it
            made = joined("~", joined("~", made)) if made.sort.kind is Kind.FLAG else made
            made = (
                made
                if made.sort.kind is Kind.FLAG
                else joined("+", made, self.constant(made.sort.kind))
            )
        self.named[name] = made.sort
        return Statement("let", name, made.term)

    def assignment(self, variable: Variable) -> tuple[Statement, bool]:
        """A statement that writes a variable, and whether the variable can hold that."""
        name, scope, kind = variable.name, variable.scope, variable.kind
        own = Drawn(Term("variable", (name,)), Sort(kind, scope, variable.signed))
        plain = self.chance(0.2)
        before = [each for each in self.readable(RANKED, scope) if each.term.how == "alias"]
        before = [each for each in before if can_hold(variable, each.sort)]
        if before and self.chance(0.2):
            value = self.rng.choice(before)
            return Statement("[:]", name, value.term), True
        if plain:
            value = self.constant(kind)
        elif kind is Kind.FLAG:
            value = self.truth(self.depth(), scope)
        elif kind is Kind.INDEX and scope is Scope.NODES:
            value = self.pointer(self.depth())
        else:
            value = self.numeric(self.depth(), scope)
        ways = ["[:]", "[:]", "[flag]", "[flag]"]
        if kind is Kind.FLAG:
            ways += [] if plain else ["|=", "&="]
        elif kind is not Kind.INDEX:
            ways += ["+=", "-="] if variable.signed else ["+="]
        how = self.rng.choice(ways)
        if how == "[flag]":
            condition = self.truth(self.depth() - 1, scope)
            kept = joined("where", condition, value, own)
            return Statement(how, name, value.term, condition.term), can_hold(variable, kept.sort)
        made = value if how == "[:]" else joined(how.removesuffix("="), own, value)
        return Statement(how, name, value.term), can_hold(variable, made.sort)

    def depth(self) -> int:
        return self.rng.choice([0, 1, 1, 2, 2, 3, 4])

    def halting(self) -> tuple[list[Statement], tuple[int, ...]]:
        """A count of iterations, and when to halt: not later than it says."""
        rng = self.rng
        most = rng.choice([1, 1, 2, 3, 4])
        limit: Any = Term("number", (most,))
        if self.chance(SELDOM):
            given = lw.single.count("rounds wanted", start=lw.given("rounds"))
            self.variables.append(given)
            limit = Term("variable", (given.name,))
        rounds = next(v for v in self.variables if v.name == ROUNDS)
        enough = Term(rng.choice([">=", ">="]), (Term("variable", (ROUNDS,)), limit))
        until = Term("all", (enough,)) if rounds.scope is Scope.NODES else enough
        if self.chance(0.3):
            until = Term("|", (until, self.truth(2, Scope.SINGLE).term))
        counting = Statement("+=", ROUNDS, Term("number", (1,)))
        if self.chance(OFTEN):
            halt = Statement("halt_when", "", until)
        else:
            halt = Statement("halt_unless", "", Term("~", (until,)))
        bound = rng.choice([(most + 1,), (most + 1, 1), (0, most + 1), ()])
        return [counting, halt], bound

    # ── the whole ───────────────────────────────────────────────────────────────────────────────

    def statements_case(self) -> StatementsCase:
        rng = self.rng
        self.edges = "ones" if self.chance(0.4) else "weights"
        self.functional = self.edges == "ones" and self.chance(0.2)
        for _ in range(rng.randint(1, 4)):
            kind = rng.choice([Kind.FLAG, Kind.FLAG, Kind.INDEX, Kind.COUNT, Kind.VALUE])
            self.declare(kind, rng.choice([Scope.NODES, Scope.NODES, Scope.SINGLE]), started=True)
        scope = rng.choice([Scope.SINGLE, Scope.SINGLE, Scope.NODES])
        self.variables.append(Variable(ROUNDS, Kind.COUNT, scope, 0))
        if scope is Scope.NODES:  # so that there is a single number to read
            self.variables.append(
                Variable("one number", Kind.COUNT, Scope.SINGLE, rng.randint(0, 3))
            )
        self.careless = self.chance(RARE)
        body = [self.statement() for _ in range(rng.randint(2, 7))]
        (counting, halt), bound = self.halting()
        body.insert(rng.randint(0, len(body)), counting)
        body.append(halt)
        body += [self.statement() for _ in range(rng.choice([0, 0, 1, 2]))]
        outputs = self.outputs(body)
        declared = [v for v in self.variables if not v.constant]
        choices = ["required", "optional", "none"]
        if any(v.at_source is not None for v in declared) and not self.chance(RARE):
            choices.remove("none")
        source = rng.choice(choices)
        begun = [v for v in declared if isinstance(v.start, str)]
        return StatementsCase(
            variables=tuple(declared),
            body=tuple(body),
            outputs=outputs,
            naming=rng.choice(["declared", "object", "nothing"]),
            bound=bound,
            edges=self.edges,
            source=source,
            limits=rng.choice(LIMITS),
            functional=self.functional,
            instances=tuple(self.instance(begun, bound, source) for _ in range(3)),
        )

    def instance(self, begun: list[Variable], bound: tuple[int, ...], source: str) -> Instance:
        drawn = super().instance(begun, bound, source)
        if not self.functional or self.chance(RARE):
            return drawn
        first = {tail: (tail, head) for tail, head in reversed(drawn.edges)}
        edges = {arc: drawn.edges[arc] for arc in first.values()}
        return replace(drawn, edges=edges, directed=True)

    def outputs(self, body: list[Statement]) -> dict[str, tuple[Term, str]]:
        """Variables that statements mention, names of terms, and terms that are made for it."""
        used = {each.of[0] for at in body for each in at.terms() if each.how == "variable"}
        used |= {at.name for at in body}
        seen = self.readable(RANKED, Scope.NODES)
        if not self.chance(RARE):
            seen = [each for each in seen if each.term.of[0] in used]
        drawn = self.rng.sample(seen, k=min(len(seen), self.rng.randint(1, 4)))
        make = self.rng.choice([self.truth, self.numeric])
        drawn += [make(2, Scope.NODES)] if not drawn or self.chance(0.3) else []
        return {f"output {i}": (term, str(sort.kind)) for i, (term, sort) in enumerate(drawn)}


def kind_of(number: Any) -> Kind:
    """The least kind that holds a constant."""
    if isinstance(number, Named):
        return Kind.COUNT
    if Fraction(number).denominator != 1:
        return Kind.VALUE
    return Kind.FLAG if number in (0, 1) else Kind.COUNT


def below_0(number: Any) -> bool:
    return not isinstance(number, Named) and number < 0


def joined(how: str, *of: Drawn) -> Drawn:
    """A term that is made row by row."""
    sorts = [each.sort for each in of]
    scope = Scope.NODES if any(s.scope is Scope.NODES for s in sorts) else Scope.SINGLE
    sides = sorts[1:] if how == "where" else sorts
    kind = max((s.kind for s in sides), key=RANKED.index)
    signed = any(s.signed for s in sides)
    match how:
        case "+" | "*":
            kind = max(kind, Kind.COUNT, key=RANKED.index)
        case "-" | "negative":
            kind, signed = max(kind, Kind.COUNT, key=RANKED.index), True
        case "abs":
            kind, signed = max(kind, Kind.COUNT, key=RANKED.index), False
        case "min" | "max" | "where":
            pass
        case _:
            kind, signed = Kind.FLAG, False
    return Drawn(Term(how, tuple(each.term for each in of)), Sort(kind, scope, signed))


def brought(how: str, kind: Kind, *parts: Drawn, of: Drawn | None = None) -> Drawn:
    """A term that attention makes; it may be negative if what it is `of` may be."""
    signed = of is not None and of.sort.signed
    return Drawn(Term(how, tuple(each.term for each in parts)), Sort(kind, Scope.NODES, signed))


def can_hold(variable: Variable, sort: Sort) -> bool:
    """Whether a variable can be assigned such a term."""
    fits = RANKED.index(sort.kind) <= RANKED.index(variable.kind)
    return fits and (variable.signed or not sort.signed)
