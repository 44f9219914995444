package serve

import (
	"context"
	"fmt"
	"runtime"

	"fsa/data"
	"fsa/internal/parallel"
)

// byRows converts compressed columns to compressed rows by counting: each core reads all cells, and
// uses those of its own rows. Rows may be in memory that another process writes to, so the second
// pass may find cells that were not counted.
func byRows[T float32 | float64](ctx context.Context, start []int64, row []int32, value []T, rows int) (ends []int64, column []int32, sorted []T, err error) {
	for j := range len(start) - 1 {
		if start[j] < 0 || start[j+1] < start[j] || start[j+1] > int64(len(row)) {
			return nil, nil, nil, &protocolError{fmt.Errorf("the cells of column %d lie from %d to %d", j, start[j], start[j+1])}
		}
	}
	ends = make([]int64, rows+1)
	for _, i := range row {
		if i < 0 || int(i) >= rows {
			return nil, nil, nil, &protocolError{fmt.Errorf("a cell in row %d of %d", i, rows)}
		}
		ends[i+1]++
	}
	for i := range rows {
		ends[i+1] += ends[i]
	}
	next := make([]int64, rows) // where the next cell of a row belongs
	copy(next, ends)
	column, sorted = make([]int32, len(row)), make([]T, len(row))
	parts := runtime.GOMAXPROCS(0)
	return ends, column, sorted, parallel.Do(ctx, 0, parts, func(_, part int) error {
		lo, hi := int32(part*rows/parts), int32((part+1)*rows/parts)
		for j := range len(start) - 1 {
			for p := start[j]; p < start[j+1]; p++ {
				if i := row[p]; i >= lo && i < hi {
					to := next[i]
					if to == ends[i+1] {
						return &data.Error{File: tableName, Msg: "X changed while it was read: do not write to it meanwhile"}
					}
					next[i]++
					column[to], sorted[to] = int32(j), value[p]
				}
			}
		}
		return ctx.Err()
	})
}
