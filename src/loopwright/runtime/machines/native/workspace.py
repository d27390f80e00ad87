"""Workspace: the memory of one run, laid out as the code expects it.

O(rows × width + edges + stored attention): nothing here is rows × rows.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.model.weights import Matrix
from loopwright.runtime.encode import Problem
from loopwright.runtime.machines.native.build import Build
from loopwright.runtime.machines.native.code import LANES, OUTSIDE, PACK_BYTES, Slot
from loopwright.runtime.machines.native.graph import EDGES

STORED_PER_ROW = 64
"""If more attention than this would have to be stored for a row, on average, then the general build
computes it anew in every iteration instead."""

Indices = NDArray[np.int64]


class Workspace:
    """X, column by column, and everything else that the frame points to."""

    def __init__(self, build: Build, problem: Problem) -> None:
        self.build = build
        start = problem.x
        rows, width = start.shape
        self.count = rows - 1
        packs = -(-self.count // LANES)
        # One pack before the nodes; if there are none, one to read nothing from. And an odd number
        # of packs in all: else columns of some sizes compete for the same places in the cache.
        pitch = LANES * (packs + 2 | 1)
        self.row_zero = aligned(width)
        self.row_zero[:] = start[0]
        before = build.surveys + 1
        columns = aligned(before + width + build.scratch, pitch)
        columns[before + OUTSIDE, LANES + self.count :] = -np.inf
        self.nodes = columns[before : before + width, LANES : LANES + self.count]
        self.nodes[:] = start[1:].T
        self.starts = np.zeros((build.surveys, rows), dtype=np.int64)
        self.frame = np.zeros(len(Slot), dtype=np.int64)
        self.kept: list[Any] = []
        self.point(Slot.ROW_ZERO, self.row_zero)
        self.point(Slot.COLUMNS, columns[before:])
        self.point(Slot.STARTS, self.starts)
        self.frame[Slot.PITCH] = pitch
        self.frame[Slot.COUNT] = self.count
        self.frame[Slot.PACKS] = packs
        for slots in {EDGES[over] for over in build.edges}:
            by_head = slots[0] is Slot.BY_HEAD_STARTS
            for slot, array in zip(slots, compressed(problem, by_head=by_head), strict=True):
                self.point(slot, array)

    @property
    def address(self) -> int:
        return self.frame.ctypes.data

    def point(self, slot: Slot, array: NDArray[Any]) -> None:
        """Let the frame point to an array, and keep the array alive."""
        self.kept.append(array)
        self.frame[slot] = array.ctypes.data

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

    def x(self) -> Matrix:
        """Copy X into a (K, d) array, as everyone else knows it."""
        x = np.empty((self.count + 1, len(self.row_zero)))
        x[0] = self.row_zero
        x[1:] = self.nodes.T
        return x


def aligned(*shape: int) -> Matrix:
    """An array of zeros, at an address from which packs can be loaded."""
    size = prod(shape)
    raw = np.zeros(size + LANES)
    skipped = -raw.ctypes.data % PACK_BYTES // raw.itemsize
    return raw[skipped : skipped + size].reshape(shape)


def compressed(problem: Problem, *, by_head: bool) -> tuple[Indices, Indices, Matrix]:
    """Ã by its columns or by its rows: where the edges of each start, their other ends, weights.

    Of several entries for one edge the last counts, as in an assignment; 0 is no edge.
    """
    rows = problem.rows
    near, far = (problem.heads, problem.tails) if by_head else (problem.tails, problem.heads)
    place = near * rows + far
    weights = np.asarray(problem.weights, dtype=np.float64)
    if not np.all(place[1:] > place[:-1]):
        place, last = np.unique(place[::-1], return_index=True)
        weights = weights[::-1][last]
    if not weights.all():
        place, weights = place[weights != 0], weights[weights != 0]
    starts = np.searchsorted(place, np.arange(rows + 1) * rows).astype(np.int64)
    return starts, np.ascontiguousarray(place % rows), np.ascontiguousarray(weights)
