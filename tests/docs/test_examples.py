"""Examples run; sessions in the documentation say what happens."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PAGES = [
    path for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))] if path.exists()
]
BLOCK = re.compile(r"^```python\n(>>> .*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.skipif(not EXAMPLES, reason="there are no examples yet")
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_example_runs(path, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def failures(page: str, name: str) -> list[str]:
    """Every `>>>` block of a page, as one doctest session; what it got instead.

    It is one test, as a program shows the lines that it was written in, also in a later block.
    """
    wrong: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    test = doctest.DocTestParser().get_doctest(only_blocks(page), {}, name, name, 0)
    runner.run(test, out=wrong.append)
    return wrong


def only_blocks(page: str) -> str:
    """The page with its blocks alone, on the lines that they were on."""
    kept, last = "", 0
    for block in BLOCK.finditer(page):
        kept += "\n" * page.count("\n", last, block.start(1)) + block[1]
        last = block.end(1)
    return kept


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_page(path, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert not failures(path.read_text(encoding="utf-8"), path.name)


def test_sessions_can_fail():
    page = "Text.\n\n```python\n>>> x = 1\n>>> x + 1\n{}\n```\n\n```python\n>>> x\n1\n```\n"
    assert not failures(page.format(2), "page")
    (wrong,) = failures(page.format(3), "page")
    assert "Expected:\n    3\nGot:\n    2" in wrong
    assert "line 5" in wrong
