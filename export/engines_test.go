package export_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fsa/export"
	"fsa/internal/modeltest"
	"fsa/internal/need"
	"fsa/model"
)

// Exported models are run by the engines that they are for. Those that are Python
// packages are looked for in the environment that scripts/engines/setup.sh makes and
// FSA_ENGINES names; without it these tests are skipped.

// job is what scripts/engines/run.py is asked to do.
type job struct {
	Engine  string      `json:"engine"`
	File    string      `json:"file"`
	Type    string      `json:"type,omitempty"` // of columns of numbers in SQLite
	View    bool        `json:"view,omitempty"` // whether a query is made a view
	Rows    int         `json:"rows"`
	Columns []jobColumn `json:"columns"`
	Width   int         `json:"width,omitempty"`  // of the one input of ONNX,
	Places  []int       `json:"places,omitempty"` // and where each column stands in it
}

type jobColumn struct {
	Name    string     `json:"name"`
	Numbers []*float64 `json:"numbers"`
	Texts   []*string  `json:"texts"`
}

// answer is what it says.
type answer struct {
	Error  string           `json:"error"`
	Inputs []string         `json:"inputs"`
	Names  []string         `json:"names"`
	Rows   [][]any          `json:"rows"`
	Dicts  []map[string]any `json:"dicts"`
}

func (s *subject) job(engine, file string) job {
	j := job{Engine: engine, File: file, Rows: s.table.Rows}
	for _, c := range s.table.Columns {
		out := jobColumn{Name: c.Name}
		for i := range s.table.Rows {
			if c.Texts == nil {
				v := &c.Numbers[i]
				if *v != *v {
					v = nil
				}
				out.Numbers = append(out.Numbers, v)
			} else {
				v := &c.Texts[i]
				if c.Null[i] {
					v = nil
				}
				out.Texts = append(out.Texts, v)
			}
		}
		j.Columns = append(j.Columns, out)
	}
	return j
}

// enginesDir returns the environment with the engines, or skips the test.
func enginesDir(t *testing.T) string {
	t.Helper()
	return need.Variable(t, "FSA_ENGINES", "run scripts/engines/setup.sh DIR, and set it to DIR")
}

// inPython runs jobs in the environment.
func inPython(t *testing.T, jobs []job) []answer {
	t.Helper()
	input, err := json.Marshal(jobs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(enginesDir(t), "bin", "python"), "../scripts/engines/run.py")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var answers []answer
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatalf("%v in %.200s", err, out)
	}
	return answers
}

// tryAll exports all models and compares what an engine of the environment says of them.
func tryAll(t *testing.T, engine string, o export.Options, tolerance float64, read func(*subject, *answer) predictions) {
	enginesDir(t)
	all := append(subjects(t), learned(t)...)
	dir := t.TempDir()
	var jobs []job
	for i, s := range all {
		j := s.job(engine, s.write(t, dir, o))
		j.View = i%2 == 1
		jobs = append(jobs, j)
	}
	worst := 0.0
	for i, a := range inPython(t, jobs) {
		if a.Error != "" {
			t.Errorf("%s: %s", all[i].name, a.Error)
			continue
		}
		worst = max(worst, all[i].compare(t, read(all[i], &a), tolerance))
	}
	t.Logf("%d models, largest difference %.2g", len(all), worst)
}

// orderONNX is that of the outputs of a graph.
func (s *subject) orderONNX() string {
	order := "decision"
	if s.want.class != nil {
		order = "class " + order
	}
	if s.want.probability != nil {
		order += " probability"
	}
	return order
}

func TestEngineONNX(t *testing.T) {
	tryAll(t, "onnx", export.Options{To: "onnx"}, 1e-9, func(s *subject, a *answer) predictions {
		return s.split(t, a.Rows, s.orderONNX())
	})
}

// TestEngineONNXMatrix gives a model all numbers of a row at once: the columns that it uses, or
// those of a wider table.
func TestEngineONNXMatrix(t *testing.T) {
	enginesDir(t)
	var all []*subject
	var jobs []job
	for _, s := range append(subjects(t), learned(t)...) {
		n := len(s.table.Columns)
		o := export.Options{To: "onnx", Matrix: true}
		if n%2 == 0 {
			o.Width = n + 5
			for i := range n {
				o.Places = append(o.Places, (2*i+3)%(n+5)) // n+5 is odd, so that no two are the same
			}
		}
		var out bytes.Buffer
		err := export.Write(&out, s.model, o)
		if texts := slices.ContainsFunc(s.table.Columns, func(c modeltest.Column) bool { return c.Texts != nil }); texts {
			if !errors.Is(err, export.ErrMatrix) {
				t.Errorf("%s: %v, want an error about texts", s.name, err)
			}
			continue
		}
		j := s.job("onnx", s.write(t, t.TempDir(), o))
		j.Width, j.Places = o.Width, o.Places
		if o.Width == 0 {
			j.Width = n
			for i := range n {
				j.Places = append(j.Places, i)
			}
		}
		all, jobs = append(all, s), append(jobs, j)
	}
	for i, a := range inPython(t, jobs) {
		switch s := all[i]; {
		case a.Error != "":
			t.Errorf("%s: %s", s.name, a.Error)
		case len(a.Inputs) != 1:
			t.Errorf("%s: %d inputs", s.name, len(a.Inputs))
		default:
			s.compare(t, s.split(t, a.Rows, s.orderONNX()), 1e-9)
		}
	}
	if len(all) < 10 {
		t.Errorf("%d models of numbers", len(all))
	}
	if err := export.Write(io.Discard, all[0].model, export.Options{To: "onnx", Matrix: true, Width: 1, Places: []int{1}}); !errors.Is(err, export.ErrMatrix) {
		t.Errorf("a position beyond the matrix: %v", err)
	}
}

// TestEngineONNXLabels sees that classes that are whole numbers stay numbers.
func TestEngineONNXLabels(t *testing.T) {
	enginesDir(t)
	for _, c := range []struct {
		classes []string
		texts   bool
		want    any // the type of a label in JSON
	}{
		{[]string{"-2", "0", "7"}, false, 0.0},
		{[]string{"-2", "0", "7"}, true, ""},
		{[]string{"0", "1", "01"}, false, ""},
		{[]string{"0", "1", "-0"}, false, ""},
		{[]string{"1", "2", "2.5"}, false, ""},
	} {
		s := newSubject(t, "labels", modeltest.New(t, modeltest.Spec{
			Task: model.Classification, Loss: "multinomial", Classes: c.classes, Outputs: 3, Intercept: []float64{0, 0.1, 0.2},
			Variables: []modeltest.Variable{{Name: "x", Kind: model.Linear, Coefficients: []float64{-1, 0, 1}}},
		}))
		a := inPython(t, []job{s.job("onnx", s.write(t, t.TempDir(), export.Options{To: "onnx", TextLabels: c.texts}))})[0]
		if a.Error != "" {
			t.Fatal(a.Error)
		}
		if got := a.Rows[0][0]; reflect.TypeOf(got) != reflect.TypeOf(c.want) {
			t.Errorf("classes %q: label %v of type %T, want %T", c.classes, got, got, c.want)
		}
		s.compare(t, s.split(t, a.Rows, s.orderONNX()), 1e-9)
	}
}

// orderSQL is that of the columns of a query.
func (s *subject) orderSQL() string {
	switch {
	case s.want.class == nil:
		return "decision"
	case s.want.probability == nil:
		return "decision class"
	case s.model.Outputs() == 1 || s.labels():
		return "decision class probability"
	}
	return "decision top total class probability"
}

func TestEngineSQLite(t *testing.T) {
	tryAll(t, "sqlite", export.Options{To: "sql", Dialect: "sqlite"}, 1e-9, func(s *subject, a *answer) predictions {
		return s.split(t, a.Rows, s.orderSQL())
	})
}

// TestEngineSQLiteTexts keeps numbers in columns of texts, as an import of CSV does.
func TestEngineSQLiteTexts(t *testing.T) {
	enginesDir(t)
	dir := t.TempDir()
	all := learned(t)
	var jobs []job
	for _, s := range all {
		j := s.job("sqlite", s.write(t, dir, export.Options{To: "sql"}))
		j.Type = "TEXT"
		jobs = append(jobs, j)
	}
	for i, a := range inPython(t, jobs) {
		if s := all[i]; a.Error != "" {
			t.Errorf("%s: %s", s.name, a.Error)
		} else {
			s.compare(t, s.split(t, a.Rows, s.orderSQL()), 1e-9)
		}
	}
}

func TestEngineDuckDB(t *testing.T) {
	tryAll(t, "duckdb", export.Options{To: "sql", Dialect: "duckdb"}, 1e-9, func(s *subject, a *answer) predictions {
		return s.split(t, a.Rows, s.orderSQL())
	})
}

func TestEnginePython(t *testing.T) {
	tryAll(t, "python", export.Options{To: "python"}, 1e-12, func(s *subject, a *answer) predictions {
		var rows [][]any
		decision := map[model.Task]string{model.Regression: "prediction", model.Ranking: "score", model.Survival: "risk", model.Classification: "decision", model.Multilabel: "decision"}[s.model.Task()]
		order := "decision"
		if s.want.class != nil {
			order += " class"
		}
		if s.want.probability != nil {
			order += " probability"
		}
		for _, d := range a.Dicts {
			var row []any
			for what := range strings.FieldsSeq(strings.Replace(order, "decision", decision, 1)) {
				if list, ok := d[what].([]any); ok {
					row = append(row, list...)
				} else {
					row = append(row, d[what])
				}
			}
			rows = append(rows, row)
		}
		return s.split(t, rows, order)
	})
}

// TestEngineNoValue predicts no class for a row with a cell that is no number.
func TestEngineNoValue(t *testing.T) {
	enginesDir(t)
	m := modeltest.New(t, modeltest.Spec{
		Task: model.Classification, Loss: "logistic", Outputs: 1, Classes: []string{"no", "yes"}, Intercept: []float64{1},
		Variables: []modeltest.Variable{{Name: "x", Kind: model.Linear, Coefficients: []float64{1}}},
	})
	var jobs []job
	word := "five"
	for _, engine := range []string{"sqlite", "duckdb"} {
		j := newSubject(t, engine, m).job(engine, newSubject(t, engine, m).write(t, t.TempDir(), export.Options{To: "sql", Dialect: engine}))
		j.Rows, j.Columns = 1, []jobColumn{{Name: "x", Texts: []*string{&word}}}
		jobs = append(jobs, j)
	}
	for i, a := range inPython(t, jobs) {
		if a.Error != "" || len(a.Rows) != 1 || a.Rows[0][0] != nil || a.Rows[0][1] != nil {
			t.Errorf("%s: %s %v", jobs[i].Engine, a.Error, a.Rows)
		}
	}
}

// TestEngineRuff checks exported Python by the rules that ruff has by default.
func TestEngineRuff(t *testing.T) {
	dir := t.TempDir()
	for _, s := range subjects(t) {
		s.write(t, dir, export.Options{To: "python"})
	}
	cmd := exec.Command(filepath.Join(enginesDir(t), "bin", "ruff"), "check", "--isolated", "--no-cache", "--target-version", "py39", dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%.2000s", err, out)
	}
}

// TestEngineZeroBytes tells texts apart that differ behind a zero byte.
func TestEngineZeroBytes(t *testing.T) {
	enginesDir(t)
	s := newSubject(t, "zero", modeltest.New(t, modeltest.Spec{
		Task: model.Regression, Loss: "squared", Outputs: 1, Intercept: []float64{0},
		Variables: []modeltest.Variable{
			{Name: "text", Kind: model.Category, Levels: []string{"a", "a\x00", "a\x00b", "\x00", ""}, Coefficients: []float64{1, 2, 4, 8, 16}},
		},
	}))
	dir := t.TempDir()
	jobs := []job{
		s.job("sqlite", s.write(t, t.TempDir(), export.Options{To: "sql"})),
		s.job("duckdb", s.write(t, dir, export.Options{To: "sql", Dialect: "duckdb"})),
		s.job("onnx", s.write(t, dir, export.Options{To: "onnx"})),
	}
	for i, a := range inPython(t, jobs) {
		if a.Error != "" {
			t.Errorf("%s: %s", jobs[i].Engine, a.Error)
			continue
		}
		s.compare(t, s.split(t, a.Rows, "decision"), 0)
	}
}
