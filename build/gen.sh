#!/usr/bin/env bash
# Writes the generated files again. With --check it writes nothing that stays
# and fails when a file is not what its generator writes.
# shellcheck source=build/lib.sh
. "$(dirname "$0")/lib.sh"

generated=(frontend/src/api/contract.gen.ts backend/docs/reference.md)

if [ "${1:-}" = --check ]; then
	kept=$(mktemp -d)
	trap 'rm -rf "$kept"' EXIT
	for file in "${generated[@]}"; do cp "$file" "$kept/$(basename "$file")"; done
fi

go run ./frontend/contractgen

if [ "${1:-}" != --check ]; then
	# What they write depends on the version of Node, so there is no drift to see.
	(cd backend/worker/language/build && npm ci --silent --no-audit --no-fund && npm run --silent gen)
	exit 0
fi
for file in "${generated[@]}"; do
	diff -u "$kept/$(basename "$file")" "$file" >&2 || die "$file is out of date (it was just written again): commit it"
done
