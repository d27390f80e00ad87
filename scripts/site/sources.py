"""Links from pages to files of the repository → pages of the site that show those files.

In the repository a page links to `../src/loopwright/compiler/compile.py`, and to whole folders. The
site has to work without the repository and without a network, so it has a page for each such file.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\]\(\.\./([^)#\s]+)\)")
LANGUAGES = {".py": "python", ".js": "javascript", ".toml": "toml", ".sh": "bash"}


AT_ROOT = {
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
}
"""Pages that lie at the root of the repository → where the site has them."""


def named_in(text: str) -> set[str]:
    """The files that a page links to outside of its folder, as paths in the repository."""
    return {posixpath.normpath(target) for target in LINK.findall(text)} - set(AT_ROOT)


def page_of(path: str) -> str:
    """Where the site shows a file or a folder."""
    return AT_ROOT.get(path, f"source/{path}.md")


def led_to_pages(text: str) -> str:
    """A page whose links lead to the site's pages."""
    return LINK.sub(lambda found: f"]({page_of(posixpath.normpath(found[1]))})", text)


def shown(path: str) -> str:
    """A page with a file, or with all files of a folder one after the other.

    Raises:
        FileNotFoundError: if there is no such file: a page links to nothing.
    """
    place = ROOT / path
    files = (
        sorted(each for each in place.iterdir() if each.is_file()) if place.is_dir() else [place]
    )
    parts = [f"# {path}\n"]
    for file in files:
        heading = f"## {file.name}\n\n" if place.is_dir() else ""
        fence = "`" * 8
        language = LANGUAGES.get(file.suffix, "text")
        text = file.read_text(encoding="utf-8").rstrip()
        parts.append(f"{heading}{fence}{language}\n{text}\n{fence}\n")
    return "\n".join(parts)
