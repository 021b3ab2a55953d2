# make demo   the whole companion on a bundled clip, no camera needed
# make test   sets up and runs every test
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: demo test check bench dataset model workshop clean

demo: $(VENV)/.runtime
	$(BIN)/companion demo

test: $(VENV)/.test
	$(BIN)/python -m pytest $(ARGS)

check: $(VENV)/.test
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

bench: $(VENV)/.runtime
	$(BIN)/companion bench $(ARGS)

dataset: $(VENV)/.workshop
	$(BIN)/python -m datasets.workshop make train val test $(ARGS)

model: $(VENV)/.workshop
	$(BIN)/python -m datasets.workshop train $(ARGS)

workshop: $(VENV)/.workshop

$(VENV)/.made:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "wanted Python 3.11 or newer: make PYTHON=python3.11 …")'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.runtime: pyproject.toml | $(VENV)/.made
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.test: pyproject.toml | $(VENV)/.made
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	touch $@ $(VENV)/.runtime

$(VENV)/.workshop: pyproject.toml | $(VENV)/.made
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,workshop]'
	touch $@ $(VENV)/.runtime $(VENV)/.test

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache
