"""Change every declared fact of every op once: does a test notice?

A fact that nobody misses when it is wrong is not needed, or not tested. Each change is made in a
process of its own, which then runs tests, the quick ones first, until one of them fails.

    python scripts/damage_facts.py [OP …]      exit 1 if something was not noticed
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, replace

from loopwright.language import op as language_op
from loopwright.language import ops
from loopwright.model.layout import Kind, Scope

TESTS = (
    ["tests/golden", "-k", "messages"],
    ["tests/agreement/test_facts.py", "-k", "[OP]"],
    ["tests/golden", "-k", "weights"],
    ["tests/unit/test_demands.py", "tests/unit/test_monitor.py", "tests/unit/test_program.py"],
    ["tests/agreement/test_ops.py", "tests/unit/test_reweigh.py", "-k", "OP"],
)
"""The tests of the op alone come last: `OP` stands for its name."""
OTHER = {
    "text": "{out} ← something else",
    "phase": {ops.Phase.MLP: ops.Phase.ATTENTION, ops.Phase.ATTENTION: ops.Phase.MLP},
    "edges": {"from": "to", "to": "from", None: None},
}


def damages(op: type[ops.Op]) -> Iterator[tuple[str, object]]:
    """(what, its wrong value) for every fact of an op; for an operand's, `name.what`."""
    yield "text", OTHER["text"]
    yield "phase", OTHER["phase"][op.phase]
    for name in ("updates", "rounds", "magnifies", "adds_edges"):
        yield name, not getattr(op, name)
    for name in ("quantities", "compares"):
        if getattr(op, name):
            yield name, ()
    for name in ("picks", "selects"):
        if getattr(op, name):
            yield name, None
    if op.edges:
        yield "edges", OTHER["edges"][op.edges]
        yield "edges", None
    for name, takes, _ in language_op.declarations(op):
        every = tuple(Kind)
        yield f"{name}.kinds", every if takes.kinds != every else every[1:]
        other = {Scope.NODES: Scope.SINGLE, Scope.SINGLE: Scope.NODES, None: Scope.SINGLE}
        yield f"{name}.scope", other[takes.scope]
        for flag in ("constant", "formula", "stored"):
            yield f"{name}.{flag}", not getattr(takes, flag)
        yield f"{name}.sign", {"any": "unsigned"}.get(takes.sign, "any")


def damage(op: type[ops.Op], what: str, value: object) -> None:
    name, _, part = what.partition(".")
    if not part:
        setattr(op, name, value)
        return
    kept = language_op.declarations

    def changed(asked: type[ops.Op]) -> tuple[tuple[str, language_op.Takes, bool], ...]:
        return tuple(
            (n, replace(takes, **{part: value}) if asked is op and n == name else takes, optional)
            for n, takes, optional in kept(asked)
        )

    language_op.declarations = changed


def noticed(op: str, index: int) -> bool:
    for tests in TESTS:
        tests = [word.replace("OP", op) for word in tests]
        command = [sys.executable, __file__, "--damaged", op, str(index), *tests]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return True
    return False


def main() -> int:
    if sys.argv[1:2] == ["--damaged"]:
        import pytest

        _, _, name, index, *tests = sys.argv
        op = getattr(ops, name)
        damage(op, *list(damages(op))[int(index)])
        return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *tests]))
    missed = 0
    for op in [getattr(ops, name) for name in sys.argv[1:]] or ops.ALL:
        for index, (what, value) in enumerate(damages(op)):
            if not noticed(op.__name__, index):
                missed += 1
                print(f"{op.__name__}.{what} = {value!r}: no test notices", flush=True)
        print(
            f"{op.__name__}: {len(list(damages(op)))} facts, {len(fields(op))} operands", flush=True
        )
    print(f"{missed} facts that no test misses")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
