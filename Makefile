# Benchtop. Every target sets up what it needs; the work is in build/*.sh.
.DEFAULT_GOAL := help
.PHONY: help run test conformance dev bench soak lint gen e2e build build-windows setup screenshots clean

# Handed to the program by `make run`, such as ARGS="--project ~/mine".
ARGS ?=
# What `make bench` measures: packages with Benchmark functions, and a program
# that prints figures of the whole platform.
BENCH_PACKAGES ?= ./backend/...
BENCH_PROGRAM ?= ./backend/bench
export ARGS BENCH_PACKAGES BENCH_PROGRAM

help: ## print this list
	@awk -F':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: ## build and start: a window when there is a display, else the console in a browser
	@build/run.sh

test: ## everything that must hold, from set-up to window tests
	@build/test.sh

conformance: ## what a function may rely on, member by member, with results
	@build/conformance.sh

dev: ## the console with hot reload beside a platform run from source
	@build/dev.sh

bench: ## print figures and ratios: invocation, reload, start, memory
	@build/bench.sh

soak: ## the long versions of the tests: hours, not minutes
	@build/soak.sh

lint: ## gofmt, go vet, golangci-lint
	@build/lint.sh

gen: ## write the generated files again
	@build/gen.sh

e2e: ## only the tests of the real page: in a browser, then in the window
	@build/e2e.sh

build: ## build/bin: benchtop (static), benchtop-worker, benchtop-desktop
	@build/build.sh page worker static desktop

build-windows: ## cross-compile the Windows desktop program and worker
	@build/build.sh page windows

setup: ## install what the other targets need, and nothing else
	@build/setup.sh window test

screenshots: ## pictures of window and browser, light and dark, into build/screenshots
	@build/screenshots.sh

clean: ## remove what was built; npm packages and Go's caches stay
	rm -rf build/bin build/.stamps build/screenshots frontend/test-results frontend/playwright-report
	find frontend/dist -mindepth 1 ! -name .gitkeep -delete
