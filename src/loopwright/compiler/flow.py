"""Program → data flow: which op makes what other ops read, and what each needs of a layer.

A variable may be written many times in an iteration. Here every op writes a variable of its own, a
version, so that nothing orders the ops but what they read. [Cytron et al. 1991] An op that updates
a variable in place is the exception: whoever reads the old value must do so before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import lcm

from loopwright.compiler.assemble import TooDeep
from loopwright.compiler.attend import Biases, Pattern, Patterns
from loopwright.compiler.layer import LayerBuilder
from loopwright.compiler.linear import Column, Linear
from loopwright.compiler.lower import LOWERINGS
from loopwright.errors import ProgramError
from loopwright.language.formulas import And, Comparison, Formula, Or, plain
from loopwright.language.op import Op, Phase, with_variables
from loopwright.language.ops import Set
from loopwright.language.program import Program, Step
from loopwright.language.variables import GIVEN, Variable
from loopwright.model.limits import Constants, Limits
from loopwright.model.weights import Over

HeadKey = tuple[Pattern, Over]
"""What a head looks for, and through what it reads. Ops of a layer that agree in both share it."""


@dataclass
class Written:
    """An op that reads and writes versions; nodes are counted in the program's order."""

    op: Op
    of: Variable
    """The variable whose version it writes."""
    at: Step
    """The step that it comes from."""
    makers: dict[Variable, int]
    """What it reads → the op that makes it; not what was there when the iteration began."""
    waits: set[int] = field(default_factory=set[int])
    """The ops that read what this one overwrites in place."""

    @property
    def begun(self) -> set[Variable]:
        """What it reads as it was when the iteration began."""
        return set(self.op.reads()) - self.makers.keys()


@dataclass(frozen=True, eq=False)
class Node:
    """An op that reads and writes versions, and what it needs of a layer."""

    op: Op
    of: Variable
    at: Step
    reads: frozenset[int]
    """The nodes that make what it reads."""
    waits: frozenset[int]
    """The nodes that read what this one overwrites in place."""
    starts: frozenset[Variable]
    """What it reads as it was when the iteration began."""
    heads: frozenset[HeadKey]
    depth: int
    """How many ReLUs nest in its formula if all that it reads is in columns."""
    nests: Mapping[int, int]
    """A node that it reads → how many of these ReLUs surround what that node makes."""
    units: tuple[int, ...]
    """How many hidden units it needs at each level of an MLP, if it were alone there."""

    @property
    def attends(self) -> bool:
        return self.op.phase is Phase.ATTENTION

    def is_late(self, variable: Variable) -> bool:
        """Whether it reads a variable after the attention of its layer."""
        return not self.attends or variable in [getattr(self.op, name) for name in self.op.late]


@dataclass(frozen=True, eq=False)
class Flow:
    """The ops of an iteration that the answer depends on, in an order in which they can be done."""

    program: Program
    nodes: tuple[Node, ...]
    carried: Mapping[Variable, int]
    """Variable whose value outlives the iteration → the node that makes that value."""

    @cached_property
    def lasting(self) -> int:
        """How many columns hold what outlives the iteration, or was there from the beginning."""
        begun = {*constants_of(self.program)}.union(*(node.starts for node in self.nodes))
        return sum(variable.kind.width for variable in begun | self.carried.keys())

    @cached_property
    def readers(self) -> list[list[int]]:
        """Node → the nodes that read what it makes."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for i, node in enumerate(self.nodes):
            for maker in node.reads:
                found[maker].append(i)
        return found

    @cached_property
    def first_readers(self) -> dict[Variable, list[int]]:
        """Carried variable → the nodes that read what it holds when an iteration begins."""
        return {
            variable: [i for i, node in enumerate(self.nodes) if variable in node.starts]
            for variable in self.carried
        }


def constants_of(program: Program) -> list[Variable]:
    """What no op writes, the biases among it."""
    return [variable for variable in program.variables if variable.constant]


def flow_of(program: Program) -> Flow:
    """The data flow of a program's ops, done one after the other.

    Raises:
        ProgramError: if an op alone needs more ReLUs than an MLP has.
    """
    ops, ends = renamed(program)
    alive = sorted(needed(program, ops, ends))
    number = {old: new for new, old in enumerate(alive)}
    probe = Probe(program, ops)
    nodes = tuple(probe.node(ops[old], number) for old in alive)
    lasting = {*lasting_of(program)}.union(*(node.starts for node in nodes))
    carried = {v: number[end] for v, end in ends.items() if v in lasting and end in number}
    return Flow(program, nodes, carried)


def renamed(program: Program) -> tuple[list[Written], dict[Variable, int]]:
    """Every op with versions for variables; and variable → the op that writes it last.

    What a variable holds when the iteration begins keeps the variable's name.
    """
    taken = {variable.name for variable in program.variables}
    version: dict[Variable, Variable] = {}
    maker: dict[Variable, int] = {}
    readers: dict[Variable, set[int]] = {}
    ops: list[Written] = []
    for at in program.steps:
        for op in (part for whole in at.ops for part in parts_of(whole, taken)):
            old = {v: version.get(v, v) for v in op.reads()}
            out = old[op.out] if op.updates else fresh_version(op.out, taken)
            makers = {v: maker[v] for v in old.values() if v in maker}
            waits = readers.get(out, set[int]()) if op.updates else set[int]()
            ops.append(
                Written(with_variables(op, old, out), op.out, at, makers, waits - {len(ops)})
            )
            for v in old.values():
                readers.setdefault(v, set()).add(len(ops) - 1)
            version[op.out], maker[out] = out, len(ops) - 1
            readers[out] = set()
    return ops, {v: maker[out] for v, out in version.items()}


def parts_of(op: Op, taken: set[str]) -> Iterator[Op]:
    """An op that sets a flag to a formula of formulas, as one op for each of these: a layer need
    not do all of them, and where it does they nest as before."""
    if not isinstance(op, Set):
        yield op
        return
    formula = plain(op.formula)
    if isinstance(formula, And | Or):
        parts: list[Formula] = []
        for part in formula.parts:
            if isinstance(part, And | Or):
                flag = fresh_version(op.out, taken)
                yield from parts_of(Set(flag, part), taken)
                parts.append(flag)
            else:
                parts.append(part)
        formula = type(formula)(tuple(parts))
    yield Set(op.out, formula)


def fresh_version(variable: Variable, taken: set[str]) -> Variable:
    name = variable.name + "′"
    while name in taken:
        name += "′"
    taken.add(name)
    return replace(variable, name=name, start=None, at_source=None)


def lasting_of(program: Program) -> list[Variable]:
    """The variables that somebody outside of the loop reads or writes: outputs, the halting flag,
    and what the caller gives, whether or not anything comes of it."""
    given = [v for v in program.variables if str(v.start).startswith(GIVEN)]
    return [program.halt, *program.outputs.values(), *given]


def needed(program: Program, ops: list[Written], ends: Mapping[Variable, int]) -> set[int]:
    """The ops that lasting variables depend on, in this iteration or a later one."""
    lasting = lasting_of(program)
    wanted = {ends[v] for v in lasting if v in ends}
    wanted |= {i for i, each in enumerate(ops) if not each.begun.isdisjoint(lasting[1:])}
    found: set[int] = set()
    while wanted:
        i = wanted.pop()
        found.add(i)
        begun = {ends[v] for v in ops[i].begun if v in ends}
        wanted |= (begun | set(ops[i].makers.values())) - found
    return found


class Probe:
    """Lowers each op alone, to see what it needs of a layer."""

    def __init__(self, program: Program, ops: Iterable[Written]) -> None:
        everything = (v for each in ops for v in (*each.op.reads(), each.op.out))
        self.columns: dict[str, int] = {}
        for variable in (*constants_of(program), *everything):
            self.columns.setdefault(variable.name, 2 * len(self.columns))
        self.patterns = Patterns(Biases.among(self.columns), roomy_constants(program))

    def node(self, written: Written, number: Mapping[int, int]) -> Node:
        op, at = written.op, written.at
        layer = LayerBuilder(self.columns, self.patterns)
        try:
            LOWERINGS[type(op)](op, layer)
        except (ProgramError, TooDeep) as problem:
            raise ProgramError(f"step '{at.name}', '{op}': {problem}") from None
        forms = layer.written.get(op.out, ())
        around: dict[int, int] = {}
        for column, depth in (each for form in forms for each in nesting(form)):
            around[column] = max(depth, around.get(column, 0))
        if op.phase is Phase.ATTENTION:
            late = {getattr(op, name) for name in op.late} | {op.out}
            read = {v for v in op.reads() if self.columns[v.name] in around and not v.constant}
            assert read <= late, f"{type(op).__name__}: the MLP reads {read - late} as well"
        nests: dict[int, int] = {}
        for variable, maker in written.makers.items():
            own = range(self.columns[variable.name], self.columns[variable.name] + 2)
            nests[number[maker]] = max(around.get(column, 0) for column in own)
        return Node(
            op=op,
            of=written.of,
            at=at,
            reads=frozenset(number[i] for i in written.makers.values()),
            waits=frozenset(number[i] for i in written.waits if i in number),
            starts=frozenset(written.begun),
            heads=frozenset((pattern, over) for pattern, over, _ in layer.attention.ordered()),
            depth=max((form.depth for form in forms), default=0),
            nests=nests,
            units=layer.mlp().levels,
        )


def nesting(form: Linear) -> Iterator[tuple[int, int]]:
    """Column → how many ReLUs surround it, for each time that a formula mentions it."""
    for atom in form.terms:
        if isinstance(atom, Column):
            yield atom.index, 0
        else:
            yield from ((column, depth + 1) for column, depth in nesting(atom.of))


def roomy_constants(program: Program) -> Constants:
    """Constants that hold every number of the program, whatever limits it is compiled for later:
    how deep formulas nest and how many heads they need does not depend on them."""
    numbers = [Fraction(number) for at in program.steps for op in at.ops for number in said_by(op)]
    default = Limits().constants()
    return replace(
        default,
        resolution=Fraction(1, lcm(*(number.denominator for number in numbers))),
        largest=max([default.largest, *map(abs, numbers)]),
    )


def said_by(op: Op) -> Iterator[int | Fraction]:
    """The numbers that an op is written with, also in comparisons."""
    for operand in op.operands().values():
        sides: list[object] = [operand]
        if isinstance(operand, Formula):
            compared = [atom for atom in operand.atoms() if isinstance(atom, Comparison)]
            sides = [side for atom in compared for side in (atom.a, atom.b)]
        yield from (side for side in sides if isinstance(side, int | Fraction))
