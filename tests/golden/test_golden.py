"""What must not change unnoticed: weights, printed programs, messages.

`pytest tests/golden --update-golden` writes them anew; a line in the changelog says why.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from operands import SOUND, cases

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.compiler.pack import pack
from loopwright.language import ops
from loopwright.model.description import name_tensors
from loopwright.model.storage import digest

HERE = Path(__file__).parent


def weights() -> dict[str, dict[str, object]]:
    """For every algorithm: a digest of its weights and of its program's text, and its layers."""
    return dict(models())


def models() -> Iterator[tuple[str, dict[str, object]]]:
    for name, algorithm in ALGORITHMS.items():
        for construction in algorithm.constructions:
            program = algorithm(construction)
            for form, written in (("written", program), ("packed", pack(program))):
                for attention in ("hardmax", "softmax"):
                    model = lw.compile(written, attention=attention)
                    yield (
                        f"{name}, {construction}, {form}, {attention}",
                        {
                            "layers": len(model.layers),
                            "weights": digest("", name_tensors(model))[:16],
                            "program": hashlib.sha256(str(written).encode()).hexdigest()[:16],
                        },
                    )


@pytest.mark.parametrize("make", [weights, cases], ids=["weights", "messages"])
def test_unchanged(make, request):
    path = HERE / f"{make.__name__}.json"
    found = make()
    if request.config.getoption("--update-golden"):
        path.write_text(json.dumps(found, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    assert found == json.loads(path.read_text(encoding="utf-8"))


def test_every_declaration_has_sound_operands():
    """An op that declares operands of its own needs a line in `SOUND`, and that must fit."""
    own = {op.__name__ for op in ops.ALL if "__annotations__" in vars(op)}
    assert own == set(SOUND)
    said = cases()
    for name in SOUND:
        assert any(text.startswith(f"{name}(") and said[text][:3] == "ok:" for text in said)
