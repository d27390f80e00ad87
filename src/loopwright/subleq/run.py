"""Code → rows of X → the transformer → Outcome."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from os import PathLike
from typing import Any

from loopwright.algorithms.graph_subleq import graph_subleq
from loopwright.compiler.compile import compile
from loopwright.errors import DidNotHalt, GraphError
from loopwright.model.limits import Constants, Limits
from loopwright.model.weights import Weights
from loopwright.runtime.graph import Graph
from loopwright.runtime.machines import is_exact
from loopwright.runtime.observe import Observer
from loopwright.runtime.run import run as run_model
from loopwright.subleq import words
from loopwright.subleq.code import Code
from loopwright.subleq.machines import HALT, Entry, Number
from loopwright.subleq.watch import Beside, Watch
from loopwright.watch.trace import TraceWriter
from loopwright.watch.verify import Lockstep

STEPS = 10_000
"""Instructions to execute at most, unless the caller says otherwise."""


@dataclass(frozen=True)
class Outcome:
    """What is left when a program has halted, or has used up its steps."""

    code: Code
    model: Weights
    rows: int
    """K − 1: the longest of memory, instructions and graph."""
    memory: tuple[Number, ...]
    pc: int
    """The instruction that would come next; −1, or one past the last, if it has halted."""
    steps: int
    halted: bool
    seconds: float
    """The loop alone."""

    def __getitem__(self, name: str) -> Number | tuple[Number, ...]:
        """What a named cell, or array, holds."""
        for symbol in self.code.symbols:
            if symbol.name == name:
                cells = tuple(self.memory[i] for i in symbol.cells)
                return cells[0] if symbol.length == 1 else cells
        raise KeyError(name)


def run(
    code: Code,
    graph: object = None,
    *,
    machine: str = "reference",
    steps: int = STEPS,
    limits: Limits | Constants | None = None,
    verify: bool = False,
    trace: str | PathLike[str] | None = None,
    then: Callable[[Watch], None] | None = None,
) -> Outcome:
    """Execute a program by weights alone.

    Args:
        graph: what A[i, j] reads, of any form that `Graph.of` takes; nodes count from 0.
        machine: what executes the weights; see `loopwright.runtime.machines`.
        steps: stop after so many instructions.
        limits: what numbers to be right on; by default as many as the program's own allow.
        verify: compare every variable with the model's program after every layer, and memory,
            program counter and steps with the plain machine after every instruction.
        trace: a file to write every step to; see `loopwright.watch.trace`.
        then: called with the watch before the first instruction, and after every one.

    >>> from loopwright.subleq import assemble
    >>> outcome = run(assemble('''
    ... .data x 4
    ... .data y 38
    ...     add x, y
    ... '''))
    >>> outcome["y"], outcome.steps
    (42, 3)

    Raises:
        OutOfRange: if a value leaves what the weights compute with exactly, naming instruction
            and cell.
        GraphError: if the program reads entries that the graph does not have.
        Divergence: if `verify` finds a difference.
    """
    read = readable_graph(code, graph)
    rows = max(len(code.memory), read.n, len(code.instructions))
    exact = is_exact(machine)
    model = _compiled(limits or words.fit(code, read, rows=rows, exact=exact))
    words.check(code, read, model.constants, exact=exact)
    watch = Watch(code, then)
    observers: list[Observer] = [TraceWriter(trace)] if trace is not None else []
    observers += [Lockstep(), watch, Beside(code, watch)] if verify else [watch]
    begin = time.perf_counter()
    try:
        answer = run_model(
            model,
            read,
            machine=machine,
            observers=observers,
            max_iterations=steps,
            rows=rows,
            **columns(code),
        )
        halted, seconds = True, answer.seconds
    except DidNotHalt:
        halted, seconds = False, time.perf_counter() - begin
    return Outcome(code, model, rows, watch.memory, watch.pc, watch.steps, halted, seconds)


@lru_cache(maxsize=8)
def _compiled(limits: Limits | Constants) -> Weights:
    """One set of weights for every program: of its numbers, it knows no more than the limits."""
    return compile(graph_subleq(), limits=limits)


def readable_graph(code: Code, graph: object) -> Graph:
    """The graph, or one without edges if there is none; it must have every node that is read."""
    read = Graph.from_edges([], nodes=[0]) if graph is None else Graph.of(graph)
    for i, at in enumerate(code.instructions):
        if isinstance(at.a, Entry) and (graph is None or max(at.a.row, at.a.column) >= read.n):
            there = "no graph was given" if graph is None else f"the graph has {read.n} nodes"
            raise GraphError(f"{code.where(i)} reads {at.a}, but {there}.")
    return read


def columns(code: Code) -> dict[str, Any]:
    """The model's inputs: memory, and instructions as positions and flags.

    Address x is row x + 1, and so its position. The halting address −1 is then position 0: nowhere.
    """
    at = code.instructions
    return {
        "memory": code.memory,
        "a1": [1 + (i.a.row if isinstance(i.a, Entry) else i.a) for i in at],
        "a2": [1 + i.a.column if isinstance(i.a, Entry) else 0 for i in at],
        "b": [1 + i.b for i in at],
        "c": [1 + i.c for i in at],
        "gamma": [int(isinstance(i.a, Entry)) for i in at],
        "halts": [int(i.c == HALT) for i in at],
        "last": [int(i == len(at) - 1) for i in range(len(at))],
    }
