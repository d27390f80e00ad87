"""A machine that has become Graph-SUBLEQ, on the transformer: every configuration is compared.

The weights execute instructions. Where one begins a step of the machine that the program was made
from, memory is read back as a configuration of that machine, and must be the one that its plain
simulator has then: no more of them, no fewer, and in the same order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Protocol

from loopwright.errors import Divergence
from loopwright.model.limits import Constants, Limits
from loopwright.subleq.code import Code
from loopwright.subleq.machines import Number
from loopwright.subleq.run import Outcome, run
from loopwright.subleq.watch import Watch

STEPS = 1_000_000
"""Instructions to execute at most, unless the caller says otherwise."""


class Configuration(Protocol):
    """All that a machine's future depends on; to be compared, and shown."""

    def named(self) -> Mapping[str, int | str]: ...


class Source(Protocol):
    """A machine with its translation: a counter machine or a Turing machine."""

    @property
    def code(self) -> Code: ...
    @property
    def begins(self) -> Collection[int]:
        """The values of the program counter at which memory is a configuration."""
        ...

    def configuration(self, pc: int, memory: tuple[Number, ...]) -> Configuration:
        """The configuration that memory means there."""
        ...

    def configurations(self) -> Iterator[Configuration]:
        """Every configuration in order, by a simulator that knows nothing of the translation."""
        ...


@dataclass(frozen=True)
class Followed:
    """A run of a machine by weights, all of whose configurations were right."""

    outcome: Outcome
    before: Configuration
    after: Configuration
    """The last configuration; of a run that was stopped, the last that it reached."""
    steps: int
    """Steps of the machine; `outcome.steps` are instructions."""


def follow(
    source: Source,
    *,
    machine: str = "native",
    steps: int = STEPS,
    limits: Limits | Constants | None = None,
    verify: bool = False,
    trace: str | PathLike[str] | None = None,
) -> Followed:
    """Run a machine by weights, beside its plain simulator.

    Args:
        steps: stop after so many instructions.

    The others are those of `loopwright.subleq.run`.

    >>> from loopwright.subleq import counter_machine
    >>> adder = counter_machine('''
    ... .data x 2
    ... .data y 3
    ... again: dec x, halt
    ...        inc y
    ...        jump again
    ... ''')
    >>> found = follow(adder)
    >>> found.after.named(), found.steps, found.outcome.steps
    ({'x': 0, 'y': 5}, 7, 9)

    Raises:
        Divergence: if a configuration is not the plain simulator's.
        OutOfRange: if a number leaves what the weights compute with exactly.
    """
    comparison = _Comparison(source)
    outcome = run(
        source.code,
        machine=machine,
        steps=steps,
        limits=limits,
        verify=verify,
        trace=trace,
        then=comparison.look,
    )
    before, after = comparison.ends
    if outcome.halted and (more := next(comparison.expected, None)) is not None:
        raise Divergence(f"the weights halted {after}; the plain simulator goes on to {more}.")
    return Followed(outcome, before, after, comparison.steps)


class _Comparison:
    """The configurations on which the weights and the plain simulator have agreed so far."""

    def __init__(self, source: Source) -> None:
        self.source, self.begins = source, source.begins
        self.expected = source.configurations()
        self.ends: tuple[Configuration, ...] = ()
        """The first and the last."""
        self.steps = -1
        """How many there are besides the first."""

    def look(self, watch: Watch) -> None:
        """Compare, if the instruction that comes next begins a step."""
        if watch.pc not in self.begins:
            return
        self.steps += 1
        found = self.source.configuration(watch.pc, watch.memory)
        expected = next(self.expected, "at its end")
        if found != expected:
            raise Divergence(
                f"after {self.steps} steps and {watch.steps} instructions the weights are {found}; "
                f"the plain simulator is {expected}."
            )
        self.ends = (self.ends[0] if self.ends else found, found)
