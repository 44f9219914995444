package paged

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// Numbers that stand together, that are scattered, and both.
var spreads = map[string]func(rng *rand.Rand) uint32{
	"together":  func(rng *rand.Rand) uint32 { return uint32(rng.IntN(50_000)) },
	"scattered": func(rng *rand.Rand) uint32 { return rng.Uint32() },
	"both":      func(rng *rand.Rand) uint32 { return uint32(math.Exp(rng.Float64() * math.Log(math.MaxUint32))) },
	"few":       func(rng *rand.Rand) uint32 { return uint32(rng.IntN(40)) * 3277 },
}

// A Finder finds what is in its list, and nothing else.
func TestFinder(t *testing.T) {
	for name, draw := range spreads {
		rng := rand.New(rand.NewPCG(6, 1))
		var list []int
		for range 20_000 {
			list = append(list, int(draw(rng)))
		}
		slices.Sort(list)
		list = slices.Compact(list)
		f := NewFinder(list)
		for at, j := range list {
			if got := f.Find(uint32(j)); got != at {
				t.Fatalf("%s: %d is at %d, want %d", name, j, got, at)
			}
			if next := uint32(j + 1); at+1 < len(list) && list[at+1] > j+1 && f.Find(next) >= 0 {
				t.Fatalf("%s: %d is not in the list", name, next)
			}
		}
		for range 20_000 {
			if j := rng.Uint32(); f.Find(j) >= 0 && !slices.Contains(list, int(j)) {
				t.Fatalf("%s: %d is not in the list", name, j)
			}
		}
	}
	if got := NewFinder(nil).Find(3); got >= 0 {
		t.Errorf("an empty list has something at %d", got)
	}
}

// Numbers that a hash has scattered take memory for themselves, not for their
// neighbours.
func TestFinderIsSmall(t *testing.T) {
	const numbers = 3000
	rng := rand.New(rand.NewPCG(7, 1))
	var list []int
	for range numbers {
		list = append(list, int(rng.Uint32()>>2))
	}
	slices.Sort(list)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	NewFinder(list)
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
		t.Errorf("%d numbers take %d bytes", numbers, used)
	}
}
