package real

import (
	"math"
	"math/rand/v2"
)

// asPaper generates the paper's table of classes: neighbours have correlation 0.9, every tenth
// column up to k of them has the same effect, and a share of the labels is random. The test rows
// have the same noise.
func asPaper(rows, cols, k int, coins float64) func(*rand.Rand) (*Table, *Table) {
	return func(rng *rand.Rand) (*Table, *Table) {
		t := &Table{Rows: rows + held, Cols: cols, Dense: make([]float64, (rows+held)*cols), Classes: []string{"no", "yes"}}
		for i := range t.Rows {
			last, sum := rng.NormFloat64(), 0.0
			for j := range cols {
				if j > 0 {
					last = 0.9*last + math.Sqrt(1-0.9*0.9)*rng.NormFloat64()
				}
				t.Dense[i*cols+j] = last
				if j%10 == 9 && j < 10*k {
					sum += last
				}
			}
			if rng.Float64() < coins {
				sum = rng.NormFloat64()
			}
			y := 0.0
			if sum > 0 {
				y = 1
			}
			t.Y = append(t.Y, y)
		}
		return cut(t, rows)
	}
}
