"""A task, or a model, as a folder in the Hub's layout: anyone can read it without this package.

config.json         what the model is: program, layout, constants, layers
model.safetensors   its weights, and its basis where it has one; no pickle
README.md           the model card
circuit.json        the circuit, in MIB's form, with the edges that are redundant
data.json           graphs: clean, corrupted, source, and the clean answer
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from loopwright.circuits.bench.tasks import Example, Task
from loopwright.circuits.circuit import Circuit
from loopwright.model.description import describe
from loopwright.runtime.graph import Graph
from loopwright.runtime.model import Model

CARD = """---
library_name: loopwright
license: mit
tags: [interpretability, circuits, looped-transformer, ground-truth]
---
# {name}

A looped transformer that {what}. Its weights were compiled from a program, not trained, and are
right by construction; what each head does is known, and in `circuit.json`.

- {layers} layers, {heads} heads, width {width}, {parameters:,} weights, run in a loop until the
  halting flag is set.
- X ← X + Σ σ(X W_Q W_Kᵀ Xᵀ) X W_V, read through I, Ã or Ãᵀ, and then
  X ← X + relu(relu(relu(X W¹) W²) W³) W⁴; σ is hardmax, with the tie tolerances of `config.json`.
{edges}- X has a row 0 for all of the graph, and one for each node, from 1. `layout` says in which
  column a variable is (`first`), and with what it begins, in row 0 (`single`) or in nodes' rows:
  `start`, or `at_source`; `own` is the row's number, its square, or its position. Of variables that
  share a column, the one begins that is `held` at −1. Ã[i, j] is the weight of the edge i → j.
- `circuit.json`: {inside} of {possible} edges between components; {redundant} of them change
  no answer alone.
- `data.json`: pairs of graphs, clean and corrupted, with the clean answers.
- {basis}
"""

EDGES = """\
- Heads over `E` and `ET` choose among the edges into a row, or out of it, and row 0, whose edge is
  0; the last row of W_K and of W_V is for the weight of an edge.
"""


def write_folder(
    folder: Path,
    name: str,
    model: Model,
    circuit: Circuit,
    *,
    redundant: dict[str, str],
    examples: tuple[Example, ...],
) -> None:
    """Write all of it; files that are there are written over."""
    folder.mkdir(parents=True, exist_ok=True)
    model.save(folder / "model.safetensors")
    write_json(folder / "config.json", {"model_type": "loopwright", **describe(model)})
    data = circuit.as_dict()
    for edge, why in redundant.items():
        data["edges"][edge]["redundant"] = why
    write_json(folder / "circuit.json", data)
    write_json(folder / "data.json", [example_as_json(model, each) for each in examples])
    card = CARD.format(
        name=name,
        what=f"runs {model.name} ({model.construction})",
        layers=len(model.layers),
        heads=sum(model.heads.values()),
        width=model.width,
        parameters=model.parameters,
        inside=len(circuit.inside),
        possible=circuit.possible,
        redundant=len(redundant),
        edges=EDGES if model.heads["edge"] else "",
        basis="The residual stream is in the basis of its variables: `layout` in `config.json`."
        if model.basis is None
        else "The residual stream is in another basis: the tensor `basis` is an orthogonal matrix "
        "Q, machines run on X Q, and `layout` is of X.",
    )
    (folder / "README.md").write_text(card, encoding="utf-8")


def write_task(folder: Path, task: Task) -> None:
    write_folder(
        folder,
        task.name,
        task.model,
        task.circuit,
        redundant=task.redundant,
        examples=task.examples,
    )


def example_as_json(model: Model, example: Example) -> dict[str, Any]:
    inputs = dict(example.problems[0].inputs)
    answer = model.run(example.clean, source=example.source, machine="reference", **inputs)
    return {
        "clean": edges_of(example.clean),
        "corrupted": edges_of(example.corrupted),
        "nodes": example.clean.n,
        "source": example.source,
        "inputs": inputs,
        "answer": {name: list(column.values()) for name, column in answer.result.items()},
        "iterations": answer.iterations,
    }


def edges_of(graph: Graph) -> list[list[float]]:
    return [
        [int(tail), int(head), float(weight)]
        for tail, head, weight in zip(graph.tails, graph.heads, graph.weights, strict=True)
    ]


def write_json(path: Path, data: object) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
