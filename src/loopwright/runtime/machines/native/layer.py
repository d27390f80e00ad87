"""One layer → one function: heads first, from X as it was; then every changed column, at once.

Order of the code: what row 0 finds and what nodes find into scratch; what graph heads carry; the
new row 0, in registers; the new nodes, a pack at a time and in place; row 0 is stored last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from loopwright.model.layout import Scope
from loopwright.model.weights import Over
from loopwright.runtime.machines.native import attention, code, graph
from loopwright.runtime.machines.native.analyse import NODES, SINGLE, Finds, LayerForms, Plan
from loopwright.runtime.machines.native.attention import Scored, Stored
from loopwright.runtime.machines.native.code import REAL, Slot, Value
from loopwright.runtime.machines.native.forms import Form, Found, Leaf, Own, Spread, leaves
from loopwright.runtime.machines.native.routine import Evaluator, Load, Routine
from loopwright.runtime.machines.native.survey import Surveys


@dataclass(frozen=True, eq=False)
class PlannedHead:
    """All that emitting a head needs."""

    over: Over
    scored: Scored
    plan: Plan


class LayerCode:
    """Code for one layer: first it says what must be surveyed, then it is emitted."""

    def __init__(
        self,
        routine: Routine,
        forms: LayerForms,
        heads: Sequence[PlannedHead],
        surveys: Surveys,
        *,
        plain_edges: bool,
    ) -> None:
        self.routine, self.forms, self.heads = routine, forms, heads
        self.plain_edges = plain_edges
        self.wanted = self._wanted()
        self.stored = [self._survey(index, head, surveys) for index, head in enumerate(heads)]
        self.scratch: dict[Found | Spread, int] = {}
        """Where nodes look for what is not computed on the spot."""
        self.columns = 0
        self.row_zero_found: dict[Leaf, Value] = {}
        self.all_found: dict[Leaf, Value] = {}
        """What all nodes found alike, as packs."""

    def emit(self, columns: int) -> int:
        """Emit it, given how many columns of scratch are taken; how many it then needs in all."""
        self.columns = columns
        for index, head in enumerate(self.heads):
            self._find(index, head)
        for index, head in enumerate(self.heads):
            if head.over != "I":
                self._carry(index, head)
        row_zero = self._row_zero()
        single = {column: row_zero(form) for column, form in self.forms.new[SINGLE].items()}
        if self.forms.new[NODES]:
            self.routine.over_packs(self._update_nodes)
        body = self.routine.body
        for column, value in single.items():
            code.store(body, value, self.routine.row_zero_address(body, column))
        self.routine.finish()
        return self.columns

    def _survey(self, index: int, head: PlannedHead, surveys: Surveys) -> Stored | None:
        """The analysis relies on `OWN` and `GLOBAL`; other plans matter only if nodes must find."""
        plan = head.plan
        if plan.nodes in (Finds.PAIR, Finds.STORED) and not self._columns(Found, index, NODES):
            plan = Plan(plan.single, Finds.LIVE)
        return surveys.add(head.scored, plan)

    def _wanted(self) -> dict[Scope, set[Leaf]]:
        """What must be found: leaves of changed columns, and what graph heads carry to those."""
        wanted = {scope: set(leaves(self.forms.new[scope].values())) for scope in Scope}
        sources = (NODES,) if self.plain_edges else tuple(Scope)
        for leaf in wanted[SINGLE] | wanted[NODES]:
            if isinstance(leaf, Spread):
                for scope in sources:
                    wanted[scope].update(leaves([self._found(leaf, scope)]))
        return wanted

    def _found(self, leaf: Spread, scope: Scope) -> Form:
        return self.forms.heads[scope][leaf.head].found.get(leaf.column, {})

    def _columns(self, kind: type[Found | Spread], index: int, *scopes: Scope) -> list[int]:
        """The columns wanted of a head."""
        wanted = set[Leaf]().union(*(self.wanted[scope] for scope in scopes))
        return sorted(w.column for w in wanted if isinstance(w, kind) and w.head == index)

    def _allot(
        self, kind: type[Found | Spread], index: int, columns: Sequence[int]
    ) -> dict[int, int]:
        """A column of scratch for each."""
        targets = {column: self.columns + i for i, column in enumerate(columns)}
        self.columns += len(columns)
        self.scratch |= {kind(index, column): target for column, target in targets.items()}
        return targets

    def _find(self, index: int, head: PlannedHead) -> None:
        """What a head finds, except where nodes do so on the spot."""
        routine, scored = self.routine, head.scored
        columns = self._columns(Found, index, NODES)
        if columns and head.plan.nodes is Finds.ALIKE:
            first = routine.node(code.count(0))
            for column, value in attention.live(routine, scored, NODES, first, columns).items():
                self.all_found[Found(index, column)] = code.spread(routine.body, value)
        elif columns and head.plan.nodes is not Finds.PAIR:
            targets = self._allot(Found, index, columns)
            if head.plan.nodes is Finds.STORED:
                stored = self.stored[index]
                assert stored is not None
                attention.stored_nodes(routine, scored, stored, columns, targets)
            else:
                attention.live_nodes(routine, scored, columns, targets)
        columns = self._columns(Found, index, SINGLE)
        if columns:
            found = attention.live(routine, scored, SINGLE, routine.row_zero, columns)
            self.row_zero_found |= {Found(index, column): value for column, value in found.items()}

    def _carry(self, index: int, head: PlannedHead) -> None:
        columns = self._columns(Spread, index, *Scope)
        if not columns:
            return
        targets = self._allot(Spread, index, columns)
        graph.clear(self.routine, targets)
        found = {
            scope: {
                column: form
                for column in columns
                if (form := self._found(Spread(index, column), scope))
            }
            for scope in Scope
        }
        if found[SINGLE] and not self.plain_edges:
            row_zero = self._row_zero()
            graph.carry_from_row_zero(self.routine, head.over, found[SINGLE], targets, row_zero)
        if found[NODES]:
            graph.carry_from_nodes(
                self.routine, head.over, found[NODES], targets, self._on_the_spot
            )

    def _row_zero(self) -> Evaluator:
        """Evaluates forms in row 0, after heads have found."""

        def load(leaf: Leaf) -> Value:
            if isinstance(leaf, Own):
                return self.routine.row_zero.leaf(leaf)
            if isinstance(leaf, Spread):
                return self.routine.read(Slot.SCRATCH, self.scratch[leaf], code.count(-1), REAL)
            return self.row_zero_found[leaf]

        return Evaluator(self.routine.body, load, code.real)

    def _on_the_spot(self, index: Value) -> Load:
        """Loads what a pack of nodes found; pairs are computed here, all columns at once."""
        pairs: dict[Leaf, Value] = {}

        def load(leaf: Leaf) -> Value:
            assert isinstance(leaf, Found | Spread)
            if leaf in self.all_found:
                return self.all_found[leaf]
            if leaf in self.scratch:
                return self.routine.read(Slot.SCRATCH, self.scratch[leaf], index)
            if leaf not in pairs:
                head, columns = self.heads[leaf.head], self._columns(Found, leaf.head, NODES)
                stored = self.stored[leaf.head]
                assert stored is not None
                found = attention.pair(self.routine, head.scored, stored, index, columns)
                pairs.update({Found(leaf.head, column): v for column, v in found.items()})
            return pairs[leaf]

        return load

    def _update_nodes(self, index: Value, _: list[Value]) -> None:
        nodes = self.routine.nodes(index, self._on_the_spot(index))
        new = {column: nodes(form) for column, form in self.forms.new[NODES].items()}
        for column, value in new.items():
            self.routine.write(Slot.NODES, column, index, value)
