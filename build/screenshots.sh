#!/usr/bin/env bash
# Pictures to look at, into build/screenshots: the page in a browser and in the
# window, light and dark. Those of the window are taken by its tests.
# shellcheck source=build/lib.sh
. "$(dirname "$0")/lib.sh"

build/setup.sh window test
build/build.sh page worker static desktop
step "pictures of the browser"
npm --prefix frontend run --silent screenshots
step "pictures of the window"
build/e2e.sh window
ls build/screenshots
