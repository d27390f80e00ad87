"""Program → layers under construction: columns, patterns and formulas, not yet matrices."""

from __future__ import annotations

from dataclasses import dataclass

from loopwright.compiler.assemble import MLP, TooDeep
from loopwright.compiler.attend import Biases, Patterns
from loopwright.compiler.columns import Placement, place
from loopwright.compiler.layer import LayerBuilder
from loopwright.compiler.lower import LOWERINGS
from loopwright.errors import ProgramError
from loopwright.language.op import Op
from loopwright.language.program import Program, Step
from loopwright.model.limits import Constants


@dataclass(frozen=True)
class Built:
    """The layers of a program, before they are matrices."""

    columns: Placement
    layers: list[LayerBuilder]
    mlps: list[MLP]

    @property
    def width(self) -> int:
        """As wide as X, or as the widest hidden level."""
        return max(self.columns.width, *(mlp.width for mlp in self.mlps))


def narrowest(program: Program, constants: Constants, *, across: bool = True) -> Built:
    """The layers of a program. Where hidden units make it wide, signed and unsigned variables had
    perhaps better not share columns."""
    built = build(program, constants, across=across)
    if built.width == built.columns.width or not built.columns.signed:
        return built
    other = build(program, constants, mixed=False, across=across)
    return min(built, other, key=lambda way: way.width)


def build(
    program: Program, constants: Constants, *, mixed: bool = True, across: bool = True
) -> Built:
    columns = place(program, mixed=mixed, across=across)
    layers = [lower(at, columns, constants) for at in program.steps]
    return Built(columns, layers, [layer.mlp() for layer in layers])


def lower(at: Step, columns: Placement, constants: Constants) -> LayerBuilder:
    """One step's attention and MLP, op by op.

    Raises:
        ProgramError: if an op nests more ReLUs than an MLP has, or has a number off the grid.
    """
    patterns = Patterns(Biases.among(columns.first), constants)
    layer = LayerBuilder(columns.first, patterns, columns.signed)
    for op in at.ops:
        layer.begin(op)
        try:
            LOWERINGS[type(op)](op, layer)
        except TooDeep as problem:
            remedy = remedy_for_depth(op, layer)
            raise ProgramError(f"step '{at.name}', '{op}': {problem}. {remedy}") from None
        except ProgramError as problem:
            raise ProgramError(f"step '{at.name}', '{op}': {problem}") from None
    return layer


def remedy_for_depth(op: Op, layer: LayerBuilder) -> str:
    """How to write an op whose formula is too deep: between two steps, values are plain columns."""
    inherited = [f"'{v}'" for v in dict.fromkeys(op.reads()) if v in layer.written]
    if inherited:
        return f"It builds on {', '.join(inherited)} of the same step: begin a new step with it."
    return "Set flags to parts of it in a step before, and build it from those."
