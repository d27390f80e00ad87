"""Workspace: the memory of one run, laid out as the code expects it.

O(rows × width + edges + stored attention): nothing here is rows × rows.
"""

from __future__ import annotations

import ctypes
from concurrent.futures import Executor
from itertools import accumulate, repeat
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import LoopwrightError
from loopwright.model.weights import Matrix
from loopwright.runtime.encode import Problem
from loopwright.runtime.machines.native.frame import LANES, PACK_BYTES, Flaw, Slot
from loopwright.runtime.machines.native.load import Build, Function

Rows = NDArray[np.int64]

EDGES_AS_LISTED = slice(Slot.TAILS, Slot.WEIGHTS + 1)
BY_TAIL_COLUMNS = slice(Slot.BY_TAIL_ENDS, Slot.BY_TAIL_WEIGHTS + 1)
BY_HEAD = slice(Slot.BY_HEAD_STARTS, Slot.BY_HEAD_WEIGHTS + 1)

STORED_PER_ROW = 64
"""If more attention than this would have to be stored for a row, on average, then the general build
computes it anew in every iteration instead."""


class Workspace:
    """X, column by column, and everything else that the frame points to."""

    def __init__(
        self, build: Build, problem: Problem, pool: Executor | None = None, shares: int = 1
    ) -> None:
        """`shares` are how many the nodes are divided into, for the threads of a pool."""
        self.build, self.pool, self.shares = build, pool, shares
        start, edges = problem.x, len(problem.tails)
        rows, width = start.shape
        self.count: int = rows - 1
        packs = -(-self.count // LANES)
        # One pack before the nodes; if there are none, one to read nothing from. And an odd number
        # of packs in all: else columns of some sizes compete for the same places in the cache.
        pitch = LANES * (packs + 2 | 1)
        before, after = build.surveys, width + build.scratch  # columns before X's, and others
        # All that has a known size is one block of memory, of which one address has to be found.
        sizes = [(before + after) * pitch, width, len(Slot), build.surveys * rows]
        sizes += [rows + 1] if build.by_tail else []
        sizes += [rows + 1, edges, edges] if build.by_head else []
        block, base = aligned(sum(sizes))
        ends = list(accumulate(sizes))
        columns = block[: ends[0]].reshape(before + after, pitch)
        self.columns = columns[before : before + width, LANES - 1 : LANES + self.count]
        self.nodes = self.columns[:, 1:]
        self.nodes[:] = start[1:].T
        self.row_zero = block[ends[0] : ends[1]]
        self.row_zero[:] = start[0]
        self.frame = frame = block[ends[1] : ends[2]].view(np.int64)
        self.starts = block[ends[2] : ends[3]].view(np.int64).reshape(build.surveys, rows)
        frame[Slot.COLUMNS] = base + 8 * before * pitch
        row_zero, self.address, starts, *others = [base + 8 * end for end in ends]
        frame[Slot.ROW_ZERO] = row_zero
        frame[Slot.STARTS] = starts
        if build.by_tail:
            frame[Slot.BY_TAIL_STARTS] = others.pop(0)
        if build.by_head:
            frame[BY_HEAD] = others[:-1]
        frame[Slot.PITCH] = pitch
        frame[Slot.COUNT] = self.count
        frame[Slot.PACKS] = packs
        frame[Slot.SHARES] = shares
        self.edges: tuple[Rows, Rows, Matrix] = (
            np.ascontiguousarray(problem.tails),
            np.ascontiguousarray(problem.heads),
            np.ascontiguousarray(problem.weights, np.float64),
        )
        self.entries: tuple[NDArray[Any], ...] = ()

    def take_edges(self) -> bool:
        """Look at the edges, and lay them out; False if the build counts on others.

        Raises:
            LoopwrightError: if one leads out of X₀.
        """
        flaws = self._lay_out()
        if flaws & Flaw.OUTSIDE:
            raise LoopwrightError(f"an edge leads out of the {self.count + 1} rows of X₀.")
        if flaws & Flaw.UNUSUAL and self.build.plain_edges:
            return False
        if flaws & Flaw.UNSORTED:
            self.edges = listed_once(*self.edges, rows=self.count + 1)
            self._lay_out()
        if self.build.place and self.shares > 1:
            self.do_shares(self.build.place)
        return True

    def _lay_out(self) -> int:
        """Lay out the edges, unless flaws of them, which are returned, stand against it."""
        tails, heads, weights = map(address_of, self.edges)
        self.frame[EDGES_AS_LISTED] = tails, heads, weights
        self.frame[BY_TAIL_COLUMNS] = heads, weights  # as they are: they are sorted by tails
        self.frame[Slot.EDGES] = len(self.edges[0])
        return self.build.lay_out(self.address, 0)

    def survey(self) -> bool:
        """Compute what stays the same for the whole run; False if the build does not suit it."""
        if self.build.survey(self.address, 0) != 0:
            return False
        if self.build.fill is not None:
            np.cumsum(self.starts, out=self.starts.reshape(-1))
            entries = int(self.starts[-1, -1])
            if entries > STORED_PER_ROW * self.starts.size:
                return False
            self.entries = np.empty(entries, dtype=np.int64), np.empty(entries)
            self.frame[Slot.ENDS], self.frame[Slot.TERMS] = map(address_of, self.entries)
            self.build.fill(self.address, 0)
        return True

    def do_shares(self, function: Function) -> None:
        """Do every share of the nodes: at once, where there are threads for it."""
        do: Any = self.pool.map if self.pool else map
        list(do(function, repeat(self.address), range(self.shares)))

    def x(self, layer: int = -1) -> Matrix:
        """X after a layer as a (K, d) array, as everyone else knows it: the memory of the run, so
        that whoever goes on running has to copy it."""
        for column in self.build.alike[layer]:
            self.nodes[column] = self.nodes[column, :1]
        self.columns[:, 0] = self.row_zero  # it has its place before the nodes
        return self.columns.T


def address_of(array: NDArray[Any]) -> int:
    """Where an array begins. NumPy says so too, but takes four times as long to."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(cast("Any", array)))
    except (TypeError, ValueError):  # it is read-only, or empty
        return array.ctypes.data


def aligned(size: int) -> tuple[Matrix, int]:
    """So many zeros, at an address from which packs can be loaded; and that address."""
    raw = np.zeros(size + LANES)
    address = address_of(raw)
    skipped = -address % PACK_BYTES // raw.itemsize
    return raw[skipped : skipped + size], address + skipped * raw.itemsize


def listed_once(
    tails: Rows, heads: Rows, weights: Matrix, *, rows: int
) -> tuple[Rows, Rows, Matrix]:
    """The same edges, sorted, each once: the last that is listed counts, as in an assignment, and 0
    is no edge."""
    place, last = np.unique((tails * rows + heads)[::-1], return_index=True)
    kept = weights[::-1][last]
    tails, heads = np.divmod(place[kept != 0], rows)
    return tails, heads, kept[kept != 0]
