"""Operands by name, good and bad, so that a pinned message can say what caused it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from fractions import Fraction

from loopwright.language import ops
from loopwright.language.op import Malformed
from loopwright.language.variables import MASK, Variable
from loopwright.model.layout import Kind, Scope

NUMBERS = {"0": 0, "1": 1, "-1": -1, "1/2": Fraction(1, 2), "MASK": MASK, "none": None}
SOUND = {
    "LessThan": "nodes.flag, nodes.value, nodes.value",
    "Between": "nodes.flag, nodes.count, nodes.value, 1",
    "Where": "nodes.value, nodes.flag, nodes.count, MASK",
    "Copy": "nodes.value, nodes.index",
    "Increment": "single.position, single.position",
    "MarkZeros": "nodes.flag, nodes.value",
    "Set": "nodes.flag, nodes.formula",
    "Equal": "nodes.flag, nodes.count, nodes.index",
    "Add": "single.value.signed, single.count, 1/2",
    "Subtract": "single.value.signed, single.count, 1/2",
    "Multiply": "nodes.value, nodes.count, 1",
    "Minimum": "nodes.value, nodes.count, 1",
    "Maximum": "nodes.value, nodes.count, 1",
    "Difference": "nodes.value, nodes.value.signed, -1",
    "RoundFlag": "nodes.flag",
    "Repeat": "nodes.value, single.count",
    "ReadRow": "nodes.value, single.position",
    "ReadX": "single.count, single.position, nodes.index",
    "WriteRow": "nodes.flag, single.position, single.flag, nodes.flag",
    "OneHot": "nodes.flag, single.position, single.flag",
    "SubtractAt": "nodes.value.signed, single.position, single.count",
    "AllOne": "single.flag, nodes.flag",
    "Everywhere": "nodes.flag, nodes.flag",
    "SumFrom": "nodes.count, nodes.flag",
    "AddFrom": "nodes.value, nodes.count",
    "AddTo": "nodes.index, nodes.index",
    "RowOf": "nodes.flag, nodes.flag",
    "MarkLeast": "nodes.flag, nodes.value, nodes.flag",
    "ReadLeast": "nodes.value, nodes.count, nodes.flag",
    "ReadFirst": "nodes.count, nodes.flag, nodes.index, nodes.index",
    "Gather": "nodes.value, nodes.index, nodes.count",
    "LeastWhereEqual": "nodes.value, nodes.count, nodes.index, nodes.square, nodes.index, "
    "nodes.square, nodes.flag",
    "LeastFrom": "nodes.value, nodes.flag, nodes.count, nodes.flag, MASK",
    "NearestFrom": "nodes.value, none, nodes.value, nodes.flag, 0",
    "HeaviestFrom": "nodes.value, nodes.flag, nodes.flag",
    "LeastViaFrom": "nodes.index, none, nodes.count, nodes.count, nodes.flag, nodes.index",
    "RoundPosition": "single.position, nodes.flag",
}
"""For each op operands that fit; one with the same declaration as its base class is not listed."""


def operands(field: str) -> dict[str, object]:
    """Every kind of operand for a field; its variables are called after it."""
    found: dict[str, object] = dict(NUMBERS)
    for scope in Scope:
        for kind in Kind:
            found[f"{scope}.{kind}"] = Variable(field, kind, scope, 0, signed=kind == "position")
        for kind in (Kind.COUNT, Kind.VALUE):
            found[f"{scope}.{kind}.signed"] = Variable(field, kind, scope, 0, signed=True)
    flags = [Variable(f"{field}{i}", Kind.FLAG, Scope.NODES, 0) for i in (1, 2)]
    return found | {"nodes.formula": flags[0] & ~flags[1]}


def cases() -> dict[str, str]:
    """What each op says to sound operands, and with each of them replaced by each other one."""
    return {case: said for op in ops.ALL for case, said in cases_of(op)}


def cases_of(op: type[ops.Op]) -> Iterator[tuple[str, str]]:
    """The cases of one op: (op with its operands, what it says)."""
    sound = next(SOUND[base.__name__] for base in op.__mro__ if base.__name__ in SOUND)
    chosen = dict(zip([f.name for f in fields(op)], sound.split(", "), strict=True))
    for field in chosen:
        for other in operands(field):
            given = chosen | {field: other}
            text = ", ".join(f"{k}={v}" for k, v in given.items())
            yield f"{op.__name__}({text})", what_it_says(op, given)


def what_it_says(op: type[ops.Op], given: dict[str, str]) -> str:
    made = op(**{field: operands(field)[name] for field, name in given.items()})
    try:
        made.check()
    except Malformed as problem:
        return str(problem)
    return f"ok: {made}"
