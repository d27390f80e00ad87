"""Program ↔ JSON, so that a saved model says what it computes and can be verified later."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from typing import Any, cast

from loopwright.errors import ProgramError
from loopwright.language import ops
from loopwright.language.formulas import And, Formula, Less, Not, Or, Same
from loopwright.language.program import Program, Step
from loopwright.language.variables import Named, Variable
from loopwright.model.description import read_fraction
from loopwright.model.layout import Kind, Scope

JSON = Any
"""Whatever `json` reads and writes."""

_OPS = {op.__name__: op for op in ops.ALL}


def to_json(program: Program) -> dict[str, JSON]:
    """The whole program as plain data; `from_json` gives it back."""
    return {
        "name": program.name,
        "construction": program.construction,
        "edges": program.edges,
        "source": program.source,
        "source_unless": program.source_unless,
        "needs": list(program.needs),
        "bound": list(program.bound),
        "counts": None if program.counts is None else list(program.counts),
        "values": program.values,
        "choices": program.choices,
        "layers": program.layers,
        "written": to_json(program.written) if program.written else None,
        "halt": program.halt.name,
        "outputs": {name: variable.name for name, variable in program.outputs.items()},
        "variables": [_variable(variable) for variable in program.variables],
        "steps": [
            {
                "name": at.name,
                "paper_step": at.paper_step,
                "at": at.at,
                "ops": [
                    {"op": type(op).__name__}
                    | {f.name: _operand(getattr(op, f.name)) for f in fields(op)}
                    for op in at.ops
                ],
            }
            for at in program.steps
        ],
    }


def _variable(variable: Variable) -> JSON:
    return {
        "name": variable.name,
        "kind": variable.kind,
        "scope": variable.scope,
        "start": _start(variable.start),
        "at_source": _start(variable.at_source),
        "signed": variable.signed,
        "constant": variable.constant,
    }


def _start(start: Fraction | int | str | Named | None) -> JSON:
    """A text start (`own`, `input:…`) stays text; numbers and named constants are told apart."""
    if start is None or isinstance(start, str):
        return start
    return {"named": start.name} if isinstance(start, Named) else {"number": str(start)}


def _operand(operand: object) -> JSON:
    match operand:
        case None:
            return None
        case Variable():
            return operand.name
        case And(parts):
            return {"and": [_operand(part) for part in parts]}
        case Or(parts):
            return {"or": [_operand(part) for part in parts]}
        case Not(part):
            return {"not": _operand(part)}
        case Less(a, b):
            return {"less": [_operand(a), _operand(b)]}
        case Same(a, b):
            return {"same": [_operand(a), _operand(b)]}
        case Named() | Fraction() | int():
            return _start(operand)
        case _:
            raise TypeError(f"cannot store {operand!r}")


def from_json(data: dict[str, JSON]) -> Program:
    """The program that `to_json` stored.

    Raises:
        ProgramError: if the data does not describe a well-formed program.
    """
    try:
        variables = {v["name"]: _read_variable(v) for v in data["variables"]}
        return Program(
            name=data["name"],
            construction=data["construction"],
            edges=data["edges"],
            source=data["source"],
            source_unless=data.get("source_unless"),
            needs=tuple(data.get("needs", ())),
            bound=tuple(data["bound"]),
            counts=None if data["counts"] is None else tuple(data["counts"]),
            values=data.get("values", "paths"),
            choices=data.get("choices", "one"),
            layers=data.get("layers", "given"),
            written=from_json(data["written"]) if data.get("written") else None,
            halt=variables[data["halt"]],
            outputs={name: variables[v] for name, v in data["outputs"].items()},
            steps=tuple(
                Step(
                    at["name"],
                    tuple(_read_op(op, variables) for op in at["ops"]),
                    at["paper_step"],
                    at.get("at"),
                )
                for at in data["steps"]
            ),
        )
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as problem:
        raise ProgramError(f"the stored program cannot be read: {problem!r}") from problem


def _read_variable(data: JSON) -> Variable:
    return Variable(
        data["name"],
        Kind(data["kind"]),
        Scope(data["scope"]),
        _read_start(data["start"]),
        cast("Fraction | int | Named | None", _read_start(data["at_source"])),
        data["signed"],
        data["constant"],
    )


def _read_start(data: JSON) -> Fraction | int | str | Named | None:
    if data is None or isinstance(data, str):
        return data
    if "named" in data:
        return Named(data["named"])
    number = read_fraction(data["number"])
    return int(number) if number.denominator == 1 else number


def _read_op(data: JSON, variables: dict[str, Variable]) -> ops.Op:
    operands = {k: _read_operand(v, variables) for k, v in data.items() if k != "op"}
    return cast("Any", _OPS[data["op"]])(**operands)


def _read_operand(data: JSON, variables: dict[str, Variable]) -> object:
    if isinstance(data, str):
        return variables[data]
    if isinstance(data, dict) and data.keys() & {"and", "or", "not", "less", "same"}:
        return _read_formula(cast("dict[str, JSON]", data), variables)
    return _read_start(data)


def _read_formula(data: JSON, variables: dict[str, Variable]) -> Formula:
    if isinstance(data, str):
        return variables[data]
    ((kind, parts),) = data.items()
    if kind == "not":
        return Not(_read_formula(parts, variables))
    if kind in ("less", "same"):
        a, b = (cast("Any", _read_operand(side, variables)) for side in parts)
        return Less(a, b) if kind == "less" else Same(a, b)
    made = tuple(_read_formula(part, variables) for part in parts)
    return And(made) if kind == "and" else Or(made)
