"""Where work is done that is many pieces: threads here, processes here, or machines of a cluster.

Whoever does a piece, and however often it had to be begun, results come back in the order of the
pieces; so what is made of them does not depend on it. A worker that dies is replaced, and what it
was doing is done again: Dask sees to that.
"""

# Dask has no types of its own.
# pyright: reportMissingImports=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import logging
import os
import pickle
import re
import signal
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, nullcontext
from functools import lru_cache
from itertools import islice
from multiprocessing import resource_tracker, spawn
from typing import Any, TypeVar, cast

from loopwright.errors import LoopwrightError, brief, needing, require_type
from loopwright.model.weights import Weights

LOCAL = "local"
"""The cluster of worker processes on this machine."""
IN_FLIGHT = 4
"""Pieces for each worker that are under way or done, and not yet asked for."""

ADDRESS = re.compile(r"(\w+://)?[^\s/:]+:\d+|inproc://\S+")
EXPECTED = "a Dask scheduler's address, as 'tcp://host:8786', or 'local'"

DASK = "Dask"
"""The names of the processes that Dask starts begin with this."""

A_MOMENT = 0.05
"""Seconds in which Python has cleared up whatever it is about."""

PATIENCE = 10
"""Seconds in which a scheduler must answer."""

Piece = TypeVar("Piece")
Result = TypeVar("Result")


class Submit:
    """Does pieces of work, some at a time."""

    def __init__(self, submit: Callable[..., Any], workers: int) -> None:
        self._submit, self._most = submit, IN_FLIGHT * workers

    def in_order(
        self, work: Callable[[Piece], Result], pieces: Iterable[Piece]
    ) -> Iterator[Result]:
        """What `work` makes of each piece, in their order. Few are taken before they are needed.

        Raises:
            LoopwrightError: what `work` raises, or if workers die of a piece again and again.
        """
        waiting = deque[Any]()
        try:
            for piece in pieces:
                waiting.append(self._submit(work, piece))
                if len(waiting) >= self._most:
                    yield _result(waiting.popleft())
            while waiting:
                yield _result(waiting.popleft())
        finally:
            for future in waiting:
                future.cancel()


@contextmanager
def working(cluster: str | None, workers: int | None) -> Generator[Submit]:
    """Have work done: by threads, or, where a cluster is named, by its workers.

    Args:
        cluster: the address of a Dask scheduler, or `local` for worker processes on this machine.
        workers: how many threads, or processes here; one for each core if not given.

    Raises:
        LoopwrightError: if Dask is not installed, or if no scheduler answers.
    """
    if cluster is None:
        with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
            yield Submit(pool.submit, workers or os.cpu_count() or 1)
        return
    require_cluster(cluster)
    with needing("cluster"):
        from distributed import Client
    if cluster == LOCAL:
        count = workers or os.cpu_count() or 1
        quiet = logging.getLogger("distributed")
        quiet.setLevel(logging.ERROR)  # a worker that is replaced is no news
        with _client_here(count) as client:
            yield Submit(_submitting(client), count)
        return
    try:
        with warnings.catch_warnings(action="ignore"):  # of versions that differ
            client = Client(cluster, timeout=PATIENCE)
    except (OSError, ValueError, TypeError) as problem:
        raise LoopwrightError(
            f"cluster '{brief(cluster)}': no Dask scheduler answers there ({brief(problem)})."
        ) from None
    with client:
        threads = cast("dict[str, int]", client.nthreads())
        yield Submit(_submitting(client), max(1, sum(threads.values())))


@contextmanager
def _client_here(workers: int) -> Generator[Any]:
    """Worker processes on this machine, which Ctrl-C ends by way of this one.

    Who has all results forgets about them, as likely as not, and they end when Python clears up: an
    exception is lost there, and with it that Ctrl-C was pressed.
    """
    from distributed import Client, LocalCluster

    with script_left_alone(), ExitStack() as opened:
        with deaf_to_ctrl_c(), warnings.catch_warnings(action="ignore"):  # of ports in use
            here = LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                dashboard_address=cast("Any", None),
                silence_logs=logging.CRITICAL,
            )
            client = opened.enter_context(Client(opened.enter_context(here)))
        interrupted = False
        try:
            yield client
        except KeyboardInterrupt:
            interrupted = True  # and if it is pressed again, closing ends as well
            raise
        finally:
            with nullcontext() if interrupted else hearing_later():
                opened.close()


@contextmanager
def script_left_alone() -> Generator[None]:
    """Workers that Dask starts meanwhile do not import the script that is running.

    `multiprocessing` has them do so for functions of the script. Workers need none: Dask sends them
    such functions as they are. And a script without `if __name__ == "__main__":` would begin again
    in every worker, with workers of its own. There is no setting for it, so what `multiprocessing`
    tells new processes is changed.
    """
    told = spawn.get_preparation_data

    def told_without(name: str) -> dict[str, Any]:
        known, others = told(name), not name.startswith(DASK)
        return {key: it for key, it in known.items() if others or not key.startswith("init_main")}

    spawn.get_preparation_data = told_without
    try:
        yield
    finally:
        spawn.get_preparation_data = told


@contextmanager
def deaf_to_ctrl_c() -> Generator[None]:
    """What is started meanwhile, threads and processes, never hears of Ctrl-C, nor does what those
    start: a terminal tells all processes, and each worker would say what it was about. This process
    hears of it, and ends them.

    `multiprocessing` keeps a process beside all others. When it starts that it unblocks Ctrl-C, so
    it must have done so before.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def hearing_later() -> Generator[None]:
    """Ctrl-C that is pressed meanwhile counts as pressed a moment later."""
    here, before = threading.main_thread(), signal.getsignal(signal.SIGINT)
    able = hasattr(signal, "pthread_kill") and callable(before)
    if threading.current_thread() is not here or not able:
        yield
        return
    pressed = threading.Event()

    def note(*_: object) -> None:
        pressed.set()

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if pressed.is_set():
            threading.Timer(A_MOMENT, signal.pthread_kill, [here.ident, signal.SIGINT]).start()


def require_cluster(cluster: object) -> None:
    """Refuse what is no cluster, before anybody looks for it.

    Raises:
        LoopwrightError: if it is not the form of an address.
    """
    require_type("cluster", cluster, str, EXPECTED)
    if cluster != LOCAL and not ADDRESS.fullmatch(str(cluster)):
        raise LoopwrightError(f"cluster={brief(cluster, code=True)}: must be {EXPECTED}.")


def _submitting(client: Any) -> Callable[..., Any]:
    """Two pieces that are equal are two pieces; one that fails with its worker is begun again."""

    def submit(function: Callable[..., Any], piece: Any) -> Any:
        return client.submit(function, piece, pure=False, retries=3)

    return submit


def _result(future: Any) -> Any:
    try:
        return future.result()
    except Exception as problem:
        if type(problem).__name__ != "KilledWorker":
            raise
        raise LoopwrightError(
            "several workers died of the same piece of work: look at their logs, or give them more "
            "memory."
        ) from None


def batches(items: Iterable[Piece], size: int) -> Iterator[list[Piece]]:
    """The items in lists of so many; the last may be shorter.

    >>> list(batches("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    left = iter(items)
    while batch := list(islice(left, size)):
        yield batch


def sent(model: Weights) -> bytes:
    """A model as it goes to workers; `received` gives it back."""
    return pickle.dumps(model)


@lru_cache(maxsize=8)
def received(model: bytes) -> Weights:
    """The model that was sent; for all pieces of work the same, so that it is compiled once."""
    return pickle.loads(model)
