package open

import (
	"fmt"

	"fsa/data"
)

// Memory of the different texts of a column: they are stored until the whole table has been read,
// and looked up in a map. Their share of the memory is limited.
const (
	perText   = 112 // bytes besides its letters
	textShare = 3   // texts may take one part in textShare of the memory
)

// texts adds up the memory of the texts of a table.
type texts struct {
	counted map[int]int // categories of each column
	bytes   int64
}

// check returns an error if the texts of a table take more memory than they may. memory is 0 if
// there is no limit.
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
