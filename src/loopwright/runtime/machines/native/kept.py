"""Machine code that is kept from one process to the next, in the user's cache directory.

An entry is found by a hash of all that its code was made from: the weights, this package's source,
LLVM and the processor. What is loaded is run, so it must be our own: the directory and its files
belong to the user, and nobody else can read or write them. Whatever is not so, or is damaged, is
left alone, and the code is made anew. `LOOPWRIGHT_CACHE=off` keeps nothing; any other value of it
is the directory to use.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from loopwright.model.weights import Weights

SWITCH = "LOOPWRIGHT_CACHE"
MOST_ENTRIES = 256
"""Entries take some 50 kB each; when there are more than so many, the oldest go."""
SUFFIX = ".code"


def directory() -> Path | None:
    """Where entries are; None if none are to be kept."""
    said = os.environ.get(SWITCH, "")
    if said.lower() in ("off", "0", "no", "false"):
        return None
    if said:
        return Path(said)
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    with suppress(RuntimeError):  # a user without a home
        return (Path(home) if home else Path.home() / ".cache") / "loopwright" / "native"
    return None


def key_of(model: Weights, *made_by: str) -> str:
    """A hash of a model, as far as its code depends on it, and of all that makes code of it."""
    found = hashlib.sha256()
    facts = (model.attention, model.edges, model.layout, model.constants, _source(), *made_by)
    found.update(repr(facts).encode())
    for layer in model.layers:
        for head in layer.heads:
            found.update(repr((head.over, head.tie_tolerance, head.temperature)).encode())
        found.update(repr(len(layer.heads)).encode())
    for matrix in model.matrices():
        found.update(repr((matrix.shape, matrix.dtype.str)).encode())
        found.update(matrix.tobytes())
    return found.hexdigest()


@cache
def _source() -> str:
    """A hash of the files that write code, so that no build outlives a change of them."""
    found = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()


def find(key: str) -> tuple[dict[str, Any], bytes] | None:
    """What was kept under a key: facts and code; None if there is none that can be trusted."""
    folder = directory()
    if folder is None or not _is_private(folder):
        return None
    try:
        descriptor = os.open(folder / (key + SUFFIX), os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(descriptor, "rb") as file:
            if not _is_ours(os.fstat(file.fileno()), stat.S_ISREG):
                return None
            digest, head, code = file.read().split(b"\n", 2)
        if _digest(key, head, code) != digest:
            return None
        return json.loads(head), code
    except (OSError, ValueError):
        return None


def keep(key: str, facts: dict[str, Any], code: bytes) -> None:
    """Write an entry: all of it, under another name first, or nothing. It may fail in silence."""
    folder = directory()
    if folder is None:
        return
    head = json.dumps(facts).encode()
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_private(folder):
            return
        descriptor, name = tempfile.mkstemp(prefix=".", dir=folder)  # with mode 0600
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(b"\n".join([_digest(key, head, code), head, code]))
            Path(name).replace(folder / (key + SUFFIX))
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        entries = sorted(folder.glob("*" + SUFFIX), key=lambda path: path.stat().st_mtime)
        for path in entries[:-MOST_ENTRIES]:
            path.unlink(missing_ok=True)


def _digest(key: str, head: bytes, code: bytes) -> bytes:
    return hashlib.sha256(b"\n".join([key.encode(), head, code])).hexdigest().encode()


def _is_private(folder: Path) -> bool:
    try:
        return _is_ours(folder.lstat(), stat.S_ISDIR)
    except OSError:
        return False


def _is_ours(found: os.stat_result, is_kind: Any) -> bool:
    """Whether it is of its kind, belongs to this user, and is closed to all others. Where there
    are no such permissions, as on Windows, the cache directory is the user's own."""
    if not is_kind(found.st_mode):
        return False
    if not hasattr(os, "getuid"):
        return True
    return found.st_uid == os.getuid() and not found.st_mode & 0o077
