package model

import "fsa/data"

// Contributions returns what each selected variable, and then each interaction, adds to the decision
// values of the rows of a block, ordered by row, then term, then output. Together with the intercept of
// [Model.Additive] they add up to the result of [Scorer.Score].
func (sc *Scorer) Contributions(b *data.Block) ([]float64, error) {
	if err := b.Check(sc.schema); err != nil {
		return nil, err
	}
	s := sc.spec
	sc.learnLevels()
	out := make([]float64, 0, b.Rows*(len(s.Variables)+len(s.Interactions))*s.Outputs)
	pair := make([]float64, s.Outputs)
	row := make([]float64, len(s.Variables))
	for i := range b.Rows {
		sc.cells(row, b, i)
		for k, x := range row {
			v := &s.Variables[k]
			level := -1
			if v.Kind == categorical {
				if err := sc.checkText(b, i, k, x); err != nil {
					return nil, err
				}
				level = sc.level(k, x)
			}
			for c := range s.Outputs {
				switch {
				case v.Kind != categorical:
					out = append(out, v.part(x, c, s)+0) // turns −0 into 0
				case level >= 0:
					out = append(out, v.Coefficients[c*len(v.Levels)+level])
				default:
					out = append(out, 0)
				}
			}
		}
		for k := range s.Interactions { // the table is dense
			if err := sc.pair(pair, k, b.Dense[i*sc.schema.Width:(i+1)*sc.schema.Width]); err != nil {
				return nil, err
			}
			for _, v := range pair {
				out = append(out, v+0)
			}
		}
	}
	return out, nil
}

// cells fills row with the cells of row i of a block in the columns of the variables.
func (sc *Scorer) cells(row []float64, b *data.Block, i int) {
	if !sc.schema.Sparse {
		for k, j := range sc.column {
			row[k] = b.Dense[i*sc.schema.Width+j]
		}
		return
	}
	clear(row)
	for p := b.Start[i]; p < b.Start[i+1]; p++ {
		if k, ok := sc.places[int(b.Index[p])]; ok {
			row[k] = b.Value[p]
		}
	}
}
