"""A notebook with all of it runs, and its export to HTML still shows the viewer."""

from __future__ import annotations

import nbformat
from nbclient import NotebookClient
from nbconvert import HTMLExporter

CELLS = [
    """import loopwright as lw, tempfile
graph = lw.Graph.of([("a", "b", 3), ("b", "c", 1.5), ("a", "c", 10)])
program = lw.algorithms.dijkstra()
model = lw.compile(program)
path = tempfile.mkdtemp() + "/run.jsonl"
answer = model.run(graph, source="a", observers=[lw.TraceWriter(path)])
trace = lw.Trace.load(path)""",
    *("model", "program", "model.check(graph)", "answer", "graph", "trace"),
    *("answer.plot()", "model.plot()", "trace.plot('dists')"),
    "answer.path('c'), answer.array('dists')",
    "lw.view(model, graph, source='a')",
]


def test_a_notebook_and_its_export(pages_folder, browser, open_page):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    NotebookClient(notebook, timeout=60).execute()
    outputs = [cell.outputs[0].data for cell in notebook.cells[1:]]
    tables, pictures, (path, view) = outputs[:6], outputs[6:9], outputs[9:]
    assert all("<table>" in data["text/html"] for data in tables)
    assert all(len(data["image/png"]) > 1000 for data in pictures)
    assert path["text/plain"] == "(['a', 'b', 'c'], array([0. , 3. , 4.5]))"
    assert view["text/plain"].startswith("<View of dijkstra (compact, hardmax) on 3 nodes: ")
    html, _ = HTMLExporter(template_name="basic").from_notebook_node(notebook)
    exported = pages_folder / "notebook.html"
    exported.write_text(f'<meta charset="utf-8"><html data-opened>{html}', encoding="utf-8")
    page = open_page(exported)
    frame = page.frame_locator("iframe")
    frame.locator("html[data-opened]").wait_for()
    assert frame.locator("#title").inner_text() == "dijkstra (compact, hardmax)"
    frame.get_by_role("button", name="To the end", exact=True).click()
    assert frame.locator("#moment").inner_text().startswith("iteration 3 of 3 · layer 3 of 3")
