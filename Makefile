# Parley's front door: `make` alone lists what it can do. Each target installs what it lacks,
# configures and builds what it needs, and then does its job; a second time it starts at once.
.DEFAULT_GOAL := help
.PHONY: help run build check test lint format tsan reference browser crash bench

help:  ## list these targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

run: build  ## build Parley and serve on 127.0.0.1:8080; options in ARGS="--listen ADDR:PORT"
	@exec build/release/parley serve $(ARGS)

build:  ## build the hardened release: build/release/parley
	@tools/setup build
	@tools/build release parley

check:  ## the fast tests: every room under AddressSanitizer and UBSan, and the source checks
	@tools/setup build test
	@tools/build dev
	@ctest --preset dev

test:  ## what has to pass before a change goes in
	@tools/setup build test
	@tools/test

lint:  ## formatting, clang-tidy, floors, shell and Python scripts
	@tools/setup build test lint
	@tools/lint

format:  ## put every C++ source into the project's format
	@tools/setup lint
	@tools/format

tsan:  ## every room and the whole program under ThreadSanitizer
	@tools/setup build test
	@tools/build tsan
	@ctest --preset tsan
	@PARLEY_BINARY=build/tsan/parley $$(tools/venv)/python -m pytest tests

reference:  ## hold the reference against linters, fuzzers, generated clients and a browser
	@tools/setup build test
	@tools/build release parley
	@PARLEY_REFERENCE=full $$(tools/venv)/python -m pytest -o faulthandler_timeout=1800 tests/reference

browser:  ## every flow of the web app, in Chromium
	@tools/setup build test
	@tools/build release parley
	@PARLEY_BROWSER=full PARLEY_BINARY=build/release/parley $$(tools/venv)/python -m pytest tests/browser

crash:  ## power cuts, kill -9 and failing disks in full numbers (a quarter of an hour)
	@tools/setup build test
	@tools/build dev parley
	@tools/build release parley
	@for build in dev release; do \
	    PARLEY_CRASH=full PARLEY_BINARY=build/$$build/parley $$(tools/venv)/python -m pytest \
	        -o faulthandler_timeout=900 tests/crash || exit 1; done

bench:  ## measure Parley beside its peers (bench/)
	@tools/setup build bench
	@tools/build release parley
	@bench/run $(ARGS)
