package open

import (
	"fmt"

	"fsa/data"
	"fsa/internal/matrix/paged"
)

// notWhole says that a table which has to be in memory does not fit. Need is 0
// where it is not known.
func (o *Options) notWhole(path string, need int64) error {
	return &MemoryError{path, need, o.Memory, fmt.Sprintf("allow more, or leave out %s, which needs all of the table in memory", o.Whole)}
}

// checkWhole refuses a table that has to be in memory and does not fit into the
// room that there is. It has so many bytes of numbers; fits says whether some
// room is enough to bring them into memory.
func (o *Options) checkWhole(path string, room, numbers int64, fits func(room int64) bool) error {
	if fits(room) {
		return nil
	}
	need := numbers
	for !fits(need) {
		need += need/8 + 1 // reading takes room, too
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

// variables returns the columns of a dense table that are numbers and have no
// role.
func variables(s *data.Schema, roles *data.Roles) []int {
	taken := map[int]bool{}
	for _, ref := range append([]string{roles.Target, roles.Weight, roles.Query, roles.Group, roles.Offset, roles.Event, roles.Stratum}, roles.Drop...) {
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
