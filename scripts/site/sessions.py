"""Sessions in docstrings (`>>> …`) → blocks of code; as bare text, Markdown sees quotes."""

from __future__ import annotations

import re
from typing import Any

import griffe

SESSION = re.compile(r"^( *)>>> .*(?:\n\1.*\S.*)*", re.MULTILINE)


def fenced(docstring: str) -> str:
    """The docstring with a fence around each session, which ends at a blank line."""
    fence = "```"

    def block(found: re.Match[str]) -> str:
        session, indent = found[0], found[1]
        return f"{indent}{fence}pycon\n{session}\n{indent}{fence}"

    return SESSION.sub(block, docstring)


class Sessions(griffe.Extension):
    """What mkdocstrings loads, for every object that has a docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)
