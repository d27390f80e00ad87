"""Reliance: what ops count on that nothing proves of a program, so that a run has to see to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

RelianceKind = Literal["one", "square", "path"]
"""A flag is set at one node at most; squares are those of their numbers; no edge that a node sees
makes a shorter way to it than its path."""

RELIED_ON: Mapping[RelianceKind, tuple[int, ...]] = {"one": (1,), "square": (4,), "path": (2, 3)}
"""How many variables each kind is about."""
BEYOND = ("UNREACHED", "MASK")
"""Constants that are not written as numbers."""


@dataclass(frozen=True)
class Reliance:
    """What must hold of some variables when a layer begins, which then reads them."""

    kind: RelianceKind
    layer: int
    variables: tuple[str, ...]
    """A flag; or squares, each before its number; or a path, the flag of nodes where no way begins,
    and what ways begin with, unless that is a constant."""
    constant: str = "0"
    """That constant: a number, or "UNREACHED" or "MASK"."""
    inwards: bool = True
    """Whether a node sees the edges that lead to it, or those that leave it."""
    along: bool = False
    """Whether the weight of the edge is added to a way."""
    across: str | None = None
    """The flag or index in which the ends of an edge must differ for it to make a way, if there is
    one."""
