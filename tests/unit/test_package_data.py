"""What an installed package has besides its modules: the wheel must be told of every such file."""

from __future__ import annotations

import tomllib
from pathlib import Path

import loopwright

ROOT = Path(__file__).parents[2]
PACKAGE = Path(loopwright.__file__).parent


def test_every_file_that_is_no_module_is_package_data():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = {
        path
        for package, patterns in project["tool"]["setuptools"]["package-data"].items()
        for pattern in patterns
        for path in PACKAGE.parent.joinpath(*package.split(".")).glob(pattern)
    }
    found = {path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    assert {path for path in found if path.suffix != ".py"} == listed
