package main

import (
	"fmt"
	"slices"
	"strings"

	"benchtop/backend/contract"
)

// reference is the page of the tables, where the program's own documentation
// lives.
const reference = "backend/docs/reference.md"

// limitRows say in words what the figures of contract/limits.go are for.
var limitRows = []struct {
	name, value, meaning string
}{
	{"`limits.wallMs`", fmt.Sprintf("%d ms, at most %d", contract.DefaultWallMs, contract.MaxWallMs), "Time of one invocation; then `WALL_TIMEOUT`."},
	{"`limits.memoryMb`", fmt.Sprintf("%d MB, at most %d", contract.DefaultMemoryMb, contract.MaxMemoryMb), "Memory of one invocation; then `MEMORY_LIMIT_EXCEEDED`."},
	{"callsTotal", fmt.Sprint(contract.MaxHostCalls), "Host calls in one invocation, refused ones included."},
	{"kvPutBytes", bytesOf(contract.MaxKVPutBytes), "Keys and JSON values that one invocation writes to kv."},
	{"contentWrites", fmt.Sprint(contract.MaxContentWrites), "Content items and files of folders that one invocation writes."},
	{"`limits.ingressBytes`", fmt.Sprint(contract.DefaultIngressBytes), "Bytes received through fetch, content and folders together."},
	{"`limits.egressBytes`", fmt.Sprint(contract.DefaultEgressBytes), "Bytes sent through fetch."},
	{"log", bytesOf(contract.MaxLogBytes), "Lines of one invocation; the last one says that more was cut."},
	{"chain", fmt.Sprint(contract.MaxChainDepth), "Levels of `ctx.fn.invoke` below the first function."},
	{"`code` inline", bytesOf(contract.MaxInlineSource) + " (`inlineB64`: " + fmt.Sprint(contract.MaxInlineB64Chars) + " characters)", "A source that is posted."},
	{"source in a folder or content item", bytesOf(contract.MaxStoredSource), "A source that is stored."},
	{"a secret", bytesOf(contract.MaxSecretBytes), "Its value."},
	{"a content item", bytesOf(contract.MaxContentBytes), "Its body."},
	{"a request body", bytesOf(contract.MaxBodyBytes), "Of an HTTP endpoint, unless it says otherwise."},
	{"an answer", bytesOf(contract.MaxResponseBytes), "Of an HTTP endpoint, unless it says otherwise."},
	{"Idempotency-Key", contract.IdempotencyWindow.String(), "How long the same key gives the same answer."},
	{"invocation token", contract.InvocationTokenLifetime.String(), "How long an executor on another machine may make host calls."},
}

func bytesOf(n int) string {
	if n >= contract.MB {
		return fmt.Sprintf("%d MB", n/contract.MB)
	}
	return fmt.Sprintf("%d KB", n/contract.KB)
}

// writeReference gives the page: host calls, limits and error codes, from the
// tables that the program itself goes by.
func writeReference() string {
	var b strings.Builder
	b.WriteString("# Reference: ctx, limits, error codes\n\n" +
		"Written from the tables that the platform itself goes by (`backend/contract`); `make gen` writes it again.\n\n" +
		"## Host calls of ctx\n\n" +
		"What a function reaches outside its sandbox, beside `ctx.fetch`, `ctx.log`, `ctx.emit` and `ctx.request`, which stay inside it. " +
		"A call without its permission in the manifest ends with `PERMISSION_DENIED`.\n\n" +
		"| Call | Needs | Counts against | What it does |\n|---|---|---|---|\n")
	for _, h := range contract.HostCalls {
		space, name, keyed := h.Path()
		if keyed {
			space += "[binding]"
		}
		fmt.Fprintf(&b, "| `ctx.%s.%s%s` | %s | %s | %s |\n", space, name, cell(signature(h)), cell(code(string(h.Grant))), cell(code(string(h.Charge))), cell(h.Doc))
	}
	b.WriteString("\n## Limits\n\nKB is 1,024 bytes and MB 1,048,576. The last value that is allowed works; one more is refused, with the code and both figures.\n\n" +
		"| Limit | Value | Of what |\n|---|---|---|\n")
	for _, l := range limitRows {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", l.name, l.value, l.meaning)
	}
	b.WriteString("\n## Error codes\n\nEvery error has a code from this list. \"Call\" is the HTTP status of a management call that ends with it; " +
		"\"Endpoint\" that of an HTTP endpoint whose function ended with it. A manual invoke whose function failed is 200 with `ok: false`.\n\n" +
		"| Code | Call | Endpoint | Meaning |\n|---|---|---|---|\n")
	rows := slices.Clone(contract.Errors)
	slices.SortStableFunc(rows, func(x, y contract.ErrorRow) int { return strings.Compare(string(x.Code), string(y.Code)) })
	for _, r := range rows {
		fmt.Fprintf(&b, "| `%s` | %d | %d | %s |\n", r.Code, r.Status, r.Outcome, cell(r.Meaning))
	}
	return b.String()
}

func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

// cell keeps a text inside its cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }
