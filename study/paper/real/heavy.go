package real

import (
	"math"
	"math/rand/v2"
)

// heavy generates tables of columns with heavy tails, such as amounts of money: exponentials of
// normal numbers and ratios of them, with a target that is linear in them.
func heavy(rows, cols int, asClasses bool) func(*rand.Rand) (*Table, *Table) {
	const causes = 6
	return func(rng *rand.Rand) (*Table, *Table) {
		t := &Table{Rows: rows + held, Cols: cols}
		for range t.Rows {
			for j := range cols {
				x := math.Exp(rng.NormFloat64())
				if j%2 == 1 { // Student's t with three degrees of freedom
					a, b, c := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
					x = rng.NormFloat64() / math.Sqrt((a*a+b*b+c*c)/3)
				}
				t.Dense = append(t.Dense, x)
			}
		}
		numbersOrClasses(t, dot(t, sample(rng, cols, causes), signs(rng, causes)), asClasses, 0.7, 3, rng)
		return cut(t, rows)
	}
}
