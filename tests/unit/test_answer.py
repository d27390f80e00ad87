"""An answer says how far it can be trusted, and does so wherever it goes."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

import loopwright as lw
from loopwright.errors import LoopwrightError
from loopwright.language.variables import given
from strategies import one_step

ROADS = [("a", "b", 2.5), ("b", "c", 1), ("d", "a", 1)]
MODEL = lw.compile(lw.algorithms.dijkstra("compact"))
FOUND = {"a": 0.0, "b": 2.5, "c": 3.5, "d": None}


def trust(answer):
    return answer.guaranteed, answer.exact, answer.checked, answer.construction


def test_a_checked_answer():
    assert trust(MODEL.run(ROADS, source="a")) == (True, True, True, "compact")
    paper = lw.compile(lw.algorithms.dijkstra("paper"))
    assert paper.run(ROADS, source="a").construction == "paper"


def test_an_answer_whose_weights_are_rounded():
    """√2 and √3 have no unit in common that the model's grid could hold."""
    answer = MODEL.run([("a", "b", 2**0.5), ("b", "c", 3**0.5)], source="a")
    assert trust(answer) == (True, False, True, "compact")
    assert MODEL.check([("a", "b", 2**0.5), ("b", "c", 3**0.5)]).exact is False


def test_an_unchecked_answer():
    """It may be guaranteed all the same, and says so."""
    assert trust(MODEL.run(ROADS, source="a", checked=False)) == (True, True, False, "compact")
    small = lw.compile(lw.algorithms.dijkstra("compact"), limits=lw.Limits(nodes=3))
    assert trust(small.run(ROADS, source="a", checked=False)) == (False, False, False, "compact")


def test_a_given_input_that_the_model_cannot_hold():
    v, out = lw.nodes.value("v", given("v")), lw.nodes.value("out")
    model = lw.compile(one_step(lw.ops.Copy(out, v)))
    assert model.run(ROADS, v=0.5).guaranteed
    assert trust(model.run(ROADS, v=1e-9, checked=False))[:3] == (False, False, False)


def test_the_programs_own_answer():
    answer = lw.interpret(lw.algorithms.dijkstra("compact"), ROADS, source="a")
    assert trust(answer) == (True, True, False, "compact")


def in_another_process(edges):
    return MODEL.run(edges, source="a")


def test_answers_travel():
    answer = MODEL.run(ROADS, source="a")
    there = [copy.copy(answer), copy.deepcopy(answer), pickle.loads(pickle.dumps(answer))]
    for each in there:
        assert each == answer
        assert (each.dists, trust(each)) == (FOUND, trust(answer))


def test_answers_of_a_process_pool():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        answer = pool.submit(in_another_process, ROADS).result()
    assert (answer.dists, trust(answer)) == (FOUND, (True, True, True, "compact"))


@pytest.mark.parametrize("most", [0, -1, 2.5, "9"])
def test_iterations_are_counted_from_one(most):
    with pytest.raises(LoopwrightError, match="max_iterations="):
        MODEL.run(ROADS, source="a", max_iterations=most)


# ── many graphs ─────────────────────────────────────────────────────────────────────────────────


def test_many():
    answers = list(MODEL.run_many([ROADS, [("a", "b")], 7], sources=["a", "b", "a"]))
    assert [getattr(answer, "result", {}).get("dists") for answer in answers] == [
        FOUND,
        {"a": None, "b": 0},
        None,
    ]
    assert isinstance(answers[2], LoopwrightError)


@pytest.mark.parametrize(
    ("graphs", "options", "problem"),
    [
        ([ROADS] * 3, {"sources": ["a"]}, "3 graphs and 1 sources"),
        ([ROADS], {"sources": ["a", "b"]}, "1 graphs and 2 sources"),
        ([ROADS] * 3, {"sources": "abc"}, "takes sources, a list"),
        ([ROADS], {"sources": 7}, "takes sources, a list"),
        ([ROADS], {"source": "a"}, "takes sources, a list"),
        ("roads.txt", {}, "takes a list of graphs"),
        (lw.Graph.of(ROADS), {}, "takes a list of graphs"),
        (7, {}, "takes a list of graphs"),
        ([ROADS], {"sources": ["a"], "workers": 0}, "workers=0"),
    ],
)
def test_many_refuses(graphs, options, problem):
    with pytest.raises(LoopwrightError) as caught:
        MODEL.run_many(graphs, **options)
    assert problem in str(caught.value)
