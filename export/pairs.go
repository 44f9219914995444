package export

import (
	"math"
	"slices"

	"fsa/data/kind"
	"fsa/model"
)

// pair is what two columns add to the decision values: a coefficient times x, which is the product of two
// standardised numbers or, if the second column holds texts, the first standardised number. A missing number
// counts as 0, and a missing text adds nothing. With knots it is a surface, or a curve for each category: the values
// are those at the knots, it is linear between them and constant beyond, and a missing number adds nothing.
type pair struct {
	// Terms are the positions of the terms of both columns.
	Terms    [2]int
	Mean, SD [2]float64
	// Knots are those of the numbers; nil for a product and for a text.
	Knots [2][]float64
	// Limited says that the pair is constant far from the training range.
	Limited bool
	// Text says that the second column holds texts.
	Text bool
	// Levels has the texts of the second column as categories. Its rows of coefficients are those of each output and
	// then the least and the largest x: beyond them the pair is constant. Two numbers have one column of these. With
	// knots, a row has the values of the categories, or of the knots of the second number, at one knot of the first,
	// and the rows of each output follow each other.
	Levels model.Term
	// Other has the same for texts that are none of the categories.
	Other []float64
}

// addPairs adds the pairs of a model. A column that is in pairs only gets a term that adds 0, so that it is
// read like every other column.
func (s *subject) addPairs(m *model.Model) {
	kinds := m.Kinds()
	for _, of := range s.Interactions {
		p := &pair{Limited: of.Least != nil, Text: of.Variables[1].Categories != nil}
		for k, v := range of.Variables {
			p.Terms[k], p.Mean[k], p.SD[k], p.Knots[k] = s.place(&v, kinds[v.Name]), v.Mean, v.SD, v.Knots
		}
		p.Levels = levels(&of, kinds[of.Variables[1].Name])
		p.Other = make([]float64, len(p.Levels.Coefficients))
		for r, row := range p.Levels.Coefficients {
			if of.Variables[1].Rare {
				p.Other[r] = row[len(row)-1]
			}
		}
		s.Pairs = append(s.Pairs, p)
	}
}

// levels returns the categories of the second column of a pair and their numbers; see [pair].
func levels(of *model.Interaction, cells kind.Column) model.Term {
	coefficients, least, largest := of.Coefficients, of.Least, of.Largest
	if least == nil && of.Variables[0].Knots == nil {
		least = slices.Repeat([]float64{-math.MaxFloat64}, len(of.Coefficients[0]))
		largest = slices.Repeat([]float64{math.MaxFloat64}, len(least))
	}
	v := &of.Variables[1]
	t := model.Term{Kind: model.Category, Column: v.Name, Cells: cells, Categories: slices.Clone(v.Categories)}
	rows := append(slices.Clone(coefficients), least, largest)
	if n := len(of.Variables[0].Knots); n > 0 {
		rows = nil
		for _, own := range coefficients {
			rows = slices.AppendSeq(rows, slices.Chunk(own, len(own)/n))
		}
	}
	for _, row := range rows {
		t.Coefficients = append(t.Coefficients, slices.Clone(row))
	}
	if l := slices.Index(t.Categories, ""); l >= 0 { // a missing text adds nothing
		t.Categories = slices.Delete(t.Categories, l, l+1)
		for r, row := range t.Coefficients {
			t.Coefficients[r] = slices.Delete(row, l, l+1)
		}
	}
	return t
}

// place returns the position of the term of a column, which it adds if there is none.
func (s *subject) place(v *model.Side, cells kind.Column) int {
	at := slices.IndexFunc(s.Terms, func(t model.Term) bool { return t.Index == v.Index && t.Part == "" })
	if at >= 0 {
		return at
	}
	n := max(1, len(v.Categories))
	t := model.Term{Index: v.Index, Name: v.Name, Column: v.Name, Kind: model.Linear, Cells: cells, Missing: make([]float64, s.Outputs())}
	if t.Low, t.High = -math.MaxFloat64, math.MaxFloat64; v.Categories != nil {
		t.Kind, t.Categories = model.Category, slices.Clone(v.Categories)
	}
	for range s.Outputs() {
		t.Coefficients = append(t.Coefficients, make([]float64, n))
	}
	s.Terms = append(s.Terms, t)
	return len(s.Terms) - 1
}

// categories returns the terms of text columns, and the categories of pairs.
func (s *subject) categories() []*model.Term {
	all := slices.Clone(s.Texts)
	for _, p := range s.Pairs {
		if p.Text {
			all = append(all, &p.Levels)
		}
	}
	return all
}

// rows returns the rows of numbers of a pair, each with that of other texts at the end.
func (p *pair) rows() [][]float64 {
	if !p.Text {
		return p.Levels.Coefficients
	}
	var all [][]float64
	for r, row := range p.Levels.Coefficients {
		all = append(all, append(slices.Clone(row), p.Other[r]))
	}
	return all
}
