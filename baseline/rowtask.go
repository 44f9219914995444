package baseline

import (
	"context"

	"fsa/data"
	"fsa/internal/matrix"
	"fsa/model"
)

// rowTask is a problem of which a method sees one row at a time, with all
// variables.
type rowTask struct {
	*task
	rows *matrix.Vectors // a vector for each row
}

// newRowTask prepares a dataset for a method that uses all variables, whatever
// K says.
func newRowTask(ctx context.Context, method string, d *data.Dataset, o Options, losses ...string) (*rowTask, error) {
	o.K = d.Width()
	t, err := newTask(ctx, method, d, o, losses...)
	if err != nil {
		return nil, err
	}
	t.columns = nil
	rows, err := rowsOfDesign(ctx, t.design)
	if err != nil {
		return nil, err
	}
	return &rowTask{t, rows}, nil
}

// linear returns the model of coefficients on the common scale, one for each
// variable of the design. Those that are zero are left out.
func (t *rowTask) linear(rounds int, intercept float64, beta []float64) (*model.Model, error) {
	out := model.Outcome{Method: t.method, K: t.K, Rounds: rounds, Intercept: intercept, Decision: make([]float64, t.rows.Count)}
	for i := range out.Decision {
		out.Decision[i] = intercept + t.rows.Dot(i, beta)
	}
	for v, b := range beta {
		if b == 0 {
			continue
		}
		j := t.design.Variables[v]
		unit, center := t.design.Units(v)
		out.Intercept += b * (t.Data.Columns[j].Mean - center) / unit
		out.Parts = append(out.Parts, model.Part{Variable: j, Slope: b / unit})
	}
	if out.Parts == nil {
		return nil, t.nothing()
	}
	return t.Model(out)
}

// meanSquare returns the mean of the squared length of a row.
func (t *rowTask) meanSquare() float64 {
	var sum float64
	for i := range t.rows.Count {
		_, value := t.rows.Cells(i)
		for _, x := range value {
			sum += x * x
		}
	}
	return sum / float64(t.rows.Count)
}

// column returns the place of number p of a row, whose places are index; nil
// means that all are there.
func column(index []uint32, p int) int {
	if index == nil {
		return p
	}
	return int(index[p])
}
