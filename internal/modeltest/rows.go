package modeltest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/data"
	"fsa/model"
)

// Table is rows of the columns that a model uses.
type Table struct {
	Rows    int
	Columns []Column
}

// Column has numbers, of which NaN is a missing one, or texts.
type Column struct {
	Name    string
	Numbers []float64
	Texts   []string
	Null    []bool // where a text is missing
}

// Unseen is a text that no model of this package has seen.
const Unseen = "not 'seen' in \"training\""

// Rows returns random rows: numbers around the points where effects change and far from them,
// missing values, and unseen texts. A row has at most one extreme number, so that sums do not
// cancel.
func Rows(rng *rand.Rand, m *model.Model, rows int) *Table {
	table := &Table{Rows: rows}
	terms := append(m.Additive().Terms, unselected(m)...)
	extreme := make([]int, rows)
	for i := range extreme {
		extreme[i] = rng.IntN(3 * len(terms))
	}
	for j := range terms {
		t := &terms[j]
		c := Column{Name: t.Name}
		for i := range rows {
			if t.Kind == model.Category {
				texts := append(slices.Clone(t.Categories), Unseen)
				c.Texts = append(c.Texts, texts[rng.IntN(len(texts))])
				c.Null = append(c.Null, rng.IntN(8) == 0)
				continue
			}
			x := around(rng, t)
			if extreme[i] == j {
				x = []float64{1e250, -1e250, 1e-300, -1e-300, 0, 1e17, -123456789.123456789}[rng.IntN(7)]
			}
			if rng.IntN(6) == 0 {
				x = math.NaN()
			}
			c.Numbers = append(c.Numbers, x)
		}
		table.Columns = append(table.Columns, c)
	}
	return table
}

// unselected returns terms of the columns that only interactions use, for the points around which numbers are drawn.
func unselected(m *model.Model) (terms []model.Term) {
	known := map[string]bool{}
	for _, v := range m.Selected() {
		known[v.Name] = true
	}
	for _, p := range m.Interactions() {
		for _, v := range p.Variables {
			if known[v.Name] {
				continue
			}
			known[v.Name] = true
			t := model.Term{Name: v.Name, Kind: model.Linear, Center: v.Mean}
			if v.Categories != nil {
				t.Kind, t.Categories = model.Category, v.Categories
			}
			terms = append(terms, t)
		}
	}
	return terms
}

// around returns a number near a point where a term changes, often exactly there.
func around(rng *rand.Rand, t *model.Term) float64 {
	if t.Kind == model.Linear {
		return t.Center + rng.NormFloat64()*max(1, math.Abs(t.Center)/4)
	}
	last := len(t.Knots) - 1
	k := t.Knots[rng.IntN(last+1)]
	switch rng.IntN(4) {
	case 0:
		return k
	case 1:
		return math.Nextafter(k, math.Inf(1-2*rng.IntN(2)))
	}
	place := 1.4*rng.Float64() - 0.2
	return min(max(t.Knots[0]*(1-place)+t.Knots[last]*place, -math.MaxFloat64), math.MaxFloat64)
}

// Predict returns the predictions of the model for the rows.
func (table *Table) Predict(t testing.TB, m *model.Model) *model.Prediction {
	t.Helper()
	width := len(table.Columns)
	schema := &data.Schema{Width: width, Categories: map[int][]string{}}
	cells := make([]float64, table.Rows*width)
	for j, c := range table.Columns {
		schema.Names = append(schema.Names, c.Name)
		if c.Texts != nil {
			schema.Categories[j] = slices.Compact(slices.Sorted(slices.Values(c.Texts)))
		}
		for i := range table.Rows {
			x := &cells[i*width+j]
			switch {
			case c.Texts == nil:
				*x = c.Numbers[i]
			case c.Null[i] || c.Texts[i] == "": // an empty text is missing wherever tables are read
				*x = math.NaN()
			default:
				*x = float64(slices.Index(schema.Categories[j], c.Texts[i]))
			}
		}
	}
	s, err := m.Scorer(schema)
	if err != nil {
		t.Fatal(err)
	}
	z, err := s.Score(&data.Block{Rows: table.Rows, Dense: cells})
	if err != nil {
		t.Fatal(err)
	}
	return m.Prediction(z)
}
