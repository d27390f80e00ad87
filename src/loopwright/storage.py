"""Model ↔ file: safetensors for the weights, readable JSON beside them. Never pickle.

Metadata: `format`, `version`, `model` (JSON: program, layout, constants, layer names) and `sha256`,
a digest over both weights and JSON, so that a changed file is not run by mistake.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Any, cast

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from loopwright.errors import ModelFileError
from loopwright.layout import Field, Kind, Layout, Scope
from loopwright.limits import Constants
from loopwright.model import Head, Layer, Matrix, Model

FORMAT = "loopwright"
VERSION = 1
JSON = Any
"""Whatever `json` reads and writes."""


def save(model: Model, path: str | PathLike[str]) -> None:
    """Write a model; `load` gives it back."""
    tensors = name_tensors(model)
    text = json.dumps(describe(model), ensure_ascii=False)
    metadata = {
        "format": FORMAT,
        "version": str(VERSION),
        "model": text,
        "sha256": digest(text, tensors),
    }
    save_file(tensors, path, metadata=metadata)


def load(path: str | PathLike[str]) -> Model:
    """Read a model, or say why the file cannot be trusted.

    Raises:
        ModelFileError: if it is truncated, tampered with, newer than this version, or another file.
    """
    path = Path(path)
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
            check_version(path, metadata)
            tensors = {name: file.get_tensor(name) for name in file.keys()}
    except OSError as problem:
        raise ModelFileError(f"{path}: {problem.strerror or problem}.") from None
    except SafetensorError as problem:
        raise ModelFileError(
            f"{path}: not a whole safetensors file, it may be truncated: {problem}."
        ) from None
    text = metadata.get("model", "")
    if metadata.get("sha256") != digest(text, tensors):
        raise ModelFileError(
            f"{path}: weights and metadata do not match their digest: it was changed."
        )
    try:
        return rebuild(json.loads(text), tensors)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as problem:
        raise ModelFileError(f"{path}: the metadata cannot be read: {problem!r}.") from None


def check_version(path: Path, metadata: dict[str, str]) -> None:
    if metadata.get("format") != FORMAT:
        raise ModelFileError(f"{path}: a safetensors file, but not one of a Loopwright model.")
    version = metadata.get("version", "")
    if not version.isdecimal() or int(version) > VERSION:
        raise ModelFileError(
            f"{path}: format version {version!r}; this Loopwright reads up to {VERSION}: update it."
        )


def digest(text: str, tensors: dict[str, Matrix]) -> str:
    """SHA-256 over the metadata and every tensor's name, shape and bytes."""
    total = hashlib.sha256(text.encode())
    for name in sorted(tensors):
        total.update(f"{name}{tensors[name].shape}{tensors[name].dtype}".encode())
        total.update(np.ascontiguousarray(tensors[name]).tobytes())
    return total.hexdigest()


def name_tensors(model: Model) -> dict[str, Matrix]:
    tensors: dict[str, Matrix] = {}
    for i, layer in enumerate(model.layers):
        for h, head in enumerate(layer.heads):
            for part in ("query", "key", "value"):
                tensors[f"layers.{i}.heads.{h}.{part}"] = getattr(head, part)
        for k, matrix in enumerate(layer.mlp, start=1):
            tensors[f"layers.{i}.mlp.{k}"] = matrix
    return tensors


def describe(model: Model) -> dict[str, JSON]:
    """Everything but the weights, as JSON; fractions as text."""
    layout = model.layout
    return {
        "name": model.name,
        "construction": model.construction,
        "attention": model.attention,
        "edges": model.edges,
        "source": model.source,
        "bound": list(model.bound),
        "averages": model.averages,
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
                    }
                    for head in layer.heads
                ],
            }
            for layer in model.layers
        ],
        "rationals": [[number, str(exact)] for number, exact in model.rationals.items()],
        "program": dict(model.program),
    }


def rebuild(data: dict[str, JSON], tensors: dict[str, Matrix]) -> Model:
    """The model that `describe` and `name_tensors` took apart."""
    constants = {
        name: int(text) if name == "nodes" else Fraction(text)
        for name, text in data["constants"].items()
    }
    layout = data["layout"]
    return Model(
        name=data["name"],
        construction=data["construction"],
        attention=data["attention"],
        edges=data["edges"],
        source=data["source"],
        bound=tuple(data["bound"]),
        averages=data["averages"],
        constants=Constants(**cast("Any", constants)),
        layout=Layout(
            tuple(map(_field, layout["fields"])),
            layout["width"],
            layout["halt"],
            dict(layout["outputs"]),
        ),
        layers=tuple(_layer(i, layer, tensors) for i, layer in enumerate(data["layers"])),
        program=data["program"],
        rationals={number: Fraction(exact) for number, exact in data["rationals"]},
    )


def _layer(i: int, data: JSON, tensors: dict[str, Matrix]) -> Layer:
    w1, w2, w3, w4 = (tensors[f"layers.{i}.mlp.{k}"] for k in (1, 2, 3, 4))
    heads = tuple(
        Head(
            over=head["over"],
            query=tensors[f"layers.{i}.heads.{h}.query"],
            key=tensors[f"layers.{i}.heads.{h}.key"],
            value=tensors[f"layers.{i}.heads.{h}.value"],
            tie_tolerance=head["tie_tolerance"],
            temperature=head["temperature"],
        )
        for h, head in enumerate(data["heads"])
    )
    return Layer(data["name"], data["paper_step"], tuple(data["writes"]), heads, (w1, w2, w3, w4))


def _text(number: Fraction | int | str | None) -> str | None:
    return None if number is None else str(number)


def _field(data: JSON) -> Field:
    start = data["start"]
    return Field(
        data["name"],
        Kind(data["kind"]),
        Scope(data["scope"]),
        data["first"],
        start if start[0].isalpha() else Fraction(start),
        None if data["at_source"] is None else Fraction(data["at_source"]),
    )
