package export

import (
	"bytes"
	"embed"
	"maps"
	"strconv"
	"strings"

	"fsa/internal/template"
	"fsa/model"
)

// Source code is a table of the terms and a few lines that add them up, the same for every model,
// in the order and with the operations of the model itself. So the results have the same bits
// unless the compiler fuses products and sums. Names and texts occur only as ASCII literals, never
// in comments. Whatever they contain, they cannot become code.

//go:embed templates
var templates embed.FS

// language is how literals are written in a language.
type language struct {
	quote func(string) string
	// open and shut enclose the elements of a list.
	open, shut string
	// width is the length of the lines of a list; 0 means one line.
	width int
}

// lineWidth is the line length for languages without a convention.
const lineWidth = 88

// fill returns the template of a language, filled with a model. The template may call own
// functions, too.
func (l language) fill(name string, s *subject, own template.Funcs) ([]byte, error) {
	text, err := templates.ReadFile("templates/" + name)
	if err != nil {
		return nil, err
	}
	funcs := template.Funcs{
		"quote":   l.quote,
		"number":  number,
		"numbers": l.numbers,
		"texts":   l.texts,
		"names":   l.names,
		"flat":    flat,
		"rows":    (*pair).rows,
		"knots":   l.knots,
		"column":  s.column,
		"bins":    func(knots []float64) int { return len(knots) - 1 },
		// properties of the model
		"outputs":    s.Outputs,
		"classifies": s.Classifies,
		"decision":   s.Decision,
		"bar":        s.Bar,
		"log":        func() bool { return s.Log },
		"share":      func() bool { return s.Share },
		"probable":   s.Probable,
		"labels":     s.Labels,
		"targets":    s.TargetNames,
	}
	maps.Copy(funcs, own)
	t, err := template.Text(name, string(text), funcs)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := t.Execute(&out, s); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// number returns the shortest literal for x that is a floating-point number in every language.
func number(x float64) string {
	text := strconv.FormatFloat(x, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// list returns literals as a list, wrapped into lines.
func (l language) list(literals []string) string {
	var out strings.Builder
	out.WriteString(l.open)
	column := 0
	for i, text := range literals {
		if i > 0 {
			out.WriteString(",")
			if l.width > 0 && column+len(text) > l.width {
				out.WriteString("\n\t\t")
				column = 0
			} else {
				out.WriteString(" ")
			}
		}
		out.WriteString(text)
		column += len(text) + 2
	}
	return out.String() + l.shut
}

func (l language) numbers(v []float64) string {
	literals := make([]string, len(v))
	for i, x := range v {
		literals[i] = number(x)
	}
	return l.list(literals)
}

// knots returns the knots of a number, or the empty list of Go.
func (l language) knots(v []float64) string {
	if v == nil {
		return "nil"
	}
	return l.numbers(v)
}

func (l language) texts(v []string) string {
	literals := make([]string, len(v))
	for i, x := range v {
		literals[i] = l.quote(x)
	}
	return l.list(literals)
}

// names returns the columns of terms.
func (l language) names(terms []*model.Term) string {
	v := make([]string, len(terms))
	for i, t := range terms {
		v[i] = t.Name
	}
	return l.texts(v)
}

// flat returns the coefficients of all outputs, output after output.
func flat(coefficients [][]float64) []float64 {
	var out []float64
	for _, own := range coefficients {
		out = append(out, own...)
	}
	return out
}
