"""view: a model and a graph, or a trace → View, a page that saves itself and shows itself."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from os import PathLike
from typing import Any

from loopwright.errors import LoopwrightError, brief, require_type, require_whole
from loopwright.model.description import JSON
from loopwright.model.files import write_whole
from loopwright.model.limits import LARGEST_COUNT
from loopwright.model.paths import path_of
from loopwright.model.weights import Weights
from loopwright.runtime.attributes import WEIGHT
from loopwright.runtime.graph import Graph, Label
from loopwright.viewer.breaking import break_weight
from loopwright.viewer.frames import MOST_FRAMES
from loopwright.viewer.gather import of_recorded, of_trace
from loopwright.viewer.page import page
from loopwright.viewer.record import record
from loopwright.watch.trace import Trace

HEIGHT = 720
"""Of the frame in a notebook, in pixels: a page is made to be read at 1280 × 720."""


class View:
    """A run as a page: `save` writes one HTML file, and a notebook shows it in its place."""

    def __init__(self, facts: dict[str, JSON]) -> None:
        self.title: str = facts["title"]
        self.stopped: str | None = None if facts["stop"] is None else facts["stop"]["message"]
        """Why the run was stopped before its end: where a broken weight parts from the program."""
        self.html = page(self.title, facts)
        """The whole page."""

    def save(self, path: str | PathLike[str]) -> None:
        """Write the page to a file that can be opened anywhere, without a network.

        Raises:
            LoopwrightError: if the file cannot be written.
        """
        named = path_of(path, LoopwrightError)
        try:
            write_whole(named, lambda file: file.write(self.html.encode()))
        except OSError as problem:
            raise LoopwrightError(f"{named}: {problem.strerror or problem}.") from None

    def __repr__(self) -> str:
        return f"<View of {self.title}: {len(self.html.encode()):,} bytes of HTML>"

    def _repr_html_(self) -> str:
        """A frame that holds the page itself: it is still there when a notebook is exported."""
        return (
            f'<iframe title="{escape(self.title)}" style="width:100%;height:{HEIGHT}px;'
            f'border:1px solid #8888" srcdoc="{escape(self.html)}"></iframe>'
        )


def view(
    run: Weights | Trace,
    graph: object = None,
    *,
    model: Weights | None = None,
    source: Label | None = None,
    weight: str | None = WEIGHT,
    broken: str | None = None,
    start: int = 1,
    machine: str | None = None,
    max_iterations: int | None = None,
    rows: int | None = None,
    checked: bool = True,
    scale: Fraction | int | None = None,
    **inputs: Any,
) -> View:
    """Run a model on a graph, or take a trace of a run, and make a page that shows every layer.

    Args:
        run: a model, which is run on `graph`; or a trace.
        model: of a trace, the weights that ran: a trace does not hold them. Without, the page has
            no attention, weights and margins.
        broken: change one weight, as `"3,W1,dists,0=2"` says (layer, matrix, row, column, value),
            and show program and weights side by side, up to the first cell that differs.
        start: the iteration to begin with, where the run is too long for one page.
        machine: what executes the weights; unless given, "native", and "reference" if one is
            broken.

    Other arguments are those of `Model.run`.

    >>> import loopwright as lw
    >>> model = lw.compile(lw.algorithms.dijkstra())
    >>> shown = view(model, [("a", "b", 3), ("b", "c", 1)], source="a")
    >>> shown.title
    'dijkstra (compact, hardmax) on 3 nodes'

    A broken weight, and the first cell that is not what the program means:

    >>> stopped = view(model, [("a", "b", 3)], source="a", broken="2,W4,0,visit=1").stopped
    >>> print(stopped.partition("visit', ")[2])
    variable 'visit', node 'a': expected 1.0, found 2.0.

    Raises:
        LoopwrightError: if an argument is not of its kind, as for `Model.run`; if a model is not
            that of the trace; or if the run did not come to `start`.
    """
    start = require_whole("start", start, most=LARGEST_COUNT)
    if isinstance(run, Trace):
        others = (graph, source, broken, machine, max_iterations, rows, scale)
        if any(other is not None for other in others) or inputs:
            raise LoopwrightError("a trace has its graph and its run: give model and start alone.")
        if model is not None:
            require_type("model", model, Weights, "the model that ran, as lw.compile makes it")
        return View(of_trace(run, model, start))
    if not isinstance(run, Weights):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise LoopwrightError(
            f"view shows a model on a graph, or a trace, and not {brief(run)}: give "
            "lw.compile(program) and a graph, or lw.Trace.load(path)."
        )
    if graph is None or model is not None:
        raise LoopwrightError("view(model, graph) runs a model: give it a graph, and no other.")
    changed = None if broken is None else break_weight(run, broken)
    ran = run if changed is None else changed.model
    recorded = record(
        ran,
        Graph.of(graph, weight=weight),
        frames=(start - 1) * len(run.layers) + MOST_FRAMES,
        compare=changed is not None,
        source=source,
        machine=machine if machine is not None else "native" if changed is None else "reference",
        max_iterations=max_iterations,
        rows=rows,
        checked=checked,
        scale=scale,
        **inputs,
    )
    return View(of_recorded(recorded, ran, start, changed))
