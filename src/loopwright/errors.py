"""What can go wrong, one class for each kind of remedy."""


class LoopwrightError(Exception):
    """Anything a user can cause and mend: the message says what, where, and the remedy."""


class ProgramError(LoopwrightError):
    """A program is malformed; names the step and the variable."""


class GraphError(LoopwrightError):
    """A graph, or the file it came from, cannot be used."""


class CapacityError(LoopwrightError):
    """A graph is sound but outside what this model was built for."""


class ModelFileError(LoopwrightError):
    """A saved model cannot be trusted: truncated, tampered with, or too new."""


class FailedCheck(LoopwrightError):
    """Nothing was wrong with the input, but the run did not do what it should."""


class DidNotHalt(FailedCheck):
    """The loop passed the program's own bound on iterations."""


class MarginError(FailedCheck):
    """A run came too close to going wrong, and was stopped."""


class Divergence(FailedCheck):
    """Weights and program disagree: the first cell where they do."""
