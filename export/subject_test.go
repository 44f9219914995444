package export_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fsa/export"
	"fsa/internal/modeltest"
	"fsa/model"
)

const seed = 20

// subject is a model, rows, and what the model says of them.
type subject struct {
	name  string
	model *model.Model
	table *modeltest.Table
	want  predictions
}

// predictions are those of rows.
type predictions struct {
	decision, probability [][]float64
	class                 []string
}

// subjects returns models made by hand.
func subjects(t *testing.T) []*subject {
	t.Helper()
	var out []*subject
	for _, c := range modeltest.Cases(seed) {
		if c.Spec.Settings.Cuts != nil {
			continue // see TestSameBytes
		}
		out = append(out, newSubject(t, c.Name, modeltest.New(t, c.Spec)))
	}
	return out
}

// learned returns models that the command has learned.
func learned(t *testing.T) []*subject {
	t.Helper()
	files, err := filepath.Glob("../cmd/fsa/testdata/models/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d models, error %v", len(files), err)
	}
	var out []*subject
	for _, path := range files {
		m, err := model.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, newSubject(t, strings.TrimSuffix(filepath.Base(path), ".json"), m))
	}
	return out
}

func newSubject(t testing.TB, name string, m *model.Model) *subject {
	t.Helper()
	rows := min(60, 10+2000/max(1, len(m.Selected()))) // engines that store columns take their time with wide rows
	s := &subject{name: name, model: m, table: modeltest.Rows(rand.New(rand.NewPCG(seed, 1)), m, rows)}
	p := s.table.Predict(t, m)
	s.want.class = p.Class()
	split := func(v []float64) (rows [][]float64) {
		for i := 0; i < len(v); i += m.Outputs() {
			rows = append(rows, v[i:i+m.Outputs()])
		}
		return rows
	}
	s.want.decision, s.want.probability = split(p.Decision), split(p.Probability())
	if labels := p.Labels(); labels != nil {
		s.want.class, s.want.probability = labels.Class, split(labels.Probability)
	}
	if numbers := p.Values(); numbers != nil {
		s.want.decision = split(numbers)
	}
	return s
}

// write exports the model into a folder.
func (s *subject) write(t *testing.T, dir string, o export.Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := export.Write(&out, s.model, o); err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	path := filepath.Join(dir, s.name+"."+strings.Replace(o.To, "python", "py", 1))
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// split takes the predictions apart of which each row has in turn what the words of
// order say.
func (s *subject) split(t *testing.T, rows [][]any, order string) predictions {
	t.Helper()
	var got predictions
	numbers := func(cells []any) []float64 {
		out := make([]float64, len(cells))
		for i, c := range cells {
			v, err := strconv.ParseFloat(fmt.Sprint(c), 64)
			if err != nil {
				t.Fatalf("%s: %v where a number should be", s.name, c)
			}
			out[i] = v
		}
		return out
	}
	n := s.model.Outputs()
	for i, row := range rows {
		for what := range strings.FieldsSeq(order) {
			width := n
			if what == "top" || what == "total" || what == "class" && !s.labels() {
				width = 1
			}
			if len(row) < width {
				t.Fatalf("%s: row %d has too few predictions", s.name, i)
			}
			cells := row[:width]
			switch row = row[width:]; what {
			case "decision":
				got.decision = append(got.decision, numbers(cells))
			case "probability":
				got.probability = append(got.probability, numbers(cells))
			case "class":
				for _, cell := range cells {
					got.class = append(got.class, fmt.Sprint(cell))
				}
			}
		}
		if len(row) > 0 {
			t.Fatalf("%s: row %d has %v beyond its predictions", s.name, i, row)
		}
	}
	return got
}

// compare checks predictions against the model's. A class may differ where decision
// values are equal but for rounding.
func (s *subject) compare(t *testing.T, got predictions, tolerance float64) (worst float64) {
	t.Helper()
	check := func(what string, got, want [][]float64) {
		if len(got) != len(want) {
			t.Errorf("%s: %d rows of %s, want %d", s.name, len(got), what, len(want))
			return
		}
		for i := range want {
			for c, w := range want[i] {
				off := math.Abs(got[i][c]-w) / max(1, math.Abs(w))
				if worst = max(worst, off); !(off <= tolerance) {
					t.Errorf("%s: row %d: %s %d is %v, want %v: %s", s.name, i, what, c, got[i][c], w, s.row(i))
					return
				}
			}
		}
	}
	check("decision", got.decision, s.want.decision)
	check("probability", got.probability, s.want.probability)
	if len(got.class) != len(s.want.class) {
		t.Errorf("%s: %d classes, want %d", s.name, len(got.class), len(s.want.class))
		return worst
	}
	for i, w := range s.want.class {
		row, z := i, []float64(nil)
		if s.labels() {
			n := s.model.Outputs()
			row, z = i/n, s.want.decision[i/n][i%n:i%n+1]
		} else {
			z = s.want.decision[i]
		}
		if got.class[i] != w && !close(z) {
			t.Errorf("%s: row %d: class %q, want %q", s.name, row, got.class[i], w)
		}
	}
	return worst
}

// labels reports whether the model has several labels, each with a class of its own.
func (s *subject) labels() bool { return s.model.Task() == model.Multilabel }

// close reports whether rounding can change the class.
func close(z []float64) bool {
	if len(z) == 1 {
		return math.Abs(z[0]) < 1e-9
	}
	best, second := math.Inf(-1), math.Inf(-1)
	for _, v := range z {
		best, second = max(best, v), max(second, min(best, v))
	}
	return best-second < 1e-9*max(1, math.Abs(best))
}

// row shows a row of the table.
func (s *subject) row(i int) string {
	var out []string
	for _, c := range s.table.Columns[:min(8, len(s.table.Columns))] {
		if c.Texts == nil {
			out = append(out, fmt.Sprintf("%q: %v", c.Name, c.Numbers[i]))
		} else {
			out = append(out, fmt.Sprintf("%q: %q (missing: %v)", c.Name, c.Texts[i], c.Null[i]))
		}
	}
	return strings.Join(out, ", ")
}
