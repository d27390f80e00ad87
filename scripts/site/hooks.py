"""What the site has beside the pages of docs/: the gallery, files that pages link to, and the
pages that lie at the root of the repository."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # the files beside this one

import commands
import gallery
import sources
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

WIDE = {"index.md", "gallery.md", "algorithms.md", "speed.md", "table-1.md"}
"""Pages that need the room of a table of contents more than they need one."""

NAMED_LIKE_ITS_FILE = re.compile(r"\[([\w-]+\.md)\](?=\(\1[)#])")
"""In the repository a link to `limits.md` is best called so; on the site it has a title."""

titles: dict[str, str] = {}


cards: dict[str, str] = {}
"""What the gallery's page is filled with, once it is made."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    linked: set[str] = set()
    for file in files.documentation_pages():
        linked |= sources.named_in(file.content_string)
    made = {sources.page_of(path): sources.shown(path) for path in sorted(linked)}
    for name, page in sources.AT_ROOT.items():
        made[page] = (sources.ROOT / name).read_text(encoding="utf-8")
    pages, cards["made"] = gallery.made()
    made |= pages
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_nav(nav: Navigation, **_: Any) -> None:
    titles.update((page.file.src_uri, page.title) for page in nav.pages if page.title)


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:
    """Links lead to pages of the site and are called as these are, the gallery is filled, and a
    session in Python is coloured as one."""
    if page.file.src_uri in WIDE:
        page.meta["hide"] = ["toc"]
    if page.file.src_uri.startswith("source/"):
        page.meta["search"] = {"exclude": True}
        return markdown
    markdown = sources.led_to_pages(markdown)
    markdown = NAMED_LIKE_ITS_FILE.sub(lambda link: f"[{titles.get(link[1], link[1])}]", markdown)
    markdown = markdown.replace("<!-- gallery -->", cards["made"])
    if "<!-- options -->" in markdown:
        markdown = markdown.replace("<!-- options -->", commands.options())
    return markdown.replace("```python\n>>> ", "```pycon\n>>> ")
