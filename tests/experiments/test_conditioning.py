"""Condition numbers: growth, an independent computation, and what does not depend on Ω or ε."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("flint")
mpmath = pytest.importorskip("mpmath")

import loopwright as lw  # noqa: E402
from loopwright.lab.experiments.conditioning import (  # noqa: E402
    CURVES,
    EDGE,
    MATRICES,
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

FLAT = [curve for curve in CURVES if (curve.layout, curve.inputs) == ("Ω in W¹", "within ±1")]
FLAT += [curve for curve in CURVES if curve.layout == "exact flags" and curve.parameters == "used"]
GROWING = [curve for curve in CURVES if curve not in FLAT]


def name(curve: Curve) -> str:
    return f"{curve.function}: {curve.label}"


@pytest.fixture(scope="module")
def measured() -> dict[str, Measured]:
    return {name(found.curve): found for found in sweep(every=5)}


def test_layouts_are_side_by_side():
    """Whatever is measured of our layout is measured of the paper's."""
    others = [replace(curve, layout="", build=None) for curve in CURVES if curve.layout != "paper"]
    assert others == [
        replace(curve, layout="", build=None) for curve in CURVES if curve.layout == "paper"
    ]


@pytest.mark.parametrize("curve", GROWING, ids=name)
def test_grows(measured, curve):
    """With Ω and with 1/ε, like its square, and beyond what float64 can tell."""
    found = measured[name(curve)]
    for easy, hard in pairwise(found.points):
        assert easy.exact < hard.exact, (easy.at, hard.at)
        assert (easy.at < hard.at) == (curve.varies == "Ω")
    assert found.points[0].exact < 1e5
    assert found.points[-1].exact > 1e16
    assert len({point.rank for point in found.points}) == 1
    assert found.growth.power == pytest.approx(2, abs=0.05)


@pytest.mark.parametrize("curve", FLAT, ids=name)
def test_stays(measured, curve):
    """The walls of our if-else touch no input that stays; the exact flags divide by ε in W¹."""
    found = measured[name(curve)]
    values = [point.exact for point in found.points]
    assert max(values) < 1.02 * min(values) < 1000
    assert found.growth.power == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("parameters", ["used", "dense"])
def test_printed_if_else_grows_where_ours_does_not(parameters):
    """κ ~ Ω² although no input exceeds 1, by a straight line through a few points; ours stays."""
    omegas = [10, 100, 1000]

    def exponent(layout: str) -> float:
        (curve,) = (
            curve
            for curve in CURVES
            if (curve.layout, curve.inputs) == (layout, "within ±1")
            and curve.parameters == parameters
        )
        conditions = [measure(curve, Fraction(omega)).exact for omega in omegas]
        return np.polyfit(np.log(omegas), np.log(conditions), 1)[0]

    assert exponent("paper") == pytest.approx(2, abs=0.05)
    assert exponent("Ω in W¹") == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize(
    ("layout", "parameters", "inputs", "powers"),
    [
        ("paper", "dense", "within ±Ω", [4, 0, 0, 0]),
        ("paper", "used", "within ±Ω", [0, 2, 0, 0]),
        ("paper", "dense", "within ±1", [2, 0, 0, 0]),
        ("paper", "used", "within ±1", [2, 0, 0, 0]),
        ("Ω in W¹", "dense", "within ±Ω", [2, 0, 0, 0]),
        ("Ω in W¹", "used", "within ±Ω", [2, 0, 0, 0]),
        ("Ω in W¹", "dense", "within ±1", [0, 0, 0, 0]),
        ("Ω in W¹", "used", "within ±1", [0, 0, 0, 0]),
    ],
)
def test_each_layer_of_if_else_alone(measured, layout, parameters, inputs, powers):
    """The paper's W¹ leads inputs of size Ω to weights of size Ω: Ω² squared."""
    found = measured[f"if-else: {layout}, {parameters} weights, inputs {inputs}"]
    assert tuple(found.growth_alone) == MATRICES
    for law, power in zip(found.growth_alone.values(), powers, strict=True):
        assert law.power == pytest.approx(power, abs=0.05)


def test_a_layer_alone_is_a_block_of_the_hessian():
    """By NumPy's singular values, at an Ω that floats can bear."""
    curve = CURVES[0]
    assert (curve.layout, curve.parameters) == ("paper", "dense")
    specimen = curve.build(Fraction(8))
    chosen = Selection.of(specimen.mlp, curve.parameters)
    j = chosen.jacobian(chosen.start, specimen.x).numpy()
    matrix = np.array([k for k, _, _ in places(chosen)])
    for k, found in enumerate(measure(curve, Fraction(8)).alone.values()):
        values = np.linalg.svd(j[:, matrix == k], compute_uv=False)
        values = values[values > 1e-9 * values[0]]
        assert found == pytest.approx((values[0] / values[-1]) ** 2, rel=1e-9)


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


def gram_without_zeros(j):
    """J = QR by Gram–Schmidt, Q's columns a basis of J's: R·Rᵀ has the eigenvalues of JᵀJ that are
    not 0, and is as small as J's rank."""
    basis, coordinates = [], []
    for c in range(j.cols):
        rest = column = [j[r, c] for r in range(j.rows)]
        found = []
        for q in basis:
            along = mpmath.fdot(q, rest)
            rest = [x - along * y for x, y in zip(rest, q, strict=True)]
            found.append(along)
        length = mpmath.norm(rest)
        if length > mpmath.norm(column) * mpmath.mpf(10) ** -50:
            basis.append([x / length for x in rest])
            found.append(length)
        coordinates.append(found)
    r = mpmath.matrix(len(basis), j.cols)
    for c, found in enumerate(coordinates):
        for i, along in enumerate(found):
            r[i, c] = along
    return r * r.T


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
        values = sorted(mpmath.eigsy(gram_without_zeros(j), eigvals_only=True))
        condition = values[-1] / values[0]
    point = measure(curve, at)
    assert len(values) == point.rank
    assert point.exact == pytest.approx(float(condition), rel=1e-12)
    by_autograd = chosen.jacobian(chosen.start, specimen.x).numpy()
    np.testing.assert_array_equal(by_autograd, np.array(j.tolist(), dtype=np.float64))


# ── what is measured is what runs ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize("parameters", ["used", "dense"])
@pytest.mark.parametrize(
    "specimen",
    [
        if_else(Fraction(50), paper=True),
        if_else(Fraction(50), paper=False),
        less_than(Fraction(1, 64), paper=True),
        less_than(Fraction(1, 64), paper=False),
    ],
    ids=["if-else, paper", "if-else, ours", "less-than, paper", "less-than, exact flags"],
)
def test_second_derivative_is_gauss_newton(specimen, parameters):
    chosen = Selection.of(specimen.mlp, parameters)
    j, h = chosen.jacobian(chosen.start, specimen.x), hessian(chosen, specimen.x)
    torch.testing.assert_close(h, j.T @ j / len(specimen.x), rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize("paper", [True, False])
def test_if_else_selects(paper):
    specimen = if_else(Fraction(50), paper=paper)
    net = LoopedTransformer.from_model(specimen.model)
    x = net.run(specimen.problem, max_iterations=1).x[0, 1:]
    column = {name: specimen.model.layout[name].first for name in ("c1", "c0", "gamma", "out")}
    wanted = torch.where(x[:, column["gamma"]] == 1, x[:, column["c1"]], x[:, column["c0"]])
    torch.testing.assert_close(x[:, column["out"]], wanted, rtol=0, atol=0)


def test_printed_if_else_is_the_same_function():
    """As ours, to the last bit: random clauses of either sign up to Ω, flags and old contents."""
    printed, ours = (if_else(Fraction(64), paper=paper) for paper in (True, False))
    layout, rng = ours.model.layout, np.random.default_rng(0)
    x = np.zeros((1000, layout.width))
    x[:, layout["B_local"].first] = 1
    for name in ("c1", "c0", "out"):
        x[:, layout[name].first] = rng.integers(-(2**16), 2**16 + 1, len(x)) / 2**10
    x[:, layout["gamma"].first] = rng.integers(0, 2, len(x))
    added = [specimen.mlp(torch.from_numpy(x)).detach().numpy() for specimen in (printed, ours)]
    np.testing.assert_array_equal(*added)
    chosen = np.where(
        x[:, layout["gamma"].first], x[:, layout["c1"].first], x[:, layout["c0"].first]
    )
    np.testing.assert_array_equal(
        added[0][:, layout["out"].first], chosen - x[:, layout["out"].first]
    )


def test_printed_if_else_has_the_papers_matrices():
    """W¹ is an identity but for the twins' signs, Ω stands in W² alone. [P App. C.1.1]"""
    w1, w2, w3, w4 = if_else(Fraction(64), paper=True).model.layers[0].mlp
    rows, units = np.nonzero(w1)
    assert sorted(w1[rows, units]) == [-1] * 3 + [1] * 6, "V₀, V₁, E and twins; C, both biases"
    assert len(set(units)) == len(units), "each unit carries one column"
    assert sorted(w2[w2 != 0]) == [-64] * 6 + [1] * 6 + [64] * 2, "C, B_global, B_local; C"
    assert sorted(w3[w3 != 0]) == [1] * 6, "S₁ and S₂ are summed, E is carried"
    assert sorted(w4[w4 != 0]) == [-1, -1, 1, 1]
    ours = if_else(Fraction(64), paper=False).model.layers[0].mlp
    assert 64 in np.abs(ours[0])
    assert 64 not in np.abs(ours[1])


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
    specimen = if_else(Fraction(5), paper=False)
    chosen = Selection.of(specimen.mlp, parameters)
    before = specimen.mlp(specimen.x)[:, chosen.columns]
    torch.testing.assert_close(chosen.outputs(chosen.start, specimen.x), before, rtol=0, atol=0)
    moved = chosen.start + torch.arange(len(chosen.start)) / 8
    with chosen.moved(moved):
        after = specimen.mlp(specimen.x)[:, chosen.columns]
    torch.testing.assert_close(chosen.outputs(moved, specimen.x), after, rtol=0, atol=0)
    for now, then in zip(specimen.mlp.parameters(), specimen.model.layers[0].mlp, strict=True):
        np.testing.assert_array_equal(now.detach().numpy(), then)


@pytest.mark.parametrize(
    ("paper", "rank", "condition"), [(True, 60, 9.6e5), (False, 54, 3.9e4)], ids=["paper", "ours"]
)
def test_all_entries_as_parameters(paper, rank, condition):
    """At Ω = 50, as docs/training.md says."""
    specimen = if_else(Fraction(50), paper=paper)
    chosen = Selection.of(specimen.mlp, "all")
    values = torch.linalg.svdvals(chosen.jacobian(chosen.start, specimen.x))
    seen = values[values > 1e-9 * values[0]]
    assert len(chosen.start) == 324
    assert len(seen) == rank
    assert float((seen[0] / seen[-1]) ** 2) == pytest.approx(condition, rel=0.01)


def test_report_beside_the_figure(measured):
    """docs/figures/conditioning.json, from which the page has its numbers, is what is measured."""
    path = Path(__file__).parents[2] / "docs/figures/conditioning.json"
    report = json.loads(path.read_text(encoding="utf-8"))
    written = {
        (curve["function"], curve["layout"], curve["parameters"], curve["inputs"]): curve
        for curve in report["curves"]
    }
    assert not report["settings"]["smoke"]
    assert len(written) == len(CURVES)
    for found in measured.values():
        curve = found.curve
        points = written[curve.function, curve.layout, curve.parameters, curve.inputs]["points"]
        assert [point["at"] for point in points] == [float(value) for value in curve.values]
        at = {point["at"]: point for point in points}
        for point in found.points:
            assert at[point.at]["exact"] == pytest.approx(point.exact, rel=1e-12)
            assert at[point.at]["alone"] == pytest.approx(point.alone, rel=1e-12)


# ── the command ─────────────────────────────────────────────────────────────────────────────────


def test_command(loopwright, tmp_path):
    pytest.importorskip("matplotlib")
    report = loopwright("conditioning", "--smoke", "--json", "--out", tmp_path / "figures").json
    assert len(report["curves"]) == len(CURVES)
    assert {curve["layout"] for curve in report["curves"]} == {"paper", "Ω in W¹", "exact flags"}
    for curve in report["curves"]:
        assert set(curve["growth_alone"]) == set(MATRICES) == set(curve["points"][0]["alone"])
    assert report["versions"]["loopwright"] == lw.__version__
    assert json.loads((tmp_path / "figures/conditioning.json").read_text("utf-8")) == report
    assert (tmp_path / "figures/conditioning.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "figures/conditioning.svg").read_text("utf-8").startswith("<?xml")


def test_folder_that_cannot_be(refused, tmp_path):
    (tmp_path / "file").write_text("")
    where = tmp_path / "file" / "folder"
    assert str(where) in refused("conditioning", "--smoke", "--out", where)
