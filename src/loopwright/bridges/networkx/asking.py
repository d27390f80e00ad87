"""One run of a model, by the construction and machine that are configured."""

# NetworkX has no complete types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import networkx as nx

from loopwright.algorithms.registry import Algorithm
from loopwright.bridges.networkx.edges import Edges
from loopwright.bridges.networkx.refusal import Refusal
from loopwright.compiler.compile import compile
from loopwright.errors import DidNotHalt, LoopwrightError
from loopwright.model.limits import Limits
from loopwright.runtime.decode import Answer
from loopwright.runtime.model import Model
from loopwright.runtime.observe import Observer

NODES = 2**16
"""How many rows the models tell apart."""
LARGEST = tuple(Limits(nodes=NODES, largest=2**k, resolution=1) for k in (20, 30, 40, 49))
"""What the models are compiled for: whole numbers of 20 to 49 bits. A sum of values that tie must
be exact, so a graph whose numbers are small gets a model whose numbers are."""
ROOM = 4
"""How many times the largest number of a question its model must hold."""


@lru_cache(maxsize=64)
def model_of(algorithm: str, construction: str, limits: Limits) -> Model:
    """Compiled once for each size of numbers."""
    return Model.of(compile(ALGORITHMS[algorithm](construction), limits=limits))


ALGORITHMS: dict[str, Algorithm] = {}
"""Those that were asked, by name: models are kept by the name of what they are."""


def model_for(algorithm: Algorithm, edges: Edges, most: int) -> Model:
    """The model whose numbers hold what the question has.

    Raises:
        Refusal: if there is none, or if the construction that is configured is not there.
    """
    rows = edges.graph.n
    if rows > NODES:
        twins = " (each has a twin, with the order of its neighbours)" if edges.twins else ""
        raise Refusal(f"{edges.nodes:,} nodes take {rows:,} rows{twins}; models have {NODES:,}.")
    limits = next((each for each in LARGEST if each.largest >= ROOM * most), LARGEST[-1])
    wanted = configured("construction")
    construction = algorithm.default if wanted == "default" else wanted
    if construction not in algorithm.constructions:
        there = ", ".join(algorithm.constructions)
        raise Refusal(f"'{algorithm.name}' has no construction '{wanted}'; there are: {there}.")
    ALGORITHMS[algorithm.name] = algorithm
    return model_of(algorithm.name, construction, limits)


def certify(algorithm: Algorithm, edges: Edges, inputs: dict[str, Any]) -> None:
    """See whether the answer would be guaranteed, before anything runs.

    Raises:
        Refusal: with the certificate's reason.
    """
    model = model_for(algorithm, edges, largest(edges, inputs))
    try:
        model.check(edges.graph, **inputs).require(model.name)
    except LoopwrightError as problem:
        raise Refusal(str(problem)) from None


def ask(
    algorithm: Algorithm,
    edges: Edges,
    inputs: dict[str, Any],
    *,
    observers: Sequence[Observer] = (),
    max_iterations: int | None = None,
) -> Answer:
    """Run the model.

    Raises:
        Refusal: if the answer is not guaranteed on this graph.
        DidNotHalt: if it takes more iterations than that.
    """
    model = model_for(algorithm, edges, largest(edges, inputs))
    try:
        return model.run(
            edges.graph,
            machine=configured("machine"),
            observers=observers,
            max_iterations=max_iterations,
            **inputs,
        )
    except DidNotHalt:
        raise
    except LoopwrightError as problem:
        raise Refusal(str(problem)) from None


def configured(option: str) -> str:
    """What `nx.config.backends.loopwright` says."""
    options: Any = nx.config.backends
    return options.loopwright[option]


def largest(edges: Edges, inputs: dict[str, Any]) -> int:
    """What no number of the question exceeds: paths, and places in a queue."""
    given = max((abs(number) for number in inputs.values() if isinstance(number, int)), default=0)
    weights = edges.graph.floats
    heaviest = int(weights.max()) if len(weights) else 1
    return max(given, 1) + (edges.nodes + 2) * (heaviest + edges.stride)
