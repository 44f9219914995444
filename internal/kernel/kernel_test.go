package kernel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"fsa/internal/kernel"
)

const seed = 5

// sizes are numbers of rows and columns that are awkward for loops over several at a time, and some
// larger ones.
func sizes(f func(rows, cols int)) {
	for rows := range 10 {
		for cols := range 18 {
			f(rows, cols)
		}
	}
	for _, s := range [][2]int{{1, 1000}, {7, 1001}, {64, 333}, {1030, 3}, {129, 129}, {5, 30000}} {
		f(s[0], s[1])
	}
}

// offsets are where a vector begins in its memory: loads need not be aligned.
var offsets = []int{0, 1, 2, 3, 5, 7}

// numbers returns n random numbers that begin offset numbers into their memory, which ends with
// them.
func numbers[V float32 | float64](rng *rand.Rand, n, offset int) []V {
	v := make([]V, offset+n)
	for i := range v {
		v[i] = V(rng.NormFloat64() * math.Exp2(float64(rng.IntN(9)-4)))
	}
	return v[offset:]
}

// guarded returns numbers in the middle of others, and a function that reports whether those around
// them are unchanged, because assembly can write anywhere.
func guarded(rng *rand.Rand, n, offset int) (v []float64, intact func() bool) {
	all := numbers[float64](rng, offset+n+9, 0)
	before := slices.Clone(all)
	return all[offset : offset+n : offset+n], func() bool {
		return slices.Equal(all[:offset], before[:offset]) && slices.Equal(all[offset+n:], before[offset+n:])
	}
}

// check compares sums with naive ones; size holds the sums of the absolute values of their terms.
func check(t *testing.T, what string, got, want, size []float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= 1e-13*size[i]) {
			t.Fatalf("%s: number %d is %v, want %v (seed %d)", what, i, got[i], want[i], seed)
		}
	}
}

func TestMul(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 1))
	sizes(func(rows, cols int) {
		for _, offset := range offsets {
			what := fmt.Sprintf("%d×%d at %d", rows, cols, offset)
			x, beta := numbers[float32](rng, rows*cols, offset), numbers[float64](rng, cols, offset)
			z, intact := guarded(rng, rows, offset)
			x0, beta0 := slices.Clone(x), slices.Clone(beta)
			want, size := make([]float64, rows), make([]float64, rows)
			for i := range rows {
				for j := range cols {
					term := float64(x[i*cols+j]) * beta[j]
					want[i] += term
					size[i] += math.Abs(term)
				}
			}
			kernel.Mul(z, x, beta)
			check(t, what, z, want, size)
			if !intact() || !slices.Equal(x, x0) || !slices.Equal(beta, beta0) {
				t.Fatalf("%s: an input or memory beside z was changed", what)
			}
		}
	})
}

func TestMulT(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 2))
	sizes(func(rows, cols int) {
		for _, offset := range offsets {
			what := fmt.Sprintf("%d×%d at %d", rows, cols, offset)
			x, r := numbers[float32](rng, rows*cols, offset), numbers[float64](rng, rows, offset)
			g, intact := guarded(rng, cols, offset)
			x0, r0 := slices.Clone(x), slices.Clone(r)
			want, size := slices.Clone(g), make([]float64, cols)
			for j := range cols {
				size[j] = math.Abs(g[j])
				for i := range rows {
					term := float64(x[i*cols+j]) * r[i]
					want[j] += term
					size[j] += math.Abs(term)
				}
			}
			kernel.MulT(g, x, r)
			check(t, what, g, want, size)
			if !intact() || !slices.Equal(x, x0) || !slices.Equal(r, r0) {
				t.Fatalf("%s: an input or memory beside g was changed", what)
			}
		}
	})
}

// sparse returns rows of random cells whose offsets do not begin at 0 of index and value, as in a
// part of a chunk.
func sparse(rng *rand.Rand, rows, cols int) (start []int, index []uint32, value []float32) {
	for range rng.IntN(20) {
		index, value = append(index, math.MaxUint32), append(value, float32(math.NaN()))
	}
	start = []int{len(index)}
	for range rows {
		for j := range cols {
			if rng.IntN(3) == 0 {
				index = append(index, uint32(j))
				value = append(value, float32(rng.NormFloat64()))
			}
		}
		start = append(start, len(index))
	}
	return start, index, value
}

// TestMulTMul expects the fused products to have the bits of the separate ones, whichever block is
// longer.
func TestMulTMul(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 6))
	for _, cols := range []int{0, 1, 30, 127, 128, 129, 1000, 6001} {
		for rows := range 10 {
			for past := range 10 {
				if cols > 1000 && (rows%4 > 1 || past%4 > 1) {
					continue
				}
				x, y := numbers[float32](rng, rows*cols, rows%3), numbers[float32](rng, past*cols, past%3)
				beta, r := numbers[float64](rng, cols, 0), numbers[float64](rng, past, 0)
				z, intactZ := guarded(rng, rows, 1)
				g, intactG := guarded(rng, cols, 1)
				wantZ, wantG := make([]float64, rows), slices.Clone(g)
				kernel.MulT(wantG, y, r)
				kernel.Mul(wantZ, x, beta)
				kernel.MulTMul(z, x, beta, g, y, r, rows%2 == 0)
				if !slices.Equal(z, wantZ) || !slices.Equal(g, wantG) || !intactZ() || !intactG() {
					t.Fatalf("%d and %d rows of %d columns: other numbers than one after the other (seed %d)", rows, past, cols, seed)
				}
			}
		}
	}
}

func TestSparse(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 4))
	sizes(func(rows, cols int) {
		what := fmt.Sprintf("%d×%d", rows, cols)
		start, index, value := sparse(rng, rows, cols)
		beta, r := numbers[float64](rng, cols, 0), numbers[float64](rng, rows, 0)
		z, g := numbers[float64](rng, rows, 0), numbers[float64](rng, cols, 0)
		wantZ, sizeZ := make([]float64, rows), make([]float64, rows)
		wantG, sizeG := slices.Clone(g), make([]float64, cols)
		for j := range g {
			sizeG[j] = math.Abs(g[j])
		}
		for i := range rows {
			for p := start[i]; p < start[i+1]; p++ {
				j, v := index[p], float64(value[p])
				wantZ[i] += v * beta[j]
				sizeZ[i] += math.Abs(v * beta[j])
				wantG[j] += v * r[i]
				sizeG[j] += math.Abs(v * r[i])
			}
		}
		kernel.MulSparse(z, start, index, value, beta)
		check(t, what+": Mul", z, wantZ, sizeZ)
		kernel.MulTSparse(g, start, index, value, r)
		check(t, what+": MulT", g, wantG, sizeG)
	})
}

// pass returns a pass over rows lo to hi−1, in blocks that are used twice.
func pass[V any](x []V, cols, bytes int, mul, mulT func(v []float64, x []V, w []float64)) func(lo, hi int) {
	block := max(4, (128<<10)/(bytes*cols)&^3)
	beta, g, z := make([]float64, cols), make([]float64, cols), make([]float64, block)
	for j := range beta {
		beta[j] = 1 / float64(j+1)
	}
	return func(lo, hi int) {
		for ; lo < hi; lo += block {
			n := min(block, hi-lo)
			mul(z[:n], x[lo*cols:(lo+n)*cols], beta)
			mulT(g, x[lo*cols:(lo+n)*cols], z[:n])
		}
	}
}

// BenchmarkNarrow measures how many times faster passes over shorter cells are than over float32.
// They take turns every few rows, so briefly that most are not disturbed, and medians are compared.
func BenchmarkNarrow(b *testing.B) {
	const cells, share = 256 << 20, 1 << 20
	singles, halves, bytes := make([]float32, cells), make([]uint16, cells), make([]int8, cells)
	for i := range singles {
		v := float32(i%251)/251 - 0.5
		singles[i], halves[i], bytes[i] = v, kernel.BFloat16(v), int8(254*v)
	}
	for _, cols := range []int{30000, 1000, 100} {
		passes := []func(lo, hi int){
			pass(singles, cols, 4, kernel.Mul, kernel.MulT),
			pass(halves, cols, 2, kernel.MulBFloat16, kernel.MulTBFloat16),
			pass(bytes, cols, 1, kernel.MulInt8, kernel.MulTInt8),
		}
		b.Run(fmt.Sprintf("M=%d", cols), func(b *testing.B) {
			took := make([][]float64, len(passes))
			rows := share / cols &^ 3
			for b.Loop() {
				for lo := 0; lo+rows <= cells/cols; lo += rows {
					for k, f := range passes {
						start := time.Now()
						f(lo, lo+rows)
						took[k] = append(took[k], time.Since(start).Seconds())
					}
				}
			}
			median := func(k int) float64 { slices.Sort(took[k]); return took[k][len(took[k])/2] }
			b.ReportMetric(4e-9*float64(rows*cols)/median(0), "float32-GB/s")
			b.ReportMetric(median(0)/median(1), "bfloat16-times")
			b.ReportMetric(median(0)/median(2), "int8-times")
		})
	}
}

// BenchmarkSparse measures rows of 100 cells among many columns; the bytes are those of the cells.
func BenchmarkSparse(b *testing.B) {
	const rows, perRow, cols = 20000, 100, 100000
	rng := rand.New(rand.NewPCG(seed, 7))
	start := []int{0}
	var index []uint32
	for range rows {
		row := make([]uint32, perRow)
		for p := range row {
			row[p] = uint32(rng.IntN(cols))
		}
		slices.Sort(row)
		index = append(index, row...)
		start = append(start, len(index))
	}
	value := numbers[float32](rng, len(index), 0)
	beta, g, z := numbers[float64](rng, cols, 0), make([]float64, cols), make([]float64, rows)
	b.Run("Mul", func(b *testing.B) {
		b.SetBytes(int64(8 * len(index)))
		for b.Loop() {
			kernel.MulSparse(z, start, index, value, beta)
		}
	})
	b.Run("MulT", func(b *testing.B) {
		b.SetBytes(int64(8 * len(index)))
		for b.Loop() {
			kernel.MulTSparse(g, start, index, value, z)
		}
	})
}

// TestExpNegAbs compares with the standard library.
func TestExpNegAbs(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 9))
	x := []float64{0, math.Copysign(0, -1), 1e-300, 1, -1, 700, -708, 709, 800, 1e308, math.Inf(1), math.Inf(-1), math.NaN()}
	for range 100_000 {
		x = append(x, rng.NormFloat64()*math.Exp(3*rng.NormFloat64()))
	}
	got := make([]float64, len(x))
	kernel.ExpNegAbs(got, x)
	for i, v := range x {
		want := math.Exp(-math.Abs(v))
		if want < 0x1p-1021 && got[i] == 0 {
			continue // it may be zero slightly early
		}
		if off := math.Abs(got[i] - want); !(off <= 4e-16*want) && !math.IsNaN(v) {
			t.Fatalf("exp(−|%g|) = %g, want %g", v, got[i], want)
		}
	}
	if !math.IsNaN(got[12]) {
		t.Errorf("exp of not a number is %g", got[12])
	}
}

func BenchmarkExpNegAbs(b *testing.B) {
	x, dst := make([]float64, 1024), make([]float64, 1024)
	for i := range x {
		x[i] = float64(i-512) / 50
	}
	b.SetBytes(8 * 1024)
	for b.Loop() {
		kernel.ExpNegAbs(dst, x)
	}
}

func TestCompress(t *testing.T) {
	row := []float32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}
	dst := make([]float32, 3)
	kernel.NewMask([]int{1, 15, 17}, len(row)).Compress(dst, row)
	if want := []float32{1, 15, 17}; !slices.Equal(dst, want) {
		t.Errorf("got %v, want %v", dst, want)
	}
	for name, misuse := range map[string]func(){
		"descending":  func() { kernel.NewMask([]int{2, 1}, 3) },
		"too far":     func() { kernel.NewMask([]int{3}, 3) },
		"short row":   func() { kernel.NewMask([]int{1, 2}, 3).Compress(dst[:2], row[:2]) },
		"short place": func() { kernel.NewMask([]int{1, 2}, 3).Compress(dst[:1], row[:3]) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			misuse()
		}()
	}
}
