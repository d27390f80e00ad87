"""`loopwright check`: is the answer guaranteed on this graph, and why (not)?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from math import isfinite

import typer
from rich.table import Table

from loopwright.cli import options
from loopwright.cli.algorithm import find_algorithm
from loopwright.cli.find import build_for, find_graph
from loopwright.cli.other_limits import with_options
from loopwright.cli.output import output, table
from loopwright.runtime.attributes import WEIGHT
from loopwright.runtime.check import Certificate
from loopwright.runtime.check import check as certify
from loopwright.runtime.condition import Condition
from loopwright.runtime.machines import is_exact


def check(
    algorithm: options.Algorithm,
    graph: options.GraphFile,
    undirected: options.Undirected = False,
    weight: options.WeightAttribute = WEIGHT,
    construction: options.Construction = None,
    attention: options.Attention = None,
    machine: options.Machine = "native",
    limits: options.Limits = "auto",
    as_json: options.AsJson = False,
) -> None:
    """Say before a run whether its answer is guaranteed.

    Lists the bounds that this depends on, weakest first; exits with 1 if one does not hold.

    For example: loopwright check dijkstra roads.txt --limits paper
    """
    chosen = find_algorithm(algorithm)
    read = find_graph(graph, undirected=undirected, weight=weight)
    model, built_for = build_for(read, chosen, construction, limits, attention, machine)
    certificate = certify(model, read, exact=is_exact(machine))
    report = {
        "algorithm": model.name,
        "construction": model.construction,
        "limits": built_for,
        "nodes": read.n,
        "edges": read.edge_count,
        "guaranteed": certificate.guaranteed,
        "exact": certificate.exact,
        "rounding": certificate.rounding if isfinite(certificate.rounding) else None,
        "noise": certificate.noise,
        "watched": certificate.watched,
        "watches_positions": certificate.watches_positions,
        "watches_reliance": certificate.watches_reliance,
        "scale": certificate.scale,
        "conditions": [asdict(each) | {"holds": each.holds} for each in certificate.conditions],
    }
    title = f"{model.name} ({model.construction}, {model.attention})"
    broken = dict.fromkeys(each.remedy for each in certificate.conditions if not each.holds)
    remedy = with_options(" ".join(broken), "check", algorithm, limits, on_graph=True)
    output(report, _shown(certificate, title, remedy), as_json=as_json)
    if not certificate.guaranteed:
        raise typer.Exit(1)


def _verdict(condition: Condition) -> str:
    """How many times over it holds, where that is a number."""
    if not condition.holds:
        return "NO"
    return f"{condition.margin:.3g} ×" if isfinite(condition.margin) else "yes"


def _shown(certificate: Certificate, title: str, remedy: str) -> Iterator[Table | str]:
    """Every condition with its bounds, then what follows from them together."""
    yield table(
        ("condition", "needed", "allowed", "holds", "because"),
        (
            (
                condition.name,
                f"{condition.needed:g}",
                f"{condition.allowed:g}",
                _verdict(condition),
                condition.why,
            )
            for condition in certificate.conditions
        ),
        title=title,
        caption=None if certificate.scale == 1 else f"with every weight × {certificate.scale}",
    )
    if not certificate.guaranteed:
        yield f"Not guaranteed. {remedy}"
    elif certificate.exact:
        yield "Guaranteed, and exact to the last bit."
    else:
        yield (
            "Guaranteed for the weights rounded to the model's resolution: "
            f"no value changes by more than {certificate.rounding:.3g}."
        )
    if certificate.guaranteed and certificate.watched is not None:
        yield f"That is while no number exceeds {float(certificate.watched):g}: a run watches it."
    if certificate.guaranteed and certificate.watches_positions:
        yield "That is while no position moves past the last node: a run watches it."
    if certificate.guaranteed and certificate.watches_reliance:
        yield "That is while what its ops count on is so, as in verify: a run watches it."
