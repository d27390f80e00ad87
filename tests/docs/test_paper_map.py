"""The paper's map names what is there, and nothing of the paper is missing from it."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAP = (ROOT / "docs" / "paper.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in MAP.splitlines()
    if line.startswith("| ") and not line.startswith(("| paper", "| ---"))
]
NAMED = re.compile(r"\[`(\w+)`\]\(\.\./([\w/.-]+\.py)\)")


@cache
def defined(path: str) -> set[str]:
    """The functions, methods and classes of a file."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {node.name for node in ast.walk(tree) if isinstance(node, kinds)}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_code_and_tests_exist(row):
    _, code, tests = row
    for cell, folder in ((code, "src/"), (tests, "tests/")):
        named = NAMED.findall(cell)
        assert named
        assert NAMED.sub("", cell).strip(", ") == "", "something that is no link"
        for name, path in named:
            assert path.startswith(folder)
            assert name in defined(path), f"no {name} in {path}"
    assert all(name.startswith("test_") for name, _ in NAMED.findall(tests))


@pytest.mark.parametrize(
    "part",
    [
        "Definition 3.1",
        *(f"Equation {number}" for number in (1, 2)),
        *(f"Algorithm {number}" for number in range(1, 8)),
        *(f"Theorem {number}" for number in range(1, 5)),
        *(f"Remark {number}" for number in (1, 2)),
        "Table 1",
    ],
)
def test_nothing_of_the_paper_is_missing(part):
    assert any(re.search(rf"\b{part}\b", what) for what, _, _ in ROWS)


def test_labels_in_docstrings_are_in_the_map():
    """What code cites by an equation's label has a row."""
    cited = set()
    for path in (ROOT / "src").rglob("*.py"):
        for citation in re.findall(r"\[P ([^\]\n]*)\]", path.read_text(encoding="utf-8")):
            cited |= set(re.findall(r"Eq\. (\w+)", citation)) - {"1", "2"}
    shown = " ".join(what for what, _, _ in ROWS)
    assert {label for label in cited if label.removesuffix("_appdx") not in shown} == set()
