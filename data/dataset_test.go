package data_test

import (
	"math"
	"slices"
	"testing"

	"fsa/data"
)

// weights returns random weights of which some are zero.
func weights(rows int) []float64 {
	rng := newRand()
	w := make([]float64, rows)
	for i := range w {
		if rng.IntN(5) > 0 {
			w[i] = 3 * rng.Float64()
		}
	}
	return w
}

// Statistics are those of two passes over the numbers in the input.
func TestStatistics(t *testing.T) {
	rng := newRand()
	for name, rows := range map[string][][]float64{
		"dense":  gappy(rng, 300, 6, 0),
		"zeros":  gappy(rng, 300, 6, 0.3),
		"sparse": gappy(rng, 300, 6, 0.8),
	} {
		for _, row := range rows {
			row[1] = 5 - 20*row[1]
		}
		for _, weight := range [][]float64{nil, weights(len(rows))} {
			for kind, d := range map[string]*data.Dataset{
				"dense":  dense(t, rows, weight, 70),
				"sparse": sparse(t, rows, weight, 70),
			} {
				for j := range rows[0] {
					s := measured(rows, weight, j)
					compareStats(t, kind+" blocks of "+name, d.Columns[j], s, func(x float64) float64 { return 1e-6 * max(s.sd, math.Abs(x)) })
				}
			}
		}
	}
}

// Columns of which only zeros, one number, or nothing is known do not vary,
// and rounding does not make them.
func TestConstantColumns(t *testing.T) {
	const third = 1.0 / 3
	rows := make([][]float64, 90)
	weight := weights(len(rows))
	for i := range rows {
		rows[i] = []float64{third, 0, math.NaN(), float64(i), third, -7e200, third}
		if weight[i] == 0 { // the row does not count
			rows[i][0] = math.NaN()
			rows[i][4] = 99
			rows[i][6] = 0 // which a sparse table does not list
		}
	}
	for name, d := range map[string]*data.Dataset{
		"dense": dense(t, rows, weight, 7), "sparse": sparseWide(t, rows, weight),
	} {
		for v, c := range d.Columns {
			if got := d.Varies(v); got != (c.Index == 3) {
				t.Errorf("%s: column %d varies: %v (SD %v)", name, c.Index, got, c.SD)
			}
			if c.Index == 6 && (!near(c.Min, third, 1e-7) || !near(c.Mean, third, 1e-7)) {
				t.Errorf("%s: a column that is 1/3 wherever rows count goes down to %v, with a mean of %v", name, c.Min, c.Mean)
			}
		}
		g, err := d.Design(background, data.DesignOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if len(g.Usable) != 1 || d.Columns[g.Variables[g.Usable[0]]].Index != 3 {
			t.Errorf("%s: usable are %v, want column 3 alone", name, g.Usable)
		}
	}
	for _, row := range rows {
		row[3] = 0
	}
	if _, err := dense(t, rows, weight).Design(background, data.DesignOptions{}); err == nil {
		t.Error("a table in which nothing varies has a design")
	}
}

// Whatever the blocks, the table is the same.
func TestBlocksDoNotMatter(t *testing.T) {
	rng := newRand()
	rows := gappy(rng, 257, 5, 0.6)
	for i, row := range rows {
		row[4] = float64(rng.IntN(3)) // a text, in dense tables
		if i%11 == 0 {
			row[4] = math.NaN()
		}
	}
	for _, isSparse := range []bool{false, true} {
		s := &data.Schema{Width: 5, Sparse: isSparse}
		block := sparseBlock
		if !isSparse {
			s.Categories = map[int][]string{4: {"a", "b", "c"}}
			block = denseBlock
		}
		whole := build(t, s, data.Roles{}, cut(rows, block))
		for _, sizes := range [][]int{{1}, {2, 3}, {64}, {100, 1}, {256}} {
			d := build(t, s, data.Roles{}, cut(rows, block, sizes...))
			if d.Rows() != whole.Rows() || d.Sparse() != whole.Sparse() || len(d.Columns) != len(whole.Columns) {
				t.Fatalf("blocks of %v: another shape", sizes)
			}
			for j := range d.Columns {
				a, b := d.Columns[j], whole.Columns[j]
				if a.Text != b.Text || a.Missing != b.Missing || !near(a.Mean, b.Mean, 1e-6) || !near(a.SD, b.SD, 1e-6) || !near(a.Min, b.Min, 1e-6) || !near(a.Max, b.Max, 1e-6) {
					t.Errorf("blocks of %v: column %d is %+v, want %+v", sizes, j, a, b)
				}
			}
			for _, bins := range []int{0, 3} {
				_, got := designed(t, d, bins, data.ScaleAuto)
				_, want := designed(t, whole, bins, data.ScaleAuto)
				for i := range want {
					for c := range want[i] {
						if !near(got[i][c], want[i][c], 1e-4*float64(bins)+1e-6) {
							t.Fatalf("blocks of %v, %d bins: cell %d of row %d is %v, want %v", sizes, bins, c, i, got[i][c], want[i][c])
						}
					}
				}
			}
		}
	}
}

// A selection is a table of the selected rows, and leaves the other as it was.
func TestDatasetSelect(t *testing.T) {
	rng := newRand()
	rows := gappy(rng, 60, 5, 0.6)
	y, weight, query := make([]float64, 60), weights(60), make([]float64, 60)
	for i, row := range rows {
		row[4] = float64(rng.IntN(2))
		y[i], query[i] = float64(i), float64(i/10)
	}
	chosen := []int{20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 5, 4, 3, 2, 1, 0, 40, 41, 42, 49}
	for _, isSparse := range []bool{false, true} {
		s := &data.Schema{Width: 5, Sparse: isSparse}
		block := sparseBlock
		if !isSparse {
			s.Categories = map[int][]string{4: {"a", "b"}}
			block = denseBlock
		}
		roles := func(rows []int) data.Roles {
			return data.Roles{
				TargetVector: &data.Vector{Values: at(y, rows)},
				WeightVector: &data.Vector{Values: at(weight, rows)},
				QueryVector:  &data.Vector{Values: at(query, rows)},
			}
		}
		all := make([]int, len(rows))
		for i := range all {
			all[i] = i
		}
		d := build(t, s, roles(all), cut(rows, block))
		d.Target.Pairs = []data.Pair{{I: 3, J: 1, R: 0.5}, {I: 21, J: 29, R: 1}, {I: 41, J: 43, R: 0}, {I: 50, J: 51, R: 1}}
		before := slices.Clone(d.Columns)

		got, err := d.Select(background, chosen)
		if err != nil {
			t.Fatal(err)
		}
		want := build(t, s, roles(chosen), cut(at(rows, chosen), block))
		if got.Rows() != len(chosen) || got.Sparse() != isSparse || got.Name != d.Name {
			t.Errorf("%d rows of %q, sparse: %v", got.Rows(), got.Name, got.Sparse())
		}
		for j := range want.Columns {
			a, b := got.Columns[j], want.Columns[j]
			if a.Missing != b.Missing || !near(a.Mean, b.Mean, 1e-6) || !near(a.SD, b.SD, 1e-6) || !near(a.Min, b.Min, 1e-6) || !near(a.Max, b.Max, 1e-6) {
				t.Errorf("sparse %v: column %d is %+v, want %+v", isSparse, j, a, b)
			}
		}
		if !slices.Equal(got.Target.Y, want.Target.Y) || !slices.Equal(got.Target.Weight, want.Target.Weight) {
			t.Error("responses or weights are not those of the rows")
		}
		if !slices.Equal(got.Target.Query, []int{0, 10, 16, 20}) {
			t.Errorf("queries are cut at %v", got.Target.Query)
		}
		if pairs := []data.Pair{{I: 12, J: 14, R: 0.5}, {I: 1, J: 9, R: 1}}; !slices.Equal(got.Target.Pairs, pairs) {
			t.Errorf("pairs %v, want %v", got.Target.Pairs, pairs)
		}
		if !slices.Equal(d.Columns, before) || d.Rows() != 60 || len(d.Target.Pairs) != 4 {
			t.Error("the table itself has changed")
		}
	}
	if _, err := dense(t, rows, nil).Select(background, nil); err == nil {
		t.Error("a selection of no rows is a table")
	}
}

func at[V any](list []V, rows []int) []V {
	to := make([]V, len(rows))
	for i, r := range rows {
		to[i] = list[r]
	}
	return to
}

// Rows may have queries or pairs, but no response.
func TestSelectWithoutResponse(t *testing.T) {
	target := &data.Target{Query: []int{0, 2, 5}, Pairs: []data.Pair{{I: 3, J: 4, R: 1}, {I: 0, J: 1, R: 1}}}
	got := target.Select([]int{4, 3, 0})
	if got.Y != nil || !slices.Equal(got.Query, []int{0, 2, 3}) || !slices.Equal(got.Pairs, []data.Pair{{I: 1, J: 0, R: 1}}) {
		t.Errorf("selected %+v", got)
	}
}

// A selection may leave one category of a variable: it does not vary there.
func TestSelectOneCategory(t *testing.T) {
	rows := [][]float64{{0, 1}, {0, 2}, {0, 4}, {1, 8}, {math.NaN(), 9}}
	s := &data.Schema{Width: 2, Categories: map[int][]string{0: {"a", "b"}}}
	d, err := build(t, s, data.Roles{}, cut(rows, denseBlock)).Select(background, []int{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	if d.Varies(0) || !d.Varies(1) {
		t.Error("a variable of one category varies, or a number does not")
	}
	g, cells := designed(t, d, 0, data.ScaleColumn)
	if !slices.Equal(g.Variables, []int{1}) || len(cells[0]) != 1 {
		t.Errorf("the design has the variables %v", g.Variables)
	}
}

func TestFromRows(t *testing.T) {
	d, err := data.FromRows([]string{"a", "b"}, 2, []float64{1, 2, 3, math.NaN(), 5, 6}, []float64{7, 8, 9})
	if err != nil {
		t.Fatal(err)
	}
	if d.Rows() != 3 || len(d.Columns) != 2 || d.ColumnName(1) != "b" || d.Columns[1].Missing != 1 || d.Columns[0].Mean != 3 {
		t.Errorf("%d rows, columns %+v", d.Rows(), d.Columns)
	}
	if !slices.Equal(d.Target.Y, []float64{7, 8, 9}) || d.Target.Weight != nil || d.Target.Query != nil {
		t.Errorf("target %+v", d.Target)
	}
	for ref, want := range map[string]int{"a": 0, "b": 1, "1": 1, "2": -1, "c": -1, "": -1} {
		if got := d.Lookup(ref); got != want {
			t.Errorf("Lookup(%q) = %d, want %d", ref, got, want)
		}
	}
	for name, f := range map[string]func() (*data.Dataset, error){
		"no rows":    func() (*data.Dataset, error) { return data.FromRows(nil, 2, nil, nil) },
		"no columns": func() (*data.Dataset, error) { return data.FromRows(nil, 0, nil, []float64{1}) },
		"numbers":    func() (*data.Dataset, error) { return data.FromRows(nil, 2, []float64{1, 2, 3}, []float64{1, 2}) },
		"names":      func() (*data.Dataset, error) { return data.FromRows([]string{"a"}, 2, []float64{1, 2}, []float64{1}) },
		"infinity": func() (*data.Dataset, error) {
			return data.FromRows(nil, 1, []float64{1, math.Inf(1)}, []float64{1, 2})
		},
		"no response": func() (*data.Dataset, error) { return data.FromRows(nil, 1, []float64{1, 2}, []float64{1, math.NaN()}) },
		"infinite label": func() (*data.Dataset, error) {
			return data.FromRows(nil, 1, []float64{1, 2}, []float64{1, math.Inf(-1)})
		},
	} {
		if _, err := f(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
