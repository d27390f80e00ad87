"""A layer under construction → which op each head and each hidden unit of it serves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from loopwright.compiler.assemble import LEVELS, MLP
from loopwright.compiler.attend import EDGE
from loopwright.compiler.layer import LayerBuilder
from loopwright.compiler.linear import Atom, Relu
from loopwright.language.op import Phase
from loopwright.language.program import Step
from loopwright.language.variables import B_GLOBAL, B_LOCAL, POSITIONS, Variable
from loopwright.model.provenance import Move, Parts, Unit


def parts_of(at: Step, layer: LayerBuilder, mlp: MLP) -> Parts:
    """What the heads of a step move, and what its hidden units hold."""
    before, after = names_of_columns(at, layer.columns)
    before[EDGE] = "A"
    heads = tuple(
        tuple(
            Move(op, before.get(source, f"x{source}"), after.get(target, f"x{target}"), clears)
            for op, source, target, clears in moves
        )
        for moves in layer.attention.moves()
    )
    return Parts(heads, units_of(layer, mlp, after))


def names_of_columns(at: Step, columns: Mapping[str, int]) -> tuple[dict[int, str], dict[int, str]]:
    """Column → the variable that this step finds there, when it begins and after its attention."""
    attending = [op for op in at.ops if op.phase is Phase.ATTENTION]
    others = [op for op in at.ops if op.phase is Phase.MLP]
    named_late = (getattr(op, name) for op in attending for name in op.late)
    late = [operand for operand in named_late if isinstance(operand, Variable)]

    def named(variables: Iterable[Variable]) -> dict[int, str]:
        found: dict[int, str] = {}
        for variable in variables:
            for i in range(variable.kind.width if variable.name in columns else 0):
                tail = "" if variable.kind.width == 1 else f"[{i}]"
                found.setdefault(columns[variable.name] + i, variable.name + tail)
        return found

    constant = (B_GLOBAL, B_LOCAL, POSITIONS)
    reads = [v for op in attending for v in op.reads()]
    brought = [op.out for op in attending]
    later = [v for op in others for v in op.reads()]
    written = [op.out for op in others]
    return (
        named([*constant, *reads, *brought, *written]),
        named([*constant, *brought, *late, *later, *reads, *written]),
    )


def units_of(
    layer: LayerBuilder, mlp: MLP, names: Mapping[int, str]
) -> tuple[tuple[Unit, ...], ...]:
    """The hidden units of each level, with what reaches W⁴ from them."""
    targets = {
        layer.column(variable, i): variable
        for variable in layer.written
        if variable.name in layer.columns
        for i in range(variable.kind.width)
    }
    writes: list[dict[int, set[int]]] = [{} for _ in range(LEVELS + 1)]
    erases: list[dict[int, set[int]]] = [{} for _ in range(LEVELS + 1)]
    for unit, target in mlp.written:
        writes[LEVELS].setdefault(unit, set()).add(target)
    for unit, target in mlp.erased:
        erases[LEVELS].setdefault(unit, set()).add(target)
    matrices = mlp.matrices()
    for level in range(LEVELS - 1, 0, -1):
        for below, above in matrices[level]:
            for reached in (writes, erases):
                reached[level].setdefault(below, set()).update(reached[level + 1].get(above, ()))

    def described(level: int, relu: Relu, index: int) -> Unit:
        new, old = (sorted(reached[level].get(index, ())) for reached in (writes, erases))
        made = layer.made.get(relu) or layer.wrote[targets[(new or old)[0]]]
        return Unit(made, called(relu), named(new), named(old))

    @cache
    def called(atom: Atom) -> str:
        """With variables in the place of columns; formulas have most of their parts in common."""
        if isinstance(atom, Relu):
            return f"relu({atom.of.text(called)})"
        return names.get(atom.index, str(atom))

    def named(columns: Iterable[int]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(targets[column].name for column in columns))

    return tuple(
        tuple(described(level, relu, index) for relu, index in mlp.units[level].items())
        for level in range(1, LEVELS + 1)
    )
