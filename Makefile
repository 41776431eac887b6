# All commands for users and contributors. `make` without a target lists them.

.DEFAULT_GOAL := help
.NOTPARALLEL:

VENV ?= .venv
PORT ?= 6006
WORKERS ?= 2
FUZZ_SECONDS ?= 900
PYTEST_ARGS ?=
SHARED ?= ../shared
DUMPS ?= tests/data/live_ranges $(wildcard ../shared/cases/live_ranges ../shared/cases/owners)

PYTHON ?= $(shell for candidate in python3 python3.14 python3.13 python3.12 python3.11 python3.10 python; do \
	if $$candidate -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; \
	then echo $$candidate; break; fi; done)
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
RUN := $(BIN)/python
# The location of node and npm is found once and stored in the environment.
NPM = PATH="$$(cat $(VENV)/.node):$$PATH" npm --prefix frontend

.PHONY: help
help: ## list the commands
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# ---- For users ----

.PHONY: demo
demo: $(VENV)/.installed ## install and serve the captures that ship with the package (PORT=6006)
	$(BIN)/memviewer demo --port $(PORT)

# ---- For contributors ----

.PHONY: check
check: ready ## formatting, types, fast tests of both languages, generated files (about a minute)
	$(MAKE) lint types page-check fresh
	$(RUN) -m pytest -q -m "not house and not browser and not packaging and not slow" $(PYTEST_ARGS)

# tests/test_house.py runs the checks that `check` runs besides pytest, so that the last line counts everything.
.PHONY: test
test: ready chromium $(VENV)/.fuzz ## install everything the tests need, and run all checks
	$(RUN) -m pytest -n $(WORKERS) --dist loadgroup $(PYTEST_ARGS)

.PHONY: fuzz
fuzz: ready $(VENV)/.fuzz ## fuzz every file reader, guided by coverage (FUZZ_SECONDS each)
	FUZZ_SECONDS=$(FUZZ_SECONDS) $(RUN) -m pytest -q -s tests/fuzz

.PHONY: lifetimes
lifetimes: ready ## compare lifetimes with XLA's own live ranges (DUMPS="folder ...")
	$(RUN) -m tools.score_lifetimes $(DUMPS)

.PHONY: owners
owners: ready ## owners beside programs whose truth is known, a table (SHARED=folder)
	$(RUN) -m tools.score_owners $(SHARED)

.PHONY: test-matrix
test-matrix: ready ## run the tests on every Python, with the oldest and the newest packages
	$(RUN) -m tools.test_matrix --write docs/versions.md

.PHONY: test-install
test-install: ready ## install with each Python's own pip, within a time limit
	$(RUN) -m tools.test_install

.PHONY: test-xprof
test-xprof: ready chromium ## run the tests of the Profile tab with several versions of xprof (XPROF="2.20.0 2.24.2")
	$(RUN) -m tools.test_xprof $(XPROF)

.PHONY: fix
fix: ready ## format, and fix what the linters can fix
	$(RUN) -m ruff format .
	$(RUN) -m ruff check --fix .
	$(NPM) run fix

.PHONY: dev
dev: ready ## serve the demo, and rebuild the page whenever its source changes
	$(NPM) run watch & $(BIN)/memviewer demo --port $(PORT); kill $$!

.PHONY: bench
bench: ready ## measure speed and memory, together with XProf; updates docs/performance.md
	$(RUN) -m bench --write docs/performance.md

.PHONY: docs
docs: $(VENV)-docs/.installed ## build the documentation site in build/site; fails on broken links
	NO_MKDOCS_2_WARNING=1 $(VENV)-docs/$(notdir $(BIN))/python -m mkdocs build --strict

.PHONY: gallery
gallery: ready chromium ## update the pictures of every view, which a test compares with the page
	$(RUN) -m tools.gallery

.PHONY: page
page: ready ## build the page into the package
	$(NPM) run build

.PHONY: contract
contract: ready ## generate the page's types and the JSON schema from the records of answers
	$(RUN) -m tools.generate_contract

.PHONY: build
build: ready ## build the sdist and the wheel in dist/
	rm -rf dist
	$(RUN) -m build --outdir dist
	$(RUN) -m twine check --strict dist/*

.PHONY: audit
audit: ready ## check dependencies for known vulnerabilities; queries the registries
	$(RUN) -m pip install -q pip-audit
	$(RUN) -m pip_audit --strict --disable-pip -r requirements-test.txt -r requirements-docs.txt
	$(NPM) audit

LOCK = $(RUN) -m uv pip compile -q --universal --python-version 3.10 --upgrade --generate-hashes \
	--no-annotate --no-header --no-emit-index-url --no-strip-extras

.PHONY: lock
lock: ready ## update the versions and hashes in requirements-*.txt
	$(RUN) -m pip install -q uv
	$(LOCK) requirements-test.in pyproject.toml -o requirements-test.txt
	$(LOCK) requirements-docs.in -o requirements-docs.txt
	$(LOCK) requirements-fuzz.in -o requirements-fuzz.txt

# ---- Parts of the commands above ----

.PHONY: lint
lint: ready
	$(RUN) -m ruff format --check .
	$(RUN) -m ruff check .

.PHONY: types
types: ready
	$(RUN) -m mypy

.PHONY: page-check
page-check: ready
	$(NPM) run check
	$(NPM) test

.PHONY: fresh
fresh: ready
	$(RUN) -m tools.generate_protos --check
	$(RUN) -m tools.generate_contract --check
	$(RUN) -m tools.generate_vocabulary --check
	$(RUN) -m tools.pack_demo --check
	$(NPM) run fresh

.PHONY: ready
ready: $(VENV)/.tools frontend/node_modules/.package-lock.json

.PHONY: chromium
chromium: $(VENV)/.tools
	$(RUN) -m tools.find_chromium --install

$(VENV)/.made:
	@test -n "$(PYTHON)" || { echo "Python 3.10 or later is needed. Name one with make PYTHON=/path/to/python3" >&2; exit 1; }
	@test -x $(RUN) || $(PYTHON) -m venv $(VENV) || { \
		test "$$(id -u)" = 0 && apt-get update -qq && apt-get install -y -qq python3-venv && \
		$(PYTHON) -m venv --clear $(VENV); }
	@touch $@

$(VENV)/.installed: $(VENV)/.made setup.py pyproject.toml
	$(RUN) -m pip install .
	@touch $@

# The pinned versions come first, so that installing the package changes none of them.
$(VENV)/.tools: $(VENV)/.made setup.py pyproject.toml requirements-test.txt
	$(RUN) -m pip install -q -r requirements-test.txt
	PYTHONWARNINGS=ignore $(RUN) -m pip install -q --no-deps --no-build-isolation --config-settings editable_mode=compat -e .
	@touch $(VENV)/.installed $@

# If there is no wheel for this platform, the tests that need it are skipped with a reason.
$(VENV)/.fuzz: $(VENV)/.tools requirements-fuzz.txt
	$(RUN) -m pip install -q --only-binary :all: -r requirements-fuzz.txt
	@touch $@

$(VENV)-docs/.installed: $(VENV)/.made requirements-docs.txt
	$(RUN) -m venv $(VENV)-docs
	$(VENV)-docs/$(notdir $(BIN))/python -m pip install -q -r requirements-docs.txt
	@touch $@

$(VENV)/.node: $(VENV)/.tools tools/find_node.py
	$(RUN) -m tools.find_node --install > $@.new
	@mv $@.new $@

frontend/node_modules/.package-lock.json: $(VENV)/.node frontend/package.json frontend/package-lock.json
	$(NPM) ci --no-audit --no-fund
	@touch $@
