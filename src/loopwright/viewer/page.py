"""All that a page knows → HTML, with everything in it: nothing is fetched when it is opened.

Foreign text cannot become markup. It is in the data, which are compressed and written in letters
and digits (base64), and the scripts put it into the page as text alone. A page also forbids itself
to load anything, and to run any script but the one that is named by its hash.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files

from loopwright.model.description import JSON

SCRIPTS = (
    "elements",
    "data",
    "run",
    "numbers",
    "layer",
    "graph",
    "program",
    "table",
    "attention",
    "weights",
    "safety",
    "movement",
    "start",
)
"""In the order in which they build on each other."""


def page(title: str, facts: JSON) -> str:
    """A whole HTML file."""
    script = "\n".join(part(f"{name}.js") for name in SCRIPTS)
    text = json.dumps(facts, separators=(",", ":"), allow_nan=False)
    filled = {
        "title": escape(title),
        "policy": policy(script),
        "style": part("style.css"),
        "data": b64encode(gzip.compress(text.encode(), mtime=0)).decode("ascii"),
        "script": script,
    }
    html = part("page.html")
    for name, value in filled.items():
        before, marker, after = html.partition(f"<!--{name}-->")
        assert marker, name
        html = before + value + after
    return html


def part(name: str) -> str:
    return (files("loopwright.viewer") / "page" / name).read_text(encoding="utf-8")


def policy(script: str) -> str:
    """What a browser may do with the page: run this script, use the styles in it, no more."""
    digest = b64encode(sha256(script.encode()).digest()).decode("ascii")
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
