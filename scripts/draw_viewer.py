"""Draw the pictures of the viewer: a real page, in a real browser, in the middle of a real run.

    python scripts/draw_viewer.py

writes docs/figures/viewer.png (the README's), viewer-broken.png, and viewer.webp, which moves: one
frame for each layer of the run. It needs Chromium (make browser).
"""

from __future__ import annotations

import shutil
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Page, sync_playwright

import loopwright as lw

ROOT = Path(__file__).parents[1]
FIGURES = ROOT / "docs" / "figures"
ROADS = ROOT / "examples" / "roads.txt"
SIZE = {"width": 1280, "height": 720}
SMALLER = {"width": 1120, "height": 630}
LAYER, END = 700, 3500
"""How long a layer is shown, and the end of the run, in milliseconds."""


def main() -> None:
    model = lw.compile(lw.algorithms.dijkstra())
    graph = lw.Graph.of(ROADS).undirected()
    pages = {
        "viewer": (lw.view(model, graph, source="Ulm"), "#i=3&l=3"),
        "viewer-broken": (lw.view(model, graph, source="Ulm", broken="2,W4,0,visit=1"), ""),
    }
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for name, (view, link) in pages.items():
            path = Path(folder) / f"{name}.html"
            view.save(path)
            page = browser.new_page(viewport=SIZE)
            page.goto(f"{path.as_uri()}{link}")
            page.wait_for_selector("html[data-opened]")
            page.screenshot(path=FIGURES / f"{name}.png")
            if name == "viewer":
                draw_moving(page)
        browser.close()


def draw_moving(page: Page) -> None:
    """Every moment of the run, one after the other, as one picture."""
    frames: list[Image.Image] = []
    page.set_viewport_size(SMALLER)
    page.keyboard.press("Home")
    last = page.evaluate("window.loopwright.run.last")
    for _ in range(last + 1):
        frames.append(Image.open(BytesIO(page.screenshot())).convert("RGB"))
        page.keyboard.press("ArrowRight")
    shown = [LAYER] * last + [END]
    first, *others = frames
    first.save(
        FIGURES / "viewer.webp",
        save_all=True,
        append_images=others,
        duration=shown,
        loop=0,
        lossless=True,
        method=6,
        minimize_size=True,
    )


if __name__ == "__main__":
    main()
