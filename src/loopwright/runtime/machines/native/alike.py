"""Which columns hold the same number at every node, and where it is enough to write it once.

What all nodes found alike, and what is computed from that alone, is the same at every node until
something else is written there. Such a column is read as one number, and is written at the first
node alone wherever it stays so until it is written again. When X is read, the other nodes get it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from loopwright.model.layout import Scope
from loopwright.runtime.machines.native.analyse import Analysis, Finds, LayerForms, Plan
from loopwright.runtime.machines.native.forms import Form, Found, Global, Own, leaves
from loopwright.runtime.machines.native.sparse import SparseHead

Plans = Mapping[SparseHead, Plan]


@dataclass(frozen=True)
class Likeness:
    """What is known of the columns around one layer, in every iteration."""

    before: frozenset[int]
    """They hold the same number at every node when the layer begins."""
    after: frozenset[int]
    """When it ends they do as well, and whoever reads them later knows it."""


def likeness(analysis: Analysis) -> list[Likeness]:
    """What is known around each layer: forwards to a fixpoint, then backwards who may count on it.

    A column that is alike when the last layer ends may not be so when the first one begins, as it
    need not be in X₀; so that layer must write it at every node.
    """
    layers, start = analysis.layers, analysis.assumptions.alike
    while True:
        known = [start]
        for layer in layers:
            known.append(_known_after(layer, known[-1], analysis.assumptions.plans))
        if start <= known[-1]:
            break
        start &= known[-1]
    after = [start]
    for layer, before in zip(reversed(layers[1:]), reversed(known[1:-1]), strict=True):
        after.append(before & (after[-1] | layer.new[Scope.NODES].keys()))
    return list(map(Likeness, known, reversed(after)))


def _known_after(layer: LayerForms, before: frozenset[int], plans: Plans) -> frozenset[int]:
    new = layer.new[Scope.NODES]
    written = {column for column, form in new.items() if is_alike(form, before, plans)}
    return before - new.keys() | written


def is_alike(form: Form, columns: frozenset[int], plans: Plans) -> bool:
    """Whether a form comes to the same number at every node, if these columns do."""
    return all(
        leaf.column in columns
        if isinstance(leaf, Own)
        else isinstance(leaf, Global)
        or (isinstance(leaf, Found) and plans[leaf.head].nodes is Finds.ALIKE)
        for leaf in leaves([form])
    )
