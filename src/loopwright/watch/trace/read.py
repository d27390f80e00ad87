"""Trace: a file → X after any layer of the run that it recorded, with named columns."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from itertools import islice
from operator import index
from os import PathLike
from typing import Any

import numpy as np

from loopwright.errors import TraceError, brief, needing
from loopwright.language.program import Program
from loopwright.language.serial import from_json
from loopwright.model.description import JSON, read_constants, read_count, read_layout
from loopwright.model.layout import Kind
from loopwright.model.limits import Constants
from loopwright.model.markup import table
from loopwright.model.weights import Matrix
from loopwright.runtime.encode import Array
from loopwright.runtime.graph import Label
from loopwright.watch.trace.format import (
    Result,
    frame_number,
    graph_from_json,
    number_from_json,
    outputs_from_json,
)
from loopwright.watch.trace.frame import Cells, Frame, Rows
from loopwright.watch.trace.lines import TraceLines

MOST_DRAWN = 2000
"""Frames in one picture: more than it has pixels."""

MOST_COUNTED = 10_000
"""Frames that a notebook's summary looks at: a second."""


class Trace:
    """A recorded run. `trace[iteration, layer]` is X after that layer, a `Frame`: iterations count
    from 1, layers from 0 as in `trace.layers`, and −1 is the last. X₀ is `trace.start`; all frames
    after it, in order, come from `for frame in trace`.

    >>> import loopwright as lw, tempfile
    >>> path = tempfile.mkdtemp() + "/run.jsonl.gz"
    >>> model = lw.compile(lw.algorithms.dijkstra("compact"))
    >>> answer = model.run([("a", "b", 3)], source="a", observers=[lw.TraceWriter(path)])
    >>> trace = lw.Trace.load(path)
    >>> trace
    <Trace of 'dijkstra' (compact, hardmax) on 2 nodes: 2 iterations of 3 layers, halted>
    >>> trace[1, -1]["dists"], trace.outputs["dists"]
    (array([0., 3.]), {'a': 0.0, 'b': 3.0})
    """

    def __init__(self, lines: TraceLines) -> None:
        if not isinstance(lines, TraceLines):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TraceError(f"'{brief(lines)}' is no open trace: use Trace.load(path).")
        self._lines = lines
        self.header = header = lines.header
        """All that was known before the first layer; `docs/traces.md` says what that is."""
        with lines.reading(0):
            self.layout = read_layout(header["layout"])
            self.layers: list[dict[str, JSON]] = [dict(layer) for layer in header["layers"]]
            """For each layer `name`, `paper_step`, `writes`, and its `heads`."""
            self.graph = graph_from_json(header["graph"])
            self.scale = Fraction(number_from_json(header["scale"]))
            """What weights, and so all values, were multiplied by; outputs are divided by it."""
            source = header["source"]
            self.source = None if source is None else self.labels[read_count(source)]
            rows, numbers = read_count(header["rows"]), str(header["numbers"])
            if not self.layers or rows <= self.graph.n:
                raise ValueError(f"{len(self.layers)} layers on {rows} rows")
            self._cells = Cells(self.layout, rows, numbers)
        end = lines.end or {"halted": False, "outputs": None}
        with lines.reading(lines.end_place):
            self.halted = end["halted"] is True
            """Whether the run came to its end."""
            self.outputs: Result | None = None
            """The answer's `result`; None if the run did not come to its end."""
            if end["outputs"] is not None:
                self.outputs = outputs_from_json(self.layout, self.graph, end["outputs"])

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Trace:
        """Open what `TraceWriter` wrote; of a run that was killed, as far as it goes.

        Raises:
            TraceError: if the file is damaged, newer than this version, or no trace.
        """
        return cls(TraceLines(path))

    @property
    def labels(self) -> tuple[Label, ...]:
        return self.graph.labels

    @property
    def variables(self) -> tuple[str, ...]:
        """Their names, which are those of a frame's columns."""
        return tuple(field.name for field in self.layout.fields)

    @property
    def iterations(self) -> int:
        """How many there are, the last perhaps not complete."""
        return -(-len(self) // len(self.layers))

    @cached_property
    def program(self) -> Program:
        """The program that the model's weights were."""
        with self._lines.reading(0):
            return from_json(self.header["program"])

    @cached_property
    def constants(self) -> Constants:
        """The numbers that the model's weights were made of."""
        with self._lines.reading(0):
            return read_constants(self.header["constants"])

    @property
    def start(self) -> Frame:
        """X₀."""
        x, _ = self._whole_before(0)
        return Frame(0, len(self.layers) - 1, x, {}, None, self.layout)

    def __len__(self) -> int:
        """How many frames there are, also those in which nothing changed."""
        return self._lines.frames

    def __iter__(self) -> Iterator[Frame]:
        return self._frames(1)

    def since(self, iteration: int) -> Iterator[Frame]:
        """The frames from an iteration on, in order; the first is `trace[iteration, 0]`.

        Raises:
            TraceError: if the run did not come there.
        """
        begin = self[iteration, 0]
        return self._frames(frame_number(begin.iteration, 0, len(self.layers)))

    def __getitem__(self, place: tuple[int, int]) -> Frame:
        """X after a layer.

        Raises:
            TraceError: if the run did not come there.
        """
        try:
            iteration, layer = (index(k) for k in place)
        except (TypeError, ValueError):
            raise TraceError("a frame is trace[iteration, layer]; X₀ is trace.start.") from None
        layers = len(self.layers)
        number = frame_number(iteration, layer % layers, layers)
        if iteration < 1 or not -layers <= layer < layers or number > len(self):
            last = list(self._place(len(self))) if len(self) else "X₀"
            raise self._lines.error(
                f"no frame [{brief(iteration)}, {brief(layer)}]: iterations count from 1, layers "
                f"from 0 to {layers - 1}, and the last frame is {last}; X₀ is trace.start"
            )
        return next(self._frames(number))

    def _repr_html_(self) -> str:
        """The steps of an iteration, and how often each changed something."""
        changes = Counter(frame.layer for frame in islice(self, MOST_COUNTED) if frame.changed)
        within = "" if len(self) <= MOST_COUNTED else f" (first {MOST_COUNTED:,} frames)"
        rows = [
            (k + 1, layer["paper_step"], layer["name"], ", ".join(layer["writes"]), changes[k])
            for k, layer in enumerate(self.layers)
        ]
        heads = ("layer", "paper's step", "step", "writes", f"times it changed X{within}")
        return table(repr(self)[1:-1], heads, rows)

    def __repr__(self) -> str:
        words = [brief(self.header.get(key)) for key in ("algorithm", "construction", "attention")]
        return (
            f"<Trace of '{words[0]}' ({words[1]}, {words[2]}) on {self.graph.n} nodes: "
            f"{self.iterations} iterations of {len(self.layers)} layers, "
            f"{'halted' if self.halted else 'not halted'}>"
        )

    def plot(self, name: str) -> Any:
        """A figure of matplotlib: what a variable holds at each node after each layer.

        Of a long run, every few frames are shown. A position is shown as its angle.

        Raises:
            TraceError: if there is no such variable.
            LoopwrightError: if matplotlib is not installed.
        """
        with needing("trace.plot"):
            from loopwright.watch.trace.draw import draw_variable
        first = plain(self.start, name)
        every = -(-len(self) // MOST_DRAWN) or 1
        shown = [first, *(plain(frame, name) for frame in islice(self, every - 1, None, every))]
        iterations = len(self) / len(self.layers)
        beyond = float(self.constants.unreached)
        return draw_variable(name, np.array(shown).T, iterations, self.labels, beyond)

    def _place(self, number: int) -> tuple[int, int]:
        """Iteration and layer of a frame."""
        before, layer = divmod(number - 1, len(self.layers))
        return before + 1, layer

    def _frames(self, first: int) -> Iterator[Frame]:
        """From this one on; X is worked out from the whole X that is nearest before it."""
        lines, cells = self._lines, self._cells
        x, begin = self._whole_before(first)
        wanted = first
        for number, place, line in lines.changes(begin):
            yield from (self._frame(unchanged, x, {}, []) for unchanged in range(wanted, number))
            with lines.reading(place):
                data = json.loads(line)
                changed = cells.put(data, "x", x)
                attention = cells.attention(data) if number >= first else []
            if number >= first:
                yield self._frame(number, x, changed, attention)
                wanted = number + 1
        yield from (self._frame(rest, x, {}, []) for rest in range(wanted, len(self) + 1))

    def _frame(
        self, number: int, x: Array, changed: dict[str, Rows], attention: list[Matrix]
    ) -> Frame:
        recorded = attention if self.header.get("attention_recorded") else None
        return Frame(*self._place(number), x.copy(), changed, recorded, self.layout)

    def _whole_before(self, number: int) -> tuple[Array, int]:
        """The last whole X before a frame, and where in the file it is."""
        place = self._lines.whole_before(number)
        with self._lines.reading(place):
            return self._cells.whole(json.loads(self._lines.at(place))), place


def plain(frame: Frame, name: str) -> Array:
    """A variable as floats; of a position, the angle."""
    held = np.asarray(frame[name], np.float64)
    if frame.layout[name].kind is Kind.POSITION:
        return np.arctan2(held[..., 0], held[..., 1]) % (2 * np.pi)
    return held
