package synth

import (
	"encoding/binary"
	"encoding/hex"
	"hash/fnv"
	"math/bits"
	"slices"
	"testing"
)

func TestZipf(t *testing.T) {
	c := Config{Model: Zipf, N: 3000, M: 1000, K: 5, Nonzeros: 40, Seed: seed}
	b := table(t, c)
	truth := Truth(c)
	octave := make([]int, bits.Len(uint(c.M)))
	for i := range c.N {
		index, value := b.Index[b.Start[i]:b.Start[i+1]], b.Value[b.Start[i]:b.Start[i+1]]
		if len(index) != c.Nonzeros || !slices.IsSorted(index) || len(slices.Compact(slices.Clone(index))) != c.Nonzeros {
			t.Fatalf("row %d has the columns %v", i, index)
		}
		var sum float64
		for p, j := range index {
			octave[bits.Len(uint(j+1))-1]++
			if slices.Contains(truth, int(j)) {
				sum += value[p]
			}
		}
		if (sum > 0) != (b.Label[i] == 1) {
			t.Errorf("row %d: label %v, sum %v", i, b.Label[i], sum)
		}
	}
	// Octaves are drawn equally often; short ones are soon full, and the last
	// one is cut off.
	full := octave[7]
	for k, n := range octave[:len(octave)-1] {
		if most := min(c.N*(1<<k), full*3/2); n > most || k > 5 && n < full*2/3 {
			t.Errorf("octave %d has %d cells, octave 7 has %d", k, n, full)
		}
	}
}

// The sum was computed by this program itself, like those of the other models.
func TestZipfStaysTheSame(t *testing.T) {
	b := table(t, Config{Model: Zipf, N: 1000, M: 5000, K: 5, Seed: 1})
	h := fnv.New64a()
	binary.Write(h, binary.LittleEndian, b.Index)
	binary.Write(h, binary.LittleEndian, b.Value)
	binary.Write(h, binary.LittleEndian, b.Label)
	const want = "1038f4da8cea29d7"
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("checksum %s, want %s", got, want)
	}
}
