package real

import "math/rand/v2"

// factors generates tables of a factor model: a few hidden factors determine all columns and the
// target, so every column carries a little information and none carries all.
func factors(rows, cols int, asClasses bool) func(*rand.Rand) (*Table, *Table) {
	const hidden = 5
	return func(rng *rand.Rand) (*Table, *Table) {
		loading := normals(rng, hidden*cols)
		effect := signs(rng, hidden)
		t := &Table{Rows: rows + held, Cols: cols}
		signal := make([]float64, t.Rows)
		for i := range t.Rows {
			f := normals(rng, hidden)
			for c, v := range f {
				signal[i] += effect[c] * v
			}
			for j := range cols {
				x := 1.5 * rng.NormFloat64()
				for c, v := range f {
					x += loading[c*cols+j] * v
				}
				t.Dense = append(t.Dense, x)
			}
		}
		numbersOrClasses(t, signal, asClasses, 0.9, 4, rng)
		return cut(t, rows)
	}
}
