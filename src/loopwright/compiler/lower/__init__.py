"""One lowering for each op: its weights, why they are right, and when they are exact.

registry    which function lowers which op
rowwise     ReLU formulas, row by row
everyone    what every node is told, or asked
positions   a position points at a node
finding     nodes found by what they hold
edges       sums along edges
choosing    every node chooses one of its edges: edge heads
retracing   every node finds the edge by which a number came about

In every docstring: the effect, the formula or what each head moves, why that is right, its exact
range, its cost. Heads are counted once for each pattern in a layer.
"""

from loopwright.compiler.lower import (
    choosing,
    edges,
    everyone,
    finding,
    positions,
    retracing,
    rowwise,
)
from loopwright.compiler.lower.registry import LOWERINGS

__all__ = [
    "LOWERINGS",
    "choosing",
    "edges",
    "everyone",
    "finding",
    "positions",
    "retracing",
    "rowwise",
]
