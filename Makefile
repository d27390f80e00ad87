# make run     set up, then Dijkstra on a small map (program, cost, answer) and the paper's Table 1
# make test    set up, then lint, type-check and every test
# make check   ten seconds: formatting, lint, and the whole pipeline on three nodes
# make lint    formatting, lint and strict types
# make browser install what the tests of the viewer drive: Chromium (as root, on Debian), axe-core
# make docs    build the documentation as a site, with the gallery, into site/
# make test-networkx  NetworkX's own tests with our backend, and the table in docs/networkx.md: fifteen minutes
# make bench   measure, and write the figures into the pages
# make figures measure again and draw every picture in docs/figures: ten minutes
PYTHON ?= python3
BIN := .venv/bin
OTHERS := dijkstra:compact bfs:compact bfs:printed dfs:paper dfs:compact scc:paper scc:compact multitask:paper \
  multitask:compact prim:compact bellman-ford:compact dag-shortest-paths:compact topological-sort:compact \
  components:compact articulation-points:compact bridges:compact

.PHONY: setup run check test test-networkx lint format browser docs bench pages figures clean

setup: .venv/.done

.venv/.done: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $@

run: setup
	$(BIN)/loopwright show dijkstra --construction paper
	$(BIN)/loopwright run dijkstra examples/roads.txt --source Ulm --undirected --construction paper --verify
	$(BIN)/loopwright clrs bfs dfs dijkstra scc multitask --construction paper

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright

check: setup
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/pytest tests/test_tiny.py

test: lint
	$(BIN)/pytest -n 2

test-networkx: setup
	$(BIN)/python scripts/test_networkx.py

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

browser: .browser/.done

.browser/.done: scripts/install_browser.py | setup
	$(BIN)/python scripts/install_browser.py
	touch $@

docs: setup
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "The documentation is in site/index.html."

bench: setup
	$(BIN)/loopwright bench --save benchmarks/results.json --picture docs/figures/speed.png
	$(BIN)/python scripts/update_readme.py

pages: setup
	$(BIN)/python scripts/update_readme.py
	$(BIN)/python scripts/update_language.py
	$(BIN)/python scripts/update_bridges.py
	$(BIN)/python scripts/update_parallel.py

figures: setup
	$(BIN)/loopwright conditioning --out docs/figures
	$(BIN)/loopwright limits dijkstra --construction paper --picture docs/figures/limits-dijkstra.png --json > docs/figures/limits-dijkstra.json
	$(BIN)/loopwright limits bfs --construction paper --picture docs/figures/limits-bfs.png --json > docs/figures/limits-bfs.json
	set -e; for of in $(OTHERS); do \
	  $(BIN)/loopwright limits $${of%:*} --construction $${of#*:} --json > docs/figures/limits/$${of%:*}-$${of#*:}.json; done
	$(BIN)/loopwright recover --seed 0 --out docs/figures
	$(BIN)/loopwright recover --seed 0 --repeats 1 --largest 65536 --resolution-bits 16 --out docs/figures/fine
	$(BIN)/python scripts/draw_viewer.py
	$(BIN)/python scripts/record_iterations.py

clean:
	rm -rf .venv .browser site
