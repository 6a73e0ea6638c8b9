#!/usr/bin/env bash
# Prints figures: Go benchmarks, then the program that measures the platform.
# shellcheck source=build/lib.sh
. "$(dirname "$0")/lib.sh"

build/build.sh page worker static
read -ra packages <<<"$BENCH_PACKAGES"
step "benchmarks of packages"
go test -run '^$' -bench . -benchmem "${packages[@]}" | grep -E '^(Benchmark|pkg:|cpu:|FAIL|panic)'
if [ -d "$BENCH_PROGRAM" ]; then
	step "the platform"
	go run "$BENCH_PROGRAM"
fi
