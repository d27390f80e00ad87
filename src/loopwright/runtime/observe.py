"""Observers: whoever wants to see a run, without a second assembly of its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import cast

from loopwright.errors import LoopwrightError, brief
from loopwright.model.weights import Weights
from loopwright.runtime.encode import Array, Problem
from loopwright.runtime.graph import Graph

AfterLayer = Callable[[int, int, Array], None]
"""Called after every layer with the iteration (from 1), the layer's index (from 0), and X."""
Progress = Callable[[int], None]
"""Called now and then with the iterations done."""


class Observer:
    """Watches a run; override what you want to see. What an observer raises ends the run.

    A machine that nobody asks for layers need not stop after each of them, so `after_layer` and
    `progress` are called only where they are overridden.
    """

    def begin(self, model: Weights, graph: Graph, problem: Problem) -> None:
        """Before the first iteration; `problem.x` is X₀."""

    def after_layer(self, iteration: int, layer: int, x: Array) -> None:
        """After every layer. A machine may use the memory of X again: copy what you keep."""

    def progress(self, iterations: int) -> None:
        """Now and then, with the iterations done."""

    def end(self, x: Array, iterations: int) -> None:
        """When the halting flag is set; X is what the answer is read from."""

    def close(self) -> None:
        """After the run, however it went."""


def listed(observers: object) -> list[Observer]:
    """All of them, whatever the caller keeps them in.

    Raises:
        LoopwrightError: if it is no list of observers.
    """
    try:
        given = list(cast("Iterable[object]", observers))
    except TypeError:
        given = [None]
    if not all(isinstance(each, Observer) for each in given):
        raise LoopwrightError(
            f"observers={brief(observers)}: give a list of instances of lw.Observer, as "
            "observers=[lw.TraceWriter(path)]."
        )
    return cast("list[Observer]", given)


def after_layer_of(observers: Iterable[Observer]) -> AfterLayer | None:
    """One call for all that want to see layers; None if nobody does."""
    return _together([o.after_layer for o in observers if _has(o, "after_layer")])


def progress_of(observers: Iterable[Observer]) -> Progress | None:
    """One call for all that want to know how far it is; None if nobody does."""
    return _together([o.progress for o in observers if _has(o, "progress")])


def _has(observer: Observer, method: str) -> bool:
    return getattr(type(observer), method) is not getattr(Observer, method)


def _together(calls: Sequence[Callable[..., None]]) -> Callable[..., None] | None:
    if len(calls) < 2:
        return calls[0] if calls else None

    def call(*seen: object) -> None:
        for each in calls:
            each(*seen)

    return call
