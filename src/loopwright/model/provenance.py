"""What each part of a layer is there for, as the compiler knew it when it made the weights.

The machines need none of it. It is stored with the weights so that whoever looks at a head or a
hidden unit can be told which op of the program it serves, and a file without it is still a model.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Move:
    """One thing that a head does: it brings a variable to another, or clears one."""

    op: str
    """The op of the program that asks for it, as programs print it."""
    source: str
    """The variable that the head reads; A for the weight of an edge, in an edge head."""
    target: str
    """The variable that it adds to."""
    clears: bool
    """Whether it takes the target away from itself, to make room for what another head brings."""


@dataclass(frozen=True)
class Unit:
    """One hidden unit of an MLP."""

    op: str
    """The op whose formula has this ReLU; or, if it only carries something to the last level, the
    op that writes it there."""
    formula: str
    """What the unit holds, a ReLU of variables."""
    writes: tuple[str, ...]
    """The variables whose new value it is a part of."""
    erases: tuple[str, ...]
    """The variables whose old value it takes away."""


@dataclass(frozen=True)
class Parts:
    """The heads and hidden units of a layer, in the order of the weights."""

    heads: tuple[tuple[Move, ...], ...]
    units: tuple[tuple[Unit, ...], ...]
    """The units of each of the three levels; weights have zeros beyond them."""
