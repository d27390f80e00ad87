"""A step with the paper's own matrices, where the compiler has others for the same function.

Our less-than and our if-else are the paper's functions in another layout (`docs/departures.md`).
How hard a function is to learn depends on the layout, so the experiments also measure what the
paper prints. Its formulas go through the same assembler, and are put in place of ours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from loopwright.compiler.build import lower
from loopwright.compiler.columns import place
from loopwright.compiler.compile import Rounding
from loopwright.compiler.layer import LayerBuilder
from loopwright.compiler.linear import Linear, relu
from loopwright.language.ops import LessThan, Where
from loopwright.language.program import Program
from loopwright.language.serial import from_json
from loopwright.model.layout import Scope
from loopwright.model.weights import Weights


def less_than(op: LessThan, layer: LayerBuilder) -> None:
    """out ← 1 if a < b else 0                                            [P §5.2, Eq. less_than]

        out = relu(ε⁻¹ relu(b − a) − ε⁻¹ relu(b − a − ε))

    The outer ReLU changes nothing, as in the paper: it makes W² subtract, before W³ carries.
    """
    scope = op.out.scope
    (a,), (b,) = layer.forms(op.a, scope), layer.forms(op.b, scope)
    epsilon, one = layer.resolution(op.a, op.b), layer.one(scope)
    steep = relu(b - a), relu(b - a - epsilon * one)
    layer.write(op.out, relu(1 / epsilon * steep[0] - 1 / epsilon * steep[1]))


def if_else(op: Where, layer: LayerBuilder) -> None:
    """out ← then if condition else otherwise                     [P App. C.1.1, Eq. if_else_appdx]

        out = ±relu(relu(±otherwise) − Ωc) ± relu(relu(±then) − Ω(1 − c))

    W¹ is the identity, W² holds Ω, W³ sums, W⁴ writes. The inner ReLU is that of W¹: a clause that
    may be negative needs the twin that the paper leaves out for simplicity, "inverting the signs
    of the inputs". The bias is B_global + B_local, 1 in every row, as printed. (The pair (E, S₁) of
    the printed W⁴ is read as (S₁, E), from the scratchpad to the target.)
    """
    one = layer.one(Scope.SINGLE) + layer.one(Scope.NODES)
    (c,) = layer.forms(op.condition, op.out.scope)
    wall = layer.bound(op.out)
    pairs = zip(layer.like(op.out, op.then), layer.like(op.out, op.otherwise), strict=True)

    def behind(clause: Linear, closed: Linear) -> Linear:
        passed = relu(relu(clause) - wall * closed) if clause.terms else Linear.zero()
        return passed if clause.nonnegative else passed - relu(relu(-clause) - wall * closed)

    layer.write(op.out, *(behind(b, closed=c) + behind(a, closed=one - c) for a, b in pairs))


PRINTED: dict[type, Callable[[Any, LayerBuilder], None]] = {LessThan: less_than, Where: if_else}


def as_printed(model: Weights, name: str) -> Weights:
    """The model with one of its steps as the paper prints it; comparisons and selections alone."""
    program: Program = from_json(dict(model.program))
    index = [layer.name for layer in model.layers].index(name)
    at = program.steps[index]
    layer = lower(replace(at, ops=()), place(program), model.constants)
    for op in at.ops:
        assert type(op) in PRINTED, f"step '{name}' does more than compare and select"
        PRINTED[type(op)](op, layer)
    d = model.width
    w1, w2, w3, w4 = (Rounding().dense(entries, d, d) for entries in layer.mlp().matrices())
    layers = list(model.layers)
    layers[index] = replace(layers[index], mlp=(w1, w2, w3, w4))
    return replace(model, layers=tuple(layers))
