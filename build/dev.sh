#!/usr/bin/env bash
# The platform from source on port 4780 and, in front of it, the page with hot
# reload. Stopping one stops both.
# shellcheck source=build/lib.sh
. "$(dirname "$0")/lib.sh"

build/build.sh packages worker static
handed
trap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT
step "starting the platform; open the address that Vite prints, with the #login=… part of the console's"
build/bin/benchtop serve --addr 127.0.0.1:4780 "${args[@]}" &
npm --prefix frontend run --silent dev &
wait -n
