"""Random programs for the machines, small enough that nothing overflows in `STEPS` steps."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
from hypothesis import strategies as st

import loopwright.subleq
from loopwright.subleq import HALT, Code, Entry, GraphSubleq, Instruction
from strategies import graphs

EXAMPLES = Path(__file__).parents[2] / "examples" / "subleq"
PACKAGE = Path(loopwright.subleq.__file__).parent
IDIOMS = re.findall(
    r"^\.macro (\w+)", (PACKAGE / "idioms.sq").read_text(encoding="utf-8"), re.MULTILINE
)
STEPS = 30
"""A value can double with each step: 2³⁰ × 40 is far below the 2⁴⁷ that quarters leave."""


def weights(graph: nx.Graph) -> list[dict[int, Fraction]]:
    """Node → neighbour → weight, straight from networkx."""
    return [{j: Fraction(data.get("weight", 1)) for j, data in graph.adj[i].items()} for i in graph]


def plain(code: Code, graph: nx.Graph | None = None) -> GraphSubleq:
    return GraphSubleq(code.instructions, list(code.memory), weights(graph) if graph else [])


@st.composite
def codes(draw: Any, *, nodes: int, most: int = 6) -> Code:
    """Any instructions over a few cells; few jumps halt, so that runs are long."""
    cells, count = draw(st.integers(1, 5)), draw(st.integers(1, most))
    cell, node = st.integers(0, cells - 1), st.integers(0, max(nodes, 1) - 1)
    entry = st.builds(Entry, node, node)
    a = st.one_of(cell, entry) if nodes else cell
    c = st.sampled_from([HALT, *range(count), *range(count)])
    one = st.builds(Instruction, a, cell, c)
    number = draw(
        st.sampled_from([st.integers(-20, 20), st.integers(-80, 80).map(lambda k: Fraction(k, 4))])
    )
    return Code(
        tuple(draw(st.lists(one, min_size=count, max_size=count))),
        tuple(draw(st.lists(number, min_size=cells, max_size=cells))),
    )


@st.composite
def problems(draw: Any) -> tuple[Code, nx.Graph]:
    """A program, and a graph that has the nodes it reads."""
    graph = draw(graphs(max_nodes=4))
    return draw(codes(nodes=len(graph))), graph


@dataclass(frozen=True)
class Image:
    """A SUBLEQ⁻ memory image."""

    memory: list[int]
    nodes: int


@st.composite
def images(draw: Any) -> Image:
    """The graph, then instructions that keep to the data, then the data."""
    nodes, count, cells = draw(st.integers(0, 3)), draw(st.integers(1, 6)), draw(st.integers(1, 4))
    first = nodes**2
    data = first + 3 * count
    written = st.integers(data, data + cells - 1)
    read = st.one_of(written, st.integers(0, first - 1)) if first else written
    target = st.one_of(st.just(HALT), st.integers(0, count - 1).map(lambda i: first + 3 * i))
    memory = draw(st.lists(st.integers(0, 5), min_size=first, max_size=first))
    for _ in range(count - 1):
        memory += [draw(read), draw(written), draw(target)]
    last = draw(written)  # it must jump: the data lies behind it
    memory += [last, last, draw(target)]
    return Image(memory + draw(st.lists(st.integers(-9, 9), min_size=cells, max_size=cells)), nodes)
