"""Kinds and scopes, by the short names that declarations call them."""

from __future__ import annotations

from loopwright.model.layout import Kind, Scope

FLAG, VALUE, COUNT, INDEX, SQUARE, POSITION = (
    Kind.FLAG,
    Kind.VALUE,
    Kind.COUNT,
    Kind.INDEX,
    Kind.SQUARE,
    Kind.POSITION,
)
NODES, SINGLE = Scope.NODES, Scope.SINGLE
