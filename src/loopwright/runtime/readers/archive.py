"""The bytes of an NPZ archive → the names of its arrays, once none of them can do harm.

A zip may hold a thousand times its size, paths out of the folder, and arrays whose header declares
a terabyte, which NumPy allocates before it reads. Here only the headers are read.
"""

from __future__ import annotations

import io
import zipfile
from math import prod
from typing import IO

from numpy.lib import format as npy

from loopwright.errors import GraphError, brief
from loopwright.runtime.readers.caps import MOST_BYTES, MOST_EDGES, MOST_MEMBERS

CENTRAL_ENTRY = b"PK\x01\x02"
COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""What NumPy writes; LZMA would let the file choose how much memory to take."""

ENCRYPTED = 1
NUMBERS = "biuf"
"""NumPy's letters for arrays of bool, int and float: weights and indices are of these kinds."""

LONGEST_WORD = 16
"""The one text in an archive has at most this many bytes: SciPy's name of a format, such as csr."""


def check_archive(content: bytes) -> list[str]:
    """The arrays' names, without `.npy`.

    Raises:
        GraphError: if a member is not a plain array of numbers, or they are too large together.
        Exception: whatever else `zipfile` and NumPy make of a broken file.
    """
    if content.count(CENTRAL_ENTRY) > 2 * MOST_MEMBERS:  # before zipfile makes an object of each
        raise GraphError(f"more than {MOST_MEMBERS} arrays; a graph has 6 at most")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
        names = [member.filename.removesuffix(".npy") for member in members]
        if len(set(names)) != len(names) or len(names) > MOST_MEMBERS:
            raise GraphError(f"expected up to {MOST_MEMBERS} arrays of different names")
        total = sum(member.file_size for member in members)
        if total > MOST_BYTES:
            raise GraphError(f"{total:,} bytes when unpacked; at most {MOST_BYTES:,} are read")
        for name, member in zip(names, members, strict=True):
            if not name.isidentifier() or name == member.filename:
                raise GraphError(f"'{brief(member.filename)}' is not the name of an array")
            if member.compress_type not in COMPRESSIONS or member.flag_bits & ENCRYPTED:
                raise GraphError(f"array '{brief(name)}' is packed in a way NumPy does not use")
            with archive.open(member) as file:
                _check_array(name, file, member.file_size)
    return names


def _check_array(name: str, file: IO[bytes], size: int) -> None:
    """Compare the header of an `.npy` with the bytes after it.

    Raises:
        GraphError: if it declares another number of them, or anything but numbers.
    """
    version = npy.read_magic(file)
    readers = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
    if version not in readers:
        raise GraphError(f"array '{brief(name)}' is of version {version}; expected 1.0 or 2.0")
    shape, _, dtype = readers[version](file)
    word = name == "format" and dtype.kind in "SU" and dtype.itemsize <= LONGEST_WORD
    if dtype.kind not in NUMBERS and not word:
        raise GraphError(f"array '{brief(name)}' holds {brief(dtype)}; expected numbers")
    count = prod(shape)
    if min(shape, default=0) < 0 or count * dtype.itemsize != size - file.tell():
        raise GraphError(
            f"array '{brief(name)}' declares the shape {brief(shape)}, and has other data"
        )
    if count > 2 * MOST_EDGES:
        raise GraphError(f"array '{brief(name)}' has {count:,} entries; too many edges")
