"""A trace's file → its lines, from any place in it, and where the whole X among them are.

A compressed file is decompressed once: into memory, or into a temporary file if it is long. Files
need not be trusted: no size is believed before it is checked. Of most lines only the beginning is
looked at here, so that a long trace is opened fast.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from bisect import bisect_left
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from tempfile import SpooledTemporaryFile
from typing import IO, cast
from weakref import finalize

from loopwright.errors import GraphError, ProgramError, TraceError, brief
from loopwright.model.description import JSON, read_count
from loopwright.model.paths import path_of
from loopwright.model.storage import BAD_METADATA
from loopwright.watch.trace.format import FORMAT, GZIP, LONGEST_LINE, VERSION, frame_number

IN_MEMORY = 2**26
"""Bytes of a decompressed file, 64 MiB; a longer one is kept in a temporary file."""

MOST_BYTES = 2**32
"""Of a decompressed file, 4 GiB: a megabyte of gzip can hold a gigabyte."""

APART = 2**12
"""Bytes from one whole X that is remembered to the next, at least: what is remembered stays small
beside the file."""

FRAME = re.compile(rb'\{"i":(\d{1,15}),"l":(\d{1,9}),"(x|whole)":')
END = b'{"halted":'


class TraceLines:
    """The lines of a trace, by the byte at which they begin.

    Raises, from any of its methods:
        TraceError: naming the file, if it is no trace, damaged, or too new.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = path_of(path, TraceError)
        try:
            self._file = self._open()
        except (zlib.error, gzip.BadGzipFile) as problem:
            raise self.error(f"not a whole gzip file ({problem}): record the run again") from None
        except OSError as problem:
            raise self.error(problem.strerror or problem) from None
        line = self.at(0)
        self.header: dict[str, JSON] = self._header(line)
        with self.reading(0):
            self.layers = len(self.header["layers"])
        self.end: JSON = None
        """The last line; None if whoever wrote the file was killed …"""
        self.end_place = 0
        """… and where it is."""
        self.frames = 0
        """How many layers ran."""
        self._wholes: list[tuple[int, int]] = []
        """Number of a frame, and where in the file the whole X after it is."""
        self._survey(len(line))

    def error(self, problem: object) -> TraceError:
        return TraceError(f"{self.path}: {brief(problem, 400)}.")

    @contextmanager
    def reading(self, place: int) -> Generator[None]:
        """What comes of data of another form becomes one line that says where it is."""
        try:
            yield
        except (*BAD_METADATA, GraphError, ProgramError) as problem:
            reason = brief(f"{type(problem).__name__}: {problem}")
            raise self.error(f"damaged at byte {place} ({reason}): record the run again") from None

    def at(self, place: int) -> bytes:
        """The line that begins here; nothing at the end, or if the rest of the line is missing."""
        self._file.seek(place)
        line = self._file.readline(LONGEST_LINE + 1)
        if len(line) > LONGEST_LINE:
            raise self.error(f"a line is longer than {LONGEST_LINE:,} bytes: this is no trace")
        return line if line.endswith(b"\n") else b""

    def whole_before(self, number: int) -> int:
        """Where the last whole X before a frame is; with 0, where X₀ is."""
        return self._wholes[max(0, bisect_left(self._wholes, (number, 0)) - 1)][1]

    def changes(self, place: int) -> Iterator[tuple[int, int, bytes]]:
        """Numbers, places and lines of the frames from here on, where something changed."""
        while found := FRAME.match(line := self.at(place)):
            if found[3] == b"x":
                with self.reading(place):
                    number = self._number(found)
                yield number, place, line
            place += len(line)

    def _open(self) -> IO[bytes]:
        file = self.path.open("rb")
        finalize(self, file.close)
        zipped = file.read(len(GZIP)) == GZIP
        file.seek(0)
        return self._unzipped(file) if zipped else file

    def _unzipped(self, file: IO[bytes]) -> IO[bytes]:
        plain = SpooledTemporaryFile(IN_MEMORY)
        finalize(self, plain.close)
        with file, gzip.GzipFile(fileobj=file) as zipped:
            try:
                while chunk := zipped.read1(2**20):
                    plain.write(chunk)
                    if plain.tell() > MOST_BYTES:
                        raise self.error(
                            f"more than {MOST_BYTES:,} bytes when decompressed: gunzip it first"
                        )
            except EOFError:
                pass  # whoever wrote it was killed: it is read as far as it goes
        return cast("IO[bytes]", plain)

    def _header(self, line: bytes) -> dict[str, JSON]:
        header = version = None
        with suppress(*BAD_METADATA):
            header = json.loads(line)
            version = header["version"] if header["format"] == FORMAT else None
        if header is None or version is None:
            raise self.error(
                "not a trace, or cut off in its first line: 'loopwright run --trace' writes them"
            )
        if version != VERSION:
            raise self.error(
                f"trace version '{brief(version)}', but this Loopwright reads {VERSION}: update "
                "it, or record the run again"
            )
        return header

    def _survey(self, place: int) -> None:
        """Go through all lines once."""
        while line := self.at(place):
            with self.reading(place):
                found = FRAME.match(line)
                if self.end is not None or not (found or line.startswith(END)):
                    raise ValueError("this is no line of a trace")
                if found:
                    number, whole = self._number(found), found[3] == b"whole"
                    if number != self.frames if whole else number <= self.frames:
                        raise ValueError("this line is out of order")
                    if whole and (not self._wholes or place >= self._wholes[-1][1] + APART):
                        self._wholes.append((number, place))
                    self.frames = number
                else:
                    self.end, self.end_place = json.loads(line), place
                    self.frames = max(self.frames, read_count(self.end["frames"]))
                if not self._wholes:
                    raise ValueError("X₀ is missing")
            place += len(line)
        if not self._wholes:
            raise self.error("cut off before the run began: record it again")

    def _number(self, found: re.Match[bytes]) -> int:
        iteration, layer = int(found[1]), int(found[2])
        if layer >= self.layers:
            raise ValueError(f"there is no layer {layer}")
        return frame_number(iteration, layer, self.layers)
