"""Packing: fewer layers, the same answers, and never more heads."""

from fractions import Fraction
from functools import cache

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import loopwright as lw
from compiled import compiled
from loopwright.algorithms import ALGORITHMS
from loopwright.compiler.pack import pack
from loopwright.errors import ProgramError
from loopwright.language.ops import (
    Add,
    Copy,
    Gather,
    LessThan,
    MarkLeast,
    ReadFirst,
    ReadX,
    Repeat,
    Set,
    SubtractAt,
    Where,
)
from loopwright.language.program import Program, step
from loopwright.language.variables import OWN_INDEX, nodes, single
from strategies import INPUTS, problems

EVERY = [
    (name, construction)
    for name, algorithm in ALGORITHMS.items()
    for construction in algorithm.constructions
]


@cache
def packed(name, construction):
    return lw.compile(pack(ALGORITHMS[name](construction)))


@pytest.mark.parametrize(("name", "construction"), EVERY)
@settings(max_examples=5)
@given(problem=problems(max_nodes=6), data=st.data())
def test_packed_is_the_same_program(name, construction, problem, data):
    program = ALGORITHMS[name](construction)
    graph, source = problem
    if "undirected" in program.needs:  # else it may never halt
        graph = graph.to_undirected()
    options = data.draw(INPUTS[name](len(graph))) if name in INPUTS else {}
    options |= {} if program.source == "none" else {"source": source}
    options["checked"] = not program.needs
    before, after = (
        lw.verify(model, graph, **options)
        for model in (compiled(name, construction), packed(name, construction))
    )
    assert (before.result, before.iterations) == (after.result, after.iterations)


@pytest.mark.parametrize(("name", "construction"), EVERY)
def test_no_more_layers_or_heads(name, construction):
    before, after = compiled(name, construction), packed(name, construction)
    assert len(after.layers) <= len(before.layers)
    assert all(after.heads[kind] <= count for kind, count in before.heads.items())


@pytest.mark.parametrize(
    ("name", "layers"), [("dijkstra", 6), ("bfs", 7), ("dfs", 6), ("scc", 9), ("multitask", 6)]
)
def test_what_the_papers_programs_save(name, layers):
    """As docs/compact.md says."""
    assert len(pack(ALGORITHMS[name]("paper")).steps) <= layers


def test_order_is_kept_where_it_matters():
    """b must be read before a changes, though both fit in one layer."""
    a, b = nodes.count("a", start=1), nodes.count("b", start=0)
    halt = single.flag("halt")
    program = Program(
        name="toy",
        steps=(
            step("one", Add(b, a, b)),
            step("two", Add(a, a, 1)),
            step("three", Add(b, a, b), Copy(halt, 1)),
        ),
        outputs={"b": b},
        halt=halt,
        bound=(1,),
    )
    packed = pack(program)
    assert len(packed.steps) == 1
    assert lw.verify(lw.compile(packed), nx.empty_graph(2)).b == {0: 3, 1: 3}


# ── programs that do not fit as they are written ────────────────────────────────────────────────


def test_what_is_updated_in_place_is_read_before():
    """x is read in the third layer, where its node is known, and could be changed in the first."""
    x, seen = nodes.count("x", start=7, signed=True), nodes.count("seen", start=0, signed=True)
    nobody, leads = nodes.flag("nobody", start=0), nodes.flag("leads")
    leader, halt = nodes.index("leader"), single.flag("halt")
    at, less = single.position("at", start=1), single.count("less", start=5)
    told = nodes.count("told")
    program = Program(
        name="update",
        steps=(
            step("find", MarkLeast(leads, OWN_INDEX, nobody)),
            step("tell", ReadFirst(leader, leads, OWN_INDEX)),
            step("look", Gather(seen, leader, x)),
            step("change", SubtractAt(x, at, less), Repeat(told, less), Copy(halt, 1)),
        ),
        outputs={"seen": seen, "x": x, "told": told},
        halt=halt,
        bound=(1,),
    )
    answer = lw.verify(lw.compile(pack(program)), [("a", "b", 1)])
    assert answer.seen == {"a": 7, "b": 7}
    assert answer.x == {"a": 2, "b": 7}


def program_of(*steps, output):
    """One iteration of these steps."""
    halt = single.flag("halt")
    return Program(
        name="toy",
        steps=(*steps, step("halt", Copy(halt, 1))),
        outputs={"out": output},
        halt=halt,
        bound=(1,),
    )


A, B, C, D = (nodes.value(name, start=start) for start, name in enumerate("abcd", start=1))
F, G, H = (nodes.flag(name, start=0) for name in "fgh")
CHAIN = (LessThan(F, A, B), Where(C, F, A, B), LessThan(G, C, D), Where(D, G, C, B))
"""Each builds on the one before it: too much for one MLP."""


def test_a_step_that_is_too_deep_becomes_several():
    """It would not compile; packed, it does, and is right."""
    program = program_of(step("all at once", *CHAIN), output=D)
    with pytest.raises(ProgramError):
        lw.compile(program)
    assert lw.verify(lw.compile(pack(program)), nx.empty_graph(2)).out == {0: 1, 1: 1}


def test_heads_of_a_step_that_is_too_deep_are_counted():
    p = single.position("p", start=0)
    read = single.value("read", start=0)
    shown = nodes.value("shown")
    reading = program_of(
        step("read", ReadX(read, p, A)), step("show", Repeat(shown, read)), output=shown
    )
    deep = (ReadX(read, p, A), *CHAIN, Add(D, D, 0))
    program = program_of(
        step("all at once", *deep), step("show", Repeat(shown, read)), output=shown
    )
    assert lw.compile(pack(program)).heads == lw.compile(reading).heads


def test_what_no_answer_depends_on_is_left_out():
    p, read = single.position("p", start=0), single.value("read", start=0)
    program = program_of(step("read", ReadX(read, p, B)), step("add", Add(A, A, 1)), output=A)
    assert any(lw.compile(program).heads.values())
    assert not any(lw.compile(pack(program)).heads.values())


def test_the_remedy_names_variables_and_works():
    """Begin a new step with the op that is named, as often as the compiler says so."""
    steps = [list(CHAIN)]
    for _ in CHAIN:
        made = (step(f"part {i}", *part) for i, part in enumerate(steps))
        program = program_of(*made, output=D)
        try:
            model = lw.compile(program)
            break
        except ProgramError as problem:
            said = str(problem)
        assert said.endswith(" of the same step: begin a new step with it.")
        assert "x4" not in said
        (at,) = (i for i, op in enumerate(CHAIN) if f"'{op}'" in said)
        assert any(f"It builds on '{v}'" in said for v in CHAIN[at].reads())
        last = len(CHAIN) - at
        steps = [*steps[:-1], steps[-1][:-last], steps[-1][-last:]]
    assert len(steps) > 1
    assert lw.verify(model, nx.empty_graph(2)).out == {0: 1, 1: 1}


def test_one_formula_that_is_too_deep():
    """Packing parts it; the compiler, which keeps to the author's layers, says how to."""
    inner = (F | G) & H
    program = program_of(step("set", Set(F, ((inner | G) & F) | H)), output=F)
    assert len(pack(program).steps) == 2
    assert lw.verify(lw.compile(pack(program)), nx.empty_graph(1)).out == {0: 0}
    with pytest.raises(ProgramError, match=r"nests 5 ReLUs.*Set flags to parts of it in a step be"):
        lw.compile(program)
    part = nodes.flag("part")
    parted = program_of(
        step("part", Set(part, inner)), step("set", Set(F, ((part | G) & F) | H)), output=F
    )
    assert lw.verify(lw.compile(parted), nx.empty_graph(1)).out == {0: 0}


@pytest.mark.parametrize("number", [Fraction(1, 2**40), Fraction(1, 3), 2**40])
def test_numbers_beyond_the_default_limits(number):
    """Which limits they need is asked when they are compiled."""
    program = program_of(step("add", Add(A, A, number)), step("again", Add(A, A, 1)), output=A)
    assert len(pack(program).steps) == 1
    with pytest.raises(ProgramError, match=rf"step 'add', 'a ← a \+ {number}': the constant"):
        lw.compile(program)


def test_another_construction_of_the_same_algorithm():
    assert ALGORITHMS["dijkstra"]("compact").construction == "compact"
    with pytest.raises(
        lw.LoopwrightError,
        match=r"no construction 'tall' for 'dijkstra'; there are: paper, compact",
    ):
        ALGORITHMS["dijkstra"]("tall")


def test_compact_targets():
    """Layers and iterations that the compact constructions promise."""
    promised = {
        "dijkstra": (6, (0, 1)),
        "bfs": (7, (0, 1)),
        "dfs": (6, (0, 1)),
        "scc": (10, (0, 3)),
        "multitask": (8, (0, 1)),
    }
    for name, (layers, bound) in promised.items():
        program = ALGORITHMS[name]("compact")
        assert len(lw.compile(program).layers) <= layers
        assert program.bound == bound
