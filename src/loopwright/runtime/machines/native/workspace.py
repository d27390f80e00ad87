"""Workspace: the memory of one run, laid out as the code expects it.

O(rows × width + edges + stored attention): nothing here is rows × rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.errors import LoopwrightError
from loopwright.model.weights import Matrix
from loopwright.runtime.encode import Problem
from loopwright.runtime.machines.native.code import LANES, PACK_BYTES, Slot
from loopwright.runtime.machines.native.edges import Flaw, Rows, listed_once
from loopwright.runtime.machines.native.graph import EDGES
from loopwright.runtime.machines.native.load import Build

STORED_PER_ROW = 64
"""If more attention than this would have to be stored for a row, on average, then the general build
computes it anew in every iteration instead."""


class Workspace:
    """X, column by column, and everything else that the frame points to."""

    def __init__(self, build: Build, problem: Problem) -> None:
        self.build = build
        start = problem.x
        rows, width = start.shape
        self.count: int = rows - 1
        packs = -(-self.count // LANES)
        # One pack before the nodes; if there are none, one to read nothing from. And an odd number
        # of packs in all: else columns of some sizes compete for the same places in the cache.
        pitch = LANES * (packs + 2 | 1)
        before, after = build.surveys, width + build.scratch  # columns before X's, and others
        # All that is small is one block of memory, of which one address has to be found.
        sizes = ((before + after) * pitch, width, len(Slot), build.surveys * rows)
        block, base = aligned(sum(sizes))
        columns, self.row_zero, frame, starts = parts_of(block, sizes)
        columns = columns.reshape(before + after, pitch)
        self.row_zero[:] = start[0]
        self.nodes = columns[before : before + width, LANES : LANES + self.count]
        self.nodes[:] = start[1:].T
        self.starts = starts.view(np.int64).reshape(build.surveys, rows)
        self.frame = frame.view(np.int64)
        ends = [base + 8 * end for end in accumulate(sizes)]
        self.address, self.kept = ends[1], list[Any]()
        self.frame[Slot.COLUMNS] = base + 8 * before * pitch
        self.frame[Slot.ROW_ZERO] = ends[0]
        self.frame[Slot.STARTS] = ends[2]
        self.frame[Slot.PITCH] = pitch
        self.frame[Slot.COUNT] = self.count
        self.frame[Slot.PACKS] = packs
        self.divide(1)
        self.edges: tuple[Rows, Rows, Matrix] = (
            np.ascontiguousarray(problem.tails),
            np.ascontiguousarray(problem.heads),
            np.ascontiguousarray(problem.weights, np.float64),
        )

    def take_edges(self) -> bool:
        """Look at the edges, and lay them out; False if the build counts on others.

        Raises:
            LoopwrightError: if one leads out of X₀.
        """
        flaws = self._flaws()
        if flaws & Flaw.OUTSIDE:
            raise LoopwrightError(f"an edge leads out of the {self.count + 1} rows of X₀.")
        if flaws & Flaw.UNUSUAL and self.build.plain_edges:
            return False
        if flaws & Flaw.UNSORTED:
            self.edges = listed_once(*self.edges, rows=self.count + 1)
            self._flaws()
        tails, heads, weights = self.edges
        for starts, ends, values in {EDGES[over] for over in self.build.edges}:
            by_head = starts is Slot.BY_HEAD_STARTS
            self.point(starts, np.empty(self.count + 2, np.int64))
            self.point(ends, np.empty(len(heads), np.int64) if by_head else heads)
            self.point(values, np.empty(len(weights)) if by_head else weights)
        self.build.lay_out(self.address, len(tails))
        return True

    def _flaws(self) -> int:
        """What is the matter with the edges, to which the frame points from now on."""
        for slot, array in zip((Slot.TAILS, Slot.HEADS, Slot.WEIGHTS), self.edges, strict=True):
            self.point(slot, array)
        return self.build.inspect(self.address, len(self.edges[0]))

    def point(self, slot: Slot, array: NDArray[Any]) -> None:
        """Let the frame point to an array, and keep the array alive."""
        self.kept.append(array)
        self.frame[slot] = address_of(array)

    def survey(self) -> bool:
        """Compute what stays the same for the whole run; False if the build does not suit it."""
        if self.build.survey(self.address, 0) != 0:
            return False
        if self.build.fill is not None:
            np.cumsum(self.starts, out=self.starts.reshape(-1))
            entries = int(self.starts[-1, -1])
            if entries > STORED_PER_ROW * self.starts.size:
                return False
            self.point(Slot.ENDS, np.empty(entries, dtype=np.int64))
            self.point(Slot.TERMS, np.empty(entries))
            self.build.fill(self.address, 0)
        return True

    def divide(self, shares: int) -> None:
        """Divide the nodes into so many shares."""
        self.frame[Slot.SHARES] = self.shares = shares

    def x(self, layer: int = -1) -> Matrix:
        """Copy X after a layer into a (K, d) array, as everyone else knows it."""
        for column in self.build.alike[layer]:
            self.nodes[column] = self.nodes[column, :1]
        x = np.empty((self.count + 1, len(self.row_zero)))
        x[0] = self.row_zero
        x[1:] = self.nodes.T
        return x


def address_of(array: NDArray[Any]) -> int:
    """Where an array begins. (NumPy's `array.ctypes.data` is the same, and takes longer.)"""
    return array.__array_interface__["data"][0]


def aligned(size: int) -> tuple[Matrix, int]:
    """So many zeros, at an address from which packs can be loaded; and that address."""
    raw = np.zeros(size + LANES)
    address = address_of(raw)
    skipped = -address % PACK_BYTES // raw.itemsize
    return raw[skipped : skipped + size], address + skipped * raw.itemsize


def parts_of(block: Matrix, sizes: Sequence[int]) -> list[Matrix]:
    """The block, cut into parts of these sizes."""
    ends = list(accumulate(sizes, initial=0))
    return [block[begin:end] for begin, end in pairwise(ends)]
