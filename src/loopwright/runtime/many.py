"""Many graphs at once, over the cores, in order; one that fails does not stop the others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from typing import Any

from loopwright.errors import LoopwrightError, require_whole
from loopwright.model.weights import Weights
from loopwright.runtime.decode import Answer
from loopwright.runtime.graph import Label
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
    """

    def attempt(graph: object, source: Label | None) -> Answer | LoopwrightError:
        try:
            return run(model, graph, source=source, **options)
        except LoopwrightError as problem:
            return problem

    threads = os.cpu_count() if workers is None else require_whole("workers", workers)
    with ThreadPoolExecutor(threads) as pool:
        for answer in pool.map(attempt, graphs, sources or repeat(None)):
            if progress:
                progress()
            yield answer
