# `make demo` and `make test` need Python 3.11 or later, git and make; everything else goes into .venv, once. After that they
# work without a network. All paths are relative and tools run as modules, so that the tree may lie under a path with spaces
# (the scripts in a venv's bin/ name their interpreter in their first line, which breaks at a space).

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:

# Tests and studies start hundreds of processes; each would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

# Give your own: make test PYTHON=/opt/python/bin/python3
PYTHON ?=
NAMES := python3.13 python3.12 python3.11 python3
# Exact versions, so that what was tested is what runs. `make demo LOCK=` takes the newest that pyproject.toml allows.
LOCK ?= requirements/ci.txt

PY := .venv/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --no-input
PINNED := $(if $(LOCK),--constraint $(LOCK))
LINT_IMPORTS := $(PY) -c 'import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())'
# The build's own needs are installed rather than fetched at each build: then an editable install works offline, too.
BUILD_NEEDS := 'hatchling>=1.27' 'editables>=0.5'

# All notebooks, or those whose numbers are given: make notebooks NOTEBOOKS="06 11"
CHOSEN := $(or $(NOTEBOOKS:%=notebooks/%*.py),notebooks/*.py)

# Tests run in so many processes, one more than two cores: some wait. Where the time went is kept in a file, and the slowest are printed.
WORKERS ?= 3
PYTEST := $(PY) -m pytest -n $(WORKERS) --dist worksteal --durations 25 --durations-min 0.1 --durations-file=build/durations.txt

.PHONY: help demo test checked tested test-deep test-lowest compiled lint formatted format types imports notebooks handout slides docs lock clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

demo: .venv/core.stamp ## solve the papers' ten-row table, and a census table of 30,162 rows, in two minutes
	-@$(PY) -m anoptima prepare
	@$(PY) -m anoptima demo --census

test: ## everything that CI runs: lint, formatting, types, import order, tests
	@$(MAKE) --no-print-directory --jobs 2 checked
	@$(MAKE) --no-print-directory tested

checked: types compiled formatted lint

tested: .venv/dev.stamp
	$(PYTEST)

# Once for all tests, while the tools of developers are installed and the checks run; tests of empty caches bring their own.
compiled: .venv/core.stamp
	$(PY) -m anoptima prepare

test-deep: .venv/dev.stamp ## the tests with many more examples; takes hours
	HYPOTHESIS_PROFILE=deep $(PY) -m pytest -m 'not notebook and not packaging'

test-lowest: .venv-lowest/core.stamp ## the tests against the lowest versions that pyproject.toml allows
	.venv-lowest/bin/python -m pytest -m 'not deep and not packaging'

lint: .venv/dev.stamp ## style, docstrings, import order
	$(PY) -m ruff check .
	$(LINT_IMPORTS)

formatted: .venv/dev.stamp
	$(PY) -m ruff format --check .

format: .venv/dev.stamp ## put the code into shape
	$(PY) -m ruff check --fix-only --quiet .
	$(PY) -m ruff format .

types: .venv/dev.stamp ## strict type checking
	$(PY) -m mypy

notebooks: .venv/dev.stamp ## execute the notebooks, or those of NOTEBOOKS="06 11", and keep them, with their output, in build/notebooks, where `make docs` finds them
	$(PY) tests/house/notebooks.py build/notebooks $(CHOSEN)

handout: .venv/dev.stamp ## the notebooks without their solutions, for students, in build/handout
	$(PY) tests/house/notebooks.py --handout build/handout $(CHOSEN)

slides: .venv/dev.stamp ## the notebooks' figures as SVG, in build/slides
	$(PY) tests/house/notebooks.py --slides build/slides $(CHOSEN)

docs: .venv/dev.stamp ## the documentation as a site, in build/site; open build/site/index.html
	$(PY) -m sphinx --fail-on-warning --quiet --builder html docs build/site

lock: ## write requirements/ci.txt anew from the newest versions that pyproject.toml allows
	rm -rf .venv-lock
	@$(find-python) && "$$python" -m venv .venv-lock
	.venv-lock/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	.venv-lock/bin/python -m pip install --quiet $(BUILD_NEEDS)
	.venv-lock/bin/python -m pip install --quiet --no-build-isolation -e '.[cluster,docs,notebooks,parquet,plots,scip]' --group dev
	@{ sed -n '/^#/p' requirements/ci.txt && .venv-lock/bin/python -m pip freeze --all --exclude-editable --exclude setuptools | LC_ALL=C sort -f; } > .venv-lock/ci.txt
	mv .venv-lock/ci.txt requirements/ci.txt
	rm -rf .venv-lock

clean: ## remove the environments and everything built
	rm -rf .venv .venv-lowest .venv-lock build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

# ---- environments -------------------------------------------------------------------------------------------------------------

# Sets $$python to the first interpreter that runs, is new enough and can make environments. A name on the path proves nothing:
# version managers leave names there that only print an error.
define find-python
tried=; python=; \
for name in $(if $(PYTHON),"$(PYTHON)",$(NAMES)); do \
    version=$$("$$name" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) \
        || { $(if $(PYTHON),tried="$$tried $$name does not run.";) continue; }; \
    if ! "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
        tried="$$tried $$name is Python $$version."; \
    elif ! "$$name" -c 'import ensurepip, venv' 2>/dev/null; then \
        tried="$$tried $$name has no venv module (on Debian and Ubuntu: apt install python$$version-venv)."; \
    else python=$$name; break; fi; \
done; \
if [ -z "$$python" ]; then \
    echo "anoptima needs Python 3.11 or later.$$tried Install one, or name one: make PYTHON=/path/to/python3 $(MAKECMDGOALS)" >&2; exit 1; \
fi
endef

# An environment knows its own place. One that came along with a copied or moved tree is built anew.
ifneq ($(shell cat .venv/made 2>/dev/null),$(CURDIR))
.PHONY: .venv/made
endif
ifneq ($(shell cat .venv-lowest/made 2>/dev/null),$(CURDIR))
.PHONY: .venv-lowest/made
endif

.venv-lowest/made: NAMES := python3.11
.venv/made .venv-lowest/made:
	@rm -rf '$(@D)'
	@$(find-python); echo "making $(@D) with $$python (Python $$version)"; "$$python" -m venv '$(@D)'
	@pwd -P > '$@'

.venv/core.stamp: .venv/made pyproject.toml $(LOCK)
	$(PIP) install --quiet $(PINNED) $(BUILD_NEEDS)
	$(PIP) install --quiet $(PINNED) --no-build-isolation -e .
	@touch '$@'

# Dependency groups need pip 25.1; the one that comes with Python 3.11 is older. What users have is there already and stays as it is, so
# that loops can be compiled meanwhile. Of the rest no module is compiled before it is imported.
.venv/dev.stamp: .venv/core.stamp
	$(PIP) install --quiet $(PINNED) 'pip>=25.1'
	$(PIP) install --quiet $(PINNED) --no-compile 'anoptima[cluster,docs,notebooks,parquet,plots,scip]' --group dev
	@touch '$@'

.venv-lowest/core.stamp: .venv-lowest/made pyproject.toml requirements/lowest.txt
	.venv-lowest/bin/python -m pip install --quiet 'pip>=25.1' $(BUILD_NEEDS)
	.venv-lowest/bin/python -m pip install --quiet --constraint requirements/lowest.txt --no-build-isolation -e '.[cluster,docs,notebooks,parquet,plots,scip]' --group test
	@touch '$@'
