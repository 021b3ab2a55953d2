# make demo   the whole companion on a bundled clip, no camera needed
# make test   sets up and runs every test; EXTRAS=test leaves the workshop's out and saves 6 GB
PYTHON ?= python3
EXTRAS ?= test,workshop
PICTURES ?= detector detector-b detector-c close clutter heap heap-b deck-a table-a clutter-b table-b val test
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test check bench dataset model clean

demo: $(VENV)/.runtime
	$(BIN)/companion demo $(ARGS)

test: $(VENV)/.$(EXTRAS)
	YOLO_OFFLINE=true $(BIN)/python -m pytest $(ARGS)

check: $(VENV)/.$(EXTRAS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.runtime
	$(BIN)/companion bench $(ARGS)

dataset: $(VENV)/.test,workshop
	$(BIN)/python -m datasets.workshop fonts
	for name in $(PICTURES) trust; do $(BIN)/python -m datasets.workshop make datasets/recipes/$$name.toml $(ARGS) || exit; done
	$(BIN)/python -m datasets.workshop counting datasets/recipes/tray-a.toml $(ARGS)

model: $(VENV)/.test,workshop
	YOLO_OFFLINE=true $(BIN)/python -m datasets.workshop train $(ARGS)

$(VENV)/.made:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "wanted Python 3.11 or newer: make PYTHON=python3.11 …")'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.runtime: pyproject.toml | $(VENV)/.made
	$(PIP) -e .
	touch $@

$(VENV)/.$(EXTRAS): pyproject.toml | $(VENV)/.made
	$(PIP) -e '.[$(EXTRAS)]'
	touch '$@' $(VENV)/.runtime

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache
