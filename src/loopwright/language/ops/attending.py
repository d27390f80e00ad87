"""What all ops that read other rows or the graph have in common."""

from __future__ import annotations

from loopwright.language.op import Op, Phase


class Attending(Op):
    """An op that reads other rows or the graph, as they were before the step."""

    phase = Phase.ATTENTION
