package part

import (
	"encoding/json"
	"fmt"
	"slices"

	"fsa/data"
	"fsa/data/kind"
	"fsa/internal/collective"
)

// texts holds the texts of a column of a [source].
type texts struct {
	mine  []string // in the file of this process
	known []string // in those of all processes, sorted: so numbers do not depend on who has which rows
	place map[string]float64
}

// kindOf returns the kind of a column.
func (s *source) kindOf(column int) kind.Name {
	if k, ok := s.kinds[column]; ok {
		return k.Kind
	}
	return kind.Number
}

// head describes the columns, which must be the same in all processes.
func (s *source) head() []byte {
	var head []byte
	for j, name := range s.heads {
		head = fmt.Appendf(head, "%q %s %q\n", name, s.kindOf(j), s.kinds[j].Layout)
	}
	return head
}

// addTexts takes the texts of all columns once the file was read.
func (s *source) addTexts(schema *data.Schema) {
	for j := range s.heads {
		if list, ok := schema.Categories[j]; ok {
			s.texts[j] = &texts{mine: slices.Clone(list)}
		}
	}
}

// joinTexts numbers the texts of all processes. All of them call it together.
func (s *source) joinTexts(c collective.Comm, agree func(error) error) error {
	if len(s.texts) == 0 { // in all processes, whose columns are the same
		return nil
	}
	var err error
	lists := map[int][][]byte{} // bytes, because JSON would change texts that are not valid UTF-8
	for j, t := range s.texts {
		if len(t.mine) > data.MaxCategories && s.rows > 2*data.MaxCategories {
			err = s.refuse(s.heads[j], "more than %d different texts are too many categories for a variable: leave the column out", data.MaxCategories)
		}
		for _, text := range t.mine {
			lists[j] = append(lists[j], []byte(text))
		}
	}
	if err := agree(err); err != nil {
		return err
	}
	said, err := json.Marshal(lists)
	if err != nil {
		return err
	}
	parts, err := collective.GatherAll(c, said)
	if err != nil {
		return err
	}
	for rank, part := range parts {
		lists := map[int][][]byte{}
		if err := json.Unmarshal(part, &lists); err != nil {
			return fmt.Errorf("grid: a message of worker %d cannot be read: %w", rank, err)
		}
		for j, t := range s.texts {
			for _, text := range lists[j] {
				t.known = append(t.known, string(text))
			}
		}
	}
	for _, t := range s.texts {
		slices.Sort(t.known)
		t.known, t.place = slices.Compact(t.known), map[string]float64{}
		for number, text := range t.known {
			t.place[text] = float64(number)
		}
	}
	return nil
}

// encode replaces the texts of a block by their numbers in the lists of all processes. The schema
// is that of the reader.
func (s *source) encode(block *data.Block, schema *data.Schema) error {
	for j, t := range s.texts {
		list := schema.Categories[j]
		for i := j; i < len(block.Dense); i += schema.Width {
			if v := block.Dense[i]; v == v {
				number, known := t.place[list[int(v)]]
				if !known {
					return s.refuse("", errOrder)
				}
				block.Dense[i] = number
			}
		}
	}
	return nil
}
