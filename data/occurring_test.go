package data

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// Columns that stand together, that are scattered, and both.
var spreads = map[string]func(rng *rand.Rand) uint32{
	"together":  func(rng *rand.Rand) uint32 { return uint32(rng.IntN(3 * pageSize)) },
	"scattered": func(rng *rand.Rand) uint32 { return rng.Uint32() },
	"both":      func(rng *rand.Rand) uint32 { return uint32(math.Exp(rng.Float64() * math.Log(math.MaxUint32))) },
	"few":       func(rng *rand.Rand) uint32 { return uint32(rng.IntN(40)) * (pageSize/5 + 1) },
}

// A table of numbers holds what a map does.
func TestNumberTable(t *testing.T) {
	for name, draw := range spreads {
		rng := rand.New(rand.NewPCG(5, 1))
		var table numberTable
		want := map[uint32]uint32{}
		for i := range 30_000 {
			j := draw(rng)
			n := table.at(j)
			if *n != want[j] {
				t.Fatalf("%s: column %d has %d, want %d", name, j, *n, want[j])
			}
			*n, want[j] = uint32(i)+1, uint32(i)+1
		}
		for j, n := range want {
			if got := *table.at(j); got != n {
				t.Fatalf("%s: column %d has %d, want %d", name, j, got, n)
			}
		}
	}
}

// Columns that a hash has scattered take memory for themselves, not for their
// neighbours.
func TestScatteredColumns(t *testing.T) {
	const cells = 3000
	rng := rand.New(rand.NewPCG(7, 1))
	block := &Block{Rows: 1, Start: []int{0, cells}, Value: slices.Repeat([]float64{1}, cells)}
	for range cells {
		block.Index = append(block.Index, rng.Uint32()>>2)
	}
	slices.Sort(block.Index)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b := NewBuilder("table", &Schema{Width: 1 << 30, Sparse: true}, Roles{})
	if err := b.Add(block); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	found, want := len(b.found), len(slices.Compact(block.Index))
	if used := after.TotalAlloc - before.TotalAlloc; used > 32<<20 || found != want {
		t.Errorf("%d columns of %d take %d bytes", found, want, used)
	}
}

// BenchmarkSparseTable builds tables whose rows list a hundred columns, few of
// which most rows have: there is a lookup for each cell.
func BenchmarkSparseTable(b *testing.B) {
	const rows, cells = 5000, 100
	for _, width := range []int{1000, 100_000, 3_000_000} {
		b.Run(fmt.Sprint(width), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 1))
			var blocks []*Block
			for range 4 {
				block := &Block{Rows: rows, Start: []int{0}}
				for range rows {
					row := make([]uint32, cells)
					for p := range row {
						row[p] = uint32(math.Pow(float64(width), rng.Float64()))
					}
					slices.Sort(row)
					block.Index = append(block.Index, slices.Compact(row)...)
					block.Start = append(block.Start, len(block.Index))
				}
				block.Value = slices.Repeat([]float64{1}, len(block.Index))
				blocks = append(blocks, block)
			}
			for b.Loop() {
				builder := NewBuilder("table", &Schema{Width: width + 1, Sparse: true}, Roles{})
				for _, block := range blocks {
					if err := builder.Add(block); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
