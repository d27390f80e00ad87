"""Algorithm: one name, a program for each construction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from inspect import getdoc

from loopwright.errors import ProgramError, require_known, require_type
from loopwright.language.program import Choices, Program, Values, require_program
from loopwright.language.variables import require_name
from loopwright.language.write import Function, Polynomial, statements
from loopwright.model.weights import Edges, Need, Source

DEFAULT = "compact"
"""The construction that `Algorithm.default` prefers."""


@dataclass(frozen=True)
class Algorithm:
    """Call it to get a program: `dijkstra("paper")`, or `dijkstra()` for the default one."""

    name: str
    summary: str
    constructions: Mapping[str, Callable[[], Program]]
    """Name → how to make the program. Which of them is the default, `default` says."""
    differences: str = ""
    """How the answers of the constructions differ; nothing, unless they do."""

    def __post_init__(self) -> None:
        """Whoever makes one by hand may have no type checker.

        Raises:
            ProgramError: naming the field that is not of its type.
        """
        require_name("an algorithm", self.name)
        for part in ("summary", "differences"):
            require_type(part, getattr(self, part), str, "a text", error=ProgramError)
        expected = "a mapping from names to functions that make programs, as {'own': make}"
        require_type("constructions", self.constructions, Mapping, expected, error=ProgramError)
        for construction in self.constructions:
            require_name("a construction", construction)
        if not self.constructions or not all(map(callable, self.constructions.values())):
            raise ProgramError(f"'{self.name}': constructions must be {expected}.")

    @property
    def default(self) -> str:
        """The construction that is meant wherever none is named, in Python and on the command line.

        It is `compact`, which takes the fewest iterations with the paper's kinds of heads, or the
        first where there is no such.
        """
        return DEFAULT if DEFAULT in self.constructions else next(iter(self.constructions))

    def __call__(self, construction: str | None = None) -> Program:
        chosen = self.default if construction is None else construction
        require_known("construction", chosen, self.constructions, of=self.name)
        program = self.constructions[chosen]()
        require_program(program)
        return replace(program, construction=chosen)


def algorithm(
    *,
    iterations: Polynomial,
    name: str | None = None,
    edges: Edges = "weights",
    source: Source = "none",
    needs: tuple[Need, ...] = (),
    counts: Polynomial | None = None,
    values: Values | None = None,
    choices: Choices | None = None,
    construction: str = "own",
) -> Callable[[Function], Algorithm]:
    """Make an algorithm of a function that writes its statements; see `docs/write-your-own.md`.

    Its name is the function's, unless another is given, and its summary the first line of the
    function's docstring. All else is as in `Program`.

    >>> @algorithm(source="required", edges="ones", iterations=lambda n: n + 1)
    ... def reach(p):
    ...     "Which nodes a source reaches."
    ...     reached = p.nodes.flag(start=0, at_source=1)
    ...     new = (p.edges_from(reached) > 0) & ~reached
    ...     reached |= new
    ...     p.halt_unless(p.any(new))
    ...     return {"reached": reached}
    >>> print(reach())
    reach (own), until halt
        new = (p.edges_from(reached) > 0) & ~reached  t1[:] ← Σ A[reached, :]
                                                      new ← ((0 < t1) ∧ ¬reached)
        reached |= new                                reached ← (reached ∨ ((0 < t1) ∧ ¬reached))
        p.halt_unless(p.any(new))                     t2 ← ¬new
                                                      halt ← all(t2)
      returns reached = reached
    """

    def decorate(function: Function) -> Algorithm:
        if not callable(function):
            raise ProgramError("lw.algorithm(…) stands before a function of p.")
        called = name or function.__name__.replace("_", "-")
        made = statements(
            name=called,
            iterations=iterations,
            edges=edges,
            source=source,
            needs=needs,
            counts=counts,
            values=values,
            choices=choices,
        )(function)
        summary = (getdoc(function) or "").partition("\n")[0].rstrip(".")
        return Algorithm(called, summary, {construction: made})

    return decorate
