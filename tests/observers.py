"""Observers made of plain functions, for tests that look at one thing."""

from __future__ import annotations

from loopwright import Observer


class AfterLayer(Observer):
    """Calls a function with (iteration, layer, X)."""

    def __init__(self, call):
        self.call = call

    def after_layer(self, iteration, layer, x):
        self.call(iteration, layer, x)


class Heard(Observer):
    """Remembers how many iterations were said to be done."""

    def __init__(self):
        self.done = []

    def progress(self, iterations):
        self.done.append(iterations)
