# Builds, runs and tests Parley; `make` alone lists the targets. Each target installs missing packages,
# and configures and builds only what has changed.
.DEFAULT_GOAL := help
.PHONY: help run build check test lint format tsan reference browser crash chaos models clients bench install deb dist packages

help:  ## list these targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

run: build  ## build Parley and serve on 127.0.0.1:8080; MODEL=NAME fetches a model; options in ARGS="--listen ADDR:PORT"
	@$(if $(MODEL),build/release/parley model pull $(MODEL) && )exec build/release/parley serve $(if $(MODEL),--model $(MODEL)) $(ARGS)

build:  ## build the hardened release: build/release/parley
	@tools/setup build
	@tools/build release parley

check:  ## run the fast tests: every room under AddressSanitizer and UBSan, and the source checks
	@tools/setup build test
	@tools/build dev
	@ctest --preset dev

test:  ## run all tests that a change must pass; with FULL=1 all tests of the program with both builds
	@tools/setup build test
	@tools/test $(if $(FULL),full)

lint:  ## check formatting, dependencies between rooms, documents, scripts, and run clang-tidy
	@tools/setup build test lint
	@tools/lint

format:  ## format all C++ sources
	@tools/setup lint
	@tools/format

tsan:  ## test every room and the whole program under ThreadSanitizer
	@tools/setup build test
	@tools/build tsan
	@ctest --preset tsan
	@PARLEY_BINARY=build/tsan/parley $$(tools/venv)/python -m pytest tests

reference:  ## check the API reference with linters, fuzzers, generated clients and a browser
	@tools/setup build test
	@tools/build release parley
	@PARLEY_REFERENCE=full $$(tools/venv)/python -m pytest -o faulthandler_timeout=1800 tests/reference

browser:  ## test every flow of the web app in Chromium
	@tools/setup build test
	@tools/build release parley
	@PARLEY_BROWSER=full PARLEY_BINARY=build/release/parley $$(tools/venv)/python -m pytest tests/browser

crash:  ## test power cuts, kill -9 and failing disks at length (about an hour)
	@tools/setup build test postgres
	@tools/build dev parley
	@tools/build release parley
	@for build in dev release; do \
	    PARLEY_CRASH=full PARLEY_BINARY=build/$$build/parley $$(tools/venv)/python -m pytest \
	        -o faulthandler_timeout=900 tests/crash || exit 1; done

chaos:  ## kill, stop and cut off servers that share a database; for MINUTES=40 or as told
	@tools/setup build test postgres haproxy
	@tools/build release parley
	@PARLEY_CHAOS_MINUTES=$(or $(MINUTES),10) PARLEY_BINARY=build/release/parley $$(tools/venv)/python -m pytest -s \
	    -o faulthandler_timeout=0 tests/chaos

models:  ## compare embeddings of a real model (80 MB, fetched) with another implementation; check 100 structured answers
	@tools/setup build test
	@tools/build release parley
	@PARLEY_MODELS=full PARLEY_BINARY=build/release/parley $$(tools/venv)/python -m pytest \
	    -o faulthandler_timeout=900 tests/conformance/test_embedding_model.py tests/e2e/test_structured_model.py

clients:  ## test with Open WebUI, which is fetched (1 GB)
	@tools/setup build test
	@tools/build release parley
	@PARLEY_CLIENTS=full PARLEY_BINARY=build/release/parley $$(tools/venv)/python -m pytest \
	    -o faulthandler_timeout=1800 tests/clients

bench:  ## measure the performance beside other servers, in 40 minutes; some lines with ARGS="B1 B8"
	@tools/setup build
	@tools/setup bench || echo "Continuing without the missing ones."
	@tools/build release parley
	@"$$(tools/venv || echo /usr/bin)/python3" bench/run $(ARGS)

install: build  ## install the release into PREFIX=/usr/local, below DESTDIR if it is set
	@tools/setup package
	@DESTDIR="$(DESTDIR)" PREFIX="$(or $(PREFIX),/usr/local)" tools/install build/release

deb:  ## make a Debian package for all machines of this architecture: build/parley_VERSION_ARCH.deb
	@tools/setup build package
	@tools/build package parley
	@tools/deb build/package

dist:  ## make an archive of the committed sources, with checksums: build/parley-VERSION.tar.gz
	@tools/dist

packages: deb dist  ## test the package and the container image in a fresh Debian (needs root, about 5 minutes)
	@tools/setup test packages
	@PARLEY_PACKAGES=full PARLEY_BINARY=build/package/parley $$(tools/venv)/python -m pytest \
	    -o faulthandler_timeout=1800 tests/install
