"""One layer → one function: heads first, from X as it was; then every changed column, at once.

Order of the code: what row 0 finds and what nodes find into scratch; what graph heads carry; the
new row 0, in registers; the new nodes, a pack at a time and in place; row 0 is stored last.
"""

# llvmlite has no types of its own.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

from llvmlite import ir

from loopwright.model.layout import Scope
from loopwright.runtime.machines.native.alike import Likeness, is_alike
from loopwright.runtime.machines.native.analyse import Assumptions, Finds, LayerForms, Plan
from loopwright.runtime.machines.native.anew import AnewCode, Changing, Kept
from loopwright.runtime.machines.native.attention import HeadCode, Survey
from loopwright.runtime.machines.native.choose import ChoiceCode
from loopwright.runtime.machines.native.code import Value, count, pack, real
from loopwright.runtime.machines.native.find import MatchCode, NumberCode
from loopwright.runtime.machines.native.forms import (
    Carried,
    Form,
    Found,
    Global,
    Leaf,
    Own,
    leaves,
)
from loopwright.runtime.machines.native.frame import Slot
from loopwright.runtime.machines.native.graph import EdgeCode
from loopwright.runtime.machines.native.numbers import matching, numbering
from loopwright.runtime.machines.native.rest import Rest, at_rest
from loopwright.runtime.machines.native.routine import Evaluator, Routine
from loopwright.runtime.machines.native.sparse import SparseHead
from loopwright.runtime.machines.native.survey import Surveys


class PartName(NamedTuple):
    """One of the functions that a layer consists of, which are called one after the other."""

    name: str
    shared: bool = False
    """Whether it does the share of the nodes that its argument says, at once with others."""


@dataclass(frozen=True)
class Bucket:
    """One of the columns in which a head that finds rows by keys keeps something for each key."""

    head: SparseHead
    column: int


class LayerCode:
    """Writes one layer into a routine, and asks for the surveys that it needs."""

    def __init__(
        self,
        routine: Routine,
        forms: LayerForms,
        assumptions: Assumptions,
        like: Likeness,
        surveys: Surveys,
        changing: Changing,
        taken: int,
    ) -> None:
        """`changing` are the columns that some layer changes. So many columns of scratch are
        `taken` by layers before, and must be left as they are."""
        self.routine, self.forms, self.assumptions, self.like = routine, forms, assumptions, like
        self.heads = {head: HeadCode(routine, head, forms.heads[head]) for head in forms.heads}
        self.wanted = self._wanted()
        self.surveys = {head: self._survey(head, surveys) for head in self.heads}
        self.changing, self.taken = changing, taken
        self.scratch: dict[Leaf | Bucket, int] = {}
        """The columns of scratch in which rows look for what is not computed on the spot."""
        self.parts: list[PartName] = []
        """What is called before the layer's own function."""
        self.found_by_row_zero: dict[Leaf, Value] = {}
        self.found_by_all_nodes: dict[Leaf, Value] = {}
        """What all nodes found alike."""

    def emit(self) -> tuple[list[PartName], int]:
        """Write the code; returns its functions, and how many columns of scratch it needs."""
        for head in self.heads:
            self._find(head)
        for head in self.heads:
            if columns := self._columns(Carried, head, *Scope):
                self._carry(head, columns)
        row_zero = self._row_zero()
        single = {column: row_zero(form) for column, form in self.forms.new[Scope.SINGLE].items()}
        self._update_nodes()
        for column, value in single.items():
            self.routine.body.store_at(value, self.routine.slot(Slot.ROW_ZERO), count(column))
        self.routine.finish()
        return [*self.parts, PartName(self.routine.name)], len(self.scratch)

    def _wanted(self) -> dict[Scope, set[Leaf]]:
        """What must be found: leaves of changed columns, and what graph heads carry to those."""
        wanted = {scope: set(leaves(self.forms.new[scope].values())) for scope in Scope}
        sources = (Scope.NODES,) if self.assumptions.plain_edges else tuple(Scope)
        for leaf in wanted[Scope.SINGLE] | wanted[Scope.NODES]:
            if isinstance(leaf, Carried):
                for scope in sources:
                    found = self.forms.heads[leaf.head][scope].found
                    wanted[scope].update(leaves([found.get(leaf.column, {})]))
        return wanted

    def _columns(self, kind: type[Found | Carried], head: SparseHead, *scopes: Scope) -> list[int]:
        """The columns wanted of a head."""
        wanted = set[Leaf]().union(*(self.wanted[scope] for scope in scopes))
        return sorted(w.column for w in wanted if isinstance(w, kind) and w.head == head)

    def _survey(self, head: SparseHead, surveys: Surveys) -> Survey | None:
        """The analysis relies on `OWN` and `GLOBAL`; other plans matter only if nodes must find."""
        plan = self.assumptions.plans[head]
        if plan.nodes in (Finds.PAIR, Finds.STORED) and not self._columns(Found, head, Scope.NODES):
            plan = Plan(plan.single, Finds.LIVE)
        return surveys.add(head, self.forms.heads[head], plan)

    def _allot(
        self, kind: type[Found | Carried | Bucket], head: SparseHead, columns: Sequence[int]
    ) -> dict[int, int]:
        """Give each of a head's columns a column of scratch; those come after X's."""
        free = len(self.forms.before[Scope.NODES]) + self.taken + len(self.scratch)
        targets = {column: free + i for i, column in enumerate(columns)}
        self.scratch |= {kind(head, column): target for column, target in targets.items()}
        return targets

    def _find(self, head: SparseHead) -> None:
        """Compute what a head finds, except for pairs: nodes compute those on the spot."""
        code, routine, finds = self.heads[head], self.routine, self.assumptions.plans[head].nodes
        columns = self._columns(Found, head, Scope.NODES)
        if head.chooses:
            self._choose(head, columns)
            return
        if columns and finds is Finds.ALIKE:
            found = code.live(Scope.NODES, routine.every_node, columns)
            self.found_by_all_nodes |= {Found(head, c): value for c, value in found.items()}
        elif columns and finds is Finds.NUMBERED:
            numbered = numbering(head)
            assert numbered is not None
            NumberCode(code).find(numbered, self._allot(Found, head, columns))
        elif columns and finds is Finds.MATCHED:
            matched = matching(head)
            assert matched is not None
            targets = self._allot(Found, head, columns)
            buckets = self._allot(Bucket, head, range(2 + len(columns)))
            MatchCode(code, matched, list(buckets.values())).find(targets)
        elif columns and finds is not Finds.PAIR:
            code.find(self._allot(Found, head, columns), self.surveys[head])
        if columns := self._columns(Found, head, Scope.SINGLE):
            found = code.live(Scope.SINGLE, routine.row_zero, columns)
            self.found_by_row_zero |= {Found(head, c): value for c, value in found.items()}

    def _choose(self, head: SparseHead, columns: Sequence[int]) -> None:
        """Compute what an edge head finds: who has to choose anew, then each share by itself."""
        at_row_zero = self._columns(Found, head, Scope.SINGLE)
        if not columns and not at_row_zero:
            return
        forms, coordinates = self.forms.heads[head], len(head.query)
        kept = None
        if self.assumptions.plain_edges:
            kept = Kept(forms, columns, self.changing, self.like.before)
        copies = len(kept.copied) + 1 if kept else 0
        scratch = self._allot(Bucket, head, range(coordinates + copies))

        def choice_in(routine: Routine) -> ChoiceCode:
            anew = kept and AnewCode(routine, head.over, kept, [*scratch.values()][coordinates:])
            return ChoiceCode(HeadCode(routine, head, forms), scratch, anew)

        def write(name: str, what: Callable[[ChoiceCode], None], *, shared: bool) -> None:
            routine = self._part(name, shared=shared)
            what(choice_in(routine))
            routine.finish()

        if kept:
            write("zero", ChoiceCode.look_at_row_zero, shared=False)
            write("keys", ChoiceCode.show, shared=True)
        else:
            write("keys", ChoiceCode.show_all, shared=False)
        if columns:
            targets = self._allot(Found, head, columns)
            write("share", lambda choice: choice.find(targets), shared=True)
        if at_row_zero:
            found = choice_in(self.routine).find_at_row_zero(at_row_zero)
            pairs = zip(at_row_zero, found, strict=True)
            self.found_by_row_zero |= {Found(head, column): value for column, value in pairs}

    def _part(self, name: str, *, shared: bool = False) -> Routine:
        """Another function, which is called before the layer's own."""
        own = self.routine
        routine = own.beside(f"{own.name}_{name}{len(self.parts)}")
        self.parts.append(PartName(routine.name, shared))
        return routine

    def _carry(self, head: SparseHead, columns: Sequence[int]) -> None:
        """Bring what rows found in a head to the other ends of their edges."""
        edges = EdgeCode(self.routine, head.over, self._allot(Carried, head, columns))
        edges.clear()
        single, nodes = (
            {column: forms.found[column] for column in columns if column in forms.found}
            for forms in (self.forms.heads[head][scope] for scope in (Scope.SINGLE, Scope.NODES))
        )
        if single and not self.assumptions.plain_edges:
            row_zero = self._row_zero()
            edges.carry_from_row(count(0), {c: row_zero(form) for c, form in single.items()})
        if nodes:
            edges.carry_from_nodes(nodes, self._nodes)

    def _row_zero(self) -> Evaluator:
        """Evaluates forms in row 0, after heads have found."""

        def load(leaf: Leaf) -> Value:
            if isinstance(leaf, Own):
                return self.routine.row_zero.leaf(leaf)
            if isinstance(leaf, Carried):
                return self.routine.read_one(self.scratch[leaf], count(-1))
            return self.found_by_row_zero[leaf]

        return Evaluator(self.routine.body, load, real)

    def _nodes(self, index: Value) -> Evaluator:
        """Evaluates forms at a pack of nodes, after heads have found; pairs find all columns of a
        head here, as soon as one is needed."""
        pairs: dict[Leaf, Value] = {}

        def load(leaf: Leaf) -> Value:
            assert isinstance(leaf, Found | Carried)
            if leaf in self.found_by_all_nodes:
                return self.routine.body.broadcast(self.found_by_all_nodes[leaf])
            if leaf in self.scratch:
                return self.routine.read(self.scratch[leaf], index)
            if leaf not in pairs:
                head, survey = leaf.head, self.surveys[leaf.head]
                assert survey is not None
                columns = self._columns(Found, head, Scope.NODES)
                found = self.heads[head].pairs(survey, index, columns)
                pairs.update({Found(head, column): value for column, value in found.items()})
            return pairs[leaf]

        return self.routine.nodes(index, load)

    def _every_node(self) -> Evaluator:
        """Evaluates forms that are alike at all nodes, after heads have found."""

        def load(leaf: Leaf) -> Value:
            if isinstance(leaf, Own):
                return self.routine.every_node.leaf(leaf)
            if isinstance(leaf, Global):
                return self.routine.row_zero.leaf(leaf)
            return self.found_by_all_nodes[leaf]

        return Evaluator(self.routine.body, load, real)

    def _update_nodes(self) -> None:
        """Compute the new columns: once for all nodes where they are alike, else pack by pack."""
        new, every_node = self.forms.new[Scope.NODES], self._every_node()
        alike = {c: every_node(form) for c, form in new.items() if c in self.like.after}
        others = {c: form for c, form in new.items() if c not in alike}
        carried = [leaf for leaf in self.wanted[Scope.NODES] if isinstance(leaf, Carried)]
        rest = at_rest(others, carried, self._is_alike)
        if rest:
            self._update_where_carried(others, carried, rest)
        elif others:

            def step(index: Value) -> None:
                self._update_pack(index, others, self._nodes(index))

            self.routine.over_packs(step)
        for column, value in alike.items():
            self.routine.write(column, count(0), value)

    def _is_alike(self, form: Form) -> bool:
        return is_alike(form, self.like.before, self.assumptions.plans)

    def _update_pack(self, index: Value, forms: Mapping[int, Form], nodes: Evaluator) -> None:
        new = {column: nodes(form) for column, form in forms.items()}
        for column, value in new.items():
            self.routine.write(column, index, value)

    def _update_where_carried(
        self, forms: Mapping[int, Form], carried: Sequence[Carried], rest: Rest
    ) -> None:
        """Compute packs of nodes to which something was carried; the others rest, if they gain
        nothing."""
        body, every_node = self.routine.body, self._every_node()
        gains: Value = ir.Constant(ir.IntType(1), 0)
        for form in rest.gains:
            gains = body.or_(gains, body.fcmp_unordered("!=", every_node(form), real(0.0)))

        def step(index: Value) -> None:
            nodes = self._nodes(index)
            brought = [body.fcmp_unordered("!=", nodes.leaf(c), pack(0.0)) for c in carried]
            moves = body.or_(gains, body.some(reduce(body.or_, brought)))
            with body.if_else(moves) as (then, otherwise):
                with then:
                    self._update_pack(index, forms, nodes)
                with otherwise:
                    for column in rest.cleared:
                        self.routine.write(column, index, pack(0.0))

        self.routine.over_packs(step)
