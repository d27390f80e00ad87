"""A model → an ONNX file whose graph is the whole run: X₀ and Ã in, X after the last layer out."""

# onnx has no complete types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import json
from os import PathLike
from typing import Any

import numpy as np

from loopwright.bridges.onnx.graph import Nodes, halted, layer_output
from loopwright.errors import ModelFileError, needing
from loopwright.model.description import describe
from loopwright.model.files import write_whole
from loopwright.model.paths import path_of
from loopwright.model.weights import Weights

with needing("an ONNX file"):
    import onnx
    from onnx import TensorProto, helper

OPSET = 18
"""The first in which ReduceMax takes its axes as an input, as ReduceSum does."""
IR_VERSION = 9
"""What went with it: readers need be no newer."""


def export_onnx(model: Weights, path: str | PathLike[str]) -> None:
    """Write the file.

    Its inputs are `x` (rows, width) and `a` (rows, rows), as `encode` makes them, in float64, and
    `max_iterations`. Its outputs are `x`, the `iterations` that were made, and whether it `halted`.

    Raises:
        ModelFileError: if the file cannot be written.
        LoopwrightError: if onnx is not installed, or a head is of an unknown kind.
    """
    path = path_of(path, ModelFileError)
    content = onnx_model(model).SerializeToString()
    try:
        write_whole(path, lambda file: file.write(content))
    except OSError as problem:
        raise ModelFileError(f"{path}: {problem.strerror or problem}.") from None


def onnx_model(model: Weights) -> Any:
    """The model as ONNX's own object, checked by it."""
    d = model.width
    body_nodes = Nodes()
    x = "x_before"
    for layer in model.layers:
        x = layer_output(body_nodes, model, layer, x, "a")
    done = halted(body_nodes, model, x)
    again = body_nodes("Not", done)
    count = body_nodes("Add", "count_before", body_nodes.constant(np.int64(1), "one"))
    body = helper.make_graph(
        body_nodes.nodes,
        "iteration",
        [
            helper.make_tensor_value_info("number", TensorProto.INT64, []),
            helper.make_tensor_value_info("go_on", TensorProto.BOOL, []),
            helper.make_tensor_value_info("x_before", TensorProto.DOUBLE, ["rows", d]),
            helper.make_tensor_value_info("count_before", TensorProto.INT64, []),
            helper.make_tensor_value_info("done_before", TensorProto.BOOL, []),
        ],
        [
            helper.make_tensor_value_info(again, TensorProto.BOOL, []),
            helper.make_tensor_value_info(x, TensorProto.DOUBLE, ["rows", d]),
            helper.make_tensor_value_info(count, TensorProto.INT64, []),
            helper.make_tensor_value_info(done, TensorProto.BOOL, []),
        ],
        initializer=body_nodes.constants,
    )
    outer = Nodes()
    begin, none = outer.constant(np.bool_(True), "begin"), outer.constant(np.int64(0), "none")
    not_yet = outer.constant(np.bool_(False), "not_yet")
    outer.nodes.append(
        helper.make_node(
            "Loop",
            ["max_iterations", begin, "x", none, not_yet],
            ["x_last", "iterations", "halted"],
            body=body,
        )
    )
    graph = helper.make_graph(
        outer.nodes,
        f"{model.name} ({model.construction}, {model.attention})",
        [
            helper.make_tensor_value_info("x", TensorProto.DOUBLE, ["rows", d]),
            helper.make_tensor_value_info("a", TensorProto.DOUBLE, ["rows", "rows"]),
            helper.make_tensor_value_info("max_iterations", TensorProto.INT64, []),
        ],
        [
            helper.make_tensor_value_info("x_last", TensorProto.DOUBLE, ["rows", d]),
            helper.make_tensor_value_info("iterations", TensorProto.INT64, []),
            helper.make_tensor_value_info("halted", TensorProto.BOOL, []),
        ],
        initializer=outer.constants,
    )
    made = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="loopwright"
    )
    made.ir_version = IR_VERSION
    helper.set_model_props(made, {"loopwright": json.dumps(describe(model), ensure_ascii=False)})
    onnx.checker.check_model(made, full_check=True)
    return made
