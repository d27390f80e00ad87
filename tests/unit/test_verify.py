"""Lockstep can fail: a damaged weight is noticed, in the layer where it is."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

import loopwright as lw
from loopwright.errors import Divergence

LIMITS = lw.Limits(nodes=6, largest=32, resolution=Fraction(1, 2**20))
"""Six positions are more than half of the circle, so that both signs of every sine occur."""
MODEL = lw.compile(lw.algorithms.dijkstra("paper"), limits=LIMITS)
PAIR = [("a", "b", 3)]


def damaged(layer, part, cell, change):
    """The model with one weight changed. `part` is 1…4 of the MLP, or (head, name of matrix)."""
    old = MODEL.layers[layer - 1]
    if isinstance(part, int):
        matrix = old.mlp[part - 1].copy()
        new = replace(old, mlp=(*old.mlp[: part - 1], matrix, *old.mlp[part:]))
    else:
        number, name = part
        matrix = getattr(old.heads[number], name).copy()
        head = replace(old.heads[number], **{name: matrix})
        new = replace(old, heads=(*old.heads[:number], head, *old.heads[number + 1 :]))
    assert matrix[cell] != 0
    matrix[cell] = change(matrix[cell])
    return replace(MODEL, layers=(*MODEL.layers[: layer - 1], new, *MODEL.layers[layer:]))


def column(name, coordinate=0):
    return MODEL.layout[name].first + coordinate


def entries(layer, part):
    """Where a matrix is not 0."""
    at = MODEL.layers[layer - 1]
    matrix = at.mlp[part - 1] if isinstance(part, int) else getattr(at.heads[part[0]], part[1])
    return [(int(i), int(j)) for i, j in zip(*np.nonzero(matrix), strict=True)]


def from_column(layer, part, name, coordinate=0):
    return next(cell for cell in entries(layer, part) if cell[0] == column(name, coordinate))


def into_column(layer, part, name, coordinate=0):
    return next(cell for cell in entries(layer, part) if cell[1] == column(name, coordinate))


# What happens on a → b (3): with two nodes, every second iteration finds a minimum. The second
# finds a, at distance 0, and relaxes its edge; the fourth finds b, and ends.
CASES = {
    "W1, distance to compare": (
        (13, 1, from_column(13, 1, "candidates")),
        (3, "changes", "node 'b'", "0.0", "1.0"),
    ),
    "W1, row of A": (
        (11, 1, from_column(11, 1, "A_row")),
        (2, "is_zero", "node 'b'", "0.0", "1.0"),
    ),
    "W4, mask": (
        (1, 4, into_column(1, 4, "dists_masked")),
        (1, "dists_masked", "node 'b'", "64.0", None),
    ),
    "W4, new sum": (
        (12, 4, into_column(12, 4, "candidates")),
        (2, "candidates", "node 'b'", "3.0", None),
    ),
    "W_V, row of A": (
        (10, (1, "value"), from_column(10, (1, "value"), "B_global")),
        (2, "A_row", "node 'b'", "3.0", "0.0"),
    ),
    "W_V, flags to average": (
        (17, (1, "value"), from_column(17, (1, "value"), "visit")),
        (4, "term", "row 0", "1.0", "0.0"),
    ),
    "W_V, repeated index": (
        (12, (1, "value"), from_column(12, (1, "value"), "node_int")),
        (2, "node_int_n", "row 0", "0.0", "-1.0"),
    ),
    "W_K, position pointed at": (
        (7, (0, "key"), from_column(7, (0, "key"), "idx_cur", 1)),
        (1, "visit_min", "node 'a'", "1.0", "0.0"),
    ),
    "W_Q, position read": (
        (4, (1, "query"), from_column(4, (1, "query"), "idx_cur", 1)),
        (1, "val_cur", "row 0", "0.0", "128.0"),
    ),
}


@pytest.mark.parametrize(("damage", "found"), CASES.values(), ids=CASES.keys())
def test_names_the_place(damage, found):
    iteration, variable, node, expected, got = found
    broken = damaged(*damage, lambda weight: 0.0)
    with pytest.raises(Divergence) as caught:
        lw.verify(broken, PAIR, source="a")
    layer = damage[0]
    message = str(caught.value)
    place = f"'dijkstra' diverges at iteration {iteration}, layer {layer}, "
    assert message.startswith(place + f"step '{MODEL.layers[layer - 1].name}', "), message
    assert f"variable '{variable}', {node}: expected {expected}, found " in message, message
    assert got is None or message.endswith(f"found {got}."), message


@pytest.mark.parametrize("part", [2, 3])
@pytest.mark.parametrize("layer", [1, 5, 9, 13, 14, 15])
def test_names_the_layer_of_a_hidden_weight(layer, part):
    cell = entries(layer, part)[0]
    with pytest.raises(Divergence, match=f"layer {layer}, step '{MODEL.layers[layer - 1].name}'"):
        lw.verify(damaged(layer, part, cell, lambda weight: -weight), PAIR, source="a")


def test_undamaged_model_passes():
    assert lw.verify(MODEL, PAIR, source="a").dists == {"a": 0, "b": 3}
    again = damaged(1, 1, entries(1, 1)[0], lambda weight: weight)
    assert lw.verify(again, PAIR, source="a").dists == {"a": 0, "b": 3}


def test_smallest_error_in_a_value_is_noticed():
    """Values have no tolerance: not even one resolution, far below any decision."""
    cell = into_column(10, (1, "value"), "A_row")
    broken = damaged(10, (1, "value"), cell, lambda weight: weight * (1 + 2**-30))
    with pytest.raises(Divergence, match="layer 10, step 'get row of A', variable 'A_row'"):
        lw.verify(broken, PAIR, source="a")


def test_scratch_columns_are_compared():
    """What no variable owns must stay 0: a model one column wider, whose first MLP uses it."""

    def wider(layer):
        heads = tuple(
            replace(
                head,
                query=np.pad(head.query, ((0, 1), (0, 0))),
                key=np.pad(head.key, ((0, 1), (0, 0))),
                value=np.pad(head.value, (0, 1)),
            )
            for head in layer.heads
        )
        return replace(layer, heads=heads, mlp=tuple(np.pad(w, (0, 1)) for w in layer.mlp))

    layers = tuple(map(wider, MODEL.layers))
    layout = replace(MODEL.layout, width=MODEL.width + 1)
    wide = replace(MODEL, layout=layout, layers=layers)
    assert lw.verify(wide, PAIR, source="a").dists == {"a": 0, "b": 3}
    w4 = layers[0].mlp[3].copy()
    w4[:, -1] = w4[:, column("dists_masked")]
    spilling = (replace(layers[0], mlp=(*layers[0].mlp[:3], w4)), *layers[1:])
    scratch = f"layer 1.*scratch column {MODEL.width}, node 'b': expected 0.0, found 64.0"
    with pytest.raises(Divergence, match=scratch):
        lw.verify(replace(wide, layers=spilling), PAIR, source="a")


def columns(field):
    return range(field.columns.start, field.columns.stop)


def test_wrong_encoding_is_noticed():
    """The program says that distances start at Ω̂; a layout that says 1 is another program's."""
    fields = [
        replace(field, start=Fraction(1)) if field.name == "dists" else field
        for field in MODEL.layout.fields
    ]
    broken = replace(MODEL, layout=replace(MODEL.layout, fields=tuple(fields)))
    with pytest.raises(Divergence, match=r"at encoding, variable 'dists', node 'b': expected 64"):
        lw.verify(broken, PAIR, source="a")


def test_nan_is_noticed():
    broken = damaged(1, 1, entries(1, 1)[0], lambda weight: np.nan)
    with pytest.raises(Divergence, match=r"layer 1,.*found nan"):
        lw.verify(broken, PAIR, source="a")


def test_exact_machine_is_followed_too():
    cell = into_column(10, (1, "value"), "A_row")
    broken = damaged(10, (1, "value"), cell, lambda weight: weight / 2)
    with pytest.raises(Divergence, match=r"layer 10.*'A_row', node 'b': expected 3, found 3/2"):
        lw.verify(broken, PAIR, source="a", machine="exact")


# ── sabotage: every weight, one at a time ───────────────────────────────────────────────────────


def sabotage_graphs():
    yield PAIR, "a"
    directed = nx.DiGraph()
    directed.add_weighted_edges_from(
        [("a", "b", 3), ("a", "c", 1), ("c", "b", 1.25), ("d", "a", 1)]
    )
    yield directed, "a"
    ring = nx.cycle_graph(6)
    for u, v, data in ring.edges(data=True):
        data["weight"] = 1 + abs(u - v) / 4
    ring.add_edge(4, 4, weight=0.5)
    yield ring, 4


REDUNDANT = {
    r"read value, 0 (query|key), P": "it clears row 0; what it does to nodes, the MLP erases",
    r"read value, 1 query, P": "nodes ask with P; what they find, the MLP erases",
    r"read value, W[234]": "erases negative values, which an unsigned column never has",
    r"visit position, 0 query, idx_cur": "row 0's find is erased, having no local bias",
    r"visit node, 0 query, node": "the same",
    r"get row of A, 1 query, node": "row 0's find is lost, as row 0 of Ã is empty",
    r"(minimum is found|trigger termination), 1 query, B_local": "the ReLU cuts off nodes' finds",
    r"(minimum is found|trigger termination), 1 key, B_": "row 0 joins the mean, with 0",
    r"(minimum is found|trigger termination), 0 value, term": "clears what is 0 already",
    r"(minimum is found|trigger termination), W[123]": "relu(out) − out: one unit cancels out",
}
"""Weights whose sign does not matter → why."""


def every_weight():
    for layer, at in enumerate(MODEL.layers, start=1):
        parts = [(h, name) for h in range(len(at.heads)) for name in ("query", "key", "value")]
        for part in [*parts, 1, 2, 3, 4]:
            for cell in entries(layer, part):
                yield layer, part, cell


def describe(layer, part, cell):
    names = {c: field.name for field in MODEL.layout.fields for c in columns(field)}
    step = MODEL.layers[layer - 1].name
    if isinstance(part, tuple):
        return f"{step}, {part[0]} {part[1]}, {names[cell[0]]}"
    return f"{step}, W{part}, {cell}"


def notices(model, layer):
    for graph, source in sabotage_graphs():
        try:
            lw.verify(model, graph, source=source)
        except Divergence as problem:
            if f"layer {layer}, step" not in str(problem):
                raise
            return True
    return False


def test_sabotage():
    total, missed = 0, []
    for layer, part, cell in every_weight():
        total += 1
        if not notices(damaged(layer, part, cell, lambda weight: -weight), layer):
            missed.append(describe(layer, part, cell))
    unexplained = [w for w in missed if not any(re.match(known, w) for known in REDUNDANT)]
    assert not unexplained
    assert total == MODEL.nonzeros
    assert len(missed) < total / 12


# ── the author's word, of weights that are rounded ──────────────────────────────────────────────

PATHS = [
    lw.compile(program)
    for program in (
        lw.algorithms.dijkstra(),
        lw.algorithms.dijkstra("paper"),
        lw.algorithms.bellman_ford(),
        lw.algorithms.dag_shortest_paths(),
    )
]


def path_of(weights):
    return [(i, i + 1, weight) for i, weight in enumerate(weights)]


@pytest.mark.parametrize("model", PATHS, ids=lambda model: f"{model.name}-{model.construction}")
def test_a_path_of_rounded_weights_keeps_the_word(model):
    """The path is all there is, so it weighs all that was promised, and weights round up."""
    graphs = [[0.7, 0.1]]
    graphs += [np.random.default_rng(seed).random(1 + seed % 5).tolist() for seed in range(40)]
    for weights in graphs:
        answer = lw.verify(model, path_of(weights), source=0)
        assert answer.dists[len(weights)] == pytest.approx(sum(weights), abs=1e-5)


def test_the_command_verifies_rounded_weights(tmp_path, loopwright):
    roads = tmp_path / "roads.txt"
    roads.write_text("a b 0.7\nb c 0.1\nc d 0.30000000000000004\n")
    done = loopwright("run", "dijkstra", roads, "--source", "a", "--verify", "--json")
    assert done.json["guaranteed"]
