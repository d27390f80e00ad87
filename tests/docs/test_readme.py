"""The README's generated parts are up to date, and every file it links to exists."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_generated_parts():
    script = ROOT / "scripts/update_readme.py"
    done = subprocess.run(
        [sys.executable, script, "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_links():
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_references_resolve():
    """Docstrings cite the paper as [P …]; docs/references.md says what P is."""
    keys = set()
    for path in (ROOT / "src").rglob("*.py"):
        keys |= set(re.findall(r"\[([A-Z])(?: [^\]\n]*)\]", path.read_text(encoding="utf-8")))
    known = set(re.findall(r"^\| ([A-Z]) \|", (ROOT / "docs/references.md").read_text(), re.M))
    assert keys <= known, keys - known
