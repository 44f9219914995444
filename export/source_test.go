package export_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"go/format"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fsa/export"
	"fsa/internal/need"
)

// TestEngineC compiles exported models with gcc, without a warning, and runs them.
func TestEngineC(t *testing.T) {
	need.Long(t)
	gcc := need.Program(t, "apt-get install gcc", "gcc")
	dir := t.TempDir()
	worst := 0.0
	all := subjects(t)
	for _, s := range all {
		source := s.write(t, dir, export.Options{To: "c"})
		program := filepath.Join(dir, s.name)
		cmd := exec.Command(gcc, "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-DMODEL="+strconv.Quote(source), "-o", program, "testdata/harness.c", "-lm")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", s.name, err, out)
			continue
		}
		cmd = exec.Command(program)
		cmd.Stdin = strings.NewReader(s.lines())
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		var rows [][]any
		for line := range bytes.Lines(out) {
			var row []any
			if err := json.Unmarshal(line, &row); err != nil {
				t.Fatalf("%s: %v in %s", s.name, err, line)
			}
			rows = append(rows, row)
		}
		worst = max(worst, s.compare(t, s.byNumber(t, rows), 1e-12))
	}
	t.Logf("%d models, largest difference %.2g", len(all), worst)
}

// lines returns the rows as testdata/harness.c reads them.
func (s *subject) lines() string {
	var out strings.Builder
	for i := range s.table.Rows {
		for _, c := range s.table.Columns {
			if c.Texts == nil {
				fmt.Fprintln(&out, strconv.FormatFloat(c.Numbers[i], 'x', -1, 64))
			}
		}
		for _, c := range s.table.Columns {
			switch {
			case c.Texts == nil:
			case c.Null[i]:
				fmt.Fprintln(&out, "-")
			default:
				fmt.Fprintln(&out, ":"+hex.EncodeToString([]byte(c.Texts[i])))
			}
		}
	}
	return out.String()
}

// byNumber takes predictions apart in which a row has the number of its class, decision
// values and probabilities, whether the model knows of classes and probabilities or not.
func (s *subject) byNumber(t *testing.T, rows [][]any) predictions {
	order := "class decision probability"
	if s.labels() {
		order = "top decision probability" // its classes are those of decision values
	}
	got := s.split(t, rows, order)
	for _, z := range got.decision {
		for c, v := range z {
			if classes := s.model.Targets(); s.labels() && v > 0 {
				got.class = append(got.class, classes[c].Classes[1])
			} else if s.labels() {
				got.class = append(got.class, classes[c].Classes[0])
			}
		}
	}
	if s.want.probability == nil {
		got.probability = nil
	}
	if s.want.class == nil {
		got.class = nil
	}
	for i := range got.class {
		if s.labels() {
			break
		}
		c, err := strconv.Atoi(got.class[i])
		if err != nil {
			t.Fatal(err)
		}
		got.class[i] = s.model.Classes()[c]
	}
	return got
}

// TestEngineGo builds a program of all exported models and runs it.
func TestEngineGo(t *testing.T) {
	need.Long(t)
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var imports, calls strings.Builder
	var input [][]goRow
	all := subjects(t)
	for i, s := range all {
		source, err := os.ReadFile(s.write(t, t.TempDir(), export.Options{To: "go"}))
		if err != nil {
			t.Fatal(err)
		}
		if formatted, err := format.Source(source); err != nil || !bytes.Equal(formatted, source) {
			t.Errorf("model %d: gofmt would change its source (%v)", i, err)
		}
		write(fmt.Sprintf("m%d/scorer.go", i), string(source))
		fmt.Fprintf(&imports, "m%d \"scorers/m%d\"\n", i, i)
		row := "append([]any{%s}, each(p.Decision[:])...)"
		if s.labels() {
			row = "append(each(%s), each(p.Decision[:])...)"
		}
		class, probability := `""`, "p.Decision[:]"
		if s.want.class != nil {
			class = "p.Class"
		}
		if s.labels() {
			class = "p.Class[:]"
		}
		if s.want.probability != nil {
			probability = "p.Probability[:]"
		}
		fmt.Fprintf(&calls, "func(r row) []any { p := m%d.Predict(r.numbers(), r.Texts); return append("+row+", each(%s)...) },\n", i, class, probability)
		input = append(input, s.goRows())
	}
	write("go.mod", "module scorers\n\ngo 1.21\n")
	write("main.go", fmt.Sprintf(goHarness, imports.String(), calls.String()))
	rows, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(rows)
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.Bytes())
	}
	var results [][][]any
	if err := json.Unmarshal(out, &results); err != nil {
		t.Fatal(err)
	}
	worst := 0.0
	for i, s := range all {
		got := s.split(t, results[i], "class decision probability")
		if s.want.class == nil {
			got.class = nil
		}
		if s.want.probability == nil {
			got.probability = nil
		}
		worst = max(worst, s.compare(t, got, 1e-12))
	}
	t.Logf("%d models, largest difference %.2g", len(all), worst)
}

type goRow struct {
	Numbers []*float64
	Texts   []string
}

func (s *subject) goRows() []goRow {
	rows := make([]goRow, s.table.Rows)
	for i := range rows {
		rows[i].Texts = []string{}
		for _, c := range s.table.Columns {
			switch {
			case c.Texts == nil && math.IsNaN(c.Numbers[i]):
				rows[i].Numbers = append(rows[i].Numbers, nil)
			case c.Texts == nil:
				rows[i].Numbers = append(rows[i].Numbers, &c.Numbers[i])
			case c.Null[i]:
				rows[i].Texts = append(rows[i].Texts, "")
			default:
				rows[i].Texts = append(rows[i].Texts, c.Texts[i])
			}
		}
	}
	return rows
}

const goHarness = `package main

import (
	"encoding/json"
	"math"
	"os"

	%s)

type row struct {
	Numbers []*float64
	Texts   []string
}

func (r row) numbers() []float64 {
	out := make([]float64, len(r.Numbers))
	for i, v := range r.Numbers {
		if out[i] = math.NaN(); v != nil {
			out[i] = *v
		}
	}
	return out
}

func each[T any](v []T) (out []any) {
	for _, x := range v {
		out = append(out, x)
	}
	return out
}

var models = []func(row) []any{
	%s}

func main() {
	var input [][]row
	if err := json.NewDecoder(os.Stdin).Decode(&input); err != nil {
		panic(err)
	}
	out := make([][][]any, len(input))
	for i, rows := range input {
		for _, r := range rows {
			out[i] = append(out[i], models[i](r))
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		panic(err)
	}
}
`
