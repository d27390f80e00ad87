"""Worker processes that begin as copies of this one: model and graphs need not be sent to them.

Threads share Python's lock, and on small graphs all but the loop is Python. This process is one of
the workers, as its own answers need not be sent; what comes back from the others is packed: the
arrays of many answers as one piece of memory.
"""

from __future__ import annotations

import gc
import io
import multiprocessing
import os
import signal
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from multiprocessing.connection import Connection
from operator import itemgetter
from selectors import EVENT_READ, BaseSelector, DefaultSelector
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import LoopwrightError
from loopwright.model.layout import Kind
from loopwright.runtime.arcs import Label, SoundParts
from loopwright.runtime.decode import Answer, found_answer
from loopwright.runtime.graph import Graph
from loopwright.runtime.outputs import Output, Outputs

Piece = TypeVar("Piece")
Found = Answer | LoopwrightError

FLAGS = np.dtype(np.bool_)
ROOM = 2**20
"""Bytes that Linux lets a pipe hold, if one asks for it; unasked it is a sixteenth of that."""
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
    """What `work` makes of each piece, in their order, by this process and copies of it.

    Whoever is free takes the next piece. This process does, too, unless what is wanted next is
    there.

    A copy that is killed, as where memory runs out, had taken a piece. Another copy does it again,
    when all others have ended: there is more memory then, and this process does not die of it.

    Raises:
        LoopwrightError: if that copy is killed at the same piece; and what `work` raises, if it
            does.
    """
    context = multiprocessing.get_context("fork")
    receiving: list[Connection] = []
    ready: dict[int, Sequence[Found]] = {}
    done_again: int | None = None
    with _file_of(range(len(pieces))) as numbers, DefaultSelector() as at_work:

        def begin(numbers: IO[bytes]) -> None:
            receive, send = _wide(*context.Pipe(duplex=False))
            receiving.append(receive)
            given = work, pieces, numbers, send, receiving
            fork = context.Process(target=_do, args=given, daemon=True)
            fork.start()
            send.close()
            at_work.register(receive, EVENT_READ, fork)

        try:
            for _ in range(workers - 1):
                begin(numbers)
            for wanted in range(len(pieces)):
                while wanted not in ready:
                    if _collect(ready, at_work, timeout=0):
                        continue
                    number = _next(numbers)
                    if number is not None:
                        ready[number] = work(pieces[number])
                    elif at_work.get_map():
                        _collect(ready, at_work)
                    elif wanted == done_again:
                        raise LoopwrightError(
                            "a worker process died, and another in its place, perhaps for lack of "
                            "memory: use fewer workers, or one."
                        )
                    else:
                        done_again = wanted
                        with _file_of(set(range(wanted, len(pieces))) - {*ready}) as lost:
                            begin(lost)
                yield from ready.pop(wanted)
        except BaseException:  # nobody wants the rest, or there is none
            for key in at_work.get_map().values():
                key.data.terminate()
                key.data.join()
            raise
        finally:  # who has nothing left to do ends by itself, which takes a while
            for receive in receiving:
                receive.close()


def _collect(
    ready: dict[int, Sequence[Found]], at_work: BaseSelector, timeout: float | None = None
) -> bool:
    """Whether copies have sent something within the time: pieces that are done, or that all are;
    or have died."""
    sent = at_work.select(timeout)
    for key, _ in sent:
        receive: Any = key.fileobj
        try:
            message: tuple[int, Packed] | Exception | None = receive.recv()
        except (EOFError, OSError):  # it was killed, perhaps in the midst of what it had to say
            key.data.join()
            message = None
        if isinstance(message, Exception):
            raise message
        if message is None:
            at_work.unregister(receive)
        else:
            number, batch = message
            ready[number] = unpacked(batch)
    return bool(sent)


def _do(
    work: Callable[[Any], Sequence[Found]],
    pieces: Sequence[Any],
    numbers: IO[bytes],
    answers: Connection,
    receiving: Sequence[Connection],
) -> None:
    """In a copy: do pieces. Ctrl-C ends it without a word, as its parent says what is to be said;
    and if its parent is gone, so that nobody reads, it ends as well."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.freeze()  # to look for garbage in what was inherited would copy all of it
    for receive in receiving:
        receive.close()
    try:
        while (number := _next(numbers)) is not None:
            answers.send((number, packed(work(pieces[number]))))
        answers.send(None)
    except BrokenPipeError:
        return
    except Exception as problem:  # the parent raises it, as if it had done the work itself
        answers.send(problem)


def _wide(receive: Connection, send: Connection) -> tuple[Connection, Connection]:
    """A pipe that holds as much as it may, so that no copy waits while this process works."""
    with suppress(ImportError, OSError):  # not on Linux; or all users together have many of these
        from fcntl import F_SETPIPE_SZ, fcntl

        fcntl(send.fileno(), F_SETPIPE_SZ, ROOM)
    return receive, send


# ── the next piece ──────────────────────────────────────────────────────────────────────────────

NUMBER = np.dtype(np.int64)


def _file_of(numbers: Iterable[int]) -> IO[bytes]:
    """A file of the numbers of pieces, in order.

    Copies of a process share the place up to which it is read, so each number is read once; and
    none holds a lock that it could take to its grave.
    """
    file = TemporaryFile()
    file.write(np.array(sorted(numbers), NUMBER).tobytes())
    file.seek(0)
    return file


def _next(numbers: IO[bytes]) -> int | None:
    """The number of a piece that is nobody's yet."""
    read = os.read(numbers.fileno(), NUMBER.itemsize)
    return int(np.frombuffer(read, NUMBER)[0]) if read else None


# ── packing ─────────────────────────────────────────────────────────────────────────────────────

FACTS = tuple(one.name for one in fields(Answer) if one.name not in ("result", "graph"))
"""All of an answer but its arrays."""
facts_of = cast("Callable[[Mapping[str, Any]], tuple[Any, ...]]", itemgetter(*FACTS))


class Form(NamedTuple):
    """What answers of one model on graphs of one kind have in common: which arrays there are."""

    outputs: tuple[tuple[str, Kind, np.dtype[Any], bool], ...]
    """Name, kind, type, and whether it is said where there is no number."""
    edges: tuple[np.dtype[Any], ...]
    """The types of tails, heads and weights; empty if there is no graph."""
    directed: bool


class Packed(NamedTuple):
    """Answers as they go from process to process."""

    memory: Mapping[np.dtype[Any], bytes]
    """All arrays of a type, one after another."""
    forms: list[Form]
    entries: list[tuple[Any, ...]]
    """One for each answer: the number of its form, facts, labels and how many edges there are. An
    error, or an answer that is not of arrays, goes as it is."""


def packed(found: Sequence[Found]) -> Packed:
    """The answers, packed; those of rationals, and errors, go as they are."""
    arrays: defaultdict[np.dtype[Any], list[NDArray[Any]]] = defaultdict(list)
    forms: dict[Form, int] = {}

    def entry(one: Found) -> tuple[Any, ...]:
        if not isinstance(one, Answer) or not isinstance(one.result, Outputs):
            return (one,)
        graph, result, edges = one.graph, one.result, list[NDArray[Any]]()
        if graph is not None:
            if not isinstance(graph.weights, np.ndarray):
                return (one,)
            edges = [graph.tails, graph.heads, graph.weights]
        kinds: list[tuple[str, Kind, np.dtype[Any], bool]] = []
        for name, (kind, column, unreached) in result.outputs.items():
            kinds.append((name, kind, column.dtype, unreached is not None))
            arrays[column.dtype].append(column)
            if unreached is not None:
                arrays[unreached.dtype].append(unreached)
        for each in edges:
            arrays[each.dtype].append(each)
        directed = graph is not None and graph.directed
        form = Form(tuple(kinds), tuple(each.dtype for each in edges), directed)
        count = len(edges[0]) if edges else 0
        return forms.setdefault(form, len(forms)), facts_of(vars(one)), result.labels, count

    entries = [entry(one) for one in found]
    memory = {kind: np.concatenate(each).tobytes() for kind, each in arrays.items()}
    return Packed(memory, [*forms], entries)


def unpacked(batch: Packed) -> list[Found]:
    """The answers again. Their graphs were checked where they were made."""
    arrays = {kind: np.frombuffer(memory, kind) for kind, memory in batch.memory.items()}
    ends = dict.fromkeys(arrays, 0)

    def taken(kind: np.dtype[Any], count: int) -> NDArray[Any]:
        begin = ends[kind]
        ends[kind] = end = begin + count
        return arrays[kind][begin:end]

    def answer(
        number: int, facts: tuple[Any, ...], labels: tuple[Label, ...], edges: int
    ) -> Answer:
        form, n = batch.forms[number], len(labels)
        columns = {
            name: Output(kind, taken(dtype, n), taken(FLAGS, n) if said else None)
            for name, kind, dtype, said in form.outputs
        }
        graph = None
        if form.edges:
            tails, heads, weights = (taken(dtype, edges) for dtype in form.edges)
            parts = SoundParts(labels, tails, heads, weights, form.directed)
            graph = Graph._made_of(parts)  # pyright: ignore[reportPrivateUsage]
        known = dict(zip(FACTS, facts, strict=True))
        return found_answer(**known, result=Outputs(labels, columns), graph=graph)

    return [entry[0] if len(entry) == 1 else answer(*entry) for entry in batch.entries]
