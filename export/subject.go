package export

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fsa/data/kind"
	"fsa/model"
)

// Options say how a model is written.
type Options struct {
	// To is one of [Formats].
	To string
	// Dialect of SQL is one of [Dialects]; "" is sqlite.
	Dialect string
	// Table is the table that the SQL query reads, with dots between schema and name; "" means
	// data.
	Table string
	// Matrix gives ONNX one input X of numbers instead of one input per column. X has the columns
	// that the model uses, in the order of its terms, and then those that only interactions use, in
	// the order of these. If Width is not 0, X has Width columns
	// instead, and Places has the column of each of them.
	Matrix bool
	Width  int
	Places []int
	// TextLabels writes the classes of ONNX as texts even if all of them are integers.
	TextLabels bool
}

// subject is the model to be written.
type subject struct {
	model.Additive
	Task    model.Task
	Loss    string
	Classes []string
	// Log says that the decision value is the logarithm of the prediction.
	Log bool
	// Share says that it is the log odds of the prediction.
	Share bool
	// Cuts are the thresholds of ordered classes.
	Cuts []float64
	// Quantiles are those of several outputs.
	Quantiles []float64
	// Targets are the targets if there are several.
	Targets []model.TargetColumn
	// Interactions are the pairs of variables, and Pairs what they add to the decision values.
	Interactions []model.Interaction
	Pairs        []*pair
	// variables is the number of terms that are selected variables. The terms behind them are of columns that only
	// pairs use.
	variables   int
	offsetModel *model.Model // nil if there is none
	// Numbers and Texts are the terms of numeric columns and of text columns.
	Numbers, Texts []*model.Term
}

func newSubject(m *model.Model) *subject {
	s := &subject{Additive: m.Additive(), Task: m.Task(), Loss: m.Loss(), Classes: m.Classes(), Cuts: m.Cuts(), Quantiles: m.Settings().Quantiles, Targets: m.Targets(), Interactions: m.Interactions(), offsetModel: m.OffsetModel()}
	s.Log, s.Share = s.Link == model.Exp, s.Link == model.Logistic && s.Task == model.Regression
	s.variables = len(s.Terms)
	s.addPairs(m)
	taken := map[string]bool{}
	for i := range s.Terms {
		t := &s.Terms[i]
		t.Name, t.Column = valid(t.Name), valid(t.Column)
		if t.Part == "" {
			taken[t.Name] = true
		}
	}
	for i := range s.Terms {
		t := &s.Terms[i]
		if t.Part != "" { // a column may have the same name
			t.Name = free(t.Name, taken)
		}
		for w := range t.Cells.Missing {
			t.Cells.Missing[w] = valid(t.Cells.Missing[w])
		}
		if t.Kind == model.Category {
			s.Texts = append(s.Texts, t)
		} else {
			s.Numbers = append(s.Numbers, t)
		}
	}
	for _, t := range s.categories() {
		for l := range t.Categories {
			t.Categories[l] = valid(t.Categories[l])
		}
	}
	for i := range s.Classes {
		s.Classes[i] = valid(s.Classes[i])
	}
	for i := range s.Targets {
		t := &s.Targets[i]
		t.Name = valid(t.Name)
		for c := range t.Classes {
			t.Classes[c] = valid(t.Classes[c])
		}
	}
	return s
}

// valid returns a text as it would be stored in a model file: bytes that are not UTF-8 become the
// replacement character.
func valid(text string) string { return string([]rune(text)) }

// spell adds the other spellings of booleans to their categories, in lower case, upper case and
// capitalised, for formats that compare texts exactly.
func (s *subject) spell() {
	for _, t := range s.categories() {
		if t.Cells.Kind != kind.Boolean {
			continue
		}
		for l, level := range slices.Clone(t.Categories) {
			for _, word := range kind.Spellings(level) {
				first, n := utf8.DecodeRuneInString(word)
				for _, form := range []string{word, strings.ToUpper(word), string(unicode.ToUpper(first)) + word[n:]} {
					if slices.Contains(t.Categories, form) {
						continue
					}
					t.Categories = append(t.Categories, form)
					for c := range t.Coefficients {
						t.Coefficients[c] = append(t.Coefficients[c], t.Coefficients[c][l])
					}
				}
			}
		}
	}
}

// largestLog is the logarithm of the largest prediction, as in package loss.
const largestLog = 700

// Outputs returns the number of decision values of a row.
func (s *subject) Outputs() int { return len(s.Intercept) }

// Decision returns the name of decision values for users.
func (s *subject) Decision() string {
	switch s.Task {
	case model.Regression:
		return "prediction"
	case model.Ranking:
		return "score"
	case model.Survival:
		return "risk"
	}
	return "decision"
}

// Bar returns the threshold between two classes as a literal.
func (s *subject) Bar() string { return strconv.FormatFloat(s.Threshold, 'g', -1, 64) }

// Probable reports whether the model predicts probabilities of classes.
func (s *subject) Probable() bool { return (s.Classifies() || s.Labels()) && s.Link.Probability() }

// Labels reports whether the model predicts several labels of two classes each.
func (s *subject) Labels() bool { return s.Task == model.Multilabel }

// TargetNames returns the names of several targets.
func (s *subject) TargetNames() (names []string) {
	for _, t := range s.Targets {
		names = append(names, t.Name)
	}
	return names
}

// OutputNames returns the names of several decision values: those of the classes or the targets; nil if they have none.
func (s *subject) OutputNames() []string {
	if s.Targets != nil {
		return s.TargetNames()
	}
	return s.Classes
}

// Classifies reports whether the model predicts classes.
func (s *subject) Classifies() bool { return s.Task == model.Classification }

// free returns name, with underscores appended if it is taken, and marks it as taken.
func free(name string, taken map[string]bool) string {
	for taken[name] {
		name += "_"
	}
	taken[name] = true
	return name
}

// numberOf returns the number of a part of a date or a time: months, and weekdays starting with
// Monday, count from 1, hours from 0.
func numberOf(t *model.Term, level string) int {
	n := slices.Index(kind.PartOf(t.Cells.Kind, t.Part).Levels, level)
	if t.Part != "hour" {
		n++
	}
	return n
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
