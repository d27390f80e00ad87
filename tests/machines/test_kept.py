"""Machine code from the cache: what may be loaded, and what is left alone."""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import replace

import pytest

import loopwright as lw
from loopwright.model.limits import Limits
from loopwright.runtime.machines.native import build, kept, load

EDGES = [("a", "b", 3), ("b", "c", 1.5), ("a", "c", 10)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(kept.SWITCH, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def made(monkeypatch):
    """How many modules were compiled."""
    found = []
    compiled = build.compile_module
    monkeypatch.setattr(build, "compile_module", lambda m: found.append(m) or compiled(m))
    return found


def run(**options):
    model = lw.compile(lw.algorithms.dijkstra(), **options)
    return model.run(EDGES, source="a").dists


def test_code_is_made_once(folder, made):
    assert run() == run() == {"a": 0, "b": 3, "c": 4.5}
    assert len(made) == 1
    (entry,) = folder.iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(entry.stat().st_mode) == 0o600


def test_other_weights_are_other_code(folder, made):
    run()
    run(limits=Limits(nodes=9))
    run(attention="softmax")
    assert len(made) == len(list(folder.iterdir())) == 3


def test_another_compiler_or_processor_is_other_code(folder, made, monkeypatch):
    run()
    triple, name, features = load.processor()
    monkeypatch.setattr(load, "processor", lambda: (triple, name, features + ",+other"))
    assert build.load is load.load
    model = lw.compile(lw.algorithms.dijkstra())
    key = kept.key_of(model, load.compiler(), "fast")
    assert kept.find(key) is None
    monkeypatch.undo()


@pytest.mark.parametrize("change", ["name", "tolerance", "weight", "start"])
def test_a_key_depends_on_what_code_depends_on(change):
    model = lw.compile(lw.algorithms.dijkstra())
    layer = model.layers[0]
    if change == "name":
        assert kept.key_of(replace(model, name="other")) == kept.key_of(model)
        return
    if change == "tolerance":
        heads = (replace(layer.heads[0], tie_tolerance=0.125), *layer.heads[1:])
        layer = replace(layer, heads=heads)
    elif change == "weight":
        first = layer.mlp[0].copy()
        first[0, 0] += 1
        layer = replace(layer, mlp=(first, *layer.mlp[1:]))
    changed = replace(model, layers=(layer, *model.layers[1:]))
    if change == "start":
        fields = model.layout.fields
        layout = replace(
            model.layout, fields=(replace(fields[0], signed=not fields[0].signed), *fields[1:])
        )
        changed = replace(model, layout=layout)
    assert kept.key_of(changed) != kept.key_of(model)


def damaged(entry):
    content = bytearray(entry.read_bytes())
    content[-100] ^= 1
    entry.write_bytes(content)


def exchanged(entry):
    """Code of another model, under this one's name."""
    lw.compile(lw.algorithms.bfs()).run(EDGES, source="a")
    (other,) = (path for path in entry.parent.iterdir() if path != entry)
    entry.write_bytes(other.read_bytes())


def linked(entry):
    target = entry.parent.parent / "elsewhere"
    entry.rename(target)
    entry.symlink_to(target)


@pytest.mark.parametrize(
    "spoil",
    [
        damaged,
        exchanged,
        linked,
        lambda entry: entry.write_bytes(b""),
        lambda entry: entry.write_bytes(b"\n" * 3),
        lambda entry: entry.chmod(0o644),
        lambda entry: entry.parent.chmod(0o755),
        lambda entry: entry.unlink() or entry.mkdir(),
    ],
)
def test_what_is_damaged_or_foreign_is_made_anew(folder, made, spoil):
    if sys.platform == "win32":
        pytest.skip("other permissions")
    run()
    (entry,) = folder.iterdir()
    spoil(entry)
    made.clear()
    assert run() == {"a": 0, "b": 3, "c": 4.5}
    assert len(made) == 1


def test_the_switch(tmp_path, monkeypatch, made):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv(kept.SWITCH, "off")
    run()
    assert list(tmp_path.iterdir()) == []
    monkeypatch.delenv(kept.SWITCH)
    run()
    assert [path.name for path in tmp_path.iterdir()] == ["loopwright"]
    assert len(made) == 2


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_directory_that_cannot_be_written_to(tmp_path, monkeypatch):
    (tmp_path / "closed").mkdir(mode=0o500)
    monkeypatch.setenv(kept.SWITCH, str(tmp_path / "closed" / "cache"))
    assert run() == {"a": 0, "b": 3, "c": 4.5}


def test_a_file_in_the_place_of_the_directory(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv(kept.SWITCH, str(tmp_path / "file"))
    assert run() == {"a": 0, "b": 3, "c": 4.5}


def test_the_oldest_go(folder, monkeypatch):
    monkeypatch.setattr(kept, "MOST_ENTRIES", 2)
    for k in range(4):
        kept.keep(f"key{k}", {}, b"code")
        os.utime(folder / f"key{k}.code", (k, k))
    assert sorted(path.name for path in folder.iterdir()) == ["key2.code", "key3.code"]
    assert kept.find("key3") == ({}, b"code")
