"""What is generated in the pages is up to date, and every file that they link to exists."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from loopwright.language import ops
from loopwright.language.declare import KINDS, Declare
from loopwright.language.statements import WORDS, Statements

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "name", ["update_readme", "update_language", "update_bridges", "update_parallel"]
)
def test_generated_parts(name):
    script = ROOT / f"scripts/{name}.py"
    done = subprocess.run(
        [sys.executable, script, "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_reference_has_every_word_and_every_op():
    """A public method of `Statements` is a word, or serves terms and says so by taking theirs."""
    page = (ROOT / "docs/language.md").read_text(encoding="utf-8")
    for word in WORDS:
        assert f"`p.{word}" in page, word
    for op in ops.ALL:
        assert f"### {op.__name__}\n" in page
    methods = {name for name in vars(Declare) if not name.startswith("_")}
    assert set(KINDS) == methods - {"scope", "p"}
    made = Statements("any", "ones")
    assert all(hasattr(made, word) for word in WORDS)


def test_links():
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


NAMED = re.compile(r"(?<!\[)`([\w./-]+\.(?:py|md|json|js|sq|toml|txt|lark|yml))`")


@pytest.mark.parametrize(
    "page",
    [*sorted((ROOT / "docs").glob("*.md")), ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"],
    ids=lambda page: page.name,
)
def test_files_that_pages_name_exist(page):
    """In the repository, package, pages or tests; in blocks of code they are a user's."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    folders = [ROOT, ROOT / "src/loopwright", ROOT / "docs", ROOT / "tests"]
    for name in NAMED.findall(text):
        assert any((folder / name).exists() for folder in folders), name


def test_references_resolve():
    """Docstrings cite the paper as [P …]; docs/references.md says what P is."""
    keys = set()
    for path in (ROOT / "src").rglob("*.py"):
        keys |= set(re.findall(r"\[([A-Z])(?: [^\]\n]*)\]", path.read_text(encoding="utf-8")))
    known = set(re.findall(r"^\| ([A-Z]) \|", (ROOT / "docs/references.md").read_text(), re.M))
    assert keys <= known, keys - known
