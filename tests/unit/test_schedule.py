"""Layers that the compiler finds: as few as there can be, with heads and columns to match."""

from itertools import pairwise, product

import networkx as nx
import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.compiler.flow import flow_of
from loopwright.compiler.optimal import optimum, solved
from loopwright.compiler.pack import pack, schedule
from loopwright.compiler.schedule import as_early_as_possible, depths_of, few_layers, heads_of
from loopwright.compiler.why import why

BEFORE = {
    "dijkstra": (3, 3, 14),
    "bfs": (4, 3, 16),
    "dfs": (3, 3, 14),
    "scc": (5, 5, 24),
    "multitask": (4, 3, 19),
    "prim": (3, 3, 14),
    "bellman-ford": (2, 3, 16),
    "dag-shortest-paths": (2, 3, 18),
    "topological-sort": (2, 4, 35),
    "components": (2, 5, 13),
    "articulation-points": (2, 5, 35),
    "bridges": (2, 5, 36),
}
"""Layers, heads and width when people chose the layers."""
COMPACT = [name for name, each in ALGORITHMS.items() if "compact" in each.constructions]
EVERY = [(name, c) for name, each in ALGORITHMS.items() for c in each.constructions]


@pytest.mark.parametrize("name", COMPACT)
def test_no_worse_than_layers_that_people_chose(name):
    model = lw.compile(ALGORITHMS[name]("compact"))
    found = (len(model.layers), sum(model.heads.values()), model.width)
    assert all(now <= then for now, then in zip(found, BEFORE[name], strict=True)), found


@pytest.mark.parametrize("name", COMPACT)
def test_few_heads_are_the_fewest(name):
    """What the search finds in milliseconds, integer programming proves to be the least."""
    flow = flow_of(ALGORITHMS[name]("compact"))
    quick, best = few_layers(flow), optimum(flow)
    assert max(quick) == max(best)
    assert heads_of(flow, quick).total() == heads_of(flow, best).total()
    assert solved(flow, max(best)) is None  # one layer fewer is not enough


@pytest.mark.parametrize(("name", "layers"), [("dijkstra", 6), ("graph-subleq", 5)])
def test_packing_is_the_shortest_with_its_heads(name, layers):
    program = ALGORITHMS[name]("paper")
    assert len(pack(program).steps) == len(pack(program, optimal=True).steps) == layers


def small(p):
    """A chain of attention, and formulas that nest too deep for one layer."""
    a, b = p.nodes.value(start=3), p.nodes.value(start=1)
    best = p.least(a)
    c = p.where((a < b) | (best < a), a, b)
    d = p.where(c < best, b, c)
    a[:] = p.where(d < b, c, d)
    p.halt_when(p.all(b > 0))
    return {"a": a}


def test_no_schedule_has_fewer_layers():
    """All of them are tried."""
    program = lw.algorithm(iterations=1)(small)()
    flow = flow_of(program)
    found = max(as_early_as_possible(flow)) + 1
    assert found == 3
    shorter = product(range(found - 1), repeat=len(flow.nodes))
    assert not any(depths_of(flow, layers) is not None for layers in shorter)
    longer = product(range(found), repeat=len(flow.nodes))
    assert any(depths_of(flow, layers) is not None for layers in longer)
    assert lw.verify(lw.compile(program), nx.empty_graph(3)).a == {0: 1, 1: 1, 2: 1}


@pytest.mark.parametrize(("name", "construction"), EVERY)
def test_the_reason_is_a_chain(name, construction):
    """Each op reads what the one before it writes, from the first layer to the last."""
    flow = flow_of(ALGORITHMS[name](construction))
    chain = why(flow)
    assert [link.layer for link in chain] == sorted(link.layer for link in chain)
    assert {link.layer for link in chain} == set(range(max(as_early_as_possible(flow)) + 1))
    for before, after in pairwise(chain):
        assert before.op.out in after.op.reads() or after.op.updates, (before, after)


def test_what_the_mlp_reads_for_attention_must_be_declared(monkeypatch):
    """`late` says which operands, so that nothing takes their columns too early."""
    monkeypatch.setattr(lw.ops.MarkLeast, "late", ("value",))
    with pytest.raises(AssertionError, match=r"MarkLeast: the MLP reads .*visit"):
        flow_of(lw.algorithms.dijkstra())


def test_shared_columns_hold_one_variable_at_a_time():
    """Wherever a trace could look, a column has one owner; and sharing is worth it."""
    model = lw.compile(lw.algorithms.scc())
    assert sum(f.kind.width for f in model.layout.fields) > max(
        f.columns.stop for f in model.layout.fields
    )
    for layer in (-1, *range(len(model.layers))):
        held = [column for f in model.layout.after(layer) for column in range(40)[f.columns]]
        assert len(held) == len(set(held))


def test_an_authors_layers_are_kept():
    program = lw.algorithms.dijkstra("paper")
    model = lw.compile(program)
    assert [layer.name for layer in model.layers] == [at.name for at in program.steps]
    assert all(field.held is None for field in model.layout.fields)


def test_a_schedule_is_of_the_statements_as_written():
    program = lw.algorithms.dijkstra()
    found = schedule(program)
    assert found.layers == "found"
    assert found.as_written() == program
    assert pack(found) == found
