"""Worker processes that begin as copies of this one: model and graphs need not be sent to them.

Threads share Python's lock, and on small graphs all but the loop is Python. What comes back is
packed: the arrays of many answers as one piece of memory.
"""

from __future__ import annotations

import gc
import io
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import LoopwrightError
from loopwright.runtime.arcs import SoundParts
from loopwright.runtime.decode import Answer, found_answer
from loopwright.runtime.graph import Graph
from loopwright.runtime.outputs import Output, Outputs

Piece = TypeVar("Piece")
Found = Answer | LoopwrightError

FORKABLE = ("native", "reference", "exact")
"""Machines that a copy of a process can go on using; PyTorch's threads are not copied with it."""


def can_fork(machine: object, graphs: Iterable[object]) -> bool:
    """Whether copies of this process can do its work. They would share an open file's position."""
    daemon = multiprocessing.current_process().daemon  # these may have no children
    if not hasattr(os, "fork") or machine not in FORKABLE or daemon:
        return False
    return not any(isinstance(graph, io.IOBase) for graph in graphs)


def answers_of_forks(
    work: Callable[[Piece], Sequence[Found]], pieces: Sequence[Piece], workers: int
) -> Iterator[Found]:
    """What `work` makes of each piece, in their order, by so many copies of this process.

    The pieces are dealt out in turns, so the answers come in turns, too, each worker's by a pipe of
    its own; whoever is ahead waits until somebody wants more.

    Raises:
        LoopwrightError: if a worker dies; and what `work` raises, if it does.
    """
    context = multiprocessing.get_context("fork")
    pipes = [context.Pipe(duplex=False) for _ in range(workers)]
    forks = [
        context.Process(target=_do, args=(work, pieces[k::workers], pipes, k), daemon=True)
        for k in range(workers)
    ]
    try:
        for fork, (_, send) in zip(forks, pipes, strict=True):
            fork.start()
            send.close()
        for number in range(len(pieces)):
            receive, _ = pipes[number % workers]
            batch: Packed | Exception = receive.recv()
            if isinstance(batch, Exception):
                raise batch
            yield from unpacked(batch)
    except EOFError:
        raise LoopwrightError(
            "a worker process died, perhaps for lack of memory: use fewer workers, or one."
        ) from None
    finally:
        for fork, (receive, _) in zip(forks, pipes, strict=True):
            receive.close()
            if fork.pid is not None:
                fork.terminate()
                fork.join()


def _do(
    work: Callable[[Any], Sequence[Found]],
    pieces: Sequence[Any],
    pipes: Sequence[tuple[Connection, Connection]],
    own: int,
) -> None:
    """In a copy: do its pieces. Ctrl-C ends it without a word, as its parent says what is to be
    said; and if its parent is gone, so that nobody reads, it ends as well."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.freeze()  # to look for garbage in what was inherited would copy all of it
    for number, (receive, send) in enumerate(pipes):
        receive.close()
        if number > own:
            send.close()
    answers = pipes[own][1]
    try:
        for piece in pieces:
            answers.send(packed(work(piece)))
    except BrokenPipeError:
        return
    except Exception as problem:  # the parent raises it, as if it had done the work itself
        answers.send(problem)


# ── packing ─────────────────────────────────────────────────────────────────────────────────────


class Packed(NamedTuple):
    """Answers as they go from process to process."""

    memory: Mapping[np.dtype[Any], bytes]
    """All arrays of a type, one after another."""
    entries: list[tuple[Any, ...]]
    """One for each answer or error, with the places of its arrays."""


Place = tuple[np.dtype[Any], int, int]
"""The type of an array, and where it begins and ends among those of its type."""


def packed(found: Sequence[Found]) -> Packed:
    """The answers, packed; those of rationals, and errors, go as they are."""
    arrays: dict[np.dtype[Any], list[NDArray[Any]]] = {}
    ends: dict[np.dtype[Any], int] = {}

    def put(array: NDArray[Any] | None) -> Place | None:
        if array is None:
            return None
        kind = array.dtype
        arrays.setdefault(kind, []).append(array)
        begin = ends.get(kind, 0)
        ends[kind] = end = begin + len(array)
        return kind, begin, end

    def entry(one: Found) -> tuple[Any, ...]:
        if not isinstance(one, Answer) or not isinstance(one.result, Outputs):
            return (one,)
        facts = vars(one).copy()
        del facts["result"], facts["graph"]
        outputs = [
            (name, kind, put(column), put(unreached))
            for name, (kind, column, unreached) in one.result.outputs.items()
        ]
        graph, labels = one.graph, one.result.labels
        if graph is None or not isinstance(graph.weights, np.ndarray):
            return facts, labels, outputs, graph
        edges = put(graph.tails), put(graph.heads), put(graph.weights)
        return facts, labels, outputs, (edges, graph.directed)

    entries = [entry(one) for one in found]
    return Packed({kind: np.concatenate(each).tobytes() for kind, each in arrays.items()}, entries)


def unpacked(batch: Packed) -> list[Found]:
    """The answers again. Their graphs were checked where they were made."""
    arrays = {kind: np.frombuffer(memory, kind) for kind, memory in batch.memory.items()}

    def taken(place: Place | None) -> Any:
        if place is None:
            return None
        kind, begin, end = place
        return arrays[kind][begin:end]

    def answer(facts: dict[str, Any], labels: Any, outputs: Any, graph: Any) -> Answer:
        if isinstance(graph, tuple):
            edges, directed = cast("tuple[list[Place], bool]", graph)
            tails, heads, weights = map(taken, edges)
            parts = SoundParts(labels, tails, heads, weights, directed)
            graph = Graph._made_of(parts)  # pyright: ignore[reportPrivateUsage]
        columns = {
            name: Output(kind, taken(column), taken(unreached))
            for name, kind, column, unreached in outputs
        }
        return found_answer(**facts, result=Outputs(labels, columns), graph=graph)

    return [entry[0] if len(entry) == 1 else answer(*entry) for entry in batch.entries]
