package data_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fsa/data"
)

const firstBlock = 100 // rows of the first block where a test has several

// awkward are columns whose digits a float32 does not hold as they are.
var awkward = map[string]func(rng *rand.Rand, i int) float64{
	"ordinary":   func(rng *rand.Rand, _ int) float64 { return rng.NormFloat64() },
	"years":      func(rng *rand.Rand, _ int) float64 { return 2020 + float64(rng.IntN(11)-5) },
	"pressure":   func(rng *rand.Rand, _ int) float64 { return 1013 + 10*rng.NormFloat64() },
	"timestamps": func(rng *rand.Rand, _ int) float64 { return 1.7e9 + 3*rng.NormFloat64() },
	"negative":   func(rng *rand.Rand, _ int) float64 { return -1e7 + rng.NormFloat64() },
	"huge":       func(rng *rand.Rand, _ int) float64 { return 1e300 * rng.NormFloat64() },
	"tiny":       func(rng *rand.Rand, _ int) float64 { return 1e-300 * rng.NormFloat64() },
	"zeros, then huge": func(rng *rand.Rand, i int) float64 {
		return later(i, 0, 1e300*rng.NormFloat64())
	},
	"zeros, then tiny": func(rng *rand.Rand, i int) float64 {
		return later(i, 0, 1e-300*rng.NormFloat64())
	},
	"tiny, then ordinary": func(rng *rand.Rand, i int) float64 {
		x := rng.NormFloat64()
		return later(i, 1e-300*x, x)
	},
	"huge, then ordinary": func(rng *rand.Rand, i int) float64 {
		x := rng.NormFloat64()
		return later(i, 1e300*x, x)
	},
	"ordinary, then huge and tiny": func(rng *rand.Rand, i int) float64 {
		x := rng.NormFloat64()
		return later(i, x, x*math.Pow(10, float64(150*(i%5)-300)))
	},
	"ever larger": func(rng *rand.Rand, i int) float64 {
		return rng.NormFloat64() * math.Pow(10, float64(i/2))
	},
	"seven, then close to it": func(rng *rand.Rand, i int) float64 {
		return later(i, 7, 7+1e-6*rng.NormFloat64())
	},
	"missing, then timestamps": func(rng *rand.Rand, i int) float64 {
		return later(i, math.NaN(), 1.7e9+3*rng.NormFloat64())
	},
	"mostly missing timestamps": func(rng *rand.Rand, i int) float64 {
		if i%50 != 5 {
			return math.NaN()
		}
		return 1.7e9 + 3*rng.NormFloat64()
	},
	"huge and sometimes missing": func(rng *rand.Rand, i int) float64 {
		if i%7 == 1 {
			return math.NaN()
		}
		return 1e100 * (2 + rng.NormFloat64())
	},
	"the largest for missing": func(rng *rand.Rand, i int) float64 {
		if i%10 == 9 {
			return math.MaxFloat64
		}
		return rng.NormFloat64()
	},
	"one end, then the other": func(_ *rand.Rand, i int) float64 {
		return later(i, math.MaxFloat64, -math.MaxFloat64)
	},
}

// later returns one number in the first block and another after it.
func later(i int, first, then float64) float64 {
	if i < firstBlock {
		return first
	}
	return then
}

// column returns rows of one column.
func column(f func(*rand.Rand, int) float64) [][]float64 {
	rng := newRand()
	rows := make([][]float64, 6*firstBlock)
	for i := range rows {
		rows[i] = []float64{f(rng, i)}
	}
	return rows
}

// Statistics and cells of awkward dense columns are those of the numbers in
// the input: to a millionth of the spread, or of the distance from the mean
// where that is larger.
func TestDensePrecision(t *testing.T) {
	for name, f := range awkward {
		rows := column(f)
		for _, sizes := range [][]int{{len(rows)}, {firstBlock}, {1, 37}} {
			name := fmt.Sprintf("%s (blocks of %v)", name, sizes)
			d := dense(t, rows, nil, sizes...)
			s := measured(rows, nil, 0)
			slack := func(x float64) float64 { return 1e-6 * max(s.sd, math.Abs(x/2-s.mean/2)) }
			compareStats(t, name, d.Columns[0], s, slack)
			for _, scale := range []data.Scale{data.ScaleColumn, data.ScaleCommon, data.ScaleNone} {
				unit, center := s.sd, s.mean
				if scale == data.ScaleNone {
					unit, center = 1, 0
				}
				compareCells(t, name, d, scale, rows, 0, s.mean, unit, center, slack)
			}
		}
	}
}

// The same for columns of which most cells are zero. They are not centred, and
// precise to a millionth of the number, if it is one beside the others.
func TestSparsePrecision(t *testing.T) {
	for name, f := range awkward {
		rows := column(f)
		for i, row := range rows {
			if i%5 > 1 {
				row[0] = 0
			}
		}
		for _, sizes := range [][]int{{len(rows)}, {firstBlock}, {1, 37}} {
			name := fmt.Sprintf("%s (blocks of %v)", name, sizes)
			d := sparse(t, rows, nil, sizes...)
			if !d.Sparse() {
				t.Fatalf("%s: not sparse", name)
			}
			s := measured(rows, nil, 0)
			slack := func(x float64) float64 { return 1e-6*math.Abs(x) + 1e-30*s.sd }
			statSlack := func(x float64) float64 { return 1e-6 * max(s.sd, math.Abs(x)) }
			compareStats(t, name, d.Columns[0], s, statSlack)
			for _, scale := range []data.Scale{data.ScaleColumn, data.ScaleCommon, data.ScaleNone} {
				unit := s.sd
				if scale == data.ScaleNone {
					unit = 1
				}
				compareCells(t, name, d, scale, rows, 0, s.mean, unit, 0, slack)
			}
		}
	}
}

// compareStats compares what was measured of a column; slack says how far a
// number of the column may be off.
func compareStats(t *testing.T, name string, c data.Column, s stats, slack func(x float64) float64) {
	t.Helper()
	if int(c.Missing) != s.missing {
		t.Errorf("%s: %d missing, want %d", name, c.Missing, s.missing)
	}
	if !near(c.SD/s.sd, 1, 1e-6) {
		t.Errorf("%s: SD %v, want %v", name, c.SD, s.sd)
	}
	for _, v := range []struct {
		name      string
		got, want float64
	}{{"mean", c.Mean, s.mean}, {"minimum", c.Min, s.min}, {"maximum", c.Max, s.max}} {
		if !near(v.got, v.want, slack(v.want)) {
			t.Errorf("%s: %s %v, want %v±%.1g", name, v.name, v.got, v.want, slack(v.want))
		}
	}
}

// compareCells compares the cells of variable j of a design with
// (x−center)/unit, x being mean where it is missing.
func compareCells(t *testing.T, name string, d *data.Dataset, scale data.Scale, rows [][]float64, j int, mean, unit, center float64, slack func(x float64) float64) {
	t.Helper()
	if unit == 1 && max(math.Abs(d.Columns[j].Min), math.Abs(d.Columns[j].Max)) > 1e308 {
		return // without a scale, rounding makes cells of the largest numbers infinite
	}
	g, cells := designed(t, d, 0, scale)
	if gotUnit, gotCenter := g.Units(j); !near(gotUnit/unit, 1, 1e-6) || !near(gotCenter, center, slack(center)) {
		t.Errorf("%s, scale %q: unit %v and center %v, want %v and %v", name, scale, gotUnit, gotCenter, unit, center)
	}
	for i, row := range rows {
		x := row[j]
		if x != x {
			x = mean
		}
		want := 2 * ((x/2 - center/2) / unit)
		if got := cells[i][j]; !near(got, want, slack(x)/unit+1e-6*math.Abs(want)) {
			t.Errorf("%s, scale %q: cell of %v in row %d is %v, want %v", name, scale, row[j], i, got, want)
			return
		}
	}
}

// The spread of the smallest numbers has no reciprocal: they count as zero.
func TestSubnormal(t *testing.T) {
	rng := newRand()
	rows := normal(rng, 50, 2, 0)
	for _, row := range rows {
		row[1] *= 1e-312
	}
	d := dense(t, rows, nil)
	if d.Varies(1) {
		t.Error("a column that cannot be brought to scale varies")
	}
	if g, _ := designed(t, d, 0, data.ScaleColumn); len(g.Usable) != 1 {
		t.Errorf("%d usable variables in the design, want 1", len(g.Usable))
	}
}

// The common scale of columns at the end of the range of numbers.
func TestCommonScaleDoesNotOverflow(t *testing.T) {
	rows := normal(newRand(), 50, 4, 0)
	for i, row := range rows {
		for j := range row {
			row[j] = math.Copysign(1e308, float64((i+j)%2)-0.5)
		}
	}
	_, cells := designed(t, dense(t, rows, nil), 0, data.ScaleCommon)
	for j := range rows[0] {
		if !near(math.Abs(cells[0][j]), 1, 1e-6) {
			t.Errorf("a cell of two ends is %v, want ±1", cells[0][j])
		}
	}
}
