package open

import (
	"fmt"

	"fsa/data"
)

// What the different texts of a column take: they are held until a table is read to its
// end, and found by a map. So their share of the memory has a limit.
const (
	perText   = 112 // bytes beside its letters
	textShare = 3   // they may take one part of so many of the memory
)

// texts counts what those of a table take.
type texts struct {
	counted map[int]int // categories of each column
	bytes   int64
}

// check refuses a table whose texts take more than they may. Memory is 0 for any.
func (t *texts) check(path string, s *data.Schema, memory int64) error {
	if memory == 0 {
		return nil
	}
	for j, list := range s.Categories {
		for _, text := range list[t.counted[j]:] {
			t.bytes += perText + int64(len(text))
		}
		if t.counted == nil {
			t.counted = map[int]int{}
		}
		if t.counted[j] = len(list); t.bytes > memory/textShare {
			return &MemoryError{path, t.bytes * textShare, memory, fmt.Sprintf("column %q has more than %d different texts: allow more, or leave it out", s.Name(j), len(list))}
		}
	}
	return nil
}
