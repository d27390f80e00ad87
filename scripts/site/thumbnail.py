"""A graph and an answer → a small picture (SVG) whose colours follow the site's."""

from __future__ import annotations

from html import escape
from typing import Any

import loopwright as lw
from loopwright.runtime.places import places

WIDTH, HEIGHT, RADIUS = 260, 170, 9
HUES = (215, 30, 165, 325, 260, 65, 8, 190)
"""Of what nodes belong to, where the answer names nodes and no numbers."""


def thumbnail(graph: lw.Graph, answer: lw.Answer) -> str:
    """The graph, coloured by an output that is a number, or else by one that names nodes."""
    numbers = [name for name in answer.result if name not in answer.pointers]
    name = (numbers or [*answer.result])[0]
    points = [
        (RADIUS * 2 + x * (WIDTH - 4 * RADIUS), RADIUS * 2 + y * (HEIGHT - 4 * RADIUS))
        for x, y in places(graph).tolist()
    ]
    followed = followed_edges(graph, answer)
    edges = dict.fromkeys(
        tuple(sorted(pair)) for pair in zip(graph.tails.tolist(), graph.heads.tolist(), strict=True)
    )
    lines = [
        f'<line class="{"tree" if edge in followed else ""}" '
        f'x1="{points[edge[0]][0]:.0f}" y1="{points[edge[0]][1]:.0f}" '
        f'x2="{points[edge[1]][0]:.0f}" y2="{points[edge[1]][1]:.0f}"/>'
        for edge in edges
    ]
    values = [answer.result[name].get(label) for label in graph.labels]
    circles = [
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{RADIUS}" style="{fill}">'
        f"<title>{escape(str(label))}: {escape(str(value))}</title></circle>"
        for (x, y), fill, label, value in zip(
            points, fills(values, named=not numbers), graph.labels, values, strict=True
        )
    ]
    return (
        f'<svg class="thumbnail" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(name)} on {graph.n} nodes">{"".join(lines + circles)}</svg>'
    )


def followed_edges(graph: lw.Graph, answer: lw.Answer) -> set[tuple[int, ...]]:
    """Those that `prev` follows, or from each `tail` to its `head`, if the answer has these."""
    found = answer.result
    pairs = [*found.get("prev", {}).items()]
    if {"tail", "head"} <= found.keys():
        pairs += zip(found["tail"].values(), found["head"].values(), strict=True)
    return {
        tuple(sorted((graph.index(one), graph.index(other))))
        for one, other in pairs
        if other is not None and one != other
    }


def fills(values: list[Any], *, named: bool) -> list[str]:
    """A style for each node: a hue for whom it names, or the more colour the larger its number."""
    if named:
        known = list(dict.fromkeys(map(str, values)))
        hues = [HUES[known.index(str(value)) % len(HUES)] for value in values]
        return [f"fill:hsl({hue} 55% 60%)" for hue in hues]
    numbers = [float(value) for value in values if value is not None]
    least, span = min(numbers), max(numbers) - min(numbers) or 1.0
    return [
        "fill:none" if value is None else f"fill-opacity:{0.1 + 0.8 * (value - least) / span:.2f}"
        for value in values
    ]
