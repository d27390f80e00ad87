"""Weights ↔ file: safetensors for the weights, readable JSON beside them. Never pickle.

Metadata: `format`, `version`, `model` (JSON: program, layout, constants, layer names) and `sha256`,
a digest over both weights and JSON, so that a changed file is not run by mistake.
"""

# safetensors has no complete types.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Mapping
from os import PathLike
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save as to_bytes

from loopwright.errors import LoopwrightError, ModelFileError, brief
from loopwright.model.description import describe, name_tensors, rebuild
from loopwright.model.files import write_whole
from loopwright.model.paths import path_of
from loopwright.model.weights import Matrix, Weights

FORMAT = "loopwright"
VERSION = 2

MOST_BYTES = 2**30
"""Of a file, 1 GiB: all of it is loaded. The paper's largest model has 4 MB."""

MOST_HEADER_BYTES = 2**24
"""Of names, shapes and JSON, 16 MiB: JSON takes 25 times its size in memory. The largest model has
50 kB, and a width of 1,000 would not make it longer."""

LENGTH_BYTES = 8
"""A safetensors file begins with the length of its header, 64 bits, little-endian."""

DTYPE = "F64"

BAD_METADATA = (
    LoopwrightError,
    KeyError,
    TypeError,
    ValueError,
    IndexError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    MemoryError,
)
"""What comes of JSON of another form: every part of it is used as if it were right."""


def save(model: Weights, path: str | PathLike[str]) -> None:
    """Write a model; `load` gives it back.

    Raises:
        ModelFileError: if the file cannot be written; then what was there is there still.
    """
    path = path_of(path, ModelFileError)
    # Safetensors writes the memory as it lies: columns first would be read as rows.
    tensors = {name: np.ascontiguousarray(w) for name, w in name_tensors(model).items()}
    text = json.dumps(describe(model), ensure_ascii=False)
    metadata = {
        "format": FORMAT,
        "version": str(VERSION),
        "model": text,
        "sha256": digest(text, tensors),
    }
    content = to_bytes(tensors, metadata=metadata)
    try:
        write_whole(path, lambda file: file.write(content))
    except OSError as problem:
        raise ModelFileError(f"{path}: {problem.strerror or problem}.") from None


def load(path: str | PathLike[str]) -> Weights:
    """Read a model, or say why the file cannot be trusted.

    Raises:
        ModelFileError: if it is truncated, tampered with, newer than this version, or another file.
    """
    path = path_of(path, ModelFileError)
    try:
        check_size(path)
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
            check_version(path, metadata)
            for name in file.keys():
                if file.get_slice(name).get_dtype() != DTYPE:
                    raise ModelFileError(f"{path}: '{brief(name)}' is not in {DTYPE}.")
            tensors = {name: file.get_tensor(name) for name in file.keys()}
    except OSError as problem:
        raise ModelFileError(f"{path}: {problem.strerror or problem}.") from None
    except SafetensorError as problem:
        raise ModelFileError(
            f"{path}: not a whole safetensors file, it may be truncated: {brief(problem)}."
        ) from None
    text = metadata.get("model", "")
    if metadata.get("sha256") != digest(text, tensors):
        raise ModelFileError(
            f"{path}: weights and metadata do not match their digest: it was changed."
        )
    try:
        return rebuild(json.loads(text), tensors)
    except BAD_METADATA as problem:
        raise ModelFileError(
            f"{path}: the metadata cannot be read: {brief(problem, code=True)}."
        ) from None


def check_size(path: Path) -> None:
    """Whether a file is small enough to be a model, before anything of it is believed.

    Raises:
        ModelFileError: if the file, or the header that it declares, is not.
    """
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise ModelFileError(f"{path}: not a file.")
    size = found.st_size
    if size > MOST_BYTES:
        raise ModelFileError(f"{path}: {size:,} bytes; a model has at most {MOST_BYTES:,}.")
    with path.open("rb") as file:
        header = int.from_bytes(file.read(LENGTH_BYTES), "little")
    if size >= LENGTH_BYTES + header and header > MOST_HEADER_BYTES:
        raise ModelFileError(
            f"{path}: a header of {header:,} bytes; a model has at most {MOST_HEADER_BYTES:,}."
        )


def check_version(path: Path, metadata: dict[str, str]) -> None:
    if metadata.get("format") != FORMAT:
        raise ModelFileError(f"{path}: a safetensors file, but not one of a Loopwright model.")
    version = metadata.get("version", "")
    if version != str(VERSION):
        raise ModelFileError(
            f"{path}: format version '{brief(version)}', but this Loopwright reads {VERSION}: "
            "update it, or compile the program again."
        )


def digest(text: str, tensors: Mapping[str, Matrix]) -> str:
    """SHA-256 over the metadata and every tensor's name, shape and bytes."""
    total = hashlib.sha256(text.encode())
    for name in sorted(tensors):
        total.update(f"{name}{tensors[name].shape}{tensors[name].dtype}".encode())
        total.update(np.ascontiguousarray(tensors[name]).tobytes())
    return total.hexdigest()
