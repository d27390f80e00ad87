"""Model ↔ file: bit for bit, or a clear refusal."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.errors import ModelFileError
from loopwright.model.storage import FORMAT, VERSION

GRAPH = nx.DiGraph()
GRAPH.add_weighted_edges_from([("a", "b", 1.5), ("b", "c", 0.25), ("a", "c", 2), ("d", "a", 1)])


@pytest.fixture(scope="module")
def model():
    return lw.compile(lw.algorithms.dijkstra("paper"))


@pytest.fixture
def path(model, tmp_path):
    path = tmp_path / "dijkstra.safetensors"
    model.save(path)
    return path


def read(path):
    with safe_open(path, framework="numpy") as file:
        return {name: file.get_tensor(name) for name in file.keys()}, dict(file.metadata())


def refused(path, *parts):
    with pytest.raises(ModelFileError) as caught:
        lw.load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    for part in parts:
        assert part in message
    return message


@pytest.mark.parametrize("name", ALGORITHMS)
def test_round_trip(name, tmp_path):
    for construction in ALGORITHMS[name].constructions:
        model = lw.compile(ALGORITHMS[name](construction), attention="hardmax")
        model.save(tmp_path / "model")
        again = lw.load(tmp_path / "model")
        weights, loaded = list(model.matrices()), list(again.matrices())
        assert len(weights) == len(loaded)
        for before, after in zip(weights, loaded, strict=True):
            assert before.dtype == after.dtype == np.float64
            assert before.tobytes() == after.tobytes()
        for part in ("name", "construction", "attention", "edges", "source", "bound"):
            assert getattr(again, part) == getattr(model, part)
        for part in ("constants", "layout", "program", "rationals"):
            assert getattr(again, part) == getattr(model, part)
        for before, after in zip(model.layers, again.layers, strict=True):
            assert (before.name, before.paper_step, before.writes) == (
                after.name,
                after.paper_step,
                after.writes,
            )
            for one, other in zip(before.heads, after.heads, strict=True):
                assert (one.over, one.tie_tolerance, one.temperature) == (
                    other.over,
                    other.tie_tolerance,
                    other.temperature,
                )


def test_same_answers(model, path):
    before, after = model.run(GRAPH, source="a"), lw.load(path).run(GRAPH, source="a")
    assert (before.result, before.iterations) == (after.result, after.iterations)
    assert after.dists == {"a": 0, "b": 1.5, "c": 1.75, "d": None}


def test_loaded_model_can_be_verified(path):
    assert lw.verify(lw.load(path), GRAPH, source="a").iterations == 16


def test_saving_twice_gives_the_same_tensors_and_digest(model, path, tmp_path):
    lw.load(path).save(tmp_path / "again")
    tensors, metadata = read(path)
    tensors_again, metadata_again = read(tmp_path / "again")
    assert metadata["sha256"] == metadata_again["sha256"]
    assert tensors.keys() == tensors_again.keys()


@pytest.mark.parametrize("share", [0, 0.0001, 0.01, 0.3, 0.9, 0.999999])
def test_truncated(path, share):
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    refused(path, "truncated")


@pytest.mark.parametrize("share", [0.5, 0.75, 0.999])
def test_flipped_byte_in_the_weights(path, share):
    data = bytearray(path.read_bytes())
    data[int(share * len(data))] ^= 1
    path.write_bytes(data)
    refused(path, "do not match their digest", "changed")


def test_swapped_weights(path):
    tensors, metadata = read(path)
    tensors["layers.3.mlp.1"], tensors["layers.4.mlp.1"] = (
        tensors["layers.4.mlp.1"],
        tensors["layers.3.mlp.1"],
    )
    save_file(tensors, path, metadata=metadata)
    refused(path, "digest")


@pytest.mark.parametrize(
    ("old", "new"),
    [('"name": "dijkstra"', '"name": "dijkstrb"'), ('"width": ', '"width": 1'), ('"dists"', '"d"')],
)
def test_changed_metadata(path, old, new):
    tensors, metadata = read(path)
    assert old in metadata["model"]
    metadata["model"] = metadata["model"].replace(old, new, 1)
    save_file(tensors, path, metadata=metadata)
    refused(path, "digest")


@pytest.mark.parametrize("version", [VERSION - 1, VERSION + 1])
def test_another_version(path, version):
    tensors, metadata = read(path)
    save_file(tensors, path, metadata=metadata | {"version": str(version)})
    refused(path, f"format version '{version}'", f"reads {VERSION}: update it, or compile")


@pytest.mark.parametrize("version", ["", "one", "-1"])
def test_no_version(path, version):
    tensors, metadata = read(path)
    save_file(tensors, path, metadata=metadata | {"version": version})
    refused(path, "format version")


@pytest.mark.parametrize("content", [b"", b"hello", b"tail head 3\n" * 99, pickle.dumps([1, 2])])
def test_not_safetensors(tmp_path, content):
    path = tmp_path / "model"
    path.write_bytes(content)
    refused(path, "not a whole safetensors file")


@pytest.mark.parametrize("metadata", [None, {}, {"format": "pt"}])
def test_safetensors_of_something_else(tmp_path, metadata):
    path = tmp_path / "model"
    save_file({"w": np.zeros(3)}, path, metadata=metadata)
    refused(path, "not one of a Loopwright model")


def resealed(path, change):
    """Change the JSON and give it a digest that fits: only `rebuild` can notice now."""
    from loopwright.model.storage import digest

    tensors, metadata = read(path)
    data = json.loads(metadata["model"])
    change(data, tensors)
    metadata["model"] = json.dumps(data)
    metadata["sha256"] = digest(metadata["model"], tensors)
    save_file(tensors, path, metadata=metadata)


def lose_layers(data, tensors):
    del data["layers"]


def lose_tensor(data, tensors):
    del tensors["layers.0.mlp.2"]


def reshape(data, tensors):
    tensors["layers.0.mlp.2"] = tensors["layers.0.mlp.2"][:-1]


def misname_kind(data, tensors):
    data["layout"]["fields"][0]["kind"] = "banana"


@pytest.mark.parametrize("change", [lose_layers, lose_tensor, reshape, misname_kind])
def test_inconsistent_metadata(path, change):
    resealed(path, change)
    refused(path, "metadata cannot be read")


# ── hostile metadata, sealed with a digest that fits ────────────────────────────────────────────


def nested(depth, wrap):
    value = "x"
    for _ in range(depth):
        value = wrap(value)
    return value


HOSTILE = {
    "nothing": None,
    "true": True,
    "negative": -1,
    "zero": 0,
    "a large count": 2**52,
    "too large": 10**30,
    "a fraction": 1.5,
    "NaN": float("nan"),
    "the end of floats": 1e308,
    "no text": "",
    "a name": "x",
    "many digits": "9" * 1500,
    "negative text": "-1",
    "divided by zero": "1/0",
    "a huge power": "1e999999999",
    "an input": "input:x",
    "own": "own",
    "no list": [],
    "no object": {},
    "a long list": [1] * 200,
    "deep lists": nested(400, lambda value: [value]),
    "deep formulas": nested(400, lambda value: {"not": value}),
}
"""Values of every type, some of which fit where they are put."""


def places(value, path=()):
    """The way to everything in a tree of JSON; in a list, to the first two."""
    yield path
    if isinstance(value, dict):
        for key, part in value.items():
            yield from places(part, (*path, key))
    elif isinstance(value, list):
        for k, part in enumerate(value[:2]):
            yield from places(part, (*path, k))


def use(path):
    """Load a model and do with it what can be done."""
    model = lw.load(path)
    assert repr(model)
    model.check(GRAPH)
    model.check(GRAPH, machine="exact")
    lw.verify(model, GRAPH, source="a", max_iterations=3)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_metadata(tmp_path, what):
    """Put anywhere, it is read or refused in words; and what was read runs, or says why not.

    Each value at one place in five, another fifth for each: together they are at every place.
    """
    path = tmp_path / "model"
    lw.compile(lw.algorithms.dijkstra()).save(path)
    whole = path.read_bytes()
    _, metadata = read(path)
    at = list(HOSTILE).index(what)
    messages = []
    for place in list(places(json.loads(metadata["model"])))[at % 5 + 1 :: 5]:

        def put(data, tensors, place=place):
            *way, last = place
            for key in way:
                data = data[key]
            data[last] = HOSTILE[what]

        path.write_bytes(whole)
        resealed(path, put)
        try:
            use(path)
        except lw.LoopwrightError as problem:
            messages.append(str(problem))
    assert messages
    assert all(message.isprintable() for message in messages)


@pytest.mark.parametrize("text", ["", "[]", "3", "{", "null", "[" * 10**5, "9" * 5000, '{"a":1}'])
def test_metadata_of_another_form(path, text):
    from loopwright.model.storage import digest

    tensors, metadata = read(path)
    save_file(tensors, path, metadata=metadata | {"model": text, "sha256": digest(text, tensors)})
    refused(path, "metadata cannot be read")


def test_every_key_is_needed(path):
    _, metadata = read(path)
    for key in json.loads(metadata["model"]).keys() - {
        "needs",
        "source_unless",
    }:  # older files have none
        whole = path.read_bytes()
        resealed(path, lambda data, tensors, key=key: data.pop(key))
        refused(path, "metadata cannot be read", key)
        path.write_bytes(whole)


EMPTY = {"name": "nothing", "paper_step": None, "ops": []}


@pytest.mark.parametrize(
    ("change", "differ"),
    [
        (lambda data, _: data["program"]["steps"].append(EMPTY), "number of steps"),
        (lambda data, _: data["layout"]["fields"][5].update(name="other"), "variable 'other'"),
        (lambda data, _: data["layout"]["fields"][5].update(scope="single"), "variable '"),
    ],
    ids=["a step more", "another name", "another scope"],
)
def test_a_program_that_is_not_the_weights(path, change, differ):
    resealed(path, change)
    with pytest.raises(lw.LoopwrightError, match=f"differ in the {differ}"):
        lw.verify(lw.load(path), GRAPH, source="a")


# ── paths ───────────────────────────────────────────────────────────────────────────────────────


def test_paths_as_text(model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model.save("x")
    assert lw.load("x").name == lw.Model.load("x").name == "dijkstra"


@pytest.mark.parametrize("name", [None, 3, b"x", ["x"], "x\0y", "", "no/such/folder"], ids=repr)
def test_what_names_no_file(model, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    for call in (model.save, lw.load):
        with pytest.raises(ModelFileError) as caught:
            call(name)
        assert str(caught.value).isprintable()
    assert list(tmp_path.iterdir()) == []


def test_missing_file(tmp_path):
    refused(tmp_path / "nothing", "No such file")


def test_a_directory(tmp_path):
    refused(tmp_path)


def test_no_pickle(path):
    """Loading must not run code from the file: a pickle that would is refused, unread."""
    _, metadata = read(path)
    assert metadata["format"] == FORMAT
    program = (
        "import sys, loopwright as lw\n"
        "import pickle\n"
        "def never(*args, **kwargs): raise SystemExit('pickle was used')\n"
        "pickle.load = pickle.loads = pickle.Unpickler = never\n"
        "model = lw.load(sys.argv[1])\n"
        "print(model.run([('a', 'b', 3)], source='a').dists['b'])\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, path], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "3.0\n", "")


@pytest.mark.parametrize(
    ("name", "construction", "tensor", "shape"),
    [
        ("kruskal", "parallel", "layers.0.heads.2.hinges", (9, 1)),
        ("kruskal", "parallel", "layers.0.heads.2.hinges", (1, 4)),
        ("kruskal", "parallel", "layers.0.heads.0.hinges", (1, 1)),
        ("dijkstra", "compact", "layers.0.heads.0.hinges", (1, 1)),
    ],
)
def test_hinges_that_are_none(name, construction, tensor, shape, tmp_path):
    """Only the coordinates of edge heads can be hinges, and no more than there are."""
    path = tmp_path / "model"
    lw.compile(ALGORITHMS[name](construction)).save(path)

    def put(data, tensors):
        tensors[tensor] = np.ones(shape)

    resealed(path, put)
    refused(path, "hinges must be")
