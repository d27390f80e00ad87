"""A path → its bytes or lines, decompressed, never more than asked for; and errors that name it."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from loopwright.errors import GraphError, brief
from loopwright.runtime.arcs import Arcs
from loopwright.runtime.readers.caps import LONGEST_LINE, MOST_BYTES, MOST_EDGES, MOST_NODES

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

LONGEST_MESSAGE = 400
"""Characters that a message takes over from another library's."""


class FileError(GraphError):
    """A GraphError that says already which file it is about."""


class Source:
    """A file to read a graph from."""

    def __init__(self, path: Path) -> None:
        self.path = path
        suffixes = [suffix.lower() for suffix in path.suffixes]
        self.compressed = suffixes[-1:] == [".gz"]
        self.suffix = "".join(suffixes[-2:-1] if self.compressed else suffixes[-1:])

    def error(self, problem: object, *, line: int | None = None) -> FileError:
        """What is wrong, as one line that begins with file and line."""
        place = brief(self.path, LONGEST_MESSAGE) + ("" if line is None else f":{line}")
        text = brief(problem, LONGEST_MESSAGE).rstrip(".")
        return FileError(f"{place}: {text}.")

    def arcs(self) -> Arcs:
        """Where a reader puts nodes and edges: it refuses more than a file may have."""
        return Arcs(most_nodes=MOST_NODES, most_edges=MOST_EDGES)

    def content(self, most: int = MOST_BYTES) -> bytes:
        """All of it, if it is not more than `most`.

        Raises:
            GraphError: if it cannot be read, or is larger.
        """
        with self._opened(most) as file:
            return file.read()

    def lines(self, most: int = MOST_BYTES) -> Iterator[tuple[int, str]]:
        """Numbers, from 1, and lines, each with its line break.

        Raises:
            GraphError: if it cannot be read, is not text, or a line is too long to be one.
        """
        number = 0
        with (
            self._opened(most) as file,
            io.TextIOWrapper(file, encoding="utf-8-sig") as text,
        ):
            try:
                while line := text.readline(LONGEST_LINE + 1):
                    number += 1
                    if "\0" in line:
                        raise self.not_text()
                    if len(line) > LONGEST_LINE:
                        raise self.error(
                            f"the line is longer than {LONGEST_LINE:,} characters", line=number
                        )
                    yield number, line
            except UnicodeDecodeError:
                raise self.not_text() from None

    def not_text(self) -> FileError:
        return self.error(
            "not a text file (expected UTF-8); for another format, give the file its suffix: "
            ".npz .mtx .graphml .gml .json .csv .tsv, or any of them with .gz"
        )

    @contextmanager
    def _opened(self, most: int) -> Generator[io.BufferedReader]:
        try:
            with self.path.open("rb") as file:
                inner = gzip.GzipFile(fileobj=file) if self.compressed else file
                yield io.BufferedReader(Bounded(inner, most, self))
        except (EOFError, zlib.error, gzip.BadGzipFile) as problem:
            raise self.error(f"not a whole gzip file: {problem}") from None
        except OSError as problem:
            raise self.error(problem.strerror or problem) from None


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class Bounded(io.RawIOBase):
    """A stream that ends with an error once more than `most` bytes came out of it.

    A megabyte of gzip can hold a gigabyte, and /dev/zero has no end: sizes are counted, not asked.
    """

    def __init__(self, inner: Readable, most: int, source: Source) -> None:
        self._inner = inner
        self._most = most
        self._left = most
        self._source = source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        target = memoryview(buffer).cast("B")
        chunk = self._inner.read(len(target))
        self._left -= len(chunk)
        if self._left < 0:
            raise self._source.error(
                f"larger than {self._most:,} bytes, the most that is read of such a file"
            )
        target[: len(chunk)] = chunk
        return len(chunk)
