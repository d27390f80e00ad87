"""Workspace: the memory of one run, laid out as the code expects it.

O(rows × width + edges + stored attention): nothing here is rows × rows.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loopwright.model.weights import Matrix, Over
from loopwright.runtime.encode import Problem
from loopwright.runtime.machines.native.build import Build
from loopwright.runtime.machines.native.code import LANES, PACK_BYTES, Slot
from loopwright.runtime.machines.native.graph import EDGES

STORED_PER_ROW = 64
"""More stored attention than this, on average, and it is computed when needed instead."""

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
        self.columns = aligned(width, pitch)
        self.nodes = self.columns[:, LANES : LANES + self.count]
        self.nodes[:] = start[1:].T
        self.outside = aligned(pitch)
        self.outside[LANES + self.count :] = -np.inf
        self.starts = np.zeros((build.stored, rows), dtype=np.int64)
        self.frame = np.zeros(len(Slot), dtype=np.int64)
        self.kept: list[Any] = []
        self.point(Slot.ROW_ZERO, self.row_zero)
        self.point(Slot.NODES, self.columns)
        self.point(Slot.SCRATCH, aligned(build.scratch, pitch))
        self.point(Slot.OUTSIDE, self.outside)
        self.point(Slot.STARTS, self.starts)
        self.frame[Slot.PITCH] = pitch
        self.frame[Slot.COUNT] = self.count
        self.frame[Slot.PACKS] = packs
        for over in build.edges:
            for slot, array in zip(EDGES[over], compressed(problem, over), strict=True):
                self.point(slot, array)

    @property
    def address(self) -> int:
        return self.frame.ctypes.data

    def point(self, slot: Slot, array: NDArray[Any]) -> None:
        """Let the frame point to an array, and keep that alive."""
        self.kept.append(array)
        self.frame[slot] = array.ctypes.data

    def survey(self) -> bool:
        """Compute what stays the same for the whole run; False if a plan does not hold here."""
        if self.build.survey is None:
            return True
        if self.build.survey(self.address, 0) != 0:
            return False
        if self.build.stored:
            np.cumsum(self.starts, out=self.starts.reshape(-1))
            entries = int(self.starts[-1, -1])
            if entries > STORED_PER_ROW * self.starts.size:
                return False
            self.point(Slot.ENDS, np.empty(entries, dtype=np.int64))
            self.point(Slot.TERMS, np.empty(entries))
            self.build.fill(self.address, 0)
        return True

    def x(self) -> Matrix:
        """X as everyone else knows it: a new (K, d) array."""
        x = np.empty((self.count + 1, len(self.row_zero)))
        x[0] = self.row_zero
        x[1:] = self.nodes.T
        return x


def aligned(*shape: int) -> Matrix:
    """Zeros that begin at the start of a pack."""
    size = prod(shape)
    raw = np.zeros(size + LANES)
    skipped = -raw.ctypes.data % PACK_BYTES // raw.itemsize
    return raw[skipped : skipped + size].reshape(shape)


def compressed(problem: Problem, over: Over) -> tuple[Indices, Indices, Matrix]:
    """Ã by its columns, or for Ãᵀ by its rows: starts, other ends, weights.

    Of several entries for one edge the last counts, as in an assignment.
    """
    rows = problem.rows
    near, far = (problem.heads, problem.tails) if over == "A" else (problem.tails, problem.heads)
    place = near * rows + far
    weights = np.asarray(problem.weights, dtype=np.float64)
    if not np.all(place[1:] > place[:-1]):
        place, last = np.unique(place[::-1], return_index=True)
        weights = weights[::-1][last]
    starts = np.searchsorted(place, np.arange(rows + 1) * rows).astype(np.int64)
    return starts, np.ascontiguousarray(place % rows), np.ascontiguousarray(weights)
