"""The sweep finds borders by running, and counts what the certificate should not have allowed."""

from fractions import Fraction

import numpy as np
import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.lab.sweep.axes import INSIDE, SWEPT, Axis, Point, point
from loopwright.lab.sweep.cast import in_dtype
from loopwright.lab.sweep.graphs import is_right, path, tells_apart
from observers import AfterLayer


def test_a_border_above_the_certificate():
    found = point(1.0, 10.0, lambda hardness: hardness < 20, most=100.0)
    assert found.wrong == 0
    assert 19 < found.measured < 20


def test_a_certificate_above_the_border_is_counted():
    found = point(1.0, 10.0, lambda hardness: hardness < 6, most=100.0)
    assert found.wrong == sum(10 * share >= 6 for share in INSIDE)
    assert found.measured == 0


@pytest.mark.parametrize("name", SWEPT)
def test_paths_have_the_answers_they_are_made_for(name):
    for construction in ALGORITHMS[name].constructions:
        model = lw.compile(ALGORITHMS[name](construction))
        assert is_right(model, path(5, 0.25))
        assert is_right(model, path(1))


@pytest.mark.parametrize("name", ["dijkstra", "prim", "bellman-ford", "dag-shortest-paths"])
def test_forks_are_told_apart(name):
    model = lw.compile(ALGORITHMS[name]("compact"), limits=lw.Limits(nodes=5, largest=32))
    assert tells_apart(model, 2.0**-10)
    assert not tells_apart(model, 2.0**-50)


def test_a_wrong_answer_is_not_right():
    model = lw.compile(lw.algorithms.dijkstra("paper"), limits=lw.Limits(nodes=4, largest=16))
    assert not is_right(model, path(4, 100.0))


def test_narrow_floats_are_really_narrow():
    limits = lw.Limits(nodes=4, resolution=Fraction(1), dtype="float32")
    model = in_dtype(lw.compile(lw.algorithms.bfs("paper"), limits=limits), np.dtype("float32"))
    seen = set()
    model.run(
        path(3),
        source=0,
        machine="reference",
        observers=[AfterLayer(lambda *given: seen.add(given[2].dtype))],
    )
    assert seen == {np.dtype("float32")}


def test_command(loopwright, tmp_path):
    picture = tmp_path / "borders.png"
    command = ("limits", "dijkstra", "--construction", "paper", "--axis", "resolution")
    found = loopwright(*command, "--picture", picture, "--json").json
    assert (found["algorithm"], found["construction"]) == ("dijkstra", "paper")
    (axis,) = found["axes"]
    assert axis["name"] == "ε"
    for each in axis["points"]:
        assert each["wrong"] == 0
        assert 1 <= each["measured"] / each["allowed"] <= 4
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("name", "axis"), [("bellman-ford", "temperature"), ("dfs", "omega")])
def test_another_construction(loopwright, name, axis):
    """Once the certificate allowed Bellman and Ford a temperature at which it fails."""
    command = ("limits", name, "--construction", "compact", "--axis", axis, "--json")
    found = loopwright(*command).json
    assert (found["algorithm"], found["construction"]) == (name, "compact")
    assert all(each["wrong"] == 0 for each in found["axes"][0]["points"])


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonesuch",),
        ("graph-subleq",),
        ("bfs", "--axis", "resolution"),
        ("prim", "--construction", "x"),
    ],
)
def test_unknown_names(refused, arguments):
    refused("limits", *arguments)


def test_pictures_can_be_read():
    """At most three panels wide, and at least two labels on every side, however short it is."""
    pytest.importorskip("matplotlib")
    from loopwright.lab.sweep.draw import picture

    short = (Point(0.077, 0.0037, 0.0045, 0, 6), Point(0.4, 0.023, 0.027, 0, 6))
    wide = (Point(2e3, 1e3, 4e3, 0, 6), Point(9e15, 5e15, 9e15, 0, 6))
    axes = [Axis("T", "1 − cos δ̂", "T", short), Axis("dtype", "2^bits", "Ω/ε", wide)]
    figure = picture("dijkstra", [*axes, *axes, axes[0]])
    figure.draw_without_rendering()
    assert figure.get_figwidth() <= 9
    drawn = [panel for panel in figure.axes if panel.axison]
    assert len(drawn) == 5
    for panel in drawn:
        for side, (low, high) in ((panel.xaxis, panel.get_xlim()), (panel.yaxis, panel.get_ylim())):
            labels = [tick for tick in side.get_majorticklocs() if low <= tick <= high]
            assert 2 <= len(labels) <= 8
