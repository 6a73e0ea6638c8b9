package main

import (
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// source is what the generator reads of a package: its types in the order of
// the files, and its constants with their values.
type source struct {
	Types     []*ast.TypeSpec
	Docs      map[string]string // by type name
	Constants []constantDecl
}

// constantDecl is one package constant. Type is "" for an untyped one.
type constantDecl struct {
	Name, Type, File string
	Value            constant.Value
}

// readSource parses and type-checks the package in dir, without its tests.
func readSource(dir string) (*source, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(fset, name, text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	if _, err := conf.Check("contract", fset, files, info); err != nil {
		return nil, err
	}
	src := &source{Docs: map[string]string{}}
	for _, f := range files {
		src.add(f, filepath.Base(fset.Position(f.Pos()).Filename), info)
	}
	return src, nil
}

func (s *source) add(f *ast.File, file string, info *types.Info) {
	for _, d := range f.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Name.IsExported() {
					s.Types = append(s.Types, spec)
					s.Docs[spec.Name.Name] = commentOf(spec.Doc, decl.Doc)
				}
			case *ast.ValueSpec:
				s.addConstants(spec, file, info)
			}
		}
	}
}

func (s *source) addConstants(spec *ast.ValueSpec, file string, info *types.Info) {
	for _, id := range spec.Names {
		c, ok := info.Defs[id].(*types.Const)
		if !ok || !id.IsExported() {
			continue
		}
		d := constantDecl{Name: id.Name, File: file, Value: c.Val()}
		if named, ok := c.Type().(*types.Named); ok {
			d.Type = named.Obj().Name()
		}
		s.Constants = append(s.Constants, d)
	}
}

func commentOf(groups ...*ast.CommentGroup) string {
	for _, g := range groups {
		if g != nil {
			return strings.TrimSpace(g.Text())
		}
	}
	return ""
}
