"""The paper's minimum: one node an iteration, beside whatever else the loop does. [P Alg. 2]"""

from __future__ import annotations

from dataclasses import dataclass, field

from loopwright.language.ops import (
    AllOne,
    Copy,
    Increment,
    LessThan,
    Op,
    ReadX,
    Set,
    Where,
    WriteRow,
)
from loopwright.language.program import Step, step
from loopwright.language.variables import (
    B_GLOBAL,
    MASK,
    NOWHERE,
    OWN_INDEX,
    Named,
    Variable,
    nodes,
    single,
)
from loopwright.model.layout import Scope


@dataclass(frozen=True)
class Minimum:
    """Scans `of` from the first node to the last; every n iterations `done` is set for one.

    Then `position` and `index` name the first node with the least value, and `value` is it. Values
    of at least `MASK` are never chosen: then the position is nowhere. Every one of `along` (a
    variable with an entry for each node) is looked up there, too.
    """

    of: Variable
    along: tuple[Variable, ...] = ()

    done: Variable = field(default=single.flag("term_min", start=0), init=False)
    done_n: Variable = field(default=nodes.flag("term_min_n", start=0), init=False)
    """`done` of the iteration before, at every node: the caller repeats it, in any step."""
    position: Variable = field(default=single.position("idx_best", start=NOWHERE), init=False)
    index: Variable = field(default=single.index("idx_best_int", start=0), init=False)

    @property
    def value(self) -> Variable:
        return self._like("val_best", MASK)

    def of_best(self, variable: Variable) -> Variable:
        """What `along` found for one of its variables."""
        return Variable(
            f"{variable.name}_best", variable.kind, Scope.SINGLE, 0, signed=variable.signed
        )

    def _like(self, name: str, start: Named | None = None) -> Variable:
        return Variable(name, self.of.kind, Scope.SINGLE, start, signed=self.of.signed)

    def steps(self, first: int) -> tuple[Step, ...]:
        """Seven steps, numbered from `first`."""
        position = single.position("idx_cur", start=NOWHERE)
        index = single.index("idx_cur_int")
        value = self._like("val_cur")
        better = single.flag("condition")
        seen = nodes.flag("visit_min", start=0)
        looked_up = [
            (v, Variable(f"{v.name}_cur", v.kind, Scope.SINGLE, signed=v.signed), self.of_best(v))
            for v in self.along
        ]

        def reset(variable: Variable, to: Named | int) -> Op:
            return Where(variable, self.done, to, variable)

        return (
            step(
                "re-initialise minimum",
                reset(position, NOWHERE),
                reset(self.position, NOWHERE),
                reset(self.index, 0),
                reset(self.value, MASK),
                Set(seen, seen & ~self.done_n),
                Copy(self.done, 0),
                paper=first,
            ),
            step("increment position", Increment(position, position), paper=first + 1),
            step(
                "read value",
                ReadX(value, position, self.of),
                ReadX(index, position, OWN_INDEX),
                *(ReadX(current, position, column) for column, current, _ in looked_up),
                paper=first + 2,
            ),
            step("compare values", LessThan(better, value, self.value), paper=first + 3),
            step(
                "update minimum",
                Where(self.value, better, value, self.value),
                Where(self.position, better, position, self.position),
                Where(self.index, better, index, self.index),
                *(Where(best, better, current, best) for _, current, best in looked_up),
                paper=first + 4,
            ),
            step("visit position", WriteRow(seen, position, B_GLOBAL), paper=first + 5),
            step("minimum is found", AllOne(self.done, seen), paper=first + 6),
        )
