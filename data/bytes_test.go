package data_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/data"
	"fsa/internal/matrix"
	"fsa/internal/matrix/matrixtest"
)

// codes returns rows of bytes. Some columns have few values, one has only one.
func codes(rng *rand.Rand, rows, cols int) [][]uint8 {
	x := make([][]uint8, rows)
	for i := range x {
		x[i] = make([]uint8, cols)
		for j := range x[i] {
			switch {
			case j == 1:
				x[i][j] = 77
			case j%3 == 2:
				x[i][j] = uint8(40 + rng.IntN(5))
			default:
				x[i][j] = uint8(rng.IntN(256))
			}
		}
	}
	return x
}

func numbers(rows [][]uint8) [][]float64 {
	x := make([][]float64, len(rows))
	for i, row := range rows {
		for _, c := range row {
			x[i] = append(x[i], float64(c))
		}
	}
	return x
}

// byteData returns the dataset of bytes that came in several pieces.
func byteData(t testing.TB, rows [][]uint8, y, weight []float64) *data.Dataset {
	t.Helper()
	b := matrix.NewBytes(len(rows[0]))
	for lo, n := 0, 1; lo < len(rows); lo, n = lo+n, 3*n+1 {
		b.Append(rows[lo:min(lo+n, len(rows))])
	}
	d, err := data.FromMatrix(background, "bytes", nil, b, vectors(y, weight))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// vectors are roles that no column has.
func vectors(y, weight []float64) data.Roles {
	roles := data.Roles{TargetVector: &data.Vector{Values: y}}
	if weight != nil {
		roles.WeightVector = &data.Vector{Values: weight}
	}
	return roles
}

// byteSizes are rows and columns: fewer and more than are taken together, and
// rows of no, of one and of several full tiles.
var byteSizes = [][2]int{{1, 1}, {3, 5}, {40, 4}, {1024, 3}, {1025, 6}, {2500, 9}}

func TestBinnedBytes(t *testing.T) {
	rng := newRand()
	for _, size := range byteSizes[1:] {
		for _, bins := range []int{1, 10, 300} {
			if testing.Short() && bins > 10 {
				continue
			}
			x := codes(rng, size[0], size[1])
			d := byteData(t, x, make([]float64, size[0]), nil)
			g, err := d.Design(background, data.DesignOptions{Bins: bins})
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := g.X.(*matrix.BinnedBytes); !ok {
				t.Fatalf("a table of bytes became %T", g.X)
			}
			cells := make([][]float64, size[0])
			for _, j := range g.Variables {
				c := &d.Columns[j]
				for i := range cells {
					part := make([]float64, bins+1)
					bin, alpha := data.Knot(data.Place(float64(x[i][j]), c.Min, c.Max), bins)
					part[bin], part[bin+1] = 1-alpha, alpha
					cells[i] = append(cells[i], part...)
				}
			}
			matrixtest.Run(t, fmt.Sprintf("%d×%d in %d bins", size[0], size[1], bins), g.X, cells)
		}
	}
}

// Bytes are what the same numbers are as float32, in everything but storage and where
// bins are.
func TestBytesAreNumbers(t *testing.T) {
	rng := newRand()
	for _, size := range byteSizes {
		rows := codes(rng, size[0], size[1])
		for _, weighted := range []bool{false, true} {
			y := make([]float64, size[0])
			var weight []float64
			if weighted {
				for range y {
					weight = append(weight, float64(rng.IntN(4))) // also none at all
				}
				weight[0] = 2
			}
			got, want := byteData(t, rows, y, weight), dense(t, numbers(rows), weight)
			for j := range want.Columns {
				a, b := got.Columns[j], want.Columns[j]
				if !near(a.Mean, b.Mean, 1e-11) || !near(a.SD, b.SD, 1e-9) || a.Min != b.Min || a.Max != b.Max || a.Missing != 0 {
					t.Errorf("seed %d, %v: column %d is %+v, want %+v", seed, size, j, a, b)
				}
			}
			if !slices.ContainsFunc(want.Columns, func(c data.Column) bool { return c.SD > 0 }) {
				continue
			}
			a, cells := designed(t, got, 0, data.ScaleAuto)
			b, same := designed(t, want, 0, data.ScaleAuto)
			if !slices.Equal(a.Variables, b.Variables) || !slices.Equal(a.Usable, b.Usable) {
				t.Fatalf("seed %d, %v: variables %v and %v, want %v and %v", seed, size, a.Variables, a.Usable, b.Variables, b.Usable)
			}
			for i := range same {
				for c := range same[i] {
					if !near(cells[i][c], same[i][c], 1e-9) {
						t.Fatalf("seed %d, %v: cell %d of row %d is %v, want %v", seed, size, c, i, cells[i][c], same[i][c])
					}
				}
			}
		}
	}
}

func TestBytesByRowAndColumn(t *testing.T) {
	rows := codes(newRand(), 1500, 6)
	g, err := byteData(t, rows, make([]float64, len(rows)), nil).Design(background, data.DesignOptions{Scale: data.ScaleNone})
	if err != nil {
		t.Fatal(err)
	}
	columns := g.X.(matrix.ByRow).Vectors(g.Scale, g.Offset).Transposed()
	for _, j := range g.Usable {
		_, x := columns.Cells(j)
		for i := range rows {
			if x[i] != float64(rows[i][j]) {
				t.Fatalf("row %d of column %d is %v, want %d", i, j, x[i], rows[i][j])
			}
		}
	}
}

func TestFromMatrixRefuses(t *testing.T) {
	full := matrix.NewBytes(2)
	full.Append([][]uint8{{1, 2}, {3, 4}})
	for name, c := range map[string]struct {
		x         *matrix.Bytes
		names     []string
		y, weight []float64
	}{
		"no rows":           {matrix.NewBytes(2), nil, nil, nil},
		"no columns":        {matrix.NewBytes(0), nil, nil, nil},
		"a name too few":    {full, []string{"a"}, []float64{1, 2}, nil},
		"a name twice":      {full, []string{"a", "a"}, []float64{1, 2}, nil},
		"a response less":   {full, nil, []float64{1}, nil},
		"a weight more":     {full, nil, []float64{1, 2}, []float64{1, 1, 1}},
		"a negative weight": {full, nil, []float64{1, 2}, []float64{1, -1}},
	} {
		if _, err := data.FromMatrix(background, "bytes", c.names, c.x, vectors(c.y, c.weight)); err == nil {
			t.Errorf("%s is accepted", name)
		} else if c.names == nil && !errors.Is(err, data.ErrBadData) {
			t.Errorf("%s is refused by %v", name, err)
		}
	}
}

// Both products of binned cells, in nanoseconds a cell; what comes before it is
// the number of rows that are taken at once.
func BenchmarkBinnedBytes(b *testing.B) {
	const rows, cols, bins = 8192, 1000, 10
	rng := newRand()
	x := codes(rng, rows, cols)
	g, err := byteData(b, x, make([]float64, rows), nil).Design(background, data.DesignOptions{Bins: bins})
	if err != nil {
		b.Fatal(err)
	}
	_, n := g.X.Dims()
	beta, grad, z := make([]float64, n), make([]float64, n), make([]float64, rows)
	for j := range beta {
		beta[j] = rng.NormFloat64()
	}
	for _, step := range []int{32, 64, 128, 256, 512, 1024} {
		b.Run(fmt.Sprint(step), func(b *testing.B) {
			for b.Loop() {
				for lo := 0; lo < rows; lo += step {
					s, err := g.X.Slice(background, lo, lo+step)
					if err != nil {
						b.Fatal(err)
					}
					s.Mul(z[lo:lo+step], beta)
					s.MulT(grad, z[lo:lo+step])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(g.X.Cells()), "ns/cell")
		})
	}
}
