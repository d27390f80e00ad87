"""Condition numbers: growth, an independent computation, and what does not depend on Ω or ε."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("flint")
mpmath = pytest.importorskip("mpmath")

import loopwright as lw  # noqa: E402
from loopwright.lab.experiments.conditioning import (  # noqa: E402
    CURVES,
    EDGE,
    EPSILONS,
    OMEGAS,
    Curve,
    Measured,
    measure,
    sweep,
)
from loopwright.lab.experiments.hessian import exact_spectrum, hessian  # noqa: E402
from loopwright.lab.experiments.primitives import if_else, less_than  # noqa: E402
from loopwright.lab.experiments.selection import Selection  # noqa: E402
from loopwright.lab.experiments.setting import PARAMETERS  # noqa: E402
from loopwright.runtime.machines.torch import LoopedTransformer  # noqa: E402

FLAT = [curve for curve in CURVES if curve.inputs == "within ±1"]
FLAT += [curve for curve in CURVES if curve.formula == "exact flags" and curve.parameters == "used"]
GROWING = [curve for curve in CURVES if curve not in FLAT]


def name(curve: Curve) -> str:
    return f"{curve.function}: {curve.label}"


@pytest.fixture(scope="module")
def measured() -> dict[str, Measured]:
    return {name(found.curve): found for found in sweep()}


@pytest.mark.parametrize("curve", GROWING, ids=name)
def test_grows(measured, curve):
    """With Ω and with 1/ε, at every plotted point, and beyond what float64 can tell."""
    found = measured[name(curve)]
    assert len(found.points) == len(OMEGAS if curve.varies == "Ω" else EPSILONS)
    for easy, hard in pairwise(found.points):
        assert easy.exact < hard.exact, (easy.at, hard.at)
        assert (easy.at < hard.at) == (curve.varies == "Ω")
    assert found.points[0].exact < 1e4
    assert found.points[-1].exact > 1e19
    assert len({point.rank for point in found.points}) == 1


@pytest.mark.parametrize("curve", FLAT, ids=name)
def test_stays(measured, curve):
    """The walls of if-else touch no input that stays; the exact flags divide by ε in W¹."""
    values = [point.exact for point in measured[name(curve)].points]
    assert max(values) < 1.02 * min(values) < 1000


@pytest.mark.parametrize(
    ("function", "formula", "parameters", "low", "high"),
    [
        ("if-else", "paper", "dense", 2.1e7, 2.3e7),
        ("if-else", "paper", "used", 2.1e7, 2.2e7),
        ("less-than", "paper", "dense", 9e-8, 1e-7),
        ("less-than", "paper", "used", 3e-8, 3.3e-8),
        ("less-than", "exact flags", "dense", 6.8e-8, 7.4e-8),
    ],
)
def test_crossing(measured, function, formula, parameters, low, high):
    """The figures that docs/training.md gives."""
    (found,) = (
        found
        for found in measured.values()
        if found.curve in GROWING
        and (found.curve.function, found.curve.formula, found.curve.parameters)
        == (function, formula, parameters)
    )
    assert found.crossing is not None
    assert low < found.crossing < high


def test_float64_agrees_until_its_end(measured):
    for found in measured.values():
        for point in found.points:
            if point.exact < EDGE / 1e5:
                assert point.float64 == pytest.approx(point.exact, rel=1e-2)
            assert point.naive > EDGE, "cond of a singular matrix is noise"


# ── independently: no PyTorch, no flint ─────────────────────────────────────────────────────────


def slopes_by_hand(matrices, rows, chosen, target):
    """∂ out/∂ each chosen weight, row by row, in 80 digits: a path's derivative is the value where
    the weight starts times what its end is worth, ReLUs open where their input is above 0."""
    mp = mpmath.mp
    weights = [mpmath.matrix(w.tolist()) for w in matrices]
    lines = []
    for row in rows:
        values, gates = [mpmath.matrix(row.tolist()).T], []
        for w in weights[:3]:
            before = values[-1] * w
            gates.append([mp.mpf(b > 0) for b in before])
            values.append(mpmath.matrix([[max(b, mp.mpf(0)) for b in before]]))
        worth = [None, None, None, None]  # of each unit that a matrix leads to
        worth[3] = [mp.mpf(j == target) for j in range(weights[3].cols)]
        for k in (2, 1, 0):
            after = weights[k + 1] * mpmath.matrix(worth[k + 1])
            worth[k] = [gate * a for gate, a in zip(gates[k], after, strict=True)]
        lines.append([values[k][i] * worth[k][j] for k, i, j in chosen])
    return mpmath.matrix(lines)


def places(chosen: Selection) -> list[tuple[int, int, int]]:
    """(matrix, row, column) of every parameter, in order."""
    found = []
    for k, (key, entries) in enumerate(chosen.entries.items()):
        found += [(k, *divmod(int(entry), chosen.fixed[key].shape[1])) for entry in entries]
    return found


@pytest.mark.parametrize("curve", CURVES, ids=name)
def test_by_hand_in_80_digits(curve):
    """One point of each curve, past 1e16 where it gets there."""
    at = Fraction(10**9) if curve.varies == "Ω" else Fraction(1, 2**30)
    specimen = curve.build(at)
    chosen = Selection.of(specimen.mlp, curve.parameters)
    target = specimen.model.layout["out"].first
    assert chosen.columns.tolist() == [target]
    rows = specimen.x.numpy()
    with mpmath.workdps(80):
        matrices = specimen.model.layers[0].mlp
        j = slopes_by_hand(matrices, rows, places(chosen), target)
        seen = [c for c in range(j.cols) if any(j[r, c] for r in range(j.rows))]
        kept = mpmath.matrix([[j[r, c] for c in seen] for r in range(j.rows)])
        values = sorted(mpmath.eigsy(kept.T * kept, eigvals_only=True))
        positive = [value for value in values if value > values[-1] * mpmath.mpf(10) ** -50]
        condition = positive[-1] / positive[0]
    point = measure(curve, at)
    assert len(positive) == point.rank
    assert point.exact == pytest.approx(float(condition), rel=1e-12)
    by_autograd = chosen.jacobian(chosen.start, specimen.x).numpy()
    np.testing.assert_array_equal(by_autograd, np.array(j.tolist(), dtype=np.float64))


# ── what is measured is what runs ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize("parameters", ["used", "dense"])
@pytest.mark.parametrize(
    "specimen",
    [
        if_else(Fraction(50)),
        less_than(Fraction(1, 64), paper=True),
        less_than(Fraction(1, 64), paper=False),
    ],
    ids=["if-else", "less-than, paper", "less-than, exact flags"],
)
def test_second_derivative_is_gauss_newton(specimen, parameters):
    chosen = Selection.of(specimen.mlp, parameters)
    j, h = chosen.jacobian(chosen.start, specimen.x), hessian(chosen, specimen.x)
    torch.testing.assert_close(h, j.T @ j / len(specimen.x), rtol=1e-12, atol=1e-9)


def test_if_else_selects():
    specimen = if_else(Fraction(50))
    net = LoopedTransformer.from_model(specimen.model)
    x = net.run(specimen.problem, max_iterations=1).x[0, 1:]
    column = {name: specimen.model.layout[name].first for name in ("c1", "c0", "gamma", "out")}
    wanted = torch.where(x[:, column["gamma"]] == 1, x[:, column["c1"]], x[:, column["c0"]])
    torch.testing.assert_close(x[:, column["out"]], wanted, rtol=0, atol=0)


@pytest.mark.parametrize("paper", [True, False])
def test_less_than_compares(paper):
    specimen = less_than(Fraction(1, 64), paper=paper)
    net = LoopedTransformer.from_model(specimen.model)
    x = net.run(specimen.problem, max_iterations=1).x[0, 1:]
    c, d, out = (specimen.model.layout[name].first for name in ("c", "d", "out"))
    ramp = ((x[:, d] - x[:, c]) * 64).clamp(0, 1)
    torch.testing.assert_close(x[:, out], ramp, rtol=0, atol=1e-12)


def test_paper_matrices_are_the_papers():
    """ε⁻¹ and −ε⁻¹ stand in W², −ε in W¹. [P §5.2]"""
    w1, w2, w3, w4 = less_than(Fraction(1, 64), paper=True).model.layers[0].mlp
    assert set(w1[w1 != 0]) == {1, -1, -1 / 64}
    assert sorted(w2[w2 != 0]) == [-64, 1, 64]
    assert set(w3[w3 != 0]) == {1}
    assert sorted(w4[w4 != 0]) == [-1, 1]


def test_exact_spectrum_counts_zeros():
    j = torch.tensor([[1.0, 1.0], [1.0, 1.0], [0.0, 0.0]], dtype=torch.float64)
    found = exact_spectrum(j)
    assert (found.rank, found.condition) == (1, 1)
    assert found.largest == pytest.approx(4 / 3)


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_selection_puts_back(parameters):
    specimen = if_else(Fraction(5))
    chosen = Selection.of(specimen.mlp, parameters)
    before = specimen.mlp(specimen.x)[:, chosen.columns]
    torch.testing.assert_close(chosen.outputs(chosen.start, specimen.x), before, rtol=0, atol=0)
    moved = chosen.start + torch.arange(len(chosen.start)) / 8
    with chosen.moved(moved):
        after = specimen.mlp(specimen.x)[:, chosen.columns]
    torch.testing.assert_close(chosen.outputs(moved, specimen.x), after, rtol=0, atol=0)
    for now, then in zip(specimen.mlp.parameters(), specimen.model.layers[0].mlp, strict=True):
        np.testing.assert_array_equal(now.detach().numpy(), then)


# ── the command ─────────────────────────────────────────────────────────────────────────────────


def test_command(loopwright, tmp_path):
    pytest.importorskip("matplotlib")
    report = loopwright("conditioning", "--smoke", "--json", "--out", tmp_path / "figures").json
    assert len(report["curves"]) == len(CURVES)
    assert report["versions"]["loopwright"] == lw.__version__
    assert json.loads((tmp_path / "figures/conditioning.json").read_text("utf-8")) == report
    assert (tmp_path / "figures/conditioning.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "figures/conditioning.svg").read_text("utf-8").startswith("<?xml")


def test_folder_that_cannot_be(refused, tmp_path):
    (tmp_path / "file").write_text("")
    where = tmp_path / "file" / "folder"
    assert str(where) in refused("conditioning", "--smoke", "--out", where)
