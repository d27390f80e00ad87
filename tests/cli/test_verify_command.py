"""`loopwright verify`: what agreed, or the first cell that differs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import loopwright as lw
from own_files import words


def test_verify_says_what_agreed(loopwright, roads):
    report = loopwright("verify", "dijkstra", roads, "--source", "Ulm", "--json").json
    model = lw.compile(lw.algorithms.dijkstra())
    assert report["agrees"] is True
    assert report["variables"] == len(model.layout.fields)
    assert report["outputs"] == ["dists", "prev"]
    shown = loopwright("verify", "dijkstra", roads, "--source", "Ulm").out
    assert "weights and program agree" in shown
    assert "dists, prev" in shown


def test_verify_names_the_first_cell(loopwright, roads, saved, tmp_path):
    """Weights that are not those of the stored program, in a file that is sound."""
    model = lw.load(saved())
    first = model.layers[0]
    damaged = np.array(first.mlp[3])
    damaged[np.nonzero(damaged)] *= 2
    layers = (replace(first, mlp=(*first.mlp[:3], damaged)), *model.layers[1:])
    path = tmp_path / "damaged.safetensors"
    replace(model, layers=layers).save(path)
    for command in ("verify", "run"):
        more = ["--verify"] if command == "run" else []
        outcome = loopwright(*words(command, path, roads), *more)
        assert (outcome.code, outcome.out, outcome.err.count("\n")) == (1, "", 1)
        assert "'hops' diverges at iteration 1, layer 1, step 'look for new nodes'" in outcome.err
        assert "expected" in outcome.err


@pytest.mark.parametrize("machine", ["native", "exact"])
def test_verify_on_other_machines(loopwright, roads, it, machine):
    report = loopwright(*words("verify", it, roads), "--machine", machine, "--json").json
    assert (report["machine"], report["agrees"]) == (machine, True)
