"""What people install: a wheel, in a clean environment, far from this checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
USE = """
import loopwright as lw, pathlib, sys
assert "site-packages" in lw.__file__, lw.__file__
assert (pathlib.Path(lw.__file__).parent / "py.typed").exists()
print(lw.compile(lw.algorithms.dijkstra("compact")).run([("a", "b", 3)], source="a").dists)
from loopwright.subleq import assemble
print(len(assemble(".data x 4\\n add x, x").instructions))
from loopwright.lab.clrs.tasks import manifest
print(sorted(manifest()["splits"]))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Built from a copy, where no earlier build left anything, by this environment's setuptools."""
    folder, copy = tmp_path_factory.mktemp("wheel"), tmp_path_factory.mktemp("copy")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("*.egg-info"))
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", folder, copy], check=True, capture_output=True)
    return next(folder.glob("loopwright-*.whl"))


def test_what_is_inside(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    for name in ("py.typed", "subleq/grammar.lark", "subleq/idioms.sq", "lab/clrs/data/NOTICE.md"):
        assert f"loopwright/{name}" in names, name
    assert not [name for name in names if name.startswith("tests")]


def test_it_works_where_nothing_else_is(wheel, tmp_path):
    """Its dependencies are borrowed from here; Loopwright itself is not."""
    venv.create(tmp_path / "clean", with_pip=False)
    python = tmp_path / "clean" / "bin" / "python"
    site = next((tmp_path / "clean" / "lib").glob("python*")) / "site-packages"
    zipfile.ZipFile(wheel).extractall(site)
    here = Path(os.__file__).parent.name
    borrowed = Path(sys.prefix) / "lib" / here / "site-packages"
    # A .pth file would also bring this checkout's editable install; a plain path does not.
    environment = {"PYTHONPATH": str(borrowed), "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [python, "-S", "-c", f"import sys; sys.path.insert(0, {str(site)!r}){USE}"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=environment,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "{'a': 0.0, 'b': 3.0}",
        "3",
        "['test', 'train', 'val']",
    ]
