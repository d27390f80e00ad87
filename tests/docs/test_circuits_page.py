"""The tables of docs/circuits.md are those that were measured."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

pytest.importorskip("torch")

ROOT = Path(__file__).parents[2]


def script():
    spec = importlib.util.spec_from_file_location(
        "update_circuits", ROOT / "scripts" / "update_circuits.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_up_to_date():
    page = (ROOT / "docs" / "circuits.md").read_text(encoding="utf-8")
    assert script().updated(page) == page


def test_what_was_recorded_is_what_is_claimed():
    ablation, interchange, disguise = (
        json.loads((ROOT / "benchmarks" / f"{name}.json").read_text(encoding="utf-8"))
        for name in ("circuits", "interchange", "disguise")
    )
    assert all(each["outside that matter"] == [] for each in ablation)
    assert all(each["different"] == 0 for each in interchange)
    assert all(each["interventions"] == 1000 for each in interchange)
    assert all(each["equal to the program's"] == 1000 for each in interchange)
    assert all(each["same"] == each["graphs"] for each in disguise)
