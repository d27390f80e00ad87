"""Hypothesis profiles: `ci` (always the same examples), or HYPOTHESIS_PROFILE=long by hand.

Fixtures call the command line in this process, which is much faster than a new one; those for a
browser are in `drive_browser`.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, settings

from drive_browser import axe, browser, open_page, pages_folder, run_of  # noqa: F401
from loopwright.cli import main
from own_algorithm import file, it, roads, saved  # noqa: F401


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="write tests/golden/*.json anew")


settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "long",
    deadline=None,
    max_examples=1000,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
os.environ["LOOPWRIGHT_CACHE"] = "off"  # tests make their own code, and leave none behind


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self):
        assert (self.code, self.err) == (0, "")
        assert self.out.endswith("\n")
        return json.loads(self.out)


@pytest.fixture
def loopwright(capsys):
    def call(*arguments):
        with pytest.raises(SystemExit) as done:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Outcome(done.value.code or 0, captured.out, captured.err)

    return call


@pytest.fixture
def refused(loopwright):
    """Bad usage or input: exit 2, one line on stderr, nothing on stdout."""

    def call(*arguments):
        outcome = loopwright(*arguments)
        assert outcome.code == 2, outcome
        assert outcome.out == ""
        assert outcome.err.endswith("\n")
        assert outcome.err.count("\n") == 1, outcome.err
        assert outcome.err.startswith("loopwright: ")
        return outcome.err

    return call
