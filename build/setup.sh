#!/usr/bin/env bash
# Installs Debian packages, only those that are missing.
#   build/setup.sh window    what building and opening the window needs
#   build/setup.sh test      what the tests need beyond that
# shellcheck source=build/lib.sh
. "$(dirname "$0")/lib.sh"

window=(gcc pkg-config libgtk-3-dev libwebkit2gtk-4.1-dev fonts-dejavu-core)
test=(chromium xvfb xauth xdotool imagemagick x11-utils webkit2gtk-driver fonts-liberation)

wanted=()
for set in "$@"; do
	case $set in
	window) wanted+=("${window[@]}") ;;
	test) wanted+=("${test[@]}") ;;
	*) die "setup.sh knows the sets window and test, not $set" ;;
	esac
done

if ! command -v dpkg-query >/dev/null; then
	# Not Debian. Believe the tools where they can be asked.
	if command -v pkg-config >/dev/null && pkg-config --exists gtk+-3.0 webkit2gtk-4.1; then
		exit 0
	fi
	die "install your system's packages for: ${wanted[*]}"
fi

missing=()
for package in "${wanted[@]}"; do
	state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
	[ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" != 0 ]; then
	if ! sudo -n true 2>/dev/null; then
		die "some packages are missing, please run: sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}"
	fi
	as_root=(sudo -n)
fi

step "installing Debian packages: ${missing[*]}"
log=$stamps/apt.log
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@" >>"$log" 2>&1; }
: >"$log"
if ! apt update || ! apt install -y --no-install-recommends "${missing[@]}"; then
	tail -n 20 "$log" >&2
	die "apt-get could not install: ${missing[*]} (all of its output: $log)"
fi
