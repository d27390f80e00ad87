"""One for all: heads by which every node hears from row 0, or of all nodes."""

from __future__ import annotations

from loopwright.compiler.attend import Pattern
from loopwright.compiler.layer import LayerBuilder
from loopwright.compiler.linear import relu
from loopwright.compiler.lower.registry import lowers
from loopwright.language import ops
from loopwright.language.variables import B_GLOBAL, B_LOCAL, Variable


@lowers(ops.Repeat)
def repeat(op: ops.Repeat, layer: LayerBuilder) -> None:
    """out[i] ← source at every node                                [P App. C.2, repeat-n]

        from_global:  source → out           self:  −out → out,  −source → out

    Why: every row gets row 0's source; row 0, which must not, gives it back.
    Exact: always (x − x = 0).   Cost: 2 heads.
    """
    for i in range(op.out.kind.width):
        source, out = layer.column(op.source, i), layer.column(op.out, i)
        layer.attention.clear(out)
        layer.attention.move(layer.patterns.self(), source, out, -1)
        layer.attention.move(layer.patterns.from_global(), source, out)


@lowers(ops.AllOne)
def all_one(op: ops.AllOne, layer: LayerBuilder) -> None:
    """out ← 1 if every node's flag is set else 0                   [P App. C.1.6, all-one]

        mean_of_nodes:  M·flags − M·B_local → out           self:  B_global − out → out
        MLP:  out ← relu(out)

    Why: row 0 gets 1 + mean of M·(flag − 1): exactly 1 if all are set, since the mean is of exact
    zeros; at most 1 − M/n < 0 if one is missing.
    Exact: up to M/2 nodes, on exact flags.   Cost: 2 heads, 1 unit.
    """
    _all(op, layer, layer.patterns.mean_of_nodes(), B_GLOBAL)


def _all(
    op: ops.AllOne | ops.Everywhere, layer: LayerBuilder, mean: Pattern, one: Variable
) -> None:
    """out ← relu(one + mean of M·(flag − 1))"""
    out, m = layer.column(op.out), layer.constants.majority
    layer.clear(op.out)
    layer.attention.move(layer.patterns.self(), layer.column(one), out)
    layer.attention.move(mean, layer.column(op.flags), out, m)
    layer.attention.move(mean, layer.column(B_LOCAL), out, -m)
    layer.noisy.add(op.out)
    layer.write(op.out, *map(relu, layer.stored(op.out)))


@lowers(ops.Everywhere)
def everywhere(op: ops.Everywhere, layer: LayerBuilder) -> None:
    """out[i] ← 1 if every node's flag is set else 0, at every node

        all_nodes:  M·flags − M·B_local → out           self:  B_local − out → out
        MLP:  out ← relu(out)

    Why: as for all-one, with every node in the place of row 0.
    Exact: up to M/2 nodes, on exact flags.   Cost: 2 heads, 1 unit.
    """
    _all(op, layer, layer.patterns.all_nodes(), B_LOCAL)
