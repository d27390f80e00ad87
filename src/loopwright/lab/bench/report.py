"""Measurements → rows and sentences: for the terminal, three lines of the README, docs/speed.md."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from loopwright.lab.bench.growth import power
from loopwright.lab.bench.startup import ASKED, ratios
from loopwright.lab.bench.timing import Row

LIBRARIES = ("networkx", "scipy", "rustworkx")
RUNNERS = ("native", *LIBRARIES, "reference", "torch")
HEADS = (
    *("algorithm", "construction", "n", "native", "from a Graph", "loop", *LIBRARIES),
    *("native / networkx", "reference", "torch"),
)
EXAMPLE = ("dijkstra", "compact")
"""What sentences are about."""


def found_of(results: Row, algorithm: str, construction: str, n: int) -> dict[str, Row]:
    """Machine or library → what was measured, for one algorithm, construction and size."""
    return {
        row.get("machine") or row["library"]: row
        for row in results["runs"]
        if (row["algorithm"], row["n"]) == (algorithm, n)
        and row.get("construction") in (None, construction)
    }


def duration(seconds: float | None) -> str:
    """Seconds as text: three digits, in the unit that suits."""
    if seconds is None:
        return "–"
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def times(one: float | None, other: float | None) -> str:
    """How many times as long one takes as the other."""
    return "–" if one is None or other is None else f"{one / other:.2g} ×"


def rows(results: Row) -> list[list[str]]:
    """One row for each algorithm, construction and size; all but the loop are whole calls."""
    runs = results["runs"]
    kinds = dict.fromkeys((r["algorithm"], r["construction"]) for r in runs if "construction" in r)
    return [
        _row(found_of(results, algorithm, construction, n), algorithm, construction, n)
        for algorithm, construction in kinds
        for n in sorted({row["n"] for row in runs})
    ]


def _row(found: dict[str, Row], algorithm: str, construction: str, n: int) -> list[str]:
    native = found.get("native", {})
    whole = {name: found.get(name, {}).get("total_seconds") for name in RUNNERS}
    return [
        algorithm,
        construction,
        str(n),
        duration(whole["native"]),
        duration(native.get("graph_seconds")),
        duration(native.get("seconds")),
        *(duration(whole[name]) for name in LIBRARIES),
        times(whole["native"], whole["networkx"]),
        duration(whole["reference"]),
        duration(whole["torch"]),
    ]


def summary(results: Row) -> list[str]:
    """Three lines: against NetworkX, on a large graph, and from a keystroke."""
    sizes = sorted({row["n"] for row in results["runs"]})
    against = [found_of(results, *EXAMPLE, n) for n in sizes]
    known = [
        (n, found["native"]["total_seconds"] / found["networkx"]["total_seconds"])
        for n, found in zip(sizes, against, strict=True)
        if {"native", "networkx"} <= found.keys()
    ]
    listed = ", ".join(f"{ratio:.2g} × at {n:,}" for n, ratio in known)
    big, start = results["large"], ratios(results["startup"])
    return [
        f"A whole call, networkx graph in and labelled answer out, takes Dijkstra `compact` as "
        f"many times as long as NetworkX itself: {listed} nodes.",
        f"{big['n']:,} nodes and {big['edges']:,} edges: {duration(big['total_seconds'])}, "
        f"{times(big['total_seconds'], big['networkx_seconds'])} NetworkX, every distance "
        f"{'exact' if big['right'] else 'NOT exact'}, in {big['memory_mib']:.0f} MiB.",
        f"`loopwright run` on a small graph takes {start['run dijkstra']:.2g} × as long as "
        f"`import numpy`, from its start to the answer; `loopwright --version` "
        f"{start['--version']:.2g} × as long as importing typer and rich.",
    ]


def headline(results: Row) -> list[str]:
    """The sentences that people ask for, each a ratio within this run."""
    native = [row for row in results["runs"] if row.get("machine") == "native"]
    compiled = [row["compile_seconds"] for row in native]
    grows = "; ".join(
        f"{row['algorithm']} {row['construction']} n^{row['run']:.2f} "
        f"(an iteration n^{row['iteration']:.2f})"
        for row in results["exponents"]
    )
    return [
        *summary(results),
        *map(_many, results["many"]),
        f"To make machine code takes {duration(min(compiled))} to {duration(max(compiled))}.",
        f"How the loop's time grows from 64 nodes on: {grows}.",
    ]


def _many(row: Row) -> str:
    one, two = row["seconds_each"], row["seconds_each_by_two"]
    return (
        f"`run_many` on {row['graphs']:,} graphs of {row['n']} nodes takes {duration(one)} for "
        f"each, {duration(one - row['loop_seconds_each'])} of it beside the loop; two workers do "
        f"{times(one, two)} as many as one."
    )


def startup_table(results: Row) -> list[str]:
    """What a command takes beside imports, and what it may take."""
    seconds, found = results["startup"], ratios(results["startup"])
    return _table(
        ("started", "takes", "beside", "ratio", "at most"),
        (
            (
                f"`{name}`",
                duration(seconds[name]),
                f"`{other}`",
                f"{found[name]:.2f} ×",
                f"{most} ×",
            )
            for name, (other, most) in ASKED.items()
        ),
    )


def very_large_table(results: Row) -> list[str]:
    """Constructions whose time grows as the edges do; nothing if there are none."""
    if not results["very_large"]:
        return []
    heads = ("algorithm", "n", "edges", "iterations", "whole call", "loop", "scipy", "networkx")
    heads += ("whole call / scipy", "whole call / networkx", "memory", "right")
    listed = (
        (
            row["algorithm"],
            f"{row['n']:,}",
            f"{row['edges']:,}",
            str(row["iterations"]),
            *(
                duration(row.get(kind))
                for kind in ("total_seconds", "seconds", "scipy_seconds", "networkx_seconds")
            ),
            times(row["total_seconds"], row["scipy_seconds"]),
            times(row["total_seconds"], row.get("networkx_seconds")),
            f"{row['memory_mib'] / 2**10:.2g} GiB" if "memory_mib" in row else "–",
            "yes" if row["right"] else "NO",
        )
        for row in results["very_large"]
    )
    grows = "; ".join(
        f"{name} n^{power(rows, 'total_seconds'):.2f} "
        f"(iterations n^{power(rows, 'iterations'):.2f})"
        for name, rows in by_algorithm(results["very_large"]).items()
    )
    return [
        "Construction `parallel`, from compressed rows, beside SciPy on the same rows and NetworkX "
        f"on a graph of its own. How whole calls grow, and how many iterations do: {grows}. Memory "
        "is the most that a process of its own needs, which makes the graph and runs on it.",
        "",
        *_table(heads, listed),
        "",
    ]


def by_algorithm(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row["algorithm"], []).append(row)
    return found


def markdown(results: Row) -> str:
    """The README's part on speed: three lines."""
    return "\n".join(f"- {sentence}" for sentence in summary(results))


def page(results: Row) -> str:
    """What docs/speed.md has of the measurements."""
    where = results["environment"]
    packages = ", ".join(f"{name} {number}" for name, number in where["packages"].items())
    return "\n".join(
        [
            *(f"- {sentence}" for sentence in headline(results)),
            "",
            *_table(HEADS, rows(results)),
            "",
            *very_large_table(results),
            *startup_table(results),
            "",
            f"Measured by `loopwright bench` (Python {where['python']}, {packages}).",
        ]
    )


def _table(heads: Any, lines: Any) -> list[str]:
    return ["| " + " | ".join(row) + " |" for row in (heads, ["---"] * len(heads), *lines)]
