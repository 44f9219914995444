package export

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"fsa/model"
)

// Versions of ONNX from 2020, which current runtimes support; onnxruntime was tested from version
// 1.15 on.
const (
	onnxIR  = 7
	onnxSet = 13 // version of the operators
	mlSet   = 2  // version of the operators for texts
	mlName  = "ai.onnx.ml"
)

// graph is a GraphProto under construction. Values are identified by names.
type graph struct {
	message
	taken map[string]bool
	ports message // inputs and outputs
	count int

	inputs map[*model.Term]string // input of each term, or
	x      string                 // input of all terms, and
	places map[*model.Term]int    // the columns of the terms in it
}

// name returns a name for a value that is not the name of a column.
func (g *graph) name() string {
	g.count++
	return free("fsa_"+strconv.Itoa(g.count), g.taken)
}

// node adds an operator and returns the name of its result.
func (g *graph) node(op string, inputs []string, attributes ...message) string {
	out := g.name()
	g.add("", op, inputs, out, attributes...)
	return out
}

// add adds an operator of a domain. The name of its result is given.
func (g *graph) add(domain, op string, inputs []string, output string, attributes ...message) {
	var n message
	for _, in := range inputs {
		n.text(1, in)
	}
	n.text(2, output)
	n.text(4, op)
	for _, a := range attributes {
		n.message(5, a)
	}
	n.text(7, domain)
	g.message.message(1, n)
}

// matrix adds a constant and returns its name.
func (g *graph) matrix(v []float64, dims ...int) string {
	name := g.name()
	g.message.message(5, doubles(name, dims, v))
	return name
}

// integers adds a constant of integers and returns its name.
func (g *graph) integers(v ...int64) string {
	name := g.name()
	g.message.message(5, integers(name, []int{len(v)}, v))
	return name
}

// input adds an input with one row per row of the table.
func (g *graph) input(name string, element int64, columns int) string {
	name = free(name, g.taken)
	g.ports.message(11, port(name, element, columns))
	return name
}

// addInputs adds an input of one column for each term.
func (g *graph) addInputs(s *subject) {
	g.inputs = make(map[*model.Term]string, len(s.Terms))
	for i := range s.Terms {
		t := &s.Terms[i]
		element := int64(typeDouble)
		if t.Kind == model.Category {
			element = typeString
		}
		g.inputs[t] = g.input(column(t), element, 1)
	}
}

// addMatrix adds one input for all terms.
func (g *graph) addMatrix(s *subject, o *Options) error {
	if len(s.Texts) > 0 {
		return fmt.Errorf("%w: column %q holds texts or dates: use one input per column", ErrMatrix, s.Texts[0].Name)
	}
	width, places := o.Width, o.Places
	if width == 0 {
		width = len(s.Terms)
		places = make([]int, width)
		for i := range places {
			places[i] = i
		}
	}
	if len(places) != len(s.Terms) || slices.ContainsFunc(places, func(j int) bool { return j < 0 || j >= width }) {
		return fmt.Errorf("%w: %d columns and the places %v do not match the %d terms of the model", ErrMatrix, width, places, len(s.Terms))
	}
	g.places = make(map[*model.Term]int, len(s.Terms))
	for i, j := range places {
		g.places[&s.Terms[i]] = j
	}
	g.x = g.input("X", typeDouble, width)
	return nil
}

// column returns the name of the column of a term. ONNX leaves an input out by an empty name.
func column(t *model.Term) string {
	if t.Name == "" {
		return "x" + strconv.Itoa(t.Index)
	}
	return t.Name
}

// columns returns the columns of numeric terms, side by side.
func (g *graph) columns(terms []*model.Term) string {
	if g.x == "" {
		var names []string
		for _, t := range terms {
			names = append(names, g.inputs[t])
		}
		return g.node("Concat", names, attribute("axis", int64(1)))
	}
	var places []int64
	for _, t := range terms {
		places = append(places, int64(g.places[t]))
	}
	return g.node("Gather", []string{g.x, g.integers(places...)}, attribute("axis", int64(1)))
}

func (g *graph) output(name string, element int64, columns int) string {
	name = free(name, g.taken)
	g.ports.message(12, port(name, element, columns))
	return name
}

// onnx writes a model as ONNX. All numeric columns of a kind are processed together by the same few
// operators, so that the number of operators does not grow with the number of columns.
func onnx(s *subject, o *Options) ([]byte, error) {
	s.spell()
	g := &graph{taken: map[string]bool{}}
	if o.Matrix {
		if err := g.addMatrix(s, o); err != nil {
			return nil, err
		}
	} else {
		g.addInputs(s) // before any generated name
	}
	class, decision, probability := "", "", ""
	names, width := s.Classes, 0
	if s.Labels() {
		width = s.Outputs()
		for _, t := range s.Targets {
			names = append(names, t.Classes...)
		}
	}
	labels := wholeNumbers(names)
	if o.TextLabels {
		labels = nil
	}
	switch {
	case labels != nil:
		class = g.output("class", typeInt64, width)
	case s.Classifies() || s.Labels():
		class = g.output("class", typeString, width)
	}
	decision = g.output(s.Decision(), typeDouble, s.Outputs())
	if s.Probable() {
		probability = g.output("probability", typeDouble, s.Outputs())
	}
	sum := &sum{graph: g, outputs: s.Outputs(), constant: append([]float64(nil), s.Intercept...)}
	for _, kind := range []model.Kind{model.Linear, model.Curve, model.Steps} {
		var terms []*model.Term
		for _, t := range s.Numbers {
			if t.Kind == kind {
				terms = append(terms, t)
			}
		}
		if terms != nil {
			sum.numbers(kind, terms)
		}
	}
	for _, t := range s.Texts {
		sum.category(t, g.inputs[t])
	}
	sum.pairs(s)
	if g.x != "" && len(s.Terms) == 0 {
		sum.product(g.columns(nil), nil) // zero for each row
	}
	total := append(sum.parts, g.matrix(sum.constant, 1, s.Outputs()))
	if s.Log {
		g.add("", "Exp", []string{g.node("Min", []string{g.node("Sum", total), g.matrix([]float64{largestLog}, 1, 1)})}, decision)
	} else if s.Share {
		g.add("", "Sigmoid", []string{g.node("Sum", total)}, decision)
	} else {
		g.add("", "Sum", total, decision)
	}
	if class != "" {
		list := g.name()
		if labels != nil {
			g.message.message(5, integers(list, []int{len(labels)}, labels))
		} else {
			g.message.message(5, texts(list, names))
		}
		var number string
		if s.Labels() {
			positive := g.node("Less", []string{g.matrix([]float64{0}, 1, 1), decision})
			first := make([]int64, s.Outputs()) // of the two classes of each label
			for c := range first {
				first[c] = int64(2 * c)
			}
			number = g.node("Add", []string{g.node("Cast", []string{positive}, attribute("to", int64(typeInt64))), g.integers(first...)})
		} else if s.Outputs() == 1 {
			positive := g.node("Less", []string{g.matrix([]float64{s.Threshold}, 1, 1), decision})
			number = g.node("Squeeze", []string{g.node("Cast", []string{positive}, attribute("to", int64(typeInt64))), g.integers(1)})
		} else {
			number = g.node("ArgMax", []string{decision}, attribute("axis", int64(1)), attribute("keepdims", int64(0)))
		}
		g.add("", "Gather", []string{list, number}, class)
	}
	switch {
	case probability == "":
	case s.Link == model.Logistic:
		g.add("", "Sigmoid", []string{decision}, probability)
	case s.Link == model.Softmax:
		g.add("", "Softmax", []string{decision}, probability, attribute("axis", int64(1)))
	}
	return g.file(s)
}

// wholeNumbers returns the classes as integers, or nil if some class is not an integer.
func wholeNumbers(classes []string) []int64 {
	var numbers []int64
	for _, name := range classes {
		v, err := strconv.ParseInt(name, 10, 64)
		if err != nil || strconv.FormatInt(v, 10) != name {
			return nil
		}
		numbers = append(numbers, v)
	}
	return numbers
}

// file returns the ModelProto.
func (g *graph) file(s *subject) ([]byte, error) {
	g.text(2, "fsa")
	g.message = append(g.message, g.ports...)
	var m message
	m.integer(1, onnxIR)
	m.text(2, "fsa")
	m.message(7, g.message)
	m.message(8, operators("", onnxSet))
	m.message(8, operators(mlName, mlSet))
	m.message(14, entry("task", string(s.Task)))
	m.message(14, entry("loss", s.Loss))
	if s.Classes != nil {
		m.message(14, entry("classes", list(s.Classes)))
	}
	if s.Targets != nil {
		m.message(14, entry("targets", list(s.TargetNames())))
	}
	if g.x != "" {
		var used []string
		for i := range s.Terms {
			used = append(used, column(&s.Terms[i]))
		}
		m.message(14, entry("columns", list(used)))
	}
	return m, nil
}

// list returns texts as JSON.
func list(texts []string) string {
	text, err := json.Marshal(texts)
	if err != nil {
		panic(err) // texts can always be encoded as JSON
	}
	return string(text)
}

// sum collects the parts that are added up to the decision values.
type sum struct {
	*graph
	outputs  int
	parts    []string  // values with a row per row of the table and a column per output
	constant []float64 // one per output
}

// product adds the product of a value and weights, which have as many rows as the value has
// columns.
func (s *sum) product(value string, weights []float64) {
	s.parts = append(s.parts, s.node("MatMul", []string{value, s.matrix(weights, len(weights)/s.outputs, s.outputs)}))
}

// numbers adds the terms of numeric columns of one kind. A missing number is replaced by a base at
// which its term is known, and the difference is added by a separate product.
func (s *sum) numbers(kind model.Kind, terms []*model.Term) {
	var base, missing []float64
	for _, t := range terms {
		if kind == model.Linear {
			at := min(max(t.Center, t.Low), t.High)
			base = append(base, at)
			for c, v := range t.Missing {
				missing = append(missing, v-2*t.Coefficients[c][0]*(at/2-t.Center/2))
			}
			continue
		}
		base = append(base, t.Knots[0])
		for c, v := range t.Missing {
			standing := t.Coefficients[c][0] // value of the term at the base
			s.constant[c] += standing
			missing = append(missing, v-standing)
		}
	}
	all := s.columns(terms)
	absent := s.node("IsNaN", []string{all})
	x := s.node("Where", []string{absent, s.matrix(base, len(base)), all})
	s.product(s.node("Cast", []string{absent}, attribute("to", int64(typeDouble))), missing)
	switch kind {
	case model.Linear:
		s.linear(terms, x)
	case model.Curve:
		s.curves(terms, x)
	case model.Steps:
		s.steps(terms, x)
	}
}

// half returns half of a value: the difference of two large numbers may overflow, but not the
// difference of their halves.
func (s *sum) half(x string) string {
	return s.node("Mul", []string{x, s.matrix([]float64{0.5}, 1)})
}

// linear adds 2·coefficient·(x/2 − center/2), with x clipped to low and high.
func (s *sum) linear(terms []*model.Term, x string) {
	var center, low, high, weights []float64
	for _, t := range terms {
		center, low, high = append(center, t.Center/2), append(low, t.Low), append(high, t.High)
		for c := range s.outputs {
			weights = append(weights, 2*t.Coefficients[c][0])
		}
	}
	x = s.node("Min", []string{s.node("Max", []string{x, s.matrix(low, len(low))}), s.matrix(high, len(high))})
	s.product(s.node("Sub", []string{s.half(x), s.matrix(center, len(center))}), weights)
}

// bins adds a last dimension to x, along which bins are broadcast.
func (s *sum) bins(x string) string {
	return s.node("Unsqueeze", []string{x, s.integers(2)})
}

// flat merges the columns and their bins into one row.
func (s *sum) flat(x string, width int) string {
	return s.node("Reshape", []string{x, s.integers(0, int64(width))})
}

// curves adds, for each bin, the share of the bin that is below x times the rise of the curve in
// the bin. The shares of bins completely below and above x are 1 and 0.
func (s *sum) curves(terms []*model.Term, x string) {
	var low, width, shift, rise []float64
	bins := len(terms[0].Knots) - 1
	for _, t := range terms {
		first, last := t.Knots[0], t.Knots[bins]
		for b := range bins {
			from, to := t.Knots[b], t.Knots[b+1]
			if t.Even {
				low, width = append(low, first/2), append(width, (last/2-first/2)/float64(bins))
				shift = append(shift, float64(b))
			} else {
				low, width = append(low, from/2), append(width, to/2-from/2)
				shift = append(shift, 0)
			}
			for c := range s.outputs {
				rise = append(rise, t.Coefficients[c][b+1]-t.Coefficients[c][b])
			}
		}
	}
	k := len(terms)
	place := s.node("Sub", []string{s.half(s.bins(x)), s.matrix(low, k, bins)})
	place = s.node("Sub", []string{s.node("Div", []string{place, s.matrix(width, k, bins)}), s.matrix(shift, k, bins)})
	share := s.node("Clip", []string{place, s.matrix([]float64{0}), s.matrix([]float64{1})})
	s.product(s.flat(share, k*bins), rise)
}

// steps adds, for each edge at or below x, the step at that edge.
func (s *sum) steps(terms []*model.Term, x string) {
	var edges, step []float64
	inner := len(terms[0].Knots) - 2
	if inner == 0 {
		return
	}
	for _, t := range terms {
		for b := 1; b <= inner; b++ {
			edges = append(edges, math.Nextafter(t.Knots[b], math.Inf(-1)))
			for c := range s.outputs {
				step = append(step, t.Coefficients[c][b]-t.Coefficients[c][b-1])
			}
		}
	}
	k := len(terms)
	passed := s.node("Less", []string{s.matrix(edges, k, inner), s.bins(x)})
	s.product(s.flat(s.node("Cast", []string{passed}, attribute("to", int64(typeDouble))), k*inner), step)
}

// category adds the coefficient of a text; unknown texts add nothing.
func (s *sum) category(t *model.Term, input string) {
	var table []float64
	for l := range t.Categories {
		for c := range s.outputs {
			table = append(table, t.Coefficients[c][l])
		}
	}
	table = append(table, make([]float64, s.outputs)...)
	number := s.numbered(input, t.Categories, len(t.Categories))
	rows := s.node("Gather", []string{s.matrix(table, len(t.Categories)+1, s.outputs), number})
	s.parts = append(s.parts, s.flat(rows, s.outputs))
}

// numbered returns the positions of texts in a list, or another number for other texts.
func (s *sum) numbered(input string, list []string, other int) string {
	numbers := make([]int64, len(list))
	for l := range numbers {
		numbers[l] = int64(l)
	}
	out := s.name()
	s.add(mlName, "LabelEncoder", []string{input}, out,
		attribute("keys_strings", list), attribute("values_int64s", numbers), attribute("default_int64", int64(other)))
	return out
}
