"""X against the paper's listings: every variable, after every iteration.

`transcription` has the listings in plain Python and knows nothing of Loopwright. The tables below
say which columns of X hold which of their variables. So the chain that is tested reaches from the
paper to the weights, and not only from our programs to the weights. On more graphs than the test:

    python tests/agreement/test_transcription.py 500
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from math import hypot
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))  # where it is run as a script

import loopwright as lw
import transcription
from loopwright.algorithms import ALGORITHMS
from loopwright.model.layout import Field, Kind, Scope
from many_graphs import LIMITS, random_matrix, random_program

# ── which columns hold what ─────────────────────────────────────────────────────────────────────

Names = Mapping[str, str]
"""A variable of the paper → all of ours that hold it: a node as position and as number, and what
is repeated for every node."""

MINIMUM: Names = {
    "idx_cur": "idx_cur idx_cur_int",
    "val_cur": "val_cur",
    "idx_best": "idx_best idx_best_int",
    "val_best": "val_best",
    "visit_min": "visit_min",
    "term_min": "term_min term_min_n",
    "condition": "condition",
}
DIJKSTRA: Names = MINIMUM | {
    "prev": "prev",
    "visit": "visit",
    "dists": "dists",
    "dists_masked": "dists_masked",
    "changes": "changes",
    "is_zero": "is_zero",
    "candidates": "candidates",
    "node": "node node_int node_int_n",
    "dist": "dist dist_n",
    "term": "term",
}
DFS: Names = MINIMUM | {
    "prev": "prev",
    "visit": "visit",
    "orders": "orders",
    "orders_masked": "orders_masked",
    "changes": "changes",
    "A_row": "A_row",
    "node": "node node_int node_int_n",
    "order": "order order_n",
    "term": "term",
}
BFS: Names = DFS | {"disc": "disc", "interrupt": "interrupt"}
SCC: Names = MINIMUM | {
    "scc_cur": "sccs_cur sccs_int_cur",
    "scc_best": "sccs_best sccs_int_best",
    "term_part": "term_part",
    "order": "order",
    "node": "node",
    "scc": "scc scc_int",
    "node_ref": "node_ref node_ref_int node_ref_n node_ref_int_n",
    "sccs": "sccs sccs_int",
    "orders": "orders",
    "orders_1": "orders_1",
    "orders_2": "orders_2",
    "orders_masked": "orders_masked",
    "visit": "visit",
    "visit_1": "visit_1",
    "visit_2": "visit_2",
    "visit_3": "visit_3",
    "visit_scc": "visit_scc",
    "write_1": "write_1 write_1_n",
    "write_2": "write_2 write_2_n",
    "A_row": "A_row",
    "A_col": "A_col",
    "nvisit": "nvisit",
    "nvisit_all": "nvisit_all nvisit_all_n",
    "changes_1": "changes_1",
    "changes_2": "changes_2",
    "changes_3": "changes_3",
    "term": "term",
}
MULTITASK: Names = DIJKSTRA | {
    "A_row": "A_row",
    "gamma_s": "gamma_s gamma_s_n",
    "order": "order",
    "candidates_1": "candidates_1",
    "candidates_2": "candidates_2",
    "changes_1": "changes_1",
    "changes_2": "changes_2",
}
GRAPH_SUBLEQ: Names = {
    "a_1": "Z_a1",
    "a_2": "Z_a2",
    "b": "Z_b",
    "c": "Z_c",
    "gamma_a": "Z_gamma",
    "m_G": "m_G",
    "m_aG": "m_aG",
    "m_aX": "m_aX",
    "m_a": "m_a",
    "m_b": "m_b",
    "diff": "diff",
    "M": "M",
    "k_next": "k_next",
    "cond_k": "cond_k",
    "k": "k",
    "term": "term",
}

CONSTANT = {"B_global", "B_local", "P", "own_index"}
NOT_LISTED = {
    "dijkstra": {"A_row"},  # what `candidates` is at first
    "bfs": {"equal"},  # the comparison whose conjunction is `interrupt`
    "scc": {"cur_i", "term_part_n"},  # `node` as a flag if write_1; term_part at the beginning
    "multitask": {"decrease"},  # term_min and γ_s
    "graph-subleq": {"Z_halts", "Z_last"},  # how an instruction says that it ends the run
}
"""Columns that no variable of a listing corresponds to."""
LOCAL = {"n", "i", "change", "change_2", "neighbour_visited"}
"""Names in `transcription` that X has not: a size, and what lives in one pass of an inner loop."""


# ── problems ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Problem:
    """What `model.run` is given, and what the listing is given."""

    matrix: Any
    options: dict[str, Any]
    given: dict[str, Any]


def padded(matrix: Any) -> list[list[Any]]:
    """Ã: nothing in row and column 0."""
    return np.pad(matrix, ((1, 0), (1, 0))).tolist()


def draw(model: lw.Model, rng: np.random.Generator) -> Problem:
    """A random graph, a source if there must be one, perhaps if there can be one."""
    matrix = random_matrix(rng)
    if model.edges == "ones":
        matrix = (matrix != 0).astype(float)
    if model.name == "graph-subleq":
        inputs, _ = random_program(matrix, rng)
        instructions = zip(*(inputs[key] for key in ("a1", "a2", "b", "c", "gamma")), strict=True)
        memory, code = [0, *inputs["memory"]], [(0, 0, 0, 0, 0), *instructions]
        return Problem(matrix, inputs, {"M_G": padded(matrix), "M": memory, "I": code})
    chance = {"required": 1.0, "optional": 0.5, "none": 0.0}[model.source]
    source = int(rng.integers(len(matrix))) if rng.random() < chance else None
    constants = model.constants
    options: dict[str, Any] = {"source": source}
    given = {
        "A": padded(matrix),
        "start": 0 if source is None else source + 1,
        "Ω": constants.mask,
        "Ω_hat": constants.unreached,
    }
    if model.name == "multitask":
        options["dfs"] = given["gamma_s"] = dfs = int(rng.integers(2))
        if dfs and rng.random() < 0.5:
            options["source"], given["start"] = None, 0
    return Problem(matrix, options, given)


# ── the comparison ──────────────────────────────────────────────────────────────────────────────


class Disagreement(AssertionError):
    """A cell of X is not what the listing says."""


class Follow(lw.Observer):
    """Runs a listing beside the model and compares all variables after each iteration."""

    def __init__(self, listing: Iterator[Mapping[str, Any]], names: Names) -> None:
        self.listing, self.names = listing, names

    def begin(self, model, graph, problem):
        self.model = model
        angles = model.constants.angle * np.arange(len(problem.x) + 1)
        self.positions = np.stack([np.sin(angles), np.cos(angles)], axis=1)

    def after_layer(self, iteration, layer, x):
        if layer == len(self.model.layers) - 1:
            said = next(self.listing, None)
            if said is None:
                raise Disagreement(f"iteration {iteration}: the listing has ended before")
            self.compare(iteration, said, x)

    def end(self, x, iterations):
        if next(self.listing, None) is not None:
            raise Disagreement(f"iteration {iterations}: the listing does not end here")

    def compare(self, iteration: int, said: Mapping[str, Any], x: np.ndarray) -> None:
        for name, ours in self.names.items():
            for field in map(self.model.layout.__getitem__, ours.split()):
                found, wanted = self.column(field, x), said[name]
                if field.scope is Scope.NODES:  # a single variable is repeated for all
                    wanted = wanted[1:] if isinstance(wanted, list) else [wanted] * len(found)
                else:
                    wanted = [wanted]
                if found != wanted:
                    raise Disagreement(
                        f"iteration {iteration}: '{name}' is {wanted}, '{field.name}' is {found}"
                    )

    def column(self, field: Field, x: np.ndarray) -> list[Any]:
        cells = x[1:] if field.scope is Scope.NODES else x[:1]
        if field.kind is Kind.POSITION:
            return [self.node_at(*point) for point in cells[:, field.columns].tolist()]
        return cells[:, field.first].tolist()

    def node_at(self, sine: float, cosine: float) -> int:
        """The number of a position, 0 for nowhere; −1 if it is none."""
        off = [hypot(sine - s, cosine - c) for s, c in self.positions.tolist()]
        nearest = int(np.argmin(off))
        return nearest if off[nearest] < 1e-9 else -1


@dataclass(frozen=True)
class Listing:
    """A listing of the paper, and our construction of it."""

    function: str
    """Its name in `transcription`."""
    names: Names
    construction: str = "paper"


LISTINGS = {
    "dijkstra": Listing("dijkstra", DIJKSTRA),
    "bfs": Listing("bfs", BFS, construction="printed"),
    "dfs": Listing("dfs", DFS),
    "scc": Listing("scc", SCC),
    "multitask": Listing("multitask", MULTITASK),
    "graph-subleq": Listing("graph_subleq", GRAPH_SUBLEQ),
}


@cache
def compiled(name: str) -> lw.Model:
    return lw.compile(ALGORITHMS[name](LISTINGS[name].construction), limits=LIMITS)


def follow(
    model: lw.Model, problem: Problem, *, machine: str, source: ModuleType = transcription
) -> None:
    """Run both, as the weights are: no other unit.

    Raises:
        Disagreement: at the first variable that is not the same.
    """
    listing = LISTINGS[model.name]
    function: Callable[..., Iterator[dict[str, Any]]] = getattr(source, listing.function)
    beside = Follow(function(**problem.given), listing.names)
    model.run(problem.matrix, machine=machine, observers=[beside], scale=1, **problem.options)


# ── tests ───────────────────────────────────────────────────────────────────────────────────────


def test_the_listings_know_nothing_of_ours():
    assert "loopwright" not in re.findall(
        r"(?:import|from) (\w+)", inspect.getsource(transcription)
    )


@pytest.mark.parametrize("name", LISTINGS)
def test_every_variable_is_compared(name):
    """Of the listing and of X, but for those said to be no part of the other."""
    model = compiled(name)
    problem = draw(model, np.random.default_rng(0))
    listing = getattr(transcription, LISTINGS[name].function)
    said = next(listing(**problem.given)).keys()
    ours = [column for columns in LISTINGS[name].names.values() for column in columns.split()]
    given = set(inspect.signature(listing).parameters) - LISTINGS[name].names.keys()
    unused = set() if name == "scc" else {"scc_cur", "scc_best"}
    assert said - given - LOCAL - (unused & said) == LISTINGS[name].names.keys()
    columns = {f.name for f in model.layout.fields if f.input is None or f.name in ours}
    assert len(ours) == len(set(ours))
    assert columns - CONSTANT - NOT_LISTED.get(name, set()) == set(ours)


def compare_on(graphs: int, name: str) -> None:
    model, rng = compiled(name), np.random.default_rng(4)
    for _ in range(graphs):
        follow(model, draw(model, rng), machine="native")


@pytest.mark.parametrize("name", LISTINGS)
def test_listing_and_weights_agree(name):
    compare_on(10, name)


def disagrees(model: lw.Model, *, source: ModuleType = transcription, graphs: int = 10) -> bool:
    """Whether the comparison ends a run, on one of some graphs."""
    rng = np.random.default_rng(4)
    for _ in range(graphs):
        try:
            follow(model, draw(model, rng), machine="reference", source=source)
        except Disagreement:
            return True
    return False


def without_a_weight(model: lw.Model, at: int) -> lw.Model:
    """W⁴ of a layer writes to X; the middle one of its weights becomes 0."""
    layer = model.layers[at]
    damaged = layer.mlp[3].copy()
    used = np.argwhere(damaged)
    damaged[*used[len(used) // 2]] = 0
    layer = replace(layer, mlp=(*layer.mlp[:3], damaged))
    return replace(model, layers=(*model.layers[:at], layer, *model.layers[at + 1 :]))


@pytest.mark.parametrize("name", LISTINGS)
def test_a_missing_weight_is_noticed(name):
    """In whatever layer it is, of those whose MLP does all their work."""
    model = compiled(name)
    working = [at for at, layer in enumerate(model.layers) if not layer.heads]
    assert len(working) >= 3
    missed = [at for at in working if not disagrees(without_a_weight(model, at))]
    assert not missed, [model.layers[at].name for at in missed]


CHANGES = [
    ("dijkstra", "self.val_cur < self.val_best", "self.val_cur <= self.val_best"),
    ("dijkstra", "candidates[i] < dists[i]", "candidates[i] <= dists[i]"),
    ("dijkstra", "term_min or is_zero[i]", "term_min and is_zero[i]"),  # as printed
    ("bfs", "order = order + get_minimum.term_min", "order = get_minimum.val_best + 1"),
    ("bfs", "disc[i] = disc[i] or changes[i]", "disc[i] = changes[i]"),
    ("dfs", "order = order - get_minimum.term_min", "order = order - 1"),
    ("dfs", "    visit[node] = visit[node] or get_minimum.term_min", "    pass"),
    ("scc", "self.scc_best = self.scc_cur", "pass"),
    ("scc", "visit_3[node] or write_2", "visit[node] or write_2"),  # as printed
    ("scc", "changes_2[node] = nvisit_all and write_1", "changes_2[node] = write_1"),
    ("multitask", "A_row[i] > 0", "A_row[i] == 1"),  # as printed
    ("graph-subleq", "diff <= 0", "diff < 0"),
    ("graph-subleq", "M[b] = diff", "M[b] = M[b]"),
]
"""An algorithm, a part of its listing, and what to put there."""


@pytest.mark.parametrize(("name", "part", "other"), CHANGES)
def test_another_listing_is_noticed(name, part, other):
    text = inspect.getsource(transcription)
    assert part in text
    changed = ModuleType("changed")
    exec(text.replace(part, other), vars(changed))
    assert disagrees(compiled(name), source=changed)


if __name__ == "__main__":
    for algorithm in LISTINGS:
        compare_on(int(sys.argv[1]), algorithm)
        print(f"{algorithm}: {sys.argv[1]} graphs, every variable after every iteration")
