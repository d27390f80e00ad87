"""The paper's minimum: one node an iteration, beside whatever else the loop does. [P Alg. 2]"""

from __future__ import annotations

from dataclasses import dataclass, field

from loopwright.errors import ProgramError
from loopwright.language import (
    B_GLOBAL,
    MASK,
    NOWHERE,
    OWN_INDEX,
    Named,
    Scope,
    Step,
    Variable,
    nodes,
    ops,
    single,
    step,
)


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
    """`done` of the iteration before, at every node: a step of `then` must repeat it."""
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

    def then(self, first: int, *rest: Step) -> tuple[Step, ...]:
        """Seven steps, numbered from `first`, and the rest of the loop, which uses what they find.

        Raises:
            ProgramError: unless the rest repeats `done` as `done_n`: without it the minimum would
                start over at no node, and the loop would never end.
        """
        if not any(op.out == self.done_n for at in rest for op in at.ops):
            raise ProgramError(
                f"no step after the minimum repeats '{self.done}' as '{self.done_n}'."
            )
        return (*self._steps(first), *rest)

    def _steps(self, first: int) -> tuple[Step, ...]:
        position = single.position("idx_cur", start=NOWHERE)
        index = single.index("idx_cur_int")
        value = self._like("val_cur")
        better = single.flag("condition")
        seen = nodes.flag("visit_min", start=0)
        looked_up = [
            (v, Variable(f"{v.name}_cur", v.kind, Scope.SINGLE, signed=v.signed), self.of_best(v))
            for v in self.along
        ]

        def reset(variable: Variable, to: Named | int) -> ops.Op:
            return ops.Where(variable, self.done, to, variable)

        return (
            step(
                "re-initialise minimum",
                reset(position, NOWHERE),
                reset(self.position, NOWHERE),
                reset(self.index, 0),
                reset(self.value, MASK),
                *(reset(best, 0) for _, _, best in looked_up),
                ops.Set(seen, seen & ~self.done_n),
                ops.Copy(self.done, 0),
                paper=first,
            ),
            step("increment position", ops.Increment(position, position), paper=first + 1),
            step(
                "read value",
                ops.ReadX(value, position, self.of),
                ops.ReadX(index, position, OWN_INDEX),
                *(ops.ReadX(current, position, column) for column, current, _ in looked_up),
                paper=first + 2,
            ),
            step("compare values", ops.LessThan(better, value, self.value), paper=first + 3),
            step(
                "update minimum",
                ops.Where(self.value, better, value, self.value),
                ops.Where(self.position, better, position, self.position),
                ops.Where(self.index, better, index, self.index),
                *(ops.Where(best, better, current, best) for _, current, best in looked_up),
                paper=first + 4,
            ),
            step("visit position", ops.WriteRow(seen, position, B_GLOBAL), paper=first + 5),
            step("minimum is found", ops.AllOne(self.done, seen), paper=first + 6),
        )
