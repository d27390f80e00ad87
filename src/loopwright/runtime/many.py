"""Many graphs at once, over the cores, in order; one that fails does not stop the others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from inspect import signature
from os import PathLike
from typing import Any

from loopwright.errors import LoopwrightError, brief, require_whole
from loopwright.model.weights import Weights
from loopwright.runtime.decode import Answer
from loopwright.runtime.foreign import is_networkx
from loopwright.runtime.graph import Graph, Label
from loopwright.runtime.run import run


def run_many(
    model: Weights,
    graphs: Iterable[object],
    *,
    sources: Sequence[Label | None] | None = None,
    workers: int | None = None,
    progress: Callable[[], None] | None = None,
    **options: Any,
) -> Iterator[Answer | LoopwrightError]:
    """Run every graph; for each, in order, its answer or the error it alone caused.

    Args:
        sources: one for each graph, where the algorithm has a source.
        workers: threads; one for each core if not given.
        progress: called as each answer is handed out.
        options: passed on to `run`.

    Raises:
        LoopwrightError: if there are not as many sources as graphs, if it is one graph, or if
            another argument is not of its kind.
    """
    if (
        isinstance(graphs, str | PathLike | Graph)
        or is_networkx(graphs)
        or not _is_iterable(graphs)
    ):
        raise LoopwrightError("run_many takes a list of graphs; for one graph there is run.")
    listed_sources = sources is None or (_is_iterable(sources) and not isinstance(sources, str))
    if "source" in options or not listed_sources:
        raise LoopwrightError("run_many takes sources, a list with one for each graph.")
    if progress is not None and not _can_be_called(progress):
        raise LoopwrightError(
            f"progress={brief(progress)}: must be a function that is called without arguments."
        )
    threads = os.cpu_count() if workers is None else require_whole("workers", workers)
    listed = list(graphs)
    starts: list[Label | None] = [None] * len(listed)
    starts = starts if sources is None else list(sources)
    if len(starts) != len(listed):
        raise LoopwrightError(
            f"{len(listed)} graphs and {len(starts)} sources: expected one for each graph, such as "
            "sources=[source] * len(graphs)."
        )
    attempt = partial(_attempt, model, options)
    return _in_order(attempt, listed, starts, threads, progress)


def _is_iterable(given: Any) -> bool:
    try:
        iter(given)
    except TypeError:
        return False
    return True


def _can_be_called(given: Any) -> bool:
    """Whether it can be without arguments, as far as it says."""
    if not callable(given):
        return False
    try:
        signature(given).bind()
    except TypeError:
        return False
    except ValueError:  # a function in C may not say what it takes
        return True
    return True


def _attempt(
    model: Weights, options: dict[str, Any], graph: object, source: Label | None
) -> Answer | LoopwrightError:
    try:
        return run(model, graph, source=source, **options)
    except LoopwrightError as problem:
        return problem


def _in_order(
    attempt: Callable[[object, Label | None], Answer | LoopwrightError],
    graphs: list[object],
    sources: list[Label | None],
    workers: int | None,
    progress: Callable[[], None] | None,
) -> Iterator[Answer | LoopwrightError]:
    with ThreadPoolExecutor(workers) as pool:
        for answer in pool.map(attempt, graphs, sources):
            if progress is not None:
                progress()
            yield answer
