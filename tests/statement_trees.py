"""Programs of statements as trees, and what they mean: plain Python, statement by statement.

An oracle, so nothing of Loopwright is imported. A term is worth what it is where it is written: a
name that a program gives to it keeps that, whatever is assigned afterwards. Columns, rows and Ω̂
are those of `second_meaning.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from second_meaning import BrokenPromise, Column, Meaning, NeverHalts, Problem, World, the_one, told


@dataclass(frozen=True)
class Term:
    """Something that has a value on every row: a leaf, or made `of` others."""

    how: str
    of: tuple[Any, ...] = ()

    def terms(self) -> Iterator[Term]:
        """It and all that it is made of."""
        yield self
        for part in self.of:
            if isinstance(part, Term):
                yield from part.terms()

    def simpler(self) -> Iterator[Term]:
        """What it is made of, and the same with one part simpler."""
        for i, part in enumerate(self.of):
            if isinstance(part, Term):
                yield part
                for less in part.simpler():
                    yield Term(self.how, (*self.of[:i], less, *self.of[i + 1 :]))

    def __str__(self) -> str:
        if self.how in LEAVES:
            return str(self.of[0]) if self.of else f"p.{self.how}"
        if self.how == "successor":
            return "p.successor()"
        if self.how in SIGNS and len(self.of) == 2:
            return f"({self.of[0]} {self.how} {self.of[1]})"
        if self.how in SIGNS:
            return f"{self.how}{self.of[0]}"
        if self.how == "[]":
            return f"{self.of[0]}[{self.of[1]}]"
        return f"p.{self.how}({', '.join(map(str, self.of))})"


LEAVES = {"variable", "alias", "number", "index"}
SIGNS = {"+", "-", "*", "<", "<=", ">", ">=", "==", "!=", "&", "|", "~"}
ROWWISE: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "negative": operator.neg,
    "abs": abs,
    "min": min,
    "max": max,
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "&": lambda a, b: int(a and b),
    "|": lambda a, b: int(a or b),
    "~": lambda a: int(not a),
    "where": lambda condition, then, otherwise: then if condition else otherwise,
}
"""Terms that are made row by row, of what is on the same row."""
OF_NODES = {
    "all",
    "any",
    "is_least",
    "least",
    "first",
    "[]",
    "least_where",
    "edge_from",
    "edge_to",
    "edges_from",
    "edges_to",
    "sum_from",
    "sum_to",
    "successor",
    "least_from",
    "least_to",
    "nearest_from",
    "nearest_to",
    "heaviest_from",
    "heaviest_to",
    "via",
}
"""Terms that are made of what other nodes have, or of the graph."""
TERMS = (*sorted(LEAVES), *ROWWISE, *sorted(OF_NODES))


@dataclass(frozen=True)
class Statement:
    """A line of a program."""

    how: str
    name: str
    """What is written: a variable, or the name of a term; nothing, if it is about halting."""
    value: Term
    where: Term | None = None

    def terms(self) -> Iterator[Term]:
        yield from self.value.terms()
        if self.where is not None:
            yield from self.where.terms()

    def simpler(self) -> Iterator[Statement]:
        """The same with a simpler term."""
        for less in self.value.simpler():
            yield replace(self, value=less)
        if self.where is not None:
            yield replace(self, how="[:]", where=None)
            for less in self.where.simpler():
                yield replace(self, where=less)

    def __str__(self) -> str:
        match self.how:
            case "let":
                return f"{self.name} = {self.value}"
            case "[:]":
                return f"{self.name}[:] = {self.value}"
            case "[flag]":
                return f"{self.name}[{self.where}] = {self.value}"
            case "halt_when" | "halt_unless":
                return f"p.{self.how}({self.value})"
            case _:
                return f"{self.name} {self.how} {self.value}"


STATEMENTS = ("let", "[:]", "[flag]", "+=", "-=", "|=", "&=", "halt_when", "halt_unless")


@dataclass(frozen=True)
class Tree:
    """A program: its statements are done one after the other, until it halts."""

    variables: Sequence[Any]
    body: Sequence[Statement]
    outputs: Mapping[str, tuple[Term, str]]
    """Result name → a term, worth what it is after the last statement, and its kind."""
    ones: bool
    """Whether every edge weighs 1."""

    def meaning(self, problem: Problem) -> Meaning:
        """The answer; `UNDEFINED` and `NO_ANSWER` where there is none.

        Raises:
            BrokenPromise: if the program breaks one, so that no answer is right or wrong.
            NeverHalts: if it does not halt in time.
        """
        return told(partial(self.run, problem))

    def run(
        self, problem: Problem, beyond: Mapping[str, int], instead: int | None = None
    ) -> Meaning:
        """With one choice of the constants, and a number in the place of what breaks a promise."""
        world = World(problem, beyond, ones=self.ones, instead=instead)
        doing = Doing(world, {v.name: world.start(v) for v in self.variables})
        for iteration in range(1, problem.most + 1):
            halts = False
            for statement in self.body:
                halts |= doing.do(statement)
            if halts:
                result = {
                    name: {
                        label: world.decoded(kind, column[row])
                        for row, label in enumerate(problem.labels, start=1)
                    }
                    for name, (term, kind) in self.outputs.items()
                    for column in [doing.at_nodes(term)]
                }
                return Meaning(result, iteration)
        raise NeverHalts


class Doing:
    """A run between two statements: what variables hold, and what terms with names are worth."""

    def __init__(self, world: World, state: dict[str, Column]) -> None:
        self.world, self.state = world, state
        self.named: dict[str, Any] = {}

    def do(self, statement: Statement) -> bool:
        """One statement; whether the run halts after this iteration because of it."""
        name, value = statement.name, statement.value
        match statement.how:
            case "let":
                self.named[name] = self.worth(value)
            case "halt_when" | "halt_unless":
                return bool(self.worth(value)[0]) == (statement.how == "halt_when")
            case "[:]":
                self.assign(name, value)
            case "[flag]":
                old = Term("variable", (name,))
                self.assign(name, Term("where", (statement.where, value, old)))
            case changed:
                old = Term("variable", (name,))
                self.assign(name, Term(changed.removesuffix("="), (old, value)))
        return False

    def assign(self, name: str, value: Term) -> None:
        worth = self.worth(value)
        self.state[name] = {row: on(worth, row) for row in self.state[name]}

    def at_nodes(self, term: Term) -> Column:
        worth = self.worth(term)
        return {row: on(worth, row) for row in self.world.nodes}

    def worth(self, term: Term) -> Any:
        """A constant, or a column: with row 0 alone, if it is the same for all nodes."""
        try:
            return self.kept(term)
        except BrokenPromise:
            if self.world.instead is None:
                raise
            return dict.fromkeys(self.world.nodes, self.world.instead)

    def kept(self, term: Term) -> Any:
        """The same, if it breaks no promise."""
        match term.how:
            case "number":
                return self.world.constant(term.of[0])
            case "variable":
                return self.state[term.of[0]]
            case "alias":
                return self.named[term.of[0]]
            case "index":
                return {row: row for row in self.world.nodes}
            case "successor":
                edge, nodes = self.world.edge, self.world.nodes
                return {row: the_one([j for j in nodes if edge(row, j)]) for row in nodes}
            case how if how in ROWWISE:
                sides = [self.worth(side) for side in term.of]
                single = all(not isinstance(side, dict) or 0 in side for side in sides)
                rows = [0] if single else self.world.nodes
                return {row: ROWWISE[how](*(on(side, row) for side in sides)) for row in rows}
            case "all":
                return {0: int(all(self.at_nodes(term.of[0]).values()))}
            case "any":
                return {0: int(any(self.at_nodes(term.of[0]).values()))}
            case "via":
                (least,) = term.of
                columns = [self.at_nodes(part) for part in least.of]
                return {row: self.chosen(least.how, row, *columns)[1] for row in self.world.nodes}
            case how:
                columns = [self.at_nodes(part) for part in term.of]
                return {row: self.brought(how, row, *columns) for row in self.world.nodes}

    def brought(self, how: str, row: int, one: Column, *others: Column) -> Any:
        """What a node gets to know of the others."""
        nodes, edge = self.world.nodes, self.world.edge
        flagged = [node for node in nodes if one[node]]
        match how:
            case "is_least" | "least":
                left = {node: one[node] for node in nodes if not others[0][node]}
                least = min(left.values(), default=0)
                return least if how == "least" else int(row in left and left[row] == least)
            case "first":
                wanted = others[0] if others else {node: node for node in nodes}
                return wanted[flagged[0]] if flagged else 0
            case "[]":
                return one.get(others[0][row], 0)
            case "least_where":
                keys, query = others
                return min((one[node] for node in nodes if keys[node] == query[row]), default=0)
            case "edge_from":
                return edge(the_one(flagged), row)
            case "edge_to":
                return edge(row, the_one(flagged))
            case "edges_from":
                return sum(edge(node, row) for node in flagged)
            case "edges_to":
                return sum(edge(row, node) for node in flagged)
            case "sum_from":
                return sum(one[node] for node in nodes if edge(node, row))
            case "sum_to":
                return sum(one[node] for node in nodes if edge(row, node))
            case "heaviest_from" | "heaviest_to":
                left = [node for node in nodes if not one[node] and crosses(others, node, row)]
                return max((edge(*arc(how, node, row)) for node in left), default=0)
            case how if how.startswith(("least_", "nearest_")):
                return self.chosen(how, row, one, *others)[0]
            case unknown:
                raise NotImplementedError(f"{unknown}: say here what it means")

    def chosen(
        self, how: str, row: int, value: Column, unless: Column, *across: Column
    ) -> tuple[Any, int]:
        """The least value, or value and edge, at the other end of a node's edges, and the first
        node there; nothing and nobody, where there is no such edge."""
        crossed = [node for node in self.world.nodes if crosses(across, node, row)]
        edges = {node: self.world.edge(*arc(how, node, row)) for node in crossed}
        counted = {node: weight for node, weight in edges.items() if weight and not unless[node]}
        added = how.startswith("nearest")
        sums = [(value[node] + (w if added else 0), node) for node, w in counted.items()]
        return min(sums, default=(0, 0))


def crosses(across: Sequence[Column], node: int, row: int) -> bool:
    """Whether two nodes differ in a flag or an index, if one is given."""
    return all(side[node] != side[row] for side in across)


def arc(how: str, node: int, row: int) -> tuple[int, int]:
    """The edge by which a row sees a node."""
    return (node, row) if how.endswith("from") else (row, node)


def on(worth: Any, row: int) -> Any:
    """What a constant or a column is worth on a row."""
    if not isinstance(worth, dict):
        return worth
    return worth[0] if 0 in worth else worth[row]
