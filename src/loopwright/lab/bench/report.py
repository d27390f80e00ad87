"""Measurements → tables: for the terminal, and for the README."""

from __future__ import annotations

from typing import Any

from rich.table import Table

Row = dict[str, Any]
COLUMNS = ("reference", "torch", "native", "networkx", "scipy", "rustworkx")


def seconds_of(results: Row, algorithm: str, construction: str, n: int) -> dict[str, float]:
    """Machine or library → seconds, for one algorithm, construction and size."""
    return {
        row.get("machine") or row["library"]: row["seconds"]
        for row in results["runs"]
        if (row["algorithm"], row["n"]) == (algorithm, n)
        and row.get("construction") in (None, construction)
    }


def kinds(results: Row) -> list[tuple[str, str]]:
    found = ((r["algorithm"], r["construction"]) for r in results["runs"] if "construction" in r)
    return list(dict.fromkeys(found))


def sizes(results: Row) -> list[int]:
    return sorted({row["n"] for row in results["runs"]})


def duration(seconds: float | None) -> str:
    """Three digits, in the unit that suits."""
    if seconds is None:
        return "–"
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def rows(results: Row) -> list[list[str]]:
    """One row for each algorithm, construction and size."""
    return [
        [algorithm, construction, str(n), *(duration(found.get(name)) for name in COLUMNS)]
        for algorithm, construction in kinds(results)
        for n in sizes(results)
        for found in [seconds_of(results, algorithm, construction, n)]
    ]


def table(results: Row) -> Table:
    shown = Table("algorithm", "construction", "n", *COLUMNS, title="one run of the loop")
    for row in rows(results):
        shown.add_row(*row)
    return shown


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
    said.append(
        f"A sparse graph of {big['n']:,} nodes and {big['edges']:,} edges: Dijkstra, `compact`, "
        f"in {duration(big['seconds'])} (NetworkX: {duration(big['networkx_seconds'])}), every "
        f"distance {'exact' if big['right'] else 'NOT exact'}, with {big['memory_mib']:.0f} MiB; "
        f"an n × n array alone would take {big['dense_mib']:.0f} MiB."
    )
    native = [row for row in results["runs"] if row.get("machine") == "native"]
    said.append(
        f"Compiling takes {duration(min(row['compile_seconds'] for row in native))} to "
        f"{duration(max(row['compile_seconds'] for row in native))}. The multiply-adds that are "
        f"left of the MLPs, against the whole time of a run, reach up to "
        f"{max(row['mlp_share_of_peak'] for row in native):.0%} of one core's measured peak of "
        f"{results['peak_multiply_adds'] / 1e9:.3g} billion a second."
    )
    grows = "; ".join(
        f"{row['algorithm']} {row['construction']} n^{row['run']:.2f} "
        f"(an iteration n^{row['iteration']:.2f})"
        for row in results["exponents"]
    )
    said.append(f"How native time grows from 64 nodes on: {grows}.")
    return said


def markdown(results: Row) -> str:
    """The README's part on speed."""
    lines = [f"- {sentence}" for sentence in headline(results)]
    heads = ["algorithm", "construction", "n", *COLUMNS]
    lines += ["", "| " + " | ".join(heads) + " |", "| " + " | ".join("---" for _ in heads) + " |"]
    lines += ["| " + " | ".join(row) + " |" for row in rows(results)]
    where = results["environment"]
    packages = ", ".join(f"{name} {number}" for name, number in where["packages"].items())
    lines += [
        "",
        f"Measured by `loopwright bench` (Python {where['python']}, {packages}), one core.",
    ]
    return "\n".join(lines)
