"""Why a program has no fewer layers: the chain of ops, each of which needs the one before it."""

from __future__ import annotations

from dataclasses import dataclass

from loopwright.compiler.assemble import LEVELS
from loopwright.compiler.flow import Flow
from loopwright.compiler.schedule import as_early_as_possible, depth_in, depths_of, first_layer
from loopwright.language.op import Op, with_variables


@dataclass(frozen=True)
class Link:
    """An op, the first layer that can do it, and what it had to wait for."""

    op: Op
    layer: int
    """From 0."""
    reason: str

    def __str__(self) -> str:
        return f"layer {self.layer + 1}: {self.op}  ({self.reason})"


def why(flow: Flow) -> list[Link]:
    """The chain that stands in the way of fewer layers, first op first.

    Every op of it is in the first layer that can do it: because attention reads what the layer
    before it made, or because a formula would nest too many ReLUs in that layer.
    """
    layers = as_early_as_possible(flow)
    depths = depths_of(flow, layers)
    assert depths is not None
    names = {node.op.out: node.of for node in flow.nodes}

    def link(i: int, reason: str) -> Link:
        node = flow.nodes[i]
        return Link(with_variables(node.op, names, node.of), layers[i], reason)

    at = max(range(len(layers)), key=lambda i: (layers[i], depths[i]))
    chain: list[Link] = []
    while True:
        node, layer = flow.nodes[at], layers[at]
        begun = first_layer(flow, node, layers)
        before = [i for i in (*node.reads, *node.waits) if layers[i] + node.attends >= begun]
        if not before:
            chain.append(link(at, "reads what the iteration began with"))
            return chain[::-1]
        chosen = max(before, key=lambda i: (layers[i], depths[i] + node.nests.get(i, 0)))
        name = names[flow.nodes[chosen].op.out]
        if layer > begun:
            nested = depth_in(node, begun, layers, depths)
            reason = f"with '{name}' in one layer {nested} ReLUs would nest, of {LEVELS}"
        elif node.attends:
            reason = f"attends to '{name}', which the layer before makes"
        else:
            reason = f"builds on '{name}'"
        chain.append(link(at, reason))
        at = chosen
