"""What follows from a model alone is found once, and forgotten with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

from loopwright.model.weights import Weights

Found = TypeVar("Found")


def once_for_each_model(find: Callable[[Weights], Found]) -> Callable[[Weights], Found]:
    """Have a function of a model remember what it found.

    Two threads may both find it, at first; what one of them found is then kept.
    """
    known: WeakKeyDictionary[Weights, Found] = WeakKeyDictionary()

    @wraps(find)
    def remembered(model: Weights) -> Found:
        try:
            return known[model]
        except KeyError:
            return known.setdefault(model, find(model))

    return remembered
