"""How much of the MLPs is left to compute once zeros, carrying and erasing have vanished."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from loopwright.model.layout import Scope
from loopwright.model.weights import Weights
from loopwright.runtime.machines.native.assume import analyse_likely_run
from loopwright.runtime.machines.native.forms import Atom, Form
from loopwright.runtime.machines.native.sparse import sparsify


def multiply_adds_a_node(model: Weights) -> int:
    """Terms that the native code adds up for each node in one iteration, all layers together."""
    analysis = analyse_likely_run(model, sparsify(model))
    return sum(_terms(layer.new[Scope.NODES].values(), set()) for layer in analysis.layers)


def _terms(forms: Iterable[Form], seen: set[Atom]) -> int:
    """Each ReLU is computed once, however often it is used."""
    total = 0
    for form in forms:
        total += len(form)
        for atom in form:
            if isinstance(atom.content, Mapping) and atom not in seen:
                seen.add(atom)
                total += _terms([atom.content], seen)
    return total
