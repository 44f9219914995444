package matrix

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
			if cap(chunk) > spareRoom*len(chunk)+16 { // what the allocator rounds up to
				t.Errorf("%d of %d columns: room for %d cells, %d are used", kept, cols, cap(chunk), len(chunk))
			}
		}
		if row := d.row(rows - 1); len(row) != kept || row[kept-1] != float32(kept-1) {
			t.Errorf("%d of %d columns: the last row is %v", kept, cols, row)
		}
	}
}

// The same holds for sparse tables.
func TestSparseShrinkGivesBack(t *testing.T) {
	const rows, cols = 100, 40
	for _, kept := range []int{39, 21, 20, 19, 1} {
		var s csr[float32]
		s.cols = cols
		index, value := make([]uint32, cols), make([]float32, cols)
		for j := range index {
			index[j], value[j] = uint32(j), float32(j)
		}
		for range rows {
			s.add(index, value)
		}
		s.shrink(orAll(nil, kept))
		for _, c := range s.chunks {
			if cap(c.index) > sparseRoom*len(c.index)+16 || cap(c.value) > sparseRoom*len(c.value)+16 {
				t.Errorf("%d of %d columns: room for %d cells, %d are used", kept, cols, cap(c.index), len(c.index))
			}
		}
		if index, value := s.row(rows - 1); len(index) != kept || value[kept-1] != float32(kept-1) {
			t.Errorf("%d of %d columns: the last row is %v at %v", kept, cols, value, index)
		}
	}
}
