#!/usr/bin/env bash
# Every conformance script through the real executor, as tables.
# shellcheck source=build/lib.sh
. "$(dirname "$0")/lib.sh"

go run ./backend/worker/cmd/conformance
