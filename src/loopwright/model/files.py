"""How files are written: whole or not at all, with the modes they had, through links, into devices.

Everything that Loopwright writes at once goes through `write_whole`; whoever works for long before
it writes asks `require_writable` first.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager
from errno import EACCES, EISDIR, ENOENT, ENOTDIR
from pathlib import Path
from typing import BinaryIO


def write_whole(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write under another name, wait for the disk, rename: at no time is a part of it at `path`.

    A link stays a link, and what it leads to is written. An existing file keeps its modes. What is
    no file, such as /dev/null or a pipe, is written into: to rename would put a file in its place.

    Raises:
        OSError: naming the file, if it cannot be written; then what was there is there still.
    """
    require_writable(path)
    if path.exists() and not path.is_file():
        with naming(path), path.open("wb") as file:
            write(file)
        return
    target = Path(os.path.realpath(path))
    part = target.with_name(f".{target.name}.partial")
    try:
        with naming(path), part.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, part)
        os.replace(part, target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def require_writable(path: Path) -> None:
    """Whether a file can be written here, as far as that can be known before it is.

    Raises:
        OSError: naming the file, if it is a folder, lies in none, or may not be written.
    """
    folder = Path(os.path.realpath(path)).parent
    if path.is_dir():
        code = EISDIR
    elif path.exists():
        code = 0 if os.access(path, os.W_OK) else EACCES
    elif not folder.is_dir():
        code = ENOTDIR if folder.exists() else ENOENT
    else:
        code = 0 if os.access(folder, os.W_OK | os.X_OK) else EACCES
    if code:
        raise OSError(code, os.strerror(code), str(path))


@contextmanager
def naming(path: Path) -> Generator[None]:
    """An OSError from the block names the file: a full disk does not say which file was too much.

    Raises:
        OSError: the same, with the name that the user gave.
    """
    try:
        yield
    except OSError as problem:
        problem.filename = str(path)
        raise
