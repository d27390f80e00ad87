"""One algorithm of somebody's own, in every form that ALGORITHM can have."""

from __future__ import annotations

import pytest

import loopwright as lw
from own_files import ALGORITHM, HOPS, PROGRAM, ROADS, hops


@pytest.fixture
def roads(tmp_path):
    path = tmp_path / "roads.txt"
    path.write_text(ROADS, encoding="utf-8")
    return path


@pytest.fixture
def file(tmp_path):
    """Writes the function that makes the program, and what is given behind it, to a file."""

    def write(more=PROGRAM, name="own.py", function=HOPS):
        path = tmp_path / name
        path.write_text(function + more, encoding="utf-8")
        return path

    return write


@pytest.fixture
def saved(tmp_path):
    """Saves the compiled program, for these limits."""

    def save(attention="hardmax", **limits):
        path = tmp_path / "hops.safetensors"
        lw.compile(hops(), attention=attention, limits=lw.Limits(**limits)).save(path)
        return path

    return save


@pytest.fixture(params=["program", "function", "algorithm", "saved"])
def it(request, file, saved):
    return {
        "program": lambda: f"{file()}:hops",
        "function": lambda: f"{file('')}:make_hops",
        "algorithm": lambda: f"{file(ALGORITHM)}:hops",
        "saved": lambda: str(saved()),
    }[request.param]()
