package baseline

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fsa/data"
	"fsa/data/synth"
	"fsa/model"
)

// synthetic returns a table of the paper's data.
func synthetic(t testing.TB, c synth.Config) *data.Dataset {
	t.Helper()
	r, err := synth.NewReader(c)
	if err != nil {
		t.Fatal(err)
	}
	d, err := data.Load(context.Background(), r, "synthetic", data.Roles{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// sample is a table of numbers, row after row, in a golden file or a test.
type sample struct {
	X, Y, Weight []float64
	Query        []float64
	Columns      int
}

// dense returns the dataset of a sample.
func (s *sample) dense(t testing.TB) *data.Dataset {
	t.Helper()
	return s.build(t, &data.Schema{Width: s.Columns}, &data.Block{Rows: len(s.Y), Dense: s.X})
}

// sparse returns the dataset of the cells of a sample that are not zero. Most
// must be zero, or else the table would be stored as a dense one.
func (s *sample) sparse(t testing.TB) *data.Dataset {
	t.Helper()
	b := &data.Block{Rows: len(s.Y), Start: []int{0}}
	for i := range s.Y {
		for j, v := range s.X[i*s.Columns : (i+1)*s.Columns] {
			if v != 0 {
				b.Index, b.Value = append(b.Index, uint32(j)), append(b.Value, v)
			}
		}
		b.Start = append(b.Start, len(b.Index))
	}
	d := s.build(t, &data.Schema{Width: s.Columns, Sparse: true}, b)
	if !d.Sparse() {
		t.Fatalf("%d of %d cells are not zero: that is no sparse table", len(b.Index), len(s.X))
	}
	return d
}

// thin sets cells that are not large to zero, so that most are.
func (s *sample) thin() *sample {
	for i, x := range s.X {
		if math.Abs(x) < 0.8 {
			s.X[i] = 0
		}
	}
	return s
}

func (s *sample) build(t testing.TB, schema *data.Schema, block *data.Block) *data.Dataset {
	t.Helper()
	roles := data.Roles{TargetVector: &data.Vector{Values: s.Y}}
	if s.Weight != nil {
		roles.WeightVector = &data.Vector{Values: s.Weight}
	}
	if s.Query != nil {
		roles.QueryVector = &data.Vector{Values: s.Query}
	}
	b := data.NewBuilder("sample", schema, roles)
	if err := b.Add(block); err != nil {
		t.Fatal(err)
	}
	d, err := b.Dataset(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// readGolden reads numbers that an independent program made; the script of the
// same name beside the file is that program.
func readGolden(t testing.TB, name string, to any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, to); err != nil {
		t.Fatal(err)
	}
}

func mustFit(t testing.TB, f Fitter, d *data.Dataset) *model.Model {
	t.Helper()
	m, err := f.Fit(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// chosen returns the columns of the variables of a model, ascending.
func chosen(m *model.Model) []int {
	var list []int
	for _, v := range m.Selected() {
		list = append(list, v.Index)
	}
	slices.Sort(list)
	return list
}

func fileOf(t testing.TB, m *model.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// near fails unless two lists of numbers agree.
func near(t testing.TB, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tolerance) {
			t.Errorf("%s: number %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

// predicted returns the decision values of a model for dense rows.
func predicted(t testing.TB, m *model.Model, s *sample) []float64 {
	t.Helper()
	sc, err := m.Scorer(&data.Schema{Width: s.Columns})
	if err != nil {
		t.Fatal(err)
	}
	z, err := sc.Score(&data.Block{Rows: len(s.Y), Dense: s.X})
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// slopes returns the coefficient of each column of a model of linear parts.
func slopes(m *model.Model, columns int) []float64 {
	beta := make([]float64, columns)
	for _, v := range m.Selected() {
		beta[v.Index] = v.Coefficients[0]
	}
	return beta
}
