# Two commands matter on a fresh machine: `make ask Q="..."` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SHELL := /bin/bash

# The real corpora lie beside a checkout or nowhere; tests over them say why they are skipped.
ifneq ($(wildcard ../shared/data),)
export SAYSO_DATA ?= $(abspath ../shared/data)
endif

# `value` keeps dollars and quotes in the request away from make and from the shell.
export SAYSO_ASKED := $(value Q)

# Hundreds of tests start a `sayso` of their own: without compiled modules the quick loop takes half as long again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: ask check test types tests wheels bench docs results pages system clean help

help:
	@echo 'make ask Q="list the five largest files"   ranked commands from the embedded model'
	@echo 'make check                                 lint, types, import contracts, quick tests (under 60 s)'
	@echo 'make test                                  everything but the network tests; what CI runs'
	@echo 'make wheels                                the three distributions in dist/, their sizes and bundles checked'
	@echo 'make bench                                 benchmarks, printed as ratios'
	@echo 'make results                               run the embedded systems on dev again, rewrite their rows, publish'
	@echo 'make pages                                 count the corpora again, rewrite every page of results, with the commit'
	@echo 'make docs                                  rewrite the generated pages under docs/'

$(VENV)/.made:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "sayso needs Python 3.11 or newer; set PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.base: $(VENV)/.made pyproject.toml constraints.txt
	@echo 'installing sayso into $(VENV) (once)' >&2
	@$(BIN)/pip install -qq --disable-pip-version-check -c constraints.txt -e . >&2
	@touch $@

# Weights for notebook cells and for Okapi's tasks are distributions of their own, found by entry point also here.
$(VENV)/.all: $(VENV)/.made pyproject.toml constraints.txt packages/sayso-notebook/pyproject.toml packages/sayso-okapi/pyproject.toml
	$(BIN)/pip install -qq --disable-pip-version-check -c constraints.txt -e '.[all]'
	$(BIN)/pip install -qq --disable-pip-version-check --no-build-isolation --no-deps -e packages/sayso-notebook -e packages/sayso-okapi
	@touch $@ $(VENV)/.base

ask: $(VENV)/.base
	@$(BIN)/sayso bash --no-menu -- "$$SAYSO_ASKED"

system:
	@bash .ci/system-packages

check: $(VENV)/.all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -q -n 2 -m 'not torch and not sandbox and not slow and not browser and not ray and not network'

# Types without a cache take a minute of one core: the tests use the other meanwhile, and both are told of.
test: system $(VENV)/.all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@$(MAKE) --no-print-directory -k -j 2 types tests

types: $(VENV)/.all
	$(BIN)/mypy
	$(BIN)/lint-imports

# A third of their time the tests wait for processes that they started: three workers keep two cores busy.
tests: $(VENV)/.all
	$(BIN)/pytest -n 3 -m 'not network'

wheels: $(VENV)/.all
	$(BIN)/python packages/wheels.py

bench: $(VENV)/.all
	$(BIN)/python -m benchmarks

docs: $(VENV)/.all
	$(BIN)/sayso docs

# The embedded system may have changed since its stored predictions were made: run it again, rewrite its row, publish
# the run; changed source is refused, since nobody could make its numbers again.
results: $(VENV)/.all
	$(BIN)/sayso eval bash/command --split dev --fresh --page docs/papers/nl2bash.md
	$(BIN)/sayso results publish --all --newest --task bash/command --split dev --systems default

# Everything that docs print of corpora, the ledger and benchmarks: hours, most of them benchmarks (`docs/benchmarks.md` says how
# long each takes). Broken off, `python -m benchmarks --page docs/benchmarks.md` goes on where it stopped, on the same commit.
pages: $(VENV)/.all docs
	$(BIN)/sayso stats nl2bash --keep --page docs/papers/nl2bash.md
	$(BIN)/sayso stats okapi --keep --page docs/papers/okapi.md
	$(BIN)/sayso stats notebooks --keep --page docs/papers/juice.md
	$(BIN)/sayso stats packages --keep --page docs/papers/readme-eval.md
	$(BIN)/sayso table --all --out docs/papers/tables.md
	$(BIN)/python -m benchmarks --page docs/benchmarks.md

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
