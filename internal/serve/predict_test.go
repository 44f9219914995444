package serve

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/loss"
	"fsa/model"
)

// fitted returns a model of the sample, whose target is a number or one of some classes, and the
// bytes of its file.
func fitted(t *testing.T, x, y []float64, names []string, o fsa.Options) (*model.Model, string) {
	t.Helper()
	d, err := data.FromRows(names, cols, x, y)
	if err != nil {
		t.Fatal(err)
	}
	m, err := fsa.Fit(context.Background(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	bytes, err := text(m)
	if err != nil {
		t.Fatal(err)
	}
	return m, bytes
}

// TestPredict expects the service to predict what the library does, from any form of table.
func TestPredict(t *testing.T) {
	x, y := sample(true)
	names := make([]string, cols)
	for j := range names {
		names[j] = fmt.Sprint("v", j)
	}
	three := make([]float64, rows)
	for i, v := range y {
		three[i] = max(-1, min(1, math.Round(v/3)))
	}
	for name, c := range map[string]struct {
		y []float64
		o fsa.Options
	}{
		"regression": {y, fsa.Options{K: 3}},
		"curves":     {y, fsa.Options{K: 2, Quick: true, Bins: 5}},
		"classes":    {three, fsa.Options{K: 2, Quick: true, Loss: "multinomial"}},
	} {
		m, file_ := fitted(t, x, c.y, names, c.o)
		want, err := m.PredictRows(names, x)
		if err != nil {
			t.Fatal(err)
		}
		outputs, variables := m.Outputs(), len(m.Selected())
		spare := make([]float64, rows*outputs)
		path, at := store(t, transposed(x), x, spare, spare, make([]float64, rows), make([]float64, rows*outputs*variables))
		r := request{ID: 1, Op: "predict", Model: file_, Files: []file{{Path: path, Own: true}}, Table: table{Rows: rows, Columns: cols, Names: names}}
		r.Predict.Decision = &array{0, at[2], "f8", rows * outputs}
		r.Predict.Contributions = &array{0, at[5], "f8", rows * outputs * variables}
		if m.Task() == model.Classification {
			r.Predict.Probability = &array{0, at[3], "f8", rows * outputs}
			r.Predict.Class = &array{0, at[4], "f8", rows}
		}
		for form, set := range map[string]func(*table){
			"dense":   func(f *table) { f.Dense = &dense{array{0, at[1], "f8", rows * cols}, false} },
			"fortran": func(f *table) { f.Dense = &dense{array{0, at[0], "f8", rows * cols}, true} },
			"columns": func(f *table) {
				for j := range cols {
					f.Each = append(f.Each, column{array: array{0, at[0] + int64(j*rows*8), "f8", rows}})
				}
			},
		} {
			one := r
			set(&one.Table)
			s := start(t)
			s.send(one)
			if a := s.last(1); a["event"] != "done" {
				t.Fatalf("%s, %s: %v", name, form, a)
			}
			all, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			read := func(a *array) []float64 {
				to := make([]float64, a.Length)
				if _, err := binary.Decode(all[a.Offset:], binary.NativeEndian, to); err != nil {
					t.Fatal(err)
				}
				return to
			}
			decision := read(r.Predict.Decision)
			if !slices.Equal(decision, want.Decision) {
				t.Errorf("%s, %s: decision values differ", name, form)
			}
			if r.Predict.Class != nil {
				if !slices.Equal(read(r.Predict.Probability), want.Probability()) {
					t.Errorf("%s, %s: probabilities differ", name, form)
				}
				for i, class := range read(r.Predict.Class) {
					if m.Classes()[int(class)] != want.Class()[i] {
						t.Errorf("%s, %s: row %d has class %v", name, form, i, class)
					}
				}
			}
			parts, base := read(r.Predict.Contributions), m.Additive().Intercept
			for i := range rows {
				for o := range outputs {
					sum := base[o]
					for v := range variables {
						sum += parts[(i*variables+v)*outputs+o]
					}
					if math.Abs(sum-decision[i*outputs+o]) > 1e-9 {
						t.Errorf("%s, %s: contributions of row %d sum to %v instead of %v", name, form, i, sum, decision[i*outputs+o])
					}
				}
			}
		}
	}
}

// exponential is a loss of a caller with a link.
type exponential struct{ loss.Poisson }

func (exponential) Link() loss.Link { return loss.Exp }

// TestPredictRefused expects requests that do not fit the model to be answered by an error, and
// nothing to be written beyond an array.
func TestPredictRefused(t *testing.T) {
	x, y := sample(false)
	names := strings.Split("abcdefgh", "")
	_, file_ := fitted(t, x, y, names, fsa.Options{K: 2, Quick: true})
	_, linked := fitted(t, x, make([]float64, rows), names, fsa.Options{K: 2, Quick: true, Objective: fsa.Objective{Custom: exponential{}}})
	path, at := store(t, x, make([]float64, rows), make([]int32, rows))
	for name, c := range map[string]struct {
		change     func(*request)
		kind, says string
	}{
		"nothing wrong":  {func(*request) {}, "", ""},
		"no model":       {func(r *request) { r.Model = "{}" }, "data", "not a model"},
		"no names":       {func(r *request) { r.Table.Names = nil }, "protocol", "with names"},
		"own link":       {func(r *request) { r.Model = linked }, "options", "Go program"},
		"other names":    {func(r *request) { r.Table.Names = strings.Split("ijklmnop", "") }, "data", "lacks"},
		"a short result": {func(r *request) { r.Predict.Decision.Length = 3 }, "protocol", "there are 3"},
		"outside":        {func(r *request) { r.Predict.Decision.Offset = 1 << 40 }, "protocol", "cut short"},
		"not aligned":    {func(r *request) { r.Predict.Decision.Offset -= 4 }, "protocol", "multiple of 8"},
		"another file":   {func(r *request) { r.Predict.Decision.File = 9 }, "protocol", "no file 9"},
		"not its own":    {func(r *request) { r.Files[0].Own = false }, "protocol", "of its own"},
		"no classes":     {func(r *request) { r.Predict.Class = &array{0, at[1], "f8", rows} }, "protocol", "class"},
		"intervals":      {func(r *request) { r.Predict.Low = &array{0, at[1], "f8", rows} }, "options", "coverage"},
		"dates": {func(r *request) {
			r.Table.Dense = nil
			for range cols {
				r.Table.Each = append(r.Table.Each, column{array: array{0, at[1], "f8", rows}, Kind: "date"})
			}
		}, "data", "in training"},
		"texts": {func(r *request) {
			r.Table.Dense = nil
			for range cols {
				r.Table.Each = append(r.Table.Each, column{array: array{0, at[2], "i4", rows}, Levels: []string{"a"}})
			}
		}, "data", "in training"},
	} {
		r := request{ID: 1, Op: "predict", Model: file_, Files: []file{{Path: path, Own: true}}, Table: table{
			Rows: rows, Columns: cols, Names: names, Dense: &dense{array{0, at[0], "f8", rows * cols}, false},
		}}
		r.Predict.Decision = &array{0, at[1], "f8", rows}
		c.change(&r)
		s := start(t)
		s.send(r)
		a := s.last(1)
		if c.kind == "" && a["event"] == "done" {
			continue
		}
		if a["kind"] != c.kind || !strings.Contains(fmt.Sprint(a["message"]), c.says) || strings.Contains(fmt.Sprint(a["message"]), "panic") {
			t.Errorf("%s: %v, want %s with %q", name, a, c.kind, c.says)
		}
	}
}
