package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

//go:generate go test -run TestGoPage$ -update .

// publicPackages are those that other modules may import, the most useful first.
var publicPackages = []string{".", "data", "data/open", "model", "report", "validate", "eval", "loss", "prior", "anneal", "baseline", "export", "data/describe", "data/kind", "data/synth"}

// docs/go.md is generated from the comments of the public packages.
func TestGoPage(t *testing.T) {
	const path = "../../docs/go.md"
	page := goPage(t)
	if *update {
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if string(read(t, path)) != page {
		t.Errorf("%s is not up to date: run go generate ./cmd/fsa", path)
	}
}

// goPage returns the reference of the public packages as Markdown.
func goPage(t *testing.T) string {
	var b strings.Builder
	b.WriteString(`# Go packages

The exported symbols of all packages that other modules can import, each with the first sentence of its comment. This
page is generated from the source; ` + "`go doc fsa.Options`" + ` prints the whole comment of a symbol. [From Go](guide/go.md) shows
how to use them.

| package | |
|---|---|
`)
	var packages []*doc.Package
	for _, dir := range publicPackages {
		p := parsePackage(t, dir)
		packages = append(packages, p)
		fmt.Fprintf(&b, "| [%s](#package-%s) | %s |\n", p.ImportPath, anchor(p.ImportPath), cell(p.Synopsis(p.Doc)))
	}
	for _, p := range packages {
		writePackage(&b, p)
	}
	return b.String()
}

func anchor(path string) string { return strings.ReplaceAll(path, "/", "") }

func parsePackage(t *testing.T, dir string) *doc.Package {
	names, err := filepath.Glob(filepath.Join("../..", dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(fset, files, filepath.Join("fsa", dir))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func writePackage(b *strings.Builder, p *doc.Package) {
	fmt.Fprintf(b, "\n## package %s\n\n%s\n", p.ImportPath, p.Synopsis(p.Doc))
	line := func(indent, symbol, text string) {
		fmt.Fprintf(b, "%s- %s", indent, symbol)
		if text = p.Synopsis(text); text != "" {
			fmt.Fprintf(b, " – %s", strings.NewReplacer("_", `\_`, "][", `]\[`).Replace(text)) // the latter would be a link
		}
		b.WriteString("\n")
	}
	values := func(indent string, list []*doc.Value) {
		for _, v := range list {
			names := slices.DeleteFunc(slices.Clone(v.Names), func(n string) bool { return !ast.IsExported(n) })
			if len(names) > 0 {
				line(indent, "`"+strings.Join(names, "`, `")+"`", v.Doc)
			}
		}
	}
	functions := func(indent string, list []*doc.Func) {
		for _, f := range list {
			line(indent, "`"+signature(f)+"`", f.Doc)
		}
	}
	b.WriteString("\n")
	values("", p.Consts)
	values("", p.Vars)
	functions("", p.Funcs)
	for _, typ := range p.Types {
		line("", "**`type "+typ.Name+"`**", typ.Doc)
		values("    ", typ.Consts)
		values("    ", typ.Vars)
		functions("    ", typ.Funcs)
		functions("    ", typ.Methods)
	}
}

// signature returns the declaration of a function on one line, without the names of its package.
func signature(f *doc.Func) string {
	decl := *f.Decl
	decl.Body, decl.Doc = nil, nil
	var b bytes.Buffer
	if err := (&printer.Config{Mode: printer.RawFormat}).Fprint(&b, token.NewFileSet(), &decl); err != nil {
		panic(err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
