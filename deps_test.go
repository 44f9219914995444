package fsa_test

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"fsa/internal/need"
)

// laws are dependencies that are forbidden, both direct and through other packages. They
// are also in the last column of the table of docs/architecture.md, so that an editor of
// the table sees them; here they cannot be edited away by accident.
var laws = map[string][]string{
	"anneal":             {"data", "loss", "prior", "model", "internal/matrix"},
	"loss":               {"data", "anneal", "prior", "model", "internal/matrix"},
	"prior":              {"data", "anneal", "loss", "model", "internal/matrix"},
	"eval":               {"data", "anneal", "loss", "model"},
	"data":               {"anneal", "loss", "prior", "model", "fsa"},
	"model":              {"anneal", "fsa", "baseline"},
	"internal/objective": {"data", "model", "fsa"},
	"internal/solve":     {"data", "model", "fsa", "anneal"},
	"internal/search":    {"fsa", "model", "internal/contest", "internal/plan"},
	"internal/plan":      {"fsa", "model", "internal/contest"},
	"internal/contest":   {"fsa", "model", "report"},
	"internal/training":  {"fsa", "internal/contest", "internal/fit", "internal/plan"},
	"internal/fit":       {"fsa", "baseline", "report"},
	"fsa":                {"baseline", "report", "study/paper", "cmd/fsa"},
	"baseline":           {"fsa", "anneal"},
	"report":             {"fsa", "data"},
	"export":             {"fsa", "anneal", "baseline"},
}

// room is a line of the table of docs/architecture.md.
type room struct {
	uses  []string // packages of this module that its packages use
	any   bool     // whether its packages may use all packages
	never []string
	seen  map[string]bool
}

// readRooms returns the room of each package.
func readRooms(t *testing.T) map[string]*room {
	page, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	rooms := map[string]*room{}
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, "|")
		if len(cells) != 6 {
			continue
		}
		r := &room{uses: names(cells[3]), any: strings.Contains(cells[3], "anything"), never: names(cells[4]), seen: map[string]bool{}}
		for _, pkg := range names(cells[1]) {
			rooms[pkg] = r
		}
	}
	return rooms
}

// names returns the texts between backticks.
func names(text string) []string {
	var list []string
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			list = append(list, part)
		}
	}
	return list
}

// listPackages returns a field of go list for each package of this module, by its short name.
func listPackages(t *testing.T, field string) map[string][]string {
	cmd := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join ."+field+" \" \"}}", "./...")
	cmd.Env = append(os.Environ(), "GOFLAGS=") // .ci/bare sets -json, which excludes -f
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		for i := range words {
			words[i] = short(words[i])
		}
		all[words[0]] = words[1:]
	}
	return all
}

// TestRooms compares the table of docs/architecture.md with the packages: losses
// do not depend on data, data not on losses, and annealing on neither.
func TestRooms(t *testing.T) {
	imports, deps := listPackages(t, "Imports"), listPackages(t, "Deps")
	rooms := readRooms(t)
	for pkg, list := range imports {
		r := rooms[pkg]
		if r == nil {
			t.Errorf("%s is not in the table", pkg)
			continue
		}
		for _, used := range list {
			if _, ours := imports[used]; !ours || r.any {
				continue
			}
			if r.seen[used] = true; !slices.Contains(r.uses, used) {
				t.Errorf("%s uses %s, which is not in the table", pkg, used)
			}
		}
		for _, used := range r.never {
			if imports[used] == nil {
				t.Errorf("%s must never use %s, which does not exist", pkg, used)
			}
			if slices.Contains(deps[pkg], used) {
				t.Errorf("%s must never use %s, and does, perhaps through others", pkg, used)
			}
		}
	}
	for pkg, r := range rooms {
		if _, ok := imports[pkg]; !ok {
			t.Errorf("there is no package %s", pkg)
		}
		for _, used := range r.uses {
			if !r.seen[used] {
				t.Errorf("the table says that %s uses %s, which it does not", pkg, used)
			}
		}
	}
	for pkg, never := range laws {
		for _, law := range never {
			if r := rooms[pkg]; r == nil || !slices.Contains(r.never, law) {
				t.Errorf("the table does not say that %s must never use %s", pkg, law)
			}
		}
	}
}

// short returns the name of a package in the table.
func short(pkg string) string { return strings.TrimPrefix(pkg, "fsa/") }

// private lists the folders whose packages other modules must not use.
var private = []string{"internal", "cmd", "scripts", "app", "study"}

// shown lists public packages that still export types of internal ones, with the number of such declarations. A number
// may only decrease.
var shown = map[string]int{
	"data": 6, // the parts of datasets and designs: matrices, and tables in files
}

// TestPublic refuses exported declarations of public packages that mention types of internal ones, because other modules
// could not name these types.
func TestPublic(t *testing.T) {
	need.Long(t)
	ours, exports := listExports(t)
	from := importFrom(token.NewFileSet(), exports)
	for _, p := range ours {
		if slices.ContainsFunc(strings.Split(p.ImportPath, "/")[1:], func(part string) bool { return slices.Contains(private, part) }) {
			continue
		}
		pkg, err := from.Import(p.ImportPath)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, name := range pkg.Scope().Names() {
			if object := pkg.Scope().Lookup(name); object.Exported() {
				found = append(found, internalTypes(object)...)
			}
		}
		switch known := shown[short(p.ImportPath)]; {
		case len(found) > known:
			t.Errorf("%s exports internal types:\n%s", p.ImportPath, strings.Join(found, "\n"))
		case len(found) < known:
			t.Errorf("%s exports only %d internal types: update shown", p.ImportPath, len(found))
		}
	}
}

// internalTypes lists the parts of an exported declaration that mention internal types, with these types.
func internalTypes(object types.Object) (found []string) {
	look := func(what string, t types.Type) {
		if inside := mentioned(t); inside != nil {
			found = append(found, fmt.Sprintf("  %s: %v", what, inside))
		}
	}
	name, ok := object.(*types.TypeName)
	if !ok || name.IsAlias() {
		look(object.Name(), types.Unalias(object.Type()))
		return found
	}
	named := name.Type().(*types.Named)
	switch under := named.Underlying().(type) {
	case *types.Struct:
		for field := range under.Fields() {
			if field.Exported() {
				look(name.Name()+"."+field.Name(), field.Type())
			}
		}
	default:
		look(name.Name(), under)
	}
	methods := types.NewMethodSet(types.NewPointer(named))
	for method := range methods.Methods() {
		if method.Obj().Exported() && !types.IsInterface(named) {
			look(name.Name()+"."+method.Obj().Name(), method.Type())
		}
	}
	return found
}

// mentioned returns an internal type that a type contains, or nil.
func mentioned(t types.Type) types.Type {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if pkg := t.Obj().Pkg(); pkg != nil && strings.HasPrefix(pkg.Path(), "fsa/internal/") {
			return t
		}
		for arg := range t.TypeArgs().Types() {
			if inside := mentioned(arg); inside != nil {
				return inside
			}
		}
	case *types.Map:
		return cmp.Or(mentioned(t.Key()), mentioned(t.Elem()))
	case interface{ Elem() types.Type }: // pointers, slices, arrays and channels
		return mentioned(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			if inside := mentioned(v.Type()); inside != nil {
				return inside
			}
		}
	case *types.Signature:
		return cmp.Or(mentioned(t.Params()), mentioned(t.Results()))
	case *types.Struct:
		for field := range t.Fields() {
			if inside := mentioned(field.Type()); field.Exported() && inside != nil {
				return inside
			}
		}
	case *types.Interface:
		for method := range t.Methods() {
			if inside := mentioned(method.Type()); method.Exported() && inside != nil {
				return inside
			}
		}
	}
	return nil
}
