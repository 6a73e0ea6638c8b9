#!/usr/bin/env bash
# Prints figures: Go benchmarks, then the program that measures the platform,
# then the page in a browser and in the window. Arguments choose some of them:
# packages, platform, page, window.
# shellcheck source=build/lib.sh
. "$(dirname "$0")/lib.sh"

[ $# -gt 0 ] || set -- packages platform page window
build/setup.sh window test
build/build.sh page worker static
read -ra packages <<<"${BENCH_PACKAGES:-./backend/...}"
go build -o build/bin/benchtop-bench "${BENCH_PROGRAM:-./backend/bench}"
for part in "$@"; do
	case $part in
	packages)
		step "benchmarks of packages"
		go test -run '^$' -bench . -benchmem "${packages[@]}" | grep -E '^(Benchmark|pkg:|cpu:|FAIL|panic)'
		;;
	platform)
		step "the platform"
		build/bin/benchtop-bench
		;;
	page)
		step "the page in a browser"
		(cd frontend && npx --no-install playwright test --project=bench --workers=1 --reporter=./bench/reporter.ts)
		;;
	window)
		build/build.sh desktop
		step "the window"
		env -u WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS=disabled: NO_AT_BRIDGE=1 \
			xvfb-run -a -s "-screen 0 1440x900x24 -nolisten tcp -noreset" \
			go test -v -count=1 -timeout 10m -tags e2e,bench -run '^TestFigures$' ./app/window/e2e | grep -vE '^ *(---|===|ok|PASS)'
		;;
	*) die "bench.sh knows packages, platform, page and window, not $part" ;;
	esac
done
