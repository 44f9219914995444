package serve

import (
	"fmt"

	"fsa/data"
)

// setRanges sets the ranges of the columns of a dataset to those of the original rows; lines are
// not extrapolated far beyond them.
func (s *sums) setRanges(f *files, d *data.Dataset) error {
	if s == nil {
		return nil
	}
	low, err := numbers[float64](f, &s.Low)
	if err != nil {
		return err
	}
	high, err := numbers[float64](f, &s.High)
	if err != nil {
		return err
	}
	for j := range d.Columns {
		c := &d.Columns[j]
		if c.Text || c.Index >= len(low) || c.Index >= len(high) {
			return &protocolError{fmt.Errorf("ranges of %d and %d columns for column %d", len(low), len(high), c.Index)}
		}
		c.Min, c.Max = low[c.Index], high[c.Index]
	}
	return nil
}
