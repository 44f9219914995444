package real

import (
	"math/rand/v2"
	"strconv"
)

// classes generates tables of several classes with few rows each: every class has its own means in
// some columns, and the rest is noise.
func classes(count, each, cols int) func(*rand.Rand) (*Table, *Table) {
	const informative = 30
	return func(rng *rand.Rand) (*Table, *Table) {
		columns := sample(rng, cols, informative)
		mean := normals(rng, count*informative)
		t := &Table{Rows: count*each + held, Cols: cols}
		for i := range t.Rows {
			c := i % count
			row := normals(rng, cols)
			for k, j := range columns {
				row[j] += 0.9 * mean[c*informative+k]
			}
			t.Dense, t.Y = append(t.Dense, row...), append(t.Y, float64(c))
		}
		for c := range count {
			t.Classes = append(t.Classes, "c"+strconv.Itoa(c))
		}
		return cut(t, count*each)
	}
}
