"""Arrows point one way: algorithms → language → compiler → model ← runtime."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS

ROOT = Path(lw.__file__).parent
BUILD_TIME = {"compiler", "language", "algorithms", "verify", "cli"}
FORBIDDEN = {
    "runtime": BUILD_TIME,
    "model.py": BUILD_TIME,
    "layout.py": BUILD_TIME,
    "limits.py": BUILD_TIME,
    "storage.py": BUILD_TIME,
    "errors.py": BUILD_TIME,
    "language": {"compiler", "runtime", "algorithms", "verify", "cli"},
    "compiler": {"runtime", "algorithms", "verify", "cli"},
    "algorithms": {"compiler", "runtime", "verify", "cli"},
}


def files(part: str) -> list[Path]:
    place = ROOT / part
    found = [place] if place.suffix else sorted(place.rglob("*.py"))
    assert found, f"{place} has no modules: is the test out of date?"
    return found


def imported(path: Path) -> set[str]:
    """The parts of loopwright that a module imports, in functions too, but not for types alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.unparse(block.test)
        for child in block.body
        for node in ast.walk(child)
    }
    modules: set[str] = set()
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            package = path.relative_to(ROOT.parent).with_suffix("").parts
            base = ".".join(package[: -node.level]) if node.level else ""
            module = ".".join(filter(None, [base, node.module]))
            modules |= {f"{module}.{alias.name}" for alias in node.names}
    inside = [module.split(".") for module in modules]
    return {parts[1] for parts in inside if parts[0] == "loopwright" and len(parts) > 1}


@pytest.mark.parametrize("part", FORBIDDEN)
def test_direction(part):
    for path in files(part):
        wrong = imported(path) & FORBIDDEN[part]
        assert not wrong, f"{path.relative_to(ROOT)} imports {', '.join(sorted(wrong))}"


def test_the_walk_sees_imports():
    """Were it blind, the test above would pass always."""
    assert {"compiler", "runtime", "model"} <= imported(ROOT / "__init__.py")
    assert {"language", "runtime"} <= imported(ROOT / "verify.py")


def test_oracles_are_independent():
    code = "import sys, oracles; assert not {m for m in sys.modules if m.startswith('loopwright')}"
    tests = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tests, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


RUN_ALONE = """
import sys, types
class Blocked:
    def find_spec(self, name, path=None, target=None):
        part = (name.split(".") + [""])[1] if name.startswith("loopwright.") else ""
        if part in {"compiler", "language", "algorithms", "verify", "cli"}:
            raise ImportError(f"{name} is blocked")
sys.meta_path.insert(0, Blocked())
package = types.ModuleType("loopwright")  # without __init__, which imports all
package.__path__ = [sys.argv[1]]
sys.modules["loopwright"] = package
try:
    import loopwright.compiler
except ImportError:
    pass
else:
    raise SystemExit("the block does not work")
from loopwright.model.weights import Weights
from loopwright.runtime.run import run
model = Model.load(sys.argv[2])
print(run(model, [("a", "b", 3), ("b", "c", 0.5)], source="a").dists)
"""


def test_a_saved_model_runs_alone(tmp_path):
    path = tmp_path / "model"
    lw.compile(lw.algorithms.dijkstra()).save(path)
    done = subprocess.run(
        [sys.executable, "-c", RUN_ALONE, ROOT, path], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout == "{'a': 0.0, 'b': 3.0, 'c': 3.5}\n"


ORDINARY = {"graph", "points", "sort", "shortest", "paths", "components", "bridges"}
"""Parts of algorithms' names that are words of their own."""


def words(path: Path) -> set[str]:
    """Every identifier and string of a module, in lower case, docstrings and comments excepted."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts: set[str] = set()
    bare = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        for name in ("id", "attr", "name", "arg", "asname", "module"):
            text = getattr(node, name, None)
            texts |= {text} if isinstance(text, str) else set()
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare:
            texts.add(node.value)
    return {word for text in texts for word in re.split(r"[^a-z0-9]+", text.lower())}


@pytest.mark.parametrize("part", ["compiler", "runtime"])
def test_no_algorithm_is_special(part):
    names = {part for name in ALGORITHMS for part in [name, *name.split("-")]} - ORDINARY
    for path in files(part):
        assert not words(path) & names, path.relative_to(ROOT)


def test_the_words_of_a_module_are_seen():
    assert "dijkstra" in words(ROOT / "algorithms" / "dijkstra.py")
    assert "softmax" in words(ROOT / "runtime" / "machines" / "reference.py")
