"""Weights → Cost: the row that a model has in a table, for a terminal, a paper, or a program."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from loopwright.model.weights import Weights

DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
RAISED, LOWERED = str.maketrans("0123456789", DIGITS), str.maketrans(DIGITS, "0123456789")
LATEX = str.maketrans(
    {c: f"\\{c}" for c in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
)
"""What means something to LaTeX → how to write it so that it is printed."""

UNBOUNDED = "as the input has it"
"""The iterations of a program that has no bound of its own, such as a computer's."""


@dataclass(frozen=True)
class Cost:
    """What a model costs, on every graph that it is for: none of this depends on one."""

    name: str
    construction: str
    attention: str
    layers: int
    iterations: str
    """The most iterations on n nodes, as people write them: "3n² + 1"."""
    width: int
    heads: Mapping[str, int]
    """The heads that a layer has, by what they read through."""
    parameters: int
    nonzeros: int
    """How many of the parameters are not 0."""

    def __str__(self) -> str:
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.heads.items() if count)
        return (
            f"{self.name} ({self.construction}, {self.attention}): {self.layers} layers, "
            f"iterations {self.iterations}, width {self.width}, {sum(self.heads.values())} heads "
            f"({kinds or 'none'}), {self.nonzeros} of {self.parameters} parameters not 0"
        )

    def latex(self) -> str:
        r"""A row of a paper's table: name & layers & iterations & width & heads & nonzeros \\"""
        named = f"{self.name} ({self.construction})".translate(LATEX)
        bound = self.iterations
        if bound != UNBOUNDED:
            bound = f"${_in_latex(bound)}$"
        cells = (named, self.layers, bound, self.width, sum(self.heads.values()), self.nonzeros)
        return " & ".join(map(str, cells)) + r" \\"

    def as_dict(self) -> dict[str, Any]:
        """All of it, as JSON can hold it."""
        return asdict(self)


def cost_of(model: Weights) -> Cost:
    """Count what a model is made of."""
    return Cost(
        name=model.name,
        construction=model.construction,
        attention=model.attention,
        layers=len(model.layers),
        iterations=bound_as_text(model.bound) or UNBOUNDED,
        width=model.width,
        heads=model.heads,
        parameters=model.parameters,
        nonzeros=model.nonzeros,
    )


def bound_as_text(bound: tuple[int, ...]) -> str:
    """A polynomial's coefficients, constant first, as people write it; nothing if there are none.

    >>> bound_as_text((0, 0, 3)), bound_as_text((1, 1)), bound_as_text((2, 0, 0, 0, 1))
    ('3n²', 'n + 1', 'n⁴ + 2')
    """

    def term(k: int, power: int) -> str:
        if power == 0:
            return str(k)
        return f"{k if k != 1 else ''}n{str(power).translate(RAISED) if power > 1 else ''}"

    return " + ".join(reversed([term(k, power) for power, k in enumerate(bound) if k]))


def _in_latex(polynomial: str) -> str:
    """Raised digits as an exponent: 3n² is 3n^{2}."""
    return re.sub(f"[{DIGITS}]+", lambda raised: f"^{{{raised[0].translate(LOWERED)}}}", polynomial)
