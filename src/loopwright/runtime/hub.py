"""A model as a folder that the Hub of Hugging Face takes: nothing is sent anywhere.

config.json         what kind of model it is, and its sizes
model.safetensors   all of it, as `Model.save` writes it
README.md           the model card: what it computes, its limits, its certificate
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any, cast

from loopwright.errors import ModelFileError, brief
from loopwright.model import storage
from loopwright.model.files import write_whole
from loopwright.model.layout import Kind
from loopwright.model.paths import path_of
from loopwright.model.weights import Weights
from loopwright.runtime.check import check
from loopwright.runtime.graph import Graph

CONFIG, WEIGHTS, CARD = "config.json", "model.safetensors", "README.md"
MODEL_TYPE = "loopwright"

MOST_BYTES = 2**20
"""Of a configuration, which has some hundreds."""

KINDS = {
    Kind.FLAG: "true or false",
    Kind.INDEX: "a node",
    Kind.COUNT: "a whole number",
    Kind.VALUE: "a number, as edges weigh",
    Kind.SQUARE: "a whole number",
    Kind.POSITION: "a node",
}
NEEDS = {
    "undirected": "every edge goes both ways",
    "acyclic": "there are no cycles",
    "functional": "no node has two edges out of it",
}


def save_pretrained(model: Weights, folder: str | PathLike[str]) -> None:
    """Write a model as a folder; `load_pretrained` gives it back.

    Raises:
        ModelFileError: if a file cannot be written.
    """
    path = path_of(folder, ModelFileError)
    try:
        path.mkdir(parents=True, exist_ok=True)
        for name, text in (
            (CONFIG, json.dumps(config_of(model), indent=2)),
            (CARD, card_of(model)),
        ):
            write_whole(path / name, lambda file, text=text: file.write(f"{text}\n".encode()))
    except OSError as problem:
        raise ModelFileError(f"{path}: {problem.strerror or problem}.") from None
    storage.save(model, path / WEIGHTS)


def load_pretrained(folder: str | PathLike[str]) -> Weights:
    """Read a folder that `save_pretrained` wrote.

    Raises:
        ModelFileError: if it is none, or if the model in it cannot be trusted.
    """
    path = path_of(folder, ModelFileError)
    config = read_config(path / CONFIG)
    kind = config.get("model_type")
    if kind != MODEL_TYPE:
        raise ModelFileError(
            f"{path / CONFIG}: a model of type '{brief(kind)}', expected '{MODEL_TYPE}'."
        )
    model = storage.load(path / WEIGHTS)
    for name, there in config_of(model).items():
        if config.get(name, there) != there:
            raise ModelFileError(
                f"{path / CONFIG}: {name} is {brief(config[name], code=True)}, but {WEIGHTS} has "
                f"{brief(there, code=True)}: one of them is another model's."
            )
    return model


def read_config(path: Path) -> dict[str, Any]:
    """What a folder says of its model.

    Raises:
        ModelFileError: if it is no JSON object, or no file of a size that one has.
    """
    try:
        if path.exists() and not path.is_file():
            raise ModelFileError(f"{path}: this is no file.")
        with path.open("rb") as file:
            text = file.read(MOST_BYTES + 1)
        found: Any = json.loads(text) if len(text) <= MOST_BYTES else None
    except OSError as problem:
        raise ModelFileError(
            f"{path}: {problem.strerror or problem}: expected a folder that "
            "model.save_pretrained wrote."
        ) from None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ModelFileError(f"{path}: no configuration of a model.")
    return cast("dict[str, Any]", found)


def config_of(model: Weights) -> dict[str, Any]:
    """What tools want to know without reading the weights."""
    constants = model.constants
    return {
        "model_type": MODEL_TYPE,
        "architectures": ["LoopedTransformer"],
        "algorithm": model.name,
        "construction": model.construction,
        "attention": model.attention,
        "num_hidden_layers": len(model.layers),
        "hidden_size": model.width,
        "heads": model.heads,
        "parameters": model.parameters,
        "nonzeros": model.nonzeros,
        "torch_dtype": str(model.dtype),
        "edges": model.edges,
        "source": model.source,
        "source_unless": model.source_unless,
        "needs": list(model.needs),
        "outputs": {
            name: str(model.layout[variable].kind)
            for name, variable in model.layout.outputs.items()
        },
        "limits": {
            "nodes": constants.nodes,
            "largest": str(constants.largest),
            "resolution": str(constants.resolution),
        },
    }


def card_of(model: Weights) -> str:
    """The model card, in Markdown with the Hub's header."""
    return "\n".join(_card(model))


def _card(model: Weights) -> Iterator[str]:
    heads = ", ".join(f"{count} {kind}" for kind, count in model.heads.items() if count)
    yield from ("---", "library_name: loopwright", "license: mit")
    yield from ("tags:", "- graph-algorithms", "- looped-transformer", f"- {model.name}", "---", "")
    yield f"# {model.name} ({model.construction}, {model.attention})"
    yield ""
    yield (
        f"A looped transformer whose weights are an algorithm: they were constructed, not trained. "
        f"{len(model.layers)} layers in a loop; heads: {heads}; width {model.width}; "
        f"{model.nonzeros:,} of {model.parameters:,} weights are not 0."
    )
    yield from ("", "## What it computes", "")
    for name, variable in model.layout.outputs.items():
        yield f"- `{name}`: of each node {KINDS[model.layout[variable].kind]}"
    given = sorted({str(field.input) for field in model.layout.fields if field.input})
    starts = {"required": "a source", "optional": "a source, if wanted", "none": "no source"}
    unless = f", unless given `{model.source_unless}` = 1" if model.source_unless else ""
    weighs = "the weights of its edges" if model.edges == "weights" else "1 for every edge"
    yield ""
    yield f"It takes a graph, of which it sees {weighs}, and {starts[model.source]}{unless}."
    if given:
        yield f"It is also given {', '.join(f'`{name}`' for name in given)}."
    for need in model.needs:
        yield f"It is right only if {NEEDS[need]}; other graphs are refused."
    yield from ("", "```python", "import loopwright as lw", "")
    yield 'model = lw.from_pretrained("this folder")'
    source = ', source="a"' if model.source == "required" else ""
    yield f'model.run([("a", "b", 3), ("b", "c", 1.5)]{source})'
    yield from ("```", "", "## Limits", "")
    constants = model.constants
    yield (
        f"Up to {constants.nodes:,} nodes; numbers up to {float(constants.largest):,.10g}, in "
        f"steps of {float(constants.resolution):g}. A graph outside of that is refused."
    )
    yield from ("", "## Certificate", "")
    yield "Before a run every bound is compared with what the graph needs (`model.check(graph)`):"
    yield from ("", "| bound | allowed | what it is |", "| --- | --- | --- |")
    small = Graph.from_edges([(0, 1)], directed="undirected" not in model.needs)
    for condition in sorted(check(model, small, iterations=1).conditions, key=lambda c: c.name):
        yield f"| {condition.name} | {condition.allowed:.10g} | {condition.why} |"
    yield from ("", "## Layers", "", "| layer | computes |", "| --- | --- |")
    for index, layer in enumerate(model.layers, start=1):
        yield f"| {index} | {', '.join(layer.writes) or layer.name} |"
