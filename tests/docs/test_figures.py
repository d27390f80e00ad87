"""The pages' figures are those of the reports that the commands wrote beside the pictures."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import product
from math import floor, log10
from pathlib import Path
from statistics import median

import pytest

import loopwright as lw
from loopwright.algorithms import ALGORITHMS
from loopwright.lab.sweep.axes import SWEPT

ROOT = Path(__file__).parents[2]
FIGURES = ROOT / "docs/figures"
TRAINING, LIMITS = (
    (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("training.md", "limits.md")
)
CURVES = json.loads((FIGURES / "conditioning.json").read_text(encoding="utf-8"))["curves"]


def axes_of(file: Path) -> dict[str, list[dict[str, float]]]:
    report = json.loads(file.read_text(encoding="utf-8"))
    return {axis["name"]: axis["points"] for axis in report["axes"]}


AXES = {name: axes_of(FIGURES / f"limits-{name}.json") for name in ("dijkstra", "bfs")}
OTHERS = {file.stem: axes_of(file) for file in (FIGURES / "limits").glob("*.json")}
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
RECOVERED, FINER = (
    json.loads((FIGURES / folder / "recover.json").read_text(encoding="utf-8"))
    for folder in (".", "fine")
)
DESCENT = "gradient descent"
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


# ── recovery ────────────────────────────────────────────────────────────────────────────────────


def power_of_ten(number: float) -> str:
    return f"10{str(round(log10(number))).translate(RAISED)}"


def having(found: list[dict], **wanted: object) -> list[dict]:
    """The runs, or basins, that have these entries."""
    return [each for each in found if all(each[name] == value for name, value in wanted.items())]


def values(found: list[dict], name: str) -> list:
    """What they have under this name, each once."""
    return list(dict.fromkeys(each[name] for each in found))


def right(runs: list[dict], when: str) -> str:
    """The median share of held-out graphs that are right, in per cent."""
    return f"{median(run[f'graphs_{when}'] for run in runs) * 100:.0f} %"


def distance_left(runs: list[dict]) -> float:
    return median(run["distance_after"] / run["distance_before"] for run in runs)


def recovery_rows(runs: list[dict], least: float) -> list[str]:
    """For each noise and layer: graphs right before training, and after it, by method."""
    rows, methods = [], values(runs, "optimiser")
    for noise in (each for each in values(runs, "noise") if each >= least):
        for number, task in enumerate(values(runs, "task")):
            here = having(runs, noise=noise, task=task)
            after = (right(having(here, optimiser=method), "after") for method in methods)
            shown = f" {power_of_ten(noise)} " if number == 0 else " "
            rows.append(f"|{shown}| {task} | {right(here, 'before')} | {' | '.join(after)} |")
    return rows


def test_recovery_table():
    """Every row of the page, which leaves out the least noise: there, all graphs are right."""
    runs = RECOVERED["recovery"]
    least, shown = sorted(values(runs, "noise"))[:2]
    assert {run["graphs_before"] for run in having(runs, noise=least)} == {1}
    heading = f"| noise | layer | before | {' | '.join(values(runs, 'optimiser'))} |\n"
    table = TRAINING.partition(heading)[2].partition("\n\n")[0].splitlines()[1:]
    assert table == recovery_rows(runs, least=shown)


def test_recovery_sentences():
    runs = RECOVERED["recovery"]
    cells = [
        having(runs, task=task, noise=noise, optimiser=method)
        for task in values(runs, "task")
        for noise in values(runs, "noise")
        for method in values(runs, "optimiser")
    ]
    assert f"best median leaves {min(map(distance_left, cells)):.2f} of the distance" in TRAINING
    newton = [run for run in having(runs, optimiser="damped Newton") if run["noise"] <= 1e-4]
    others = [run for run in newton if run["task"] != "if-else (paper)"]
    assert max(run["loss_after"] for run in others) < 2e-26
    assert {run["graphs_after"] for run in others} == {1}
    printed = having(newton, task="if-else (paper)")
    assert max(run["loss_after"] for run in printed) < 2e-15
    assert [run["graphs_after"] for run in printed if run["graphs_after"] < 1] == [14 / 16]
    assert f"in one run of {len(printed)} two of the 16 graphs stay wrong" in TRAINING
    gains = [log10(r["loss_before"] / r["loss_after"]) for r in having(runs, optimiser=DESCENT)]
    assert round(median(gains)) == 3
    paper, ours = (
        [
            right(having(runs, task=task, noise=noise, optimiser=DESCENT), "after")
            for noise in (1e-7, 1e-4)
        ]
        for task in ("if-else (paper)", "if-else (Ω in W¹)")
    )
    compared = f"has {paper[0]} of the graphs right, with ours {ours[0]}; at 10⁻⁴, {paper[1]} and"
    assert f"{compared} {ours[1]}" in TRAINING
    far = [
        median(run["graphs_after"] for run in cell)
        for cell in cells
        if cell[0]["task"] == "if-else (paper)" and cell[0]["noise"] >= 1e-2
    ]
    assert f"from 10⁻² on, no method has a median above\n  {max(far) * 100:.0f} %" in TRAINING
    small = having(runs, task="less-than (exact flags)", noise=1e-6, optimiser=DESCENT)
    loss = scientific(median(run["loss_after"] for run in small))
    assert f"reaches {loss} on less-than (exact flags) at noise 10⁻⁶ and" in TRAINING
    assert right(small, "after") == "0 %"


def test_directions_that_the_loss_sees():
    """In how many directions it has curvature at the construction, of how many there are."""
    pytest.importorskip("torch")
    from loopwright.lab.experiments.recover import TASKS, Bench
    from loopwright.lab.experiments.setting import Setting

    limits = lw.Limits(nodes=6, largest=64, resolution=Fraction(1, 4))
    benches = [Bench(task, Setting(limits=limits)) for task in TASKS]
    seen = [(len(bench.seen), len(bench.chosen.start)) for bench in benches]
    (a, of_a), (b, of_b), (c, of_c), (d, of_d) = seen
    said = " ".join(TRAINING.split())
    assert f"{a} of the {of_a} directions of our if-else and {b} of the {of_b} of the" in said
    assert f"{c} of {of_c} and {d} of {of_d} of less-than" in said


def borne(found: list[dict], algorithm: str, construction: str, weights: str) -> dict[str, float]:
    """Step → the noise that it bears."""
    here = having(found, algorithm=algorithm, construction=construction, weights=weights)
    return {basin["step"]: basin["holds"] for basin in here}


def test_basin_sentences():
    every = "all steps"
    used, moved = (
        {
            subject: borne(RECOVERED["basins"], *subject, weights)
            for subject in product(("dijkstra", "bfs"), ("paper", "compact"))
        }
        for weights in ("used", "all")
    )
    of_paper, also = (power_of_ten(used[name, "paper"][every]) for name in ("dijkstra", "bfs"))
    compact = [power_of_ten(used[name, "compact"][every]) for name in ("dijkstra", "bfs")]
    assert of_paper == also
    assert f"on all steps at once: {of_paper} for both of the paper's" in TRAINING
    assert f"constructions, {compact[0]} and {compact[1]} for compact Dijkstra and BFS" in TRAINING
    compact = [power_of_ten(moved[name, "compact"][every]) for name in ("dijkstra", "bfs")]
    assert f"{compact[0]} in compact Dijkstra and {compact[1]} in compact BFS" in TRAINING
    fatal = [list(moved[name, "paper"].values()).count(0) for name in ("dijkstra", "bfs")]
    assert moved["dijkstra", "paper"][every] == 0
    steps = len(moved["dijkstra", "paper"]) - 1
    said = f"{fatal[0] - 1} of the {steps} steps of the paper's Dijkstra and {fatal[1]} of the"
    assert said in TRAINING
    assert power_of_ten(moved["bfs", "paper"][every]) == "10⁻¹³"


def test_sentences_on_a_finer_grid():
    """One draw, with the paper's noise; and what steps bear without training."""
    runs = having(FINER["recovery"], noise=1e-7)
    assert {run["graphs_before"] for run in runs} == {0}
    (only,) = (run for run in runs if run["graphs_after"])
    assert (only["task"], only["optimiser"]) == ("if-else (Ω in W¹)", "damped Newton")
    assert f"right again ({right([only], 'after')} of them)" in TRAINING
    weak = borne(FINER["basins"], "dijkstra", "paper", "used")
    assert weak.pop("all steps") == 0
    assert f"{list(weak.values()).count(0)} of the {len(weak)} steps of the paper's" in TRAINING
    bears = [
        f"{power_of_ten(borne(FINER['basins'], 'bfs', made, 'used')['all steps'])} (`{made}`)"
        for made in ("paper", "compact")
    ]
    assert f"bears {bears[0]} and {bears[1]} on all steps at once" in TRAINING


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
            cell = span(ratios(points))
        assert f"| {name} | {axis} | {cell} |" in LIMITS
        assert all(point["wrong"] == 0 for point in points)


def span(found: list[float]) -> str:
    """The least and the largest, or both in one."""
    least, most = f"{min(found):.2f}", f"{max(found):.2f}"
    return least if least == most else f"{least} to {most}"


def test_limits_of_all_others():
    """They are really all but the parallel ones, which have no record, as the page says; the
    Makefile has them, and no run inside a border went wrong."""
    every = {(name, made) for name in SWEPT for made in ALGORITHMS[name].constructions}
    recorded = {f"{name}-{made}" for name, made in every if made != "parallel"}
    assert set(OTHERS) == recorded - {"dijkstra-paper", "bfs-paper"}
    assert "The `parallel` constructions have no record yet" in " ".join(LIMITS.split())
    listed = re.search(r"OTHERS := ((?:.*\\\n)*.*)", MAKEFILE)[1].replace("\\\n", " ")
    assert {each.replace(":", "-") for each in listed.split()} == set(OTHERS)
    found: dict[str, list[float]] = {}
    for axes in OTHERS.values():
        for axis, points in axes.items():
            found.setdefault(axis, []).extend(ratios(points))
            assert all(point["wrong"] == 0 for point in points)
    for axis, those in found.items():
        assert f"| the others | {axis} | {span(those)} |" in LIMITS
    assert ratios(OTHERS["dijkstra-compact"]["dtype"])[:2] == [1, 1]
    assert set(ratios(OTHERS["prim-compact"]["dtype"])) == {16}


def test_every_figure_is_named_with_its_command():
    """A page that shows a picture says which command draws it; `make figures` runs them all."""
    for page in (TRAINING, LIMITS):
        for caption in re.findall(r"!\[[^\]]*\]\(figures/[^)]*\)\n\n(.*)", page):
            command = re.search(r"`(loopwright [^`]*)`", caption)
            assert command, f"no command after a picture: {caption}"
            assert f"$(BIN)/{command[1]}" in MAKEFILE
