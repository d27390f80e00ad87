"""X_T → Answer: reads the output columns, gives back the labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, isfinite, nextafter
from types import NoneType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import (
    LoopwrightError,
    brief,
    needing,
    require_known,
    require_type,
    require_whole,
)
from loopwright.model.layout import Field, Kind
from loopwright.model.limits import LARGEST_COUNT
from loopwright.model.markup import table
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Array
from loopwright.runtime.graph import Graph, Label
from loopwright.runtime.outputs import Output, Outputs, output_of
from loopwright.runtime.remember import once_for_each_model


@dataclass(frozen=True, repr=False)
class Answer:
    """What a run found: `answer.dists["a"]`, or `answer.result["dists"]["a"]`.

    It says of itself how far it can be trusted, also after it was copied, pickled or sent here by
    another process. An output that is called as one of these fields is in `result`.
    """

    result: Mapping[str, Mapping[Label, Any]]
    """Output name → label → value: a number (None: unreached), a label, or a truth value."""
    iterations: int
    seconds: float
    """How long the loop alone took."""
    total_seconds: float = 0.0
    """How long it took from the graph as the caller had it to this answer."""
    guaranteed: bool = False
    """Whether every bound of the certificate holds on this graph (see `Model.check`): then it is
    what the program means, for the weights as the model sees them."""
    exact: bool = False
    """Whether it is guaranteed and no weight had to be rounded: then it is right bit for bit."""
    checked: bool = False
    """Whether the run would have been refused if the answer had not been guaranteed. If it is not
    checked, the answer may still be guaranteed; a checked one always is."""
    construction: str = ""
    """Whose layers the model has: "paper", "compact" or another."""
    pointers: tuple[str, ...] = ()
    """The outputs whose values are nodes."""
    graph: Graph | None = field(default=None, compare=False)
    """What it is an answer on."""

    def __post_init__(self) -> None:
        """Whoever makes one by hand may have no type checker.

        Raises:
            LoopwrightError: naming the field that is not of its type.
        """
        outputs = "a mapping from names to what each node has, as {'dists': {'a': 0}}"
        require_type("result", self.result, Mapping, outputs)
        for name, output in () if isinstance(self.result, Outputs) else self.result.items():
            require_type("the name of an output", name, str, "a text")
            require_type(f"result['{brief(name)}']", output, Mapping, "a mapping from labels")
        require_whole("iterations", self.iterations, least=0, most=LARGEST_COUNT)
        for name in ("seconds", "total_seconds"):
            require_type(name, getattr(self, name), (int, float), "a number of seconds")
        for name in ("guaranteed", "exact", "checked"):
            require_type(name, getattr(self, name), bool, "True or False")
        require_type("construction", self.construction, str, "a text")
        require_type("pointers", self.pointers, tuple, "a tuple of names of outputs")
        for name in self.pointers:
            require_known("output", name, self.result)
        require_type("graph", self.graph, (Graph, NoneType), "an lw.Graph, or None")

    def __repr__(self) -> str:
        nodes = max(map(len, self.result.values()), default=0)
        names = ", ".join(self.result)
        return f"<Answer: {names} of {nodes} nodes, {self.iterations} iterations>"

    def _repr_html_(self) -> str:
        labels = list(dict.fromkeys(label for column in self.result.values() for label in column))
        rows = (
            (label, *(column.get(label) for column in self.result.values())) for label in labels
        )
        return table(repr(self)[1:-1], ("node", *self.result), rows, count=len(labels))

    def array(self, name: str) -> NDArray[Any]:
        """An output as a NumPy array, in the order of the nodes.

        Numbers are floats, and what is unreached is infinite; nodes are their places in that
        order, from 0, and −1 for none; truth values are truth values.

        >>> Answer({"dists": {"a": 0.0, "b": None}}, 1, 0.0).array("dists")
        array([ 0., inf])

        Raises:
            LoopwrightError: if there is no such output.
        """
        require_known("output", name, self.result)
        if isinstance(self.result, Outputs):
            return self.result.outputs[name].array()
        column = self.result[name]
        if name in self.pointers:
            place = {label: k for k, label in enumerate(column)}
            return np.array([-1 if v is None else place[v] for v in column.values()], np.int64)
        values = list(column.values())
        if all(isinstance(value, bool) for value in values):
            return np.array(values, np.bool_)
        return np.array([inf if value is None else value for value in values], np.float64)

    def path(self, node: Label) -> list[Label]:
        """The way to a node that `prev` tells, from where it begins: a source, or a search's root.

        >>> Answer({"prev": {"a": "a", "b": "a"}}, 1, 0.0).path("b")
        ['a', 'b']

        Raises:
            LoopwrightError: if the answer has no `prev`, the node is none, or it is not reached.
        """
        require_known("output", "prev", self.result)
        before = self.result["prev"]
        node = self._label(node)
        if "dists" in self.result and self.result["dists"].get(node, 0) is None:
            raise LoopwrightError(f"node '{brief(node)}' is not reached: there is no path to it.")
        way = [node]
        while (back := before.get(way[-1])) is not None and back != way[-1]:
            if len(way) > len(before):
                raise LoopwrightError(f"'prev' goes round in a circle before '{brief(node)}'.")
            way.append(back)
        return way[::-1]

    def _label(self, node: Label) -> Label:
        """A node's label, also where a text is written as it."""
        if self.graph is not None:
            return self.graph.labels[self.graph.index(node)]
        labels = self.result["prev"]
        try:
            known = node in labels
        except TypeError:  # what cannot be hashed is not a label
            known = False
        if not known:
            raise LoopwrightError(f"node '{brief(node)}' is not in this answer.")
        return node

    def plot(self, name: str | None = None) -> Any:
        """A figure of matplotlib: the graph, coloured by an output, with the edges that `prev`, or
        the first other output that holds nodes, tells. Unless named, the output is the first that
        holds no nodes.

        Raises:
            LoopwrightError: if there is no such output, the answer does not know its graph, or
                matplotlib is not installed.
        """
        if self.graph is None:
            raise LoopwrightError("this answer does not know its graph: run the model again.")
        if name is None:
            name = next((n for n in self.result if n not in self.pointers), next(iter(self.result)))
        require_known("output", name, self.result)
        tree = self.result[self.pointers[0]] if self.pointers else None
        with needing("answer.plot"):
            from loopwright.runtime.draw import draw_answer
        return draw_answer(self.graph, name, self.result[name], tree)

    def __getattr__(self, name: str) -> Mapping[Label, Any]:
        if name.startswith("__"):  # `copy` and `pickle` ask before there is a result
            raise AttributeError(name)
        try:
            return self.result[name]
        except KeyError:
            known = ", ".join(self.result)
            raise AttributeError(f"this answer has no '{name}'; it has: {known}") from None


def found_answer(**fields: Any) -> Answer:
    """An answer whose fields a run has put together itself, and need not look at again."""
    answer = object.__new__(Answer)
    answer.__dict__.update(fields)
    return answer


def decode(
    model: Weights, graph: Graph, x: Array, scale: Fraction | int = 1
) -> Mapping[str, dict[Label, Any]]:
    """The output columns, node by node; `scale` is what the weights were multiplied by.

    Raises:
        LoopwrightError: if a cell holds what its variable cannot.
    """
    if x.dtype == object:
        return decode_cells(model, graph, x, scale)
    n, outputs = graph.n, dict[str, Output]()
    columns, most = columns_to_read(model)
    for name, column, kind in columns:
        output = output_of(kind, x[1 : n + 1, column], n, scale, most)
        if output is None:
            return decode_cells(model, graph, x, scale)
        outputs[name] = output
    return Outputs(graph.labels, outputs)


def decode_cells(
    model: Weights, graph: Graph, x: Array, scale: Fraction | int
) -> dict[str, dict[Label, Any]]:
    """The same one by one: for rationals, and to name the first cell that holds what it cannot."""
    most = most_plain(model)
    return {
        name: {
            label: value_of(variable, graph, x[row, variable.first], scale, most)
            for row, label in enumerate(graph.labels, start=1)
        }
        for name, variable in output_fields(model).items()
    }


@once_for_each_model
def output_fields(model: Weights) -> dict[str, Field]:
    """Output name → the variable that it is read from."""
    return {name: model.layout[variable] for name, variable in model.layout.outputs.items()}


@once_for_each_model
def pointers(model: Weights) -> tuple[str, ...]:
    """The outputs whose values are nodes."""
    return tuple(n for n, field in output_fields(model).items() if field.kind is Kind.INDEX)


@once_for_each_model
def columns_to_read(model: Weights) -> tuple[list[tuple[str, int, Kind]], float]:
    """Each output's name, column and kind; and the largest float that does not exceed `most_plain`:
    floats exceed both, or neither."""
    columns = [(name, field.first, field.kind) for name, field in output_fields(model).items()]
    most = most_plain(model)
    near = float(most)
    return columns, nextafter(near, -inf) if near > most else near


@once_for_each_model
def most_plain(model: Weights) -> Fraction | float:
    """What exceeds this is unreached.

    Where a program uses Ω̂, no plain number exceeds `largest`, half of it: the certificate sees to
    that. Other programs may reach any number.
    """
    constants, reach = model.constants, model.demands.reach
    plain = reach is not None and not reach.sentinels
    return inf if plain else (constants.largest + constants.unreached) / 2


def unscaled(cell: Any, scale: Fraction | int) -> Any:
    """In the unit of the graph: a float to the last digit, or a fraction."""
    if scale == 1:
        return cell
    exact = Fraction(cell) / scale
    return float(exact) if isinstance(cell, float) else exact


class Named(Protocol):
    """What reading a cell needs to know of a variable."""

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> Kind: ...


def value_of(
    variable: Named,
    graph: Graph,
    cell: Any,
    scale: Fraction | int = 1,
    most: Fraction | float = inf,
) -> Any:
    """One cell as the user sees it: None if it is a value or count beyond ±`most`."""
    cell = cell.item() if hasattr(cell, "item") else cell  # NumPy's numbers as Python's
    if variable.kind in (Kind.VALUE, Kind.COUNT) and abs(cell) > most:
        return None
    if variable.kind is Kind.VALUE:
        return unscaled(cell, scale)
    whole = round(cell) if isfinite(cell) else 0
    if not abs(cell - whole) <= 0.25:
        raise LoopwrightError(f"'{variable.name}' holds {cell}, which is no whole number.")
    if variable.kind is Kind.INDEX:
        if not 0 <= whole <= graph.n:
            raise LoopwrightError(f"'{variable.name}' holds {cell}, which is no node.")
        return graph.labels[whole - 1] if whole else None
    return bool(whole) if variable.kind is Kind.FLAG else whole
