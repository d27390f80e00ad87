"""docs/subleq.md lists every idiom and directive, with what they cost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import loopwright
from loopwright.subleq import assemble
from loopwright.subleq.idioms import IDIOMS

PAGE = (Path(__file__).parents[2] / "docs" / "subleq.md").read_text(encoding="utf-8")
LISTED = re.findall(r"^\| `(\w+)((?: \w+)?(?:, \w+)?)` \| .* \| (\d+) \|$", PAGE, re.MULTILINE)


def test_every_idiom_is_listed():
    named = re.findall(r"^\.macro (\w+)", IDIOMS, re.MULTILINE)
    assert sorted(name for name, _, _ in LISTED) == sorted(named)


@pytest.mark.parametrize(("name", "operands", "count"), LISTED)
def test_idioms_cost_what_the_page_says(name, operands, count):
    code = assemble(f".data a 1\n.data b 1\n.data x 1\n{name}{operands}\nto: zero x")
    assert len(code.instructions) == int(count) + 1


@pytest.mark.parametrize("directive", [".data", ".space", ".const", ".macro", ".for", ".end"])
def test_every_directive_is_listed(directive):
    assert f"`{directive}" in PAGE


PLAIN = "lexer syntax parse declare operands expand resolve idioms assemble code listing machines"


@pytest.mark.parametrize("module", PLAIN.split())
def test_the_assembler_and_the_machines_know_nothing_of_weights(module):
    path = Path(loopwright.subleq.__file__).parent / f"{module}.py"
    imported = re.findall(
        r"^(?:from|import) (loopwright\S*)", path.read_text("utf-8"), re.MULTILINE
    )
    assert all(name.startswith(("loopwright.subleq.", "loopwright.errors")) for name in imported)
    assert "loopwright.subleq.run" not in imported
