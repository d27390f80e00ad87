"""What the page shows is what the trace holds, for every frame; and its attention is attention."""

from __future__ import annotations

from base64 import b64decode

import numpy as np
import pytest

import loopwright as lw
from loopwright.model.layout import Kind, Scope
from loopwright.runtime.machines.reference import scores, terms
from runs_to_view import changed_cells, held, rows_of

RUNS = ["compact", "parallel", "components", "hinges", "paper", "dfs", "scc", "softmax", "subleq"]

ALL_OF_X = """() => {
  const { run } = window.loopwright, parts = [];
  for (let number = run.before; number <= run.last; number++) parts.push(run.at(number));
  const bytes = new Uint8Array(parts.length * parts[0].byteLength);
  parts.forEach((x, k) => bytes.set(new Uint8Array(x.buffer), k * x.byteLength));
  let letters = "";
  for (let k = 0; k < bytes.length; k += 32768)
    letters += String.fromCharCode(...bytes.subarray(k, k + 32768));
  return btoa(letters);
}"""

ALL_TEXTS = """() => {
  const { run, movement } = window.loopwright, frames = [];
  document.getElementById("all-variables").click();
  for (let number = run.before; number <= run.last; number++) {
    movement.go(number);
    const all = (where) => [...document.querySelectorAll(`#panel-x ${where}`)];
    const cells = all("[data-at]"), heads = [...all(".single .name"), ...all("thead button")];
    frames.push({
      heads: heads.map((head) => head.textContent),
      texts: cells.map((cell) => [cell.dataset.at, cell.textContent]),
      changed: all(".changed").map(
        (cell) => cell.dataset.at ?? cell.querySelector("[data-at]").dataset.at),
      moment: document.getElementById("moment").textContent,
    });
  }
  return frames;
}"""

ALL_ATTENTION = """() => {
  const { run } = window.loopwright, frames = [];
  for (let number = run.before + 1; number <= run.last; number++) {
    const x = run.at(number - 1);
    frames.push(run.weights[run.layerOf(number)].heads.map((head) => {
      const attention = new Attention(run, head, x);
      return Array.from({ length: run.rows }, (_, row) => [...attention.shares(row)]);
    }));
  }
  return frames;
}"""

ALL_LAYERS = """() => {
  const { run } = window.loopwright, off = [];
  for (let number = run.before + 1; number <= run.last; number++) {
    const before = run.at(number - 1), after = run.at(number);
    for (let row = 0; row < run.rows; row++) {
      const { attended, added } = throughLayer(run, run.layerOf(number), before, row);
      attended.forEach((cell, column) =>
        off.push(Math.abs(cell + added[column] - after[row * run.width + column])));
    }
  }
  return off.reduce((a, b) => Math.max(a, b));
}"""


def all_of_x(page, trace) -> np.ndarray:
    found = np.frombuffer(b64decode(page.evaluate(ALL_OF_X)))
    return found.reshape(len(trace) + 1, *trace.start.x.shape)


@pytest.mark.parametrize("name", [*RUNS, "sixteen"])
def test_every_frame_is_the_traces(run_of, open_page, name):
    path, trace = run_of(name)
    found = all_of_x(open_page(path), trace)
    np.testing.assert_array_equal(found[0], trace.start.x)
    for shown, frame in zip(found[1:], trace, strict=True):
        np.testing.assert_array_equal(shown, frame.x)


def text_of(trace, field, row, x) -> str:
    """A cell as the page's manual says that it is written."""
    number = float(x[row, field.first])
    if field.kind is Kind.FLAG and number in (0, 1):
        return "●" if number else "○"
    if field.kind is Kind.INDEX:
        if number == 0:
            return "–"
        labels = trace.labels
        return str(labels[int(number) - 1]) if number <= len(labels) else f"row {int(number)}"
    if field.kind is Kind.POSITION:
        sine, cosine = x[row, field.columns]
        turn = np.arctan2(sine, cosine) % (2 * np.pi) / trace.constants.angle
        whole = round(turn) % round(2 * np.pi / trace.constants.angle)
        return f"∠{whole}"
    if field.kind is not Kind.FLAG and number == trace.constants.unreached:
        return "∞"
    if field.kind is not Kind.FLAG and number == trace.constants.mask:
        return "mask"
    return f"{int(number)}" if number.is_integer() else f"{float(f'{number:.5g}')}"


@pytest.mark.parametrize("name", ["compact", "paper", "scc", "subleq"])
def test_every_cell_is_written_as_it_should(run_of, open_page, name):
    path, trace = run_of(name)
    frames = open_page(path).evaluate(ALL_TEXTS)
    moments = [trace.start, *trace]
    assert len(frames) == len(moments)
    for shown, frame in zip(frames, moments, strict=True):
        fields = sorted(held(trace, frame), key=lambda field: field.scope is Scope.NODES)
        assert shown["heads"] == [field.name for field in fields]
        expected = {
            f"{row},{field.first}": text_of(trace, field, row, frame.x)
            for field in fields
            for row in rows_of(field, len(frame.x))
        }
        assert {at: text.replace("−", "-") for at, text in shown["texts"]} == expected
        changed = {f"{row},{trace.layout[name].first}" for name, row in changed_cells(trace, frame)}
        assert set(shown["changed"]) == changed
        words = (
            f"iteration {frame.iteration} of {trace.iterations} · layer {frame.layer + 1} of "
            if frame.iteration
            else "X₀"
        )
        assert shown["moment"].startswith(words)
    assert {head for shown in frames for head in shown["heads"]} == set(trace.variables)


@pytest.mark.parametrize("name", [name for name in RUNS if name != "subleq"])
def test_attention_is_the_definitions(run_of, open_page, name):
    path, trace = run_of(name)
    for heads, frame in zip(open_page(path).evaluate(ALL_ATTENTION), trace, strict=True):
        assert len(heads) == len(frame.attention or [])
        for found, expected in zip(heads, frame.attention or [], strict=True):
            if name == "softmax":
                np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-12)
            else:
                np.testing.assert_array_equal(found, expected)


WARM_ATTENTION = """() => {
  const { run } = window.loopwright, [head] = run.weights[0].heads;
  const attention = new Attention(run, { ...head, temperature: 0.5 }, run.at(0));
  return [Array.from({ length: run.rows }, (_, row) => [...attention.scores(row)]),
          Array.from({ length: run.rows }, (_, row) => [...attention.shares(row)])];
}"""


def test_a_warm_softmax_shares(run_of, open_page):
    """Compiled models are so cold that only ties share."""
    path, trace = run_of("softmax")
    found, shares = open_page(path).evaluate(WARM_ATTENTION)
    program = lw.algorithms.dijkstra()
    limits = lw.Limits.fit(trace.graph, program)
    head = lw.compile(program, limits=limits, attention="softmax").layers[0].heads[0]
    edgeless = np.zeros((len(found), len(found)))  # a standard head does not look at them
    np.testing.assert_allclose(found, scores(head, trace.start.x, edgeless), rtol=1e-12)
    weights = terms(np.array(found), 0.5)
    wanted = weights / weights.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(shares, wanted, rtol=1e-12)


@pytest.mark.parametrize("name", RUNS)
def test_units_compute_the_next_x(run_of, open_page, name):
    path, trace = run_of(name)
    off = open_page(path).evaluate(ALL_LAYERS)
    assert off <= float(trace.constants.resolution) / 4


def test_the_papers_dijkstra_on_16_nodes_is_small_and_opens_at_once(run_of, open_page):
    path, trace = run_of("sixteen")
    assert len(trace) == 4352
    assert path.stat().st_size <= 2_000_000
    times = [int(open_page(path).get_attribute("html", "data-opened")) for _ in range(3)]
    assert min(times) <= 1000, times
