package real

import (
	"math"
	"math/rand/v2"
)

// wide generates tables of few rows and very many columns, like gene expressions. Columns are in
// correlated blocks, and five of them, each from another block, have an effect. With a strength of
// 0 none has an effect.
func wide(rows, cols int, asClasses bool, strength float64) func(*rand.Rand) (*Table, *Table) {
	const (
		block   = 20  // columns that share a part,
		sharing = 0.6 // and this share of their variance
		causes  = 5
	)
	return func(rng *rand.Rand) (*Table, *Table) {
		t := &Table{Rows: rows + held, Cols: cols, Dense: make([]float64, (rows+held)*cols)}
		for i := range t.Rows {
			shared := 0.0
			for j := range cols {
				if j%block == 0 {
					shared = rng.NormFloat64()
				}
				t.Dense[i*cols+j] = math.Sqrt(sharing)*shared + math.Sqrt(1-sharing)*rng.NormFloat64()
			}
		}
		var columns []int
		for _, b := range sample(rng, cols/block, causes) {
			columns = append(columns, b*block+rng.IntN(block))
		}
		numbersOrClasses(t, dot(t, columns, signs(rng, causes)), asClasses, 0.85*strength, 5*strength, rng)
		return cut(t, rows)
	}
}
