package real

import (
	"math"
	"math/rand/v2"
)

// corruption corrupts a table whose target depends on the given columns.
type corruption func(t *Table, columns []int, rng *rand.Rand)

// outliers generates tables with a linear target and one corrupt row, which is a training row for
// half of the seeds and a test row for the others.
func outliers(spoil corruption) func(*rand.Rand) (*Table, *Table) {
	const rows, cols, causes = 150, 30, 6
	return func(rng *rand.Rand) (*Table, *Table) {
		t := &Table{Rows: 2 * rows, Cols: cols, Dense: make([]float64, 2*rows*cols)}
		for i := range t.Rows {
			last := rng.NormFloat64()
			for j := range cols { // neighbours are correlated
				last = 0.7*last + math.Sqrt(1-0.7*0.7)*rng.NormFloat64()
				t.Dense[i*cols+j] = last
			}
		}
		columns := sample(rng, cols, causes)
		numbersOrClasses(t, dot(t, columns, signs(rng, causes)), false, 0.8, 0, rng)
		spoil(t, columns, rng)
		return split(t, 0, 0, rng)
	}
}

// corruptCell writes a wrong number to a relevant column.
func corruptCell(t *Table, columns []int, rng *rand.Rand) {
	t.Dense[rng.IntN(t.Rows)*t.Cols+columns[rng.IntN(len(columns))]] = 40
}

// corruptRow writes a row in other units.
func corruptRow(t *Table, columns []int, rng *rand.Rand) {
	i := rng.IntN(t.Rows)
	for j := range t.Cols {
		t.Dense[i*t.Cols+j] *= 25
	}
}

// corruptTarget writes a wrong target.
func corruptTarget(t *Table, columns []int, rng *rand.Rand) { t.Y[rng.IntN(t.Rows)] = 40 }
