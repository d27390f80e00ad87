"""Runs → a folder of hints, in either layout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, Protocol

from loopwright.bridges.hints.clrs import write_clrs
from loopwright.bridges.hints.collect import sample_of
from loopwright.bridges.hints.probes import Sample, Spec
from loopwright.bridges.hints.ragged import write_ragged
from loopwright.bridges.hints.tasks import task_of
from loopwright.errors import LoopwrightError
from loopwright.model.weights import Weights
from loopwright.runtime.graph import Graph, Label

Form = Literal["clrs", "pyg"]


class Example(Protocol):
    """A graph to run, and what to call it."""

    @property
    def name(self) -> str: ...

    @property
    def graph(self) -> Graph: ...

    @property
    def source(self) -> Label | None: ...


def write_hints(
    model: Weights,
    examples: Iterable[Example],
    folder: Path,
    *,
    form: Form = "clrs",
    machine: str = "native",
    inputs: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Run one example after the other, and write what its probes are; returns what was written.

    Raises:
        LoopwrightError: if the folder holds such data already or cannot be written, or if a graph
            cannot be run.
    """
    if not model.bound:
        raise LoopwrightError(f"'{model.name}' has no bound of its own: it has no hints.")
    seen = dict[str, Sample]()

    def samples() -> Iterator[Sample]:
        for example in examples:
            sample = sample_of(
                model,
                example.graph,
                name=example.name,
                source=example.source,
                inputs=inputs,
                machine=machine,
            )
            seen.setdefault("first", sample)
            yield sample

    count = (write_clrs if form == "clrs" else write_ragged)(samples(), folder)
    specs = dict[str, Spec](seen["first"].specs) if seen else {}
    hints = [name for name, spec in specs.items() if spec.stage == "hint"]
    own = task_of(model) is None
    whose = "of its program" if own else "of the benchmark"
    return {
        "algorithm": model.name,
        "construction": model.construction,
        "graphs": count,
        "hints": hints,
        "benchmark": not own,
        "text": f"{model.name} ({model.construction}) on {count} graphs, with {len(hints)} hints "
        f"{whose}: {', '.join(hints)}.",
    }
