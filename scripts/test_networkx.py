"""NetworkX's own tests of the functions that are dispatched, with the backend `loopwright`.

    python scripts/test_networkx.py                      # all modules: fifteen minutes
    python scripts/test_networkx.py tests.test_dag       # some, below networkx.algorithms

What became of each test is kept in docs/figures/networkx-tests.json, module by module, and the
table in docs/networkx.md is made of it.

Every module is run twice: with fallback, a call that the backend refuses is answered by NetworkX,
and the test goes on. Without it, the test ends there as "not supported", also if the call only
prepares a graph.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent.parent / "docs"
PAGE, RECORD = DOCS / "networkx.md", DOCS / "figures" / "networkx-tests.json"
BEGIN, END = "<!-- tests:begin -->", "<!-- tests:end -->"

MODULES = (
    "traversal.tests.test_bfs",
    "traversal.tests.test_dfs",
    "components.tests.test_biconnected",
    "components.tests.test_connected",
    "components.tests.test_strongly_connected",
    "components.tests.test_weakly_connected",
    "shortest_paths.tests.test_unweighted",
    "shortest_paths.tests.test_generic",
    "bipartite.tests.test_basic",
    "tests.test_bridges",
    "tests.test_core",
    "tests.test_dag",
    "shortest_paths.tests.test_weighted",
    "tests.test_distance_measures",
    "tree.tests.test_mst",
)
"""Below `networkx.algorithms`: those that test a function which is dispatched."""
MODES = {"with fallback": "1", "without fallback": ""}


class Report(logging.Handler):
    """A plugin of pytest: what became of each test, and what the backend said if it refused."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.results: list[dict[str, Any]] = []
        self.refusals: list[str] = []
        self.calls = 0

    def emit(self, record: logging.LogRecord) -> None:
        """NetworkX logs every call of a backend, and why one could not be."""
        text = str(record.msg)
        if "can't run" in text and isinstance(record.args, tuple):
            self.refusals.append(str(record.args[-1]).removeprefix(", because: "))
        elif "does not implement" in text and isinstance(record.args, tuple):
            self.refusals.append(f"'{record.args[1]}' is not answered by Loopwright")
        elif text.startswith("Using backend"):
            self.calls += 1

    def pytest_runtest_setup(self, item: Any) -> None:
        self.refusals.clear()
        self.calls = 0

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when != "call" and report.outcome == "passed":
            return
        outcome = "not supported" if hasattr(report, "wasxfail") else report.outcome
        reason = ""
        if outcome == "not supported":
            reason = self.refusals[-1] if self.refusals else str(report.wasxfail)
        elif outcome == "failed":
            reason = str(report.longrepr)[-2000:]
        self.results.append(
            {
                "module": report.nodeid.partition("::")[0].partition("networkx/algorithms/")[2],
                "test": report.nodeid.partition("::")[2],
                "outcome": outcome,
                "reason": reason,
                "answers": self.calls,
            }
        )


def run_here(modules: list[str], out: Path) -> None:
    """In this process, in the mode that the environment says."""
    import pytest

    report = Report()
    logger = logging.getLogger("networkx.utils.backends")
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    logger.addHandler(report)
    names = [f"networkx.algorithms.{module}" for module in modules]
    options = ["-q", "-c", os.devnull, "-p", "no:cacheprovider", "--tb=short"]
    pytest.main([*options, "--pyargs", *names], plugins=[report])
    out.write_text(json.dumps(report.results), encoding="utf-8")


def run(modules: tuple[str, ...], fallback: str) -> list[dict[str, Any]]:
    """In a process of its own: NetworkX reads the environment when it is imported."""
    environment = {
        **os.environ,
        "NETWORKX_TEST_BACKEND": "loopwright",
        "NETWORKX_FALLBACK_TO_NX": fallback,
    }
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "results.json"
        command = [sys.executable, __file__, "--here", str(out), *modules]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if not out.exists():
            raise SystemExit(done.stdout + done.stderr)
        return json.loads(out.read_text(encoding="utf-8"))


def table(found: dict[str, list[dict[str, Any]]]) -> str:
    """For each module what became of its tests, then why some were not supported."""
    outcomes = ("passed", "not supported", "failed")
    head = [f"{outcome}, {mode}" for mode in found for outcome in outcomes]
    lines = [f"| module | {' | '.join(head)} |", "| --- |" + " --- |" * len(head)]
    modules = sorted({result["module"] for results in found.values() for result in results})
    rows: dict[str, list[int]] = {}
    for module in modules:
        rows[module.replace("tests/", "")] = [
            sum(r["module"] == module and r["outcome"] == outcome for r in results)
            for results in found.values()
            for outcome in outcomes
        ]
    rows["all"] = [sum(column) for column in zip(*rows.values(), strict=True)]
    lines += [f"| {name} | {' | '.join(map(str, row))} |" for name, row in rows.items()]
    paths = {f"{module.replace('.', '/')}.py" for module in MODULES}
    if missing := sorted(paths - set(modules)):
        lines += ["", f"Not in this record: {', '.join(missing)}."]
    answers = {mode: sum(r["answers"] for r in results) for mode, results in found.items()}
    told = ", ".join(f"{count:,} {mode}" for mode, count in answers.items())
    lines += ["", f"Calls that the backend answered in these tests: {told}.", ""]
    lines += ["| why a test was not supported, without fallback | tests |", "| --- | --- |"]
    reasons = Counter(
        r["reason"] for r in found["without fallback"] if r["outcome"] == "not supported"
    )
    lines += [
        f"| {reason.replace('|', '/')} | {count} |" for reason, count in reasons.most_common()
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--here", type=Path)
    parser.add_argument("modules", nargs="*")
    asked = parser.parse_args()
    if asked.here:
        run_here(asked.modules, asked.here)
        return
    found = {mode: run(tuple(asked.modules) or MODULES, flag) for mode, flag in MODES.items()}
    record = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    for mode, new in found.items():
        ran = {result["module"] for result in new}
        kept = [result for result in record.get(mode, []) if result["module"] not in ran]
        record[mode] = sorted(kept + new, key=lambda result: (result["module"], result["test"]))
    failed = [r for results in record.values() for r in results if r["outcome"] == "failed"]
    for result in failed:
        print(f"{result['module']}::{result['test']}\n{result['reason']}\n")
    print(table(record))
    RECORD.write_text(json.dumps(record, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n{table(record)}\n{END}{after}", encoding="utf-8")
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
