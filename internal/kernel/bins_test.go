package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// someBins returns variables with count bins, some with a column for missing numbers, and rows of
// codes for them, including all awkward ones.
func someBins(rng *rand.Rand, count, variables, rows int) (b Bins, x []uint16, cols int) {
	b = Bins{Count: count, Offset: make([]int, variables)}
	for MissingCode-1 >= count<<(b.Digits+1) {
		b.Digits++
	}
	missing := make([]bool, variables)
	for v := range variables {
		b.Offset[v] = cols
		missing[v] = rng.IntN(2) == 0
		cols += count + 1
		if missing[v] {
			cols++
		}
	}
	top := count << b.Digits // the end of the last bin
	for range rows {
		for v := range variables {
			code := uint16(rng.IntN(top + 1))
			switch rng.IntN(8) {
			case 0:
				code = uint16(top)
			case 1:
				code = uint16(rng.IntN(count+1) << b.Digits)
			case 2:
				code = uint16(top - 1)
			case 3:
				if missing[v] {
					code = MissingCode
				}
			}
			x = append(x, code)
		}
	}
	return b, x, cols
}

// binCounts are numbers of bins whose columns fit into one register, into two, or into none.
var binCounts = []int{1, 2, 3, 5, 6, 7, 8, 13, 14, 15, 100}

// TestBins compares both products with those of the cells written out.
func TestBins(t *testing.T) {
	const seed = 21
	rng := rand.New(rand.NewPCG(seed, 1))
	for _, count := range append(binCounts, 1000, 40000) {
		for _, variables := range []int{0, 1, 2, 3, 5, 9, 18} {
			for _, rows := range []int{0, 1, 3, 4, 5, 9} {
				if count > 100 && variables > 3 {
					continue // there would be very many columns
				}
				b, x, cols := someBins(rng, count, variables, rows)
				k := b.knots()
				beta, r := normals(rng, cols), normals(rng, rows)
				z, g := normals(rng, rows), normals(rng, cols)
				wantZ, wantG := make([]float64, rows), slices.Clone(g)
				for i := range rows {
					for v, code := range x[i*variables : (i+1)*variables] {
						j, alpha := k.of(code)
						j += b.Offset[v]
						wantZ[i] += (1 - alpha) * beta[j]
						wantG[j] += (1 - alpha) * r[i]
						if alpha > 0 {
							wantZ[i] += alpha * beta[j+1]
							wantG[j+1] += alpha * r[i]
						}
					}
				}
				MulBins(z, x, beta, b)
				MulTBins(g, x, r, b)
				near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*float64(1+variables+rows) }
				if !slices.EqualFunc(z, wantZ, near) || !slices.EqualFunc(g, wantG, near) {
					t.Fatalf("%d rows of %d variables with %d bins (seed %d):\nz = %v, want %v,\ng = %v, want %v", rows, variables, count, seed, z, wantZ, g, wantG)
				}
			}
		}
	}
}

// TestBinsTwins expects the assembly to compute the same bits as the Go code.
func TestBinsTwins(t *testing.T) {
	const seed = 22
	rng := rand.New(rand.NewPCG(seed, 1))
	each(t, func(a implementation) {
		if a.bins == nil {
			return
		}
		for _, count := range binCounts {
			for variables := range 36 {
				rows := rng.IntN(40)
				b, x, cols := someBins(rng, count, variables, rows)
				beta, r := normals(rng, cols), normals(rng, rows)
				z, g := append(make([]float64, rows), 42), append(normals(rng, cols), 42) // guards behind the last
				wantZ, wantG := make([]float64, rows), slices.Clone(g)
				mulBinsGo(wantZ, x, beta, b)
				mulTBinsGo(wantG[:cols], x, r, b)
				a.bins(z[:rows:rows], g[:cols:cols], x, beta, r, b)
				if !slices.Equal(z[:rows], wantZ) || !slices.Equal(g, wantG) || z[rows] != 42 {
					t.Fatalf("%s, %d rows of %d variables with %d bins (seed %d):\nz = %v, in Go %v,\ng = %v, in Go %v", a.name, rows, variables, count, seed, z, wantZ, g, wantG)
				}
			}
		}
	})
}

// BenchmarkBins measures both products in nanoseconds per code, in blocks as in a fit. Instruction
// sets take turns, and medians are reported.
func BenchmarkBins(b *testing.B) {
	const cells = 8 << 20
	rng := rand.New(rand.NewPCG(23, 1))
	for _, variables := range []int{10, 30, 100, 1000, 30000} {
		for _, count := range []int{5, 10, 40} {
			b.Run(fmt.Sprintf("M=%d/bins=%d", variables, count), func(b *testing.B) {
				bins, x, cols := someBins(rng, count, variables, 1)
				x = append(x, make([]uint16, (cells/variables-1)*variables)...)
				for i := range x {
					x[i] = uint16(rng.IntN(count<<bins.Digits + 1))
				}
				block := max(4, (128<<10)/(2*variables)&^3)
				x = x[:len(x)-len(x)%(block*variables)]
				beta, g, z := normals(rng, cols), make([]float64, cols), make([]float64, block)
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				mul, mulT := map[string][]float64{}, map[string][]float64{}
				for b.Loop() {
					eachOnThisMachine(func(name string) {
						for part := range slices.Chunk(x, block*variables) {
							start := threadSeconds()
							MulBins(z, part, beta, bins)
							between := threadSeconds()
							MulTBins(g, part, z, bins)
							mul[name] = append(mul[name], between-start)
							mulT[name] = append(mulT[name], threadSeconds()-between)
						}
					})
				}
				b.ReportMetric(0, "ns/op")
				for name := range mul {
					median := func(took []float64) float64 {
						slices.Sort(took)
						return took[len(took)/2] * 1e9 / float64(block*variables)
					}
					b.ReportMetric(median(mul[name]), name+"-Mul-ns")
					b.ReportMetric(median(mulT[name]), name+"-MulT-ns")
				}
			})
		}
	}
}
