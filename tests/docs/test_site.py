"""The site is built with strict links, needs no network, and leads to every page."""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import yaml

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.cli.commands import COMMANDS

ROOT = Path(__file__).parents[2]
LOADED = re.compile(
    r"""<(?:script|link|img|source|iframe)\b[^>]*?\b(?:src|href|srcset)="?([^"\s>]+)""", re.I
)
LINKED = re.compile(r"""<a\b[^>]*?\bhref="?([^"\s>]+)""", re.I)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The whole site, built once also where several processes run the tests."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    made = folder / "site"
    with (folder / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (made / "index.html").exists():
            build(made)
    return made


def build(made: Path, *options: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", made, *options],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def test_every_page_is_in_the_navigation():
    pages = {path.name for path in (ROOT / "docs").glob("*.md")}
    text = read(ROOT / "mkdocs.yml").partition("\nnav:")[2]
    named = set(re.findall(r": ([\w-]+\.md)$", text, re.MULTILINE))
    assert pages == named - {"contributing.md", "security.md", "changelog.md"}
    assert yaml.safe_load(f"nav:{text}")["nav"][0] == {"Start": "index.md"}


def test_every_file_is_reached_from_the_start(site):
    """By links alone: pages, the viewer's pages in the gallery, and files that pages link to."""
    found, waiting = set(), [site / "index.html"]
    while waiting:
        page = waiting.pop()
        if page in found:
            continue
        found.add(page)
        if page.parent.name == "gallery":
            continue  # a viewer's page leads nowhere
        for link in LINKED.findall(read(page)):
            parts = urlsplit(link)
            if not parts.scheme and parts.path:
                target = (page.parent / unquote(parts.path)).resolve()
                assert target.exists(), f"{page.name} links to {link}"
                waiting += [target] if target.suffix == ".html" else []
    assert {*site.rglob("*.html")} - {site / "404.html"} == found


def test_nothing_is_loaded_from_elsewhere(site):
    for page in site.rglob("*.html"):
        for target in LOADED.findall(read(page)):
            assert not urlsplit(target).netloc, f"{page.name} loads {target}"
    for style in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(https?:)?//|@import", read(style)), style.name


def test_the_gallery_has_every_algorithm_in_every_construction(site):
    expected = {
        f"gallery/{name}-{construction}.html"
        for name, algorithm in ALGORITHMS.items()
        for construction in algorithm.constructions
    }
    listed = {link.partition("#")[0] for link in LINKED.findall(read(site / "gallery.html"))}
    assert {link for link in listed if link.startswith("gallery/")} == expected
    for page in expected:
        name, _, construction = Path(page).stem.rpartition("-")
        assert f"<title>{name} ({construction}, hardmax) on " in read(site / page)


def test_python_names_are_all_there(site):
    page = read(site / "api.html")
    named = set(re.findall(r'id="?loopwright\.([\w.]+)"?', page))
    for name in lw.front.__all__:
        assert {name, f"model.layout.{name}", f"language.variables.{name}"} & named or (
            f"<code>lw.{name}" in page
        ), name
    shown = {name.rpartition(".")[2] for name in named}
    for kind in (lw.Model, lw.Graph, lw.Answer, lw.Trace, lw.Observer):
        methods = {name for name in vars(kind) if callable(getattr(kind, name))}
        assert {name for name in methods if not name.startswith("_")} <= shown, kind
    assert "<blockquote>" not in page, "a session that Markdown took for a quote"


def test_commands_are_all_there(site):
    page = read(site / "command-line.html")
    for command in COMMANDS:
        own = page.partition(f"Usage: loopwright {command} [OPTIONS]")[2].partition("Usage: ")[0]
        assert "--json" in own or "--out" in own, command


def test_a_broken_link_breaks_the_build(tmp_path):
    """Strictness, tried on a page of its own: the settings are the site's."""
    settings = yaml.safe_load(read(ROOT / "mkdocs.yml"))
    settings |= {"docs_dir": "docs", "nav": [{"Start": "index.md"}], "plugins": []}
    del settings["hooks"], settings["extra_css"], settings["extra"]
    (tmp_path / "mkdocs.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    (tmp_path / "docs").mkdir()
    for text in ("[gone](gone.md)", "[gone](#gone)", "[gone](/gone.md)"):
        (tmp_path / "docs" / "index.md").write_text(f"# Start\n\n{text}\n", encoding="utf-8")
        with pytest.raises(AssertionError, match=r"WARNING .*gone"):
            build(tmp_path / "site", "-f", str(tmp_path / "mkdocs.yml"))


def test_the_site_in_a_browser(site, open_page):
    page = open_page(site / "index.html", ready="img.moving")
    page.wait_for_function("() => document.querySelector('img.moving').complete")
    assert page.evaluate("document.querySelector('img.moving').naturalWidth") > 1000
    page.keyboard.press("/")
    page.keyboard.type("lockstep")
    page.wait_for_selector(".md-search-result__item a")
    page = open_page(site / "gallery.html", ready=".card")
    page.click("#dijkstra a:text-is('compact')")
    page.wait_for_selector("html[data-opened]")
    assert page.inner_text("#moment").startswith("iteration 1 of 9 · layer 1 of 3")
    page.keyboard.press("End")
    assert "halted" in page.inner_text("#moment")


@pytest.mark.parametrize("name", ["index", "gallery", "api", "paper", "algorithms"])
def test_a_phone_needs_no_sideways_scrolling(site, open_page, name):
    page = open_page(site / f"{name}.html", width=360, height=740, scheme="dark", ready="h1")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize(
    ("name", "scheme"), [("index", "light"), ("gallery", "dark"), ("language", "light")]
)
def test_axe_finds_no_serious_problem(site, open_page, axe, name, scheme):
    page = open_page(site / f"{name}.html", scheme=scheme, ready=".md-search[aria-label]")
    page.evaluate(axe)
    # not preloading: from disk, axe may not read the style sheets a second time
    found = page.evaluate("axe.run({ resultTypes: ['violations'], preload: false })")
    assert [
        (problem["id"], problem["nodes"][0]["html"], problem["nodes"][0]["failureSummary"])
        for problem in found["violations"]
        if problem["impact"] in ("serious", "critical")
    ] == []
