"""ChoiceCode: code for edge heads, where each row chooses among the edges that it sees.

    Σ σ(score) · [xⱼ, Aⱼᵢ] W_V / Σ σ(score)      over the edges j → i, and row 0 at an edge of 0

Edges are ordered by the row that sees them, so all of it takes O(edges), and a row needs none but
its own. What an edge takes is mostly the time to fetch the key of its other end, so keys are
computed for all rows first, one column of scratch for each coordinate in which they differ; values
are fetched only for edges that may be chosen.

One pass over the edges of a row finds the best of them. By hardmax that is all if no other is near
it; else a second pass adds up what those bring that are. Rows that would find what they found in
the iteration before keep that: `anew` tells which.
"""

# llvmlite has no types of its own.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from llvmlite import ir

from loopwright.model.layout import Scope
from loopwright.runtime.machines.native.anew import AnewCode
from loopwright.runtime.machines.native.attention import HeadCode, Vector
from loopwright.runtime.machines.native.code import COUNT, COUNTS, PACK, Value, count, pack, real
from loopwright.runtime.machines.native.frame import EDGES, LANES, Slot

ROW_ZERO, SEVERAL = -1, -2
"""What a row chooses where it is not one edge."""
BLOCK = 256
"""Nodes that look for edges before they fetch what these bring; their edges fit a small cache."""

AHEAD = 16
"""How many edges before a key is needed it is asked for."""
LANE_NUMBERS = ir.Constant(COUNTS, list(range(LANES)))


class ChoiceCode:
    """Writes what one edge head finds, into one routine."""

    def __init__(
        self, code: HeadCode, scratch: Mapping[int, int], anew: AnewCode | None = None
    ) -> None:
        """`scratch` has a column for the keys of every coordinate. Without `anew`, all rows choose
        in every iteration, and edges may lead from row 0, or to it."""
        self.code, self.head, self.anew = code, code.head, anew
        self.routine, self.body = code.routine, code.body
        self.starts, self.ends, self.weights = (self.routine.slot(s) for s in EDGES[code.head.over])
        self.same, self.computed = dict[int, Value](), set[int]()
        of_all = self.routine.prologue.add(self.routine.slot(Slot.COUNT), count(1))
        self.all_edges = self.routine.prologue.load_count(self.starts, of_all)
        self.last_pack = self.routine.prologue.sub(self.all_edges, count(LANES))
        """Where the last edges begin that are a pack, if there is one."""
        self.keys = code.forms[Scope.NODES].key
        self.place = {c: scratch[self.keys.index(form)] for c, form in enumerate(self.keys)}
        """Where the keys of every coordinate are; some coordinates may have the same."""
        for coordinate, form in enumerate(self.keys):
            if form and self.routine.are_alike(form):
                self.same[coordinate] = self.routine.every_node(form)
            elif anew and self.routine.needs_no_memory(form):
                self.computed.add(coordinate)

        self.shown = {
            self.place[c]: form
            for c, form in enumerate(self.keys)
            if form and c not in self.same and c not in self.computed
        }
        """What is computed of keys before rows look at them, and where it is kept."""

    def look_at_row_zero(self) -> None:
        """Find out whether row 0 shows what it showed."""
        assert self.anew
        self.anew.look_at_row_zero()

    def show(self) -> None:
        """Compute the keys of a share of the rows, if they are not what they were."""
        assert self.anew
        self.anew.show(self._show_pack)

    def show_all(self) -> None:
        """Compute the keys of all rows. Row 0 has its place before the first node: put its keys
        there, and its columns, for edges that lead to it from elsewhere."""
        self.routine.over_packs(self._show_pack)
        for place, form in self.shown.items():
            self.routine.write(place, count(-1), self.routine.row_zero(form))
        for column in sorted({c for sums in self.head.value.values() for c, _ in sums}):
            value = self.body.load_at(self.routine.slot(Slot.ROW_ZERO), count(column))
            self.routine.write(column, count(-1), value)

    def _show_pack(self, index: Value) -> None:
        nodes = self.routine.nodes(index)
        for place, form in self.shown.items():
            self.routine.write(place, index, nodes(form))

    def find(self, targets: Mapping[int, int]) -> None:
        """Put what every node of a share finds into columns of scratch.

        Some nodes at a time ask for their edges, then all of these look at theirs, and then they
        fetch what these bring: so the processor can wait for many numbers at once.
        """
        body, routine, columns = self.body, self.routine, list(targets)
        first = targets[columns[0]]  # where a node keeps its edge, until it has what that brings
        everyone = self.anew and self.anew.everyone()

        def ask(index: Value) -> None:
            begin, end = self.edges_of(index)
            body.loop(end, self.fetch_edges, begin=begin, step=LANES)

        def look(index: Value) -> None:
            routine.write(first, index, self.choice(self.query_at(index), self.edges_of(index))[0])

        def fetch(index: Value) -> None:
            at = body.load_count(routine.column(first), index)
            found = self.found(at, self.query_at(index), self.edges_of(index), columns)
            for column, value in zip(columns, found, strict=True):
                routine.write(targets[column], index, value)
            if self.anew:
                self.anew.settle(index)

        def if_it_must(act: Callable[[Value], None], index: Value) -> None:
            if not self.anew:
                act(index)
                return
            with body.if_then(self.anew.must_choose(index, everyone)):
                act(index)

        def block(begin: Value) -> None:
            end = routine.share_end(body.add(begin, count(BLOCK)))
            for act in (ask, look, fetch):
                body.loop(end, partial(if_it_must, act), begin=begin)

        routine.over_share(block, step=BLOCK)

    def query_at(self, index: Value) -> Vector:
        return self.code.query(Scope.NODES, self.routine.node(index))

    def edges_of(self, index: Value) -> tuple[Value, Value]:
        """Where the edges begin and end that a node sees."""
        return self.body.extent(self.starts, self.body.add(index, count(1)))

    def find_at_row_zero(self, columns: Sequence[int]) -> list[Value]:
        """What row 0 finds, where edges may lead to it."""
        query = self.code.query(Scope.SINGLE, self.routine.row_zero)
        edges = self.body.extent(self.starts, count(0))
        return self.found(self.choice(query, edges)[0], query, edges, columns)

    def found(
        self, at: Value, query: Vector, edges: tuple[Value, Value], columns: Sequence[int]
    ) -> list[Value]:
        """What a row finds in these columns, whose choice is `at`."""
        body = self.body

        def of_edge() -> list[Value]:
            return self.brought(*self.edge(at), columns)

        def of_several() -> list[Value]:
            return self.mean(query, edges, self.choice(query, edges)[1], columns)

        of_zero = self.code.values(Scope.SINGLE, self.routine.row_zero, columns)
        found = body.only_if(body.icmp_signed(">=", at, count(0)), of_edge, of_zero)
        return body.only_if(body.icmp_signed("==", at, count(SEVERAL)), of_several, found)

    def choice(self, query: Vector, edges: tuple[Value, Value]) -> tuple[Value, Value]:
        """(the edge with the best score, or `ROW_ZERO`, or `SEVERAL` if others are near it; and
        that score).

        Nothing here is a branch: which of a few edges is the best nobody can foretell. A pack of
        edges is looked at together; its last lanes may be edges of other rows, which do not count.
        Only where no pack is left, at the end of all edges, they are looked at one by one.
        """
        body, (begin, end), none = self.body, edges, count(0)
        queries, outside = self.code.broadcast(query), pack(float("-inf"))

        def is_pack(at: Value, *_: Value) -> Value:
            there = body.icmp_signed("<", body.add(at, count(LANES - 1)), self.all_edges)
            return body.and_(body.icmp_signed("<", at, end), there)

        def look_at_pack(at: Value, *so_far: Value) -> list[Value]:
            scores = body.select(body.lanes_below(at, end), self.scores(queries, at), outside)
            here = body.add(body.broadcast(at), LANE_NUMBERS)
            seen = scores, body.broadcast(none), here
            return [body.add(at, count(LANES)), *self.better(so_far, seen)]

        def look(at: Value, *so_far: Value) -> list[Value]:
            return self.better(so_far, (self.score(query, *self.edge(at)), none, at))

        nobody = outside, *map(body.broadcast, (none, count(ROW_ZERO)))
        at, *lanes = body.repeat(is_pack, look_at_pack, begin, *nobody)
        with_zero = self.with_zero(query, edges), none, count(ROW_ZERO)
        first = self.better(with_zero, self.of_lanes(*lanes))
        best, several, where = body.loop(end, look, *first, begin=at)
        if self.head.softmax:  # whoever is near counts, and how much
            return count(SEVERAL), best
        alone = body.icmp_signed("==", several, none)
        return body.select(alone, where, count(SEVERAL)), best

    def better(self, one: Sequence[Value], other: Sequence[Value]) -> list[Value]:
        """Of two choices the better one, or of packs of them; of each are known the best score,
        whether others are near it, and the edge."""
        body, near = self.body, self.code.near
        (best, several, where), (score, others, at) = one, other
        above = body.not_(near(best, score))
        beside = body.zext(near(score, best), several.type)
        return [
            body.larger(score, best),
            body.select(above, others, body.or_(body.or_(several, others), beside)),
            body.select(above, at, where),
        ]

    def of_lanes(self, best: Value, several: Value, where: Value) -> tuple[Value, Value, Value]:
        """The choice that the lanes of a pack come to."""
        body = self.body
        best_of_all = body.across(best, body.larger)
        near = body.set_lanes(self.code.near(best, body.broadcast(best_of_all)))
        first = body.cttz(near, ir.Constant(ir.IntType(1), 0))
        lane = body.and_(first, count(LANES - 1))
        others = body.icmp_unsigned("!=", body.and_(near, body.sub(near, count(1))), count(0))
        there = body.or_(body.extract_element(several, lane), body.zext(others, COUNT))
        return best_of_all, there, body.extract_element(where, lane)

    def with_zero(self, query: Vector, edges: tuple[Value, Value]) -> Value:
        """The score with row 0 at an edge of 0; −∞ for a row that sees row 0 along an edge."""
        score = self.code.score(query, Scope.SINGLE, self.routine.row_zero)
        if self.anew:
            return score
        body, (begin, end) = self.body, edges  # sorted by their other ends, so row 0 comes first
        other = lambda: [body.load_count(self.ends, begin)]  # noqa: E731
        (first,) = body.only_if(body.icmp_signed("<", begin, end), other, [count(-1)])
        along = body.icmp_signed("==", first, count(0))
        return body.select(along, real(float("-inf")), score)

    def mean(
        self, query: Vector, edges: tuple[Value, Value], best: Value, columns: Sequence[int]
    ) -> list[Value]:
        """The mean of what edges bring that are near the best."""
        body, code = self.body, self.code

        def add(at: Value, *sums: Value) -> list[Value]:
            end, weight = self.edge(at)
            score = self.score(query, end, weight)

            def more() -> list[Value]:
                share = code.weight(score, best)
                brought = self.brought(end, weight, columns)
                added = [share, *(body.fmul(share, value) for value in brought)]
                return list(map(body.fadd, sums, added))

            return body.only_if(code.near(score, best), more, sums)

        begin, end = edges
        sums = body.loop(end, add, *[real(0.0)] * (1 + len(columns)), begin=begin)
        return list(code.mean(columns, sums, self.with_zero(query, edges), best).values())

    def edge(self, at: Value) -> tuple[Value, Value]:
        """The other end of an edge, as the index of a node, and its weight."""
        end = self.body.sub(self.body.load_count(self.ends, at), count(1))
        return end, self.body.load_at(self.weights, at)

    def brought(self, end: Value, weight: Value, columns: Sequence[int]) -> list[Value]:
        """What an edge of this weight brings from its other end."""
        values = self.code.values(Scope.NODES, self.routine.node(end), columns)
        for i, column in enumerate(columns):
            if times := self.head.edge_value.get(column):
                values[i] = self.body.fadd(values[i], self.body.fmul(real(times), weight))
        return values

    def scores(self, queries: Vector, at: Value) -> Value:
        """The scores of a query (as packs) with a pack of edges."""
        body = self.body
        lanes = [body.add(at, count(lane)) for lane in range(LANES)]
        self.fetch_soon(at)
        ends = [body.sub(body.load_count(self.ends, lane), count(1)) for lane in lanes]
        weights = body.load_from(self.weights, at)
        return self.added_up(queries, lambda c: self.keys_of_pack(c, at, ends), weights)

    def keys_of_pack(self, coordinate: int, at: Value, ends: Sequence[Value]) -> Value | None:
        """A coordinate of the keys at the other ends of a pack of edges, if it is not always 0."""
        body, routine, form = self.body, self.routine, self.keys[coordinate]
        if not form:
            return None
        if coordinate in self.same:
            return body.broadcast(self.same[coordinate])
        if coordinate in self.computed:
            numbers = body.sitofp(body.load_from(self.ends, at, COUNTS), PACK)
            return routine.numbered_nodes(numbers)(form)
        return body.together([routine.read_one(self.place[coordinate], end) for end in ends])

    def fetch_edges(self, at: Value) -> None:
        """Have the processor fetch a pack of edges."""
        for column in (self.ends, self.weights):
            self.body.prefetch(column, at)

    def fetch_soon(self, at: Value) -> None:
        """Have the processor fetch the keys that it will need some edges later."""
        body, last = self.body, self.last_pack
        soon = body.add(at, count(AHEAD))
        soon = body.select(body.icmp_signed("<", soon, last), soon, last)
        for lane in range(LANES):
            end = body.load_count(self.ends, body.add(soon, count(lane)))
            for place in self.shown:
                body.prefetch(self.routine.column(place), body.sub(end, count(1)))

    def key(self, coordinate: int, end: Value) -> Value | None:
        """A coordinate of the key at the other end of an edge, if it is not always 0."""
        form = self.keys[coordinate]
        if not form:
            return None
        if coordinate in self.same:
            return self.same[coordinate]
        if coordinate in self.computed:
            return self.routine.node(end)(form)
        return self.routine.read_one(self.place[coordinate], end)

    def score(self, query: Vector, end: Value, weight: Value) -> Value:
        """The score of a query with an edge."""
        return self.added_up(query, lambda c: self.key(c, end), weight)

    def added_up(
        self, query: Vector, key_at: Callable[[int], Value | None], weight: Value
    ) -> Value:
        """The score of a query with an edge, or with a pack of them."""
        body, keys = self.body, list[Value | None]()
        for c, (asked, times) in enumerate(zip(query, self.head.edge_key, strict=True)):
            key = key_at(c) if self.code.counts(c, asked) else None
            if times and self.code.counts(c, asked):
                along = body.fmul(body.constant_like(weight, times), weight)
                key = along if key is None else body.fadd(key, along)
            keys.append(key)
        return self.code.added_up(query, keys, body.constant_like(weight, 0.0))
