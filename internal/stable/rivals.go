// Package stable measures how stable a selection is: it compares the variables of a model with
// those that half samples and folds have selected.
package stable

import (
	"cmp"
	"context"
	"math"
	"slices"

	"fsa/data"
	"fsa/model"
	"fsa/validate"
)

const (
	mostRivals = 3   // rivals of a variable that are named,
	lookedAt   = 8   // of so many, the most frequent ones
	often      = 0.5 // share of the folds below which a variable of the model is a near tie
	related    = 0.3 // smallest correlation of two numbers of which one could stand in for the other
)

// Rivals returns the variables outside the model that most often take the place of a column in
// selections; of equally frequent ones, the most correlated first.
func Rivals(ctx context.Context, d *data.Dataset, selections [][]int, column int, chosen []int) ([]model.StableRival, error) {
	found := validate.Rivals(selections, column)
	found = slices.DeleteFunc(found, func(r validate.Rival) bool { return slices.Contains(chosen, r.Variable) })
	found = found[:min(len(found), lookedAt)]
	if len(found) == 0 {
		return nil, nil
	}
	others := make([]int, len(found))
	for i, r := range found {
		others[i] = r.Variable
	}
	alike, err := Correlations(ctx, d, column, others)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(found))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		more := func(i int) float64 { return found[i].Without - found[i].With }
		return cmp.Or(cmp.Compare(more(b), more(a)), cmp.Compare(math.Abs(alike[b]), math.Abs(alike[a])))
	})
	var list []model.StableRival
	for _, i := range order[:min(len(order), mostRivals)] {
		list = append(list, model.StableRival{Name: d.ColumnName(found[i].Variable), Share: found[i].Without, Correlation: alike[i]})
	}
	return list, nil
}

// Correlations returns the correlations of a column with others; 0 unless both are numbers.
func Correlations(ctx context.Context, d *data.Dataset, column int, others []int) ([]float64, error) {
	out := make([]float64, len(others))
	if d.Columns[column].Text {
		return out, nil
	}
	x, err := d.Numbers(ctx, column)
	if err != nil {
		return nil, err
	}
	for i, other := range others {
		if d.Columns[other].Text {
			continue
		}
		y, err := d.Numbers(ctx, other)
		if err != nil {
			return nil, err
		}
		out[i] = Correlation(x, y)
	}
	return out, nil
}

// Ties returns the columns of a model that fewer than half of the folds have selected, the least
// frequent first, and what the folds have selected instead. Of numbers only those that are correlated are rivals, because
// others carry other information; they are named if there is no rival.
func Ties(ctx context.Context, d *data.Dataset, folds [][]int, chosen []int) (list []model.Tie, err error) {
	if len(folds) == 0 {
		return nil, nil
	}
	shares := validate.Frequencies(folds, len(d.Columns))
	rare := slices.DeleteFunc(slices.Clone(chosen), func(column int) bool { return shares[column] >= often })
	slices.SortStableFunc(rare, func(a, b int) int { return cmp.Compare(shares[a], shares[b]) })
	for _, column := range rare {
		tie := model.Tie{Name: d.ColumnName(column), Share: shares[column]}
		if tie.Rivals, err = Rivals(ctx, d, folds, column, chosen); err != nil {
			return nil, err
		}
		tie.Rivals = slices.DeleteFunc(tie.Rivals, func(r model.StableRival) bool { return r.Correlation != 0 && math.Abs(r.Correlation) < related })
		if len(tie.Rivals) == 0 {
			tie.Others = others(d, folds, column, chosen)
		}
		list = append(list, tie)
	}
	return list, nil
}

// others returns the names of the columns that folds without a column of a model select more often than folds with it, the
// most frequent first. If no fold has it, the other columns of the model take no place of it.
func others(d *data.Dataset, folds [][]int, column int, chosen []int) []string {
	never := !slices.ContainsFunc(folds, func(fold []int) bool { return slices.Contains(fold, column) })
	names := []string{}
	for _, r := range validate.Rivals(folds, column) {
		if len(names) < mostRivals && !(never && slices.Contains(chosen, r.Variable)) {
			names = append(names, d.ColumnName(r.Variable))
		}
	}
	return names
}

// Correlation is the correlation of two columns, in rows where neither is missing; 0 if it is not
// defined.
func Correlation(x, y []float64) float64 {
	var n, mx, my, xx, yy, xy float64
	for i := range x {
		if x[i] != x[i] || y[i] != y[i] {
			continue
		}
		n++
		dx, dy := x[i]-mx, y[i]-my
		mx += dx / n
		my += dy / n
		xx += dx * (x[i] - mx)
		yy += dy * (y[i] - my)
		xy += dx * (y[i] - my)
	}
	if r := xy / math.Sqrt(xx*yy); r == r {
		return min(max(r, -1), 1)
	}
	return 0
}
