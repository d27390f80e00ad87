"""ALGORITHM on the command line → programs to compile, or a model that is saved already.

It is a name of ours, `file.py:name`, a saved `.safetensors`, or a name of another package's.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from loopwright.algorithms import ALGORITHMS
from loopwright.algorithms.registry import Algorithm
from loopwright.errors import ProgramError, require_known
from loopwright.language.program import Program
from loopwright.model.weights import AttentionKind, Weights

SAVED = ".safetensors"


@dataclass(frozen=True)
class Chosen:
    """What ALGORITHM stands for."""

    written: str
    """How it was written on the command line."""
    algorithm: Algorithm
    """What can be compiled; of a saved model, the program that is stored in it."""
    saved: Weights | None = None

    @property
    def is_ours(self) -> bool:
        """Whether the package knows more of it than its program, such as what is right."""
        return ALGORITHMS.get(self.algorithm.name) is self.algorithm

    def program(self, construction: str | None) -> Program:
        return self.algorithm(construction)

    def saved_as_asked(
        self, construction: str | None, attention: AttentionKind | None
    ) -> Weights | None:
        """The saved weights, if they are what is asked for: then nothing needs to be compiled."""
        model = self.saved
        if model is None or construction not in (None, model.construction):
            return None
        return model if attention in (None, model.attention) else None

    @contextmanager
    def blamed(self) -> Generator[None]:
        """A program that the compiler refuses is named as people wrote it, with its file."""
        try:
            yield
        except ProgramError as problem:
            if self.is_ours:
                raise
            raise ProgramError(f"{self.written}: {problem}") from problem


def find_algorithm(written: str) -> Chosen:
    """What ALGORITHM stands for; names of ours come first, and cost nothing.

    Raises:
        LoopwrightError: in one line, if there is no such, or what is there cannot be used.
    """
    if written in ALGORITHMS:
        return Chosen(written, ALGORITHMS[written])
    # What a name of ours does not need is not imported for it.
    if written.endswith(SAVED):
        from loopwright.model.storage import load

        model = load(written)
        return Chosen(written, _stored(model), model)
    from loopwright.cli.own_file import algorithm_in_file, split_file
    from loopwright.cli.plugins import algorithm_of_package, offered

    if own := split_file(written):
        return Chosen(written, algorithm_in_file(*own))
    there = offered()
    require_known("algorithm", written, [*ALGORITHMS, *(n for n in there if n not in ALGORITHMS)])
    return Chosen(written, algorithm_of_package(written, there[written]))


def _stored(model: Weights) -> Algorithm:
    """The program in a saved model as its author wrote it, read when it is asked for."""

    def program() -> Program:
        from loopwright.language.serial import from_json

        return from_json(dict(model.program)).as_written()

    return Algorithm(model.name, "a saved model", {model.construction: program})
