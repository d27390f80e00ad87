"""Operands by name, good and bad, so that a pinned message can say what caused it."""

from __future__ import annotations

from fractions import Fraction

from loopwright.language.variables import MASK, Variable
from loopwright.model.layout import Kind, Scope

NUMBERS = {"0": 0, "1": 1, "-1": -1, "1/2": Fraction(1, 2), "MASK": MASK, "none": None}


def operands(field: str) -> dict[str, object]:
    """Every kind of operand for a field; its variables are called after it."""
    found: dict[str, object] = dict(NUMBERS)
    for scope in Scope:
        for kind in Kind:
            for signed in (True,) if kind is Kind.POSITION else (False, True):
                if signed and kind in (Kind.FLAG, Kind.INDEX):
                    continue
                name = f"{scope}.{kind}{'.signed' if signed else ''}"
                found[name] = Variable(field, kind, scope, 0, signed=signed)
    flags = [Variable(f"{field}{i}", Kind.FLAG, Scope.NODES, 0) for i in (1, 2)]
    found["nodes.formula"] = flags[0] & ~flags[1]
    return found


def read_case(text: str) -> tuple[str, dict[str, object]]:
    """`LessThan(out=nodes.flag, a=0, b=1)` → the op's name and its operands."""
    name, _, inside = text.removesuffix(")").partition("(")
    pairs = dict(part.split("=") for part in inside.split(", "))
    return name, {field: operands(field)[value] for field, value in pairs.items()}
