#!/usr/bin/env bash
# Pictures to look at, into build/screenshots: the page in a browser and in the
# window, light and dark. Those of the window are taken by its tests.
#   build/screenshots.sh           all of them
#   build/screenshots.sh readme    only those of the README, into build/pictures
# shellcheck source=build/lib.sh
. "$(dirname "$0")/lib.sh"

build/setup.sh window test
build/build.sh page worker static desktop
mkdir -p build/screenshots

# The README's pictures: as sharp as the others, with the few colours of a page.
readme() {
	step "pictures of the README"
	npm --prefix frontend run --silent screenshots -- -g "light 1440 the samples at work"
	local picture
	mkdir -p build/pictures
	for picture in functions activity home; do
		convert "build/screenshots/work-$picture-light-1440.png" -strip +dither -colors 192 -define png:compression-level=9 \
			"PNG8:build/pictures/$picture-light.png"
	done
	ls -l build/pictures
}

if [ "${1:-}" = readme ]; then
	readme
	exit
fi
[ $# = 0 ] || die "screenshots.sh knows readme, not $1"
step "pictures of the browser"
npm --prefix frontend run --silent screenshots
step "pictures of the window"
build/e2e.sh window
ls build/screenshots
