# Shared by the scripts beside it, which source it: it moves to the top of the
# repository, checks the tools that are taken for granted and sets Go up.
# shellcheck shell=bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() { printf '==> %s\n' "$*" >&2; }
die() {
	printf 'benchtop: %s\n' "$*" >&2
	exit 1
}

command -v go >/dev/null || PATH=$PATH:/usr/local/go/bin
command -v go >/dev/null || die "Go is missing: install Go 1.26 from https://go.dev/dl and put it on the PATH"
command -v node >/dev/null || die "Node is missing: install Node 20 or later from https://nodejs.org"
command -v npm >/dev/null || die "npm is missing: it comes with Node, https://nodejs.org"

# Stamping builds with git's state fails in a tree that another user owns, as
# in containers; the version comes from `version` below instead.
GOFLAGS="$(go env GOFLAGS) -buildvcs=false"
export GOFLAGS

# handed: ARGS as args, read as a shell reads a command line: with ~ and quotes.
handed() { eval "args=(${ARGS:-})"; }

stamps=build/.stamps
mkdir -p "$stamps" build/bin

version() {
	git -c safe.directory="$PWD" describe --tags --always --dirty 2>/dev/null || echo dev
}

# fresh NAME FILE...: is the stamp NAME that of these files as they are now?
fresh() {
	local name=$1
	shift
	[ "$(cat "$stamps/$name" 2>/dev/null)" = "$(digest "$@")" ]
}

# stamp NAME FILE...: remember these files as done.
stamp() {
	local name=$1
	shift
	digest "$@" >"$stamps/$name"
}

digest() {
	find "$@" -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum
}
