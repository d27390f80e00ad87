"""Measure pages: how large they are, how long a browser takes to open them; into docs/viewer.md.

    python scripts/measure_viewer.py

A page is made three times, and the quickest counts. Opening is from the beginning of the page's
loading until all panels show the first moment: the median of five times. It needs Chromium (make
browser).
"""

from __future__ import annotations

import platform
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import networkx as nx
from playwright.sync_api import Browser, sync_playwright

import loopwright as lw
from loopwright.runtime.places import places_of

PAGE = Path(__file__).parents[1] / "docs" / "viewer.md"
MAKINGS, OPENINGS = 3, 5
RUNS = (
    ("dijkstra", "compact", 16),
    ("dijkstra", "paper", 16),
    ("dfs", "paper", 16),
    ("scc", "paper", 16),
    ("dijkstra", "compact", 128),
    ("dijkstra", "paper", 64),
)
"""Algorithm, construction, nodes; the last is longer than a page."""


def graph_of(nodes: int) -> lw.Graph:
    """As many edges as make a graph of this size connected, and some more."""
    graph = nx.gnp_random_graph(nodes, 4 / nodes, seed=1, directed=True)
    for tail, head, facts in graph.edges(data=True):
        facts["weight"] = (tail * 7 + head * 3) % 9 + 1
    return lw.Graph.of(graph)


def measured(browser: Browser, folder: Path) -> Iterator[str]:
    for name, construction, nodes in RUNS:
        model = lw.compile(getattr(lw.algorithms, name)(construction))
        source = 0 if model.source == "required" else None
        took: list[float] = []
        for _ in range(MAKINGS):
            places_of.cache_clear()  # where to draw the nodes is a part of it
            begin = time.perf_counter()
            view = lw.view(model, graph_of(nodes), source=source)
            took.append(time.perf_counter() - begin)
        path = folder / f"{name}-{construction}-{nodes}.html"
        view.save(path)
        opened: list[float] = []
        for _ in range(OPENINGS):
            page = browser.new_page()
            page.goto(path.as_uri())
            page.wait_for_selector("html[data-opened]")
            opened.append(float(page.get_attribute("html", "data-opened") or "nan"))
            frames = page.evaluate("window.loopwright.run.last - window.loopwright.run.before")
            page.close()
        kilobytes = path.stat().st_size / 1000
        yield (
            f"| {name} | {construction} | {nodes} | {frames:,} | {kilobytes:,.0f} kB | "
            f"{min(took):.1f} s | {median(opened):.0f} ms |"
        )


def main() -> None:
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        lines = [
            "| algorithm | construction | nodes | layers shown | file | to make it | to open it |",
            "| --- | --- | --- | --- | --- | --- | --- |",
            *measured(browser, Path(folder)),
            "",
            f"Measured by `scripts/measure_viewer.py` (Chromium {browser.version}, Python "
            f"{platform.python_version()}).",
        ]
        browser.close()
    block = "<!-- measured:begin -->\n" + "\n".join(lines) + "\n<!-- measured:end -->"
    text = PAGE.read_text(encoding="utf-8")
    pattern = "<!-- measured:begin -->.*?<!-- measured:end -->"
    PAGE.write_text(re.sub(pattern, lambda _: block, text, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    main()
