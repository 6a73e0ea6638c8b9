#!/usr/bin/env bash
# The tests of the real programs: the page in Chromium, then the window under
# a display of its own. Arguments choose one of them: browser, window.
# shellcheck source=build/lib.sh
. "$(dirname "$0")/lib.sh"

[ $# -gt 0 ] || set -- browser window
build/setup.sh window test
build/build.sh page worker static desktop
for host in "$@"; do
	case $host in
	browser)
		step "the page in a browser"
		npm --prefix frontend run --silent e2e
		;;
	window)
		step "the window"
		env -u WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS=disabled: NO_AT_BRIDGE=1 \
			xvfb-run -a -s "-screen 0 1440x900x24 -nolisten tcp -noreset" \
			go test -count=1 -timeout 10m -tags e2e ./app/window/e2e
		;;
	*) die "e2e.sh knows browser and window, not $host" ;;
	esac
done
