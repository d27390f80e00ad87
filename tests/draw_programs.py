"""Random programs, and random problems to run them on: a seed makes a case, always the same.

Ops are drawn evenly, and their operands among the variables that each op declares it takes, so that
most programs are well formed. A few are not, on purpose; the rules are the package's own, and what
it refuses is no mismatch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random
from typing import Any, Literal

import loopwright as lw
from loopwright.language.formulas import Formula, Less, Same
from loopwright.language.op import Malformed, Op, Phase, Takes, declarations
from loopwright.language.program import Step
from loopwright.language.variables import B_GLOBAL, B_LOCAL, NOBODY, POSITIONS, Variable
from loopwright.model.layout import Kind, Scope
from second_meaning import Meaning, Problem, meaning
from trials import Case, Instance

LIMITS = [
    lw.Limits(nodes=12, largest=256, resolution=Fraction(1, 2**16)),
    lw.Limits(nodes=9, largest=2**12, resolution=Fraction(1, 2**8)),
    lw.Limits(nodes=20, largest=64, resolution=Fraction(1, 2**20)),
    lw.Limits(),
    lw.Limits.paper(),
]
CONSTANTS = (B_GLOBAL, B_LOCAL, POSITIONS, lw.OWN_INDEX, lw.OWN_SQUARE)
CLASHING = ["held", "held_n", "X", "A", "P", "B_local", "own_index", "halt", "own", "input", "out"]
"""Names that the compiler, softening or a message might use itself."""
SUFFIXES = ["_kept", "_found", "_n", "_seen", "⁺"]
"""What softening, or another pass, might append to a variable's name."""
ODD_NAMES = ["v v", "é", "1", "None", "__class__", "a.b", "", "\u202e", "a\nb"]
ARITHMETIC = (
    "Add Subtract Multiply Minimum Maximum Difference SumFrom SumTo AddFrom AddTo SubtractAt Where "
    "Copy LessThan LessOrEqual ReadLeast"
)
POINTERS = (
    "Increment ReadX OneHot WriteRow RoundPosition ReadRow ReadColumn Repeat Where SubtractAt"
)
CHOICES = (
    "MarkLeast ReadLeast ReadFirst Gather LeastWhereEqual Where RowOf ColumnOf Between LessThan "
    "Equal Set Everywhere"
)
EDGES = (
    "LeastFrom LeastTo NearestFrom NearestTo HeaviestFrom HeaviestTo LeastViaFrom LeastViaTo "
    "NearestViaFrom NearestViaTo HeaviestViaFrom HeaviestViaTo Minimum Where Set Gather Copy"
)
THEMES = [
    lw.ops.ALL,
    lw.ops.ALL,
    *(
        tuple(getattr(lw.ops, name) for name in names.split())
        for names in (ARITHMETIC, POINTERS, CHOICES, EDGES)
    ),
]
"""What ops a program is drawn from: with few of them, more go on with what others wrote."""
CHOOSE_ONE = (lw.ops.RowOf, lw.ops.ColumnOf, lw.ops.RoundPosition)
"""Ops for which a program promises that their flags mark one node at most."""
RARE, SELDOM, OFTEN = 0.02, 0.1, 0.5


@dataclass(frozen=True, kw_only=True)
class StepsCase(Case):
    """A case whose program is a list of steps, each of them a layer."""

    steps: tuple[Step, ...]
    halt: Variable

    def program(self) -> lw.Program:
        return lw.Program(
            name="random",
            steps=self.steps,
            outputs=self.outputs,
            halt=self.halt,
            bound=self.bound,
            edges=self.edges,
            source=self.source,
        )

    def meaning(self, problem: Problem) -> Meaning:
        return meaning(self.program(), problem)

    def ops(self) -> list[Op]:
        return [op for at in self.steps for op in at.ops]

    def parts(self) -> set[str]:
        return {type(op).__name__ for op in self.ops()}

    def less(self) -> Iterator[StepsCase]:
        """Without one op."""
        for s, at in enumerate(self.steps):
            for i in range(len(at.ops)):
                left = replace(at, ops=at.ops[:i] + at.ops[i + 1 :])
                kept: tuple[Step, ...] = (left,) if left.ops else ()
                yield replace(self, steps=self.steps[:s] + kept + self.steps[s + 1 :])

    def lines(self) -> list[str]:
        used = [v for op in self.ops() for v in (*op.reads(), op.out)]
        lines = [declaration(v) for v in dict.fromkeys(used) if not v.constant]
        lines += [f"{at.name!r}: {op}" for at in self.steps for op in at.ops]
        returned = {name: v.name for name, v in self.outputs.items()}
        until = f"until {self.halt}, bound {self.bound}, edges {self.edges!r}"
        return [*lines, f"returns {returned}, {until}"]


def declaration(variable: Variable) -> str:
    """How a variable is declared, to be read."""
    return (
        f"{variable.scope} {variable.kind} {variable.name!r}: start {variable.start}"
        + f", at source {variable.at_source}" * (variable.at_source is not None)
        + ", signed" * variable.signed
    )


def draw_case(seed: int) -> StepsCase:
    """The case of a seed."""
    return Drawing(Random(seed)).case()


@dataclass
class Drawing:
    """A case that is being drawn."""

    rng: Random
    variables: list[Variable] = field(default_factory=lambda: list(CONSTANTS))
    known: set[Variable] = field(default_factory=lambda: set(CONSTANTS))
    """Those that have a value: by their start, or written by a step before."""
    one_at_most: set[Variable] = field(default_factory=set[Variable])
    """Flags that mark no more than one node, so that nothing but `OneHot` may write them."""
    theme: tuple[type[Op], ...] = lw.ops.ALL
    edges: Literal["weights", "ones"] = "weights"
    before: list[Op] = field(default_factory=list[Op])
    """What must be brought before the step that is being drawn."""
    careless: bool = False
    """Whether declarations and operands may be what the language forbids."""

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    # ── variables ───────────────────────────────────────────────────────────────────────────────

    def name(self) -> str:
        taken = [v.name for v in self.variables]
        if self.chance(SELDOM):
            return self.rng.choice(CLASHING)
        if self.chance(SELDOM):
            return self.rng.choice(taken) + self.rng.choice(SUFFIXES)
        if self.chance(RARE):
            return self.rng.choice(ODD_NAMES)
        return f"v{len(taken)}"

    def declare(
        self, kind: Kind, scope: Scope, *, signed: bool | None = None, started: bool = False
    ) -> Variable:
        """A variable with a name of its own, though perhaps one that clashes.

        If it is to be read at once it must be `started`.
        """
        rng = self.rng
        name = self.name()
        while any(v.name == name for v in self.variables) and not self.chance(RARE):
            name = self.name()
        if signed is None:
            signed = kind in (Kind.COUNT, Kind.VALUE) and self.chance(OFTEN)
        signed = signed or kind is Kind.POSITION
        starts = [lw.given(f"input {len(self.variables)}"), 0, "number"]
        start: Any = rng.choice(starts if started else [None, *starts])
        own = (Kind.INDEX, Kind.SQUARE, Kind.POSITION)
        if scope is Scope.NODES and kind in own and self.chance(0.3):
            start = lw.OWN
        if start == "number":
            start = self.number(kind, signed=signed)
        if self.careless and self.chance(SELDOM):
            start = rng.choice(["foo", -3, 2, Fraction(1, 2), lw.UNREACHED, lw.OWN, 10**9])
        at_source = None
        has_source = kind in (Kind.FLAG, Kind.COUNT, Kind.VALUE) and scope is Scope.NODES
        if (has_source or self.careless) and self.chance(0.3):
            at_source = self.number(kind, signed=signed)
        try:
            variable = Variable(name, kind, scope, start, at_source, signed=signed)
        except lw.LoopwrightError:  # what is careless, or has an odd name, is refused at once
            return self.declare(kind, scope, signed=signed, started=started)
        self.variables.append(variable)
        if start is not None:
            self.known.add(variable)
        return variable

    def number(self, kind: Kind, *, signed: bool) -> Any:
        """A constant that such a variable can hold."""
        rng = self.rng
        match kind:
            case Kind.FLAG | Kind.INDEX | Kind.SQUARE | Kind.POSITION:
                return rng.choice([0, 1])
            case _ if self.chance(0.15):
                return rng.choice([lw.UNREACHED, lw.UNREACHED, lw.MASK])
            case Kind.COUNT:
                most: Any = rng.choice([1, 3, 3, 10, 100])
                return rng.randint(-most if signed else 0, most)
            case Kind.VALUE:
                unit = rng.choice([3, 10] if self.chance(RARE) else [1, 1, 2, 4, 256])
                most = rng.choice([1, 3, 3, 10, 100]) * unit
                return as_number(Fraction(rng.randint(-most if signed else 0, most), unit))

    def single_out(self) -> Variable:
        """A flag that marks one node at most: given, the source, or to be written by `OneHot`."""
        name = f"one{len(self.variables)}"
        start = self.rng.choice([lw.given(f"one {name}"), 0, 0])
        flag = Variable(name, Kind.FLAG, Scope.NODES, start, 1 if start == 0 else None)
        self.variables.append(flag)
        self.known.add(flag)
        self.one_at_most.add(flag)
        return flag

    # ── ops ─────────────────────────────────────────────────────────────────────────────────────

    def op(self, kind: type[Op], written: set[Variable]) -> Op | None:
        """One use of an op, or None if no operands were found; `written` should not be read."""
        for _ in range(12):
            made = self.attempt(kind, written)
            try:
                made.check()
            except Malformed:
                if not (self.careless and self.chance(SELDOM)):
                    continue
            if made.out.constant and not (self.careless and self.chance(SELDOM)):
                continue
            weighs = made.edges and (made.with_edge or not made.chooses)
            ones = made.along_edges or (weighs and made.out.kind is not Kind.VALUE)
            if ones and self.edges != "ones" and not (self.careless and self.chance(SELDOM)):
                continue
            return made
        return None

    def attempt(self, kind: type[Op], written: set[Variable]) -> Op:
        """Operands that are of the right kinds and scopes, at least."""
        declared = {name: takes for name, takes, _ in declarations(kind)}
        declared.pop("own_index", None)
        optional = {name for name, _, may_be_none in declarations(kind) if may_be_none}
        out = self.target(kind, declared.pop("out", None))
        left_out = {name for name in declared if name in optional and self.chance(OFTEN)}
        operands = {
            name: self.operand(kind, takes, out, written)
            for name, takes in declared.items()
            if name not in left_out
        }
        if kind.matches and not self.chance(RARE):
            operands |= self.with_square("key", "square", operands, written)
            operands |= self.with_square("query", "asked", operands, written)
        if kind.retraces and not self.chance(RARE):
            operands |= self.path(kind, operands, written)
        if kind.multiplies:
            operands[kind.multiplies] = self.rng.choice([0, 1, 1, 2, 2, 3, -1, -1, -2, 10, 1000])
        return kind(out, **operands)

    def with_square(
        self, name: str, square: str, operands: dict[str, Any], written: set[Variable]
    ) -> dict[str, Variable]:
        """A number and its square, which the step before brings, unless it is a constant."""
        number = operands[name]
        if number.constant or number in written:
            return {name: lw.OWN_INDEX, square: lw.OWN_SQUARE}
        brought = {
            op.operands()["pointer"]: op.out for op in self.before if type(op) is lw.ops.Gather
        }
        if number not in brought:
            brought[number] = Variable(f"square of {number.name}", Kind.SQUARE, Scope.NODES)
            self.before.append(lw.ops.Gather(brought[number], number, lw.OWN_SQUARE))
        return {name: number, square: brought[number]}

    def path(
        self, kind: type[Op], operands: dict[str, Any], written: set[Variable]
    ) -> dict[str, Any]:
        """A path, with what the step before this one makes it of."""
        value, unless, across = operands["value"], operands["unless"], operands.get("across")
        if value in written or (isinstance(value, Variable) and value.constant):
            value = 0
        if unless in written or unless.constant:
            unless = NOBODY
        if across in written:
            across = None
        makers = [op for op in lw.ops.ALL if issubclass(op, lw.ops.LeastFrom)]
        (maker,) = (o for o in makers if (o.edges, o.with_edge) == (kind.edges, kind.along))
        fine = kind.along and self.edges == "weights"
        of = value.kind if isinstance(value, Variable) else Kind.COUNT
        signed = isinstance(value, Variable) and value.signed
        path = Variable(
            f"path {len(self.before)}", Kind.VALUE if fine else of, Scope.NODES, signed=signed
        )
        otherwise = 0 if path.kind is Kind.INDEX else self.rng.choice([0, lw.UNREACHED])
        self.before.append(maker(path, value, unless, otherwise, across=across))
        return {"value": value, "unless": unless, "path": path, "across": across}

    def operand(self, kind: type[Op], takes: Takes, out: Variable, written: set[Variable]) -> Any:
        """A formula, a constant, or a variable that has a value."""
        if takes.formula:
            return self.formula(out.scope, depth=self.rng.randint(0, 4))
        if takes.constant and self.chance(0.3):
            if takes.stored:
                return self.number(out.kind, signed=out.signed)
            return self.number(self.rng.choice([Kind.COUNT, Kind.VALUE]), signed=self.chance(OFTEN))
        scope = takes.scope or out.scope
        fitting = [v for v in self.valued(takes.kinds, scope) if v not in written or v == out]
        if kind in CHOOSE_ONE and takes.kinds == (Kind.FLAG,) and self.chance(0.95):
            fitting = [v for v in fitting if v in self.one_at_most] or [self.single_out()]
        if takes.stored and not self.chance(RARE):
            fitting = [v for v in fitting if v.kind is out.kind] or fitting
        return self.rng.choice(
            fitting or [self.declare(self.rng.choice(takes.kinds), scope, started=True)]
        )

    def valued(self, kinds: tuple[Kind, ...], scope: Scope) -> list[Variable]:
        """The variables of these kinds that have a value, in the order of their declaration."""
        every = (v for v in self.variables if v in self.known)
        return [v for v in every if v.kind in kinds and v.scope is scope]

    def target(self, kind: type[Op], takes: Takes | None) -> Variable:
        """A variable for the op to write."""
        kinds = takes.kinds if takes else tuple(Kind)
        scope = takes.scope if takes else None
        signed = bool(takes and takes.sign == "signed")
        if signed:  # no index is
            kinds = (Kind.COUNT, Kind.VALUE)
        free = [
            v
            for v in self.variables
            if v.kind in kinds
            and (scope is None or v.scope is scope)
            and not v.constant
            and (v not in self.one_at_most or kind is lw.ops.OneHot)
            and (v in self.known or not kind.updates)
        ]
        if free and self.chance(0.7):
            return self.rng.choice(free)
        return self.declare(
            self.rng.choice(kinds),
            scope or self.rng.choice(list(Scope)),
            signed=True if signed else None,
            started=kind.updates,
        )

    def formula(self, scope: Scope, depth: int) -> Formula:
        """Flags and comparisons joined by ∧, ∨ and ¬."""
        leaf: Formula = self.rng.choice(self.valued((Kind.FLAG,), scope))
        numbers = self.valued((Kind.INDEX, Kind.COUNT, Kind.VALUE), scope)
        if numbers and self.chance(0.3):
            side = self.rng.choice(numbers)
            other = self.number(side.kind, signed=side.signed)
            other = self.rng.choice([*numbers, other, lw.UNREACHED])
            sides = self.rng.sample([side, other], k=2)
            leaf = Less(*sides) if self.chance(0.7) else Same(*sides)
        if depth == 0 or self.chance(0.2):
            return ~leaf if self.chance(0.3) else leaf
        made = self.formula(scope, depth - 1)
        for _ in range(self.rng.randint(1, 2)):
            other = self.formula(scope, depth - 1)
            made = made & other if self.chance(OFTEN) else made | other
        return ~made if self.chance(0.3) else made

    # ── steps ───────────────────────────────────────────────────────────────────────────────────

    def step(self, number: int) -> Step | None:
        """A few ops, attention first; what one head brings, no other reads."""
        chosen = sorted(
            self.rng.choices(self.theme, k=self.rng.randint(1, 4)),
            key=lambda kind: kind.phase is Phase.MLP,
        )
        made: list[Op] = []
        for kind in chosen:
            attends = kind.phase is Phase.ATTENTION
            brought = {op.out for op in made} if attends else set[Variable]()
            read = {v for op in made for v in op.reads()} if attends else set[Variable]()
            op = self.op(kind, brought)
            if op is None or (attends and (op.out in brought or op.out in read)):
                continue
            made.append(op)
            if not attends:  # what was brought is there now, as is what the ops before wrote
                self.known |= {op.out for op in made}
        self.known |= {op.out for op in made}
        names = [f"step {number}", f"step {number}", "step", "hold after termination"]
        return Step(self.rng.choice(names), tuple(made)) if made else None

    def halting(self) -> tuple[list[Step], Variable, tuple[int, ...]]:
        """What ends the loop: the first iteration, a counter, the data, or both."""
        rng = self.rng
        halt = lw.single.flag(rng.choice(["halt", "term", "done"]))
        if any(v.name == halt.name for v in self.variables):
            halt = lw.single.flag("end of the loop")
        rounds = rng.choice([1, 2, 3, 4, 5, 8, 8, 30])
        mode = rng.choice(["once", "counter", "counter", "given", "data", "both"])
        if mode == "once":
            return [lw.step("halt", lw.ops.Copy(halt, 1))], halt, (1,)
        count = lw.single.count("rounds", start=0)
        most: Any = rounds
        if mode == "given":
            most = lw.single.count("rounds wanted", start=lw.given("rounds"))
            self.variables.append(most)
        counting = [lw.ops.Add(count, count, 1), lw.ops.LessOrEqual(halt, most, count)]
        bound = rng.choice([(rounds,), (rounds + 2,), (0, rounds), ()])
        flag = rng.choice(self.valued((Kind.FLAG,), Scope.NODES))
        every = lw.single.flag("every")
        match mode:
            case "data":
                return [lw.step("halt", lw.ops.AllOne(halt, flag))], halt, (rounds,)
            case "both":
                either = lw.ops.Set(halt, halt | every)
                return [lw.step("halt", lw.ops.AllOne(every, flag), *counting, either)], halt, bound
            case _:
                return [lw.step("halt", *counting)], halt, bound

    def looking(self, steps: list[Step]) -> list[Step]:
        """Only entries of nodes are returned, so single variables are shown to the nodes."""
        written = dict.fromkeys(op.out for at in steps for op in at.ops)
        looks: list[Op] = []
        for v in [v for v in written if v.scope is Scope.SINGLE]:
            kind = Kind.FLAG if v.kind is Kind.POSITION else v.kind
            start = self.rng.choice([None, 0])
            signed = v.signed and kind in (Kind.COUNT, Kind.VALUE)
            seen = Variable(f"{v.name} shown", kind, Scope.NODES, start, signed=signed)
            if v.kind is Kind.POSITION:
                seen = lw.nodes.flag(seen.name, start)
                looks.append(lw.ops.OneHot(seen, v, B_GLOBAL))
            else:
                looks.append(lw.ops.Repeat(seen, v))
        return [lw.step("look", *looks)] if looks and self.chance(0.7) else []

    # ── the whole ───────────────────────────────────────────────────────────────────────────────

    def case(self) -> StepsCase:
        rng = self.rng
        self.careless = self.chance(SELDOM)
        self.theme = rng.choice(THEMES)
        self.edges = "ones" if self.chance(0.3) else "weights"
        for _ in range(rng.randint(2, 5)):
            self.declare(
                rng.choice(list(Kind)), rng.choice([Scope.NODES, Scope.NODES, Scope.SINGLE])
            )
        steps: list[Step] = []
        for number in range(1, rng.randint(2, 5)):
            at = self.step(number)
            steps += [lw.step(f"before {number}", *self.before)] if self.before else []
            steps += [at] if at else []
            self.before = []
        ending, halt, bound = self.halting()
        steps += [*self.looking(steps), *ending]
        used = [v for at in steps for op in at.ops for v in (*op.reads(), op.out)]
        seen = [v for v in dict.fromkeys([*used, B_LOCAL]) if v.scope is Scope.NODES]
        if not self.careless:
            seen = [v for v in seen if v.kind is not Kind.POSITION]
        results = rng.sample(seen, k=min(len(seen), rng.randint(1, 6)))
        outputs = {rng.choice([v.name or "empty", f"output {v.name}", "res"]): v for v in results}
        choices = ["required", "optional", "none"]
        if any(v.at_source is not None for v in used) and not self.chance(RARE):
            choices.remove("none")
        source = rng.choice(choices)
        limits = rng.choice(LIMITS)
        begun = [v for v in dict.fromkeys(used) if isinstance(v.start, str)]
        instances = tuple(self.instance(begun, bound, source) for _ in range(3))
        return StepsCase(
            steps=tuple(steps),
            outputs=outputs,
            halt=halt,
            bound=bound,
            edges=self.edges,
            source=source,
            limits=limits,
            instances=instances,
        )

    def instance(self, begun: list[Variable], bound: tuple[int, ...], source: str) -> Instance:
        rng = self.rng
        n = rng.choice([1, 2, 3, 4, 5, 6, 7, 8, 9])
        directed = self.chance(OFTEN)
        labels = rng.choice([list(range(n)), list("abcdefghi"[:n]), [n - i for i in range(n)]])
        density, unit = rng.choice([0.1, 0.3, 0.6, 1.0]), rng.choice([1, 1, 4, 4, 2**10, 3, 10])
        heaviest = rng.choice([1, 2, 2, 8, 40, 1000])
        edges = {
            (tail, head): as_number(Fraction(rng.randint(1, heaviest * unit), unit))
            for tail in range(1, n + 1)
            for head in range(1 if directed else tail, n + 1)
            if self.chance(density)
        }
        start = {"required": True, "optional": self.chance(OFTEN), "none": False}[source]
        return Instance(
            labels,
            edges,
            directed,
            rng.randint(1, n) if start else None,
            {
                str(v.start).removeprefix("input:"): self.given(v, n)
                for v in begun
                if str(v.start).startswith("input:") and not self.chance(SELDOM)
            },
            None if bound else 8,
        )

    def given(self, variable: Variable, n: int) -> Any:
        """One number for all rows, or a list of them; if careless, at times too short."""
        rng = self.rng
        if variable in self.one_at_most:
            at = rng.randint(0, n)
            return [int(node == at) for node in range(1, n + 1)]
        if variable.scope is Scope.SINGLE or self.chance(0.2):
            return self.entry(variable, n)
        short = self.careless and self.chance(RARE)
        return [self.entry(variable, n) for _ in range(rng.randint(0, n) if short else n)]

    def entry(self, variable: Variable, n: int) -> Any:
        rng = self.rng
        if self.careless and self.chance(RARE):
            return rng.choice([-1, 2, n + 1, Fraction(1, 3), 10**12])
        if variable.kind in (Kind.INDEX, Kind.POSITION):
            return rng.randint(0, n)
        if variable.kind is Kind.SQUARE:
            return rng.randint(0, n) ** 2
        number = self.number(variable.kind, signed=variable.signed)
        return number if isinstance(number, int | Fraction) else rng.randint(0, 3)


def as_number(exact: Fraction) -> int | Fraction:
    return int(exact) if exact.denominator == 1 else exact
