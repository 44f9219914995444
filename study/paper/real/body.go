package real

import "math/rand/v2"

// body generates tables like body measurements: a common size explains most of every column,
// columns of one region share a little more, and the target depends on size and on single columns.
func body(rows, cols int, asClasses bool) func(*rand.Rand) (*Table, *Table) {
	const region = 3 // columns
	return func(rng *rand.Rand) (*Table, *Table) {
		loading := make([]float64, cols)
		for j := range loading {
			loading[j] = 0.8 + 0.4*rng.Float64()
		}
		effect := signs(rng, 4)
		columns := sample(rng, cols, len(effect))
		t := &Table{Rows: rows + held, Cols: cols}
		signal := make([]float64, t.Rows)
		for i := range t.Rows {
			size, shared := rng.NormFloat64(), 0.0
			row := make([]float64, cols)
			for j := range row {
				if j%region == 0 {
					shared = 0.3 * rng.NormFloat64()
				}
				row[j] = loading[j]*size + shared + 0.25*rng.NormFloat64()
			}
			signal[i] = 0.7 * size
			for c, j := range columns {
				signal[i] += effect[c] * (row[j] - loading[j]*size)
			}
			// Units differ: centimetres, kilograms.
			for j := range row {
				row[j] = 50 + 10*float64(1+j%4)*row[j]
			}
			t.Dense = append(t.Dense, row...)
		}
		numbersOrClasses(t, signal, asClasses, 0.8, 3, rng)
		return cut(t, rows)
	}
}
