"""Change every declared fact of every op once: does a test notice?

A fact that nobody misses when it is wrong is not needed, or not tested. The quick checks are made
in this process, one after the other until one fails; where none does, pytest runs others in a
process of its own.

    python scripts/damage_facts.py [OP …]      exit 1 if something was not noticed
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

from loopwright.language import op as language_op
from loopwright.language import ops
from loopwright.model.layout import Kind, Scope

TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "golden"), str(TESTS / "agreement")]

import operands  # noqa: E402
import test_facts  # noqa: E402
import test_golden  # noqa: E402

import conftest  # noqa: E402, F401  (the examples that Hypothesis always draws, and no deadline)

OTHERS = [
    "test_demands.py",
    "test_reach.py",
    "test_monitor.py",
    "test_program.py",
    "test_reweigh.py",
    "test_declarations.py",
]
"""Unit tests that know of facts; beside them those of `test_ops` that are of the op."""


def damages(op: type[ops.Op]) -> Iterator[tuple[str, object]]:
    """(what, its wrong value) for every fact of an op; for an operand's, `name.what`."""
    yield "text", "{out} ← something else"
    phases = {ops.Phase.MLP: ops.Phase.ATTENTION, ops.Phase.ATTENTION: ops.Phase.MLP}
    yield "phase", phases[op.phase]
    for name in ("updates", "rounds", "magnifies", "adds", "adds_edges"):
        yield name, not getattr(op, name)
    yield "steps", op.steps + 1
    for name in ("quantities", "compares"):
        if getattr(op, name):
            yield name, ()
    for name in ("picks", "matches", "selects", "multiplies"):
        if getattr(op, name):
            yield name, None
    if op.edges:
        yield "edges", {"from": "to", "to": "from"}[op.edges]
        yield "edges", None
    every = tuple(Kind)
    for name, takes, _ in language_op.declarations(op):
        yield f"{name}.kinds", every if takes.kinds != every else every[1:]
        other = {Scope.NODES: Scope.SINGLE, Scope.SINGLE: Scope.NODES, None: Scope.SINGLE}
        yield f"{name}.scope", other[takes.scope]
        for flag in ("constant", "formula", "stored"):
            yield f"{name}.{flag}", not getattr(takes, flag)
        yield f"{name}.sign", {"any": "unsigned"}.get(takes.sign, "any")


@contextmanager
def damaged(op: type[ops.Op], what: str, value: object) -> Iterator[None]:
    """The op with one fact changed; as it was, afterwards."""
    name, _, part = what.partition(".")
    kept = language_op.declarations
    if part:

        def changed(asked: type[ops.Op]) -> tuple[tuple[str, language_op.Takes, bool], ...]:
            here = asked is op
            return tuple(
                (n, replace(takes, **{part: value}) if here and n == name else takes, optional)
                for n, takes, optional in kept(asked)
            )

        language_op.declarations = changed
        yield
        language_op.declarations = kept
        return
    own = vars(op).get(name, ...)
    setattr(op, name, value)
    yield
    delattr(op, name) if own is ... else setattr(op, name, own)


def fails(check: Callable[[], object]) -> bool:
    try:
        check()
    except Exception:
        return True
    return False


@cache
def pinned(name: str) -> dict[str, object]:
    return json.loads((TESTS / "golden" / f"{name}.json").read_text(encoding="utf-8"))


def same_as_pinned(name: str, found: Iterable[tuple[str, object]]) -> None:
    """Compare one after the other, so that the first that differs ends it."""
    for case, said in found:
        assert said == pinned(name)[case]


def facts_hold(op: type[ops.Op]) -> None:
    test_facts.flags_moved.cache_clear()
    for name, test in vars(test_facts).items():
        if name.startswith("test_"):
            test(op)


def checks(op: type[ops.Op]) -> dict[str, Callable[[], object]]:
    """The quick ones, by name, quickest first."""
    return {
        "messages": lambda: same_as_pinned("cases", operands.cases_of(op)),
        "facts": lambda: facts_hold(op),
        "weights": lambda: same_as_pinned("weights", test_golden.models()),
    }


def noticed_by(op: type[ops.Op], index: int) -> str | None:
    """The first check that fails, or None."""
    with damaged(op, *list(damages(op))[index]):
        for name, check in checks(op).items():
            if fails(check):
                return name
    command = [sys.executable, __file__, "--damaged", op.__name__, str(index)]
    return (
        "others" if subprocess.run(command, capture_output=True, check=False).returncode else None
    )


def run_others(name: str, index: str) -> int:
    import pytest

    op = getattr(ops, name)
    unit = [str(TESTS / "unit" / file) for file in OTHERS]
    with damaged(op, *list(damages(op))[int(index)]):
        quiet = ["-x", "-q", "-p", "no:cacheprovider"]
        of_op = [str(TESTS / "agreement" / "test_ops.py"), "-k", name]
        return int(pytest.main([*quiet, *unit]) or pytest.main([*quiet, *of_op]))


def main() -> int:
    if sys.argv[1:2] == ["--damaged"]:
        return run_others(*sys.argv[2:])
    found, missed = Counter[str](), 0
    for op in [getattr(ops, name) for name in sys.argv[1:]] or ops.ALL:
        assert not any(fails(check) for check in checks(op).values()), f"{op.__name__} as it is"
        print(op.__name__, file=sys.stderr, flush=True)
        for index, (what, value) in enumerate(damages(op)):
            by = noticed_by(op, index)
            found[by or "nothing"] += 1
            if by is None:
                missed += 1
                print(f"{op.__name__}.{what} = {value!r}: no test notices", flush=True)
    print(f"{found.total()} facts changed, noticed by: {dict(found)}")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
