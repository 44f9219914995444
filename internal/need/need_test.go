package need

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Only this package skips tests: both runs of CI rely on it.
func TestNobodyElseSkips(t *testing.T) {
	files := token.NewFileSet()
	parsed := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || path == filepath.Join(root, "internal", "need")):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		parsed++
		for _, at := range skips(file) {
			t.Errorf("%s skips a test: use package need", files.Position(at))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if parsed < 100 {
		t.Errorf("only %d files were found in %s", parsed, root)
	}
}

func TestSkips(t *testing.T) {
	for source, want := range map[string]int{
		`func TestA(t *testing.T) { t.Skip() }`:                                          1,
		`func TestA(t *testing.T) { t.Run("", func(u *testing.T) { u.Skipf("x") }) }`:    1,
		`func help(tb testing.TB) { tb.SkipNow() }`:                                      1,
		`func BenchmarkA(b *testing.B) { if true { b.Skip(1) } }`:                        1,
		`func FuzzA(f *testing.F) { f.Skip(); f.Fuzz(func(t *testing.T) { t.Skip() }) }`: 2,
		`func read(r *reader) { r.Skip(5) }`:                                             0,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+source, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(skips(file)); got != want {
			t.Errorf("%d skips found in %s", got, source)
		}
	}
}

// skips returns where a test, a benchmark or a helper of theirs calls Skip, Skipf or SkipNow.
func skips(file *ast.File) []token.Pos {
	var found []token.Pos
	tests := map[string]bool{} // the names under which a file knows its testing.T, B, F and TB
	ast.Inspect(file, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok && isTest(f.Type) {
			for _, name := range f.Names {
				tests[name.Name] = true
			}
		}
		return true
	})
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		receiver, ok := method.X.(*ast.Ident)
		if !ok || !tests[receiver.Name] {
			return true
		}
		switch method.Sel.Name {
		case "Skip", "Skipf", "SkipNow":
			found = append(found, call.Pos())
		}
		return true
	})
	return found
}

// isTest says whether a type is one of testing.T, B and F, by pointer, or testing.TB.
func isTest(e ast.Expr) bool {
	if p, ok := e.(*ast.StarExpr); ok {
		e = p.X
	}
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := s.X.(*ast.Ident)
	return ok && pkg.Name == "testing" && strings.Contains("T B F TB", s.Sel.Name)
}

// recorder is a test that records why it was skipped, and continues.
type recorder struct {
	testing.TB
	said []string
}

func (r *recorder) Helper() {}

func (r *recorder) Skipf(format string, a ...any) { r.said = append(r.said, fmt.Sprintf(format, a...)) }

// Only a quick run leaves out tests that take long, and it keeps the named cases.
func TestLong(t *testing.T) {
	var want []string
	if testing.Short() {
		want = []string{"needs time: run the tests without -short", "needs time: run the tests without -short"}
	}
	r := &recorder{TB: t}
	Long(r)
	LongCase(r, "b", "a")
	LongCase(r, "a", "b", "a")
	if !slices.Equal(r.said, want) {
		t.Errorf("it says %q, want %q", r.said, want)
	}
}

// Only a run with FSA_SWEEP tries everything.
func TestSweep(t *testing.T) {
	for value, want := range map[string]int{"": 1, "1": 6} {
		t.Setenv("FSA_SWEEP", value)
		if got := Sweep(1, 6); got != want {
			t.Errorf("with FSA_SWEEP=%q it is %d, want %d", value, got, want)
		}
		first, second := Seed(t), Seed(t)
		if (first == second) != (want == 1) {
			t.Errorf("with FSA_SWEEP=%q the seeds are %d and %d", value, first, second)
		}
	}
}

// What exists is found, and what is missing is reported in one form.
func TestMessages(t *testing.T) {
	t.Setenv("FSA_NEED_TEST", "here")
	r := &recorder{TB: t}
	if path := Program(r, "install Go", "no-such-program", "go"); !filepath.IsAbs(path) {
		t.Errorf("go is at %q", path)
	}
	if value := Variable(r, "FSA_NEED_TEST", ""); value != "here" {
		t.Errorf("the variable is %q", value)
	}
	Device(r, nil)
	System(r, runtime.GOOS != "", "an operating system")
	if len(r.said) > 0 {
		t.Errorf("what is there was not found: %q", r.said)
	}
	Program(r, "apt-get install it", "no-such-program", "nor-this")
	Variable(r, "FSA_NO_SUCH_VARIABLE", "set it")
	Data(r, "no/such/data")
	Device(r, errors.New("there is no driver"))
	System(r, false, "another system")
	want := []string{
		"needs program no-such-program: apt-get install it",
		"needs variable FSA_NO_SUCH_VARIABLE: set it",
		"needs data no/such/data: put it into ../shared/data",
		"needs device: there is no driver",
		"needs system: another system",
	}
	if !slices.Equal(r.said, want) {
		t.Errorf("it says %q", r.said)
	}
}
