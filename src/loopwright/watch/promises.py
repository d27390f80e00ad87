"""What the author of a program promises of its numbers, looked at while it runs."""

from __future__ import annotations

from fractions import Fraction

from loopwright.errors import ProgramError
from loopwright.language.beyond import Beyond
from loopwright.language.meaning import State
from loopwright.language.program import Program, Step
from loopwright.model.demands import polynomial
from loopwright.model.layout import Kind, Scope
from loopwright.model.weights import Weights
from loopwright.runtime.extent import Extent
from loopwright.runtime.graph import Graph


class Promises:
    """`counts` and `values` of a program, as numbers on one graph."""

    def __init__(self, model: Weights, graph: Graph, rows: int, scale: Fraction) -> None:
        extent = Extent(model, graph, rows, scale, Fraction(0), None)
        demands = model.demands
        self.most: dict[Kind, Fraction] = {}
        if demands.counts:
            self.most[Kind.COUNT] = Fraction(polynomial(demands.counts, rows))
        if demands.paths:
            counted = self.most.get(Kind.COUNT, Fraction(1))
            self.most[Kind.VALUE] = max(extent.longest_path(), extent.edges, counted)

    def check(self, program: Program, at: Step, state: State) -> None:
        """Raise if a variable that the step wrote breaks its author's word.

        It is about variables that last. What an iteration makes of them meanwhile, such as the
        length of a path and one edge more, is bounded by the certificate.

        Raises:
            ProgramError: naming it. What is beyond every number is not meant.
        """
        for variable in at.writes():
            if variable.kind not in self.most or variable.start is None:
                continue
            most, held = self.most[variable.kind], state[variable.name]
            for number in held if variable.scope is Scope.NODES else [held]:
                if not isinstance(number, Beyond) and abs(number) > most:
                    raise ProgramError(
                        f"'{program.name}' step '{at.name}': '{variable}' is {number}, more than "
                        f"the {most} that its author promised ({variable.kind}s)."
                    )
