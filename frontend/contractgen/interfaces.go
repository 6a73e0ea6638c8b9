package main

import (
	"fmt"
	"go/ast"
	"reflect"
	"slices"
	"strings"
)

// narrowed gives fields that hold one of a few texts the union of those texts.
var narrowed = map[string]string{
	"InvocationRow.Status":      "RunStatus",
	"InvocationRow.SourceSkill": "Skill",
	"TraceEntry.Kind":           "TraceKind",
	"LogLine.Level":             "'debug' | 'info' | 'warn' | 'error'",
	"Notice.Kind":               "'info' | 'warning'",
	"Boot.Mode":                 "'browser' | 'window'",
}

// writeInterfaces turns every struct with JSON names into an interface. Types
// without JSON names never cross the wire and are left out.
func writeInterfaces(b *strings.Builder, src *source) error {
	for _, spec := range src.Types {
		st, ok := spec.Type.(*ast.StructType)
		if !ok || !onWire(st) {
			continue
		}
		name := spec.Name.Name
		doc(b, "", src.Docs[name])
		fmt.Fprintf(b, "export interface %s%s {\n", tsName(name), embedded(st))
		for _, f := range st.Fields.List {
			if len(f.Names) == 0 {
				continue
			}
			if err := writeField(b, name, f); err != nil {
				return err
			}
		}
		b.WriteString("}\n\n")
	}
	return nil
}

// writeAliases writes the named types that are neither structs nor unions and
// that a struct on the wire uses.
func writeAliases(b *strings.Builder, src *source) error {
	for _, spec := range src.Types {
		name := spec.Name.Name
		if _, isStruct := spec.Type.(*ast.StructType); isStruct || spec.Assign.IsValid() || slices.Contains(typedUnions, name) || !usedOnWire(src, name) {
			continue
		}
		typ, err := tsType(spec.Type)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		doc(b, "", src.Docs[name])
		fmt.Fprintf(b, "export type %s = %s;\n\n", tsName(name), typ)
	}
	return nil
}

func usedOnWire(src *source, name string) bool {
	for _, spec := range src.Types {
		st, ok := spec.Type.(*ast.StructType)
		if !ok || !onWire(st) {
			continue
		}
		for _, f := range st.Fields.List {
			used := false
			ast.Inspect(f.Type, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				used = used || ok && id.Name == name
				return true
			})
			if used && jsonTag(f) != "" {
				return true
			}
		}
	}
	return false
}

func writeField(b *strings.Builder, owner string, f *ast.Field) error {
	tag := jsonTag(f)
	name, options, _ := strings.Cut(tag, ",")
	if name == "" || name == "-" {
		return nil
	}
	optional := strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
	typ, err := tsType(f.Type)
	if err != nil {
		return fmt.Errorf("%s.%s: %w", owner, f.Names[0].Name, err)
	}
	if n, ok := narrowed[owner+"."+f.Names[0].Name]; ok {
		typ = n
	}
	mark := ""
	if optional {
		mark, typ = "?", strings.TrimSuffix(typ, " | null")
	}
	doc(b, "  ", commentOf(f.Doc, f.Comment))
	fmt.Fprintf(b, "  %s%s: %s;\n", name, mark, typ)
	return nil
}

// tsType translates a field's type; a pointer may be null.
func tsType(e ast.Expr) (string, error) {
	switch e := e.(type) {
	case *ast.StarExpr:
		t, err := tsType(e.X)
		return t + " | null", err
	case *ast.ArrayType:
		t, err := tsType(e.Elt)
		if strings.Contains(t, " ") {
			t = "(" + t + ")"
		}
		return t + "[]", err
	case *ast.MapType:
		t, err := tsType(e.Value)
		return "Record<string, " + t + ">", err
	case *ast.SelectorExpr:
		if e.Sel.Name == "Time" {
			return "string", nil // RFC 3339
		}
		if e.Sel.Name == "RawMessage" {
			return "unknown", nil
		}
	case *ast.Ident:
		switch e.Name {
		case "string":
			return "string", nil
		case "bool":
			return "boolean", nil
		case "int", "int32", "int64", "uint64", "float64":
			return "number", nil
		case "any":
			return "unknown", nil
		}
		if e.IsExported() {
			return tsName(e.Name), nil
		}
	}
	return "", fmt.Errorf("no TypeScript for a field of type %T", e)
}

// tsName keeps our names apart from the page's own Event, Error and Status.
func tsName(name string) string {
	switch name {
	case "Event":
		return "StreamEvent"
	case "Status":
		return "PlatformStatus"
	}
	return name
}

func embedded(st *ast.StructType) string {
	var names []string
	for _, f := range st.Fields.List {
		if id, ok := f.Type.(*ast.Ident); ok && len(f.Names) == 0 {
			names = append(names, tsName(id.Name))
		}
	}
	if names == nil {
		return ""
	}
	return " extends " + strings.Join(names, ", ")
}

func onWire(st *ast.StructType) bool {
	for _, f := range st.Fields.List {
		if jsonTag(f) != "" {
			return true
		}
	}
	return false
}

func jsonTag(f *ast.Field) string {
	if f.Tag == nil {
		return ""
	}
	return reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json")
}
