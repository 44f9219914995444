package sqlite

import (
	"encoding/binary"
	"io"
)

// The kinds of pages of a table.
const (
	interior = 5
	leaf     = 13
)

// deepest is the maximal depth of the tree of a table.
const deepest = 40

// mostRecord is the maximal size of a row in bytes.
const mostRecord = 1 << 26

// scan reads the rows of a table in their order.
type scan struct {
	*file
	path   []step
	visits int64 // pages of the tree and of long rows
	record []byte
}

// step is a page on the path from the root to a row. It has its own copy, because the window moves
// on.
type step struct {
	page  []byte
	start int // start of its header
	cells int
	next  int // index of the next cell
}

// newScan starts at the root page of a table.
func newScan(f *file, root int64) (*scan, error) {
	s := &scan{file: f}
	return s, s.descend(root)
}

// descend goes to a page.
func (s *scan) descend(number int64) error {
	if s.visits++; s.visits > s.pages || len(s.path) == deepest {
		return s.damaged("the pages of a table form a cycle")
	}
	page, err := s.page(number)
	if err != nil {
		return err
	}
	var top step
	if n := len(s.path); n < cap(s.path) {
		top = s.path[:n+1][n] // reuses its memory
	}
	top = step{page: append(top.page[:0], page...)}
	if number == 1 {
		top.start = 100
	}
	head := top.page[top.start:]
	top.cells = int(binary.BigEndian.Uint16(head[3:]))
	size := 8
	switch head[0] {
	case interior:
		size = 12
	case leaf:
	default:
		return s.damaged("page %d is not a page of a table", number)
	}
	if top.start+size+2*top.cells > s.usable {
		return s.damaged("page %d has %d cells", number, top.cells)
	}
	s.path = append(s.path, top)
	return nil
}

// next returns the number of the next row and its record, which is valid until the next call, or
// io.EOF.
func (s *scan) next() (row int64, record []byte, err error) {
	for len(s.path) > 0 {
		top := &s.path[len(s.path)-1]
		head := top.page[top.start:]
		if head[0] == leaf {
			if top.next == top.cells {
				s.path = s.path[:len(s.path)-1]
				continue
			}
			cell, err := s.cell(top, 8)
			if err != nil {
				return 0, nil, err
			}
			return s.payload(cell)
		}
		child := binary.BigEndian.Uint32(head[8:])
		switch {
		case top.next > top.cells:
			s.path = s.path[:len(s.path)-1]
			continue
		case top.next == top.cells:
			top.next++ // the last child is in the header
		default:
			cell, err := s.cell(top, 12)
			if err != nil {
				return 0, nil, err
			}
			if len(cell) < 4 {
				return 0, nil, s.damaged("a cell is cut")
			}
			child = binary.BigEndian.Uint32(cell)
		}
		if err := s.descend(int64(child)); err != nil {
			return 0, nil, err
		}
	}
	return 0, nil, io.EOF
}

// cell returns the next cell of a page, up to the end of the page.
func (s *scan) cell(top *step, size int) ([]byte, error) {
	at := int(binary.BigEndian.Uint16(top.page[top.start+size+2*top.next:]))
	top.next++
	if at < top.start+size || at >= s.usable {
		return nil, s.damaged("a cell is not in its page")
	}
	return top.page[at:s.usable], nil
}

// payload returns the number and the record of a row, whose cell may continue on other pages.
func (s *scan) payload(cell []byte) (row int64, record []byte, err error) {
	size, n := varint(cell)
	id, m := varint(cell[n:])
	if n == 0 || m == 0 {
		return 0, nil, s.damaged("a cell is cut")
	}
	if size > mostRecord {
		return 0, nil, s.damaged("a row claims %d bytes; the limit is %d", size, mostRecord)
	}
	cell = cell[n+m:]
	local := s.local(int(size))
	if local == int(size) {
		if local > len(cell) {
			return 0, nil, s.damaged("a row is cut")
		}
		return int64(id), cell[:local], nil
	}
	if local+4 > len(cell) {
		return 0, nil, s.damaged("a row is cut")
	}
	s.record = append(s.record[:0], cell[:local]...)
	next := int64(binary.BigEndian.Uint32(cell[local:]))
	for len(s.record) < int(size) {
		if s.visits++; s.visits > s.pages {
			return 0, nil, s.damaged("the pages of a row form a cycle")
		}
		page, err := s.page(next)
		if err != nil {
			return 0, nil, err
		}
		next = int64(binary.BigEndian.Uint32(page))
		s.record = append(s.record, page[4:4+min(int(size)-len(s.record), s.usable-4)]...)
	}
	return int64(id), s.record, nil
}

// local returns how many bytes of a record are in its cell.
func (s *scan) local(size int) int {
	most := s.usable - 35
	if size <= most {
		return size
	}
	least := (s.usable-12)*32/255 - 23
	if k := least + (size-least)%(s.usable-4); k <= most {
		return k
	}
	return least
}
