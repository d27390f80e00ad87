"""What can go wrong with a program for the machines, one class for each kind of remedy."""

from loopwright.errors import CapacityError, LoopwrightError


class SubleqError(LoopwrightError):
    """A machine cannot execute what it was given; names the instruction and the address."""


class AssemblyError(LoopwrightError):
    """A program's text cannot be read; begins with file:line:column."""


class TranslationError(LoopwrightError):
    """Graph-SUBLEQ cannot express a SUBLEQ⁻ program; says which of its instructions, and why."""


class OutOfRange(CapacityError):
    """A number is outside what the weights compute with exactly; names instruction and cell."""
