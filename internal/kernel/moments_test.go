package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// noMoments returns the moments of no rows, with a guard behind the last column.
func noMoments(columns int) (*Moments, func() bool) {
	all := Moments{make([]float64, columns+1), make([]float64, columns+1), make([]float32, columns+1), make([]float32, columns+1), make([]uint32, columns+1)}
	for j := range columns {
		all.Low[j], all.High[j] = float32(math.Inf(1)), float32(math.Inf(-1))
	}
	all.Sum[columns], all.Squares[columns], all.Low[columns], all.High[columns], all.Missing[columns] = 42, 42, 42, 42, 42
	untouched := func() bool {
		return all.Sum[columns] == 42 && all.Squares[columns] == 42 && all.Low[columns] == 42 && all.High[columns] == 42 && all.Missing[columns] == 42
	}
	return &Moments{all.Sum[:columns], all.Squares[:columns], all.Low[:columns], all.High[:columns], all.Missing[:columns]}, untouched
}

func (m *Moments) equal(n *Moments) bool {
	return slices.EqualFunc(m.Sum, n.Sum, sameNumber[float64]) && slices.EqualFunc(m.Squares, n.Squares, sameNumber[float64]) &&
		slices.EqualFunc(m.Low, n.Low, sameNumber[float32]) && slices.EqualFunc(m.High, n.High, sameNumber[float32]) && slices.Equal(m.Missing, n.Missing)
}

func sameNumber[T float32 | float64](a, b T) bool {
	return a == b && math.Signbit(float64(a)) == math.Signbit(float64(b)) || a != a && b != b
}

// odd returns numbers, some of which are missing, huge, tiny, zero or infinite.
func odd(rng *rand.Rand, n int) []float64 {
	v := normals(rng, n)
	for i := range v {
		switch rng.IntN(20) {
		case 0, 1:
			v[i] = math.NaN()
		case 2:
			v[i] *= 1e30
		case 3:
			v[i] *= 1e-44
		case 4:
			v[i] = 0
		case 5:
			v[i] = math.Copysign(0, -1)
		case 6:
			v[i] = math.Inf(rng.IntN(2)*2 - 1)
		}
	}
	return v
}

// TestMomentsTwins expects the assembly to compute the same bits as the Go code for any numbers,
// and to touch nothing behind them.
func TestMomentsTwins(t *testing.T) {
	const seed, rows = 15, 40
	rng := rand.New(rand.NewPCG(seed, 1))
	each(t, func(a implementation) {
		if a.moments == nil {
			return
		}
		for columns := 0; columns <= 64; columns += momentsStep {
			want, _ := noMoments(columns)
			got, untouched := noMoments(columns)
			for range rows {
				row := make([]float32, columns)
				for j, v := range odd(rng, columns) {
					row[j] = float32(v)
				}
				momentsGo(want.Sum, want.Squares, want.Low, want.High, want.Missing, row)
				a.moments(got.Sum, got.Squares, got.Low, got.High, got.Missing, row)
			}
			if !got.equal(want) || !untouched() {
				t.Fatalf("%s, %d columns (seed %d): %v, in Go %v", a.name, columns, seed, got, want)
			}
		}
	})
}

func TestToFloat32Twins(t *testing.T) {
	const seed, rows = 16, 40
	rng := rand.New(rand.NewPCG(seed, 1))
	each(t, func(a implementation) {
		if a.toFloat32 == nil {
			return
		}
		for columns := 0; columns <= 64; columns += toFloat32Step {
			shift := normals(rng, columns)
			want, got := make([]float64, columns), append(make([]float64, columns), 42)
			wantRow, gotRow := make([]float32, columns), append(make([]float32, columns), 42)
			for range rows {
				row := odd(rng, columns)
				toFloat32Go(wantRow, want, row, shift)
				a.toFloat32(gotRow[:columns], got[:columns], row, shift)
				if !slices.EqualFunc(gotRow[:columns], wantRow, sameNumber[float32]) || !slices.EqualFunc(got[:columns], want, sameNumber[float64]) || gotRow[columns] != 42 || got[columns] != 42 {
					t.Fatalf("%s, %d columns (seed %d): %v and %v, in Go %v and %v", a.name, columns, seed, gotRow, got, wantRow, want)
				}
			}
		}
	})
}

// TestMoments compares sums over any number of columns with sums of one column at a time.
func TestMoments(t *testing.T) {
	nan := float32(math.NaN())
	for columns := range 20 {
		m, untouched := noMoments(columns)
		row := make([]float32, columns)
		for _, v := range []float32{2, nan, -3} {
			for j := range row {
				row[j] = v * float32(j+1)
			}
			m.Add(row)
		}
		for j := range row {
			k := float64(j + 1)
			if m.Sum[j] != -k || m.Squares[j] != 13*k*k || m.Low[j] != float32(-3*k) || m.High[j] != float32(2*k) || m.Missing[j] != 1 || !untouched() {
				t.Fatalf("column %d of %d: %+v", j, columns, m)
			}
		}
	}
}

func TestToFloat32(t *testing.T) {
	for columns := range 20 {
		row, shift := make([]float64, columns), make([]float64, columns)
		for j := range row {
			row[j], shift[j] = float64(j), 10
		}
		dst, largest := make([]float32, columns), slices.Repeat([]float64{8.5}, columns)
		ToFloat32(dst, largest, row, shift)
		for j := range row {
			if dst[j] != float32(j-10) || largest[j] != max(8.5, math.Abs(float64(j-10))) {
				t.Fatalf("column %d of %d: %v, at most %v", j, columns, dst[j], largest[j])
			}
		}
	}
}

// Four rows at once have the bits of one after the other.
func TestMomentsOfFour(t *testing.T) {
	const seed = 16
	rng := rand.New(rand.NewPCG(seed, 1))
	for _, columns := range []int{0, 1, 7, 8, 9, 16, 100, 515} {
		want, _ := noMoments(columns)
		got, untouched := noMoments(columns)
		for range 5 {
			var rows [4][]float32
			for i := range rows {
				for _, v := range odd(rng, columns) {
					rows[i] = append(rows[i], float32(v))
				}
				momentsGo(want.Sum, want.Squares, want.Low, want.High, want.Missing, rows[i])
			}
			got.Add4(rows[0], rows[1], rows[2], rows[3])
		}
		if !got.equal(want) || !untouched() {
			t.Fatalf("%d columns (seed %d): %v, want %v", columns, seed, got, want)
		}
	}
	each(t, func(a implementation) {
		if a.moments4 == nil {
			return
		}
		for _, columns := range []int{momentsStep, 2 * momentsStep, 65 * momentsStep} {
			want, _ := noMoments(columns)
			got, untouched := noMoments(columns)
			var rows [4][]float32
			for i := range rows {
				for _, v := range odd(rng, columns) {
					rows[i] = append(rows[i], float32(v))
				}
				momentsGo(want.Sum, want.Squares, want.Low, want.High, want.Missing, rows[i])
			}
			a.moments4(got.Sum, got.Squares, got.Low, got.High, got.Missing, &rows[0][0], &rows[1][0], &rows[2][0], &rows[3][0], columns)
			if !got.equal(want) || !untouched() {
				t.Fatalf("%s, %d columns (seed %d): %v, want %v", a.name, columns, seed, got, want)
			}
		}
	})
	defer func() {
		if recover() == nil {
			t.Error("rows of different lengths do not panic")
		}
	}()
	m, _ := noMoments(2)
	m.Add4(make([]float32, 2), make([]float32, 2), make([]float32, 2), make([]float32, 3))
}
