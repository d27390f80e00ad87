"""The paper's theorems: so many layers, so many heads, and what softmax adds to them."""

import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS

THEOREMS = {  # algorithm, and construction unless it is `paper`: layers, heads
    "dijkstra": (17, 3),
    "bfs": (17, 3),
    "bfs printed": (17, 3),
    "dfs": (15, 3),
    "scc": (22, 4),
    "multitask": (19, 3),
    "graph-subleq": (11, 3),
}


def program_of(name):
    algorithm, construction = [*name.split(), "paper"][:2]
    return ALGORITHMS[algorithm](construction)


@pytest.mark.parametrize("name", THEOREMS)
def test_layers_and_heads(name):
    model = lw.compile(program_of(name))
    assert (len(model.layers), sum(model.heads.values())) == THEOREMS[name]
    assert [layer.paper_step for layer in model.layers] == list(range(1, len(model.layers) + 1))


@pytest.mark.parametrize("name", THEOREMS)
def test_width_does_not_depend_on_the_limits(name):
    program = program_of(name)
    small, large = (lw.compile(program, limits=lw.Limits(nodes=n)) for n in (4, 60_000))
    assert small.width == large.width
    assert small.nonzeros == large.nonzeros


@pytest.mark.parametrize("name", THEOREMS)
def test_softmax_adds_only_rounding_and_write_prevention(name):
    model = lw.compile(program_of(name), attention="softmax", limits=lw.Limits.paper())
    steps = [layer.paper_step for layer in model.layers if layer.paper_step is not None]
    added = [layer.name for layer in model.layers if layer.paper_step is None]
    assert steps == list(range(1, THEOREMS[name][0] + 1))
    assert added.pop() == "hold after termination"
    assert all(name.startswith(("round ", "locate ")) for name in added)
    assert sum(model.heads.values()) == THEOREMS[name][1]
