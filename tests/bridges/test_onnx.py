"""ONNX Runtime gives what `reference` gives, to the last bit; the Hub's folders are read again."""

from __future__ import annotations

import json

import numpy as np
import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.cli.commands import call
from loopwright.lab.experiments.graphs import random_graph, random_source
from loopwright.runtime.encode import encode

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from loopwright.bridges.onnx.compare import OnnxLoop, largest_difference  # noqa: E402
from loopwright.bridges.onnx.write import export_onnx  # noqa: E402

BOUNDED = [
    (name, construction)
    for name, algorithm in ALGORITHMS.items()
    for construction in algorithm.constructions
    if construction in ("compact", "parallel") and algorithm(construction).bound
]


@pytest.mark.parametrize(("name", "construction"), BOUNDED)
def test_every_algorithm_to_the_last_bit(name, construction, tmp_path):
    """The long run is `loopwright export NAME --onnx FILE --check 100`."""
    model = lw.compile(ALGORITHMS[name](construction))
    path = tmp_path / "model.onnx"
    export_onnx(model, path)
    loop = OnnxLoop(str(path))
    for seed in range(6):
        rng = np.random.default_rng(seed)
        graph = random_graph(1 + 2 * seed, rng, shape=(*model.needs, "directed")[0])
        problem = encode(model, graph, source=random_source(model, graph, rng))
        assert largest_difference(model, loop, problem) == 0


def test_softmax_runs_as_well(tmp_path):
    model = lw.compile(lw.algorithms.dijkstra(), attention="softmax")
    export_onnx(model, tmp_path / "model.onnx")
    graph = lw.Graph.of([("a", "b", 2), ("b", "c", 1), ("a", "c", 5)])
    problem = encode(model, graph, source="a")
    x, _ = OnnxLoop(tmp_path / "model.onnx")(problem, 10)
    assert x[1:, model.layout["dists"].first].tolist() == [0, 2, 3]


def test_the_loop_is_inside_and_in_doubles(tmp_path):
    export_onnx(lw.compile(lw.algorithms.bfs()), tmp_path / "model.onnx")
    made = onnx.load(tmp_path / "model.onnx")
    (loop,) = made.graph.node
    assert loop.op_type == "Loop"
    used = {node.op_type for node in loop.attribute[0].g.node}
    assert not used & {"OneHot", "Attention"}
    matrices = [each for each in loop.attribute[0].g.initializer if len(each.dims) == 2]
    assert {each.data_type for each in matrices} == {onnx.TensorProto.DOUBLE}


def test_a_damaged_weight_shows(tmp_path):
    model = lw.compile(lw.algorithms.dijkstra())
    export_onnx(model, tmp_path / "model.onnx")
    made = onnx.load(tmp_path / "model.onnx")
    body = made.graph.node[0].attribute[0].g
    broken = next(each for each in body.initializer if each.name.startswith("value"))
    array = onnx.numpy_helper.to_array(broken).copy()
    array[array != 0] *= 2
    broken.CopyFrom(onnx.numpy_helper.from_array(array, broken.name))
    onnx.save(made, tmp_path / "broken.onnx")
    problem = encode(model, lw.Graph.of([("a", "b", 2), ("b", "c", 3)]), source="a")
    assert largest_difference(model, OnnxLoop(tmp_path / "model.onnx"), problem) == 0
    assert largest_difference(model, OnnxLoop(tmp_path / "broken.onnx"), problem) > 0


def test_the_command(tmp_path, capsys):
    file, folder = tmp_path / "model.onnx", tmp_path / "hub"
    arguments = ["export", "components", "--onnx", str(file), "--hub", str(folder), "--check", "3"]
    assert call([*arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["largest_difference"] == 0
    assert told["graphs"] == 3
    with pytest.raises(lw.LoopwrightError, match="export as what"):
        call(["export", "components"])


# ── the Hub ─────────────────────────────────────────────────────────────────────────────────────


def test_a_folder_for_the_hub_is_read_again(tmp_path):
    model = lw.compile(lw.algorithms.prim())
    model.save_pretrained(str(tmp_path / "prim"))
    again = lw.from_pretrained(str(tmp_path / "prim"))
    for one, two in zip(model.matrices(), again.matrices(), strict=True):
        np.testing.assert_array_equal(one, two)
    assert {file.name for file in (tmp_path / "prim").iterdir()} == {
        "config.json",
        "model.safetensors",
        "README.md",
    }
    config = json.loads((tmp_path / "prim" / "config.json").read_text(encoding="utf-8"))
    assert config["num_hidden_layers"] == len(model.layers)
    card = (tmp_path / "prim" / "README.md").read_text(encoding="utf-8")
    assert card.startswith("---\nlibrary_name: loopwright")
    for condition in model.check(lw.Graph.from_edges([(0, 1)], directed=False)).conditions:
        assert f"| {condition.name} |" in card


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"model_type": "bert"}'])
def test_another_folder_is_refused(text, tmp_path):
    with pytest.raises(lw.LoopwrightError, match=r"config\.json"):
        lw.from_pretrained(tmp_path / "nowhere")
    (tmp_path / "config.json").write_text(text, encoding="utf-8")
    with pytest.raises(lw.LoopwrightError, match=r"config\.json"):
        lw.from_pretrained(tmp_path)


def test_a_folder_that_is_put_together_of_two_is_refused(tmp_path):
    lw.compile(lw.algorithms.bfs()).save_pretrained(tmp_path)
    lw.compile(lw.algorithms.dfs()).save(tmp_path / "model.safetensors")
    with pytest.raises(lw.LoopwrightError, match=r"algorithm is 'bfs', but model.* has 'dfs'"):
        lw.from_pretrained(tmp_path)


def test_a_configuration_has_a_size(tmp_path):
    """Neither an endless file nor a long one is read to its end."""
    config = tmp_path / "config.json"
    config.symlink_to("/dev/zero")
    with pytest.raises(lw.LoopwrightError, match=r"config\.json: this is no file"):
        lw.from_pretrained(tmp_path)
    config.unlink()
    config.write_text(json.dumps({"model_type": "loopwright", "more": "x" * 2**20}))
    with pytest.raises(lw.LoopwrightError, match=r"config\.json: no configuration of a model"):
        lw.from_pretrained(tmp_path)
