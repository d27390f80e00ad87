"""What can go wrong with a program for the machines, one class for each kind of remedy."""

from loopwright.errors import CapacityError, LoopwrightError


class SubleqError(LoopwrightError):
    """A machine cannot execute what it was given; the message names instruction and address."""


class AssemblyError(LoopwrightError):
    """A program's text cannot be read; the message begins with file:line:column."""


class TranslationError(LoopwrightError):
    """Graph-SUBLEQ cannot express a SUBLEQ⁻ program; the message says where and why."""


class OutOfRange(CapacityError):
    """A number is outside what the weights compute with exactly; the message names its cell."""
