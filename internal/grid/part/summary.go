package part

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
)

// seen is the message of a process about a text column. Texts are bytes, because JSON would change
// texts that are not valid UTF-8.
type seen struct {
	Levels [][]byte
	Count  []int
	Gone   int
}

// numbered is the message of a process about a column that may number the rows.
type numbered struct {
	Place  int
	Values []byte // 8 bytes per row
}

// summary is the message of a process about its part.
type summary struct {
	Texts []seen
	IDs   []numbered
}

// addTexts adds a column of texts.
func (t *summary) addTexts(levels []string, count []int, gone int) {
	s := seen{Count: count, Gone: gone}
	for _, level := range levels {
		s.Levels = append(s.Levels, []byte(level))
	}
	t.Texts = append(t.Texts, s)
}

// addNumbers adds a column of numbers.
func (t *summary) addNumbers(id *rowNumbers) {
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

// decodeSummaries decodes the messages of all processes.
func decodeSummaries(parts [][]byte) ([]summary, error) {
	all := make([]summary, len(parts))
	for rank, part := range parts {
		if err := json.Unmarshal(part, &all[rank]); err != nil {
			return nil, fmt.Errorf("grid: a message of rank %d cannot be read: %w", rank, err)
		}
	}
	return all, nil
}
