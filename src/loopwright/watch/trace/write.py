"""TraceWriter: a run → the lines of a trace, as they happen."""

from __future__ import annotations

import gzip
import zlib
from contextlib import suppress
from os import PathLike
from typing import IO, cast

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import TraceError, require_type
from loopwright.model.description import JSON, describe
from loopwright.model.files import require_writable
from loopwright.model.layout import Kind
from loopwright.model.paths import path_of
from loopwright.model.weights import Matrix, Weights
from loopwright.runtime.decode import decode
from loopwright.runtime.encode import Array, Problem
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines.reference import attention
from loopwright.runtime.observe import Observer
from loopwright.watch.trace.format import (
    BEGINNING,
    FORMAT,
    GZIP,
    MOST_CELLS,
    RATIONALS,
    VERSION,
    frame_number,
    graph_to_json,
    number_to_json,
    outputs_to_json,
    to_line,
)

PEEK = 2**12
"""Bytes of a file that are looked at before it is written over."""

GZIP_FORM = 16 + zlib.MAX_WBITS
"""What zlib calls the form of a gzip file."""


class TraceWriter(Observer):
    """Writes everything that happens in a run to a file, compressed if its name ends in `.gz`.

    However long the run, it keeps no more of it than the last X. With `attention`, the file also
    says who attended to whom, in every head of every layer, by the definition of attention applied
    to X as it was before the layer; for the exact machine, to X in floats.

    >>> import loopwright as lw, tempfile
    >>> path = tempfile.mkdtemp() + "/run.jsonl.gz"
    >>> model = lw.compile(lw.algorithms.dijkstra())
    >>> answer = model.run([("a", "b", 3)], source="a", observers=[TraceWriter(path)])
    >>> lw.Trace.load(path)
    <Trace of 'dijkstra' (compact, hardmax) on 2 nodes: 2 iterations of 3 layers, halted>

    Raises, from any of its methods:
        TraceError: if the file cannot be written.
    """

    def __init__(self, path: str | PathLike[str], *, attention: bool = False) -> None:
        self.path = path_of(path, TraceError)
        require_type("attention", attention, bool, "True or False", error=TraceError)
        self.attention = attention
        self.file: IO[bytes] | None = None
        try:
            require_writable(self.path)
            self.spare_what_is_no_trace()
        except (OSError, TraceError) as failure:
            raise self._failed(failure) from None

    def spare_what_is_no_trace(self) -> None:
        """Refuse to write over a file that is neither empty nor a trace.

        `--trace roads.txt` for `roads.txt.trace` would cost the graph that is to be run.
        """
        if not self.path.is_file():
            return
        with self.path.open("rb") as file:
            begins = file.read(PEEK)
        if begins.startswith(GZIP):
            with suppress(zlib.error):  # it is damaged, and so no trace
                begins = zlib.decompressobj(wbits=GZIP_FORM).decompress(begins, len(BEGINNING))
        if not (begins.startswith(BEGINNING) or BEGINNING.startswith(begins)):
            raise TraceError(
                "this file is there already and no trace: choose another name, or remove it"
            )

    def begin(self, model: Weights, graph: Graph, problem: Problem) -> None:
        self.model, self.graph, self.scale = model, graph, problem.scale
        self.last = problem.x.copy()
        self.iteration, self.layer = 0, len(model.layers) - 1
        self.halted, self.outputs = False, None
        heads = max(len(layer.heads) for layer in model.layers)
        if self.attention and heads * problem.rows**2 > MOST_CELLS:
            raise TraceError(
                f"{self.path}: a layer's attention to {problem.rows:,} rows is too large for a "
                "trace: trace without attention."
            )
        if self.attention:
            self.a = problem.adjacency().astype(np.float64)
        try:
            if self.path.suffix.lower() == ".gz":
                self.file = cast("IO[bytes]", gzip.GzipFile(self.path, "wb", mtime=0))
            else:
                self.file = self.path.open("wb")
        except OSError as failure:
            raise self._failed(failure) from None
        self._write(header(model, graph, problem) | {"attention_recorded": self.attention})
        self._write_whole()

    def after_layer(self, iteration: int, layer: int, x: Array) -> None:
        before, self.last = self.last, x.copy()
        self.iteration, self.layer = iteration, layer
        same = (x == before) | ((x != x) & (before != before))  # NaN stays NaN
        frame = self._cells("x", ~same)
        if self.attention and (heads := self.model.layers[layer].heads):
            floats = before.astype(np.float64) if before.dtype == object else before
            with np.errstate(all="ignore"):  # a run that goes wrong is traced all the same
                matrices = [attention(self.model, head, floats, self.a) for head in heads]
            frame["attention"] = [groups(matrix) for matrix in matrices]
        if len(frame) > 1 or frame["x"]:
            self.since_whole += self._write(self._place() | frame)
            if self.since_whole >= self.whole_size:
                self._write_whole()

    def end(self, x: Array, iterations: int) -> None:
        self.halted = True
        result = decode(self.model, self.graph, x, self.scale)
        self.outputs = outputs_to_json(self.model.layout, self.graph, result)

    def close(self) -> None:
        if self.file is None:  # it could not be opened or written to
            return
        frames = frame_number(self.iteration, self.layer, len(self.model.layers))
        end = {"halted": self.halted, "iterations": self.iteration, "frames": frames}
        self._write(end | {"outputs": self.outputs})
        try:
            self.file.close()
        except OSError as failure:
            raise self._failed(failure) from None
        self.file = None

    def _write_whole(self) -> None:
        """A whole X; the next is due when the frames after this one have become as long."""
        self.since_whole = 0
        self.whole_size = self._write(self._place() | self._cells("whole", self.last != 0))

    def _place(self) -> dict[str, JSON]:
        return {"i": self.iteration, "l": self.layer}

    def _cells(self, name: str, chosen: NDArray[np.bool_]) -> dict[str, JSON]:
        """The chosen cells of X: by variable, under `name`, and those of no variable."""
        line: dict[str, JSON] = {name: {}}
        used: list[bool] = np.logical_or.reduce(chosen).tolist()
        unnamed = np.full(self.model.width, True)
        for field in self.model.layout.after(self.layer):
            unnamed[field.columns] = False
            if any(used[field.columns]):
                rows = np.flatnonzero(chosen[:, field.columns].any(axis=1))
                columns = field.columns if field.kind is Kind.POSITION else field.first
                line[name][field.name] = [rows.tolist(), number_to_json(self.last[rows, columns])]
        rows, columns = np.nonzero(chosen & unnamed)
        if len(rows):
            values = number_to_json(self.last[rows, columns])
            line["rest"] = [rows.tolist(), columns.tolist(), values]
        return line

    def _write(self, data: JSON) -> int:
        """One line; how many bytes it has."""
        assert self.file is not None
        try:
            return self.file.write(to_line(data))
        except (OSError, TraceError) as failure:
            raise self._failed(failure) from None

    def _failed(self, failure: OSError | TraceError) -> TraceError:
        """What to raise. The file is given up, so that `close` does not try to write to it."""
        if self.file is not None:
            with suppress(OSError):
                self.file.close()
            self.file = None
        reason = failure.strerror if isinstance(failure, OSError) else None
        return TraceError(f"{self.path}: {str(reason or failure).rstrip('.')}.")


def header(model: Weights, graph: Graph, problem: Problem) -> dict[str, JSON]:
    """All that is known before the first layer, but for X₀."""
    model_as_json = describe(model)
    for stored, field in zip(model_as_json["layout"]["fields"], model.layout.fields, strict=True):
        stored["width"] = field.kind.width
    parts = ("construction", "attention", "edges", "constants", "layout", "layers", "program")
    return {
        "format": FORMAT,
        "version": VERSION,
        "algorithm": model.name,
        "graph": graph_to_json(graph),
        "scale": str(problem.scale),
        "source": None if problem.source is None else problem.source - 1,
        "inputs": {name: number_to_json(given) for name, given in problem.inputs.items()},
        "numbers": RATIONALS if problem.x.dtype == object else problem.x.dtype.name,
        "rows": problem.rows,
    } | {part: model_as_json[part] for part in parts}


def groups(matrix: Matrix) -> list[JSON]:
    """[who, whom, weights] for rows of attention that are the same; [who, whom] for equal shares;
    and one [who] for all rows that attend to themselves alone."""
    alike: dict[bytes, list[int]] = {}
    for row, weights in enumerate(matrix):
        alike.setdefault(weights.tobytes(), []).append(row)
    found: list[JSON] = []
    alone: list[int] = []
    for who in alike.values():
        whom = np.flatnonzero(matrix[who[0]])
        weights = matrix[who[0], whom]
        if len(who) == 1 and whom.tolist() == who:
            alone += who
        elif np.all(weights == weights.dtype.type(1) / len(whom)):
            found.append([who, whom.tolist()])
        else:
            found.append([who, whom.tolist(), number_to_json(weights)])
    return [*found, [alone]] if alone else found
