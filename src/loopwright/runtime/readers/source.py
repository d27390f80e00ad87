"""A path → its bytes or lines, decompressed, never more than asked for; and errors that name it."""

from __future__ import annotations

import gzip
import io
import warnings
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from loopwright.errors import GraphError, brief
from loopwright.runtime.arcs import Arcs
from loopwright.runtime.readers.caps import (
    LONGEST_LINE,
    MOST_BYTES,
    MOST_EDGES,
    MOST_LINES,
    MOST_NODES,
)

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

BEGINNING = 2**18
"""Bytes of a file, decompressed, that are looked at to see whether …"""
LARGE = BEGINNING
"""… it is a large one."""

LONGEST_PLAIN_LINE = 1024
"""Characters of a line, a comment perhaps, of a file that is worth a look."""

LONGEST_MESSAGE = 400
"""A message takes over at most this many characters from another library's."""


class FileError(GraphError):
    """A GraphError that says already which file it is about."""


class Source:
    """A file to read a graph from. Readers raise a plain GraphError in `named_in_errors`."""

    def __init__(self, path: Path, stream: BinaryIO | None = None) -> None:
        self.path = path
        self.stream = stream
        """What is read instead of the path, which then is only its name; its owner closes it."""
        suffixes = [suffix.lower() for suffix in path.suffixes]
        self.compressed = suffixes[-1:] == [".gz"]
        self.suffix = "".join(suffixes[-2:-1] if self.compressed else suffixes[-1:])
        self.line: int | None = None
        """The line that is being read, if the file is read by lines."""
        self._begun: io.BufferedReader | None = None
        """The file, where `large_content` had a look at it: a stream can be opened but once."""

    @classmethod
    def of_stream(cls, stream: io.IOBase) -> Source:
        """A file that is open, such as standard input; a suffix in its name says its format.

        Raises:
            GraphError: if it is closed, or gives text, of which the bytes cannot be had.
        """
        if _is_closed(stream):
            raise GraphError("the file is closed: open it in mode 'rb', and read it before that.")
        binary = getattr(stream, "buffer", stream)
        if isinstance(binary, io.TextIOBase):
            raise GraphError("a graph is read from bytes: open the file in mode 'rb'.")
        name = getattr(stream, "name", None)
        return cls(Path(name if isinstance(name, str) else "<stream>"), cast("BinaryIO", binary))

    def error(self, problem: object, *, line: int | None = None) -> FileError:
        """What is wrong, as one line that begins with file and line."""
        place = brief(self.path, LONGEST_MESSAGE) + ("" if line is None else f":{line}")
        text = brief(problem, LONGEST_MESSAGE).rstrip(".")
        return FileError(f"{place}: {text}.")

    def not_text(self) -> FileError:
        return self.error(
            "not a text file (expected UTF-8); for another format, give the file its suffix: "
            ".npz .mtx .graphml .gml .json .csv .tsv, or any of them with .gz"
        )

    def arcs(self) -> Arcs:
        """Where a reader puts nodes and edges: it refuses more than a file may have."""
        return Arcs(most_nodes=MOST_NODES, most_edges=MOST_EDGES)

    def large_content(self) -> bytes | None:
        """All of it, if it is a large file: then it is worth a look whether it can be read as a
        whole. Small ones, and those of long lines, are read line by line at once.

        `lines` are there afterwards as if nothing had been read.
        """
        file = self._begun = self._open(MOST_BYTES)
        begin = file.peek()
        if len(begin) < LARGE:
            return None
        if max(map(len, begin[:LONGEST_LINE].split(b"\n"))) > LONGEST_PLAIN_LINE:
            return None
        with file:
            content = file.read()
        self._begun = io.BufferedReader(io.BytesIO(content))
        return content

    def content(self, most: int = MOST_BYTES) -> bytes:
        """All of it, if it is not more than `most`.

        Raises:
            GraphError: if it cannot be read, or is larger.
        """
        with self._open(most) as file:
            return file.read()

    @contextmanager
    def lines(self, most: int = MOST_BYTES) -> Generator[Iterator[str]]:
        """Its lines, each with its line break; while the block lasts, `line` counts them.

        Raises:
            GraphError: if it cannot be read, is not text, or a line is too long to be one.
        """
        self.line = 1
        with self._open(most) as file, io.TextIOWrapper(file, encoding="utf-8-sig") as text:
            yield self._counted(text)
        self.line = None

    def _counted(self, text: io.TextIOWrapper) -> Iterator[str]:
        count = 0
        try:
            while line := text.readline(LONGEST_LINE + 1):
                self.line = count = count + 1
                if count > MOST_LINES:
                    raise GraphError(f"more than {MOST_LINES:,} lines, the most that are read.")
                if "\0" in line:
                    raise self.not_text()
                if len(line) > LONGEST_LINE:
                    raise GraphError(f"the line is longer than {LONGEST_LINE:,} characters")
                yield line
        except UnicodeDecodeError:
            raise self.not_text() from None

    @contextmanager
    def at_line(self, line: int | None) -> Generator[None]:
        """A GraphError that the block raises is about this line, though more may be read."""
        reading, self.line = self.line, line
        yield
        self.line = reading

    @contextmanager
    def named_in_errors(self) -> Generator[None]:
        """A GraphError that the block raises becomes one that names the file, and the `line`."""
        try:
            yield
        except FileError:
            raise
        except GraphError as problem:
            raise self.error(problem, line=self.line) from None
        except MemoryError:
            raise self.error("there is not enough memory to read it") from None

    @contextmanager
    def parsing(self, form: str) -> Generator[None]:
        """The guard around a parser that is not ours, where any exception is a refusal.

        Files made to harm bring such parsers to raise exceptions of many kinds, and to warn.
        Those that recurse end with RecursionError, long before the stack does.
        """
        try:
            with warnings.catch_warnings(action="ignore"):
                yield
        except (GraphError, MemoryError):
            raise
        except RecursionError:
            raise self.error(f"not {form} that can be read: its lists are too deep") from None
        except Exception as problem:
            line = getattr(problem, "lineno", None)
            raise self.error(f"not {form} that can be read: {problem}", line=line) from None

    def _open(self, most: int) -> io.BufferedReader:
        if self._begun is not None:
            file, self._begun = self._begun, None
            return file
        try:
            if self.stream is not None:
                inner = gzip.open(self.stream) if self.compressed else self.stream
            else:
                inner = gzip.open(self.path) if self.compressed else self.path.open("rb")
        except OSError as problem:
            raise self.error(problem.strerror or problem) from None
        return io.BufferedReader(Bounded(inner, most, self), BEGINNING)


def _is_closed(stream: io.IOBase) -> bool:
    """Whether nothing can be read any more; of a text file that gave its bytes away, not even this
    can be asked."""
    try:
        return stream.closed
    except ValueError:
        return True


class Bounded(io.RawIOBase):
    """A stream that ends with an error once more than `most` bytes came out of it.

    A megabyte of gzip can hold a gigabyte, and /dev/zero has no end: sizes are counted, not asked.
    """

    def __init__(self, inner: gzip.GzipFile | BinaryIO, most: int, source: Source) -> None:
        self._inner = inner
        self._most = most
        self._left = most
        self._source = source

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        if self._inner is not self._source.stream:
            self._inner.close()
        super().close()

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        target = memoryview(buffer).cast("B")
        try:
            chunk = self._inner.read(len(target))
        except (EOFError, zlib.error, gzip.BadGzipFile) as problem:
            raise self._source.error(f"not a whole gzip file: {problem}") from None
        except OSError as problem:
            raise self._source.error(problem.strerror or problem) from None
        self._left -= len(chunk)
        if self._left < 0:
            raise self._source.error(
                f"larger than {self._most:,} bytes, the most that is read of such a file"
            )
        target[: len(chunk)] = chunk
        return len(chunk)
