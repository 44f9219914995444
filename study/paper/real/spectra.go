package real

import (
	"math"
	"math/rand/v2"
)

// spectra generates tables whose columns are neighbouring wavelengths. Every row is a smooth curve,
// a mixture of the bands of a few constituents on a drifting baseline. The target is the amount of
// one constituent, or whether it is large.
func spectra(rows, wavelengths int, asClasses bool) func(*rand.Rand) (*Table, *Table) {
	const (
		constituents = 5
		bands        = 4 // of each constituent
		noise        = 0.002
	)
	return func(rng *rand.Rand) (*Table, *Table) {
		// The spectrum of a unit of each constituent.
		look := make([][]float64, constituents)
		for c := range look {
			look[c] = make([]float64, wavelengths)
			for range bands {
				centre, width, height := rng.Float64(), 0.04+0.12*rng.Float64(), 0.2+rng.Float64()
				for j := range look[c] {
					d := (float64(j)/float64(wavelengths) - centre) / width
					look[c][j] += height * math.Exp(-d*d/2)
				}
			}
		}
		t := &Table{Rows: rows + held, Cols: wavelengths, Dense: make([]float64, (rows+held)*wavelengths)}
		signal := make([]float64, t.Rows)
		for i := range t.Rows {
			row := t.Dense[i*wavelengths : (i+1)*wavelengths]
			level, tilt, thickness := 0.3*rng.NormFloat64(), 0.3*rng.NormFloat64(), 1+0.05*rng.NormFloat64()
			for c := range look {
				amount := math.Exp(0.5 * rng.NormFloat64())
				if c == 0 {
					signal[i] = amount
				}
				for j := range row {
					row[j] += thickness * amount * look[c][j]
				}
			}
			for j := range row {
				row[j] += level + tilt*float64(j)/float64(wavelengths) + noise*rng.NormFloat64()
			}
		}
		numbersOrClasses(t, signal, asClasses, 0.98, 6, rng)
		return cut(t, rows)
	}
}
