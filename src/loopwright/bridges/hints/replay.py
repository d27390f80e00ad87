"""Who was visited, and from where → the hints of a depth-first search, event by event.

The benchmark writes a hint whenever its search begins at a root, enters a node, finds a child or
leaves a node. A run says in which order nodes were visited, and from where each was found: that is
all there is to tell. The stack in between is written down here, nothing is searched.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

TICK = 0.01
"""How much a time grows with every event that has one, in the benchmark."""


class Replay:
    """The state of the benchmark's search, and a copy of it for every event."""

    def __init__(self, n: int, *, enters: bool) -> None:
        self.n, self.enters = n, enters
        self.pi, self.s_prev = np.arange(n), np.arange(n)
        self.color = np.zeros(n, dtype=np.int64)
        self.d, self.f = np.zeros(n), np.zeros(n)
        self.topo, self.head = np.arange(n), 0
        self.time = 0.0
        self.s = self.u = self.v = self.s_last = 0
        self.events: list[dict[str, Any]] = []

    def note(self) -> None:
        def one_hot(node: int) -> NDArray[np.int64]:
            return (np.arange(self.n) == node).astype(np.int64)

        self.events.append(
            {
                "pi_h": self.pi.copy(),
                "color": np.eye(3, dtype=np.int64)[self.color],
                "d": self.d.copy(),
                "f": self.f.copy(),
                "s_prev": self.s_prev.copy(),
                "s": one_hot(self.s),
                "u": one_hot(self.u),
                "v": one_hot(self.v),
                "s_last": one_hot(self.s_last),
                "time": self.time,
                "topo_h": self.topo.copy(),
                "topo_head_h": one_hot(self.head),
            }
        )

    def root(self, node: int) -> None:
        self.s = self.u = self.v = self.s_last = node
        self.note()
        self.enter(node)

    def enter(self, node: int) -> None:
        """A root always; a child only where the benchmark tells when it was entered."""
        self.u = node
        if self.enters or self.color[node] == 0:
            self.time += TICK
            self.d[node] = self.time
            self.color[node] = 1
            self.note()

    def find(self, child: int, parent: int) -> None:
        self.u, self.v = parent, child
        self.pi[child], self.color[child] = parent, 1
        self.s_prev[child], self.s_last = self.s_last, child
        self.note()
        self.enter(child)

    def leave(self, node: int) -> None:
        self.u = node
        self.v = self.n - 1  # the benchmark has looked through all nodes
        self.color[node] = 2
        self.time += TICK
        self.f[node] = self.time
        if self.color[self.head] == 2 and self.head != node:
            self.topo[node] = self.head
        self.head = node
        self.note()
        before = self.s_prev[node]
        self.s_prev[node] = node
        self.s_last = int(before)


def replay(order: Sequence[int], parent: Sequence[int], *, enters: bool) -> dict[str, NDArray[Any]]:
    """Hints by name, (time, …), from the order of visits and who found whom.

    `enters`: whether there is an event for entering a child, besides that for finding it.
    """
    told = Replay(len(order), enters=enters)
    path: list[int] = []
    for node in order:
        while path and path[-1] != parent[node]:
            told.leave(path.pop())
        if path:
            told.find(node, path[-1])
        else:
            told.root(node)
        path.append(node)
    while path:
        told.leave(path.pop())
    return {name: np.stack([event[name] for event in told.events]) for name in told.events[0]}
