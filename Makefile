# make play       play Connect Four in the terminal
# make test       everything that must hold before a change lands
# make test-all   the same and the longer proofs
# make bench      the speed figures, as ratios taken in one run, and those of peers from PyPI beside them
#
# Each creates .venv and installs what it needs; nothing else has to be typed first.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
BIN := .venv/bin
WORKERS ?= 2
# What `make bench` tells bench/peers.py, as in PEERS=--quick.
PEERS ?=
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: play test test-all bench lint clean

play: .venv/play
	@$(BIN)/zermelo play connect_four

test: .venv/test lint
	$(BIN)/python -m pytest -n $(WORKERS) -m "not slow"

test-all: .venv/test lint
	$(BIN)/python -m pytest -n $(WORKERS)

bench: .venv/play
	$(BIN)/zermelo bench
	$(BIN)/python bench/solving.py
	$(BIN)/python bench/peers.py $(PEERS)

lint: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# A plain user needs the package alone; the tests need their tools as well.
.venv/play: .venv/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

.venv/test: .venv/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ .venv/play

.venv/python:
	@if [ -z "$(PYTHON)" ]; then $(MAKE) --no-print-directory debian-python; fi
	@"$(or $(PYTHON),python3)" -m venv .venv
	@touch $@

# Debian splits venv from Python; install it where we may, and say what is missing where we may not.
.PHONY: debian-python
debian-python:
	@if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
		apt-get update -qq && apt-get install -y -qq python3 python3-venv; \
	elif command -v apt-get >/dev/null && sudo -n true 2>/dev/null; then \
		sudo apt-get update -qq && sudo apt-get install -y -qq python3 python3-venv; \
	else \
		echo "Zermelo needs Python 3.11 or newer with venv (on Debian: apt install python3 python3-venv)." >&2; exit 1; \
	fi
	@python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Zermelo needs Python 3.11 or newer; $$(python3 --version) is what this machine has." >&2; exit 1; }

clean:
	rm -rf .venv bench/.venv dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
