"""Arrows point one way: an allow-list by package, in which an unknown package is an error."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS

ROOT = Path(lw.__file__).parent
ALLOWED = {
    "errors": set(),
    "model": set(),
    "language": {"model"},
    "algorithms": {"language", "model"},
    "compiler": {"language", "model"},
    "runtime": {"model"},
    "watch": {"language", "model", "runtime"},
    "viewer": {"model", "runtime", "watch"},
    "circuits": {"compiler", "language", "model", "runtime", "watch"},
    "subleq": {"algorithms", "compiler", "language", "model", "runtime", "watch"},
    "bridges": {"algorithms", "compiler", "language", "model", "runtime", "watch"},
    "lab": {"algorithms", "compiler", "language", "model", "runtime", "subleq", "watch"},
    "cli": {"algorithms", "compiler", "language", "lab", "model", "runtime", "subleq", "watch"}
    | {"viewer", "bridges", "circuits", "__init__"},
    "front": {
        "algorithms",
        "circuits",
        "compiler",
        "language",
        "model",
        "runtime",
        "watch",
        "viewer",
    },
    "__init__": {"front"},
    "__main__": {"cli"},
}
"""Package → those that it may import, besides itself and `errors`."""


def modules(root: Path = ROOT) -> dict[str, Path]:
    """Dotted name below the package → file; a package is its `__init__`."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name or "__init__"] = path
    return found


def imported(name: str, path: Path, known: set[str]) -> set[str]:
    """The modules of this package that a module imports: anywhere, for types alone as well."""
    tree, found = ast.parse(path.read_text(encoding="utf-8")), set[str]()
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join(["loopwright", *above] if node.level else [])
            module = ".".join(filter(None, [base, node.module]))
            found |= {f"{module}.{alias.name}" for alias in node.names}
    inside = {full.removeprefix("loopwright.") for full in found if full.startswith("loopwright.")}
    return {longest_known(full, known) for full in inside} - {name}


def longest_known(full: str, known: set[str]) -> str:
    """`model.weights.Head` is of the module `model.weights`; a name of the root is `__init__`'s."""
    parts = full.split(".")
    ends = (".".join(parts[:k]) for k in range(len(parts), 0, -1))
    return next((end for end in ends if end in known), "__init__")


def arrows(root: Path = ROOT) -> dict[str, set[str]]:
    found = modules(root)
    return {name: imported(name, path, set(found)) for name, path in found.items()}


def violations(root: Path = ROOT) -> list[str]:
    """Packages that nobody has a rule for, arrows that no rule allows, and cycles of modules."""
    wrong: list[str] = []
    found = arrows(root)
    for name, others in found.items():
        package = name.split(".")[0]
        if package not in ALLOWED:
            wrong.append(f"{package}: an unknown package")
            continue
        allowed = ALLOWED[package] | {package, "errors"}
        wrong += [f"{name} imports {o}" for o in others if o.split(".")[0] not in allowed]
    graph = nx.DiGraph((name, other) for name, others in found.items() for other in others)
    wrong += [f"cycle: {' → '.join(cycle)}" for cycle in nx.simple_cycles(graph)]
    return wrong


def test_arrows_point_one_way():
    assert violations() == []


def test_the_root_holds_the_front_door_alone():
    assert {path.name for path in ROOT.glob("*.py")} <= {
        "__init__.py",
        "__main__.py",
        "errors.py",
        "front.py",
    }
    assert (ROOT / "py.typed").exists()


@pytest.mark.parametrize(
    ("file", "text", "complaint"),
    [
        ("runtime/a.py", "import loopwright.lab.b", "runtime.a imports lab.b"),
        ("runtime/a.py", "def f():\n  from loopwright.lab import b", "runtime.a imports lab.b"),
        (
            "runtime/a.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n  from loopwright.lab.b import c",
            "runtime.a imports lab.b",
        ),
        ("runtime/a.py", "from ..lab import b", "runtime.a imports lab.b"),
        ("shed/a.py", "", "shed: an unknown package"),
        ("runtime/c.py", "from loopwright.runtime import d", "cycle: runtime."),
    ],
)
def test_the_walk_sees_what_is_wrong(tmp_path, file, text, complaint):
    for each in ("runtime/__init__.py", "lab/__init__.py", "lab/b.py"):
        (tmp_path / each).parent.mkdir(exist_ok=True)
        (tmp_path / each).write_text("", encoding="utf-8")
    (tmp_path / "runtime/d.py").write_text("import loopwright.runtime.c", encoding="utf-8")
    assert violations(tmp_path) == []
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(text, encoding="utf-8")
    assert complaint in "\n".join(violations(tmp_path))


INFO = (".networkx", ".networkx.info")


def test_oracles_are_independent():
    """NetworkX imports what its backends tell it of themselves, and no more."""
    told = ("loopwright", *("loopwright.bridges" + end for end in ("", *INFO)))
    ours = "{m for m in sys.modules if m.startswith('loopwright')}"
    code = f"import sys, oracles; assert {ours} <= {set(told)}"
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
        if part in {"compiler", "language", "algorithms", "watch", "cli"}:
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
from loopwright.runtime.model import Model
print(Model.load(sys.argv[2]).run([("a", "b", 3), ("b", "c", 0.5)], source="a").dists)
"""


def test_a_saved_model_runs_alone(tmp_path):
    path = tmp_path / "model"
    lw.compile(lw.algorithms.dijkstra()).save(path)
    done = subprocess.run(
        [sys.executable, "-c", RUN_ALONE, ROOT, path], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout == "{'a': 0.0, 'b': 3.0, 'c': 3.5}\n"


ORDINARY = {
    *("graph", "points", "sort", "shortest", "paths", "components", "bridges", "set", "two"),
    *("levels", "widest"),
}
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
    for path in sorted((ROOT / part).rglob("*.py")):
        assert not words(path) & names, path.relative_to(ROOT)


def test_the_words_of_a_module_are_seen():
    assert "dijkstra" in words(ROOT / "algorithms" / "dijkstra.py")
    assert "softmax" in words(ROOT / "runtime" / "machines" / "reference.py")
