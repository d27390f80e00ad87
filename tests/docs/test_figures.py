"""The pages' figures are those of the reports that the commands wrote beside the pictures."""

from __future__ import annotations

import json
import re
from math import floor, log10
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FIGURES = ROOT / "docs/figures"
TRAINING, LIMITS = (
    (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("training.md", "limits.md")
)
CURVES = json.loads((FIGURES / "conditioning.json").read_text(encoding="utf-8"))["curves"]
AXES = {
    name: {
        axis["name"]: axis["points"]
        for axis in json.loads((FIGURES / f"limits-{name}.json").read_text("utf-8"))["axes"]
    }
    for name in ("dijkstra", "bfs")
}
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def scientific(number: float) -> str:
    """5.0·10⁶, with two digits."""
    power = floor(log10(number))
    return f"{number / 10**power:.1f}·10{str(power).translate(RAISED)}"


def law(growth: dict[str, float], varies: str) -> str:
    """401 Ω², or the number alone where the power is 0."""
    power = round(growth["power"]) * (-1 if varies == "ε" else 1)
    factor = f"{growth['factor']:.0f}" if growth["factor"] >= 100 else f"{growth['factor']:.2g}"
    return f"{factor} {varies}{str(power).translate(RAISED)}" if power else factor


def find(function: str, layout: str, parameters: str, inputs: str) -> dict:
    wanted = (function, layout, parameters, inputs)
    names = ("function", "layout", "parameters", "inputs")
    (found,) = (curve for curve in CURVES if tuple(curve[name] for name in names) == wanted)
    return found


def at(curve: dict, value: float) -> dict:
    (found,) = (point for point in curve["points"] if point["at"] == value)
    return found


def title(curve: dict) -> str:
    return " | ".join(curve[name] for name in ("function", "layout", "inputs", "parameters"))


@pytest.mark.parametrize("curve", CURVES, ids=title)
def test_conditioning_tables(curve):
    first, crossing = curve["points"][0], curve["crosses_1e16_at"]
    where = f"{curve['varies']} = {scientific(crossing)}" if crossing else "never"
    grows = law(curve["growth"], curve["varies"])
    counts = f"{first['parameters']} | {first['rank']}"
    assert f"| {title(curve)} | {counts} | {grows} | {where} |" in TRAINING
    alone = " | ".join(law(each, curve["varies"]) for each in curve["growth_alone"].values())
    assert f"| {title(curve)} | {alone} |" in TRAINING


def test_conditioning_sentences():
    printed = find("if-else", "paper", "dense", "within ±Ω")
    ours = find("if-else", "Ω in W¹", "dense", "within ±Ω")
    small = find("if-else", "paper", "dense", "within ±1")
    of_paper, of_ours, of_small = (
        scientific(at(curve, 50)["exact"]) for curve in (printed, ours, small)
    )
    alone = scientific(at(printed, 50)["alone"]["W¹"])
    assert f"Here: {of_paper} with the paper's matrices, {of_ours} with ours" in TRAINING
    assert f"{of_small} with the paper's matrices and inputs within ±1" in TRAINING
    assert f"{alone} for the paper's W¹ alone" in TRAINING
    assert min(point["naive"] for curve in CURVES for point in curve["points"]) > 1e16
    w1 = [(point["at"], point["alone"]["W¹"]) for point in printed["points"]]
    below = max(omega for omega, condition in w1 if condition < 1e16)
    above = min(omega for omega, condition in w1 if condition >= 1e16)
    assert f"past 10¹⁶ between Ω = {below:.0f} and {above:.0f}" in TRAINING
    flat = find("less-than", "exact flags", "used", "within ±2")
    assert f"κ is {flat['growth']['factor']:.0f} for every ε" in TRAINING


def ratios(points: list[dict[str, float]]) -> list[float]:
    return [point["measured"] / point["allowed"] for point in points]


@pytest.mark.parametrize("name", AXES)
def test_limits_table(name):
    """Each row of the page: the least and the largest ratio of the two borders."""
    for axis, points in AXES[name].items():
        found = [f"{ratio:.2f}" for ratio in ratios(points)]
        if axis == "dtype":
            cell = f"{found[0]} (float64), {found[1]} (float32), {found[2]} (float16)"
        else:
            least, most = min(found), max(found)
            cell = least if least == most else f"{least} to {most}"
        assert f"| {name} | {axis} | {cell} |" in LIMITS
        assert all(point["wrong"] == 0 for point in points)


def test_every_figure_is_named_with_its_command():
    """A page that shows a picture says which command draws it; `make figures` runs them all."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for page in (TRAINING, LIMITS):
        for caption in re.findall(r"!\[[^\]]*\]\(figures/[^)]*\)\n\n(.*)", page):
            command = re.search(r"`(loopwright [^`]*)`", caption)
            assert command, f"no command after a picture: {caption}"
            assert f"$(BIN)/{command[1]}" in makefile
