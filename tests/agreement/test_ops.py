"""Every op: one step of the weights is exactly what the op means."""

from __future__ import annotations

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import loopwright as lw
from loopwright.compiler.lower import LOWERINGS
from loopwright.errors import ProgramError
from loopwright.language import ops
from loopwright.language.meaning import ATTENDING, ROWWISE
from loopwright.language.op import Phase
from loopwright.language.variables import B_GLOBAL, nodes, single
from loopwright.language.variables import given as input_named
from loopwright.runtime.encode import encode
from loopwright.runtime.machines.reference import layer_output
from strategies import OP_USES, SMALL, Case, cases, one_step

FEW = settings(max_examples=max(8, settings.default.max_examples // 3))
names = {"ids": lambda op: op.__name__}


def check(case: Case, machine: str, attention: str = "hardmax") -> None:
    model = lw.compile(case.program, limits=case.limits, attention=attention)
    answer = lw.verify(model, case.graph, machine=machine, checked=False, **case.inputs)
    assert answer.iterations == 1


@pytest.mark.parametrize("op", ops.ALL, **names)
def test_is_complete(op):
    meanings = ATTENDING if op.phase is Phase.ATTENTION else ROWWISE
    assert op in meanings, "no meaning: add one to language/meaning.py"
    assert op in LOWERINGS, "no lowering: add one to compiler/lower/"
    assert op in OP_USES, "no strategy: add one to tests/strategies.py"
    for word in ("Why:", "Exact:", "Cost:"):
        assert word in (LOWERINGS[op].__doc__ or ""), f"its lowering's docstring lacks '{word}'"


def test_every_op_is_declared():
    """Python's classes know their subclasses, also those that were not declared as ops."""
    found, waiting = set(), [ops.Op, ops.Attending, ops.Choosing]
    while waiting:
        below = set(waiting.pop().__subclasses__()) - {ops.Attending, ops.Choosing}
        found |= below
        waiting += below
    assert found == set(ops.ALL)
    assert {op.__name__ for op in found} <= set(ops.__all__)


@pytest.mark.parametrize("op", ops.ALL, **names)
@given(data=st.data())
def test_weights_are_the_meaning(op, data):
    check(data.draw(cases(op)), "reference")


@pytest.mark.parametrize("machine", ["native", "torch"])
@pytest.mark.parametrize("op", ops.ALL, **names)
@settings(max_examples=5)
@given(data=st.data())
def test_weights_are_the_meaning_on_every_machine(op, machine, data):
    check(data.draw(cases(op)), machine)


@pytest.mark.parametrize("machine", ["reference", "native", "torch"])
@pytest.mark.parametrize("op", ops.ALL, **names)
@settings(max_examples=4)
@given(data=st.data())
def test_weights_are_the_meaning_under_softmax(op, machine, data):
    check(data.draw(cases(op, limits=(SMALL,))), machine, "softmax")


@pytest.mark.parametrize("op", ops.ALL, **names)
@FEW
@given(data=st.data())
def test_weights_are_the_meaning_in_rationals(op, data):
    check(data.draw(cases(op, max_nodes=4, limits=(SMALL,))), "exact")


@given(data=st.data())
def test_ops_of_one_step_leave_each_other_alone(data):
    """Heads and hidden units are shared, variables are not."""
    chosen = data.draw(st.lists(st.sampled_from(ops.ALL), min_size=2, max_size=5))
    check(data.draw(cases(*chosen)), "reference")


@pytest.mark.parametrize("read", [ops.ReadRow, ops.ReadColumn], **names)
@given(data=st.data())
def test_unweighted_edges_are_flags(read, data):
    case = data.draw(cases(read))
    flags = nodes.flag("flags", start=0)
    position = case.program.steps[0].ops[0].position
    program = one_step(read(flags, position), edges="ones")
    inputs = {position.name: case.inputs[position.name]}
    check(Case(program, case.graph, inputs, case.limits), "reference")


@pytest.mark.parametrize("op", [ops.LessThan, ops.LessOrEqual])
def test_fractions_that_meet_no_variable_are_compared_as_fractions(op):
    """Nothing here is a value, but ¼ is no whole number either: 0 and ¼ do not differ by 1."""
    for a, b in ((0, Fraction(1, 4)), (Fraction(1, 4), 0), (Fraction(1, 4), Fraction(1, 4))):
        program = one_step(op(nodes.flag("out", start=0), a, b))
        for machine in ("reference", "native", "torch", "exact"):
            check(Case(program, nx.empty_graph(2), {}, SMALL), machine)


# ── what only noise shows: lockstep starts from exact values, so X is disturbed by hand ──────────


def disturbed(program, graph, inputs, variable, by):
    """One layer on an X in which one variable has small errors, in its own rows."""
    model = lw.compile(program, limits=SMALL)
    problem = encode(model, lw.Graph.of(graph), inputs=inputs)
    x = problem.x.copy()
    field = model.layout[variable]
    rows = slice(1, None) if field.scope == "nodes" else slice(0, 1)
    x[rows, field.columns] += by
    a = np.zeros((problem.rows, problem.rows))
    a[problem.tails, problem.heads] = problem.weights
    after = layer_output(model, model.layers[0], x, a)
    return {f.name: after[:, f.columns] for f in model.layout.fields}


@given(
    flags=st.lists(st.integers(0, 1), min_size=1, max_size=8),
    error=st.floats(-0.249, 0.249),
)
def test_round_flag_removes_errors(flags, error):
    flag = nodes.flag("flag", input_named("flag"))
    graph = np.zeros((len(flags), len(flags)))
    after = disturbed(one_step(ops.RoundFlag(flag)), graph, {"flag": flags}, "flag", error)
    np.testing.assert_array_equal(after["flag"][:, 0], [0, *flags])


@pytest.mark.parametrize("at", range(9))
@pytest.mark.parametrize("drift", [-1, 1])
def test_one_hot_forgives_a_drifted_position(at, drift):
    position = single.position("position", input_named("at"))
    found = nodes.flag("found", start=0)
    program = one_step(ops.OneHot(found, position, B_GLOBAL))
    by = drift * float(SMALL.constants().tie_tolerance) / 8
    after = disturbed(program, np.zeros((8, 8)), {"at": at}, "position", by)
    np.testing.assert_array_equal(
        after["found"][:, 0], [float(i == at and i > 0) for i in range(9)]
    )


@pytest.mark.parametrize("machine", ["reference", "exact"])
def test_position_read_from_nowhere_is_nowhere(machine):
    column = nodes.position("column", input_named("column"))
    where = single.position("where", input_named("where"))
    program = one_step(ops.ReadX(single.position("out"), where, column))
    check(Case(program, nx.empty_graph(2), {"column": [2, 1], "where": 0}, SMALL), machine)


def test_mark_least_in_place_is_refused():
    """The MLP reads `unless` after the attention has cleared `out`: they cannot be one."""
    flag = nodes.flag("flag", input_named("flag"))
    least = ops.MarkLeast(flag, nodes.count("value", input_named("value")), unless=flag)
    with pytest.raises(ProgramError, match="'flag' is read to the end"):
        one_step(least)


quarters = st.integers(0, 20).map(lambda k: Fraction(k, 4))


@pytest.mark.parametrize("machine", ["reference", "exact"])
@FEW
@given(
    brought=quarters,
    rows=st.lists(st.tuples(quarters, st.integers(0, 1)), min_size=1, max_size=4),
)
def test_later_ops_of_a_step_see_earlier_ones(machine, brought, rows):
    """An MLP op reads what attention brought, and what the ops before it made."""
    one = single.value("brought", input_named("brought"))
    a, b = nodes.value("a", 0), nodes.value("b", input_named("b"))
    less, mark = nodes.flag("less", 0), nodes.flag("mark", input_named("mark"))
    program = one_step(
        ops.Repeat(a, one),
        ops.Add(a, a, b),
        ops.LessThan(less, a, Fraction(9, 4)),
        ops.Set(less, ~less),
        ops.Set(mark, less & mark),
    )
    values, marks = zip(*rows, strict=True)
    inputs = {"brought": brought, "b": list(values), "mark": list(marks)}
    check(Case(program, nx.empty_graph(len(rows)), inputs, SMALL), machine)
