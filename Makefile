# make run     set up, then Dijkstra on a small named graph: program, cost, answer
# make test    set up, then lint, type-check and every test
# make lint    ruff and pyright alone
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup run test lint format clean

setup: .venv/.done

.venv/.done: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $@

run: setup
	$(BIN)/loopwright show dijkstra --construction paper
	$(BIN)/loopwright run dijkstra examples/roads.txt --source Ulm --undirected --construction paper --verify

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright

test: lint
	$(BIN)/pytest -n 2

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf .venv
