package fsa_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/data/synth"
	"fsa/model"
)

// mixed is a dense table of numbers with missing values and of texts.
func mixed(t testing.TB, rows int, seed uint64) (*data.Schema, *data.Block, []float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 20))
	s := &data.Schema{
		Width: 6, Names: []string{"age", "city", "income", "zero", "colour", "noise"},
		Categories: map[int][]string{1: {"Rome", "Oslo", "Lima"}, 4: {"red", "blue"}},
	}
	b := &data.Block{Rows: rows}
	var y []float64
	for range rows {
		age, city, income, colour := rng.NormFloat64(), rng.IntN(3), 1e9+rng.NormFloat64(), rng.IntN(2)
		row := []float64{age, float64(city), income, 7, float64(colour), rng.NormFloat64()}
		y = append(y, 2*age+3*float64(city)+2*(income-1e9)+0.01*rng.NormFloat64())
		if rng.IntN(10) == 0 {
			row[rng.IntN(6)] = math.NaN()
		}
		b.Dense = append(b.Dense, row...)
	}
	return s, b, y
}

func mixedTable(t testing.TB, rows int, seed uint64) (*data.Dataset, *data.Schema, *data.Block) {
	t.Helper()
	s, b, y := mixed(t, rows, seed)
	builder := data.NewBuilder("mixed", s, data.Roles{TargetVector: &data.Vector{Values: y}})
	if err := builder.Add(b); err != nil {
		t.Fatal(err)
	}
	d, err := builder.Dataset(background)
	if err != nil {
		t.Fatal(err)
	}
	return d, s, b
}

// reader returns blocks in memory.
type reader struct {
	schema *data.Schema
	blocks []*data.Block
}

func (r *reader) Schema() *data.Schema { return r.schema }
func (r *reader) Close() error         { return nil }
func (r *reader) Next(context.Context) (*data.Block, error) {
	if len(r.blocks) == 0 {
		return nil, io.EOF
	}
	b := r.blocks[0]
	r.blocks = r.blocks[1:]
	return b, nil
}

// The metrics of predictions of the training rows agree with those of training, for every kind of variable and target.
func TestPredictionsAreThoseOfTraining(t *testing.T) {
	d, s, b := mixedTable(t, 400, 21)
	for _, o := range []fsa.Options{{K: 3}, {K: 5}, {K: 3, Bins: 5}, {K: 3, Design: fsa.Design{Scale: data.ScaleCommon}}, {K: 3, Design: fsa.Design{Scale: data.ScaleNone}, Descent: fsa.Descent{Mu: 1}}} {
		m := fit(t, d, o)
		p, err := m.Predict(background, &reader{s, []*data.Block{b}})
		if err != nil {
			t.Fatal(err)
		}
		metrics, err := p.Metrics(d.Target)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range m.Training().Metrics {
			// Storage keeps float32 numbers and 16-bit positions in bins.
			if got := metrics[name]; math.Abs(got-want) > 2e-3*max(want, 0.1) {
				t.Errorf("%+v: %s is %v, in training it was %v", o, name, got, want)
			}
		}
	}
	m := fit(t, d, fsa.Options{K: 3})
	if r2 := m.Training().Metrics["r2"]; r2 < 0.9 {
		t.Errorf("r2 = %v", r2)
	}
	if got := indices(m); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("selected %v", got)
	}
}

// A sparse table and the same table in dense form have the same predictions.
func TestSparseAndDensePredictAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 1))
	const rows, cols = 300, 40
	sparse := &data.Block{Rows: rows, Start: []int{0}}
	dense := &data.Block{Rows: rows, Dense: make([]float64, rows*cols)}
	for i := range rows {
		sum := 0.0
		for j := range cols {
			if rng.IntN(5) == 0 {
				v := 1 + rng.Float64()
				sparse.Index = append(sparse.Index, uint32(j))
				sparse.Value = append(sparse.Value, v)
				dense.Dense[i*cols+j] = v
				if j < 4 {
					sum += v
				}
			}
		}
		sparse.Start = append(sparse.Start, len(sparse.Index))
		sparse.Label = append(sparse.Label, math.Copysign(1, sum-1))
	}
	schema := &data.Schema{Width: cols, Sparse: true, Open: true}
	d, err := data.Load(background, &reader{schema, []*data.Block{sparse}}, "sparse", data.Roles{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []fsa.Options{{K: 4}, {K: 4, Bins: 3}, {K: 4, Loss: "lorenz", Design: fsa.Design{Scale: data.ScaleColumn}}} {
		m := fit(t, d, o)
		a, err := m.Predict(background, &reader{schema, []*data.Block{sparse}})
		if err != nil {
			t.Fatal(err)
		}
		b, err := m.Predict(background, &reader{&data.Schema{Width: cols}, []*data.Block{dense}})
		if err != nil {
			t.Fatal(err)
		}
		for i := range a.Decision {
			if math.Abs(a.Decision[i]-b.Decision[i]) > 1e-9 {
				t.Fatalf("%+v, row %d: %v sparse, %v dense", o, i, a.Decision[i], b.Decision[i])
			}
		}
		if got := indices(m); !slices.Equal(got, []int{0, 1, 2, 3}) {
			t.Errorf("%+v: selected %v", o, got)
		}
	}
}

func TestModelRoundTrip(t *testing.T) {
	d, s, b := mixedTable(t, 300, 23)
	for _, o := range []fsa.Options{{K: 4}, {K: 4, Bins: 3}} {
		m := fit(t, d, o)
		path := filepath.Join(t.TempDir(), "model.json")
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		again, err := model.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(modelBytes(t, m), modelBytes(t, again)) {
			t.Error("the model changed by being saved")
		}
		p, err := m.Predict(background, &reader{s, []*data.Block{b}})
		if err != nil {
			t.Fatal(err)
		}
		q, err := again.Predict(background, &reader{s, []*data.Block{b}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(p.Decision, q.Decision) {
			t.Error("the predictions changed by being saved")
		}
	}
}

func TestRefusedTables(t *testing.T) {
	d, s, _ := mixedTable(t, 300, 24)
	m := fit(t, d, fsa.Options{K: 3})
	for name, schema := range map[string]*data.Schema{
		"lacks":  {Width: 2, Names: []string{"city", "income"}, Categories: map[int][]string{0: {"Rome"}}},
		"text":   {Width: 6, Names: s.Names, Categories: map[int][]string{0: {"old"}, 1: s.Categories[1], 4: s.Categories[4]}},
		"number": {Width: 6, Names: s.Names},
	} {
		if _, err := m.Scorer(schema); !errors.Is(err, data.ErrBadData) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := m.Scorer(&data.Schema{Width: 2, Names: []string{"city", "income"}, Categories: map[int][]string{0: {"Rome"}}}); !strings.Contains(err.Error(), "age") {
		t.Errorf("the message does not name the column: %v", err)
	}
	if _, err := m.Scorer(&data.Schema{Width: 7, Names: append([]string{"more"}, s.Names...), Categories: map[int][]string{2: {"Paris"}}}); err != nil {
		t.Errorf("another order and a new text: %v", err)
	}
}

// Blocks that a caller built incorrectly are refused: no number beyond a slice is read.
func TestRefusedBlocks(t *testing.T) {
	d, s, _ := mixedTable(t, 300, 24)
	m := fit(t, d, fsa.Options{K: 5})
	room := make([]float64, 4*s.Width)
	for name, block := range map[string]*data.Block{
		"too few numbers": {Rows: 2, Dense: room[:s.Width]},
		"half a row":      {Rows: 1, Dense: room[:s.Width+1]},
		"no rows":         {Rows: -1},
		"text below":      {Rows: 1, Dense: slices.Repeat([]float64{-1}, s.Width)},
		"text beyond":     {Rows: 1, Dense: slices.Repeat([]float64{99}, s.Width)},
	} {
		sc, err := m.Scorer(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sc.Score(block); !errors.Is(err, data.ErrBadData) {
			t.Errorf("%s: %v", name, err)
		}
	}
	words := &data.Schema{Width: 9, Sparse: true}
	for name, block := range map[string]*data.Block{
		"no starts":     {Rows: 1, Index: []uint32{1}, Value: []float64{1}},
		"falling":       {Rows: 2, Start: []int{0, 1, 0}, Index: []uint32{1}, Value: []float64{1}},
		"beyond":        {Rows: 1, Start: []int{0, 2}, Index: []uint32{1, 2}, Value: []float64{1}},
		"before":        {Rows: 1, Start: []int{-1, 1}, Index: []uint32{1}, Value: []float64{1}},
		"row too many":  {Rows: 2, Start: []int{0, 1}, Index: []uint32{1}, Value: []float64{1}},
		"dense numbers": {Rows: 1, Dense: make([]float64, 9)},
	} {
		if err := data.NewBuilder("words", words, data.Roles{}).Add(block); !errors.Is(err, data.ErrBadData) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// sealed returns a model file with the given JSON and a correct checksum.
func sealed(version int, body string) string {
	sum := sha256.Sum256([]byte(body))
	head, _ := json.Marshal(map[string]any{"format": "fsa-model", "version": version, "checksum": "sha256:" + hex.EncodeToString(sum[:])})
	return strings.TrimSuffix(string(head), "}") + `,"model":` + body + "}"
}

// A model file with an altered field is either read or refused.
func TestRefusedModels(t *testing.T) {
	d, _, _ := mixedTable(t, 300, 25)
	var file struct {
		Model json.RawMessage `json:"model"`
	}
	whole := modelBytes(t, fit(t, d, fsa.Options{K: 3, Bins: 3}))
	if err := json.Unmarshal(whole, &file); err != nil {
		t.Fatal(err)
	}
	good := string(file.Model)
	if _, err := model.Read(strings.NewReader(sealed(1, good))); err != nil {
		t.Fatalf("the good model is refused: %v", err)
	}
	edit := func(change func(m map[string]any)) string {
		var m map[string]any
		if err := json.Unmarshal([]byte(good), &m); err != nil {
			t.Fatal(err)
		}
		change(m)
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return sealed(1, string(b))
	}
	variable := func(m map[string]any, i int) map[string]any { return m["variables"].([]any)[i].(map[string]any) }
	for name, text := range map[string]string{
		"empty":            "",
		"cut":              string(whole[:len(whole)/2]),
		"edited":           strings.Replace(string(whole), `"importance":`, `"importance":1`, 1),
		"not a model":      `{"format":"other"}`,
		"newer":            sealed(99, good),
		"version zero":     sealed(0, good),
		"unknown field":    edit(func(m map[string]any) { m["code"] = "rm" }),
		"unknown loss":     edit(func(m map[string]any) { m["loss"] = "hinge" }),
		"wrong task":       edit(func(m map[string]any) { m["task"] = "ranking" }),
		"bins":             edit(func(m map[string]any) { m["bins"] = 1e6 }),
		"other bins":       edit(func(m map[string]any) { m["bins"] = 4 }),
		"outputs":          edit(func(m map[string]any) { m["outputs"] = 1e9 }),
		"two intercepts":   edit(func(m map[string]any) { m["intercept"] = []any{1, 2} }),
		"few coefficients": edit(func(m map[string]any) { variable(m, 0)["coefficients"] = []any{1} }),
		"huge number":      strings.Replace(sealed(1, good), `"importance":`, `"importance":1e999,"x":`, 1),
		"kind":             edit(func(m map[string]any) { variable(m, 0)["kind"] = "spline" }),
		"twice":            edit(func(m map[string]any) { variable(m, 0)["name"] = variable(m, 1)["name"] }),
		"negative index":   edit(func(m map[string]any) { variable(m, 0)["index"] = -1 }),
		"negative norm":    edit(func(m map[string]any) { variable(m, 2)["importance"] = -1 }),
		"order":            edit(func(m map[string]any) { variable(m, 2)["importance"] = 1e9 }),
		"training":         edit(func(m map[string]any) { m["training"].(map[string]any)["rows"] = 0 }),
		"classes":          edit(func(m map[string]any) { m["classes"] = []any{"a", "b"} }),
		"own loss of classes": edit(func(m map[string]any) {
			m["task"], m["loss"], m["classes"] = "classification", "custom", []any{"a", "b"}
		}),
		"levels and numbers": edit(func(m map[string]any) { variable(m, 0)["categories"] = []any{"a", "a"} }),
	} {
		if _, err := model.Read(strings.NewReader(text)); !errors.Is(err, model.ErrModelFile) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := model.Load(filepath.Join(t.TempDir(), "none.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func FuzzReadModel(f *testing.F) {
	for _, bins := range []int{0, 2} {
		f.Add(modelBytes(f, fit(f, made(f, synth.Config{N: 50, M: 20, K: 2}), fsa.Options{K: 2, Bins: bins, Descent: fsa.Descent{Iterations: 5}})))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		m, err := model.Read(bytes.NewReader(file))
		if err != nil {
			return
		}
		// What was accepted has to work.
		m.Intercept()
		for i, v := range m.Selected() {
			if v.Levels == nil {
				m.Response(i, 0, []float64{0, math.NaN(), 1e300})
			}
		}
	})
}

func FuzzReadFolds(f *testing.F) {
	d := made(f, synth.Config{Task: synth.Regression, N: 50, M: 20, K: 2})
	job, err := fsa.Prepare(f.Context(), d, fsa.Options{K: 2, Descent: fsa.Descent{Iterations: 5}, Validation: fsa.Validation{Folds: 2}})
	if err != nil {
		f.Fatal(err)
	}
	if _, err := job.Run(f.Context()); err != nil {
		f.Fatal(err)
	}
	var file bytes.Buffer
	if err := job.Evidence().Folds.Write(&file, "sum"); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Fuzz(func(t *testing.T, file []byte) {
		folds, _, err := model.ReadFolds(bytes.NewReader(file))
		if err != nil {
			if !errors.Is(err, model.ErrModelFile) {
				t.Errorf("refused as %v", err)
			}
			return
		}
		// What was accepted has to work.
		decision := make([][]float64, len(folds.Models()))
		for i, m := range folds.Models() {
			m.Intercept()
			decision[i] = []float64{1, -1e300}
		}
		folds.Intervals(decision, 0.5)
	})
}

// Zero and minus zero are one class.
func TestNegativeZeroIsZero(t *testing.T) {
	c := newCells(40, 3, 5)
	for i, y := range c.y {
		if c.y[i] = 1; y < 0 {
			c.y[i] = math.Copysign(0, -1)
		}
	}
	if got := fit(t, c.table(t), fsa.Options{K: 1}).Classes(); !slices.Equal(got, []string{"0", "1"}) {
		t.Errorf("classes %q", got)
	}
}

// Callers may modify the slices that a model returns.
func TestModelIsImmutable(t *testing.T) {
	d, _, _ := mixedTable(t, 200, 5)
	m, err := fsa.Fit(background, d, fsa.Options{K: 4, Bins: 3})
	if err != nil {
		t.Fatal(err)
	}
	var before, after bytes.Buffer
	if _, err := m.WriteTo(&before); err != nil {
		t.Fatal(err)
	}
	for _, v := range m.Selected() {
		clear(v.Coefficients)
		clear(v.Knots)
		clear(v.Missing)
		clear(v.Levels)
	}
	clear(m.Training().Metrics)
	clear(m.Intercept())
	if _, err := m.WriteTo(&after); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before.Bytes(), after.Bytes()) {
		t.Error("a caller has changed the model")
	}
}

// The importance of a variable is in the unit of the target, also if the target is rescaled for training.
func TestStrengthHasTheUnitOfTheResponse(t *testing.T) {
	strength := func(exponent int) float64 {
		rng := rand.New(rand.NewPCG(1, 21))
		var x, y []float64
		for range 200 {
			a := rng.NormFloat64()
			x, y = append(x, a, rng.NormFloat64()), append(y, math.Ldexp(a, exponent))
		}
		d, err := data.FromRows(nil, 2, x, y)
		if err != nil {
			t.Fatal(err)
		}
		m, err := fsa.Fit(background, d, fsa.Options{K: 1})
		if err != nil {
			t.Fatal(err)
		}
		return math.Ldexp(m.Selected()[0].Norm, -exponent)
	}
	want := strength(0)
	for _, exponent := range []int{-400, 200, 400} {
		if got := strength(exponent); math.Abs(got-want) > 1e-6*want {
			t.Errorf("in units of 2^%d the importance is %v, not %v", exponent, got, want)
		}
	}
}
