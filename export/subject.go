package export

import (
	"strconv"

	"fsa/model"
)

// Options say what a model is to be written as.
type Options struct {
	// To is one of [Formats].
	To string
	// Dialect of SQL is one of [Dialects]; "" is sqlite.
	Dialect string
	// Table is the one that the SQL query reads, with dots between schema and name; ""
	// is data.
	Table string
}

// subject is the model that is written.
type subject struct {
	model.Additive
	Task    model.Task
	Loss    string
	Classes []string
	// Numbers and Texts are the terms of number and of text columns.
	Numbers, Texts []*model.Term
}

func newSubject(m *model.Model) *subject {
	s := &subject{Additive: m.Additive(), Task: m.Task(), Loss: m.Loss(), Classes: m.Classes()}
	for i := range s.Terms {
		t := &s.Terms[i]
		t.Name = valid(t.Name)
		for l := range t.Categories {
			t.Categories[l] = valid(t.Categories[l])
		}
		if t.Kind == model.Category {
			s.Texts = append(s.Texts, t)
		} else {
			s.Numbers = append(s.Numbers, t)
		}
	}
	for i := range s.Classes {
		s.Classes[i] = valid(s.Classes[i])
	}
	return s
}

// valid returns a text as a model file would have it: bytes that are not UTF-8 become
// the character that stands for such bytes.
func valid(text string) string { return string([]rune(text)) }

// Outputs returns the number of decision values of a row.
func (s *subject) Outputs() int { return len(s.Intercept) }

// Decision returns what decision values are called where predictions are written.
func (s *subject) Decision() string {
	switch s.Task {
	case model.Regression:
		return "prediction"
	case model.Ranking:
		return "score"
	}
	return "decision"
}

// Bar returns the threshold between two classes as programs write it.
func (s *subject) Bar() string { return strconv.FormatFloat(s.Threshold, 'g', -1, 64) }

// Classifies reports whether the model predicts classes.
func (s *subject) Classifies() bool { return s.Task == model.Classification }

// free returns name, or with underscores behind it if it is taken, and takes it.
func free(name string, taken map[string]bool) string {
	for taken[name] {
		name += "_"
	}
	taken[name] = true
	return name
}

// column returns the position of a term among those of its type of column.
func (s *subject) column(index int) int {
	text := s.Terms[index].Kind == model.Category
	n := 0
	for i := range index {
		if (s.Terms[i].Kind == model.Category) == text {
			n++
		}
	}
	return n
}
