package main

import (
	_ "embed"
	"fmt"
	"strings"

	"benchtop/backend/contract"
)

// local is the declaration of the members of ctx that never leave the worker.
//
//go:embed context.d.ts
var local string

// options are the option objects that a host call spreads into its arguments.
var options = map[string]string{
	"kv.put":         "{ ttlSeconds?: number; ttlMs?: number }",
	"kv.putIfAbsent": "{ ttlSeconds?: number; ttlMs?: number }",
	"kv.list":        "{ limit?: number; cursor?: string; values?: boolean }",
	"folders.list":   "{ prefix?: string; limit?: number; cursor?: string }",
	"fn.invoke":      "{ timeoutMs?: number; idempotencyKey?: string }",
}

// params are the types of parameters that are no plain texts.
var params = map[string]string{
	"kv.put value":         "value: unknown",
	"kv.putIfAbsent value": "value: unknown",
	"kv.list prefix":       "prefix?: string",
	"content.write item":   "item: { data: string | ArrayBuffer | ArrayBufferView; id?: string; mimeType?: string; displayName?: string }",
	"folders.write body":   "body: string | ArrayBuffer | ArrayBufferView",
	"fn.invoke args":       "args?: unknown",

	"portal.verifyToken opts":               "opts?: { expectAudience?: string; expectBalance?: number | bigint }",
	"portal.callTool params":                "params?: unknown",
	"portal.callTool opts":                  "opts?: { timeoutMs?: number; paymentToken?: string }",
	"portal.signContentUrl opts":            "opts?: { expiresInSeconds?: number }",
	"portal.payment.lock amountNanocents":   "amountNanocents: bigint | number | string",
	"portal.payment.lock reason":            "reason?: string",
	"portal.payment.settle amountNanocents": "amountNanocents: bigint | number | string",
	"portal.payment.settle recipientId":     "recipientId?: string",
}

// beside are members of a namespace that only change how its calls are made.
var beside = map[string]string{
	"kv": "    /** The same calls in another scope: 'fn', the function's own, or 'agent', which all of the agent's functions share. */\n" +
		"    at(scope: string): Omit<Ctx['kv'], 'at'>;\n",
}

// writeContext writes the declaration of ctx as a text for the editor, and the
// same members as a list for completion where ctx has no declared type.
func writeContext(b *strings.Builder) {
	var namespaces []string
	members := map[string][]contract.HostCall{}
	for _, h := range contract.HostCalls {
		space, _, _ := h.Path()
		if members[space] == nil {
			namespaces = append(namespaces, space)
		}
		members[space] = append(members[space], h)
	}
	var d, list strings.Builder
	for _, space := range namespaces {
		_, _, keyed := members[space][0].Path()
		if keyed {
			fmt.Fprintf(&d, "  readonly %s: Readonly<Record<string, {\n", space)
		} else {
			fmt.Fprintf(&d, "  readonly %s: {\n", space)
		}
		inner := "" // the namespace inside this one that is open
		for _, h := range members[space] {
			_, name, _ := h.Path()
			text := h.Doc
			if h.Grant != contract.GrantNone {
				text += " Needs " + string(h.Grant) + "."
			}
			sig := signature(h)
			path := space + "." + name
			within, last, nested := strings.Cut(name, ".")
			if !nested {
				within, last = "", name
			}
			if within != inner {
				closeInner(&d, inner)
				if inner = within; inner != "" {
					fmt.Fprintf(&d, "    readonly %s: {\n", inner)
				}
			}
			indent := "    "
			if inner != "" {
				indent += "  "
			}
			fmt.Fprintf(&d, "%s/** %s */\n%s%s%s;\n", indent, text, indent, last, sig)
			if keyed {
				path = space + "[binding]." + name
			}
			fmt.Fprintf(&list, "  { path: %s, signature: %s, doc: %s, grant: %s },\n", quote(path), quote(sig), quote(text), quote(string(h.Grant)))
		}
		closeInner(&d, inner)
		d.WriteString(beside[space])
		if keyed {
			d.WriteString("  }>>;\n")
		} else {
			d.WriteString("  };\n")
		}
	}
	whole := strings.Replace(local, "  // host calls\n", d.String(), 1)
	b.WriteString("/** What an editor should know about ctx, as a TypeScript declaration. */\nexport const ctxDeclaration = `")
	b.WriteString(strings.NewReplacer("\\", "\\\\", "`", "\\`", "${", "\\${").Replace(whole))
	b.WriteString("`;\n\n/** The host calls that ctx offers. */\nexport const ctxMembers: readonly { path: string; signature: string; doc: string; grant: string }[] = [\n")
	b.WriteString(list.String())
	b.WriteString("];\n")
}

func closeInner(d *strings.Builder, inner string) {
	if inner != "" {
		d.WriteString("    };\n")
	}
}

func signature(h contract.HostCall) string {
	var list []string
	for _, p := range h.Params {
		name, spread := strings.CutPrefix(p, "...")
		typ, typed := params[h.Method+" "+name]
		switch {
		case spread:
			typ, ok := options[h.Method]
			if !ok {
				typ = "Record<string, unknown>"
			}
			list = append(list, name+"?: "+typ)
		case typed:
			list = append(list, typ)
		default:
			list = append(list, name+": string")
		}
	}
	return "(" + strings.Join(list, ", ") + "): Promise<" + strings.TrimSuffix(h.Returns, " | undefined") + undefinedPart(h.Returns) + ">"
}

// undefinedPart keeps "| undefined" except behind unknown, which holds it.
func undefinedPart(returns string) string {
	if strings.HasSuffix(returns, " | undefined") && !strings.HasPrefix(returns, "unknown") {
		return " | undefined"
	}
	return ""
}
