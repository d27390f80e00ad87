"""Fixtures: a real browser over the pages that `lw.view` makes.

Without Chromium these tests are skipped; `make browser` installs it, and axe-core.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
AXE = ROOT / ".browser" / "node_modules" / "axe-core" / "axe.min.js"
REQUIRED = os.environ.get("LOOPWRIGHT_BROWSER") == "required"
"""Whether a missing browser is a failure: where continuous integration has installed one."""


def skip_or_fail(words: str) -> None:
    (pytest.fail if REQUIRED else pytest.skip)(words)


@pytest.fixture(scope="session")
def browser():
    if CHROMIUM is None:
        skip_or_fail("Chromium is not installed: make browser")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield opened
        opened.close()


@pytest.fixture
def axe():
    if not AXE.exists():
        skip_or_fail("axe-core is not installed: make browser")
    return AXE.read_text(encoding="utf-8")


@pytest.fixture
def open_page(browser):
    """Opens a file; afterwards no error may have been logged, and nothing fetched."""
    contexts, problems = [], []

    def opened(path, link="", *, width=1280, height=720, scheme="light", ready="html[data-opened]"):
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on("console", lambda line: problems.append(f"console: {line.text}"))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith(("file:", "blob:", "data:"))
                else problems.append(f"request: {request.url}")
            ),
        )
        page.goto(f"{Path(path).as_uri()}{link}")
        page.wait_for_selector(ready)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert problems == []


@pytest.fixture(scope="session")
def pages_folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="session")
def run_of(pages_folder):
    """Name → page and trace, made once."""
    from runs_to_view import recorded  # not above: whoever tests no page needs no run

    made = {}

    def of(name):
        if name not in made:
            made[name] = recorded(pages_folder, name)
        return made[name]

    return of
