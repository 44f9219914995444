package open

import (
	"fmt"

	"fsa/data"
	"fsa/internal/matrix/paged"
)

// notWhole returns the error for a table that must be in memory and does not fit. need is 0 if it
// is unknown.
func (o *Options) notWhole(path string, need int64) error {
	return &MemoryError{path, need, o.Memory, fmt.Sprintf("allow more memory, or leave out %s, which needs the whole table in memory", o.Whole)}
}

// checkWhole returns an error if a table must be in memory and does not fit into room. numbers is
// the size of its numbers in bytes; fits reports whether a given amount of memory is enough.
func (o *Options) checkWhole(path string, room, numbers int64, fits func(room int64) bool) error {
	if fits(room) {
		return nil
	}
	need := numbers
	for !fits(need) {
		need += need/8 + 1 // reading takes some memory, too
	}
	return o.notWhole(path, o.Memory-room+need)
}

// checkStored is checkWhole for a table that is read by columns.
func (o *Options) checkStored(path string, t data.Store, roles *data.Roles, room int64) error {
	if o.Whole == "" || o.Memory == 0 {
		return nil
	}
	rows, cols := t.Dims()
	var numbers []int
	if t.Schema().Sparse {
		numbers = t.Occurring()
		cells := int64(0)
		for _, j := range numbers {
			cells += int64(t.Profile(j).Cells)
		}
		if 2*cells < int64(rows)*int64(cols) {
			return o.checkWhole(path, room, 8*cells, func(room int64) bool { return data.StoredSparse(t, room).Fits() })
		}
	} else {
		numbers = variables(t.Schema(), roles)
	}
	return o.checkWhole(path, room, 4*int64(rows)*int64(len(numbers)), func(room int64) bool { return paged.NewDense(t, numbers, room).Fits() })
}

// variables returns the numeric columns of a dense table that have no role.
func variables(s *data.Schema, roles *data.Roles) []int {
	taken := map[int]bool{}
	for _, ref := range append(roles.Columns(), roles.Drop...) {
		taken[s.FindColumn(ref)] = true
	}
	var numbers []int
	for j := range s.Width {
		if _, text := s.Categories[j]; !text && !taken[j] {
			numbers = append(numbers, j)
		}
	}
	return numbers
}
