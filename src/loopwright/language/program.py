"""Program: named steps over variables, checked as soon as it is made, printable as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import NoneType
from typing import Any, Literal, cast, get_args

from loopwright.errors import ProgramError, brief, require_known, require_whole, suggestion
from loopwright.language.formulas import DEEPEST_FORMULA, nests
from loopwright.language.op import Malformed, Op, Phase, is_a
from loopwright.language.variables import (
    B_GLOBAL,
    B_LOCAL,
    CONSTANTS,
    GIVEN,
    OWN_INDEX,
    OWN_SQUARE,
    POSITIONS,
    Variable,
    require_name,
)
from loopwright.model.demands import is_polynomial
from loopwright.model.layout import Kind, Scope
from loopwright.model.limits import LARGEST_COUNT
from loopwright.model.markup import table
from loopwright.model.weights import Edges, Need, Source

Values = Literal["paths"]
Choices = Literal["one"]
Layers = Literal["given", "find", "found"]
"""Whether the steps are an author's layers, or statements that the compiler has yet to put into
layers, or layers that it has found."""


@dataclass(frozen=True)
class Step:
    """One layer: all that its attention brings, from what was before; then row by row, in order."""

    name: str
    ops: tuple[Op, ...]
    paper_step: int | None = None
    """The step's number in the paper's algorithm; None where the paper has no such step."""
    at: str | None = None
    """The line of the author's file that it is, where that is known."""

    def __post_init__(self) -> None:
        """Whoever writes a program may have no type checker: say here what is no op."""
        require_name("a step", self.name)
        if self.paper_step is not None:
            what = f"step '{self.name}': paper"
            require_whole(what, self.paper_step, least=0, most=LARGEST_COUNT, error=ProgramError)
        for op in self.ops:
            if not is_a(op, Op):
                raise ProgramError(
                    f"step '{self.name}': {brief(op)} is no op; a step is step('name', op, op, …), "
                    "with ops as Add(out, a, b)."
                )
            if any(nests(operand, DEEPEST_FORMULA) for operand in op.operands().values()):
                raise ProgramError(
                    f"step '{self.name}': the formula for '{op.out}' nests more than "
                    f"{DEEPEST_FORMULA} deep: Set flags to parts of it in steps before, each as "
                    "deep as a layer holds, which is 3, and build it from those; or write "
                    "statements (lw.algorithm), which the compiler divides so by itself."
                )

    def writes(self) -> list[Variable]:
        """Every variable that the step changes, once."""
        return list(dict.fromkeys(op.out for op in self.ops))

    def blurred(self) -> list[Variable]:
        """The flags that it leaves a little off under softmax: blurred by an op, or made of such
        flags and not rounded."""
        flags: dict[Variable, None] = {}
        for op in self.ops:
            of_blurred = not flags.keys().isdisjoint(op.reads()) and not op.rounds
            if op.blurs or (op.out.kind is Kind.FLAG and of_blurred):
                flags[op.out] = None
            else:
                flags.pop(op.out, None)
        return list(flags)


NUMBERS = (OWN_INDEX, OWN_SQUARE)
"""By what rows are told apart, as each has its own: exact, and for any number of nodes that floats
can count. Positions on a circle, which the paper has for this, are for programs that move them, and
for those whose author chose the layers."""


def are_all(kind: type, given: object) -> bool:
    """Whether it is a tuple of such."""
    return isinstance(given, tuple) and all(is_a(one, kind) for one in cast("Any", given))


def step(name: str, *ops: Op, paper: int | None = None) -> Step:
    """A step as it is written in a program: its name, its ops, its number in the paper."""
    return Step(name, ops, paper)


@dataclass(frozen=True, repr=False)
class Program:
    """A loop over steps, until the halting flag is set.

    Args:
        edges: "weights" if the program sees what edges weigh, "ones" if each counts as 1.
        source: "required", "optional" or "none": whether a run starts at a node that the caller
            names.
        source_unless: the input that does without a required source, where it is given as 1. It
            is about the whole run: a list that tells nodes differently is refused.
        needs: what every graph must be, "undirected", "acyclic" or "functional" (no node has
            two edges out of it), so that the answer is what it promises to be. A run on any other
            graph is refused.
        bound: the most iterations it can take, as coefficients of a polynomial in the number of
            nodes, constant first; empty if only the caller can know.
        counts: the author's word on the most that a count reaches, in the same form; of variables
            that have a start, as all others only last for an iteration.
        values: "paths" is the author's word that no such value is more than what a simple path
            weighs, or the edges at one node, or than a count.
            `verify` checks such words; without them, bounds are found from the ops, and where that
            cannot be done a run is watched, and stopped before a number is too large.
        choices: "one" is the author's word that flags by which ops choose one node (`edge_from`,
            `edge_to`) are never set at two. `verify` checks it; where neither it nor the ops that
            make the flag say so, a run is watched.
        outputs: result name → variable with one entry for each node.
        construction: whose design it is; a registered algorithm has several.
        layers: "given" if every step is a layer; "find" if the steps are statements, done one after
            the other, for which the compiler finds layers; "found" after it has.
        written: what its author wrote, where a pass of the compiler has changed the steps.

    Raises:
        ProgramError: at once, naming step and variable, if it is malformed.
    """

    name: str
    steps: tuple[Step, ...]
    outputs: Mapping[str, Variable]
    halt: Variable
    bound: tuple[int, ...]
    edges: Edges = "weights"
    source: Source = "none"
    source_unless: str | None = None
    needs: tuple[Need, ...] = ()
    counts: tuple[int, ...] | None = None
    values: Values | None = None
    choices: Choices | None = None
    construction: str = "own"
    layers: Layers = "given"
    written: Program | None = field(default=None, compare=False)
    variables: tuple[Variable, ...] = field(init=False)
    """In order of first mention, the constants that every model needs first."""

    def __post_init__(self) -> None:
        self._check_declaration()
        self._check_ops()
        object.__setattr__(self, "variables", tuple(self._collect().values()))
        self._check_hazards()
        self._check_use_before_write()
        self._check_ends()

    def passing(self) -> set[Variable]:
        """Variables that only hand a value on within a step, after the step itself wrote it.

        Nothing else sees them, so they need no column of X.
        """
        given = (v for v in self.variables if str(v.start).startswith(GIVEN))
        seen = {self.halt, *self.outputs.values(), *given}
        for at in self.steps:
            made: set[Variable] = set()
            for op in at.ops:
                seen |= {v for v in op.reads() if v not in made}
                if op.phase is Phase.MLP:
                    made.add(op.out)
                else:
                    seen.add(op.out)
        return {v for at in self.steps for v in at.writes()} - seen

    def with_steps(self, steps: tuple[Step, ...]) -> Program:
        """The same program with other steps, for passes that add some."""
        return replace(self, steps=steps, written=self.as_written())

    def as_written(self) -> Program:
        """The program before any pass of the compiler."""
        return self.written or self

    def _fail(self, where: Step | None, message: str) -> ProgramError:
        message += "" if message.endswith("?") else "."
        if where is None:
            return ProgramError(f"'{self.name}': {message}")
        if where.at is not None:
            return ProgramError(f"{where.at}, '{where.name}': {message}")
        number = f" {where.paper_step}" if where.paper_step is not None else ""
        return ProgramError(f"'{self.name}' step{number} '{where.name}': {message}")

    def _collect(self) -> dict[str, Variable]:
        """Every variable by name; one name cannot mean two variables.

        That of a constant cannot either, where the program does not read it: rows are told apart by
        some, and would be by the author's variable.
        """
        biases = {v.name: v for v in (B_GLOBAL, B_LOCAL)}
        constants = {v.name: v for v in CONSTANTS}
        found = dict(biases)
        for at in self.steps:
            for op in at.ops:
                for variable in (*op.reads(), op.out):
                    if constants.get(variable.name, variable) != variable:
                        problem = f"'{variable}' is the name of a constant of models"
                        raise self._fail(at, f"{problem}: choose another name")
                    if found.setdefault(variable.name, variable) != variable:
                        raise self._fail(at, f"'{variable}' is declared twice, differently")
        pointed = any(variable.kind is Kind.POSITION for variable in found.values())
        told_apart = NUMBERS if self.layers != "given" and not pointed else (POSITIONS,)
        return biases | {v.name: v for v in told_apart} | found

    def _check_declaration(self) -> None:
        """All that is not a step: names, parts, choices, bounds. A list may stand for a tuple."""
        for part in ("steps", "bound", "counts", "needs"):
            if isinstance(getattr(self, part), list):
                object.__setattr__(self, part, tuple(getattr(self, part)))
        require_name("a program", self.name)
        require_name("a construction", self.construction)
        steps = "a tuple of steps, as (step('name', op, …), step('name', op, …))"
        self._need(are_all(Step, self.steps) and bool(self.steps), "steps", steps)
        outputs = "a mapping from names to variables, as {'dists': dists}"
        self._need(is_a(self.outputs, Mapping), "outputs", outputs)
        for name, variable in self.outputs.items():
            require_name("an output", name)
            self._need(is_a(variable, Variable), "outputs", outputs)
        self._need(is_a(self.halt, Variable), "halt", "a variable, as single.flag('halt')")
        self._need(are_all(str, self.needs), "needs", "a tuple, as ('undirected',)")
        self._need(is_a(self.written, Program, NoneType), "written", "a program, or None")
        same_outputs = self.written is None or self.written.outputs.keys() == self.outputs.keys()
        self._need(same_outputs, "written", "a program with the same outputs")
        chosen: list[tuple[str, object, Any]] = [
            ("edges option", self.edges, Edges),
            ("source option", self.source, Source),
            ("layers option", self.layers, Layers),
            *(("need", need, Need) for need in self.needs),
            *([("values option", self.values, Values)] if self.values is not None else []),
            *([("choices option", self.choices, Choices)] if self.choices is not None else []),
        ]
        for what, given, choices in chosen:
            require_known(what, given, get_args(choices), of=self.name, error=ProgramError)
        polynomial = "whole numbers, the coefficients of a polynomial in n: (1, 2) is 1 + 2n"
        self._need(is_polynomial(self.bound), "bound", polynomial)
        unless = self.source_unless
        self._need(is_a(unless, str, NoneType), "source_unless", "the name of an input, or None")
        if unless is not None and self.source != "required":
            raise self._fail(None, "source_unless is for programs with source='required'")
        self._need(self.counts is None or is_polynomial(self.counts), "counts", polynomial)
        if self.bound and not any(self.bound):
            raise self._fail(None, "bound is 0: at least one iteration is needed")

    def _need(self, holds: bool, part: str, what: str) -> None:
        if not holds:
            raise self._fail(None, f"{part} is {brief(getattr(self, part))}, but must be {what}")

    def _check_ops(self) -> None:
        for at in self.steps:
            for op in at.ops:
                try:
                    op.check()
                except Malformed as problem:
                    raise self._fail(at, f"{problem} ({op})") from None
                if op.out.constant:
                    raise self._fail(at, f"writes '{op.out}', which is a constant")
                if op.along_edges and self.edges != "ones":
                    problem = f"'{op}' counts every edge once, but edges are weights"
                    raise self._fail(at, f"{problem}: declare the program with edges='ones'")
                if op.along_edges and op.out.kind is Kind.INDEX and "functional" not in self.needs:
                    problem = f"'{op}' is the number of a node only where no node has two edges out"
                    raise self._fail(at, f"{problem}: declare needs=('functional',)")
                weighs = op.edges and (op.with_edge or not op.chooses)
                if weighs and op.out.kind is not Kind.VALUE and self.edges != "ones":
                    raise self._fail(at, f"reads edge weights into the {op.out.kind} '{op.out}'")

    def _check_hazards(self) -> None:
        """All attention of a step reads what was before it, so it cannot pass values on."""
        for at in self.steps:
            attending = [op for op in at.ops if op.phase is not Phase.MLP]
            brought = [op.out for op in attending]
            for op in attending:
                if brought.count(op.out) > 1:
                    raise self._fail(at, f"its attention writes '{op.out}' twice")
                late = [getattr(op, name) for name in op.late]
                for variable in late if self.layers == "found" else op.reads():
                    if variable in brought and variable != op.out:
                        raise self._fail(at, f"'{op}' reads '{variable}' while it is written")
            late = False
            for op in at.ops:
                late |= op.phase is Phase.MLP
                if late and op.phase is not Phase.MLP:
                    raise self._fail(at, f"'{op}' attends, so it must come before what follows")

    def _check_use_before_write(self) -> None:
        known = {v for v in self.variables if v.start is not None}
        for at in self.steps:
            before = set(known)
            for op in at.ops:
                for variable in op.reads():
                    if variable not in (known if op.phase is Phase.MLP else before):
                        raise self._fail(at, f"reads '{variable}' before anything wrote it ({op})")
                known.add(op.out)

    def _check_ends(self) -> None:
        names = [v.name for v in self.variables]
        written = {v for at in self.steps for v in at.writes()}
        for role, variable in [("halting flag", self.halt), *self.outputs.items()]:
            if variable not in self.variables:
                near = suggestion(variable.name, names)
                hint = f";{near}" if near else ""
                raise self._fail(None, f"{role} '{variable}' is an unknown variable{hint}")
        if self.halt.kind is not Kind.FLAG or self.halt.scope is not Scope.SINGLE:
            raise self._fail(None, f"halting flag '{self.halt}' must be a single flag")
        if self.halt not in written:
            raise self._fail(None, f"no step writes the halting flag '{self.halt}'")
        for name, variable in self.outputs.items():
            if variable.scope is not Scope.NODES:
                raise self._fail(None, f"output '{name}' must have one entry for each node")
            if variable.kind is Kind.POSITION:
                remedy = "keep an index beside it, and return that"
                raise self._fail(
                    None, f"output '{name}' is a position, which is no number: {remedy}"
                )
        for variable in self.variables:
            if variable.at_source is not None and self.source == "none":
                remedy = "say source='required' or source='optional'"
                raise self._fail(None, f"'{variable}' has at_source, but there is none: {remedy}")
        given = {variable.start for variable in self.variables if variable.kind is Kind.FLAG}
        if self.source_unless is not None and GIVEN + self.source_unless not in given:
            problem = f"source_unless={self.source_unless!r}, but no flag is given by that name"
            raise self._fail(None, problem)

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """(paper's step, name, op), one row for each op."""
        last: tuple[str, str | None] | None = None
        for at in self.steps:
            for i, op in enumerate(at.ops):
                same = i > 0 or (at.at is not None and (at.name, at.at) == last)
                number = "" if at.paper_step is None or same else f"({at.paper_step})"
                yield (number, "" if same else at.name, str(op))
            last = (at.name, at.at)

    def _repr_html_(self) -> str:
        return table(repr(self)[1:-1], ("paper's step", "step", "statement"), self.rows())

    def __repr__(self) -> str:
        outputs = ", ".join(self.outputs)
        return (
            f"<Program '{self.name}' ({self.construction}): {len(self.steps)} steps, "
            f"{len(self.variables)} variables, returns {outputs}>"
        )

    def __str__(self) -> str:
        table = list(self.rows())
        number_width, name_width = (max(len(row[i]) for row in table) for i in (0, 1))
        lines = [f"{self.name} ({self.construction}), until {self.halt}"]
        lines += [f"  {a:>{number_width}}  {b:<{name_width}}  {c}" for a, b, c in table]
        outputs = ", ".join(f"{name} = {variable}" for name, variable in self.outputs.items())
        return "\n".join([*lines, f"  returns {outputs}"])


def require_program(given: object) -> None:
    """Say what to write in the place of an algorithm's name, or of an algorithm not yet called.

    Raises:
        ProgramError: unless it is a program.
    """
    if isinstance(given, Program):
        return
    what = (
        f"'{brief(given)}'" if isinstance(given, str) else f"a value of type {type(given).__name__}"
    )
    raise ProgramError(
        f"{what} is no program: call an algorithm to get one, as lw.algorithms.dijkstra(), or "
        "write an lw.Program."
    )
