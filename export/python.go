package export

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fsa/data/kind"
	"fsa/internal/template"
	"fsa/model"
)

// python writes a model as a Python module.
func python(s *subject, _ *Options) ([]byte, error) {
	l := language{quotePython, "[", "]", lineWidth}
	source, err := l.fill("scorer.py.tmpl", s, template.Funcs{
		"columns":   func(what string) string { return l.texts(s.columns(what)) },
		"moments":   func() bool { return slices.ContainsFunc(s.Terms, isMoment) },
		"moment":    func(t model.Term) bool { return isMoment(t) },
		"year":      func() string { return strconv.FormatFloat(kind.SecondsPerYear, 'f', -1, 64) },
		"layout":    func(t model.Term) string { return formPython(t.Cells.Layout) },
		"point":     func(t model.Term) bool { return t.Cells.Kind != kind.Number || t.Cells.DecimalPoint() },
		"missing":   func() string { return l.texts(missingTexts) },
		"words":     func() string { return l.texts(kind.MissingWords()) },
		"spellings": spellings,
		"keys":      keysPython,
	})
	return bytes.ReplaceAll(source, []byte("\t"), []byte("    ")), err
}

// columns returns the names of the columns that hold numbers, texts, dates or times.
func (s *subject) columns(what string) []string {
	var names []string
	for i := range s.Terms {
		t := &s.Terms[i]
		holds := string(t.Cells.Kind)
		if t.Cells.Text() {
			holds = "text"
		}
		if holds == what && !slices.Contains(names, t.Column) {
			names = append(names, t.Column)
		}
	}
	return names
}

func isMoment(t model.Term) bool { return t.Cells.Kind == kind.Date || t.Cells.Kind == kind.Time }

// spelling is the meaning of a word in a column of booleans.
type spelling struct{ Word, Text string }

// spellings returns the spellings of the categories of a boolean.
func spellings(t model.Term) []spelling {
	var all []spelling
	for _, level := range t.Categories {
		if t.Cells.Kind != kind.Boolean {
			break
		}
		for _, word := range kind.Spellings(level) {
			all = append(all, spelling{word, level})
		}
	}
	return all
}

// keysPython returns the keys by which the categories of a term are looked up: their texts, or the
// numbers of the months, weekdays and hours.
func keysPython(t model.Term) []string {
	keys := make([]string, len(t.Categories))
	for l, text := range t.Categories {
		if keys[l] = quotePython(text); t.Part != "" && text != "" {
			keys[l] = strconv.Itoa(numberOf(&t, text))
		}
	}
	return keys
}

// directives maps the parts of a layout of package time to those of Python. A part precedes those
// that are its prefixes.
var directives = strings.NewReplacer(
	"%", "%%", "January", "%B", "Jan", "%b", "Mon", "%a", "2006", "%Y", "15", "%H", "04", "%M", "05", "%S", "06", "%y",
	"Z07:00", "%z", "-0700", "%z", "MST", "%Z", "PM", "%p", "3", "%I", "1", "%m", "2", "%d",
)

// formPython converts a layout of package time to one of the module datetime.
func formPython(layout string) string { return directives.Replace(layout) }

// quotePython returns a literal of ASCII characters.
func quotePython(text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case ' ' <= r && r <= '~':
			out.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&out, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			fmt.Fprintf(&out, `\U%08x`, r)
		}
	}
	out.WriteByte('"')
	return out.String()
}
