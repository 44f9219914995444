package readertest

import (
	"context"
	"io"
	"sync"
	"testing"

	"fsa/data"
)

// Columns reads a table by columns to its end and returns it as one block.
func Columns(tb testing.TB, r data.ByColumn) (*data.Block, error) {
	tb.Helper()
	defer r.Close()
	all, width := &data.Block{}, r.Schema().Width
	for {
		c, err := r.NextColumns(context.Background())
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		if c.Rows < 1 || c.Threads < 1 {
			tb.Fatalf("%d rows by columns on %d threads", c.Rows, c.Threads)
		}
		cells := make([]float64, c.Rows*width)
		times, last := make([]int, width), make([]int, c.Threads)
		const neighbours = 3
		var mu sync.Mutex
		err = c.Each(context.Background(), neighbours, func(thread, j int, column []float64) error {
			mu.Lock()
			defer mu.Unlock()
			if times[j]++; len(column) != c.Rows || j%neighbours > 0 && last[thread] != j-1 {
				tb.Errorf("column %d of %d cells after column %d, for %d rows", j, len(column), last[thread], c.Rows)
			}
			last[thread] = j
			for i, v := range column {
				cells[i*width+j] = v
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		for j, n := range times {
			if n != 1 {
				tb.Errorf("column %d came %d times", j, n)
			}
		}
		all.Rows += c.Rows
		all.Dense = append(all.Dense, cells...)
	}
}
