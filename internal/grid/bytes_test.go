package grid

import (
	"testing"

	"fsa/anneal"
	"fsa/internal/collective"
	"fsa/loss"
)

// counting is a group of processes that counts the bytes a process sends: 2(n−1)/n times the vector
// for a sum over n processes, and its own part to all others for a gather.
type counting struct {
	collective.Comm
	bytes *float64
}

func (c counting) Sum(v []int64) error {
	n := float64(c.Size())
	*c.bytes += 2 * (n - 1) / n * 8 * float64(len(v))
	return c.Comm.Sum(v)
}

func (c counting) Gather(dst []byte, counts []int, src []byte) error {
	*c.bytes += float64((c.Size() - 1) * len(src))
	return c.Comm.Gather(dst, counts, src)
}

func (c counting) Split(color int) (collective.Comm, error) {
	part, err := c.Comm.Split(color)
	return counting{part, c.bytes}, err
}

// TestBytes compares the bytes that a step sends with the plan's formula: on every grid they are at
// most 1.1 times as many.
func TestBytes(t *testing.T) {
	tb := newTable(6000, 3000, loss.Squared{})
	for _, shape := range [][2]int{{2, 1}, {1, 2}, {2, 2}, {4, 1}, {1, 4}, {3, 2}} {
		want := Moved(shape[0], shape[1], tb.rows, tb.cols)
		for p, got := range together(t, shape, func(c collective.Comm) (float64, error) {
			n := new(float64)
			o, err := tb.place(t.Context(), counting{c, n}, shape, 0, 6, 0.01)
			if err != nil {
				return 0, err
			}
			if err := o.Load(t.Context(), anneal.Coefficients{}, anneal.Rank{}); err != nil {
				return 0, err
			}
			if _, err = o.Epoch(t.Context(), anneal.Walk{Eta: 1e-4}); err != nil { // from zero there are no margins to sum
				return 0, err
			}
			*n = 0
			_, err = o.Epoch(t.Context(), anneal.Walk{Eta: 1e-4})
			return *n, err
		}) {
			// The parts differ in size.
			if got > 1.1*want || got < 0.95*want {
				t.Errorf("%v, process %d: %.0f bytes, and the formula says %.0f", shape, p, got, want)
			}
		}
	}
}
