"""docs/subleq.md lists every idiom and directive, with what they cost."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from subleq_programs import IDIOMS, PACKAGE

from loopwright.subleq import assemble

PAGE = (Path(__file__).parents[2] / "docs" / "subleq.md").read_text(encoding="utf-8")
LISTED = re.findall(r"^\| `(\w+)((?: \w+)?(?:, \w+)?)` \| .* \| (\d+) \|$", PAGE, re.MULTILINE)


def test_every_idiom_is_listed():
    assert sorted(name for name, _, _ in LISTED) == sorted(IDIOMS)


@pytest.mark.parametrize(("name", "operands", "count"), LISTED)
def test_idioms_cost_what_the_page_says(name, operands, count):
    code = assemble(f".data a 1\n.data b 1\n.data x 1\n{name}{operands}\nto: zero x")
    assert len(code.instructions) == int(count) + 1


@pytest.mark.parametrize("directive", [".data", ".space", ".const", ".macro", ".for", ".end"])
def test_every_directive_is_listed(directive):
    assert f"`{directive}" in PAGE


PLAIN = "syntax parse operands declare resolve expand assemble code listing machines"


@pytest.mark.parametrize("module", PLAIN.split())
def test_the_assembler_and_the_machines_know_nothing_of_weights(module):
    text = (PACKAGE / f"{module}.py").read_text(encoding="utf-8")
    text = text.replace("from loopwright.subleq import ", "import loopwright.subleq.")
    imported = re.findall(r"^ *(?:from|import) (loopwright\S*)", text, re.MULTILINE)
    texts = ("loopwright.runtime.readers.", "loopwright.model.paths")
    plain = ("loopwright.subleq.", "loopwright.errors", *texts)
    assert all(name.startswith(plain) for name in imported)
    assert "loopwright.subleq.run" not in imported


def test_lark_is_imported_by_the_first_text_alone():
    code = """
import sys
import loopwright.cli.commands, loopwright.subleq
assert "lark" not in sys.modules
loopwright.subleq.assemble("halt")
assert "lark" in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
