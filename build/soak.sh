#!/usr/bin/env bash
# The long tests: functions named TestSoak… in files with the build tag soak.
# shellcheck source=build/lib.sh
. "$(dirname "$0")/lib.sh"

build/build.sh page worker static
step "long tests"
go test -count=1 -timeout 6h -tags soak -run '^TestSoak' -v ./backend/...
