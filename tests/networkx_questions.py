"""Random graphs of NetworkX's generators, and questions for every function that is dispatched.

    python tests/networkx_questions.py 10000     # so many graphs, and a record of how it went

An answer of the backend must equal NetworkX's to the last type: the order of dicts and of what is
yielded, ints that are no floats, the same errors with the same words. A refusal is counted, with
its reason; it is no answer.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from inspect import signature
from pathlib import Path
from types import GeneratorType
from typing import Any

import networkx as nx

RECORD = Path(__file__).parent.parent / "docs" / "figures" / "networkx-random.json"

FUNCTIONS_EACH = 8
"""How many functions a graph is asked: 10,000 graphs ask each of them about 950 times."""

GENERATORS: dict[str, Callable[[int, int, random.Random], nx.Graph]] = {
    "gnp": lambda n, s, r: nx.gnp_random_graph(n, r.random() * 0.6, seed=s),
    "directed gnp": lambda n, s, r: nx.gnp_random_graph(n, r.random() * 0.5, seed=s, directed=True),
    "gnm": lambda n, s, r: nx.gnm_random_graph(n, r.randint(0, 3 * n), seed=s),
    "path": lambda n, s, r: nx.path_graph(n, create_using=r.choice([nx.Graph, nx.DiGraph])),
    "cycle": lambda n, s, r: nx.cycle_graph(n, create_using=r.choice([nx.Graph, nx.DiGraph])),
    "star": lambda n, s, r: nx.star_graph(n),
    "wheel": lambda n, s, r: nx.wheel_graph(max(n, 4)),
    "ladder": lambda n, s, r: nx.ladder_graph(max(n // 2, 1)),
    "complete": lambda n, s, r: nx.complete_graph(min(n, 8)),
    "bipartite": lambda n, s, r: nx.bipartite.random_graph(n // 2 + 1, n // 2 + 1, 0.4, seed=s),
    "tree": lambda n, s, r: nx.random_labeled_tree(n, seed=s),
    "scale-free": lambda n, s, r: nx.barabasi_albert_graph(max(n, 3), 2, seed=s),
    "small world": lambda n, s, r: nx.watts_strogatz_graph(max(n, 5), 4, 0.3, seed=s),
    "grid": lambda n, s, r: nx.grid_2d_graph(2, max(n // 2, 1)),
    "growing": lambda n, s, r: nx.gn_graph(max(n, 2), seed=s),
    "acyclic": lambda n, s, r: nx.DiGraph(
        (u, v) for u, v in nx.gnp_random_graph(n, 0.3, seed=s).edges
    ),
    "geometric": lambda n, s, r: nx.random_geometric_graph(n, 0.4, seed=s),
    "parts": lambda n, s, r: nx.disjoint_union(
        nx.gnp_random_graph(n // 2 + 1, 0.4, seed=s), nx.path_graph(n // 2 + 1)
    ),
}

LABELS: dict[str, Callable[[int], Any]] = {
    "int": lambda k: k,
    "shifted": lambda k: 10 * k - 7,
    "text": lambda k: f"node {k}",
    "letter": lambda k: chr(97 + k % 26) * (1 + k // 26),
    "pair": lambda k: (k % 3, k),
    "frozenset": lambda k: frozenset({k, k + 100}),
    "float": lambda k: k + 0.5,
    "bytes": lambda k: bytes([k % 256, k // 256]),
    "mixed": lambda k: (k, str(k), (k,))[k % 3],
    "fraction": lambda k: Fraction(k, 7),
}

WEIGHTS: dict[str, Callable[[random.Random], Any]] = {
    "none": lambda r: None,
    "small": lambda r: r.randint(1, 3),
    "large": lambda r: r.randint(1, 10**6),
    "zeros": lambda r: r.randint(0, 2),
    "negative": lambda r: r.randint(-1, 6),
    "halves": lambda r: r.randint(0, 12) / 2,
    "mixed": lambda r: r.choice([1, 2.0, 0.5, 3]),
    "fractions": lambda r: Fraction(r.randint(0, 9), r.choice([1, 2, 3])),
    "floats": lambda r: r.random(),
}


def draw_graph(draw: random.Random, most: int = 14) -> tuple[nx.Graph, str]:
    """A graph and what it is: any generator, labels, weights, direction; edges in any order."""
    kind, labels, weights = (draw.choice(list(known)) for known in (GENERATORS, LABELS, WEIGHTS))
    plain = GENERATORS[kind](draw.randint(1, most), draw.randrange(10**6), draw)
    if draw.random() < 0.3 and not plain.is_directed():
        plain = plain.to_directed()
    number = {node: k for k, node in enumerate(plain)}
    name = {node: LABELS[labels](number[node]) for node in plain}
    graph = plain.__class__() if draw.random() < 0.9 else multigraph_of(plain)
    nodes, edges = list(plain), list(plain.edges)
    if draw.random() < 0.7:
        draw.shuffle(nodes)
        draw.shuffle(edges)
    graph.add_nodes_from(name[node] for node in nodes)
    for u, v in edges:
        ends = (name[u], name[v])
        for end in [ends, *[ends] * (graph.is_multigraph() and draw.random() < 0.3)]:
            weight = WEIGHTS[weights](draw)
            graph.add_edge(*end, **({} if weight is None else {"weight": weight}))
    if draw.random() < 0.1 and len(graph):
        loop = draw.choice(list(graph))
        graph.add_edge(loop, loop)
    return graph, f"{kind}, {labels} labels, {weights} weights"


def multigraph_of(graph: nx.Graph) -> nx.Graph:
    return nx.MultiDiGraph() if graph.is_directed() else nx.MultiGraph()


# ── questions ───────────────────────────────────────────────────────────────────────────────────


def arguments(name: str, graph: nx.Graph, draw: random.Random) -> dict[str, Any]:
    """Some for every parameter that the function has: often those that are there by default."""
    nodes = list(graph)
    if not nodes or draw.random() < 0.02:
        nodes = ["a stranger"]
    weighted = any("weight" in data for *_, data in graph.edges(data=True))
    choices: dict[str, Callable[[], Any]] = {
        "source": lambda: draw.choice(nodes),
        "target": lambda: draw.choice(nodes),
        "n": lambda: draw.choice(nodes),
        "v": lambda: draw.choice([None, draw.choice(nodes)]),
        "sources": lambda: draw.sample(nodes, min(len(nodes), draw.randint(1, 2))),
        "weight": lambda: "weight" if weighted and draw.random() < 0.7 else None,
        "cutoff": lambda: draw.choice([None, None, 0, 1, 2, 3.5]),
        "distance": lambda: draw.randint(0, 3),
        "depth_limit": lambda: draw.choice([None, None, None, 1, 2, 3]),
        "reverse": lambda: draw.random() < 0.3,
        "method": lambda: draw.choice(["dijkstra", "bellman-ford"]),
        "return_seen": lambda: draw.choice([None, True]),
        "data": lambda: draw.random() < 0.5,
        "k": lambda: draw.choice([None, 1, 2]),
        "key": lambda: draw.choice([None, repr]),
    }
    parameters = signature(dispatched(name)).parameters.values()
    given = {}
    for parameter in parameters:
        if parameter.name not in choices:
            continue
        required = parameter.default is parameter.empty
        if not required and draw.random() < 0.4:
            continue
        value = choices[parameter.name]()
        if parameter.name == "weight" and parameter.default == "weight" and value is None:
            continue
        if parameter.name == "method" and name == "average_shortest_path_length":
            continue
        given[parameter.name] = value
    return given


def dispatched(name: str) -> Any:
    """The function that people call, with the checks that NetworkX does before it dispatches."""
    rooms = (nx, nx.bipartite, nx.algorithms.dag)
    return next(getattr(room, name) for room in rooms if hasattr(room, name))


def outcome(call: Callable[[], Any]) -> Any:
    """What a call gives, with types and order, or what it raises. What is refused stays so."""
    try:
        return written(call())
    except NotImplementedError as refusal:
        if isinstance(refusal, nx.NetworkXException):
            return type(refusal).__name__, str(refusal)
        raise
    except RecursionError:
        raise
    except Exception as problem:
        return type(problem).__name__, str(problem)


def written(value: Any) -> Any:
    """A value as something in which order and types count."""
    if isinstance(value, nx.Graph):
        return (
            type(value).__name__,
            list(value.nodes(data=True)),
            [(u, list(of.items())) for u, of in value.adjacency()],
            value.graph,
        )
    if isinstance(value, dict):
        return "dict", [(written(key), written(each)) for key, each in value.items()]
    if isinstance(value, list | tuple):
        return type(value).__name__, [written(each) for each in value]
    if isinstance(value, GeneratorType):
        return "generator", *yielded(value)
    return type(value).__name__, value


def yielded(generator: Iterator[Any]) -> tuple[list[Any], Any]:
    """What it yields, and what it raises in the end."""
    found: list[Any] = []
    try:
        for value in generator:
            found.append(written(value))
    except NotImplementedError as refusal:
        if not isinstance(refusal, nx.NetworkXException):
            raise
        return found, (type(refusal).__name__, str(refusal))
    except Exception as problem:
        return found, (type(problem).__name__, str(problem))
    return found, None


def compare(name: str, graph: nx.Graph, given: dict[str, Any]) -> str | None:
    """Ask both. None if they agree, or the reason for which the backend refuses.

    Raises:
        AssertionError: if they do not agree.
    """
    function = dispatched(name)
    expected = outcome(lambda: function(graph, backend="networkx", **given))
    try:
        found = outcome(lambda: function(graph, backend="loopwright", **given))
    except NotImplementedError as refusal:
        reason = nx.utils.backends._load_backend("loopwright").can_run(name, (graph,), given)
        return str(refusal.__cause__ or reason if reason is True else reason)
    assert found == expected, (
        f"{name}({given}) on {graph.__class__.__name__} {list(graph.nodes)} "
        f"{list(graph.edges(data=True))}:\n  loopwright {found}\n  networkx   {expected}"
    )
    return None


def names() -> list[str]:
    return sorted(nx.utils.backends.backend_info["loopwright"]["functions"])


def ask_all(seed: int, count: int) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Some functions on each of so many graphs: how many were answered, refused, and why."""
    answered, refused, reasons = Counter[str](), Counter[str](), Counter[str]()
    nx.config.warnings_to_ignore.add("cache")
    for k in range(count):
        draw = random.Random(f"{seed} {k}")
        graph, _ = draw_graph(draw)
        for name in draw.sample(names(), FUNCTIONS_EACH):
            reason = compare(name, graph, arguments(name, graph, draw))
            if reason is None:
                answered[name] += 1
            else:
                refused[name] += 1
                reasons[reason] += 1
    return answered, refused, reasons


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    begin = time.perf_counter()
    answered, refused, reasons = ask_all(seed, count)
    record = {
        "command": f"python tests/networkx_questions.py {count} {seed}",
        "graphs": count,
        "functions": len(names()),
        "answers": answered.total(),
        "different": 0,
        "refused": refused.total(),
        "seconds": round(time.perf_counter() - begin),
        "answered": dict(sorted(answered.items())),
        "refused_by_function": dict(sorted(refused.items())),
        "reasons": dict(reasons.most_common(40)),
    }
    print(json.dumps(record, indent=1, ensure_ascii=False))
    if count >= 10_000:
        RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
