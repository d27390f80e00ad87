"""`loopwright check`: is the answer guaranteed on this graph, and why (not)?"""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from loopwright.cli.options import (
    AlgorithmName,
    AsJson,
    Attention,
    Construction,
    GraphFile,
    LimitsName,
    MachineName,
    check_attention,
    find_limits,
    find_program,
    print_json,
)
from loopwright.compiler.compile import compile
from loopwright.runtime.check import Certificate
from loopwright.runtime.check import check as certify
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines import is_exact, prepare


def check(
    algorithm: AlgorithmName,
    graph: GraphFile,
    undirected: Annotated[
        bool, typer.Option("--undirected", help="Take each edge in both directions.")
    ] = False,
    construction: Construction = None,
    attention: Attention = "hardmax",
    machine: MachineName = "native",
    limits: LimitsName = "fit",
    as_json: AsJson = False,
) -> None:
    """Say before running whether the answer is guaranteed, and by which bounds, weakest first.

    Exits with 1 if it is not. For example: loopwright check dijkstra roads.txt --limits paper
    """
    read = Graph.of(graph)
    read = read.undirected() if undirected else read
    program = find_program(algorithm, construction, prefer="compact")
    built_for = find_limits(limits, read)
    model = compile(program, limits=built_for, attention=check_attention(attention))
    prepare(model, machine)
    certificate = certify(model, read, exact=is_exact(machine))
    if as_json:
        print_json(
            {
                "algorithm": model.name,
                "construction": model.construction,
                "nodes": read.n,
                "edges": read.edge_count,
                "guaranteed": certificate.guaranteed,
                "exact": certificate.exact,
                "rounding": certificate.rounding,
                "scale": certificate.scale,
                "conditions": [
                    asdict(condition) | {"holds": condition.holds}
                    for condition in certificate.conditions
                ],
            }
        )
    else:
        Console().print(_table(certificate))
        print(_verdict(certificate))
    if not certificate.guaranteed:
        raise typer.Exit(1)


def _table(certificate: Certificate) -> Table:
    unit = "" if certificate.scale == 1 else f"with every weight × {certificate.scale}"
    table = Table("condition", "needed", "allowed", "holds", "because", caption=unit or None)
    for condition in certificate.conditions:
        holds = f"{condition.margin:.3g} ×" if condition.holds else "NO"
        numbers = (f"{condition.needed:g}", f"{condition.allowed:g}")
        table.add_row(condition.name, *numbers, holds, condition.why)
    return table


def _verdict(certificate: Certificate) -> str:
    if not certificate.guaranteed:
        broken = [condition for condition in certificate.conditions if not condition.holds]
        return "Not guaranteed. " + " ".join(dict.fromkeys(c.remedy for c in broken))
    if certificate.exact:
        return "Guaranteed, and exact to the last bit."
    return (
        "Guaranteed for the weights rounded to the model's resolution: "
        f"no path's length changes by more than {certificate.rounding:.3g}."
    )
