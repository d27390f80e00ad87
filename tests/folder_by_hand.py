"""A folder of a model, run by the equations of its card: `json`, `safetensors` and NumPy alone."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

OWN = {"index": lambda i: i, "square": lambda i: i * i}


def answers(folder: Path):
    """For every example of the folder: what X holds of each output at the end, and iterations."""
    config, data = (
        json.loads((folder / f"{name}.json").read_text()) for name in ("config", "data")
    )
    tensors = load_file(folder / "model.safetensors")
    for each in data:
        x, t = run(config, tensors, *laid_out(config, each))
        fields = {field["name"]: field for field in config["layout"]["fields"]}
        named = config["layout"]["outputs"].items()
        yield each, {out: x[1:, fields[name]["first"]] for out, name in named}, t


def laid_out(config, example):
    n, layout = example["nodes"], config["layout"]
    x, a = np.zeros((n + 1, layout["width"])), np.zeros((n + 1, n + 1))
    for field in layout["fields"]:
        if field["held"] is not None and -1 not in field["held"]:
            continue
        for row in [0] if field["scope"] == "single" else range(1, n + 1):
            start = field["start"]
            x[row, field["first"]] = OWN[field["kind"]](row) if start == "own" else float(start)
        if field["at_source"] is not None:
            x[example["source"] + 1, field["first"]] = float(field["at_source"])
    for tail, head, weight in example["clean"]:
        a[tail + 1, head + 1] = weight if config["edges"] == "weights" else 1
    return x, a


def run(config, tensors, x, a):
    layout = config["layout"]
    halt = next(f["first"] for f in layout["fields"] if f["name"] == layout["halt"])
    q = tensors.get("basis", np.eye(layout["width"]))
    x = x @ q
    for t in range(1, 100):
        for i, layer in enumerate(config["layers"]):
            outs = []
            for h, head in enumerate(layer["heads"]):
                w = [tensors[f"layers.{i}.heads.{h}.{part}"] for part in ("query", "key", "value")]
                outs.append(attend(head, *w, x, a))
            x = x + sum(outs)
            w1, w2, w3, w4 = (tensors[f"layers.{i}.mlp.{k}"] for k in (1, 2, 3, 4))
            z = x
            for w in (w1, w2, w3):
                z = np.maximum(z @ w, 0)
            x = x + z @ w4
        if x[0, halt] > 0.5:
            return x @ q.T, t
    raise AssertionError("it does not halt")


def attend(head, query, key, value, x, a):
    over = head["over"]
    out = np.zeros_like(x)
    for i in range(len(x)):
        edge = {"E": a[:, i], "ET": a[i]}.get(over)
        if edge is None:
            seen, rows = x, range(len(x))
        else:
            seen = np.hstack([x, edge[:, None]])
            rows = [j for j in range(len(x)) if j == 0 or edge[j] != 0]
        asked = x[i] @ query
        scores = {j: sum(u * v for u, v in zip(asked, seen[j] @ key, strict=True)) for j in rows}
        least = max(scores.values()) - head["tie_tolerance"]
        best = [j for j, score in scores.items() if score >= least]
        out[i] = sum(seen[j] @ value for j in best) / len(best)
    return {"A": a @ out, "AT": a.T @ out}.get(over, out)
