"""Program → columns of X: where each variable is kept, and after which layers it is there.

In a program whose layers the compiler found, variables share columns: one takes the place of
another while nothing needs what that held. [Chaitin et al. 1981] The variables of an author's own
layers have columns of their own, so that each can be seen at any time.

A layer ℓ has two moments: 2ℓ, after its attention, and 2ℓ + 1, after its MLP.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from loopwright.language.op import Phase
from loopwright.language.program import Program
from loopwright.language.variables import Variable

BEGIN = -1
"""In the place of a layer: when a run begins."""


@dataclass(frozen=True)
class Placement:
    """Where variables are kept."""

    first: Mapping[str, int]
    """Variable name → its first column."""
    signed: frozenset[int]
    """Shared columns in which some variable may be negative, so that erasing must expect it."""
    held: Mapping[str, tuple[int, ...]]
    """Variable that shares its columns → the layers after which they hold it, or `BEGIN`."""
    width: int
    """How many columns there are."""


@dataclass
class Shared:
    """Columns that several variables take in turn."""

    first: int
    width: int
    tenants: dict[Variable, set[int]] = field(default_factory=dict[Variable, "set[int]"])
    """Who has them → at which moments."""

    def suits(self, variable: Variable, life: set[int], *, mixed: bool, across: bool) -> bool:
        free = all(life.isdisjoint(other) for other in self.tenants.values())
        alike = mixed or self.signed == variable.signed
        near = across or all(variable.scope is other.scope for other in self.tenants)
        return free and alike and near and variable.kind.width == self.width

    @property
    def signed(self) -> bool:
        return any(variable.signed for variable in self.tenants)


def place(program: Program, *, mixed: bool = True, across: bool = True) -> Placement:
    """Give every variable its columns, but for those that only pass through a step.

    `mixed`: what may be negative shares with what never is. That takes fewer columns, but more
    hidden units, as erasing then needs two.

    `across`: single variables share with those of nodes. Softmax leaves traces of what it erases,
    and outside of a variable's rows nothing rounds them: then they may not.
    """
    left_out = program.passing()
    stored = [v for v in program.variables if v not in left_out]
    always = set(range(2 * len(program.steps)))
    found = program.layers == "found"
    lives = lifetimes(program) if found else dict.fromkeys(stored, always)
    columns: list[Shared] = []
    for variable in sorted(stored, key=lambda v: -len(lives[v])):
        fitting = [
            each
            for each in columns
            if each.suits(variable, lives[variable], mixed=mixed, across=across)
        ]
        if fitting:
            chosen = min(fitting, key=lambda each: each.signed != variable.signed)
        else:
            free = columns[-1].first + columns[-1].width if columns else 0
            chosen = Shared(free, variable.kind.width)
            columns.append(chosen)
        chosen.tenants[variable] = lives[variable]
    crowded = [each for each in columns if len(each.tenants) > 1]
    return Placement(
        first={variable.name: each.first for each in columns for variable in each.tenants},
        signed=frozenset(
            each.first + i for each in crowded if each.signed for i in range(each.width)
        ),
        held={v.name: layers for each in crowded for v, layers in holders(program, each)},
        width=columns[-1].first + columns[-1].width,
    )


def lifetimes(program: Program) -> dict[Variable, set[int]]:
    """Variable → the moments after which its columns are its own."""
    uses = {variable: Uses(lasts=variable.start is not None) for variable in program.variables}
    for layer, at in enumerate(program.steps):
        for op in at.ops:
            attends = op.phase is Phase.ATTENTION
            late = [getattr(op, name) for name in op.late]
            for variable in op.reads():
                if attends:  # one that it updates and reads late is needed before it begins, too
                    uses[variable].reads.add(2 * layer)
                if not attends or variable in late:
                    uses[variable].reads.add(2 * layer + 1)
            uses[op.out].writes |= {2 * layer, 2 * layer + 1} if attends else {2 * layer + 1}
    end = 2 * len(program.steps)
    for variable in (program.halt, *program.outputs.values()):
        uses[variable].reads.add(end)
    return {variable: each.moments(end) for variable, each in uses.items()}


@dataclass
class Uses:
    """When a variable is written and read, in each iteration."""

    lasts: bool
    """Whether the next iteration may read what this one leaves."""
    writes: set[int] = field(default_factory=set[int])
    reads: set[int] = field(default_factory=set[int])

    def moments(self, end: int) -> set[int]:
        """Those after which it has just been written, or will be read before it is written again.

        They are gone through backwards, twice: what is read first when an iteration begins is
        needed when the one before it ends.
        """
        needed = self.lasts and not self.writes
        found: set[int] = set(self.writes)
        for _ in range(2 if self.lasts else 1):
            needed = needed or end in self.reads
            for moment in range(end - 1, -1, -1):
                if needed:
                    found.add(moment)
                if moment in self.reads:
                    needed = True
                elif moment in self.writes:
                    needed = False
        return found


def holders(program: Program, shared: Shared) -> Iterator[tuple[Variable, tuple[int, ...]]]:
    """Each tenant with the layers after which the columns hold it: where it was written last."""
    last = 2 * len(program.steps) - 1
    starting = (v for v, life in shared.tenants.items() if v.start is not None and last in life)
    owner = next(starting, None)
    found: dict[Variable, list[int]] = {variable: [] for variable in shared.tenants}
    if owner is not None:
        found[owner].append(BEGIN)
    for turn in range(2):  # what one iteration leaves is there until the next writes
        for layer, at in enumerate(program.steps):
            for variable in at.writes():
                owner = variable if variable in shared.tenants else owner
            if turn and owner is not None:
                found[owner].append(layer)
    return ((variable, tuple(layers)) for variable, layers in found.items())
