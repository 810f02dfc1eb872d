# Two commands on a fresh machine: `make demo` and `make test`. Needs Python 3.11 or newer; uses uv if it is there.
# Arguments pass through: make test ARGS="-k fork". Another interpreter: make demo PYTHON=/path/to/python3.

PYTHON ?=
ARGS ?=
BIN := .venv/bin
# Tests that start no program, no browser, no engine and no viewer: about a minute on 2 cores.
QUICK := --hypothesis-profile=quick -m "not (process or browser or engine or pilot or slow or deep)"
PYTEST := PYTHONWARNDEFAULTENCODING=1 $(BIN)/python -m pytest --maxprocesses=8 --dist worksteal
# Tests wait for programs and for time to pass: three of them for each core keep the cores busy.
CORES = $$(getconf _NPROCESSORS_ONLN)
WORKERS = $$(( $(CORES) * 3 ))
QUICK_WORKERS = $$(( ($(CORES) * 3 + 1) / 2 ))

# Without compiled code each of the thousand processes that tests start compiles all it imports.
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV PYTHONDONTWRITEBYTECODE
export PYTHON
# The linter's wrapper must run the version that is pinned, and not ask the network for a newer one.
export PYRIGHT_PYTHON_FORCE_VERSION :=
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

.PHONY: help install demo fleet test test-deep quick faults check latest wheel bundle fmt bench conformance screenshots docs site manifests owner lock clean
.DEFAULT_GOAL := help
.SILENT:

help:
	echo "make demo         watch a scripted agent think (installs into .venv first)"
	echo "make fleet        watch the agents of three machines on one wall (needs redis-server or valkey-server)"
	echo "make test         run the suite: about five minutes"
	echo "make test-deep    run all tests, with what is long by nature: some hours"
	echo "make quick        run the tests of the core, in about a minute"
	echo "make faults       plant small faults in a copy, and see which test finds each"
	echo "make check        format, lint, types, import contracts, workflows"
	echo "make latest       try the newest versions of what we build on: types, and the quick tests"
	echo "make wheel        build the wheel, install it into an empty environment, and try it there"
	echo "make bundle       build the bundle for Claude Desktop"
	echo "make fmt          format, and fix what can be fixed"
	echo "make bench        measure"
	echo "make conformance  run the official MCP conformance suite and the Inspector (needs npm)"
	echo "make screenshots  draw the README's pictures again"
	echo "make docs         draw the drawings of docs/ again, and write the tables that are generated"
	echo "make site         build the documentation as a static site in build/site"
	echo "make manifests    write the files that hosts and registries read, after a change of version or description"
	echo "make owner        name the account that publishes, everywhere: make owner OWNER=name"
	echo "make lock         pin again after a change in pyproject.toml (needs uv)"
	echo "make clean        remove .venv and everything generated"

install:
	sh .ci/install

demo: install
	$(BIN)/seqthink demo $(ARGS)

# Pull the engine's plug every 20 s, for an audience: make fleet ARGS=--plug
fleet: install
	$(BIN)/python -m seqthink.cli.stories.three_machines $(ARGS)

# A file opened without naming its encoding warns, and warnings are errors (pyproject.toml names the exceptions).
test: install
	$(PYTEST) -n $(WORKERS) -m "not deep" $(ARGS)

# What is long by nature, and a thousand new examples of each law: SEQTHINK_EXAMPLES says how many.
test-deep: install
	$(PYTEST) -n $(WORKERS) --hypothesis-profile=deep $(ARGS)

quick: install
	$(PYTEST) -n $(QUICK_WORKERS) $(QUICK) $(ARGS)

# ARGS chooses faults and tests: make faults ARGS="journal --suite quick"
faults: install
	$(BIN)/python -m tests.faults $(ARGS)

check: install
	$(BIN)/ruff format --check --quiet
	$(BIN)/ruff check
	$(BIN)/pyright
	sh .ci/check-workflows
	if [ -x $(BIN)/hadolint ]; then $(BIN)/hadolint Dockerfile; else echo "no hadolint for this platform: Dockerfile not linted"; fi
	report=$$($(BIN)/lint-imports --no-logo) || { echo "$$report"; exit 1; }; echo "$$report" | tail -n 1

# ARGS names other tests than the quick ones: make latest ARGS=tests
latest: install
	sh .ci/latest $(or $(ARGS),$(QUICK))

wheel: install
	sh .ci/wheel

bundle: install
	sh .ci/wheel --build
	$(BIN)/python -m tests.support.packaging.bundle dist

fmt: install
	$(BIN)/ruff format --quiet
	$(BIN)/ruff check --fix

bench: install
	$(BIN)/python -m tests.bench $(ARGS)

conformance: install
	$(BIN)/python -m tests.conformance $(ARGS)

screenshots: install
	$(BIN)/python -m tests.support.screens.screenshots $(ARGS)

docs: install
	$(BIN)/python -m tests.support.docs.pages
	$(BIN)/python -m tests.support.docs.tutorial

site: install
	sh .ci/site

manifests: install
	$(BIN)/python -m tests.support.hosts.manifests

owner: install
	$(BIN)/python -m tests.support.hosts.manifests --owner "$(OWNER)"

# Keeps the versions that still fit; `make lock ARGS=--upgrade` takes the newest. The next three files have the same versions of
# what a user needs, of what a fleet needs, and of what builds the wheel: the image and the test of the wheel install nothing else.
# What builds the site has a place of its own.
lock:
	uv pip compile -q pyproject.toml --group dev --extra audit --extra fleet --universal --generate-hashes --python-version 3.11 --no-header \
		$(ARGS) -o .ci/requirements.txt
	uv pip compile -q pyproject.toml -c .ci/requirements.txt --universal --generate-hashes --python-version 3.11 --no-header \
		--no-annotate -o .ci/runtime.txt
	printf '%s\n' 'redis[hiredis]' | uv pip compile -q - -c .ci/requirements.txt --universal --generate-hashes \
		--python-version 3.11 --no-header --no-annotate -o .ci/fleet.txt
	printf '%s\n' hatchling hatch-fancy-pypi-readme | uv pip compile -q - -c .ci/requirements.txt --universal --generate-hashes \
		--python-version 3.11 --no-header --no-annotate -o .ci/build.txt
	echo zensical | uv pip compile -q - -c .ci/requirements.txt --universal --generate-hashes \
		--python-version 3.11 --no-header --no-annotate $(ARGS) -o .ci/site.txt

clean:
	rm -rf .venv .venv-latest .venv-site .venv-wheel .hypothesis .pytest_cache .ruff_cache .import_linter_cache dist build *.egg-info snapshot_report.html
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
