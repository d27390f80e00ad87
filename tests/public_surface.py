"""What people can call: every door into the package, found by inspection of what it exports.

A door is an exported function, a class' constructor, a public method or operator of an exported
thing, or of whatever another door gives back. So nobody has to list them, and a new one is found by
itself.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cached_property
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, get_args, get_type_hints

import loopwright as lw

OPERATORS = ("__and__", "__call__", "__getitem__", "__invert__", "__or__")
"""What people write as `a & b`, `f(x)`, `x[i]`, `~a` and `a | b`."""

PROPERTIES = (property, cached_property)

CALLBACKS = tuple(name for name in vars(lw.Observer) if not name.startswith("_"))
"""A run calls these, and people only override them."""


class Door(NamedTuple):
    """Something to call."""

    name: str
    """As people write it, after `lw.`."""
    call: Callable[..., Any]
    """The function; of a method, one that wants its object first …"""
    of: type | None = None
    """… which is an instance of this."""

    @property
    def parameters(self) -> list[inspect.Parameter]:
        """What it is called with, but for the object of a method."""
        found = [*inspect.signature(self.call).parameters.values()]
        return found[1:] if self.of else found


def doors() -> dict[str, Door]:
    """Name → door, for all that take something."""
    found: dict[str, Door] = {}
    waiting: list[tuple[str, object]] = [(name, getattr(lw, name)) for name in lw.__all__]
    seen: set[type] = {thing for _, thing in waiting if isinstance(thing, type)}
    while waiting:
        for door in doors_of(*waiting.pop(0)):
            if door.parameters:
                found[door.name] = door
            new = [cls for cls in returned_by(door.call) if cls not in seen]
            seen.update(new)
            waiting += [(cls.__name__, Returned(cls)) for cls in new]
    return found


class Returned(NamedTuple):
    """A class that people get instances of, and do not construct."""

    cls: type


def doors_of(name: str, thing: object) -> Iterator[Door]:
    """All that can be called in an exported thing."""
    if isinstance(thing, ModuleType):
        for inner in public_names(thing):
            yield from doors_of(f"{name}.{inner}", getattr(thing, inner))
    elif isinstance(thing, Returned):
        yield from methods_of(name, thing.cls)
    elif isinstance(thing, type):
        base_of_ops = issubclass(thing, lw.ops.Op) and thing not in lw.ops.ALL
        if not issubclass(thing, Exception | Enum) and not base_of_ops:
            yield Door(name, thing)
            yield from methods_of(name, thing)
    elif inspect.isroutine(thing):
        yield Door(name, thing)
    elif callable(thing):
        yield Door(name, thing.__call__)
    elif is_ours(type(thing)):
        cls = type(thing)
        if cls.__name__.startswith("_"):  # it is known by the name of its instance alone
            for door in methods_of(name, cls):
                yield Door(door.name, getattr(thing, door.name.rpartition(".")[2]))
        else:
            yield from methods_of(cls.__name__, cls)


def public_names(module: ModuleType) -> list[str]:
    """Those that it says are public, or those of what it defines itself."""
    if hasattr(module, "__all__"):
        return list(module.__all__)
    return [
        name
        for name, thing in vars(module).items()
        if not name.startswith("_") and getattr(thing, "__module__", None) == module.__name__
    ]


def methods_of(name: str, cls: type) -> Iterator[Door]:
    """Methods and operators that this class or one of its bases in the package defines."""
    for attribute, kind in public_attributes(cls).items():
        if isinstance(kind, classmethod | staticmethod):
            yield Door(f"{name}.{attribute}", getattr(cls, attribute))
        elif isinstance(kind, FunctionType):
            yield Door(f"{name}.{attribute}", kind, of=cls)


def public_attributes(cls: type) -> dict[str, object]:
    """Name → as it stands in the class that defines it."""
    return {
        name: kind
        for base in reversed(cls.__mro__)
        if is_ours(base)
        for name, kind in vars(base).items()
        if name in OPERATORS or not (name.startswith("_") or name in CALLBACKS)
    }


def is_ours(cls: type) -> bool:
    return cls.__module__.partition(".")[0] == lw.__name__


def returned_by(call: Callable[..., Any]) -> list[type]:
    """The package's classes in the annotation of what a call gives back."""
    if isinstance(call, type):
        return []
    function = getattr(call, "__func__", call)
    waiting, found = [get_type_hints(function).get("return")], list[type]()
    while waiting:
        hint = waiting.pop()
        waiting += get_args(hint)
        if isinstance(hint, type) and is_ours(hint) and not issubclass(hint, Exception | Enum):
            found.append(hint)
    return found


def queries_of(cls: type) -> tuple[list[str], list[str]]:
    """What can be asked of an instance without saying more: properties, and methods."""
    public = public_attributes(cls)
    properties = [name for name, kind in public.items() if isinstance(kind, PROPERTIES)]
    methods = [
        name
        for name, kind in public.items()
        if isinstance(kind, FunctionType) and len(inspect.signature(kind).parameters) == 1
    ]
    return properties, methods
