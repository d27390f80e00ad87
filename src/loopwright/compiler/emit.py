"""A data flow and its layers → the program whose steps are those layers.

A carried variable gets its new value in place where nothing reads the old one any more; else the
new value waits in a column of its own, and is copied when the old one has been read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from loopwright.compiler.flow import Flow, Node
from loopwright.compiler.schedule import Schedule
from loopwright.language.op import Op, with_variables
from loopwright.language.ops import Copy
from loopwright.language.program import Program, Step
from loopwright.language.variables import Variable


def emit(flow: Flow, layers: Schedule) -> Program:
    """The scheduled program; what it was scheduled from is what its author wrote."""
    program, count = flow.program, max(layers) + 1
    orders = [Order([i for i, at in enumerate(layers) if at == layer]) for layer in range(count)]
    for i, node in enumerate(flow.nodes):
        for before in node.reads | node.waits:
            if layers[before] == layers[i]:
                orders[layers[i]].put(before, i)
    names = {node.op.out: node.op.out for node in flow.nodes}
    copies: list[list[Op]] = [[] for _ in range(count)]
    for variable in dict.fromkeys(node.of for node in flow.nodes):
        home = Home(flow, layers, orders, variable)
        for i in (i for i, node in enumerate(flow.nodes) if node.of == variable):
            if home.takes(i):
                names[flow.nodes[i].op.out] = variable
        end = flow.carried.get(variable)
        if end is not None and home.holds != end:
            copy = Copy(variable, names[flow.nodes[end].op.out])
            copies[max(home.busy, layers[end])].append(copy)
    steps: list[Step] = []
    for order, copied in zip(orders, copies, strict=True):
        nodes = sorted((flow.nodes[i] for i in order.sorted()), key=lambda node: not node.attends)
        ops = [with_variables(node.op, names, names[node.op.out]) for node in nodes]
        steps.append(titled(program, nodes, [*ops, *copied]))
    return replace(program, steps=tuple(steps), layers="found", written=program.as_written())


@dataclass
class Home:
    """A variable, which its versions take in turn where nobody needs the one before any more."""

    flow: Flow
    layers: Schedule
    orders: list[Order]
    variable: Variable
    holds: int | None = None
    """The node whose version it holds; None: what the iteration began with."""
    busy: int = 0
    """The last layer in which somebody wrote or read it."""

    def takes(self, i: int) -> bool:
        """Whether the next version can be written to it; notes who must come before that."""
        node, layer = self.flow.nodes[i], self.layers[i]
        readers = [k for k in self.readers() if k != i]
        if node.op.out != self.variable and not self.is_free(node, layer, readers, i):
            self.busy = max([self.busy, *(self.layers[k] for k in readers)])
            return False
        self.holds = i
        self.busy = max([self.busy, layer, *(self.layers[k] for k in self.readers())])
        return True

    def readers(self) -> list[int]:
        """Who reads what it holds."""
        if self.holds is not None:
            return self.flow.readers[self.holds]
        return self.flow.first_readers.get(self.variable, [])

    def is_free(self, node: Node, layer: int, readers: list[int], i: int) -> bool:
        before = [*readers, *([] if self.holds is None else [self.holds])]
        if any(self.layers[k] > layer for k in before):
            return False
        here = [k for k in before if self.layers[k] == layer]
        late = [k for k in here if k == self.holds or self.flow.nodes[k].is_late(self.version)]
        if node.attends:
            return not late and not (self.version in node.op.reads() and node.is_late(self.version))
        return self.orders[layer].put_all([k for k in late if not self.flow.nodes[k].attends], i)

    @property
    def version(self) -> Variable:
        """What nodes read that read what it holds."""
        return self.variable if self.holds is None else self.flow.nodes[self.holds].op.out


@dataclass
class Order:
    """The ops of a layer, with who must come before whom."""

    members: list[int]
    before: dict[int, set[int]] = field(default_factory=dict[int, "set[int]"])
    """Op → those that come before it."""

    def put(self, first: int, then: int) -> None:
        self.before.setdefault(then, set()).add(first)

    def put_all(self, first: Iterable[int], then: int) -> bool:
        """Put some before an op, unless one of them has to come after it."""
        some = list(first)
        if any(self.leads(then, i) for i in some):
            return False
        for i in some:
            self.put(i, then)
        return True

    def leads(self, first: int, then: int) -> bool:
        """Whether an op has to come before another, or is the same."""
        return first == then or any(self.leads(first, i) for i in self.before.get(then, ()))

    def sorted(self) -> list[int]:
        """All of them in an order that keeps to this; else as they were written."""
        found: dict[int, None] = {}

        def visit(i: int) -> None:
            if i not in found:
                for before in sorted(self.before.get(i, ())):
                    visit(before)
                found[i] = None

        for i in self.members:
            visit(i)
        return list(found)


def titled(program: Program, nodes: Iterable[Node], ops: list[Op]) -> Step:
    """A layer called by the author's steps that it is made of; or, where those are statements, by
    the program's variables that it gives a value."""
    if program.layers == "given":
        numbers = {node.at.name: node.at.paper_step for node in nodes}
        number = next(iter(numbers.values())) if len(numbers) == 1 else None
        return Step(" + ".join(numbers), tuple(ops), number)
    known = {v.name for v in program.variables}
    names = dict.fromkeys(op.out.name.rstrip("′") for op in ops)
    return Step(", ".join(name for name in names if name in known), tuple(ops))
