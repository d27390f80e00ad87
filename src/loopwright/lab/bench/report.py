"""Measurements → rows and sentences: for the terminal, and for the README."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]
RUNNERS = ("reference", "torch", "native", "networkx", "scipy", "rustworkx")
HEADS = ("algorithm", "construction", "n", *RUNNERS)


def seconds_of(results: Row, algorithm: str, construction: str, n: int) -> dict[str, float]:
    """Machine or library → seconds, for one algorithm, construction and size."""
    return {
        row.get("machine") or row["library"]: row["seconds"]
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


def rows(results: Row) -> list[list[str]]:
    """One row for each algorithm, construction and size."""
    runs = results["runs"]
    kinds = dict.fromkeys((r["algorithm"], r["construction"]) for r in runs if "construction" in r)
    return [
        [algorithm, construction, str(n), *(duration(found.get(name)) for name in RUNNERS)]
        for algorithm, construction in kinds
        for n in sorted({row["n"] for row in runs})
        for found in [seconds_of(results, algorithm, construction, n)]
    ]


def headline(results: Row) -> list[str]:
    """The sentences that people ask for, each a ratio within this run."""
    said: list[str] = []
    for construction in ("paper", "compact"):
        found = seconds_of(results, "dijkstra", construction, 64)
        native, library = found.get("native"), found.get("networkx")
        if native is None or library is None:
            continue
        faster = ", ".join(
            f"{found[name] / native:,.0f} × faster than {name}"
            for name in ("reference", "torch")
            if name in found
        )
        far = ", ".join(
            f"{name} {found[name] / library:.3g} ×"
            for name in ("native", "reference", "torch")
            if name in found
        )
        said.append(
            f"Dijkstra, `{construction}`, 64 nodes: native takes {duration(native)}, {faster}. "
            f"NetworkX takes {duration(library)}; relative to it: {far}."
        )
    big = results["large"]
    native = [row for row in results["runs"] if row.get("machine") == "native"]
    compiled = [row["compile_seconds"] for row in native]
    grows = "; ".join(
        f"{row['algorithm']} {row['construction']} n^{row['run']:.2f} "
        f"(an iteration n^{row['iteration']:.2f})"
        for row in results["exponents"]
    )
    return [
        *said,
        f"A sparse graph of {big['n']:,} nodes and {big['edges']:,} edges: Dijkstra, `compact`, "
        f"in {duration(big['seconds'])} (NetworkX: {duration(big['networkx_seconds'])}), every "
        f"distance {'exact' if big['right'] else 'NOT exact'}, with {big['memory_mib']:.0f} MiB; "
        f"an n × n array alone would take {big['dense_mib']:.0f} MiB.",
        f"Compiling takes {duration(min(compiled))} to {duration(max(compiled))}.",
        f"How native time grows from 64 nodes on: {grows}.",
    ]


def markdown(results: Row) -> str:
    """The README's part on speed."""
    where = results["environment"]
    packages = ", ".join(f"{name} {number}" for name, number in where["packages"].items())
    table = [HEADS, ["---"] * len(HEADS), *rows(results)]
    return "\n".join(
        [
            *(f"- {sentence}" for sentence in headline(results)),
            "",
            *("| " + " | ".join(row) + " |" for row in table),
            "",
            f"Measured by `loopwright bench` (Python {where['python']}, {packages}), one core.",
        ]
    )
