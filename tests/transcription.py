# ruff: noqa: N803, N806 - names are the paper's
"""The paper's listings in Python, line by line: Algorithms 2 to 7, and Graph-SUBLEQ's.

A second way from the paper to its variables, which knows nothing of Loopwright: what it says of
every variable after every iteration must stand in X. Names are those of the paper, the numbers in
comments those of its steps. A listing is a generator with one item for each iteration, that is for
each pass of `while term is false`, in which the minimum looks at one node: all variables by name.

Where a listing cannot run as it stands, a comment "printed:" has what the paper says instead.

Lists have entries 1…n. Entry 0 is 0 and belongs to no node; `node` is 0 until a minimum is found.
A is the paper's Ã: its row and column 0 are 0, too. Sources are nodes, or 0 for none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

Variables = dict[str, Any]
Matrix = Sequence[Sequence[Any]]


def listed(n: int, entry: Any) -> list[Any]:
    """A list of size n, all entries the same."""
    return [0] + n * [entry]


def snapshot(variables: Variables) -> Variables:
    """Copies of a listing's variables, those of its minimum among them."""
    copies = deepcopy(variables)
    minimum = copies.pop("get_minimum", None)
    return copies if minimum is None else copies | vars(minimum)


class GetMinimum:
    """Algorithm 2. Call it for one iteration; lines 1 to 8 are `initialise`."""

    def __init__(self, n: int, Ω: Any) -> None:
        self.n, self.Ω = n, Ω
        self.initialise()

    def initialise(self) -> None:
        self.scc_cur, self.scc_best = 0, 0  # only used for SCC
        self.idx_cur, self.val_cur = 0, 0
        self.idx_best, self.val_best = 0, self.Ω
        self.visit_min = listed(self.n, False)
        self.term_min = False

    def __call__(self, x: Sequence[Any], x_scc: Sequence[int] | None = None) -> None:
        if self.term_min:  # (1)
            self.initialise()
        self.idx_cur = self.idx_cur + 1  # (2)
        self.val_cur = x[self.idx_cur]  # (3)
        if x_scc is not None:
            self.scc_cur = x_scc[self.idx_cur]
        self.condition = self.val_cur < self.val_best  # (4)
        if self.condition:  # (5)
            self.val_best, self.idx_best = self.val_cur, self.idx_cur
            self.scc_best = self.scc_cur
        self.visit_min[self.idx_cur] = True  # (6)
        self.term_min = False not in self.visit_min[1:]  # (7)


def dijkstra(A: Matrix, start: int, *, Ω: Any, Ω_hat: Any) -> Iterator[Variables]:
    """Algorithm 3."""
    n = len(A) - 1
    prev, visit, dists = list(range(n + 1)), listed(n, False), listed(n, Ω_hat)
    dists_masked, changes, is_zero = listed(n, 0), listed(n, False), listed(n, False)
    dists[start] = 0  # printed: visit[start] = 0
    node, dist, term = 0, 0, False
    get_minimum = GetMinimum(n, Ω)
    while not term:
        for i in range(1, n + 1):  # (1)
            dists_masked[i] = Ω if visit[i] else dists[i]
        get_minimum(dists_masked)  # (2-8)
        if get_minimum.term_min:  # (9)
            node = get_minimum.idx_best
            dist = get_minimum.val_best
        candidates = list(A[node])  # (10)
        for i in range(1, n + 1):  # (11)
            is_zero[i] = candidates[i] <= 0
        for i in range(1, n + 1):  # (12)
            candidates[i] = candidates[i] + dist
        for i in range(1, n + 1):  # (13)
            changes[i] = candidates[i] < dists[i]
        for i in range(1, n + 1):  # (14)
            if not get_minimum.term_min or is_zero[i]:  # printed: and
                changes[i] = False
        for i in range(1, n + 1):  # (15)
            if changes[i]:
                prev[i], dists[i] = node, candidates[i]
        if node:  # (16)
            visit[node] = visit[node] or get_minimum.term_min  # printed: +
        term = False not in visit[1:]  # (17)
        yield snapshot(locals())


def bfs(A: Matrix, start: int, *, Ω: Any, Ω_hat: Any) -> Iterator[Variables]:
    """Algorithm 4."""
    n = len(A) - 1
    order = 0
    prev, visit, disc = list(range(n + 1)), listed(n, False), listed(n, False)
    orders, orders_masked, changes = listed(n, Ω_hat), listed(n, 0), listed(n, False)
    orders[start] = order  # printed: visit[start] = order
    node, term = 0, False
    get_minimum = GetMinimum(n, Ω)
    while not term:
        for i in range(1, n + 1):  # (1)
            orders_masked[i] = Ω if visit[i] else orders[i]
        get_minimum(orders_masked)  # (2-8)
        if get_minimum.term_min:  # (9)
            node = get_minimum.idx_best
        A_row = A[node]  # (10)
        order = order + get_minimum.term_min  # (11)
        for i in range(1, n + 1):  # (12)
            change = get_minimum.term_min and not disc[i]
            changes[i] = change and A_row[i] == 1
        for i in range(1, n + 1):  # (13)
            if changes[i]:
                prev[i] = node
                orders[i] = order
        if node:  # (14)
            visit[node] = visit[node] or get_minimum.term_min  # printed: +
            disc[node] = disc[node] or get_minimum.term_min  # printed: +
        for i in range(1, n + 1):
            disc[i] = disc[i] or changes[i]
        interrupt = disc == visit  # (15)
        term = False not in visit[1:]  # (16)
        term = (term or interrupt) and get_minimum.term_min  # (17)
        yield snapshot(locals())


def dfs(A: Matrix, start: int, *, Ω: Any, Ω_hat: Any) -> Iterator[Variables]:
    """Algorithm 5."""
    n = len(A) - 1
    order = 0
    prev, visit = list(range(n + 1)), listed(n, False)
    orders, orders_masked, changes = listed(n, Ω_hat), listed(n, 0), listed(n, False)
    orders[start] = order  # printed: visit[start] = order
    node, term = 0, False
    get_minimum = GetMinimum(n, Ω)
    while not term:
        for i in range(1, n + 1):  # (1)
            orders_masked[i] = Ω if visit[i] else orders[i]
        get_minimum(orders_masked)  # (2-8)
        if get_minimum.term_min:  # (9)
            node = get_minimum.idx_best
        A_row = A[node]  # (10)
        order = order - get_minimum.term_min  # (11)
        if node:  # (12)
            visit[node] = visit[node] or get_minimum.term_min  # printed: +
        for i in range(1, n + 1):  # (13)
            change = get_minimum.term_min and not visit[i]
            changes[i] = change and A_row[i] == 1
        for i in range(1, n + 1):  # (14)
            if changes[i]:
                prev[i] = node
                orders[i] = order
        term = False not in visit[1:]  # (15)
        yield snapshot(locals())


def scc(A: Matrix, start: int, *, Ω: Any, Ω_hat: Any) -> Iterator[Variables]:
    """Algorithm 6."""
    n = len(A) - 1
    term, term_part, order, node_ref = False, False, 0, 0
    orders_masked, nvisit = listed(n, 0), listed(n, False)
    changes_1, changes_2, changes_3 = listed(n, False), listed(n, False), listed(n, False)
    sccs = list(range(n + 1))
    visit_1, visit_2, visit_3 = listed(n, False), listed(n, False), listed(n, False)
    orders_1, orders_2 = listed(n, Ω_hat), listed(n, Ω_hat)
    orders_1[start], orders_2[start] = order, order
    node, scc = 0, 0
    get_minimum = GetMinimum(n, Ω)
    while not term:
        orders = list(orders_2 if term_part else orders_1)  # (1)
        visit = list(visit_3 if term_part else visit_2)
        for i in range(1, n + 1):  # (2)
            orders_masked[i] = Ω if visit[i] else orders[i]
        get_minimum(orders_masked, sccs)  # (3-9)
        write_1 = get_minimum.term_min and not term_part  # (10)
        write_2 = get_minimum.term_min and term_part
        if get_minimum.term_min:  # (11)
            node, scc = get_minimum.idx_best, get_minimum.scc_best
        A_row, A_col = A[node], [row[node] for row in A]  # (12)
        if node:  # (13)
            visit_1[node] = visit_1[node] or write_1  # printed: visit[node] + write_1
            visit_3[node] = visit_3[node] or write_2  # printed: visit[node] + write_2
        for i in range(1, n + 1):  # (14)
            neighbour_visited = (visit_1[i] and A_row[i] == 1) or A_row[i] == 0
            nvisit[i] = neighbour_visited and write_1
        nvisit_all = False not in nvisit[1:]  # (15)
        visit_scc = visit_3[scc]  # (16)
        node_ref = scc if visit_scc else node_ref  # (17)
        for i in range(1, n + 1):  # (18)
            changes_1[i] = write_1 and A_row[i] == 1 and not visit_1[i]
            changes_3[i] = write_2 and A_col[i] == 1 and not visit_3[i]
        if node:
            changes_2[node] = nvisit_all and write_1
        order = order - get_minimum.term_min
        for i in range(1, n + 1):
            orders_1[i] = order if changes_1[i] else orders_1[i]  # (19)
            orders_2[i] = order if changes_2[i] else orders_2[i]  # (20)
            visit_2[i] = visit_1[i] if changes_2[i] else visit_2[i]
            orders_2[i] = order if changes_3[i] else orders_2[i]  # (21)
            sccs[i] = node_ref if changes_3[i] else sccs[i]
        term = False not in visit_3[1:]  # (22)
        term_part = False not in visit_2[1:]
        yield snapshot(locals())


def multitask(A: Matrix, start: int, *, gamma_s: bool, Ω: Any, Ω_hat: Any) -> Iterator[Variables]:
    """Algorithm 7."""
    n = len(A) - 1
    order, term = 0, False
    prev, visit, dists = list(range(n + 1)), listed(n, False), listed(n, Ω_hat)
    dists_masked, is_zero = listed(n, 0), listed(n, False)
    candidates_1, candidates_2 = listed(n, 0), listed(n, 0)
    changes_1, changes_2 = listed(n, False), listed(n, False)
    dists[start] = 0  # printed: visit[start] = 0
    node, dist = 0, 0
    get_minimum = GetMinimum(n, Ω)
    while not term:
        for i in range(1, n + 1):  # (1)
            dists_masked[i] = Ω if visit[i] else dists[i]
        get_minimum(dists_masked)  # (2-8)
        if get_minimum.term_min:  # (9)
            node = get_minimum.idx_best
            dist = get_minimum.val_best
        A_row = A[node]  # (10)
        for i in range(1, n + 1):  # (11)
            is_zero[i] = A_row[i] <= 0
        if gamma_s:  # (12)
            order = order - get_minimum.term_min
        if node:  # (13)
            visit[node] = visit[node] or get_minimum.term_min  # printed: +
        for i in range(1, n + 1):  # (14)
            candidates_1[i] = A_row[i] + dist
            candidates_2[i] = order
        for i in range(1, n + 1):  # (15)
            changes_1[i] = candidates_1[i] < dists[i]
        for i in range(1, n + 1):  # (16)
            change_2 = get_minimum.term_min and not visit[i]
            changes_2[i] = change_2 and A_row[i] > 0  # printed: A_row[i] is 1, of a graph of ones
            if not get_minimum.term_min or is_zero[i]:  # printed: and
                changes_1[i] = False
        if gamma_s:  # (17)
            candidates, changes = list(candidates_2), list(changes_2)
        else:
            candidates, changes = list(candidates_1), list(changes_1)
        for i in range(1, n + 1):  # (18)
            if changes[i]:
                prev[i], dists[i] = node, candidates[i]
        term = False not in visit[1:]  # (19)
        yield snapshot(locals())


def graph_subleq(
    M_G: Matrix, M: list[Any], I: Sequence[tuple[int, int, int, int, bool]]
) -> Iterator[Variables]:
    """Graph-SUBLEQ with external memory block; an item for each instruction that is executed.

    Entry 0 of M and of I is never meant: a jump there halts, as does leaving the list.
    """
    k, term = 1, False
    while not term:  # printed: true
        a_1, a_2, b, c, gamma_a = I[k]  # (1)
        m_G = list(M_G[a_1])  # (2)
        m_aG = m_G[a_2]  # (3)
        m_aX = M[a_1]  # (4)
        m_a = m_aG if gamma_a else m_aX  # (5)
        m_b = M[b]  # (6)
        diff = m_b - m_a  # (7)
        M[b] = diff  # (8)
        k_next = k + 1  # (9)
        cond_k = diff <= 0  # (10)
        k = c if cond_k else k_next  # (11)
        term = not 1 <= k < len(I)
        yield snapshot(locals())
