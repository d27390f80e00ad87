"""What a command prints: one JSON object, or tables and sentences for people."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from loopwright.errors import printable
from loopwright.model.limits import MANTISSA
from loopwright.model.weights import Weights


def output(report: object, shown: Iterable[Table | str], *, as_json: bool) -> None:
    """Print the report as JSON, or else what people are shown, which is made only then."""
    if as_json:
        ascii_alone = codecs.lookup(sys.stdout.encoding).name != "utf-8"
        say(_escaped(json.dumps(report, default=_number, ensure_ascii=ascii_alone)))
        return
    for each in shown:
        say(each if isinstance(each, str) else _drawn(each))


def say(text: str) -> None:
    """Print a text; all that commands print on stdout is printed here."""
    print(text)


def _drawn(table: Table, *, width: int | None = None) -> str:
    """A table as text, for where it is printed: as wide as that is, and with colour if it has any.

    Rich would print it as well, but ends the process by itself where nobody reads on.
    """
    console = Console(width=width)
    with console.capture() as drawn:
        console.print(table)
    return drawn.get().removesuffix("\n")


def table(
    heads: Iterable[str],
    rows: Iterable[Iterable[object]],
    *,
    title: str | None = None,
    caption: str | None = None,
) -> Table:
    """A table whose cells are plain text: "[red]" and ":cat:" are labels like any other."""
    made = Table(title=title, caption=escape(caption) if caption else None)
    for head in heads:
        made.add_column(Text(head))
    for row in rows:
        made.add_row(*(Text(printable(str(cell))) for cell in row))
    return made


MANY_ROWS = 1000
"""Rich takes 0.2 ms for every row, which is nothing up to here, and 10 s on 50,000 nodes."""


def listing(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table with a row for each node of a graph, as text.

    Of many rows, rich draws only one, whose cells are as wide as the widest, and all are written
    into its frame: it looks the same, and takes a fiftieth of the time. A line that is wider than
    the screen is then not broken.
    """
    heads = tuple(heads)
    cells = [[printable(str(cell)) for cell in row] for row in rows]
    if len(cells) <= MANY_ROWS:
        return _drawn(table(heads, cells))
    widths = [max(map(cell_len, column)) for column in zip(heads, *cells, strict=True)]
    widest = ["x" * width for width in widths]
    frame = _drawn(table(heads, [widest]), width=sum(widths) + 3 * len(widths) + 1)
    *above, row, below = frame.split("\n")
    bar = row[0]
    lines = (
        f" {bar} ".join(
            text + " " * (width - cell_len(text)) for text, width in zip(line, widths, strict=True)
        )
        for line in cells
    )
    return "\n".join([*above, *(f"{bar} {line} {bar}" for line in lines), below])


def digits(number: float) -> str:
    """A number as it is written, with as many digits as give the same number again.

    >>> digits(3.0), digits(1000000.5), digits(1e300)
    ('3', '1000000.5', '1e+300')
    """
    whole = number.is_integer() and abs(number) < 2**MANTISSA
    return str(int(number)) if whole else repr(number)


def _escaped(document: str) -> str:
    """JSON in which what cannot be seen, or is half of a character, stands as an escape."""
    if document.isprintable():
        return document
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in document)


def _number(value: Any) -> float | str:
    """A fraction as the float that equals it, or as "p/q" if there is none."""
    if not isinstance(value, Fraction):
        raise TypeError(f"cannot print {type(value).__name__} as JSON")
    nearest = float(value)
    return nearest if Fraction(nearest) == value else str(value)


def model_facts(model: Weights) -> dict[str, Any]:
    """What `run` and `show` both report of a model."""
    return {
        "algorithm": model.name,
        "construction": model.construction,
        "attention": model.attention,
        "layers": len(model.layers),
        "heads": model.heads,
        "width": model.width,
        "parameters": model.parameters,
        "nonzeros": model.nonzeros,
    }
