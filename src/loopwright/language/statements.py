"""Statements: a program written as a Python function, one statement after the other.

The function is called once, with the `Statements` that it adds to; `finished` makes a program of
them, in which each op is a step of its own. No thought of layers: the compiler finds those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from loopwright.language import ops
from loopwright.language.declare import Declare
from loopwright.language.operands import RANK
from loopwright.language.operators import Operators
from loopwright.language.terms import (
    Number,
    OfAllNodes,
    Truth,
)
from loopwright.language.variables import (
    OWN_INDEX,
    OWN_SQUARE,
    UNREACHED,
    Variable,
)
from loopwright.language.writing import Kept
from loopwright.model.layout import Kind, Scope
from loopwright.model.weights import Edges, Source

WORDS = (
    *("nodes", "single", "index"),
    *("is_least", "least", "first", "least_where", "all", "any"),
    *("edge_from", "edge_to", "edges_from", "edges_to", "sum_from", "sum_to", "successor"),
    *(
        "least_from",
        "least_to",
        "nearest_from",
        "nearest_to",
        "heaviest_from",
        "heaviest_to",
        "via",
    ),
    *("where", "min", "max", "halt_when", "halt_unless"),
)
"""What authors write after `p.`; all else is there for terms."""


class Statements(Operators):
    """What a program's function writes its statements with, called `p` by custom."""

    def __init__(self, name: str, edges: Edges, source: Source = "none") -> None:
        super().__init__(name, edges, source)
        self.nodes, self.single = Declare(self, Scope.NODES), Declare(self, Scope.SINGLE)
        self.index = Number(self, OWN_INDEX)
        """Each node's own number."""
        self._squares: Kept = {}
        """Index → what holds its square."""

    if not TYPE_CHECKING:

        def __getattr__(self, word: str) -> Any:
            raise self.unknown_word(word, "p", WORDS)

    # ── what other nodes have ───────────────────────────────────────────────────────────────────

    def is_least(self, value: object, *, unless: object = 0) -> Truth:
        """Which nodes have the least value, of those where `unless` is not set. Ties all count."""
        of, no = self._number(value), self._flag(unless)
        return self._flagged(lambda out: ops.MarkLeast(out, of, no))

    def least(self, value: object, *, unless: object = 0) -> Number:
        """The least value of the nodes where `unless` is not set, told to all; 0 if it is set
        everywhere."""
        of, no = self._number(value), self._flag(unless)
        return self._read(of, lambda out: ops.ReadLeast(out, of, no))

    def first(self, found: object, column: object = None) -> Any:
        """What the first node that is flagged has in a column, told to all; 0 if none is flagged.

        Without a column it is that node's index.
        """
        flags = self._flag(found)
        of = OWN_INDEX if column is None else self._number(column)
        return self._read(of, lambda out: ops.ReadFirst(out, flags, of))

    def least_where(
        self, value: object, key: object, equals: object, *, unless: object = 0
    ) -> Number:
        """The least value of the nodes whose key equals a node's own number, of those where
        `unless` is not set; 0 if there is none."""
        of, its, own = self._number(value), self._number(key), self._number(equals)
        squares = [self._square(its), self._square(own)]
        no = self._flag(unless)
        return self._read(
            of, lambda out: ops.LeastWhereEqual(out, of, its, squares[0], own, squares[1], no)
        )

    def _square(self, index: Variable) -> Variable:
        """What holds the square of an index; made once, as long as that has not changed."""
        if index == OWN_INDEX:
            return OWN_SQUARE
        return self._kept(
            self._squares, index, Kind.SQUARE, lambda out: ops.Gather(out, index, OWN_SQUARE)
        )

    def all(self, flags: object) -> OfAllNodes:
        """Whether a flag is set at every node."""
        return self._of_all(self._flag(flags))

    def any(self, flags: object) -> OfAllNodes:
        """Whether a flag is set at some node."""
        return ~self._of_all(self._flag(~self._as_truth(flags)))

    def _of_all(self, flags: Variable) -> OfAllNodes:
        single = self.temporary(Kind.FLAG, Scope.SINGLE)
        everywhere = self.temporary(Kind.FLAG, Scope.NODES)
        self.add(ops.AllOne(single, flags))
        self.add(ops.Everywhere(everywhere, flags))
        return OfAllNodes(self, single, everywhere)

    # ── the graph ───────────────────────────────────────────────────────────────────────────────

    def edge_from(self, chosen: object) -> Any:
        """Each node's edge from the one node that is chosen, 0 if there is none: a value, or a
        flag if the program takes every edge as 1."""
        return self._edge(ops.RowOf, self._flag(chosen))

    def edge_to(self, chosen: object) -> Any:
        """Each node's edge to the one node that is chosen."""
        return self._edge(ops.ColumnOf, self._flag(chosen))

    def edges_from(self, flags: object) -> Number:
        """What each node's edges from flagged nodes weigh together: a value, or their number if
        the program takes every edge as 1."""
        return self._edges(ops.SumFrom, self._flag(flags))

    def edges_to(self, flags: object) -> Number:
        """What each node's edges to flagged nodes weigh together."""
        return self._edges(ops.SumTo, self._flag(flags))

    def sum_from(self, column: object) -> Number:
        """The sum of a column over the nodes that have an edge to a node."""
        return self._sum(ops.AddFrom, self._number(column))

    def sum_to(self, column: object) -> Number:
        """The sum of a column over the nodes that a node has an edge to."""
        return self._sum(ops.AddTo, self._number(column))

    def successor(self) -> Number:
        """The number of the one node that a node has an edge to, 0 if it has none. The program
        must say needs=("functional",), so that no node has two."""
        return self._made(Kind.INDEX, lambda out: ops.AddTo(out, OWN_INDEX))

    def _edge(self, op: type[ops.RowOf], chosen: Variable) -> Any:
        if self.edges == "ones":
            return self._flagged(lambda out: op(out, chosen))
        return self._made(Kind.VALUE, lambda out: op(out, chosen))

    def _edges(self, op: type[ops.SumFrom], flags: Variable) -> Number:
        kind = Kind.COUNT if self.edges == "ones" else Kind.VALUE
        return self._made(kind, lambda out: op(out, flags))

    def _sum(self, op: type[ops.AddFrom], column: Variable) -> Number:
        kind = Kind.VALUE if column.kind is Kind.VALUE else Kind.COUNT
        return self._made(kind, lambda out: op(out, column), signed=column.signed)

    # ── the graph, by edge heads ────────────────────────────────────────────────────────────────

    def least_from(
        self,
        value: object,
        *,
        unless: object = 0,
        across: object = None,
        otherwise: object = 0,
    ) -> Number:
        """The least value of the nodes that have an edge to a node, of those where `unless` is not
        set; `otherwise`, a constant, where there is no such edge. With `across`, a flag or an
        index, only those count whose ends differ in it."""
        return self._least(ops.LeastFrom, value, unless, across, otherwise)

    def least_to(
        self,
        value: object,
        *,
        unless: object = 0,
        across: object = None,
        otherwise: object = 0,
    ) -> Number:
        """The least value of the nodes that a node has an edge to, of those where `unless` is not
        set; `otherwise`, a constant, where there is no such edge. With `across`, a flag or an
        index, only those count whose ends differ in it."""
        return self._least(ops.LeastTo, value, unless, across, otherwise)

    def nearest_from(
        self,
        value: object,
        *,
        unless: object = 0,
        across: object = None,
        otherwise: object = UNREACHED,
    ) -> Number:
        """The least sum of a value and the edge from its node to a node, of those where `unless` is
        not set; `otherwise`, a constant, where there is no such edge. With `across`, a flag or an
        index, only those count whose ends differ in it."""
        return self._least(ops.NearestFrom, value, unless, across, otherwise)

    def nearest_to(
        self,
        value: object,
        *,
        unless: object = 0,
        across: object = None,
        otherwise: object = UNREACHED,
    ) -> Number:
        """The least sum of a value and the edge to its node from a node, of those where `unless` is
        not set; `otherwise`, a constant, where there is no such edge. With `across`, a flag or an
        index, only those count whose ends differ in it."""
        return self._least(ops.NearestTo, value, unless, across, otherwise)

    def heaviest_from(self, *, unless: object = 0, across: object = None) -> Number:
        """The heaviest edge to a node, of those from nodes where `unless` is not set; 0 if there is
        none. With `across`, a flag or an index, only those count whose ends differ in it."""
        return self._heaviest(ops.HeaviestFrom, unless, across)

    def heaviest_to(self, *, unless: object = 0, across: object = None) -> Number:
        """The heaviest edge from a node, of those to nodes where `unless` is not set; 0 if there is
        none. With `across`, a flag or an index, only those count whose ends differ in it."""
        return self._heaviest(ops.HeaviestTo, unless, across)

    def via(self, least: object, column: object = None, *, prefer: str = "first") -> Any:
        """What the node has in a column by which p.least_from or p.nearest_from, or their twins
        that look at edges to other nodes, made a number; 0 where there is no such node.

        Of several nodes it is the first, or with prefer="nearest" the one whose own value is least,
        and then the first. Without a column it is that node's index.
        """
        if not isinstance(least, Number) or least.chosen is None:
            made = "what p.least_from, p.nearest_from or their twins have made"
            raise self.error(f"p.via({self.shown(least)}): it retraces {made}, and nothing else")
        op, value, unless, across, since = least.chosen
        for read in (value, unless, across):
            if isinstance(read, Variable) and self.changed(read, since):
                raise self.error(
                    f"p.via({self.shown(least)}): '{read}' has changed since that was made: say "
                    "p.via before"
                )
        if prefer not in ("first", "nearest"):
            raise self.error(f"prefer={prefer!r}: say 'first' or 'nearest'")
        heaviest = prefer == "nearest" and op.with_edge
        (via,) = (
            each
            for each in ops.ALL
            if issubclass(each, ops.LeastViaFrom)
            and (each.edges, each.along, each.heaviest) == (op.edges, op.with_edge, heaviest)
        )
        of = OWN_INDEX if column is None else self._number(column)
        return self._read(of, lambda out: via(out, value, least.held, unless, of, across=across))

    def _least(
        self,
        op: type[ops.LeastFrom],
        value: object,
        unless: object,
        across: object,
        otherwise: object,
    ) -> Number:
        of = self._operand(value, Scope.NODES)
        no, cut = self._flag(unless), self._cut(across)
        constant = self._operand(otherwise, Scope.NODES)
        kind = max(Kind.INDEX, self._kind(of, constant), key=RANK.__getitem__)
        if op.with_edge:
            weighed = Kind.COUNT if self.edges == "ones" else Kind.VALUE
            kind = max(kind, weighed, key=RANK.__getitem__)
        signed = self._signed(of, constant)
        made = self._made(kind, lambda out: op(out, of, no, constant, across=cut), signed=signed)
        made.chosen = op, of, no, cut, self.moment()
        index = isinstance(of, Variable) and of.kind is Kind.INDEX
        made.of_nodes = index and not op.with_edge and constant in (0, UNREACHED)
        return made

    def _heaviest(self, op: type[ops.HeaviestFrom], unless: object, across: object) -> Number:
        kind = Kind.COUNT if self.edges == "ones" else Kind.VALUE
        no, cut = self._flag(unless), self._cut(across)
        return self._made(kind, lambda out: op(out, no, across=cut))

    def _cut(self, across: object) -> Variable | None:
        """In what the ends of an edge must differ, if edges across a cut are asked for."""
        if across is None:
            return None
        return self._number(across) if isinstance(across, Number) else self._flag(across)

    # ── the end ─────────────────────────────────────────────────────────────────────────────────

    def halt_when(self, condition: object) -> None:
        """Halt after this iteration, if something is true of all nodes or of a single variable."""
        self._halt_when(self._of_all_nodes(condition))

    def halt_unless(self, condition: object) -> None:
        """Go on only if something is true of all nodes, or of a single variable."""
        self._halt_when(~self._of_all_nodes(condition))

    def _of_all_nodes(self, condition: object) -> Truth:
        truth = self._as_truth(condition)
        if truth.scope is not Scope.SINGLE:
            it = self.shown(condition)
            raise self.error(f"{it} may differ from node to node: say p.all(…) or p.any(…) of it")
        return truth

    def _halt_when(self, condition: Truth) -> None:
        if self.halting is not None:
            raise self.error("a program has one halt_when or halt_unless; join conditions with |")
        self.halting = Variable(self._free_name("halt"), Kind.FLAG, Scope.SINGLE)
        self.add(ops.Set(self.halting, condition.now()))
