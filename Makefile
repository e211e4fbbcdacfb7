# make play       play in the browser: the page opens, or its address is printed
# make test       everything that must hold before a change lands
# make test-all   the same and the longer proofs, with kernels as users have them
# make test-gpu   what runs on a GPU, on a real one; `make test` runs it in Numba's simulator
# make fuzz       random games against a reference implementation, on all cores until Ctrl-C; FUZZ="--minutes 60" and the like
# make mutations  deliberate faults, each of which the fuzzer must find
# make docs       the documentation as a site, in site/: open site/index.html
# make bench      the speed figures, as ratios taken in one run, and those of peers from PyPI beside them
#
# Each creates .venv and installs what it needs; nothing else has to be typed first.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
BIN := .venv/bin
# How many processes run the tests: twice the cores of a small machine, since many tests wait.
WORKERS ?= 4
# What `make bench` tells bench/peers.py, as in PEERS=--quick.
PEERS ?=
# What it tells bench/programs.py, as in PROGRAMS=--install; those that are not installed are left out.
PROGRAMS ?=
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# What `make fuzz` tells tests/fuzz/run.py.
FUZZ ?=

.PHONY: play test test-all test-gpu compile-once fuzz mutations docs bench lint clean

play: .venv/play
	@$(BIN)/zermelo serve

test: .venv/test .venv/browser .venv/compiler
	@$(MAKE) --no-print-directory -j 2 lint compile-once
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not slow"

test-all: .venv/test .venv/browser .venv/compiler
	@$(MAKE) --no-print-directory -j 2 lint compile-once
	ZERMELO_QUICK_CODE=0 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

test-gpu: .venv/gpu
	ZERMELO_TEST_GPU=1 $(BIN)/python -m pytest tests/native/test_cuda.py

# What every worker, and every test with an empty cache, would compile for itself: the kernels, and the tests.
compile-once: .venv/test
	@$(BIN)/python -m zermelo.games.support.build_kernels
	@$(BIN)/python -m pytest --collect-only -qq >/dev/null || true  # what is wrong is told by the run

fuzz: .venv/test
	$(BIN)/python tests/fuzz/run.py --jobs $(shell nproc) $(FUZZ)

mutations: .venv/test
	$(BIN)/python tests/fuzz/mutations.py

# A warning is an error. Material warns of its own end of life in 2027, which is no fault of the pages.
docs: .venv/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "Open site/index.html."

bench: .venv/play
	$(BIN)/zermelo bench
	$(BIN)/python bench/perft_table.py
	$(BIN)/python bench/limits.py
	$(BIN)/python bench/solving.py
	$(BIN)/python bench/peers.py $(PEERS)
	$(BIN)/python bench/chess_contest.py
	$(BIN)/python bench/programs.py --clock 10s+0.1 $(PROGRAMS)
	$(BIN)/python bench/backgammon.py
	$(BIN)/python bench/values.py

lint: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# A player needs the package and its web page; the tests need their tools as well. Python compiles what it imports, and
# that is far less than all that is installed.
.venv/play: .venv/python pyproject.toml
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[web]'
	@touch $@

.venv/test: .venv/python pyproject.toml
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[dev]'
	@touch $@ .venv/play .venv/docs

.venv/docs: .venv/python pyproject.toml
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[docs]'
	@touch $@

.venv/gpu: .venv/test
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[cuda]'
	@touch $@

# The page is tested in real browsers: Debian's, where the machine has none. Chromium without its windows opens a page in a
# third of the time.
.venv/browser: .venv/test
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || \
		$(MAKE) --no-print-directory debian-chromium
	@command -v firefox-esr >/dev/null || command -v firefox >/dev/null || $(MAKE) --no-print-directory debian-firefox
	@touch $@

# The reader of databases in C is compiled and tested.
.venv/compiler: .venv/test
	@command -v cc >/dev/null || $(MAKE) --no-print-directory debian-compiler
	@touch $@

.venv/python:
	@if [ -z "$(PYTHON)" ]; then $(MAKE) --no-print-directory debian-python; fi
	@"$(or $(PYTHON),python3)" -m venv .venv
	@touch $@

# $(call debian,PACKAGES,SENTENCE): install them where we may, and say what is missing where we may not.
define debian
	@if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(1) >/dev/null; \
	elif command -v apt-get >/dev/null && sudo -n true 2>/dev/null; then \
		sudo apt-get update -qq && sudo DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(1) >/dev/null; \
	else \
		echo "$(2) (on Debian: apt install $(1))." >&2; exit 1; \
	fi
endef

.PHONY: debian-python debian-chromium debian-firefox debian-compiler
debian-chromium:
	$(call debian,chromium-headless-shell fonts-dejavu-core,The tests of the page need Chromium)

debian-firefox:
	$(call debian,firefox-esr,The tests of the page need Firefox)

debian-compiler:
	$(call debian,gcc libc6-dev libzstd-dev libxxhash-dev,The test of the reader in C needs a compiler)

# Debian splits venv from Python.
debian-python:
	$(call debian,python3 python3-venv,Zermelo needs Python 3.11 or newer with venv)
	@python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Zermelo needs Python 3.11 or newer; $$(python3 --version) is what this machine has." >&2; exit 1; }

clean:
	rm -rf .venv bench/.venv dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
