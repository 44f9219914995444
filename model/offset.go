package model

import (
	"fmt"

	"fsa/data"
)

// offsetName returns the name of the offset of the training rows, or "" if they have none.
func offsetName(t *data.Target) string {
	switch {
	case t.Offset == nil:
		return ""
	case t.OffsetName != "":
		return t.OffsetName
	case t.Exposure:
		return "exposure"
	}
	return "offset" // the offset was in a separate file
}

// WithOffset returns the model with its offset, or exposure, in another column. It returns an error
// if the model has no offset.
func (m *Model) WithOffset(column string, exposure bool) (*Model, error) {
	if m.spec.Training.Offset == "" {
		return nil, optionError("the model was fitted without an offset: leave the offset out")
	}
	if exposure != m.spec.Training.Exposure {
		return nil, optionError("the model was fitted with an %s: give its column as an %[1]s", m.offsetWord())
	}
	to := *m
	to.spec.Training.Offset = column
	return &to, nil
}

func (m *Model) offsetWord() string {
	if m.spec.Training.Exposure {
		return "exposure"
	}
	return "offset"
}

// findOffset finds the column of the offset in a table. It returns −1 if the model has no offset.
func (m *Model) findOffset(s *data.Schema) (int, error) {
	name := m.spec.Training.Offset
	if name == "" {
		return -1, nil
	}
	j := s.FindColumn(name)
	if j < 0 || s.Sparse {
		return -1, &data.Error{Msg: fmt.Sprintf("there is no column %q for the %s, which the model needs; %s", name, m.offsetWord(), s.Suggest(name))}
	}
	if _, text := s.Categories[j]; text {
		return -1, &data.Error{Column: s.Name(j), Msg: fmt.Sprintf("it has texts, but the %s must be a number", m.offsetWord())}
	}
	return j, nil
}

// offsetOf returns the offset of row i of a block.
func (sc *Scorer) offsetOf(b *data.Block, i int) (float64, error) {
	if sc.given != nil {
		return sc.given[sc.rows+i], nil
	}
	v, err := data.OffsetOf(b.Dense[i*sc.schema.Width+sc.offset], sc.spec.Training.Exposure)
	if err == nil {
		return v, nil
	}
	err.Column = sc.schema.Name(sc.offset)
	if err.Line = b.LineOf(i); err.Line == 0 {
		err.Row = sc.rows + i + 1
	}
	return 0, err
}
