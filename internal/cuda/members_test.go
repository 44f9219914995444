package cuda

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"fsa/anneal"
	"fsa/internal/matrix"
	"fsa/internal/objective"
	"fsa/internal/objectivetest"
	"fsa/loss"
)

// inGroups returns a table whose variables are kept or dropped in groups of one to four.
func inGroups(s *sampleTable) *sampleTable {
	groups := objective.Lists()
	for at, j := 0, 0; at < s.cols; j++ {
		n := min(1+j%4, s.cols-at)
		var list []int
		for v := at + n - 1; v >= at; v-- { // within a group, any order is possible
			list = append(list, v)
		}
		groups.Add(list...)
		at += n
	}
	s.groups = &groups
	return s
}

// curved returns a table whose target is a curve of the first variables, in bins of numbers, some
// of which are missing, or of bytes.
func curved(t *testing.T, storage string, rows, vars, bins int, l loss.Loss) *sampleTable {
	rng := rand.New(rand.NewPCG(9, uint64(vars)))
	s := &sampleTable{rows: rows, cols: vars, outputs: l.Outputs(), loss: l, bins: bins}
	of := &matrix.Binning{Bins: bins, Unexpected: func(v int) error { return fmt.Errorf("variable %d", v) }}
	for v := range vars {
		of.Columns, of.Missing = append(of.Columns, v), append(of.Missing, storage == "numbers" && v%3 == 0)
		of.Range = append(of.Range, [2]float64{float64(v % 2), 255})
	}
	of.Position = func(v int, x float32) float64 {
		return min(max((float64(x)-of.Range[v][0])/(of.Range[v][1]-of.Range[v][0]), 0), 1)
	}
	nan := float32(0)
	nan /= nan
	x, b := make([]float32, rows*vars), make([][]uint8, rows)
	for i := range rows {
		z := make([]float64, s.outputs)
		b[i] = make([]uint8, vars)
		for j := range vars {
			b[i][j] = uint8(rng.IntN(256))
			x[i*vars+j] = float32(b[i][j])
			if of.Missing[j] && rng.IntN(10) == 0 {
				x[i*vars+j] = nan
			} else if j%7 == 0 && j < 35 {
				at := float64(b[i][j])/127.5 - 1
				z[(j/7)%s.outputs] += (3*at*at - 1) * (2 - float64(j)/35)
			}
		}
		y := z[0] + 0.3*rng.NormFloat64()
		switch l.(type) {
		case loss.Multinomial:
			best := 0
			for c := range z {
				if z[c] > z[best] {
					best = c
				}
			}
			y = float64(best)
		case loss.Squared:
		default:
			if y > 0 {
				y = 1
			} else {
				y = -1
			}
		}
		s.y, s.weight = append(s.y, y), append(s.weight, 0.5+rng.Float64())
	}
	var from matrix.Binner = matrix.NewDense(rows, vars, x)
	if storage == "bytes" {
		bytes := matrix.NewBytes(vars)
		bytes.Append(b)
		s.rounded = true
		from = bytes
	}
	var err error
	if s.x, _, err = from.Bin(t.Context(), of, false); err != nil {
		t.Fatal(err)
	}
	_, cols := s.x.Dims()
	for range cols {
		s.scale, s.offset = append(s.scale, 1+rng.Float64()), append(s.offset, -0.2*rng.Float64())
	}
	return s
}

// TestSumsOfMembers expects sums over groups and over curves to be those of the processor, for any
// width, resident or streamed.
func TestSumsOfMembers(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		for name, l := range map[string]loss.Loss{"logistic": loss.Logistic{}, "multinomial": loss.Multinomial{Classes: 3}} {
			compare(t, "groups, "+name, d, inGroups(newSample(matrix.Float32, 300, 41, l)))
			for i, vars := range []int{1, 2, 9, 130, 300, 530} {
				for _, storage := range []string{"numbers", "bytes"} {
					s := curved(t, storage, []int{1, 70, 300}[i%3], vars, []int{5, 1, 20}[i%3], l)
					compare(t, fmt.Sprintf("%s, %s, %d variables", storage, name, vars), d, s)
				}
			}
		}
		s := curved(t, "numbers", 300, 20, 200, loss.Squared{})
		compare(t, "200 bins", d, s)
	})
	limited(t, 80_000, func(t *testing.T, d *Device) {
		for _, storage := range []string{"numbers", "bytes"} {
			s := curved(t, storage, 2000, 30, 5, loss.Logistic{})
			o := s.placed(t, d, 700, 0, 0.01)
			if o.stream == nil {
				t.Error("it is not streamed")
			}
			o.Close()
			compare(t, "streamed "+storage, d, s)
		}
	})
}

// TestContractOfMembers expects an objective of groups, or of curves, to keep the promises of the
// interface.
func TestContractOfMembers(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		for _, l := range []loss.Loss{loss.Logistic{}, loss.Multinomial{Classes: 3}} {
			for name, s := range map[string]*sampleTable{
				"groups": inGroups(newSample(matrix.Float32, 30, 7, l)), "curves": curved(t, "numbers", 30, 4, 2, l), "both": inGroups(curved(t, "bytes", 30, 4, 2, l)),
			} {
				t.Run(fmt.Sprintf("%s %T", name, l), func(t *testing.T) {
					objectivetest.Run(t, func() anneal.Objective { return s.placed(t, d, 10, 0, 0.1) })
				})
			}
		}
	})
}

// TestSameSelectionOfMembers expects a device to select the same groups and curves as the
// processor.
func TestSameSelectionOfMembers(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		for _, l := range []loss.Loss{loss.Logistic{}, loss.Multinomial{Classes: 3}} {
			for _, batch := range []int{0, 100} {
				for name, s := range map[string]*sampleTable{
					"groups": inGroups(newSample(matrix.Float32, 300, 60, l)), "curves": curved(t, "numbers", 250, 30, 3, l), "curves of bytes": curved(t, "bytes", 250, 30, 3, l),
				} {
					t.Run(fmt.Sprintf("%s, %T, batch %d", name, l, batch), func(t *testing.T) {
						sameSelection(t, d, s, batch, anneal.Settings{K: 5, Iterations: 20, Mu: 10, Force: []int{3}, FactorWarmUp: 5})
					})
				}
			}
		}
	})
}
