"""What the public API is called with: a valid example for each parameter, and hostile values.

All are Python expressions in the names of `NAMES`, so that a call can be printed as it was made,
and every call gets objects of its own.
"""

from __future__ import annotations

import io
import tempfile
from decimal import Decimal
from fractions import Fraction
from functools import cache
from inspect import Parameter
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import scipy.sparse

import loopwright as lw
from loopwright.language.formulas import Less, Same
from loopwright.language.op import declarations
from loopwright.language.variables import Variable
from loopwright.model.layout import Kind, Scope
from loopwright.watch.trace.lines import TraceLines
from public_surface import Door

# ── names for the expressions ───────────────────────────────────────────────────────────────────

EDGES = [("a", "b", 3), ("b", "c", 0.5), ("a", "c", 4), ("c", "d", 1)]
LIMITS = lw.Limits(nodes=8, largest=64, resolution=Fraction(1, 2**20))
PROGRAM = lw.algorithms.multitask("compact")
"""It has a source and an input besides the graph."""
MODEL = lw.compile(PROGRAM, limits=LIMITS)
KEPT, HALT = lw.nodes.value("kept", start=0), lw.single.flag("halt", start=0)
LAST = lw.step("stop", lw.ops.Set(HALT, lw.B_GLOBAL), lw.ops.Copy(KEPT, 1))


@cache
def example_file(name: str) -> Path:
    """A saved model and a trace, written once."""
    folder = Path(tempfile.mkdtemp(prefix="loopwright-misuse-"))
    if name.endswith(".safetensors"):
        MODEL.save(folder / name)
    else:
        writer = lw.TraceWriter(folder / name)
        MODEL.run(EDGES, source="a", machine="reference", observers=[writer])
    return folder / name


@cache
def example_folder() -> Path:
    """A folder as the Hub has it, written once."""
    folder = Path(tempfile.mkdtemp(prefix="loopwright-misuse-"))
    MODEL.save_pretrained(folder)
    return folder


def trace() -> lw.Trace:
    return lw.Trace.load(example_file("run.jsonl"))


def operand(op: str, name: str) -> Variable:
    """A variable that this op takes under this name."""
    cls = getattr(lw.ops, op)
    taken = {name: each for name, each, _ in declarations(cls)}
    out_scope = (taken["out"].scope if "out" in taken else None) or Scope.NODES
    kinds: tuple[Kind, ...] = taken[name].kinds if name in taken else tuple(Kind)
    fine = Kind.VALUE in kinds and not cls.matches  # beside keys, values need other limits
    kind = Kind.VALUE if fine else kinds[0]
    scope = (taken[name].scope if name in taken else None) or out_scope
    declare = lw.nodes if scope is Scope.NODES else lw.single
    signed = name in taken and taken[name].sign == "signed"
    options = {"signed": True} if signed else {}
    return getattr(declare, kind)(f"some {name}", start=0, **options)


def odd_graph() -> nx.DiGraph:
    """Labels of every type, and weights that are none."""
    graph = nx.DiGraph()
    labels = ["a\nb", float("nan"), "", "\x1b[2J", (1, "a"), frozenset({1}), 2**70, True, 1.5]
    weights = [None, float("nan"), -1, "three", 0, float("inf"), 1j, [1]]
    for tail, head, weight in zip(labels, labels[1:], weights, strict=False):
        graph.add_edge(tail, head, weight=weight)
    return graph


def odd_labels() -> nx.DiGraph:
    """The same without weights: a graph that can be run."""
    return nx.DiGraph(list(odd_graph().edges))


def nested(depth: int) -> list[Any]:
    made: list[Any] = []
    for _ in range(depth):
        made = [made]
    return made


def endless() -> list[Any]:
    """A list that contains itself."""
    made: list[Any] = []
    made.append(made)
    return made


NAMES: dict[str, Any] = {
    "lw": lw,
    "io": io,
    "np": np,
    "nx": nx,
    "scipy": scipy,
    "Decimal": Decimal,
    "Fraction": Fraction,
    "Path": Path,
    "TraceLines": TraceLines,
    "Less": Less,
    "Same": Same,
    "EDGES": EDGES,
    "LIMITS": LIMITS,
    "PROGRAM": PROGRAM,
    "MODEL": MODEL,
    "KEPT": KEPT,
    "HALT": HALT,
    "LAST": LAST,
    "example_file": example_file,
    "example_folder": example_folder,
    "trace": trace,
    "operand": operand,
    "odd_graph": odd_graph,
    "odd_labels": odd_labels,
    "nested": nested,
    "endless": endless,
}


def value_of(expression: str) -> Any:
    return eval(expression, dict(NAMES))


# ── valid examples ──────────────────────────────────────────────────────────────────────────────

INSTANCES = {
    "Answer": "MODEL.run(EDGES, source='a', machine='reference')",
    "Algorithm": "lw.algorithms.dijkstra",
    "Certificate": "MODEL.check(EDGES)",
    "Circuit": "lw.circuit(MODEL)",
    "Comparison": "Less(lw.OWN_INDEX, 1)",
    "Cost": "lw.cost(MODEL)",
    "Counterfactual": "lw.patch(MODEL, EDGES, variable='dists', value=1, iteration=1, source='a')",
    "Disguised": "lw.disguise(MODEL, seed=0, mix=False, units=False)",
    "Formula": "lw.B_LOCAL & ~lw.nodes.flag('a', start=0)",
    "Frame": "trace()[1, 0]",
    "Graph": "lw.Graph.of(EDGES)",
    "Less": "Less(lw.OWN_INDEX, 1)",
    "Model": "MODEL",
    "Program": "lw.Program('own', (LAST,), {'kept': KEPT}, HALT, (1,))",
    "Same": "Same(lw.OWN_INDEX, 1)",
    "Trace": "trace()",
    "TraceWriter": "lw.TraceWriter('run.jsonl')",
    "View": "lw.view(MODEL, EDGES, source='a')",
    "Variable": "lw.nodes.flag('a', start=0)",
}
"""Class → an instance, whose methods are called."""

EXAMPLES = {
    "at_source": "1",
    "attention": "'hardmax'",
    "bound": "(1,)",
    "broken": "None",
    "checked": "True",
    "construction": "None",
    "counts": "(1,)",
    "directed": "True",
    "distractors": "1",
    "dtype": "'float64'",
    "edges": "'weights'",
    "graph": "EDGES",
    "grain": "'head'",
    "graphs": "[EDGES, EDGES]",
    "half_tangent": "Fraction(1, 4)",
    "halt": "HALT",
    "iterations": "lambda n: n + 1",
    "label": "'a'",
    "labels": "('a', 'b')",
    "largest": "64",
    "layers": "'given'",
    "limits": "LIMITS",
    "lines": "TraceLines(example_file('run.jsonl'))",
    "machine": "'reference'",
    "matrix": "np.array([[0, 2.0], [0, 0]])",
    "max_iterations": "10",
    "model": "MODEL",
    "mix": "False",
    "name": "'x'",
    "needs": "('undirected',)",
    "node": "'a'",
    "noise": "True",
    "permute": "True",
    "nodes": "8",
    "observers": "[lw.Observer()]",
    "omega": "Fraction(5120)",
    "other": "lw.nodes.flag('b', start=0)",
    "outputs": "{'kept': KEPT}",
    "paper": "1",
    "folder": "'out'",
    "path": "'out'",
    "place": "(1, 0)",
    "pointers": "()",
    "program": "PROGRAM",
    "progress": "lambda *_: None",
    "resolution": "Fraction(1, 2**20)",
    "rows": "4",
    "run": "MODEL",
    "scale": "1",
    "seed": "0",
    "signed": "True",
    "source": "'a'",
    "sources": "['a', 'a']",
    "start": "0",
    "steps": "(LAST,)",
    "temperature": "Fraction(1, 1000)",
    "times": "3",
    "units": "True",
    "values": "'paths'",
    "choices": "'one'",
    "source_unless": "None",
    "weight": "'weight'",
    "weights": "MODEL",
    "workers": "1",
    "cluster": "None",
    "written": "lw.Program('own', (LAST,), {'kept': KEPT}, HALT, (1,))",
    "ops": "lw.ops.Copy(KEPT, 1)",
    "inputs": "0",
    "options": "'reference'",
    "otherwise": "1",
}
"""Parameter → a valid argument, wherever it has this name …"""

KEYWORDS = {"inputs": "dfs", "options": "machine"}
"""Parameter that takes any keywords → the one that is given."""

EXAMPLES_OF = {
    "Answer": {
        "result": "{'dists': {'a': 0.0}}",
        "iterations": "1",
        "seconds": "0.5",
        "total_seconds": "0.5",
        "guaranteed": "True",
        "exact": "True",
        "construction": "'compact'",
        "graph": "None",
    },
    "Answer.array": {"name": "'dists'"},
    "Answer.plot": {"name": "'dists'"},
    "Frame.__getitem__": {"name": "'dists'"},
    "Graph": {
        "tails": "np.array([0])",
        "heads": "np.array([1])",
        "weights": "np.array([3.0])",
    },
    "Graph.from_edges": {"edges": "EDGES", "nodes": "['a']"},
    "Graph.of": {"source": "EDGES"},
    "Limits.fit": {"graph": "lw.Graph.of(EDGES)"},
    "Model.from_pretrained": {"folder": "example_folder()"},
    "Model.load": {"path": "example_file('model.safetensors')"},
    "Program": {"construction": "'own'", "source": "'none'"},
    "patch": {
        "variable": "'dists'",
        "value": "1",
        "iteration": "1",
        "layer": "None",
    },
    "Trace.plot": {"name": "'dists'"},
    "Trace.since": {"iteration": "1"},
    "Trace.load": {"path": "example_file('run.jsonl')"},
    "TraceWriter": {"attention": "True"},
    "algorithm": {"construction": "'own'", "source": "'none'"},
    "algorithms.Algorithm": {
        "summary": "'Finds x.'",
        "constructions": "{'own': lambda: PROGRAM}",
        "differences": "''",
    },
    "view": {"model": "None", "start": "1", "machine": "None"},
    "from_pretrained": {"folder": "example_folder()"},
    "load": {"path": "example_file('model.safetensors')"},
    "single.count": {"at_source": "None"},
    "single.flag": {"at_source": "None"},
    "single.value": {"at_source": "None"},
}
"""… but for these doors."""


def constants_of(op: type[lw.ops.Op]) -> set[str]:
    """What an op takes a number for, never a variable."""
    return {str(op.multiplies)} | ({"otherwise"} if op.chooses else set())


def example(door: Door, parameter: Parameter) -> str:
    """A valid argument.

    Raises:
        KeyError: if nobody has given one.
    """
    if door.call in lw.ops.ALL and parameter.name not in constants_of(door.call):
        return f"operand({door.call.__name__!r}, {parameter.name!r})"
    if door.call is lw.Model:
        return f"MODEL.{parameter.name}"
    return EXAMPLES_OF.get(door.name, {}).get(parameter.name) or EXAMPLES[parameter.name]


# ── hostile values ──────────────────────────────────────────────────────────────────────────────

HOSTILE = [
    # nothing, and things that are no data
    *("None", "...", "NotImplemented", "object()", "int", "len", "lambda *_: None", "lw"),
    # numbers
    *("True", "False", "-1", "0", "1", "7", "2**31", "2**63", "-(2**63)", "10**400", "10**5000"),
    *("-0.0", "0.5", "1e308", "5e-324", "float('nan')", "float('inf')", "-float('inf')", "1j"),
    *("Fraction(1, 3)", "Fraction(-7, 2)", "Fraction(1, 10**400)", "Decimal('NaN')"),
    *("Decimal('1e999999999')", "np.float32(0.1)", "np.int64(-1)", "np.bool_(True)"),
    # text, and what is almost one of an enumeration
    *("''", "'foo'", "'\\x00'", "'\\ud800'", "'a\\nb'", "'x' * 5000", "'1'", "'nan'", "b'x'"),
    *("'Softmax'", "'gpu'", "'weight'", "'require'", "'input:'", "'own'", "'paper'", "'float128'"),
    *("Path('nowhere/at/all')", "Path('.')", "io.StringIO('a b 1')"),
    # containers
    *("[]", "()", "{}", "set()", "{1, 2}", "frozenset('ab')", "[None]", "[[]]", "[[1, 2], [3]]"),
    *("[('a', 'b', 'c', 'd')]", "[('a', 'b', None)]", "[(1, 2, -1)]", "[([], {})]", "('a', 'a')"),
    *("{'a': {'b': 1}}", "{1: 2}", "{None: None}", "range(3)", "iter(())", "(x for x in 'ab')"),
    *("nested(2000)", "endless()"),
    # arrays
    *("np.array(5)", "np.zeros(0)", "np.zeros((2, 3))", "np.zeros((3, 3, 3))", "np.ones((2, 2))"),
    *("np.full((2, 2), np.nan)", "np.full((2, 2), -1)", "np.array([[1j]])", "np.array(['a'])"),
    *("np.array([None, 1])", "np.zeros(2, 'datetime64[s]')", "np.zeros(2, 'f4,i2')"),
    *("np.array([5, -5])", "np.array([2**63], np.uint64)", "np.array([True, False])"),
    "scipy.sparse.coo_array((3, 4))",
    # graphs
    *("nx.Graph()", "odd_graph()", "odd_labels()", "nx.MultiDiGraph([(0, 1), (0, 1)])"),
    *("lw.Graph.of([('a', 'b', 2)])", "lw.Graph.of(np.eye(20))"),
    # what is right somewhere else
    *("MODEL", "PROGRAM", "LIMITS", "LIMITS.constants()", "LAST", "trace()", "MODEL.layout"),
    *("MODEL.check(EDGES)", "lw.MASK", "lw.OWN_INDEX", "lw.B_GLOBAL & lw.B_GLOBAL", "KEPT"),
    *("lw.nodes.position('p', start=0)", "lw.single.count('c', start=0)", "lw.ops.Copy(KEPT, 1)"),
    *("lw.nodes", "lw.nodes.flag", "lw.Model", "lw.Observer", "lw.Observer()", "[lw.Observer]"),
    *("lw.ops.Copy", "lw.algorithms.dijkstra", "lw.LoopwrightError('x')"),
]
