#!/usr/bin/env bash
# Everything that must hold, in the order in which a mistake costs least time.
# It stops at the first step that fails; the last line says how it went.
# shellcheck source=build/lib.sh
. "$(dirname "$0")/lib.sh"

began=$SECONDS
times=""

check() {
	local name=$1 start=$SECONDS
	shift
	step "test: $name"
	if ! "$@"; then
		printf 'FAILED: make test stopped at "%s" after %d s\n' "$name" $((SECONDS - began)) >&2
		exit 1
	fi
	times+=$(printf '\n  %4d s  %s' $((SECONDS - start)) "$name")
}

check "set-up" build/setup.sh window test
check "lint" build/lint.sh
check "npm packages" build/build.sh packages
check "generated files" build/gen.sh --check
check "page: types" npm --prefix frontend run --silent typecheck
check "page: unit tests" npm --prefix frontend run --silent test
check "page: build" build/build.sh page
check "go tests" go test -race -timeout 15m ./...
check "programs" build/build.sh worker static desktop
check "vet the window" go vet -tags desktop,production,webkit2_41 . ./app/...
check "clients of the protocols" npm --prefix frontend run --silent clients
check "page in a browser" build/e2e.sh browser
check "window" build/e2e.sh window
check "Windows programs" build/build.sh windows

printf '%s\n' "$times"
printf 'PASSED: everything holds, in %d s\n' $((SECONDS - began))
