package fsa_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/internal/need"
)

// listed holds the output of go list for a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	Module                  *struct{ Main bool }
}

// mostInCycle is the maximum number of files of a package that may depend on each other in a cycle.
const mostInCycle = 4

// listExports returns the packages of this module, and the file of exported types of each
// package that they use.
func listExports(t *testing.T) (ours []listed, exports map[string]string) {
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,Module", "./...")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	exports = map[string]string{}
	for d := json.NewDecoder(out); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if p.Module != nil && p.Module.Main {
			ours = append(ours, p)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return ours, exports
}

// importFrom reads exported types.
func importFrom(fset *token.FileSet, exports map[string]string) types.Importer {
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
}

// TestFileCycles finds files of a package that depend on each other. Also within a package, dependencies should have one
// direction.
func TestFileCycles(t *testing.T) {
	need.Long(t)
	ours, exports := listExports(t)
	for _, p := range ours {
		fset := token.NewFileSet()
		for _, cycle := range fileCycles(t, fset, p, exports) {
			if len(cycle) > mostInCycle {
				t.Errorf("%s: %d files depend on each other: %s", p.ImportPath, len(cycle), strings.Join(cycle, ", "))
			}
		}
	}
}

// fileCycles returns the strongly connected components of the files of a package.
func fileCycles(t *testing.T, fset *token.FileSet, p listed, exports map[string]string) [][]string {
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	check := types.Config{Importer: importFrom(fset, exports), FakeImportC: true}
	pkg, err := check.Check(p.ImportPath, fset, files, info)
	if err != nil {
		t.Fatal(err)
	}
	file := func(at token.Pos) string { return filepath.Base(fset.Position(at).Filename) }
	needs := map[string]map[string]bool{}
	for id, object := range info.Uses {
		if object.Pkg() != pkg || !object.Pos().IsValid() {
			continue
		}
		from, to := file(id.Pos()), file(object.Pos())
		if v, field := object.(*types.Var); from == to || field && (v.IsField() || v.Parent() != pkg.Scope()) {
			continue
		}
		if needs[from] == nil {
			needs[from] = map[string]bool{}
		}
		needs[from][to] = true
	}
	return components(p.GoFiles, needs)
}

// components returns the strongly connected components of a graph (Tarjan 1972).
func components(nodes []string, edges map[string]map[string]bool) (list [][]string) {
	index, low, onStack := map[string]int{}, map[string]int{}, map[string]bool{}
	var stack []string
	var visit func(v string)
	visit = func(v string) {
		index[v] = len(index) + 1
		low[v] = index[v]
		stack, onStack[v] = append(stack, v), true
		for w := range edges[v] {
			if index[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if onStack[w] {
				low[v] = min(low[v], index[w])
			}
		}
		if low[v] == index[v] {
			at := slices.Index(stack, v)
			cycle := slices.Clone(stack[at:])
			for _, w := range cycle {
				onStack[w] = false
			}
			stack = stack[:at]
			slices.Sort(cycle)
			list = append(list, cycle)
		}
	}
	for _, v := range nodes {
		if index[v] == 0 {
			visit(v)
		}
	}
	return list
}
