"""Weights ↔ JSON and named tensors: what `storage` puts into a file, and trusts nothing of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from math import isfinite
from sys import float_info
from typing import Any, TypeVar, cast, get_args

import numpy as np

from loopwright.errors import brief
from loopwright.model.demands import Demands
from loopwright.model.layout import OWN, Field, Kind, Layout, Scope
from loopwright.model.limits import LARGEST_COUNT, Constants
from loopwright.model.provenance import Move, Parts, Unit
from loopwright.model.reach import BOUNDS, QUANTITIES, Bound, Reach, Term
from loopwright.model.reliance import BEYOND, RELIED_ON, Reliance
from loopwright.model.weights import (
    HEAD_KINDS,
    AttentionKind,
    Edges,
    Head,
    Layer,
    Matrix,
    Need,
    Source,
    Weights,
)

JSON = Any
"""Whatever `json` reads and writes."""

RATIONAL = re.compile(r"-?[0-9]+(/0*[1-9][0-9]*)?", re.ASCII)
"""How `str` writes a fraction. `Fraction` reads more: 1e999999999, which fills the memory."""

LONGEST_RATIONAL = 2000
"""Characters: numerator and denominator of a double have some 1,000 at most together."""

LONGEST_NAME = 10_000
"""Characters. A packed layer has the names of all its steps."""

LARGEST_CONSTANT = 2**256
"""A constant lies between this and its inverse: far beyond what floats compute with, but products
of a few are still finite."""

LARGEST_POWER = 2**16
"""Of the degree, in a bound: 32 iterations of 2,000 sums each have no more."""

MOST_COEFFICIENTS = 64
"""Of a bound on iterations, a polynomial in the number of nodes."""

T = TypeVar("T")


def name_tensors(model: Weights) -> dict[str, Matrix]:
    tensors: dict[str, Matrix] = {}
    for i, layer in enumerate(model.layers):
        for h, head in enumerate(layer.heads):
            for part, matrix in head.matrices.items():
                tensors[f"layers.{i}.heads.{h}.{part}"] = matrix
        for k, matrix in enumerate(layer.mlp, start=1):
            tensors[f"layers.{i}.mlp.{k}"] = matrix
    if model.basis is not None:
        tensors["basis"] = model.basis
    return tensors


def describe(model: Weights) -> dict[str, JSON]:
    """Everything but the weights, as JSON; fractions as text."""
    layout = model.layout
    return {
        "name": model.name,
        "construction": model.construction,
        "attention": model.attention,
        "edges": model.edges,
        "source": model.source,
        "source_unless": model.source_unless,
        "needs": list(model.needs),
        "bound": list(model.bound),
        "demands": asdict(model.demands) | {"reach": _reach_text(model.demands.reach)},
        "constants": {name: _text(number) for name, number in asdict(model.constants).items()},
        "layout": {
            "width": layout.width,
            "halt": layout.halt,
            "outputs": dict(layout.outputs),
            "fields": [
                asdict(field) | {"start": _text(field.start), "at_source": _text(field.at_source)}
                for field in layout.fields
            ],
        },
        "layers": [
            {
                "name": layer.name,
                "paper_step": layer.paper_step,
                "writes": list(layer.writes),
                "heads": [
                    {
                        "over": head.over,
                        "tie_tolerance": head.tie_tolerance,
                        "temperature": head.temperature,
                        "noise": head.noise,
                    }
                    for head in layer.heads
                ],
                "parts": None if layer.parts is None else asdict(layer.parts),
            }
            for layer in model.layers
        ],
        "rationals": [[number, str(exact)] for number, exact in model.rationals.items()],
        "program": dict(model.program),
    }


def rebuild(data: JSON, tensors: Mapping[str, Matrix]) -> Weights:
    """The model that `describe` and `name_tensors` took apart.

    Raises:
        Exception: ValueError, or whatever else comes of data of another form.
    """
    for name, matrix in tensors.items():
        _expect(matrix.ndim == 2 and bool(np.isfinite(matrix).all()), f"'{name}' has no weights")
    model = Weights(
        name=_name(data["name"]),
        construction=_name(data["construction"]),
        attention=_one_of(get_args(AttentionKind), data["attention"]),
        edges=_one_of(get_args(Edges), data["edges"]),
        source=_one_of(get_args(Source), data["source"]),
        source_unless=_perhaps_name(data.get("source_unless")),
        needs=tuple(_one_of(get_args(Need), need) for need in data.get("needs", ())),
        bound=_polynomial(data["bound"]),
        demands=_demands(data["demands"]),
        constants=read_constants(data["constants"]),
        layout=read_layout(data["layout"]),
        layers=tuple(_layer(i, layer, tensors) for i, layer in enumerate(data["layers"])),
        program=_object(data["program"]),
        rationals={_number(number): read_fraction(exact) for number, exact in data["rationals"]},
        basis=tensors.get("basis"),
    )
    _expect(bool(model.layers), "there are no layers")
    of_nodes = {field.name for field in model.layout.fields if field.scope is Scope.NODES}
    for each in model.demands.reliances:
        named = {*each.variables, *([each.across] if each.across else [])}
        known = each.layer < len(model.layers) and of_nodes >= named
        _expect(known, "what ops count on is about other layers or variables")
    strange = sorted(set(tensors) - set(name_tensors(model)))
    _expect(not strange, f"tensors without a place: {strange[:3]}")
    return model


def read_constants(data: JSON) -> Constants:
    numbers = {
        name: read_count(int(read_fraction(text))) if name == "nodes" else read_fraction(text)
        for name, text in _object(data).items()
    }
    for name, number in numbers.items():
        sound = 1 <= number * LARGEST_CONSTANT <= LARGEST_CONSTANT**2
        _expect(sound, f"the constant '{brief(name)}' is out of range")
    return Constants(**cast("Any", numbers))


def _demands(data: JSON) -> Demands:
    facts = dict(_object(data))
    counts = _polynomial(facts.pop("counts"))
    denominator = read_count(facts.pop("denominator"))
    _expect(denominator > 0, "a denominator is 0")
    reach = facts.pop("reach", None)
    kinds: Any = {
        name: tuple(map(Kind, facts.pop(name, ()))) for name in ("matches", "chooses", "retraces")
    }
    reliances = tuple(map(_reliance, _list(facts.pop("reliances", []))))
    flags: Any = {name: _is(bool, fact) for name, fact in facts.items()}
    _expect(kinds["retraces"] or not flags.get("prefers_heavy"), "heavy edges of no path")
    found = None if reach is None else read_reach(reach)
    return Demands(
        counts=counts, denominator=denominator, reach=found, reliances=reliances, **kinds, **flags
    )


def _reliance(data: JSON) -> Reliance:
    kind = _one_of(tuple(RELIED_ON), data["kind"])
    variables = tuple(map(_name, _list(data["variables"])))
    _expect(len(variables) in RELIED_ON[kind], "what ops count on is about other variables")
    constant = (
        data["constant"] if data["constant"] in BEYOND else str(read_fraction(data["constant"]))
    )
    layer, inwards, along = read_count(data["layer"]), data["inwards"], data["along"]
    across = _perhaps_name(data.get("across"))
    return Reliance(kind, layer, variables, constant, _is(bool, inwards), _is(bool, along), across)


def _reach_text(reach: Reach | None) -> JSON:
    """Bounds as lists of terms: a quantity, its powers, how often; older files have one power."""
    if reach is None:
        return None

    def terms(bound: Bound | None) -> JSON:
        return None if bound is None else [[*term, str(times)] for term, times in bound.items()]

    bounds = {name: terms(getattr(reach, name)) for name in BOUNDS}
    for name in ("step", "meanwhile"):
        bounds[name] = [terms(bound) for bound in getattr(reach, name)]
    others = {name: getattr(reach, name) for name in ("sentinels", "increments", "iterations")}
    return bounds | others | {"pointers": [list(names) for names in reach.pointers]}


def read_reach(data: JSON) -> Reach:
    known_since_later = ("differences", "step_differences", "errors_of_indices")
    data = {name: [] for name in known_since_later} | data

    def bound(listed: JSON) -> Bound:
        terms: Bound = {
            Term(_one_of(QUANTITIES, q), *map(read_count, powers)): read_fraction(t)
            for q, *powers, t in listed
        }
        for term, times in terms.items():
            sound = term.each < 2 and term.degree <= LARGEST_POWER and times >= 0
            _expect(sound, "a bound is no bound")
        return terms

    def perhaps(listed: JSON) -> Any:
        return None if listed is None else bound(listed)

    return Reach(
        **{name: perhaps(data[name]) for name in BOUNDS if not name.startswith("step")},
        **{name: bound(data[name]) for name in BOUNDS if name.startswith("step")},
        step=tuple(map(bound, _list(data["step"]))),
        meanwhile=tuple(map(bound, _list(data.get("meanwhile", [])))),
        sentinels=_is(bool, data["sentinels"]),
        increments=read_count(data["increments"]),
        iterations=None if data["iterations"] is None else read_count(data["iterations"]),
        pointers=tuple(tuple(_name(name) for name in names) for names in data["pointers"]),
    )


def read_layout(data: JSON) -> Layout:
    width = read_count(data["width"])
    fields = tuple(map(_field, data["fields"]))
    names = [field.name for field in fields]
    _expect(len(set(names)) == len(names), "two variables have the same name")
    _expect(all(field.columns.stop <= width for field in fields), "a variable is out of range")
    outputs = {_name(name): _one_of(names, of) for name, of in data["outputs"].items()}
    return Layout(fields, width, _one_of(names, data["halt"]), outputs)


def _field(data: JSON) -> Field:
    kind, scope = Kind(data["kind"]), Scope(data["scope"])
    start, at_source = _is(str, data["start"]), data["at_source"]
    _expect(start != OWN or scope is Scope.NODES, "a variable without nodes starts at their own")
    given = start == OWN or start.startswith("input:")
    return Field(
        _name(data["name"]),
        kind,
        scope,
        read_count(data["first"]),
        start if given else _start(start, kind),
        None if at_source is None else _start(at_source, kind),
        _is(bool, data.get("signed", True)),
        None if (held := data.get("held")) is None else tuple(map(_layer_number, _list(held))),
    )


def _layer_number(data: JSON) -> int:
    """The number of a layer, or −1 for none yet."""
    return -1 if data == -1 else read_count(data)


def _start(text: JSON, kind: Kind) -> Fraction:
    """A start that floats hold; of a position, the number of a row."""
    start = read_fraction(text)
    _expect(abs(start) <= float_info.max, f"the start {brief(text)} is beyond floats")
    whole = start.denominator == 1 and 0 <= start < LARGEST_COUNT
    _expect(whole or kind is not Kind.POSITION, f"{brief(text)} is no position")
    return start


def _layer(i: int, data: JSON, tensors: Mapping[str, Matrix]) -> Layer:
    w1, w2, w3, w4 = (tensors[f"layers.{i}.mlp.{k}"] for k in (1, 2, 3, 4))
    heads = tuple(
        _head(f"layers.{i}.heads.{h}.", head, tensors) for h, head in enumerate(data["heads"])
    )
    step = None if data["paper_step"] is None else read_count(data["paper_step"])
    writes = tuple(_name(name) for name in data["writes"])
    parts = None if (said := data.get("parts")) is None else _parts(said)
    return Layer(_name(data["name"]), step, writes, heads, (w1, w2, w3, w4), parts)


def _head(prefix: str, data: JSON, tensors: Mapping[str, Matrix]) -> Head:
    """One without hinges has no tensor for them."""
    hinges = tensors.get(f"{prefix}hinges")
    return Head(
        over=_one_of(tuple(HEAD_KINDS), data["over"]),
        query=tensors[f"{prefix}query"],
        key=tensors[f"{prefix}key"],
        value=tensors[f"{prefix}value"],
        tie_tolerance=_number(data["tie_tolerance"]),
        temperature=_number(data["temperature"]),
        noise=_number(data.get("noise", 0.0)),
        **({} if hinges is None else {"hinges": hinges}),
    )


def _parts(data: JSON) -> Parts:
    """What heads and hidden units are there for: names, which nothing is computed from."""

    def names(listed: JSON) -> tuple[str, ...]:
        return tuple(map(_name, _list(listed)))

    def move(said: JSON) -> Move:
        op, source, target = (_name(said[part]) for part in ("op", "source", "target"))
        return Move(op, source, target, _is(bool, said["clears"]))

    def unit(said: JSON) -> Unit:
        op, formula = _name(said["op"]), _name(said["formula"])
        return Unit(op, formula, names(said["writes"]), names(said["erases"]))

    return Parts(
        tuple(tuple(map(move, _list(moves))) for moves in _list(data["heads"])),
        tuple(tuple(map(unit, _list(units))) for units in _list(data["units"])),
    )


def _text(number: Fraction | int | str | None) -> str | None:
    return None if number is None else str(number)


def _expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)


def _is(kind: type[T], value: JSON) -> T:
    _expect(isinstance(value, kind), f"{brief(value)} is no {kind.__name__}")
    return value


def _list(value: JSON) -> list[JSON]:
    _expect(isinstance(value, list), f"{brief(value)} is no list")
    return value


def _object(value: JSON) -> dict[str, JSON]:
    _expect(isinstance(value, dict), f"{brief(value)} is no object")
    return value


def _name(value: JSON) -> str:
    """Something that can be shown in a message, on one line."""
    name = _is(str, value)
    _expect(name.isprintable() and len(name) <= LONGEST_NAME, f"{brief(value)} is no name")
    return name


def _perhaps_name(value: JSON) -> str | None:
    return None if value is None else _name(value)


def _one_of(known: Sequence[str], value: JSON) -> Any:
    _expect(value in known, f"{brief(value)} is not one of {brief(', '.join(known))}")
    return value


def read_count(value: JSON) -> int:
    _expect(type(value) is int and 0 <= value < LARGEST_COUNT, f"{brief(value)} is no count")
    return value


def _polynomial(value: JSON) -> tuple[int, ...]:
    """Coefficients, constant first."""
    coefficients = tuple(map(read_count, cast("list[JSON]", _is(list, value))))
    _expect(len(coefficients) <= MOST_COEFFICIENTS, "a polynomial has too many coefficients")
    return coefficients


def _number(value: JSON) -> float:
    _expect(type(value) in (int, float) and isfinite(value), f"{brief(value)} is no number")
    return float(value)


def read_fraction(text: JSON) -> Fraction:
    _expect(
        isinstance(text, str) and len(text) <= LONGEST_RATIONAL and bool(RATIONAL.fullmatch(text)),
        f"{brief(text)} is no fraction",
    )
    return Fraction(text)
