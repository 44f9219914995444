package record

import (
	"context"
	"math"
	"slices"

	"fsa/model"
)

// pair is an interaction in the rows of a table.
type pair struct {
	of   model.Interaction
	adds []float64    // effect on the decision value; interactions have one
	x    [2][]float64 // numbers, or indices of texts
	text [2][]string
}

// pairs reads the interactions of a model. It leaves out those whose columns the table does not have.
func (c *columns) pairs(ctx context.Context, m *model.Model) ([]pair, error) {
	var list []pair
	for i, t := range m.Interactions() {
		p := pair{of: t, adds: make([]float64, c.table.Rows())}
		for k, v := range t.Variables {
			var err error
			if p.x[k], p.text[k], err = c.read(ctx, &model.Selected{Index: v.Index}); err != nil {
				return nil, err
			}
		}
		if p.x[0] == nil || p.x[1] == nil {
			continue
		}
		of := levels(&t.Variables[1], p.text[1])
		for row, a := range p.x[0] {
			b := p.x[1][row]
			if of != nil && b == b {
				b = of[int(b)]
			}
			p.adds[row] = m.InteractionAt(i, 0, a, b)
		}
		list = append(list, p)
	}
	return list, nil
}

// levels returns the category of each text, as its index; NaN for none. It is nil for a number.
func levels(v *model.Side, texts []string) []float64 {
	if v.Categories == nil {
		return nil
	}
	of := make([]float64, len(texts))
	for i, text := range texts {
		at := slices.Index(v.Categories, text)
		if of[i] = float64(at); at < 0 && v.Rare {
			of[i] = float64(len(v.Categories) - 1)
		} else if at < 0 {
			of[i] = math.NaN()
		}
	}
	return of
}
