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
	"$@" || failed "$name"
	took "$name" "$start"
}

# beside NAME COMMAND...: a check that goes on while the next ones run, for what
# keeps one core busy; `joined` waits for it and shows what it wrote. There is
# one at a time, and it ends with the script.
beside() {
	besideName=$1 besideStart=$SECONDS besideLog=$(mktemp)
	shift
	step "test: $besideName, beside the next"
	set -m # a group of its own, so that all of it can be ended
	"$@" >"$besideLog" 2>&1 </dev/null &
	set +m
	besidePid=$!
	trap 'kill -- "-$besidePid" 2>/dev/null || true; rm -f "$besideLog"' EXIT
}

joined() {
	local status=0
	wait "$besidePid" || status=$?
	step "test: $besideName, what it wrote"
	cat "$besideLog"
	rm -f "$besideLog"
	trap - EXIT
	[ "$status" = 0 ] || failed "$besideName"
	took "$besideName" "$besideStart"
}

took() { times+=$(printf '\n  %4d s  %s' $((SECONDS - $2)) "$1"); }

failed() {
	printf '%s\nFAILED: make test stopped at "%s" after %d s\n' "$times" "$1" $((SECONDS - began)) >&2
	exit 1
}

check "set-up" build/setup.sh window test
check "npm packages" build/build.sh packages
beside "page: types" npm --prefix frontend run --silent typecheck
check "lint" build/lint.sh
joined
check "generated files" build/gen.sh --check
check "page: unit tests" npm --prefix frontend run --silent test
check "page: build" build/build.sh page
# Lint has vetted all of it. A program that looks for races waits a second before it
# ends, and the tests start hundreds: a tenth is enough for what is under way.
check "go tests" env GORACE=atexit_sleep_ms=100 go test -race -vet=off -timeout 15m ./...
beside "Windows programs" build/build.sh windows
check "programs" build/build.sh worker static desktop
check "vet the window" go vet -tags desktop,production,webkit2_41 . ./app/...
joined
check "clients of the protocols" npm --prefix frontend run --silent clients
check "page in a browser" build/e2e.sh browser
check "window" build/e2e.sh window

printf '%s\n' "$times"
printf 'PASSED: everything holds, in %d s\n' $((SECONDS - began))
