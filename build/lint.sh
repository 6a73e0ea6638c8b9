#!/usr/bin/env bash
# gofmt, go vet, golangci-lint (built once from the versions in build/tools).
# shellcheck source=build/lib.sh
. "$(dirname "$0")/lib.sh"

step "gofmt"
unformatted=$(git ls-files -co --exclude-standard -- '*.go' | xargs gofmt -l)
[ -z "$unformatted" ] || die "not formatted, run gofmt -w: $unformatted"

step "go vet"
go vet ./...
go vet -tags e2e ./app/window/...

step "golangci-lint"
go -C build/tools build -o ../bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint
build/bin/golangci-lint run ./...
