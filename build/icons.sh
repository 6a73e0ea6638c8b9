#!/usr/bin/env bash
# Renders build/appicon.svg to the bitmaps the programs carry. Run it after
# changing the drawing; it needs chromium and imagemagick.
set -euo pipefail
cd "$(dirname "$0")"
page=$(mktemp --suffix=.html)
trap 'rm -f "$page"' EXIT
printf '<body style="margin:0">%s</body>' "$(cat appicon.svg)" >"$page"
chromium --headless --no-sandbox --hide-scrollbars --default-background-color=00000000 \
	--window-size=512,512 --screenshot="$PWD/appicon.png" "file://$page" >/dev/null 2>&1
convert appicon.png -resize 256x256 ../app/window/icon.png
convert appicon.png -define icon:auto-resize=256,128,64,48,32,16 windows/icon.ico
