"""Conditions: what must hold on a graph so that the answer is guaranteed, each with its remedy."""

from __future__ import annotations

from dataclasses import dataclass

from loopwright.errors import CapacityError, GraphError, LoopwrightError


@dataclass(frozen=True)
class Condition:
    """`needed` must not exceed `allowed`."""

    name: str
    why: str
    needed: float
    allowed: float
    remedy: str

    @property
    def holds(self) -> bool:
        return self.needed <= self.allowed

    @property
    def margin(self) -> float:
        """How many times over it holds; below 1 it does not."""
        return self.allowed / self.needed if self.needed else float("inf")

    def refusal(self, name: str) -> LoopwrightError:
        """What to raise for a model of this name, where the condition does not hold."""
        return CapacityError(
            f"'{name}' is not guaranteed on this graph: {self.name}: {self.needed:g} exceeds "
            f"{self.allowed:g} ({self.why}). {self.remedy}"
        )


@dataclass(frozen=True)
class Precondition(Condition):
    """What the program itself needs of a graph: nothing of what `why` says may be `needed`.

    No other limits would help, so the graph is to be mended, not the model.
    """

    def refusal(self, name: str) -> LoopwrightError:
        return GraphError(
            f"'{name}' needs the graph to be {self.name}, but it has {self.why}. {self.remedy}"
        )
