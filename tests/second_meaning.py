"""What programs mean, once more: plain Python, written from what the ops' docstrings say.

An oracle, so nothing of Loopwright is imported: ops, formulas and variables are known by their
names alone. A variable is a dict from rows to exact numbers: row 0 alone if it is single, else the
nodes 1…n. A position is a node's number, 0 for nowhere.

Ω̂ and the mask are beyond every number. How far is nobody's business, so a program is run with two
choices of them: where these disagree, the answer is `UNDEFINED`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

Column = dict[int, Any]
State = dict[str, Column]
BEYOND = (
    {"unreached": 10**3000, "mask": 2 * 10**3000},
    {"unreached": 10**4000, "mask": 3 * 10**4000 + 1},
)
"""Two choices of the constants that are beyond every number."""
ROWWISE = {
    "LessThan",
    "LessOrEqual",
    "Between",
    "Where",
    "Copy",
    "Increment",
    "MarkZeros",
    "Set",
    "Equal",
    "Add",
    "Subtract",
    "Multiply",
    "Minimum",
    "Maximum",
    "Difference",
    "RoundFlag",
}
"""The ops that see their own row alone; all others attend, and see what was before the step."""
UNDEFINED = "undefined"
"""In the place of an answer that depends on how far Ω̂ is."""
NO_ANSWER = "no answer"
"""In the place of an answer that nothing could be: the label of no node, or a position."""


class BrokenPromise(Exception):
    """The program does what an op's docstring forbids."""


class Undecided(BrokenPromise):
    """What it does depends on what no program is told, so that it need not be noticed."""


class NeverHalts(Exception):
    """The halting flag is not set in time."""


@dataclass(frozen=True)
class Problem:
    """What a program is run on."""

    labels: Sequence[Any]
    edges: Mapping[tuple[int, int], Any]
    """(tail, head), numbered from 1 → weight; an undirected edge is there in both directions."""
    source: int | None
    inputs: Mapping[str, Any]
    most: int
    """Iterations."""


@dataclass(frozen=True)
class Meaning:
    """The right answer: output → label → value, after so many iterations."""

    result: Mapping[str, Mapping[Any, Any]]
    iterations: int


def meaning(program: Any, problem: Problem) -> Meaning:
    """What the program says; `UNDEFINED` and `NO_ANSWER` where it says nothing.

    Raises:
        BrokenPromise: if the program breaks one, so that no answer is right or wrong.
        NeverHalts: if it does not halt in time.
    """
    return told(partial(run, program, problem))


def told(run: Callable[..., Meaning]) -> Meaning:
    """What runs say, that are given the constants and what is in the place of what breaks a
    promise; if nothing is, they raise `BrokenPromise`, which counts if the answer depends on it."""
    try:
        return agreed(run)
    except Undecided:
        raise
    except BrokenPromise as broken:
        if matters(run):
            raise
        raise Undecided(f"{broken}, but the answer does not depend on it") from None


def matters(run: Callable[..., Meaning]) -> bool:
    """Whether the answer depends on what breaks a promise. Models leave out what it does not depend
    on, and so cannot notice."""

    def answer(instead: int) -> Meaning | str:
        try:
            return agreed(lambda beyond: run(beyond, instead))
        except (BrokenPromise, NeverHalts) as nothing:
            return repr(nothing)

    return answer(0) != answer(1)


def agreed(run: Callable[[Mapping[str, int]], Meaning]) -> Meaning:
    """What runs with both choices of the constants agree on.

    Raises:
        Undecided: if they do not halt at the same time.
    """
    one, other = (run(beyond) for beyond in BEYOND)
    if one.iterations != other.iterations:
        raise Undecided("when it halts depends on how far Ω̂ is")
    result = {
        name: {
            label: value if other.result[name][label] == value else UNDEFINED
            for label, value in column.items()
        }
        for name, column in one.result.items()
    }
    return Meaning(result, one.iterations)


def run(
    program: Any, problem: Problem, beyond: Mapping[str, int], instead: int | None = None
) -> Meaning:
    """With one choice of the constants, and a number in the place of what breaks a promise."""
    world = World(problem, beyond, ones=program.edges == "ones", instead=instead)
    state = {v.name: world.start(v) for v in program.variables}
    for iteration in range(1, problem.most + 1):
        for step in program.steps:
            world.do(step, state)
        if state[program.halt.name][0]:
            result = {
                name: {
                    label: world.decoded(variable.kind, state[variable.name][row])
                    for row, label in enumerate(problem.labels, start=1)
                }
                for name, variable in program.outputs.items()
            }
            return Meaning(result, iteration)
    raise NeverHalts


class World:
    """A problem, and how far Ω̂ is."""

    def __init__(
        self,
        problem: Problem,
        beyond: Mapping[str, int],
        *,
        ones: bool,
        instead: int | None = None,
    ) -> None:
        self.problem, self.beyond, self.ones, self.instead = problem, beyond, ones, instead
        self.nodes = range(1, len(problem.labels) + 1)

    def edge(self, tail: int, head: int) -> Any:
        """A[tail, head]: 0 where there is no edge, or no such node."""
        weight = self.problem.edges.get((tail, head), 0)
        return int(weight != 0) if self.ones else weight

    def rows(self, variable: Any) -> Sequence[int]:
        return [0] if variable.scope == "single" else self.nodes

    # ── before the first iteration ──────────────────────────────────────────────────────────────

    def start(self, variable: Any) -> Column:
        """By its declaration: a number, each row's own, or what is given; at the source, another
        number takes its place."""
        rows = self.rows(variable)
        start = 0 if variable.start is None else variable.start
        if start == "own":
            power = 2 if variable.kind == "square" else 1
            column = {row: row**power for row in rows}
        elif isinstance(start, str):
            given = self.problem.inputs.get(start.removeprefix("input:"), 0)
            listed = given if isinstance(given, list) else [given] * len(rows)
            padded = [*listed, *[0] * (len(rows) - len(listed))]
            column = dict(zip(rows, padded, strict=True))
        else:
            column = {row: self.constant(start) for row in rows}
        if variable.at_source is not None and self.problem.source is not None:
            column[self.problem.source] = self.constant(variable.at_source)
        return column

    def constant(self, operand: Any) -> Any:
        return self.beyond[operand.name] if hasattr(operand, "name") else operand

    # ── one step ────────────────────────────────────────────────────────────────────────────────

    def do(self, step: Any, state: State) -> None:
        before = dict(state)
        for op in step.ops:
            rowwise = type(op).__name__ in ROWWISE
            now = state if rowwise else before
            value = self.in_its_row if rowwise else self.attended
            try:
                state[op.out.name] = {row: value(op, row, now) for row in self.rows(op.out)}
            except BrokenPromise:
                if self.instead is None:
                    raise
                state[op.out.name] = dict.fromkeys(self.rows(op.out), self.instead)

    def in_its_row(self, op: Any, row: int, state: State) -> Any:
        """The new value of `out` in a row, for the ops that see no other."""

        def the(operand: Any) -> Any:
            """The value of a variable, a formula or a constant in this row."""
            match type(operand).__name__:
                case "Variable":
                    return state[operand.name][row]
                case "And":
                    return int(all(the(part) for part in operand.parts))
                case "Or":
                    return int(any(the(part) for part in operand.parts))
                case "Not":
                    return 1 - the(operand.part)
                case "Less":
                    return int(the(operand.a) < the(operand.b))
                case "Same":
                    return int(the(operand.a) == the(operand.b))
                case _:
                    return self.constant(operand)

        match type(op).__name__:
            case "LessThan":
                return int(the(op.a) < the(op.b))
            case "LessOrEqual":
                return int(the(op.a) <= the(op.b))
            case "Between":
                return int(the(op.low) < the(op.value) and the(op.value) < the(op.high))
            case "Where":
                return the(op.then) if the(op.condition) else the(op.otherwise)
            case "Copy":
                return the(op.source)
            case "Increment":
                return the(op.position) + 1
            case "MarkZeros":
                return int(the(op.value) == 0)
            case "Set":
                return the(op.formula)
            case "Equal":
                return int(the(op.a) == the(op.b))
            case "Add":
                return the(op.a) + the(op.b)
            case "Subtract":
                return the(op.a) - the(op.b)
            case "Multiply":
                return op.times * the(op.a)
            case "Minimum":
                return the(op.a) if the(op.a) < the(op.b) else the(op.b)
            case "Maximum":
                return the(op.b) if the(op.a) < the(op.b) else the(op.a)
            case "Difference":
                return abs(the(op.a) - the(op.b))
            case "RoundFlag":
                return the(op.out)
            case unknown:
                raise NotImplementedError(f"{unknown}: say here what it means")

    def attended(self, op: Any, row: int, before: State) -> Any:
        """The new value of `out` in a row, from what all rows held before the step."""

        def column(variable: Any) -> Column:
            return before[variable.name]

        def the(variable: Any) -> Any:
            return before[variable.name][0]

        def flagged(variable: Any) -> list[int]:
            return [node for node in self.nodes if column(variable)[node]]

        def left() -> list[int]:
            return [node for node in self.nodes if not column(op.unless)[node]]

        def at(node: int) -> Any:
            """What stands in the place of a value: a variable's, at a node, or a constant."""
            named = type(op.value).__name__ == "Variable"
            return column(op.value)[node] if named else self.constant(op.value)

        def seen(come: bool) -> dict[int, Any]:
            """The nodes that edges of this row come from, or lead to → what the edges weigh."""
            found = {j: self.edge(j, row) if come else self.edge(row, j) for j in left()}
            if op.across is not None:
                side = column(op.across)
                found = {j: weight for j, weight in found.items() if side[j] != side[row]}
            return {j: weight for j, weight in found.items() if weight}

        match type(op).__name__:
            case "Repeat":
                return the(op.source)
            case "ReadRow":
                return self.edge(the(op.position), row)
            case "ReadColumn":
                return self.edge(row, the(op.position))
            case "ReadX":
                return column(op.column).get(the(op.position), 0)
            case "WriteRow":
                written = row == the(op.position) and the(op.content)
                also = op.also is not None and column(op.also)[row]
                return int(bool(column(op.out)[row] or written or also))
            case "OneHot":
                return the(op.content) if row == the(op.position) else 0
            case "SubtractAt":
                less = the(op.content) if row == the(op.position) else 0
                return column(op.out)[row] - less
            case "AllOne" | "Everywhere":
                return int(flagged(op.flags) == list(self.nodes))
            case "SumFrom":
                return sum(self.edge(node, row) for node in flagged(op.flags))
            case "SumTo":
                return sum(self.edge(row, node) for node in flagged(op.flags))
            case "AddFrom":
                return sum(column(op.column)[j] for j in self.nodes if self.edge(j, row))
            case "AddTo":
                return sum(column(op.column)[j] for j in self.nodes if self.edge(row, j))
            case "RowOf":
                return self.edge(the_one(flagged(op.chosen)), row)
            case "ColumnOf":
                return self.edge(row, the_one(flagged(op.chosen)))
            case "MarkLeast":
                least = min((column(op.value)[node] for node in left()), default=None)
                return int(row in left() and column(op.value)[row] == least)
            case "ReadLeast":
                return min((column(op.value)[node] for node in left()), default=0)
            case "ReadFirst":
                found = flagged(op.found)
                return column(op.column)[found[0]] if found else 0
            case "Gather":
                pointed = min(column(op.pointer)[row], self.nodes[-1])
                return column(op.column)[pointed] if pointed else 0
            case "LeastWhereEqual":
                keys, squares = column(op.key), column(op.square)
                if any(squares[node] != keys[node] ** 2 for node in self.nodes):
                    raise BrokenPromise("a square is not that of its key")
                if any(column(op.asked)[i] != column(op.query)[i] ** 2 for i in self.nodes):
                    raise BrokenPromise("a square is not that of its query")
                same = [node for node in left() if keys[node] == column(op.query)[row]]
                return min((column(op.value)[node] for node in same), default=0)
            case "LeastFrom" | "LeastTo" | "NearestFrom" | "NearestTo" as name:
                edges = seen(name.endswith("From"))
                if name.startswith("Least"):
                    return min((at(j) for j in edges), default=self.constant(op.otherwise))
                sums = (at(j) + edges[j] for j in edges)
                return min(sums, default=self.constant(op.otherwise))
            case "HeaviestFrom" | "HeaviestTo" as name:
                return max(seen(name.endswith("From")).values(), default=0)
            case name if "Via" in name:
                edges = seen(name.endswith("From"))
                counted = {j: 0 if name.startswith("Least") else edges[j] for j in edges}
                length = column(op.path)[row]
                if any(at(j) + counted[j] < length for j in edges):
                    raise BrokenPromise("a path is longer than the way to it")
                fitting = [j for j in edges if at(j) + counted[j] == length]
                if name.startswith("Heaviest"):
                    fitting.sort(key=lambda j: (-edges[j], j))
                return column(op.column)[fitting[0]] if fitting else 0
            case "RoundPosition":
                return the_one(flagged(op.found))
            case unknown:
                raise NotImplementedError(f"{unknown}: say here what it means")

    # ── after the last iteration ────────────────────────────────────────────────────────────────

    def decoded(self, kind: str, value: Any) -> Any:
        """A number as the caller sees it."""
        match str(kind):
            case "flag":
                return bool(value)
            case "index" if value == 0:
                return None
            case "index" if value in self.nodes:
                return self.problem.labels[int(value) - 1]
            case "index" | "position":
                return NO_ANSWER
            case "value" if value > self.beyond["unreached"] / Fraction(2):
                return None
            case _:
                return value


def the_one(nodes: list[int]) -> int:
    """The node that is chosen, or nowhere."""
    if len(nodes) > 1:
        raise BrokenPromise("two nodes are chosen")
    return nodes[0] if nodes else 0
