package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/internal/need"
)

const source = `package p

import "fmt"

func F(a, b int) int {
	if a < b && b != 2 {
		fmt.Println(a)
		a = b
	}
	c := 0.5
	return a
}

func G(err error) (int, error) {
	if err != nil {
		return 0, err
	}
	return 7, nil
}

func H() (int, float64, *rand.Rand) {
	return -1, math.Inf(-1) + math.Inf(1), rand.New(rand.NewPCG(3, 4))
}
`

// Every place is changed in every possible way, and no other place is.
func TestMutantsOf(t *testing.T) {
	list, err := mutantsOf("p.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range list {
		changed := string(m.apply([]byte(source)))
		for i, line := range strings.Split(changed, "\n") {
			if was := strings.Split(source, "\n")[i]; line != was {
				if m.line != i+1 {
					t.Errorf("%s is said to be in line %d", line, m.line)
				}
				got = append(got, strings.TrimSpace(line))
			}
		}
	}
	slices.Sort(got)
	want := []string{
		"", "",
		"c := (0.5 - 1)",
		"if !(a < b && b != 2) {", "if !(err != nil) {",
		"if a < b && b != (2 - 1) {",
		"if a < b && b == 2 {", "if a < b || b != 2 {", "if a <= b && b != 2 {",
		"if err == nil {", "return (7 - 1), nil",
		"return -1, math.Inf(-1) + math.Inf(-1), rand.New(rand.NewPCG(3, 4))",
		"return -1, math.Inf(1) + math.Inf(1), rand.New(rand.NewPCG(3, 4))",
		"return 0, math.Inf(-1) + math.Inf(1), rand.New(rand.NewPCG(3, 4))",
	}
	if !slices.Equal(got, want) {
		t.Errorf("changes\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A change that a test notices is killed, one that no test notices survives, and one that does not
// compile is not counted.
func TestRun(t *testing.T) {
	need.Long(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module m\n\ngo 1.21\n",
		"m.go":      "package m\n\nfunc Sign(a int) int {\n\tif a < 0 {\n\t\treturn -1\n\t}\n\treturn 1\n}\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nfunc TestSign(t *testing.T) {\n\tif Sign(-5) != -1 || Sign(5) != 1 {\n\t\tt.Fail()\n\t}\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	var out, errs bytes.Buffer
	// A negation and a changed result are noticed; another bound near 0 is not.
	if status := run(&out, &errs, []string{"-n", "0", "-seed", "1", "-floor", "0.6", "."}); status != 0 || !strings.Contains(out.String(), "3 of 5 killed") {
		t.Errorf("status %d: %s%s", status, out.String(), errs.String())
	}
	if !strings.Contains(out.String(), "SURVIVED  m.go:4: <= for < in a < 0") {
		t.Error(out.String())
	}
	if status := run(&out, &errs, []string{"-n", "0", "-floor", "0.9", "."}); status != 1 {
		t.Errorf("status %d below the floor", status)
	}
	if status := run(&out, &errs, nil); status != 2 {
		t.Errorf("status %d without a package", status)
	}
}
