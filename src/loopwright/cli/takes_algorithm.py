"""Commands that take an ALGORITHM: their help ends with those that other packages offer, and their
messages with what can be done on the command line."""

# Typer does not export the types of a context and of a formatter.
# pyright: reportUnknownMemberType=false, reportUnknownParameterType=false

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

from loopwright.algorithms import ALGORITHMS
from loopwright.cli.other_limits import with_options
from loopwright.errors import CapacityError, LoopwrightError


class TakesAlgorithm(TyperCommand):
    """Looks for packages only while help is shown, and imports none of them."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except LoopwrightError as problem:
            said = with_options(
                str(problem),
                str(self.name),
                str(ctx.params.get("algorithm")),
                ctx.params.get("limits"),
                on_graph=isinstance(problem, CapacityError),
            )
            problem.args = (said,)
            raise

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        super().format_epilog(ctx, formatter)
        if said := _of_packages():
            formatter.write_paragraph()
            formatter.write_text(said)


def _of_packages() -> str:
    """One sentence; nothing where no package has an algorithm."""
    from loopwright.cli.plugins import offered, package_of  # not above: only help needs it

    try:
        found = offered()
    except LoopwrightError as problem:
        return f"Algorithms of other packages cannot be listed: {problem}"
    listed = [
        f"{name} ({', '.join(sorted({package_of(point) for point in points}))})"
        for name, points in found.items()
        if name not in ALGORITHMS
    ]
    hidden = sorted(
        f"{name} of {package_of(point)}"
        for name, points in found.items()
        if name in ALGORITHMS
        for point in points
    )
    said = f"Algorithms of other packages: {', '.join(listed)}." if listed else ""
    if hidden:
        said += f" Out of reach, for the names are ours: {', '.join(hidden)}."
    return said.strip()
