"""Files that are written: whole or not at all, in their place, with their modes."""

from __future__ import annotations

import gzip
import os
import stat
import threading

import pytest

import loopwright as lw
from loopwright.errors import ModelFileError, TraceError
from loopwright.model.files import require_writable, write_whole


@pytest.fixture(scope="module")
def model():
    return lw.compile(lw.algorithms.bfs("compact"))


def modes(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_model_keeps_the_modes_of_its_file(model, tmp_path):
    path = tmp_path / "model"
    path.write_bytes(b"old")
    path.chmod(0o640)
    model.save(path)
    assert modes(path) == 0o640
    assert lw.load(path).name == model.name


def test_a_new_file_has_the_modes_of_the_process(model, tmp_path):
    (tmp_path / "plain").touch()
    model.save(tmp_path / "model")
    assert modes(tmp_path / "model") == modes(tmp_path / "plain")


def test_a_link_stays_a_link(model, tmp_path):
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "model", tmp_path / "link"
    link.symlink_to(target)
    for _ in range(2):  # at first the link leads nowhere
        model.save(link)
        assert link.is_symlink()
        assert lw.load(target).name == model.name
    assert [path.name for path in target.parent.iterdir()] == ["model"]


def test_a_device_stays_a_device(model, tmp_path):
    link = tmp_path / "null"
    link.symlink_to(os.devnull)
    model.save(link)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    assert link.is_symlink()


def test_a_pipe_stays_a_pipe(model, tmp_path):
    pipe, came = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: came.append(pipe.read_bytes()), daemon=True)
    reader.start()
    model.save(pipe)
    assert stat.S_ISFIFO(pipe.stat().st_mode)  # else the reader would wait for ever
    reader.join()
    (tmp_path / "model").write_bytes(*came)
    assert lw.load(tmp_path / "model").name == model.name


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
def test_a_model_on_a_full_disk(model, tmp_path):
    link = tmp_path / "model"
    link.symlink_to("/dev/full")
    with pytest.raises(ModelFileError) as caught:
        model.save(link)
    assert str(caught.value) == f"{link}: No space left on device."


def test_what_fails_leaves_what_was_there(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def interrupted(file):
        file.write(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_whole(path, interrupted)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        (".", "Is a directory"),
        ("none/model", "No such file or directory"),
        ("file/model", "Not a directory"),
    ],
)
def test_where_nothing_can_be_written(model, tmp_path, name, problem):
    (tmp_path / "file").touch()
    with pytest.raises(ModelFileError) as caught:
        model.save(tmp_path / name)
    assert str(caught.value) == f"{tmp_path / name}: {problem}."


def test_what_may_not_be_written(tmp_path, monkeypatch):
    """Whoever runs this as root may write everything, so that the system's word is replaced."""
    path = tmp_path / "file"
    path.touch()
    monkeypatch.setattr(os, "access", lambda *_: False)
    for refused in (path, tmp_path / "new"):
        with pytest.raises(PermissionError) as caught:
            require_writable(refused)
        assert caught.value.filename == str(refused)


# ── traces ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["roads.txt", "roads.txt.gz"])
def test_a_trace_is_not_written_over_a_graph(refused, tmp_path, name):
    path = tmp_path / name
    content = b"a b 2\n"
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    before = path.read_bytes()
    message = refused("run", "bfs", path, "--source", "a", "--trace", path)
    assert message == (
        f"loopwright: {path}: this file is there already and no trace: choose another name, or "
        "remove it.\n"
    )
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["run", "run.gz"])
def test_a_trace_is_written_over_a_trace(model, tmp_path, name):
    path = tmp_path / name
    path.touch()  # an empty file is no loss
    for source in ("a", "b"):
        model.run([("a", "b")], source=source, observers=[lw.TraceWriter(path)])
        assert lw.Trace.load(path).source == source
    path.write_bytes(path.read_bytes()[:15])  # as if its writer had been killed
    lw.TraceWriter(path)


def test_the_place_of_a_trace_is_checked_at_once(tmp_path):
    with pytest.raises(TraceError, match="No such file or directory"):
        lw.TraceWriter(tmp_path / "none" / "run")


# ── commands that work for long ─────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "command",
    [
        ("bench", "--save"),
        ("limits", "bfs", "--picture"),
    ],
)
def test_the_place_is_checked_before_the_work(refused, tmp_path, monkeypatch, command):
    def work(*_, **__):
        pytest.fail("the work was begun")

    monkeypatch.setattr("loopwright.cli.bench.measure", work)
    monkeypatch.setattr("loopwright.cli.limits.axes_of", lambda _: {"nodes": work})
    assert "No such file" in refused(*command, tmp_path / "none" / "x.png")
    assert "Is a directory" in refused("bench", "--save", tmp_path)


def test_a_picture_of_no_kind(refused, tmp_path):
    message = refused("limits", "bfs", "--picture", tmp_path / "borders.txt")
    assert "pictures have one of the suffixes" in message
    assert "png" in message


def test_nothing_is_left_of_measurements_that_fail(loopwright, tmp_path, monkeypatch):
    def interrupted(**_):
        raise KeyboardInterrupt

    monkeypatch.setattr("loopwright.cli.bench.measure", interrupted)
    assert loopwright("bench", "--save", tmp_path / "new").code == 130
    assert not (tmp_path / "new").exists()


def test_bench_does_not_replace_the_algorithm_that_it_measures(refused, tmp_path):
    own = tmp_path / "own.py"
    own.write_text("import nothing_that_is_there\n")
    line = refused("bench", f"{own}:own", "--save", own)
    assert "this is the file to read from: write to another one" in line
    assert own.read_text() == "import nothing_that_is_there\n"


def test_bench_draws_no_picture_of_algorithms_that_are_named(refused, tmp_path):
    line = refused("bench", "bfs", "--sizes", "8", "--picture", tmp_path / "speed.png")
    assert "--picture: drawn are machines beside libraries" in line
    line = refused("bench", "--sizes", "8", "--picture", tmp_path / "speed.txt")
    assert "pictures have one of the suffixes" in line


def test_export_does_not_replace_the_model_that_it_exports(refused, tmp_path):
    saved = tmp_path / "bfs.safetensors"
    lw.compile(lw.algorithms.bfs()).save(saved)
    before = saved.read_bytes()
    assert "this is the file to read from" in refused("export", saved, "--onnx", saved)
    assert saved.read_bytes() == before
