package fsa_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa"
	"fsa/model"
)

// A row of weight 2 is equivalent to the row twice, a row of weight 0 to no row, and the order of rows does not matter: if
// every step uses all rows, the models agree up to rounding errors. Folds and rules that depend on the number of rows
// choose the model, so these have to agree as well.
func TestWeightsCountRows(t *testing.T) {
	const rows, cols, seed = 40, 15, 7
	random := rand.New(rand.NewPCG(seed, 0))
	c := newCells(rows, cols, seed)
	weight := make([]float64, rows)
	for i := range weight {
		weight[i] = float64(random.IntN(4))
	}
	losses := []string{"squared", "logistic", "multinomial", "svm"}
	if testing.Short() {
		losses = losses[:1]
	}
	for _, loss := range losses {
		y := slices.Clone(c.y)
		switch loss {
		case "multinomial":
			for i, v := range y {
				y[i] = float64(min(max(int(v), -1), 1))
			}
		case "logistic", "svm":
			for i, v := range y {
				y[i] = 1
				if v < 0 {
					y[i] = 0
				}
			}
		}
		order := random.Perm(rows)
		weighted, repeated := &cells{rows: rows, cols: cols}, &cells{cols: cols}
		for _, i := range order {
			weighted.x, weighted.y, weighted.w = append(weighted.x, c.x[i*cols:(i+1)*cols]...), append(weighted.y, y[i]), append(weighted.w, weight[i])
		}
		for i := range rows {
			for range int(weight[i]) {
				repeated.x, repeated.y = append(repeated.x, c.x[i*cols:(i+1)*cols]...), append(repeated.y, y[i])
				repeated.rows++
			}
		}
		for _, k := range []int{4, fsa.Auto} {
			name := fmt.Sprintf("%s, k = %d, seed %d", loss, k, seed)
			o := fsa.Options{K: k, Loss: loss}
			sameModel(t, name, fit(t, weighted.table(t), o), fit(t, repeated.table(t), o))
		}
	}
}

func sameModel(t *testing.T, name string, a, b *model.Model) {
	t.Helper()
	x, y := a.Selected(), b.Selected()
	if len(x) != len(y) {
		t.Errorf("%s: %d variables and %d", name, len(x), len(y))
		return
	}
	for i := range x {
		for c := range x[i].Coefficients {
			if x[i].Index != y[i].Index || !near(x[i].Coefficients[c], y[i].Coefficients[c], 1e-6) {
				t.Errorf("%s: %+v and %+v", name, x[i], y[i])
				return
			}
		}
	}
}
