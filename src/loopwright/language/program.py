"""Program: named steps over variables, checked as soon as it is made, printable as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast, get_args

from loopwright.errors import ProgramError, brief, require_known, suggestion
from loopwright.language.op import Malformed, Op, Phase
from loopwright.language.variables import B_GLOBAL, B_LOCAL, POSITIONS, Variable, require_name
from loopwright.model.layout import Kind, Scope
from loopwright.model.limits import LARGEST_COUNT
from loopwright.model.weights import Edges, Need, Source


@dataclass(frozen=True)
class Step:
    """One layer: all that its attention brings, from what was before; then row by row, in order."""

    name: str
    ops: tuple[Op, ...]
    paper_step: int | None = None
    """The step's number in the paper's algorithm; None where the paper has no such step."""

    def __post_init__(self) -> None:
        require_name("a step", self.name)
        for op in self.ops:
            if not is_a(Op, op):
                raise ProgramError(
                    f"step '{self.name}': {brief(repr(op))} is no op; give ops one by one."
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


def is_a(kind: type, given: object) -> bool:
    """Whether it is one, whatever the annotation promised."""
    return isinstance(given, kind)


def are_all(kind: type, given: object) -> bool:
    """Whether it is a tuple of such."""
    return isinstance(given, tuple) and all(is_a(kind, one) for one in cast("Any", given))


def step(name: str, *ops: Op, paper: int | None = None) -> Step:
    """A step as it is written in a program: its name, its ops, its number in the paper."""
    return Step(name, ops, paper)


@dataclass(frozen=True, repr=False)
class Program:
    """A loop over steps, until the halting flag is set.

    Args:
        edges: whether the steps see edge weights, or 1 for every edge.
        source: whether a run starts at a node that the caller names.
        needs: what every graph must be, "undirected" or "acyclic", so that the answer is what it
            promises to be. A run on any other graph is refused.
        bound: the most iterations it can take, as coefficients of a polynomial in the number of
            nodes, constant first; empty if only the caller can know.
        counts: the most that a count reaches, in the same form. Unless given, it is 1 for each
            iteration, and n for each sum of edges that is a count.
        outputs: result name → variable with one entry for each node.
        construction: whose design it is; a registered algorithm has several.

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
    needs: tuple[Need, ...] = ()
    counts: tuple[int, ...] | None = None
    construction: str = "own"
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
        seen = {self.halt, *self.outputs.values()}
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
        return replace(self, steps=steps)

    def _fail(self, where: Step | None, message: str) -> ProgramError:
        message += "" if message.endswith("?") else "."
        if where is None:
            return ProgramError(f"'{self.name}': {message}")
        number = f" {where.paper_step}" if where.paper_step is not None else ""
        return ProgramError(f"'{self.name}' step{number} '{where.name}': {message}")

    def _collect(self) -> dict[str, Variable]:
        """Every variable by name; one name cannot mean two variables."""
        found = {v.name: v for v in (B_GLOBAL, B_LOCAL, POSITIONS)}
        for at in self.steps:
            for op in at.ops:
                for variable in (*op.reads(), op.out):
                    if found.setdefault(variable.name, variable) != variable:
                        raise self._fail(at, f"'{variable}' is declared twice, differently")
        return found

    def _check_declaration(self) -> None:
        """All that is not a step: names, choices, bounds."""
        require_name("a program", self.name)
        require_name("a construction", self.construction)
        chosen = {"edges": (self.edges, Edges), "source": (self.source, Source)}
        for what, (given, choices) in chosen.items():
            require_known(
                f"{what} option", given, get_args(choices), of=self.name, error=ProgramError
            )
        if not are_all(str, self.needs):
            raise self._fail(None, "needs must be a tuple, as in needs=('undirected',)")
        for need in self.needs:
            require_known("need", need, get_args(Need), of=self.name, error=ProgramError)
        self._check_polynomial("bound", self.bound)
        if self.bound and not any(self.bound):
            raise self._fail(None, "bound is 0: at least one iteration is needed")
        if self.counts is not None:
            self._check_polynomial("counts", self.counts)
        if not are_all(Step, self.steps):
            raise self._fail(None, "steps must be a tuple of steps, each made by step(name, …)")
        if not is_a(Mapping, self.outputs):
            raise self._fail(None, "outputs must be a mapping, as in {'dists': dists}")
        for name in self.outputs:
            require_name("an output", name)
        for role, variable in [("halt", self.halt), *self.outputs.items()]:
            if not is_a(Variable, variable):
                raise self._fail(None, f"'{role}' is {brief(repr(variable))}, not a variable")

    def _check_polynomial(self, role: str, coefficients: tuple[int, ...]) -> None:
        whole = are_all(int, coefficients) and not any(
            k is True or k is False or not 0 <= k < LARGEST_COUNT for k in coefficients
        )
        if not whole:
            raise self._fail(
                None,
                f"{role} is {brief(coefficients)}: it must be a tuple of whole numbers, the "
                "coefficients of a polynomial in n, as (1, 2) for 1 + 2n",
            )

    def _check_ops(self) -> None:
        for at in self.steps:
            for op in at.ops:
                try:
                    op.check()
                except Malformed as problem:
                    raise self._fail(at, f"{problem} ({op})") from None
                if op.out.constant:
                    raise self._fail(at, f"writes '{op.out}', which is a constant")
                if op.edges and op.out.kind is not Kind.VALUE and self.edges != "ones":
                    raise self._fail(at, f"reads edge weights into the {op.out.kind} '{op.out}'")

    def _check_hazards(self) -> None:
        """All attention of a step reads what was before it, so it cannot pass values on."""
        for at in self.steps:
            attending = [op for op in at.ops if op.phase is not Phase.MLP]
            brought = [op.out for op in attending]
            for op in attending:
                if brought.count(op.out) > 1:
                    raise self._fail(at, f"its attention writes '{op.out}' twice")
                for variable in op.reads():
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

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """(paper's step, name, op), one row for each op."""
        for at in self.steps:
            for i, op in enumerate(at.ops):
                number = "" if at.paper_step is None else f"({at.paper_step})"
                yield (number, at.name, str(op)) if i == 0 else ("", "", str(op))

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
