package grid

import (
	"testing"

	"fsa/anneal"
	"fsa/internal/collective"
	"fsa/loss"
)

// counting is a group of processes that counts the bytes a process gives to it.
type counting struct {
	collective.Comm
	bytes *int
}

func (c counting) Sum(v []int64) error {
	*c.bytes += 8 * len(v)
	return c.Comm.Sum(v)
}

func (c counting) Gather(dst []byte, counts []int, src []byte) error {
	*c.bytes += len(src)
	return c.Comm.Gather(dst, counts, src)
}

func (c counting) Split(color int) (collective.Comm, error) {
	part, err := c.Comm.Split(color)
	return counting{part, c.bytes}, err
}

// A step gives away little more than the margins of its rows and the gradient of its columns, 8 bytes each.
func TestBytes(t *testing.T) {
	tb := newTable(6000, 3000, loss.Squared{})
	shape := [2]int{2, 2}
	want := 8 * (tb.rows/shape[0] + tb.cols/shape[1])
	for _, got := range together(t, shape, func(c collective.Comm) (int, error) {
		n := new(int)
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
		if float64(got) > 1.1*float64(want) || got < want {
			t.Errorf("%d bytes, and the vectors have %d", got, want)
		}
	}
}
