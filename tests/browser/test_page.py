"""The page as people use it: panels, keys, links, sizes, colours; and foreign text stays text."""

from __future__ import annotations

import pytest

import loopwright as lw
from loopwright.viewer import frames, show
from runs_to_view import ROADS, SQUARE, changed_cells

TABS = ["x", "attention", "weights", "safety"]


@pytest.fixture
def page(run_of, open_page):
    return open_page(run_of("compact")[0])


def number(page) -> int:
    return page.evaluate("window.loopwright.movement.number")


def text(page, selector: str) -> str:
    return page.inner_text(selector)


# ── movement ────────────────────────────────────────────────────────────────────────────────────


def test_keys_move(page):
    keys = [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowDown", 5), ("ArrowLeft", 4)]
    keys += [("ArrowUp", 1), ("End", 27), ("ArrowRight", 27), ("Home", 0), ("ArrowLeft", 0)]
    for key, expected in keys:
        page.keyboard.press(key)
        assert number(page) == expected, key


def test_buttons_move(page):
    for name, expected in [
        ("On by one iteration", 3),
        ("On by one layer", 4),
        ("Back one layer", 3),
        ("To the end", 27),
        ("Back one iteration", 24),
        ("To the beginning", 0),
    ]:
        page.get_by_role("button", name=name, exact=True).click()
        assert number(page) == expected, name


def test_the_slider_moves(page):
    page.focus("#scrub")
    page.keyboard.press("ArrowRight")
    assert number(page) == 1
    page.evaluate("""() => { const scrub = document.getElementById("scrub");
        scrub.value = 14; scrub.dispatchEvent(new Event("input")); }""")
    assert number(page) == 14
    words = page.get_attribute("#scrub", "aria-valuetext")
    assert words.startswith("iteration 5 of 9 · layer 2 of 3")


def test_playing_and_pausing(page):
    page.select_option("#speed", "60")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    page.wait_for_function("() => window.loopwright.movement.number >= 3")
    page.keyboard.press("Space")
    stopped = number(page)
    page.wait_for_timeout(150)
    assert number(page) == stopped
    page.click("#play")
    page.wait_for_function("() => window.loopwright.movement.number === 27")
    page.wait_for_function("() => document.getElementById('play').textContent === 'Play'")


def changes(trace, name, row) -> list[int]:
    """The moments at which a variable changes at a row; of None, any."""
    return [
        (frame.iteration - 1) * len(trace.layers) + frame.layer + 1
        for frame in trace
        if any(
            (name is None or name == variable) and (row is None or row == at)
            for variable, at in changed_cells(trace, frame)
        )
    ]


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("dists", None),
        ("prev", 6),
        (None, 9),
        (None, None),
        ("halt", None),
        ("nearest", None),
        ("node", 4),
        ("edge", None),
    ],
)
def test_jumps_go_to_the_next_change(run_of, page, name, row):
    expected = changes(run_of("compact")[1], name, row)
    page.select_option("#watched-variable", name or "")
    page.select_option("#watched-node", "" if row is None else str(row))
    page.evaluate("document.activeElement.blur()")
    found = []
    for _ in expected:
        page.keyboard.press("n")
        found.append(number(page))
    assert found == expected
    page.keyboard.press("n")
    assert number(page) == expected[-1]
    for moment in expected[-2::-1]:
        page.keyboard.press("p")
        assert number(page) == moment


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("#i=3&l=2", 8),
        ("#i=0", 0),
        ("#i=4", 12),
        ("#i=99&l=99", 27),
        ("#i=x&l=2", 0),
        ("#<b>", 0),
    ],
)
def test_a_link_names_a_moment(run_of, open_page, link, expected):
    assert number(open_page(run_of("compact")[0], link)) == expected


def test_the_link_follows_the_moment(page):
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => location.hash === '#i=2&l=1'")
    page.evaluate("location.hash = '#i=5&l=3'")
    page.wait_for_function("() => window.loopwright.movement.number === 15")


# ── panels ──────────────────────────────────────────────────────────────────────────────────────


def test_tabs_by_keys(page):
    for key, name in zip("1234", TABS, strict=True):
        page.keyboard.press(key)
        assert page.is_visible(f"#panel-{name}")
        assert page.get_attribute(f"#tab-{name}", "aria-selected") == "true"
    page.focus("#tab-safety")
    page.keyboard.press("ArrowRight")
    assert page.is_visible("#panel-x")
    assert page.evaluate("document.activeElement.id") == "tab-x"
    assert number(page) == 0


def test_search_filters_variables_and_takes_its_keys(page):
    page.keyboard.press("4")
    page.keyboard.press("/")
    page.keyboard.type("dis")
    heads = page.locator("#panel-x thead button").all_inner_texts()
    assert heads == ["dists", "dist"]
    page.keyboard.press("n")
    assert number(page) == 0


def test_the_program_marks_its_step(run_of, page):
    trace = run_of("compact")[1]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.locator("#program li.here button").inner_text() == trace.layers[1]["name"]
    page.keyboard.press("End")
    assert page.evaluate("document.getElementById('program').scrollTop") > 0
    page.keyboard.press("Home")
    assert page.evaluate("document.getElementById('program').scrollTop") == 0
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.locator("#program li.here code").all_inner_texts() == [
        str(op) for op in trace.program.steps[1].ops
    ]
    assert "writes node, dist, chosen, visit" in text(page, "#step-facts")
    page.locator("#program li button").nth(2).click()
    assert number(page) == 3


def test_paper_steps_have_their_numbers(run_of, open_page):
    page = open_page(run_of("paper")[0], "#i=1&l=12")
    assert page.locator("#program li.here .number").inner_text() == "(12)"
    assert text(page, "#step-facts").startswith("step 12 in the paper")


def test_the_graph_shows_the_tree_and_what_changed(run_of, open_page):
    page = open_page(run_of("compact")[0], "#i=9&l=3")
    trace = run_of("compact")[1]
    assert page.locator("#drawing .node").count() == ROADS.n
    assert page.locator("#drawing .edge.tree:not([visibility])").count() == ROADS.n - 1
    values = dict(
        zip(trace.labels, page.locator("#drawing .value").all_text_contents(), strict=True)
    )
    assert values == {label: f"{value:g}" for label, value in trace.outputs["dists"].items()}
    page = open_page(run_of("compact")[0], "#i=1&l=3")
    changed = page.locator("#drawing .node.changed title").all_text_contents()
    rows = {row for rows in trace[1, 2].changed.values() for row in rows.tolist()} - {0}
    assert {line.split(":")[0] for line in changed} == {trace.labels[row - 1] for row in rows}


def test_undirected_edges_are_bold_from_either_end(pages_folder, open_page):
    path = pages_folder / "undirected.html"
    lw.view(lw.compile(lw.algorithms.dijkstra()), ROADS, source="Frankfurt").save(path)
    page = open_page(path, "#i=9&l=3")
    assert page.locator("#drawing .edge.tree:not([visibility])").count() == ROADS.n - 1


def test_what_travels_along_edges(run_of, open_page):
    page = open_page(run_of("compact")[0], "#i=1&l=3")
    page.keyboard.press("2")
    lines = [line.split("\t") for line in page.locator(".travel tbody tr").all_inner_texts()]
    neighbours = {
        ROADS.labels[head]: weight
        for tail, head, weight in zip(ROADS.tails, ROADS.heads, ROADS.weights, strict=True)
        if ROADS.labels[tail] == "Ulm"
    }
    assert {(line[0], line[1], line[3]) for line in lines} == {
        ("Ulm", label, f"edge + {weight:g}") for label, weight in neighbours.items()
    }
    assert page.locator("#drawing .edge.message").count() == len(neighbours)


def test_weights_are_named_and_written(run_of, open_page):
    page = open_page(run_of("compact")[0], "#i=1&l=1")
    page.keyboard.press("3")
    assert page.locator("#weight-matrix th").count() > 2
    formulas = page.locator("#formulas td.formula").all_inner_texts()
    assert any("relu(" in formula for formula in formulas)
    assert any(formula.startswith("nearest += ") for formula in formulas)
    page.click("#whole-matrix")
    model = lw.compile(lw.algorithms.dijkstra())
    assert page.locator("#weight-matrix tbody tr").count() == model.width


def test_safety_says_what_the_monitor_says(run_of, open_page):
    page = open_page(run_of("compact")[0], "#i=2&l=3")
    page.keyboard.press("4")
    assert page.locator("#margins tbody tr").count() == 3
    heads = page.locator("#margins thead th").all_inner_texts()
    assert heads[1:] == [
        "gap ≥ 1.5",
        "spread ≤ 0.5",
        "comparison ≥ 0.5",
        "flag ≤ 0.25",
        "value ≤ 1",
    ]
    assert (
        page.locator("#margins tr.here th").inner_text()
        == "3 edge, halt, path, closer, prev, dists"
    )


def test_rows_of_a_computer_are_called_by_number(run_of, open_page):
    path, trace = run_of("subleq")
    page = open_page(path, "#i=1&l=8")
    names = page.locator("#panel-x tbody th").all_inner_texts()
    assert names[:2] == [f"row 1 ({trace.labels[0]})", "row 2"]
    assert f"rows 1 to 1 of {len(names)} are nodes" in text(page, "#legend")


def test_scores_that_are_not_listed_are_counted(run_of, open_page):
    page = open_page(run_of("compact")[0], "#i=1&l=1")
    page.keyboard.press("2")
    listed = page.locator("#panel-attention tbody tr th").count() - ROADS.n - 1
    assert f"… and {ROADS.n + 1 - listed} more." in text(page, "#panel-attention")
    assert "Hardmax: all within " in text(page, "#panel-attention")


# ── a broken weight ─────────────────────────────────────────────────────────────────────────────


def test_a_broken_weight_stops_where_it_shows(pages_folder, open_page):
    model = lw.compile(lw.algorithms.dijkstra())
    path = pages_folder / "broken.html"
    place = "2,W4,0,visit=1"
    lw.view(model, ROADS, source="Ulm", broken=place).save(path)
    broken = show.break_weight(model, place).model
    with pytest.raises(lw.LoopwrightError) as divergence:
        lw.verify(broken, ROADS, source="Ulm")
    page = open_page(path)
    assert str(divergence.value) in text(page, ".stop")
    assert text(page, "#notices").startswith("One weight is broken: layer 2, W4[0, ")
    assert page.locator("#panel-x h3").all_inner_texts() == [
        "What the program means",
        "What the weights hold",
    ]
    assert page.locator("#panel-x td.apart").count() >= 2
    page.keyboard.press("3")
    assert page.locator("#weight-matrix td.broken").count() == 1


# ── long runs, traces ───────────────────────────────────────────────────────────────────────────


def test_a_long_run_is_shown_in_part(pages_folder, open_page, monkeypatch):
    for module in (frames, show):
        monkeypatch.setattr(module, "MOST_FRAMES", 51)
    model = lw.compile(lw.algorithms.dijkstra("paper"))
    path = pages_folder / "part.html"
    lw.view(model, SQUARE, source="a", start=2).save(path)
    page = open_page(path)
    assert "This page shows iterations 2 to 4; the run is longer" in text(page, "#notices")
    assert (number(page), page.evaluate("window.loopwright.run.last")) == (17, 68)
    assert text(page, "#moment").startswith("iteration 1 of 4 · layer 17")


def test_a_trace_alone_has_no_weights(run_of, pages_folder, open_page):
    path = pages_folder / "trace.html"
    lw.view(run_of("compact")[1]).save(path)
    page = open_page(path, "#i=1&l=1")
    for key in "234":
        page.keyboard.press(key)
        assert "made of a trace alone" in text(page, f"#panel-{TABS[int(key) - 1]}")
    assert "A trace holds no weights" in text(page, "#notices")


# ── sizes, colours, readers ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["compact", "scc"])
def test_a_phone_needs_no_sideways_scrolling(run_of, open_page, name):
    page = open_page(run_of(name)[0], "#i=1&l=3", width=360, height=740)
    for key in "1234":
        page.keyboard.press(key)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_system_and_the_button(run_of, open_page, scheme):
    page = open_page(run_of("compact")[0], scheme=scheme)
    surface = "getComputedStyle(document.body).backgroundColor"
    assert page.get_attribute("html", "data-theme") == scheme
    before = page.evaluate(surface)
    page.keyboard.press("d")
    assert page.evaluate(surface) != before
    page.click("#theme")
    assert page.evaluate(surface) == before


def test_help_lists_every_key(page):
    page.keyboard.press("?")
    assert page.is_visible("#help")
    keys = page.locator("#keys kbd").all_inner_texts()
    assert {"←", "→", "↑", "↓", "Home", "End", "n", "p", "Space", "/"} <= set(keys)
    page.keyboard.press("Escape")
    assert not page.is_visible("#help")


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    [("compact", 1280, "light"), ("compact", 360, "dark"), ("scc", 1280, "dark")],
)
def test_axe_finds_no_serious_problem(run_of, open_page, axe, name, width, scheme):
    page = open_page(run_of(name)[0], "#i=1&l=3", width=width, height=740, scheme=scheme)
    page.evaluate(axe)
    for key in "1234":
        page.keyboard.press(key)
        found = page.evaluate("axe.run({ resultTypes: ['violations'] })")["violations"]
        assert [
            (problem["id"], problem["nodes"][0]["html"], problem["nodes"][0]["failureSummary"])
            for problem in found
            if problem["impact"] in ("serious", "critical")
        ] == []


HOSTILE = [
    "<img src=x onerror='window.hacked=1'>",
    "</script><script>window.hacked=2</script>",
    '"><svg onload=window.hacked=3>',
    "<!--data--> ${window.hacked=4}",
]


def test_labels_stay_text(pages_folder, open_page):
    edges = [(HOSTILE[0], label, 1) for label in HOSTILE[1:]]
    path = pages_folder / "hostile.html"
    lw.view(lw.compile(lw.algorithms.dijkstra()), edges, source=HOSTILE[0]).save(path)
    page = open_page(path, "#i=1&l=3")
    for key in "1234":
        page.keyboard.press(key)
    page.keyboard.press("1")
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0
    assert page.locator("#panel-x tbody th").all_inner_texts() == HOSTILE
    assert HOSTILE[0] in text(page, "#subtitle")


def test_names_stay_text(pages_folder, open_page):
    name = "<img src=x onerror=window.hacked=1>"
    kept, halt = lw.nodes.value(name, start=0), lw.single.flag("halt", start=0)
    only = lw.step(name, lw.ops.Copy(kept, 1), lw.ops.Set(halt, lw.B_GLOBAL))
    program = lw.Program(name, (only,), {"kept": kept}, halt, (1,))
    shown = lw.view(lw.compile(program), SQUARE)
    shown.save(pages_folder / "names.html")
    assert "<img" not in shown.html
    assert "<img" not in shown._repr_html_()
    page = open_page(pages_folder / "names.html", "#i=1&l=1")
    for key in "1234":
        page.keyboard.press(key)
    assert page.evaluate("window.hacked") is None
    assert text(page, "#title").startswith(name)


# ── columns that variables share ────────────────────────────────────────────────────────────────


def heads(page) -> list[str]:
    return page.locator("#panel-x thead button").all_inner_texts()


def test_a_column_is_called_by_what_it_holds(page):
    kept = ["dists", "visit", "prev"]
    for expected in (
        [*kept, "dist"],
        [*kept, "nearest", "dist", "edge"],
        [*kept, "node", "dist", "chosen"],
        [*kept, "node", "dist", "edge"],
        [*kept, "nearest", "dist", "edge"],
    ):
        assert heads(page) == expected
        page.keyboard.press("ArrowRight")


def test_a_head_says_who_takes_turns_in_its_column(run_of, open_page):
    page = open_page(run_of("compact")[0], "#i=1&l=1")
    title = page.locator("#panel-x thead button", has_text="nearest").get_attribute("title")
    assert "nearest after layer 1; node after layers 2, 3" in title
    assert page.locator("#panel-x thead button.shared").all_inner_texts() == ["nearest", "edge"]
    assert "dotted: shares its column" in text(page, "#panel-x .tools")
    page = open_page(run_of("scc")[0], "#i=1&l=1")
    title = page.locator("#panel-x thead button", has_text="closed").get_attribute("title")
    assert "closed in X₀ and after layers 1, 5; node after layer 2; out after layers 3, 4" in title
    page.keyboard.press("End")
    title = page.locator("#panel-x .single .name", has_text="halt").get_attribute("title")
    assert "t2 after layer 3; halt after layers 4, 5" in title
    page = open_page(run_of("paper")[0])
    assert page.locator("#panel-x .shared").count() == 0


def test_a_new_variable_in_a_column_was_nothing_before(run_of, open_page):
    """What its column held is another variable's, and no old value of it."""
    page = open_page(run_of("compact")[0], "#i=2&l=2")
    lines = page.locator("#panel-x .changes li").all_inner_texts()
    assert "node[Ulm]: → Augsburg" in lines
    assert "dist[Ulm]: 0 → 80" in lines
    row = page.locator("#panel-x tbody tr").first
    titles = row.locator("td").evaluate_all("cells => cells.map((cell) => cell.title)")
    assert {"node of Ulm: 2", "dist of Ulm: 0 → 80"} <= set(titles)


def test_a_variable_is_not_shown_where_it_does_not_live(run_of, open_page):
    page = open_page(run_of("compact")[0], "#i=1&l=2")
    page.select_option("#watched-variable", "nearest")
    page.select_option("#mark", "nearest")
    words = "nearest does not live after this layer: its column holds node"
    assert text(page, "#legend").count(words) == 2
    assert set(page.locator("#drawing .value").all_text_contents()) == {""}
    page.keyboard.press("Home")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Home")
    assert "nearest does not live in X₀ ·" in text(page, "#legend")
    page.keyboard.press("ArrowRight")
    assert "colour: nearest · dot: nearest" in text(page, "#legend")


def test_the_mark_is_a_flag_that_always_lives(run_of, open_page):
    page = open_page(run_of("scc")[0])
    assert page.input_value("#mark") == "found"


def test_a_cell_that_another_variable_leaves_is_no_change(run_of, open_page):
    """`halt` shares its column with variables of nodes, which become 0 when it is written."""
    path, trace = run_of("scc")
    left = [frame for frame in trace if set(frame.changed.get("halt", ())) - {0}]
    assert left
    page = open_page(path, f"#i={left[0].iteration}&l={left[0].layer + 1}")
    lines = page.locator("#panel-x .changes li").all_inner_texts()
    assert not [line for line in lines if line.startswith(("halt", "column"))]
    page = open_page(path)
    page.select_option("#watched-variable", "halt")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("n")
    assert [number(page)] == changes(trace, "halt", None)


# ── the author's statements ─────────────────────────────────────────────────────────────────────


def test_statements_are_shown_as_written(run_of, open_page):
    path, trace = run_of("compact")
    page = open_page(path)
    page.click("#written summary")
    lines = page.locator("#statements code").all_inner_texts()
    assert lines == list(dict.fromkeys(step.name for step in trace.program.as_written().steps))
    assert lines[0] == "nearest = p.is_least(dists, unless=visit)"
    title = page.locator("#statements code").first.get_attribute("title")
    assert title.startswith("dijkstra.py, line ")


def test_layers_that_are_the_authors_are_shown_once(run_of, open_page):
    assert not open_page(run_of("paper")[0]).is_visible("#written")
