"""Rows → an HTML table: what a notebook shows in the place of a line of text.

Names and labels come from files of others, so every cell is text, never markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import islice

from loopwright.errors import brief, printable

MOST_ROWS = 30
"""Rows of a table that a notebook shows: the others are counted."""

LONGEST_CELL = 200
"""Characters."""


def table(
    title: str, heads: Sequence[str], rows: Iterable[Sequence[object]], *, count: int | None = None
) -> str:
    """A title, and below it a table. With `count`, only the first rows are shown, and how many
    there are of them.

    >>> print(table("two", ["a"], [["<b>"], [1]]))
    <p><b>two</b></p><table><thead><tr><th>a</th></tr></thead><tbody><tr><td>&lt;b&gt;</td></tr><tr><td>1</td></tr></tbody></table>
    """
    shown = [list(row) for row in (rows if count is None else islice(rows, MOST_ROWS))]
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in shown)
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    rest = 0 if count is None else count - len(shown)
    more = f"<p>and {rest:,} more</p>" if rest > 0 else ""
    return (
        f"<p><b>{escape(printable(title))}</b></p><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>{more}"
    )


def _cell(value: object) -> str:
    return f"<td>{escape(brief('–' if value is None else value, LONGEST_CELL))}</td>"
