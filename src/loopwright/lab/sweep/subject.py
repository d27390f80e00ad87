"""What is driven against its limits: a program, and how to know what is right on a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import isfinite
from typing import Any

from loopwright.algorithms import ALGORITHMS
from loopwright.compiler.compile import compile
from loopwright.errors import DidNotHalt, LoopwrightError
from loopwright.lab.sweep.graphs import ORACLES, Oracle, Truth, fork, is_right, tells_apart
from loopwright.language.program import Program
from loopwright.model.limits import Constants, Limits
from loopwright.model.weights import AttentionKind, Weights
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines import Machine
from loopwright.runtime.model import Model
from loopwright.runtime.run import run
from loopwright.watch.interpret import interpret

AnyGraph = Any
"""A graph of networkx, directed or not; networkx has no types of its own."""


class NothingGuaranteed(LoopwrightError):
    """However easy a run is, the certificate does not allow it: there is no border to look for."""


@dataclass(frozen=True)
class Subject:
    """A program in one construction.

    Of algorithms of the package, NetworkX knows what is right, and a formula what the certificate
    allows. Of others, the program's own meaning says the one, and checked runs say the other.
    """

    program: Program
    oracle: Oracle | None = None
    """What is right on a graph; None for what the program means there."""

    @classmethod
    def ours(cls, name: str, construction: str | None = None) -> Subject:
        """An algorithm of the package; unless it is named, in its default construction."""
        return cls(ALGORITHMS[name](construction), ORACLES[name])

    @property
    def weighted(self) -> bool:
        return self.program.edges == "weights"

    @property
    def is_own(self) -> bool:
        """Whether it is somebody's own, of which nothing is known but the program."""
        return self.oracle is None

    def compiled(self, limits: Limits | Constants, attention: AttentionKind = "hardmax") -> Model:
        """The program's weights for these limits.

        Raises:
            NothingGuaranteed: if they cannot hold a number that somebody's own program has in it.
        """
        try:
            return Model.of(compile(self.program, limits=limits, attention=attention))
        except LoopwrightError as problem:
            if self.is_own:
                raise NothingGuaranteed(str(problem)) from problem
            raise

    def truth(self, graph: AnyGraph) -> Truth:
        if self.oracle:
            return self.oracle(graph)
        meant = interpret(self.program, graph, source=self.source, checked=False).result
        return {name: dict(column) for name, column in meant.items()}

    @property
    def source(self) -> int | None:
        return None if self.program.source == "none" else 0

    def fitting(self, graph: AnyGraph) -> AnyGraph:
        """The graph as somebody's own program needs it; of ours, all are right on paths as such."""
        return graph.to_undirected() if self.is_own and self.undirected else graph

    @property
    def undirected(self) -> bool:
        return "undirected" in self.program.needs

    def is_right(
        self, model: Weights, graph: AnyGraph, *, machine: Machine = "native", off: float = 0
    ) -> bool:
        """Whether an unchecked run gives the right answer, values to within `off`.

        Nothing is right where the program itself has no answer: it does not halt in time.
        """
        fitting = self.fitting(graph)
        try:
            truth = self.truth(fitting)
        except DidNotHalt:
            return False
        return is_right(model, fitting, truth=truth, machine=machine, off=off)

    def tells_apart(self, model: Model, difference: float) -> bool:
        """Whether it sees which of two ways is shorter by this much.

        Somebody's own program must answer what it means, on weights that are not rounded yet:
        lengths to within what rounding them can do, and all else exactly.
        """
        if not self.is_own:
            return tells_apart(model, difference)

        def right(graph: AnyGraph) -> bool:
            rounding = model.check(self.fitting(graph), scale=1).rounding
            return self.is_right(model, graph, off=rounding if isfinite(rounding) else 0)

        return all(right(fork(way)) for way in (difference, -difference))

    def allowed(self, hardnesses: Iterable[float], runs: Callable[[float], object]) -> float:
        """The first hardness that is allowed: of ours, the very first, which a formula gave.

        Somebody's own program is run, checked and watched: what ends with an answer is allowed.

        Raises:
            NothingGuaranteed: if no run ends with an answer, with the reason of the last.
        """
        reason = ""
        for hardness in hardnesses:
            if not self.is_own:
                return hardness
            try:
                runs(hardness)
            except LoopwrightError as problem:
                reason = str(problem)
            else:
                return hardness
        raise NothingGuaranteed(reason)

    def checked(self, model: Weights, *graphs: AnyGraph, machine: Machine = "native") -> None:
        """Run on these graphs as people do, but with weights in their own unit.

        Raises:
            LoopwrightError: if the certificate refuses a graph, or a run is stopped.
        """
        for graph in graphs:
            fitting = Graph.of(self.fitting(graph))
            run(model, fitting, source=self.source, machine=machine, scale=1)
