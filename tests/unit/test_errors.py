"""A mistake in a call is a LoopwrightError that says what, where and the remedy."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise, product

import pytest

import loopwright as lw
from loopwright import ops
from loopwright.compiler.pack import pack
from loopwright.errors import CapacityError, GraphError, ProgramError, TraceError

A, HALT = lw.nodes.count("a", start=1), lw.single.flag("halt")
STEP = lw.step("one", ops.Add(A, A, 1), ops.Copy(HALT, 1))
EDGES = [("x", "y", 2)]


def program(**parts):
    """One iteration that adds 1, or the same with other parts."""
    whole = {"name": "toy", "steps": (STEP,), "outputs": {"a": A}, "halt": HALT, "bound": (1,)}
    return lw.Program(**whole | parts)


def test_the_program_is_sound():
    assert lw.interpret(program(), EDGES).a == {"x": 2, "y": 2}


# ── steps and programs ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "op",
    ["Add", ops.Add, None, [ops.Copy(HALT, 1)], A, STEP],
    ids=["a text", "a class", "nothing", "a list", "a variable", "a step"],
)
def test_a_step_takes_ops(op):
    with pytest.raises(ProgramError, match=r"^step 'one': .* is no op; a step is step\('name', op"):
        lw.step("one", ops.Add(A, A, 1), op)


def test_a_step_begins_with_its_name():
    with pytest.raises(ProgramError, match=r"the name .* of a step must be text"):
        lw.step(ops.Add(A, A, 1), ops.Copy(HALT, 1))


def test_the_number_of_a_step_in_the_paper():
    with pytest.raises(ProgramError, match=r"step 'one': paper=nine: must be a whole number"):
        lw.step("one", ops.Copy(HALT, 1), paper="nine")


@pytest.mark.parametrize(
    ("part", "given"),
    [
        ("steps", STEP),
        ("steps", ()),
        ("steps", None),
        ("steps", "one"),
        ("steps", (ops.Add(A, A, 1), ops.Copy(HALT, 1))),
        ("outputs", A),
        ("outputs", [A]),
        ("outputs", "a"),
        ("outputs", None),
        ("outputs", {"a": "a"}),
        ("outputs", {"a": None}),
        ("halt", "halt"),
        ("halt", None),
        ("bound", 3),
        ("bound", ("n",)),
        ("counts", 1.5),
    ],
)
def test_a_part_of_a_program(part, given):
    with pytest.raises(ProgramError, match=rf"^'.*': {part} is .*, but must be ") as caught:
        program(**{part: given})
    assert str(caught.value).isprintable()


def test_lists_are_as_good_as_tuples():
    assert program(steps=[STEP], bound=[1], counts=[2]) == program(counts=(2,))


@pytest.mark.parametrize("deep", [17, 100_000])
def test_a_formula_that_nobody_could_walk(deep):
    flag = lw.nodes.flag("f", start=0)
    formula = reduce(lambda formula, _: ~formula, range(deep), flag)
    with pytest.raises(
        ProgramError, match=r"step .set.: the formula for .f. nests more than 16 deep"
    ):
        lw.step("set", ops.Set(flag, formula))


def joined(flags, deep):
    """(((a ∨ b) ∧ b) ∨ b) …"""
    a, b = flags
    return reduce(lambda formula, i: formula & b if i % 2 else formula | b, range(deep), a)


def test_the_remedy_for_a_deep_formula_in_steps():
    """Flags in steps before, each as deep as a layer holds: then every layer holds its own."""
    a, b, g = (lw.nodes.flag(name, start=lw.given(name)) for name in "abg")
    halt = lw.single.flag("halt")
    remedy = r"Set flags to parts of it in steps before, .* which is 3, and build it from those"
    with pytest.raises(ProgramError, match=rf"'g' nests more than 16 deep: {remedy}"):
        lw.step("all", ops.Set(g, joined((a, b), 18)))
    parts = [a, *(lw.nodes.flag(f"part{i}", start=0) for i in range(5)), g]
    steps = [
        lw.step(f"to {part}", ops.Set(part, joined((before, b), 3)))
        for before, part in pairwise(parts)
    ]
    steps.append(lw.step("end", ops.AllOne(halt, lw.nodes.flag("always", start=1))))
    made = lw.Program(name="parts", steps=steps, outputs={"g": g}, halt=halt, bound=(1,))
    model = lw.compile(made)
    assert lw.verify(model, EDGES, a=1).g == dict.fromkeys("xy", False)
    assert lw.verify(model, EDGES, b=1).g == dict.fromkeys("xy", True)


@pytest.mark.parametrize("deep", [16, 17, 18, 40, 100])
def test_statements_join_flags_as_deep_as_their_author_likes(deep):
    """That is the other remedy: what is too deep becomes flags, and these find their layers."""

    @lw.algorithm(name="deep", iterations=1)
    def made(p):
        a, b = (p.nodes.flag(start=lw.given(name)) for name in "ab")
        told, not_told = p.nodes.flag(), p.nodes.flag()
        told[:] = joined((a, b), deep)
        not_told[:] = reduce(lambda formula, _: ~(formula & b), range(deep), a)
        p.halt_when(p.all(a | ~a))
        return {"told": told, "not_told": not_told}

    model = lw.compile(made())
    for a, b in product((0, 1), repeat=2):
        answer = lw.verify(model, EDGES, a=a, b=b)
        told, not_told = a, a
        for i in range(deep):
            told, not_told = (told and b) if i % 2 else (told or b), not (not_told and b)
        assert {*answer.told.values()} == {told}
        assert {*answer.not_told.values()} == {not_told}


def test_a_formula_that_is_everywhere_in_itself():
    """Written out, it has 2⁶⁰ flags."""
    flag = lw.nodes.flag("f", start=0)
    formula = reduce(lambda formula, _: ~(formula & formula), range(60), flag)
    with pytest.raises(ProgramError, match=r"the formula for .f. nests more than 16 deep"):
        lw.step("set", ops.Set(flag, formula))


# ── programs, models and limits where another thing is given ────────────────────────────────────


@pytest.mark.parametrize(
    "given",
    ["dijkstra", lw.algorithms.dijkstra, None, 3],
    ids=["name", "algorithm", "None", "number"],
)
@pytest.mark.parametrize(
    "call",
    [lw.compile, pack, lambda given: lw.interpret(given, EDGES, source="x")],
    ids=["compile", "pack", "interpret"],
)
def test_what_is_no_program(call, given):
    with pytest.raises(ProgramError, match=r"is no program: .* as lw\.algorithms\.dijkstra\(\)"):
        call(given)


@pytest.mark.parametrize("given", ["dijkstra", lw.algorithms.dijkstra()], ids=["text", "program"])
def test_what_is_no_model(given):
    with pytest.raises(lw.LoopwrightError, match=r"give lw\.compile\(program\)"):
        lw.verify(given, EDGES, source="x")


@pytest.mark.parametrize("given", ["paper", 100, {"nodes": 3}, lw.Limits], ids=repr)
def test_what_are_no_limits(given):
    with pytest.raises(CapacityError, match=r"but must be Limits, as lw\.Limits\.paper\(\)"):
        lw.compile(lw.algorithms.dijkstra(), limits=given)


# ── paths ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", [None, 3, b"x", "x\0y"], ids=repr)
def test_a_trace_has_a_path(name):
    for call in (lw.TraceWriter, lw.Trace.load):
        with pytest.raises(TraceError, match=r"names no file|no file can"):
            call(name)


def test_a_graph_in_a_file_without_a_name():
    with pytest.raises(GraphError, match=r"no file can be called"):
        lw.Graph.of("x\0y")


def test_a_trace_by_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lw.compile(program()).run(EDGES, observers=[lw.TraceWriter("x")])
    assert lw.Trace.load("x").iterations == 1


# ── a position that runs past the nodes ─────────────────────────────────────────────────────────


def walker(start=0):
    """Goes to the next node, four times, and reads there."""
    p, count = lw.single.position("p", start=start), lw.single.count("c", start=0)
    value, read = lw.nodes.value("v", start=3), lw.single.value("r", start=0)
    move = lw.step("move", ops.Increment(p, p), ops.Add(count, count, 1))
    look = lw.step("look", ops.ReadX(read, p, value), ops.LessThan(HALT, 3, count))
    return lw.Program("walk", (move, look), {"v": value}, HALT, (5,))


@pytest.mark.parametrize("machine", ["reference", "exact"])
def test_a_position_past_the_last_node(machine):
    model = lw.compile(walker(), limits=lw.Limits(nodes=8))
    beyond = r"position 4 is beyond the last of 2 rows: set it to NOWHERE"
    with pytest.raises(ProgramError, match=beyond):
        lw.verify(model, EDGES, machine=machine)
    with pytest.raises(ProgramError, match=beyond):
        lw.interpret(walker(), EDGES)
    assert lw.verify(model, EDGES, machine=machine, rows=4).iterations == 4


def test_a_position_that_is_never_used():
    p, count = lw.single.position("p", start=0), lw.single.count("c", start=0)
    count_up = (ops.Add(count, count, 1), ops.LessThan(HALT, 5, count))
    move = lw.step("move", ops.Increment(p, p), ops.Add(A, A, 1), *count_up)
    model = lw.compile(lw.Program("walk", (move,), {"a": A}, HALT, (9,)))
    with pytest.raises(ProgramError, match=r"'p ← next\(p\)': position 4 is beyond the last"):
        lw.verify(model, EDGES)


def test_a_position_that_starts_past_the_last_node():
    with pytest.raises(ProgramError, match=r"'p': start=3: of kind position, it starts at 0 or 1"):
        walker(start=3)


# ── limits that fit ─────────────────────────────────────────────────────────────────────────────

HEAVY = lw.Graph.of([("a", "b", 1.7e308), ("b", "c", 1.7e308), ("c", "a", 1.5e308)])


def test_limits_fit_what_a_program_reads():
    """Breadth-first search does not read weights, so no weight is too heavy for it."""
    bfs, dijkstra = lw.algorithms.bfs(), lw.algorithms.dijkstra()
    model = lw.compile(bfs, limits=lw.Limits.fit(HEAVY, bfs))
    assert lw.verify(model, HEAVY, source="a").prev == {"a": "a", "b": "a", "c": "b"}
    assert lw.Limits.fit(HEAVY, model) == lw.Limits.fit(HEAVY, bfs)
    assert lw.interpret(bfs, HEAVY, source="a").prev == {"a": "a", "b": "a", "c": "b"}
    for program_that_might in (None, dijkstra):
        with pytest.raises(GraphError, match="scale the weights"):
            lw.Limits.fit(HEAVY, program_that_might)


def test_limits_that_fit_on_the_command_line(loopwright, refused, tmp_path):
    path = tmp_path / "heavy.txt"
    path.write_text("a b 1.7e308\nb c 1.7e308\n", encoding="utf-8")
    fitted = ("--source", "a", "--limits", "fit")
    assert loopwright("run", "bfs", path, *fitted, "--json").json["result"]["prev"]["c"] == "b"
    assert "scale the weights" in refused("run", "dijkstra", path, *fitted)


def test_limits_fit_a_graph_and_a_program():
    with pytest.raises(CapacityError, match=r"give lw\.Graph\.of"):
        lw.Limits.fit(EDGES)
    with pytest.raises(CapacityError, match=r"give what is compiled, as lw\.algorithms\.bfs\(\)"):
        lw.Limits.fit(HEAVY, "bfs")
