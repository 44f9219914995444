package real

import (
	"math"
	"math/rand/v2"
)

// rare generates tables of columns that are 0 in most rows, such as flags and diagnoses: a column
// is 1 in half a percent to a tenth of the rows.
func rare(rows, cols int, asClasses bool) func(*rand.Rand) (*Table, *Table) {
	const causes = 15
	return func(rng *rand.Rand) (*Table, *Table) {
		often := make([]float64, cols)
		for j := range often {
			often[j] = 0.005 * math.Exp(rng.Float64()*math.Log(20))
		}
		t := &Table{Rows: rows + held, Cols: cols, Dense: make([]float64, (rows+held)*cols)}
		for i := range t.Dense {
			if rng.Float64() < often[i%cols] {
				t.Dense[i] = 1
			}
		}
		numbersOrClasses(t, dot(t, sample(rng, cols, causes), signs(rng, causes)), asClasses, 0.6, 2.5, rng)
		return cut(t, rows)
	}
}
