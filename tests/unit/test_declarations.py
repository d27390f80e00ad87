"""What users declare is checked as they declare it, with what to write instead."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import loopwright as lw
from loopwright.errors import CapacityError, GraphError, LoopwrightError, ProgramError
from loopwright.lab.clrs.score import score
from loopwright.lab.clrs.tasks import TASKS
from loopwright.language.variables import Named, Variable
from loopwright.model.layout import Kind, Scope
from loopwright.runtime.many import run_many
from loopwright.watch.interpret import interpret

a, b, c = (lw.nodes.flag(name, start=0) for name in "abc")
value = lw.nodes.value("value", start=0)
term = lw.single.flag("term")
DIJKSTRA = lw.algorithms.dijkstra("compact")
MODEL = lw.compile(DIJKSTRA)
PATH = [("a", "b", 2), ("b", "c", 1)]


def make(*ops, **changes):
    """A program of one step that halts at once, with these ops before that."""
    end = lw.step("end", lw.ops.AllOne(term, lw.B_LOCAL))
    options = {"outputs": {"value": value}, "halt": term, "bound": (1,), "name": "toy"}
    steps = (lw.step("begin", lw.ops.Copy(value, 0), *ops), end)
    return lw.Program(**{"steps": steps} | options | changes)


# ── variables ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (lambda: lw.nodes.value("v", start=-3), "'v': start=-3: it is unsigned; .*signed=True"),
        (lambda: lw.nodes.count("k", at_source=-1), "at_source=-1: it is unsigned"),
        (lambda: lw.single.value("v", at_source=0), "at_source is for numbers and flags that ever"),
        (lambda: lw.nodes.value("v", start="foo"), r"start='foo': .*or given\('foo'\)"),
        (lambda: lw.nodes.value("v", at_source="own"), "at_source='own' must be a number"),
        (lambda: lw.nodes.value("v", start=0.5), "start=0.5: must be a whole number, a Fraction"),
        (lambda: lw.nodes.value("v", start=float("nan")), "start=nan: must be a whole number"),
        (lambda: lw.nodes.count("k", start=Fraction(1, 2)), "start=1/2: a count is a whole number"),
        (lambda: lw.nodes.flag("f", start=2), "start=2: of kind flag, it starts at 0 or 1"),
        (lambda: lw.nodes.flag("f", start=lw.OWN), "only numbers and positions of nodes"),
        (lambda: lw.single.index("i", start=lw.OWN), "only numbers and positions of nodes"),
        (lambda: lw.nodes.index("i", start=7), "start=7: of kind index, it starts at 0 or 1"),
        (
            lambda: lw.nodes.index("i", start=lw.UNREACHED),
            "only values and counts are large enough",
        ),
        (lambda: lw.nodes.value("v", signed="yes"), "signed must be True or False"),
        (
            lambda: Variable("f", Kind.FLAG, Scope.NODES, signed=True),
            "flags, indices and squares are never negative",
        ),
        (
            lambda: Variable("p", Kind.POSITION, Scope.NODES),
            "may be negative: declare it with signed=True",
        ),
        (lambda: Variable("f", "flags", Scope.NODES), "no kind 'flags' for 'f'; did you mean 'fl"),
        (lambda: Variable("f", Kind.FLAG, "node"), "no scope 'node' for 'f'; did you mean 'nodes'"),
        (lambda: lw.nodes.flag(3), "the name 3 of a variable must be text"),
        (lambda: lw.nodes.flag(""), "must be text"),
        (lambda: lw.nodes.flag("a\nb"), "printed on one line"),
        (lambda: lw.given(None), "the name None of an input must be text"),
        (lambda: Named("masks"), "no constant 'masks'; did you mean 'mask'"),
    ],
)
def test_variables(declare, message):
    with pytest.raises(ProgramError, match=message):
        declare()


def test_sound_variables_are_as_they_were_declared():
    assert lw.nodes.value("v", start=-3, signed=True).start == -3
    assert lw.nodes.value("v", start=Fraction(-1, 2), signed=True, at_source=lw.MASK).start < 0
    assert type(lw.nodes.count("k", start=np.int64(3)).start) is int
    assert lw.nodes.flag("f", start=True) == lw.nodes.flag("f", start=1)
    assert type(lw.nodes.flag("f", start=True).start) is int
    assert Variable("f", "flag", "nodes").kind is Kind.FLAG
    assert lw.single.position("p", start=1).start == 1


# ── formulas ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "write",
    [
        lambda: lw.ops.Set(c, a and b),
        lambda: lw.ops.Set(c, a or b),
        lambda: lw.ops.Set(c, not a),
        lambda: lw.ops.Set(c, (a & b) and c),
        lambda: bool(~a),
        lambda: 0 if a | b else 1,
    ],
)
def test_a_formula_is_no_truth_value(write):
    with pytest.raises(ProgramError, match=r"use &, \| and ~ in the place of and, or and not"):
        write()


@pytest.mark.parametrize(
    "write",
    [
        lambda: a & 1,
        lambda: 1 & a,
        lambda: a | None,
        lambda: True | a,
        lambda: (a & b) & 0,
        lambda: (a | b) | "c",
        lambda: ~a & lw.UNREACHED,
    ],
)
def test_only_flags_are_joined(write):
    with pytest.raises(ProgramError, match=r"only flags can be joined; .* ops\.Equal"):
        write()


@pytest.mark.parametrize("truth", [a == b, a != b, a in (a, b)])
def test_python_compares_declarations_not_values(truth):
    for op in (lw.ops.Set(c, truth), lw.ops.Copy(value, truth)):
        with pytest.raises(ProgramError, match=r"a truth value of Python: join flags by &.*Equal"):
            make(op)


def test_variables_are_still_compared_and_hashed():
    assert {a: 1}[lw.nodes.flag("a", start=0)] == 1
    assert (a == b, a in [b, a], {a, b} - {a}) == (False, True, {b})
    assert make(lw.ops.Set(c, a & ~b | c)) == make(lw.ops.Set(c, a & ~b | c))


# ── programs ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"edges": "weight"}, "no edges option 'weight' for 'toy'; did you mean 'weights'"),
        ({"source": "require"}, "no source option 'require' for 'toy'; did you mean 'required'"),
        ({"source": None}, "no source option 'None'"),
        ({"bound": 5}, r"bound is 5, but must be whole numbers, .* \(1, 2\) is 1 \+ 2n"),
        ({"bound": (1.5,)}, "bound is"),
        ({"bound": (-1, 2)}, "bound is"),
        ({"bound": (True,)}, "bound is"),
        ({"bound": (2**60,)}, "bound is"),
        ({"bound": (0, 0)}, "bound is 0"),
        ({"counts": "n"}, "counts is n, but must be whole numbers"),
        ({"name": None}, "the name None of a program"),
        ({"construction": 1}, "the name 1 of a construction"),
        ({"outputs": value}, "outputs is value, but must be a mapping"),
        (
            {"outputs": {"v": "value"}},
            "outputs is .* but must be a mapping from names to variables",
        ),
        ({"outputs": {1: value}}, "the name 1 of an output"),
        ({"outputs": {"where": lw.nodes.position("P")}}, "unknown variable"),
        ({"halt": "term"}, "halt is term, but must be a variable"),
        ({"steps": [1]}, "steps is .* but must be a tuple of steps"),
        ({"steps": (lw.ops.Copy(value, 0),)}, "steps is .* but must be a tuple of steps"),
    ],
)
def test_programs(changes, message):
    with pytest.raises(ProgramError, match=message):
        make(**changes)


def test_a_position_is_no_output():
    where = lw.nodes.position("where", start=lw.OWN)
    with pytest.raises(
        ProgramError, match=r"output 'at' is a position, .* keep an index beside it"
    ):
        make(lw.ops.Copy(where, where), outputs={"at": where})


def test_at_source_needs_a_source():
    start = lw.nodes.flag("start", start=0, at_source=1)
    with pytest.raises(ProgramError, match=r"'start' has at_source, .* source='required'"):
        make(lw.ops.Set(a, start))
    assert make(lw.ops.Set(a, start), source="required")


@pytest.mark.parametrize("ops", [("Copy",), ([lw.ops.Copy(value, 0)],), (None,)])
def test_steps_hold_ops(ops):
    with pytest.raises(ProgramError, match=r"step 'x': .* is no op; a step is step"):
        lw.step("x", *ops)


def test_a_step_that_writes_no_variable():
    with pytest.raises(ProgramError, match="'value' cannot be written: it is no variable"):
        make(lw.ops.Copy("value", 0))


@pytest.mark.parametrize("machine", ["interpreter", "reference", "exact"])
def test_at_source_replaces_any_start(machine):
    """Also one that is each node's own, or given."""
    own = lw.nodes.count("own", start=lw.OWN, at_source=0)
    said = lw.nodes.value("said", start=lw.given("said"), at_source=9)
    program = make(
        lw.ops.Copy(own, own),
        lw.ops.Copy(said, said),
        outputs={"own": own, "said": said},
        source="required",
        counts=(9, 1),
    )
    options = {"source": "b", "said": [4, 5, 0]}
    if machine == "interpreter":
        found = interpret(program, PATH, **options)
    else:
        found = lw.verify(lw.compile(program), PATH, machine=machine, **options)
    assert found.own == {"a": 1, "b": 0, "c": 3}
    assert found.said == {"a": 4, "b": 9, "c": 0}


# ── choices and numbers of limits and runs ──────────────────────────────────────────────────────


def test_unknown_choices():
    with pytest.raises(LoopwrightError, match="no attention 'Softmax'; did you mean 'softmax'"):
        lw.compile(DIJKSTRA, attention="Softmax")
    for machine in ("gpu", "Native", None, ["native"]):
        for refuse in (MODEL.run, MODEL.check):
            options = {"source": "a"} if refuse == MODEL.run else {}
            with pytest.raises(LoopwrightError, match="no machine"):
                refuse(PATH, machine=machine, **options)
    with pytest.raises(LoopwrightError, match="no machine 'gpu'; there are: reference"):
        score(lw.compile(lw.algorithms.bfs()), TASKS[0], "test", machine="gpu", most=1)
    with pytest.raises(LoopwrightError, match="no construction 'papers' for 'bfs'; did you mean"):
        lw.algorithms.bfs("papers")


@pytest.mark.parametrize("name", ["largest", "resolution", "omega", "half_tangent", "temperature"])
@pytest.mark.parametrize(
    "number",
    [0, -1, -0.5, float("nan"), float("inf"), True, "1/2", [1], 10**400, Fraction(1, 10**400)],
)
def test_numbers_of_limits(name, number):
    with pytest.raises(CapacityError, match=rf"Limits\({name}=.*\): must be a positive number"):
        lw.Limits(**{name: number})


@pytest.mark.parametrize("nodes", [0, -1, 2.0, True, "5", None, float("nan")])
def test_nodes_of_limits(nodes):
    with pytest.raises(CapacityError, match=r"nodes=.*: must be a whole number, from 1 to"):
        lw.Limits(nodes=nodes)


def test_limits_may_be_floats():
    """As their own message recommends: 2**-20."""
    floats = lw.Limits(nodes=np.int64(5), largest=64.0, resolution=2**-20, temperature=1e-7)
    exact = lw.Limits(
        nodes=5, largest=64, resolution=Fraction(1, 2**20), temperature=Fraction(1e-7)
    )
    assert floats == exact
    assert floats.constants() == exact.constants()
    assert replace(floats, nodes=6).constants().nodes == 6
    with pytest.raises(CapacityError, match="no dtype 'float46'; did you mean 'float64'"):
        lw.Limits(dtype="float46")
    with pytest.raises(CapacityError, match="must be a power of two up to 1"):
        lw.Limits(resolution=0.1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_iterations": 0}, "max_iterations=0: must be a whole number, at least 1"),
        ({"max_iterations": 2.5}, "max_iterations=2.5"),
        ({"max_iterations": "5"}, "max_iterations=5"),
        ({"rows": 0}, "rows=0: must be a whole number, at least 3"),
        ({"rows": 2}, "rows=2: must be a whole number, at least 3"),
        ({"rows": True}, "rows=True"),
        ({"scale": 0}, "scale=0: must be a positive number"),
        ({"scale": -2}, "scale=-2"),
        ({"scale": float("nan")}, "scale=nan"),
        ({"scale": "2"}, "scale=2: must be"),
        ({"speed": 2}, "no input 'speed' for 'dijkstra'; there are: none"),
    ],
)
def test_numbers_of_runs(options, message):
    with pytest.raises(LoopwrightError, match=message):
        MODEL.run(PATH, source="a", **options)
    with pytest.raises(LoopwrightError, match=message):
        lw.verify(MODEL, PATH, source="a", **options)


@pytest.mark.parametrize("options", [{"max_iterations": 0}, {"speed": 2}])
def test_numbers_of_interpretation(options):
    with pytest.raises(LoopwrightError, match=r"max_iterations=0|no input 'speed'"):
        interpret(DIJKSTRA, PATH, source="a", **options)


def test_workers():
    with pytest.raises(LoopwrightError, match="workers=0"):
        list(run_many(MODEL, [PATH], sources=["a"], workers=0))


def test_a_unit_that_matters_is_kept():
    """Hops are counted in ones; in another unit they would come back divided by it."""
    hops = make(lw.ops.Add(value, value, 1))
    with pytest.raises(GraphError, match="scale=2: 'toy' has numbers beside the weights"):
        lw.compile(hops).run(PATH, scale=2)
    assert lw.compile(hops).run(PATH, scale=1).value["a"] == 1
    assert MODEL.run(PATH, source="a", scale=0.5).dists == {"a": 0, "b": 2, "c": 3}


@pytest.mark.parametrize("machine", ["native", "exact", "interpreter"])
def test_unsigned_inputs(machine):
    def program(*, signed):
        said = lw.nodes.value("said", start=lw.given("said"), signed=signed)
        return make(lw.ops.Copy(said, said), outputs={"said": said})

    def answer(given, *, signed):
        if machine == "interpreter":
            return interpret(program(signed=signed), PATH, said=given).said
        return lw.compile(program(signed=signed)).run(PATH, machine=machine, said=given).said

    assert answer([-3, 1, 0], signed=True) == {"a": -3, "b": 1, "c": 0}
    assert answer([3, 1, 0], signed=False) == {"a": 3, "b": 1, "c": 0}
    with pytest.raises(GraphError, match="input 'said': -3 is negative, but 'said' is unsigned"):
        answer([1, -3, 0], signed=False)


def test_a_saved_model_knows_what_is_unsigned(tmp_path):
    said = lw.nodes.value("said", start=lw.given("said"))
    model = lw.compile(make(lw.ops.Copy(said, said), outputs={"said": said}))
    model.save(tmp_path / "model")
    with pytest.raises(GraphError, match="'said' is unsigned"):
        lw.load(tmp_path / "model").run(PATH, said=-3)


@pytest.mark.parametrize(
    "compute",
    [lambda x: x - 1, lambda x: 1 + x, lambda x: x * 2, lambda x: -x, lambda x: x + x],
)
def test_no_arithmetic_on_what_is_beyond_every_number(compute):
    with pytest.raises(lw.LoopwrightError, match="compute with a variable, as x - UNREACHED"):
        compute(lw.UNREACHED)
