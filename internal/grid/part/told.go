package part

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
)

// seen is what a process tells others about a text column. Texts are bytes, because JSON would change
// those that are not UTF-8.
type seen struct {
	Levels [][]byte
	Count  []int
	Gone   int
}

// numbered is what a process tells others about a column that may number the rows.
type numbered struct {
	Place  int
	Values []byte // 8 for each row
}

// told is what a process tells others about its part.
type told struct {
	Texts []seen
	IDs   []numbered
}

// tell adds a column of texts.
func (t *told) tell(levels []string, count []int, gone int) {
	s := seen{Count: count, Gone: gone}
	for _, level := range levels {
		s.Levels = append(s.Levels, []byte(level))
	}
	t.Texts = append(t.Texts, s)
}

// tellNumbers adds a column of numbers.
func (t *told) tellNumbers(id *rowNumbers) {
	n := numbered{Place: id.place}
	for _, v := range id.values {
		n.Values = binary.LittleEndian.AppendUint64(n.Values, math.Float64bits(v))
	}
	t.IDs = append(t.IDs, n)
}

// numbers returns the numbers of the rows.
func (n *numbered) numbers() []float64 {
	list := make([]float64, len(n.Values)/8)
	for i := range list {
		list[i] = math.Float64frombits(binary.LittleEndian.Uint64(n.Values[8*i:]))
	}
	return list
}

// hear reads what all processes tell.
func hear(parts [][]byte) ([]told, error) {
	all := make([]told, len(parts))
	for rank, part := range parts {
		if err := json.Unmarshal(part, &all[rank]); err != nil {
			return nil, fmt.Errorf("grid: a message of rank %d cannot be read: %w", rank, err)
		}
	}
	return all, nil
}
