package export_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
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

func TestEngineONNX(t *testing.T) {
	tryAll(t, "onnx", export.Options{To: "onnx"}, 1e-9, func(s *subject, a *answer) predictions {
		order := "decision"
		if s.want.class != nil {
			order = "class " + order
		}
		if s.want.probability != nil {
			order += " probability"
		}
		return s.split(t, a.Rows, order)
	})
}

// orderSQL is that of the columns of a query.
func (s *subject) orderSQL() string {
	switch {
	case s.want.class == nil:
		return "decision"
	case s.want.probability == nil:
		return "decision class"
	case s.model.Outputs() == 1:
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
		decision := map[model.Task]string{model.Regression: "prediction", model.Ranking: "score", model.Classification: "decision"}[s.model.Task()]
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
