#!/usr/bin/env bash
# Builds the parts named: page, worker, static, desktop, windows.
# shellcheck source=build/lib.sh
. "$(dirname "$0")/lib.sh"

# No -trimpath and no -s -w: other flags than `go test` uses would compile
# GTK's and WebKit's bindings and everything else a second time.
ldflags="-X benchtop/app.version=$(version)"

# npm's packages, when the lock file is not the one they were installed from.
packages() {
	local lock=(frontend/package.json frontend/package-lock.json)
	if [ -d frontend/node_modules ] && fresh npm "${lock[@]}"; then return; fi
	step "installing the page's npm packages"
	npm --prefix frontend ci --no-audit --no-fund --loglevel=error >&2
	stamp npm "${lock[@]}"
}

# The page, when a file it is made of changed.
page() {
	packages
	local made_of=(frontend/src frontend/public frontend/index.html frontend/vite.config.ts
		frontend/initialScript.ts frontend/monacoFeatures.ts frontend/preloadStart.ts frontend/tsconfig.json frontend/package-lock.json)
	if [ -f frontend/dist/index.html ] && fresh page "${made_of[@]}"; then return; fi
	step "building the page"
	if ! npm --prefix frontend run --silent build >"$stamps/page.log" 2>&1; then
		cat "$stamps/page.log" >&2
		die "the page does not build"
	fi
	stamp page "${made_of[@]}"
}

worker() {
	step "building the worker"
	CGO_ENABLED=0 go build -o build/bin/benchtop-worker ./backend/worker/cmd/benchtop-worker
}

static() {
	step "building the static program"
	CGO_ENABLED=0 go build -ldflags "$ldflags" -o build/bin/benchtop .
}

desktop() {
	build/setup.sh window
	step "building the desktop program (the first time compiles GTK's bindings: a few minutes)"
	CGO_ENABLED=1 go build -tags desktop,production,webkit2_41 -ldflags "$ldflags" -o build/bin/benchtop-desktop .
}

# The Windows programs need no C compiler. Their icon and manifest are a
# resource file that Go links in when it lies beside main.go.
windows() {
	local resource=rsrc_windows_amd64.syso out=build/bin/windows
	mkdir -p "$out"
	step "building the Windows programs"
	go -C build/tools tool go-winres make --arch amd64 --in ../windows/winres.json --out ../../rsrc
	trap 'rm -f '"$resource" EXIT
	GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go build -tags desktop,production \
		-ldflags "$ldflags -H windowsgui" -o "$out/benchtop-desktop.exe" .
	GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go build -o "$out/benchtop-worker.exe" ./backend/worker/cmd/benchtop-worker
}

for part in "$@"; do
	case $part in
	packages | page | worker | static | desktop | windows) "$part" ;;
	*) die "build.sh knows page, worker, static, desktop and windows, not $part" ;;
	esac
done
