"""Edges are put in order, and repeated ones found, as one would by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.errors import GraphError
from loopwright.runtime.arcs import pack
from loopwright.runtime.decimals import Decimals

EDGES = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([1, 1, 1, 5])), max_size=9
)


def by_hand(edges, *, directed):
    """Every edge with its weight in tenths, in order; or the clash that is met first."""
    found = {}
    for tail, head, weight in edges:
        for pair in ((tail, head), (head, tail))[: 1 if directed else 2]:
            earlier = found.setdefault(pair, weight)
            if earlier != weight:
                return (tail, head), (earlier, weight)
    return [(*pair, found[pair]) for pair in sorted(found)]


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("kind", ["floats", "fractions", "decimals"])
@given(edges=EDGES)
def test_as_by_hand(kind, directed, edges):
    tails, heads, tenths = np.array(edges, np.int64).reshape(-1, 3).T
    weights = {
        "floats": tenths / 10,
        "fractions": tuple(Fraction(one, 10) for one in tenths.tolist()),
        "decimals": Decimals.of(tenths, np.ones_like(tenths)),
    }[kind]
    given = tuple("abcd"), tails, heads, weights
    wanted = by_hand(edges, directed=directed)
    if isinstance(wanted, tuple):
        (tail, head), clash = wanted
        both = " and ".join(str(n / 10 if kind == "floats" else Fraction(n, 10)) for n in clash)
        edge = f"{'abcd'[tail]} → {'abcd'[head]}"
        with pytest.raises(GraphError, match=f"^edge {edge} is given twice, with weights {both}:"):
            pack(*given, directed=directed)
        return
    labels, *columns, said = pack(*given, directed=directed)
    assert (labels, said) == (tuple("abcd"), directed)
    assert type(columns[2]) is type(weights)
    found = zip(*columns, strict=True)
    assert [(tail, head, round(10 * weight)) for tail, head, weight in found] == wanted
