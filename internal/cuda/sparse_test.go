package cuda

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"fsa/anneal"
	"fsa/internal/matrix"
	"fsa/internal/objectivetest"
	"fsa/loss"
)

// thin returns a table in which one cell in five is stored; some rows and columns have none.
func thin(rows, cols int, l loss.Loss) *sampleTable {
	rng := rand.New(rand.NewPCG(7, uint64(cols)))
	s := newSample(matrix.Float32, rows, cols, l)
	x := matrix.NewSparse(cols)
	for i := range rows {
		var index []uint32
		var value []float32
		z := make([]float64, s.outputs)
		for j := range cols {
			if i%11 == 3 || j%13 == 5 || rng.IntN(5) > 0 {
				continue
			}
			v := rng.NormFloat64() + 1
			index, value = append(index, uint32(j)), append(value, float32(v))
			if j%7 == 0 && j < 35 {
				z[(j/7)%s.outputs] += v * (3 - float64(j)/35)
			}
		}
		x.Add(index, value)
		switch l.(type) {
		case loss.Squared:
			s.y[i] = z[0] + 0.1*rng.NormFloat64()
		case loss.Multinomial:
			s.y[i] = 0
			for c := range z {
				if z[c] > z[int(s.y[i])] {
					s.y[i] = float64(c)
				}
			}
		default:
			if s.y[i] = 1; z[0] < 1 {
				s.y[i] = -1
			}
		}
	}
	s.x, s.offset = x, nil
	return s
}

// TestSparseSums expects sums over sparse tables to be those of the processor.
func TestSparseSums(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		for name, l := range losses {
			for _, size := range [][2]int{{1, 1}, {60, 7}, {300, 120}, {700, 1500}} {
				compare(t, fmt.Sprint(name, size), d, thin(size[0], size[1], l))
			}
		}
		if d.forget(); d.used != 0 {
			t.Errorf("%d bytes are still in use", d.used)
		}
	})
}

// TestSparseContract expects a sparse objective, also one of groups, to keep the promises of the
// interface.
func TestSparseContract(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		for _, l := range []loss.Loss{loss.Logistic{}, loss.Multinomial{Classes: 3}} {
			for _, s := range []*sampleTable{thin(60, 9, l), inGroups(thin(60, 9, l))} {
				objectivetest.Run(t, func() anneal.Objective { return s.placed(t, d, 20, 0, 0.1) })
			}
		}
	})
}

// TestSparseSelection expects a device to select the same variables of a sparse table as the
// processor.
func TestSparseSelection(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		for name, l := range losses {
			for _, batch := range []int{0, 150} {
				t.Run(fmt.Sprintf("%s, batch %d", name, batch), func(t *testing.T) {
					sameSelection(t, d, thin(600, 120, l), batch, anneal.Settings{K: 5, Iterations: 30, Mu: 10, Force: []int{3}, FactorWarmUp: 5})
				})
			}
		}
	})
}

// TestSparseTooLarge expects a sparse table that does not fit to be refused.
func TestSparseTooLarge(t *testing.T) {
	d, err := newDevice(newFake(9), 60_000)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Place(t.Context(), thin(600, 120, loss.Logistic{}).objective(0, 5, 0)); !errors.Is(err, ErrMemory) {
		t.Errorf("a sparse table that is too large: %v", err)
	}
	if d.used != 0 {
		t.Errorf("%d bytes are still in use", d.used)
	}
}
