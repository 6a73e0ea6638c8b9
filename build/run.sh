#!/usr/bin/env bash
# Builds what is needed and starts it: the window when there is a display,
# otherwise the static program, which serves the console to a browser.
# shellcheck source=build/lib.sh
. "$(dirname "$0")/lib.sh"

handed
[ -z "${BENCHTOP_ADDR:-}" ] || args=(--addr "$BENCHTOP_ADDR" "${args[@]}")

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
	build/build.sh page worker desktop
	step "starting the window"
	exec build/bin/benchtop-desktop "${args[@]}"
fi

build/build.sh page worker static
cat >&2 <<'EOF'
==> no display: serving the console to a browser; open the second address below.
    Only this machine can reach it. From another one, or from outside a container:
      ssh -L 4780:127.0.0.1:4780 <this machine>      (or start the container with --network host)
    and open the same address there, with the port that is printed.
EOF
exec build/bin/benchtop serve "${args[@]}"
