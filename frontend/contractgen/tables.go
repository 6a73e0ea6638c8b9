package main

import (
	"fmt"
	"go/constant"
	"reflect"
	"slices"
	"strings"

	"benchtop/backend/contract"
)

// groups are the untyped string constants that share a prefix: each becomes a
// union of its values.
var groups = []struct{ Prefix, Type, Doc string }{
	{"Skill", "Skill", "What an invocation came from."},
	{"Status", "RunStatus", "How an invocation ended, or that it runs."},
	{"Trace", "TraceKind", "What kind of thing an invocation did."},
}

// typedUnions are the named string types that become unions of their constants.
var typedUnions = []string{"Code", "EventName"}

func writeUnions(b *strings.Builder, src *source) error {
	for _, name := range typedUnions {
		var values []string
		for _, c := range src.Constants {
			if c.Type == name {
				values = append(values, constant.StringVal(c.Value))
			}
		}
		if err := writeUnion(b, name, src.Docs[name], values); err != nil {
			return err
		}
	}
	for _, g := range groups {
		var values []string
		for _, c := range src.Constants {
			if c.Type == "" && c.Value.Kind() == constant.String && strings.HasPrefix(c.Name, g.Prefix) {
				values = append(values, constant.StringVal(c.Value))
			}
		}
		if err := writeUnion(b, g.Type, g.Doc, values); err != nil {
			return err
		}
	}
	return nil
}

func writeUnion(b *strings.Builder, name, text string, values []string) error {
	if len(values) == 0 {
		return fmt.Errorf("no constants for the union %s", name)
	}
	doc(b, "", text)
	fmt.Fprintf(b, "export type %s =\n", name)
	for i, v := range values {
		end := "\n"
		if i == len(values)-1 {
			end = ";\n\n"
		}
		fmt.Fprintf(b, "  | %s%s", quote(v), end)
	}
	return nil
}

func writeErrors(b *strings.Builder) {
	b.WriteString("/** The HTTP status of a management call that ends with the code, and what the code means. */\n")
	b.WriteString("export const errorTable: Record<Code, { status: number; meaning: string }> = {\n")
	for _, r := range contract.Errors {
		fmt.Fprintf(b, "  %s: { status: %d, meaning: %s },\n", r.Code, r.Status, quote(r.Meaning))
	}
	b.WriteString("};\n\n")
}

func writeEvents(b *strings.Builder) {
	b.WriteString("/** The payload of each event of the live stream. */\nexport interface EventPayloads {\n")
	for _, e := range contract.EventTypes {
		fmt.Fprintf(b, "  %s: %s;\n", quote(string(e.Name)), tsName(reflect.TypeOf(e.Payload).Name()))
	}
	b.WriteString("}\n\n/** One event of the live stream, told apart by its name. */\nexport type LiveEvent = {\n")
	b.WriteString("  [N in EventName]: { id: number; event: N; data: EventPayloads[N] };\n}[EventName];\n\n")
	b.WriteString("/** Every event name, for readers that check what they were sent. */\nexport const eventNames: readonly EventName[] = [\n")
	for _, e := range contract.EventTypes {
		fmt.Fprintf(b, "  %s,\n", quote(string(e.Name)))
	}
	b.WriteString("];\n\n")
}

// writeLimits writes the numbers of limits.go; durations are in milliseconds.
func writeLimits(b *strings.Builder, src *source) {
	b.WriteString("/** Limits of the platform. Sizes in bytes, durations in milliseconds. */\nexport const limits = {\n")
	for _, c := range src.Constants {
		if c.File != "limits.go" || slices.Contains([]string{"KB", "MB"}, c.Name) {
			continue
		}
		n, ok := constant.Int64Val(constant.ToInt(c.Value))
		if !ok {
			continue
		}
		if c.Type == "Duration" {
			n /= 1e6
		}
		fmt.Fprintf(b, "  %s: %d,\n", c.Name, n)
	}
	b.WriteString("} as const;\n\n")
}

// quote writes a TypeScript string in single quotes.
func quote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`).Replace(s) + "'"
}
