package data

import "testing"

// Memory shrinks with the table, whatever is dropped first.
func TestShrinkGivesBack(t *testing.T) {
	const rows, cols = 10, 40
	for _, kept := range []int{39, 11, 10, 9, 1} {
		d := newGrid[float32](cols)
		for range rows {
			for j, row := 0, d.grow(); j < cols; j++ {
				row[j] = float32(j)
			}
		}
		d.shrink(orAll(nil, kept))
		for _, chunk := range d.chunks {
			if cap(chunk) > 4*len(chunk)+16 { // what the allocator rounds up to
				t.Errorf("%d of %d columns: room for %d cells, %d are used", kept, cols, cap(chunk), len(chunk))
			}
		}
		if row := d.row(rows - 1); len(row) != kept || row[kept-1] != float32(kept-1) {
			t.Errorf("%d of %d columns: the last row is %v", kept, cols, row)
		}
	}
}
