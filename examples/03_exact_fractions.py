"""The same weights in rational arithmetic: thirds and sevenths, without rounding."""

from fractions import Fraction

import loopwright as lw

limits = lw.Limits(nodes=8, largest=64, resolution=Fraction(1, 2**20))
model = lw.compile(lw.algorithms.dijkstra(), limits=limits)
edges = [("a", "b", Fraction(1, 3)), ("b", "c", Fraction(2, 7)), ("a", "c", Fraction(5, 8))]

answer = lw.verify(model, edges, source="a", machine="exact")
print(answer.dists)
assert answer.dists["c"] == Fraction(13, 21)
