"""Ω or ε → if-else or less-than as a compiled one-step program, and inputs to look at it with.

The programs go through the compiler like any other; Ω and ε enter by `Limits`. With `paper`, the
step has the matrices that the paper prints (`printed`) in place of ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from torch import Tensor

from loopwright.compiler.compile import compile
from loopwright.lab.experiments.printed import as_printed
from loopwright.language.ops import Copy, LessThan, Where
from loopwright.language.program import Program, Step, step
from loopwright.language.variables import given, nodes, single
from loopwright.model.limits import Limits
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Problem, encode
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines.torch import MLP, LoopedTransformer, collate

QUARTERS = tuple(Fraction(k, 4) for k in (-3, -2, -1, 1, 2, 3))
"""Shares of Ω at which if-else has no kink: it has some at 0 and ±1."""

COARSE = Limits(nodes=1, largest=1, resolution=Fraction(1, 2**10))
"""The limits for whichever of ε and Ω is not varied."""


@dataclass(frozen=True, eq=False)
class Specimen:
    """One primitive as it runs: a model, the MLP of its layer, and the rows that this MLP sees."""

    model: Weights
    problem: Problem
    mlp: MLP
    x: Tensor
    """Those rows, (rows, d); row 0, where the primitive does nothing, is left out."""


def if_else(omega: Fraction, *, paper: bool, inputs_within: Fraction | None = None) -> Specimen:
    """out ← c₁ if γ else c₀, for clauses of either sign. [P §6.2, Eq. if_else]

    Inputs: c₀ and c₁ run through ±¼, ±½, ±¾ of Ω (or of `inputs_within`), γ through 0 and 1, and
    the old content of `out` through two values, so that erasing it is seen as well: 144 rows.
    """
    c1, c0 = (nodes.value(name, start=given(name), signed=True) for name in ("c1", "c0"))
    gamma = nodes.flag("gamma", start=given("gamma"))
    out = nodes.value("out", start=given("old"), signed=True)
    program = one_step(step("if-else", Where(out, gamma, c1, c0)))
    scale = omega if inputs_within is None else inputs_within
    rows = [
        {"c1": scale * then, "c0": scale * otherwise, "gamma": flag, "old": scale * old}
        for then in QUARTERS
        for otherwise in QUARTERS
        for flag in (0, 1)
        for old in (Fraction(1, 4), Fraction(-1, 2))
    ]
    constants = replace(COARSE.constants(), nodes=len(rows), omega=omega)
    model = compile(program, limits=constants)
    return specimen(as_printed(model, "if-else") if paper else model, rows)


def less_than(epsilon: Fraction, *, paper: bool) -> Specimen:
    """out ← c < d. [P §5.2, Eq. less_than]

    Inputs: c runs through ±½ and ±1, d − c through −1, −½, −ε, 2ε, ½, 1 and, where the
    construction's output lies between 0 and 1, through ¼ε, ½ε, ¾ε; the old content of `out`
    through ½ and 1. All are off the kinks of the first level, 0 and ε.
    """
    c, d = (nodes.value(name, start=given(name), signed=True) for name in ("c", "d"))
    out = nodes.flag("out", start=given("old"))
    program = one_step(step("less-than", LessThan(out, c, d)))
    half, one = Fraction(1, 2), Fraction(1)
    ramp = [k * epsilon / 4 for k in (1, 2, 3)]
    gaps = [-one, -half, -epsilon, 2 * epsilon, half, one, *ramp]
    rows = [
        {"c": left, "d": left + gap, "old": old}
        for left in (-one, -half, half, one)
        for gap in gaps
        for old in (half, one)
    ]
    constants = replace(COARSE.constants(), nodes=len(rows), omega=Fraction(8), resolution=epsilon)
    model = compile(program, limits=constants)
    return specimen(as_printed(model, "less-than") if paper else model, rows)


def one_step(at: Step) -> Program:
    """A program of this step, and one that halts: so it has the layer's MLP to itself."""
    (op,) = at.ops
    term = single.flag("term")
    return Program(
        name=at.name,
        steps=(at, step("halt", Copy(term, 1))),
        outputs={"out": op.out},
        halt=term,
        bound=(1,),
    )


def specimen(model: Weights, rows: Sequence[Mapping[str, Fraction | int]]) -> Specimen:
    """The rows as nodes of a graph without edges: what encoding would hand to the model.

    An old flag of ½ is no flag, so the old content is put in afterwards.
    """
    graph = Graph.from_edges([], nodes=range(len(rows)))
    given_names = [name for name in rows[0] if name != "old"]
    inputs = {name: [row[name] for row in rows] for name in given_names}
    problem = encode(model, graph, inputs=inputs, checked=False)
    problem.x[1:, model.layout["out"].first] = [float(row["old"]) for row in rows]
    mlp = LoopedTransformer.from_model(model).layer(model.layers[0].name).mlp
    return Specimen(model, problem, mlp, collate([problem]).x[0, 1:])
