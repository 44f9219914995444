package data_test

import (
	"math"
	"slices"
	"testing"

	"fsa/data"
)

// Cells of ordinary columns in every scale, with weights and missing values.
func TestDesignCells(t *testing.T) {
	rng := newRand()
	rows := gappy(rng, 200, 5, 0.7)
	for _, row := range rows {
		row[1] *= 50
		row[2] = 3*row[2] - 1
		row[3] = 8 // constant: not in the design
	}
	variables := []int{0, 1, 2, 4}
	for _, weight := range [][]float64{nil, weights(len(rows))} {
		var common float64
		for _, j := range variables {
			sd := measured(rows, weight, j).sd
			common += sd * sd / float64(len(variables))
		}
		common = math.Sqrt(common)
		for _, d := range []*data.Dataset{dense(t, rows, weight), sparseWide(t, rows, weight)} {
			auto := data.ScaleColumn
			if d.Sparse() {
				auto = data.ScaleRoot
			}
			for _, scale := range []data.Scale{data.ScaleColumn, data.ScaleCommon, data.ScaleRoot, data.ScaleNone, data.ScaleAuto} {
				g, cells := designed(t, d, 0, scale)
				if !slices.Equal(g.Usable, variables) || g.Numbers != len(d.Columns) || g.Bins != 0 {
					t.Fatalf("usable %v, %d numbers", g.Usable, g.Numbers)
				}
				if scale == data.ScaleAuto {
					scale = auto
				}
				for _, j := range variables {
					s := measured(rows, weight, j)
					unit, center := map[data.Scale]float64{data.ScaleColumn: s.sd, data.ScaleCommon: common, data.ScaleRoot: math.Sqrt(s.sd * common), data.ScaleNone: 1}[scale], 0.0
					if !d.Sparse() && scale != data.ScaleNone {
						center = s.mean
					}
					weight := 1.0
					if scale == data.ScaleRoot {
						weight = s.sd / unit
					}
					if got := g.Weight(j); !near(got, weight, 1e-6) {
						t.Errorf("scale %q: column %d weighs %v, want %v", scale, j, got, weight)
					}
					for i, row := range rows {
						x := row[j]
						if x != x {
							x = s.mean
						}
						if want := (x - center) / unit; !near(cells[i][j], want, 1e-6*max(1, math.Abs(x/unit))) {
							t.Fatalf("sparse %v, scale %q: cell of %v in column %d is %v, want %v", d.Sparse(), scale, row[j], j, cells[i][j], want)
						}
					}
					if g.Mean != nil && g.Mean[j] != 0 {
						t.Errorf("a linear column has its mean %v subtracted twice", g.Mean[j])
					}
				}
			}
		}
	}
	if _, err := dense(t, rows, nil).Design(background, data.DesignOptions{Scale: "row"}); err == nil {
		t.Error("there is no scale by row")
	}
}

// sparseWide returns a sparse table of rows, made sparse by columns of zeros
// at the end.
func sparseWide(t *testing.T, rows [][]float64, weight []float64) *data.Dataset {
	t.Helper()
	s := &data.Schema{Width: 3 * len(rows[0]), Sparse: true}
	d := build(t, s, weighted(weight), cut(rows, sparseBlock, 64))
	if !d.Sparse() {
		t.Fatal("not sparse")
	}
	return d
}

// Sparse input with at least half of its cells is stored and treated as dense.
func TestDensity(t *testing.T) {
	rows := [][]float64{{1, 0}, {0, 2}, {3, 0}, {0, 4}}
	d := sparse(t, rows, nil, 3)
	if d.Sparse() {
		t.Fatal("a table of which half is zeros is sparse")
	}
	_, cells := designed(t, d, 0, data.ScaleAuto)
	for j := range 2 {
		s := measured(rows, nil, j)
		for i := range rows {
			if want := (rows[i][j] - s.mean) / s.sd; !near(cells[i][j], want, 1e-6) {
				t.Errorf("cell %d of row %d is %v, want %v", j, i, cells[i][j], want)
			}
		}
	}
	rows[0][0] = 0
	if !sparse(t, rows, nil).Sparse() {
		t.Error("a table with less than half of its cells is dense")
	}
}

// uncentred checks that the columns of a design sum to zero over the rows, and
// returns the cells without what was subtracted for that.
func uncentred(t *testing.T, g *data.Design, cells [][]float64, weight []float64) [][]float64 {
	t.Helper()
	raw := make([][]float64, len(cells))
	sum := make([]float64, len(cells[0]))
	for i, row := range cells {
		raw[i] = make([]float64, len(row))
		for c, v := range row {
			w := 1.0
			if weight != nil {
				w = weight[i]
			}
			sum[c] += w * v
			raw[i][c] = v + g.Mean[c]
		}
	}
	for c, v := range sum {
		if !near(v, 0, 1e-9*float64(len(cells))) {
			t.Errorf("column %d sums to %v over the rows", c, v)
		}
	}
	return raw
}

// Section 2.5 of the paper: B bins over the range, both ends clamped, x = max
// in bin B−1 with α = 1. Dense and sparse tables have the same cells.
func TestBinnedDesign(t *testing.T) {
	rng := newRand()
	rows := gappy(rng, 150, 4, 0.8)
	for _, row := range rows {
		row[1] = 100 + 20*row[1]
		row[2] = math.Abs(row[2]) // zero is the lower end
	}
	rows[0][2] = 0
	for _, weight := range [][]float64{nil, weights(len(rows))} {
		for _, bins := range []int{1, 4, 7} {
			for _, d := range []*data.Dataset{dense(t, rows, weight), sparseWide(t, rows, weight)} {
				g, cells := designed(t, d, bins, data.ScaleAuto)
				if g.Bins != bins || !slices.Equal(g.Variables, []int{0, 1, 2, 3}) {
					t.Fatalf("design of %d bins: %d bins, variables %v", bins, g.Bins, g.Variables)
				}
				cells = uncentred(t, g, cells, weight)
				first := 0
				for j, width := range g.X.Widths() {
					s := measured(rows, weight, j)
					for i, row := range rows {
						want := knots(row[j], knotsOf(g, j, s.min, s.max), s.missing > 0)
						if len(want) != width {
							t.Fatalf("variable %d has %d columns, want %d", j, width, len(want))
						}
						for c, v := range cells[i][first : first+width] {
							if !near(v, want[c], float64(bins)/(1<<15)) {
								t.Fatalf("sparse %v: %v in [%v, %v] and %d bins is %v, want %v", d.Sparse(), row[j], s.min, s.max, bins, cells[i][first:first+width], want)
							}
						}
					}
					first += width
				}
			}
		}
	}
}

func TestKnot(t *testing.T) {
	for _, c := range []struct {
		t     float64
		count int
		bin   int
		alpha float64
	}{
		{0, 4, 0, 0}, {0.25, 4, 1, 0}, {0.375, 4, 1, 0.5}, {0.75, 4, 3, 0}, {1, 4, 3, 1}, {1, 1, 0, 1}, {0.5, 1, 0, 0.5},
	} {
		if bin, alpha := data.Knot(c.t, c.count); bin != c.bin || alpha != c.alpha {
			t.Errorf("Knot(%v, %d) = %d, %v, want %d, %v", c.t, c.count, bin, alpha, c.bin, c.alpha)
		}
	}
}

func TestPlace(t *testing.T) {
	const largest = math.MaxFloat64
	for _, c := range []struct{ x, low, high, want float64 }{
		{3, 1, 5, 0.5}, {1, 1, 5, 0}, {5, 1, 5, 1}, {0, 1, 5, 0}, {6, 1, 5, 1},
		{0, -largest, largest, 0.5}, {largest, -largest, largest, 1}, {-largest, -1, 1, 0},
		{2e-300, 1e-300, 3e-300, 0.5},
	} {
		if got := data.Place(c.x, c.low, c.high); !near(got, c.want, 1e-15) {
			t.Errorf("Place(%v, %v, %v) = %v, want %v", c.x, c.low, c.high, got, c.want)
		}
	}
}

// A categorical variable has a column for each category, the last for missing texts, and with
// scaled columns unit variance over all of them.
func TestTexts(t *testing.T) {
	nan := math.NaN()
	rows := [][]float64{{0, 1, 0, 0}, {1, 5, 0, nan}, {nan, 2, 0, 0}, {0, 7, 0, nan}, {2, 3, 0, 0}, {0, 4, 0, 0}, {nan, 6, 0, nan}}
	s := &data.Schema{Width: 4, Names: []string{"color", "size", "same", "known"}, Categories: map[int][]string{
		0: {"red", "green", "blue"}, 2: {"only"}, 3: {"yes"},
	}}
	for _, weight := range [][]float64{nil, {1, 0.5, 2, 0, 1, 3, 1}} {
		d := build(t, s, weighted(weight), cut(rows, denseBlock, 3))
		if !slices.Equal(d.Categories(0), []string{"red", "green", "blue"}) || !d.Columns[0].Text || d.Columns[1].Text {
			t.Fatalf("categories %v", d.Categories(0))
		}
		if d.Columns[0].Missing != 2 || d.Columns[3].Missing != 3 || d.Varies(2) || !d.Varies(0) || !d.Varies(3) {
			t.Errorf("columns %+v", d.Columns)
		}
		total := make([]float64, 6) // weight of each category of color and known
		var all float64
		w := func(i int) float64 {
			if weight == nil {
				return 1
			}
			return weight[i]
		}
		cell := func(i, c int) float64 { // before centring and scaling
			x, categories, category := rows[i][0], 3, c
			if c > 3 {
				x, categories, category = rows[i][3], 1, c-4
			}
			if x != x {
				x = float64(categories)
			}
			if int(x) == category {
				return 1
			}
			return 0
		}
		for i := range rows {
			all += w(i)
			for c := range total {
				total[c] += w(i) * cell(i, c)
			}
		}
		for _, scale := range []data.Scale{data.ScaleColumn, data.ScaleCommon, data.ScaleNone} {
			g, cells := designed(t, d, 0, scale)
			if !slices.Equal(g.Variables, []int{1, 0, 3}) || g.Numbers != 1 || !slices.Equal(g.X.Widths(), []int{1, 4, 2}) {
				t.Fatalf("variables %v of widths %v", g.Variables, g.X.Widths())
			}
			unit := []float64{1, 1, 1, 1, 1, 1}
			if scale == data.ScaleColumn {
				// What a variable adds has the length of its coefficients
				// as standard deviation, but that one category follows from
				// the others.
				for c := range unit {
					categories := 4.0
					if c > 3 {
						categories = 2
					}
					unit[c] = math.Sqrt(total[c] / all * math.Sqrt(categories/(categories-1)))
				}
			}
			for i := range rows {
				for c := range total {
					got := cells[i][c+1]
					if want := (cell(i, c) - total[c]/all) / unit[c]; !near(got, want, 1e-12) {
						t.Errorf("scale %q: cell %d of row %d is %v, want %v", scale, c, i, got, want)
					}
				}
			}
		}
	}
}

// A table of texts alone has a design, with and without bins.
func TestOnlyTexts(t *testing.T) {
	s := &data.Schema{Width: 1, Categories: map[int][]string{0: {"a", "b"}}}
	d := build(t, s, data.Roles{}, cut([][]float64{{0}, {1}, {1}}, denseBlock))
	for _, bins := range []int{0, 3} {
		g, cells := designed(t, d, bins, data.ScaleNone)
		if g.Numbers != 0 || !near(cells[0][0], 2.0/3, 1e-12) || !near(cells[1][0], -1.0/3, 1e-12) {
			t.Errorf("%d bins: %d numbers, cells %v", bins, g.Numbers, cells)
		}
	}
}

// The code of a position says where it is to a few thousandths of a bin, whatever
// the number of bins and however wide they are.
func TestBinnedCells(t *testing.T) {
	const rows = 500
	x, y := make([]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = float64(i * i)
	}
	table, err := data.FromRows(nil, 1, x, y)
	if err != nil {
		t.Fatal(err)
	}
	check := func(count int, spacing data.Spacing) {
		g, err := table.Design(background, data.DesignOptions{Bins: count, Spacing: spacing})
		if err != nil {
			t.Fatal(err)
		}
		knots := g.Knots(0)
		if spacing == data.SpacingEven {
			if knots != nil {
				t.Errorf("%d bins of equal width have knots %v", count, knots)
			}
			knots = data.EvenKnots(x[0], x[rows-1], count)
		}
		near := 2 * float64(count) / 65536 // half a step, of which there are at least 2¹⁵
		for i, cells := range cellsOf(t, g.X) {
			bin, alpha := knots.Locate(x[i])
			got := 0.0 // the position, in bins
			for j, c := range cells {
				if c != 0 && (j < bin-1 || j > bin+2) {
					t.Fatalf("%d bins: number %v has cell %d", count, x[i], j)
				}
				got += float64(j) * c
			}
			if want := float64(bin) + alpha; math.Abs(got-want) > near {
				t.Errorf("%d bins: number %v is at %v, not %v", count, x[i], got, want)
			}
		}
	}
	for _, count := range []int{1, 2, 3, 10, 15, 16, 17, 100, 1000} {
		check(count, data.SpacingAuto)
		check(count, data.SpacingEven)
	}
	if _, err := table.Design(background, data.DesignOptions{Bins: 2, Spacing: "wide"}); err == nil {
		t.Error("an unknown spacing was taken")
	}
}

// A column far larger than the others does not change their scale, and has its own.
// One that is hardly ever zero is centred.
func TestLargeColumnStandsApart(t *testing.T) {
	rng := newRand()
	const large = 150
	rows := normal(rng, 100, large+1, 0.7)
	alone, _ := designed(t, sparseWide(t, rows, nil), 0, data.ScaleRoot)
	for i := range rows {
		rows[i][large] = 1e6 + 1e5*rng.NormFloat64()
	}
	g, cells := designed(t, sparseWide(t, rows, nil), 0, data.ScaleRoot)
	s := measured(rows, nil, large)
	unit, center := g.Units(large)
	if !near(unit, s.sd, 1e-3*s.sd) || !near(center, s.mean, 1) || g.Weight(large) != 1 {
		t.Errorf("the column of %v ± %v has unit %v, center %v and weight %v", s.mean, s.sd, unit, center, g.Weight(large))
	}
	for i, row := range cells {
		if want := (rows[i][large] - s.mean) / s.sd; !near(row[large], want, 1e-3) {
			t.Fatalf("cell %d is %v, want %v", i, row[large], want)
		}
	}
	for v := range large {
		unit, center := g.Units(v)
		if before, _ := alone.Units(v); unit < before/2 || unit > 2*before || center != 0 {
			t.Errorf("column %d has unit %v and center %v; without the large one %v", v, unit, center, before)
		}
	}
}

// So has one that is far smaller.
func TestSmallColumnStandsApart(t *testing.T) {
	rng := newRand()
	const small = 150
	rows := normal(rng, 100, small+1, 0.7)
	for i := range rows {
		rows[i][small] = rng.NormFloat64() / 1e4
	}
	g, _ := designed(t, sparseWide(t, rows, nil), 0, data.ScaleRoot)
	s := measured(rows, nil, small)
	if unit, _ := g.Units(small); !near(unit, s.sd, 1e-3*s.sd) {
		t.Errorf("the column of ± %v has unit %v", s.sd, unit)
	}
}

// As many different values are in each bin, but for the outermost few, which count as
// the ends; of few values, all are knots.
func TestKnots(t *testing.T) {
	rng := newRand()
	const rows = 1000
	for name, c := range map[string]struct {
		value func(i int) float64
		bins  int
		want  func(k data.Knots, share []float64) bool
	}{
		"skewed": {func(int) float64 { return math.Exp(2 * rng.NormFloat64()) }, 5, func(_ data.Knots, share []float64) bool {
			return slices.Min(share) > 0.15 && slices.Max(share) < 0.25
		}},
		"one far out": {func(i int) float64 {
			if i == 500 {
				return 1e9
			}
			return rng.NormFloat64()
		}, 4, func(k data.Knots, _ []float64) bool { return k[4] < 10 }},
		"a code": {func(i int) float64 {
			if i%50 == 0 {
				return -999
			}
			return rng.NormFloat64()
		}, 4, func(k data.Knots, _ []float64) bool { return k[0] > -10 }},
		"two values":   {func(i int) float64 { return float64(i % 2) }, 4, func(k data.Knots, _ []float64) bool { return slices.Equal(k, data.Knots{0, 0.25, 0.5, 0.75, 1}) }},
		"three values": {func(i int) float64 { return float64(i%3) * float64(i%3) }, 2, func(k data.Knots, _ []float64) bool { return slices.Equal(k, data.Knots{0, 1, 4}) }},
		"mostly zero": {func(i int) float64 {
			if i%10 > 0 {
				return 0
			}
			return math.Exp(rng.NormFloat64())
		}, 4, func(k data.Knots, _ []float64) bool { return k[0] < 0.5 && k[1] > 0.2 && k[1] < 1 && k[4] < 30 }},
		"hardly ever": {func(i int) float64 { return float64(i / 999) }, 2, func(k data.Knots, _ []float64) bool { return k != nil }},
	} {
		x := make([]float64, rows)
		for i := range x {
			x[i] = c.value(i)
		}
		table, err := data.FromRows(nil, 1, x, make([]float64, rows))
		if err != nil {
			t.Fatal(err)
		}
		g, err := table.Design(background, data.DesignOptions{Bins: c.bins})
		if err != nil {
			t.Fatal(err)
		}
		k := g.Knots(0)
		share := make([]float64, c.bins)
		for _, v := range x {
			bin, alpha := k.Locate(v)
			if alpha < 0 || alpha > 1 {
				t.Fatalf("%s: %v is at %v of bin %d", name, v, alpha, bin)
			}
			share[bin] += 1.0 / rows
		}
		if !slices.IsSorted(k) || len(k) != c.bins+1 || !c.want(k, share) {
			t.Errorf("%s: knots %v, shares %v", name, k, share)
		}
	}
}
