"""Why the backend does not answer: a sentence, which `can_run` gives to NetworkX."""

from __future__ import annotations


class Refusal(NotImplementedError):
    """What NetworkX expects of a backend that cannot answer; the message is the reason."""
