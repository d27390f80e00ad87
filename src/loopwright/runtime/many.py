"""Many graphs at once, over cores or machines, in order; one that fails stops no other."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from inspect import signature
from itertools import chain
from math import ceil, inf
from os import PathLike
from typing import Any

from loopwright.errors import LoopwrightError, brief, require_whole
from loopwright.model.weights import Weights
from loopwright.runtime.attributes import WEIGHT
from loopwright.runtime.decode import Answer, found_answer
from loopwright.runtime.foreign import is_networkx
from loopwright.runtime.forked import answers_of_forks, can_fork
from loopwright.runtime.graph import Graph, Label
from loopwright.runtime.run import run
from loopwright.runtime.workers import batches, received, require_cluster, sent, working

MOST_AT_ONCE = 256
"""Graphs that a worker gets at a time: enough that handing them over costs little."""
PIECE = 0.01
"""Seconds that a copy of this process is away for, about: so nobody waits long for anybody."""
WORTH_SHARING = 0.2
"""So many seconds of work are shared with others; fewer are done before these have begun."""


def run_many(
    model: Weights,
    graphs: Iterable[object],
    *,
    sources: Sequence[Label | None] | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    progress: Callable[[], None] | None = None,
    **options: Any,
) -> Iterator[Answer | LoopwrightError]:
    """Run every graph; for each, in order, its answer or the error it alone caused.

    Args:
        sources: one for each graph, where the algorithm has a source.
        workers: how many processes; one for each core if not given. Where there is little to do,
            or processes cannot be copied (Windows), or PyTorch runs, none are begun, or threads.
        cluster: the address of a Dask scheduler, whose workers run the graphs, or "local" for
            processes on this machine, which share no lock: see docs/cluster.md.
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
    count = None if workers is None else require_whole("workers", workers)
    if cluster is not None:
        require_cluster(cluster)
    listed = list(graphs)
    starts: list[Label | None] = [None] * len(listed)
    starts = starts if sources is None else list(sources)
    if len(starts) != len(listed):
        raise LoopwrightError(
            f"{len(listed)} graphs and {len(starts)} sources: expected one for each graph, such as "
            "sources=[source] * len(graphs)."
        )
    if cluster is not None and options.get("observers"):
        raise LoopwrightError("observers see runs of this process alone: leave cluster out.")
    tasks = list(zip(listed, starts, strict=True))
    answers = _in_order(model, options, tasks, cluster, count)
    return answers if progress is None else _told(answers, progress)


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


Task = tuple[object, Label | None]
"""A graph, and the source for it."""
Found = Answer | LoopwrightError


def _attempt(model: Weights, options: dict[str, Any], graph: object, source: Label | None) -> Found:
    try:
        return run(model, graph, source=source, **options)
    except LoopwrightError as problem:
        return problem


def _answer(model: Weights, options: dict[str, Any], tasks: list[Task]) -> list[Found]:
    """What a thread does."""
    return [_attempt(model, options, *task) for task in tasks]


def _answer_in_a_copy(model: Weights, options: dict[str, Any], tasks: list[Task]) -> list[Found]:
    """What another process does; a `Graph` need not come back with the answer."""
    found = zip(_answer(model, options, tasks), tasks, strict=True)
    return [_with_graph(one, None) if isinstance(task[0], Graph) else one for one, task in found]


def _answer_there(model: bytes, options: dict[str, Any], tasks: list[Task]) -> list[Found]:
    """What a worker of a cluster does."""
    return _answer_in_a_copy(received(model), options, tasks)


def _in_order(
    model: Weights,
    options: dict[str, Any],
    tasks: list[Task],
    cluster: str | None,
    workers: int | None,
) -> Iterator[Found]:
    if cluster is None:
        yield from _here(model, options, tasks, workers or os.cpu_count() or 1)
        return
    with working(cluster, workers) as pool:
        # As arrays, graphs go to workers many times faster than as networkx has them.
        weight = options.get("weight", WEIGHT)
        made: list[Task] = [(_made(graph, weight), source) for graph, source in tasks]
        sound = [task for task in made if not isinstance(task[0], LoopwrightError)]
        work = partial(_answer_there, sent(model), options | {"weight": WEIGHT})
        pieces = batches(sound, _size(tasks, workers or os.cpu_count() or 1))
        answers = chain.from_iterable(pool.in_order(work, pieces))
        for graph, _ in made:
            if isinstance(graph, Graph):
                yield _with_graph(next(answers), graph)
            elif isinstance(graph, LoopwrightError):
                yield graph


def _here(
    model: Weights, options: dict[str, Any], tasks: list[Task], workers: int
) -> Iterator[Found]:
    """One after the other, until it is seen that what is left takes long enough to share it."""
    work, shortest = partial(_answer, model, options), inf
    for done, task in enumerate(tasks):
        if workers > 1 and done and shortest * (len(tasks) - done) > WORTH_SHARING:
            yield from _shared(model, options, tasks[done:], workers, shortest)
            return
        begin = time.perf_counter()
        (answer,) = work([task])
        shortest = min(shortest, time.perf_counter() - begin)
        yield answer


def _shared(
    model: Weights, options: dict[str, Any], tasks: list[Task], workers: int, seconds: float
) -> Iterator[Found]:
    """Between processes that are copies of this one, or else between threads; a task takes so many
    seconds."""
    pieces = list(batches(tasks, min(_size(tasks, workers), ceil(PIECE / seconds))))
    machine, graphs = options.get("machine", "native"), [graph for graph, _ in tasks]
    if options.get("observers") or not can_fork(machine, graphs):
        with working(None, workers) as pool:
            yield from chain.from_iterable(pool.in_order(partial(_answer, model, options), pieces))
        return
    answers = answers_of_forks(partial(_answer_in_a_copy, model, options), pieces, workers)
    for graph, found in zip(graphs, answers, strict=True):
        yield _with_graph(found, graph) if isinstance(graph, Graph) else found


def _size(tasks: Sequence[Task], workers: int) -> int:
    """How many graphs a worker gets at a time."""
    return max(1, min(MOST_AT_ONCE, len(tasks) // (4 * workers)))


def _made(graph: object, weight: Any) -> Graph | LoopwrightError:
    try:
        return Graph.of(graph, weight=weight)
    except LoopwrightError as problem:
        return problem


def _with_graph(found: Found, graph: Graph | None) -> Found:
    return found_answer(**(vars(found) | {"graph": graph})) if isinstance(found, Answer) else found


def _told(answers: Iterator[Found], progress: Callable[[], None]) -> Iterator[Found]:
    for answer in answers:
        progress()
        yield answer
