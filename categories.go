package fsa

import (
	"context"
	"math"

	"fsa/internal/matrix"
	"fsa/loss"
)

// categoryRows returns, for each text, how many more rows of each of its categories say
// that it adds nothing. A text of many categories fits the noise of its rows, so it is
// judged by what it would add to other rows: the variance between categories beyond that
// which rows of one category have is what a category may add (one-way analysis of
// variance of the slopes of the null model), and the rest is shrunk away (James and Stein
// 1961). Where it cannot be told from chance, next to nothing is left. Nil means that
// there is no text, or that no prior is wanted.
func (j *Job) categoryRows(ctx context.Context) ([]float64, error) {
	d := j.design
	widths := d.X.Widths()
	if j.options.Ridge == None || d.Numbers >= matrix.Variables(d.X) {
		return nil, nil
	}
	slopes, weight := j.nullSlopes(ctx)
	sums := make([][]float64, 0, len(slopes)+1)
	for _, v := range append(slopes, weight) {
		g, err := matrix.MulT(ctx, d.X, v)
		if err != nil {
			return nil, err
		}
		sums = append(sums, g)
	}
	var total, heavy float64 // squares of slopes, and weight, of all rows
	for i, w := range weight {
		heavy += w
		for _, s := range slopes {
			if w > 0 {
				total += s[i] * s[i] / w
			}
		}
	}
	count := sums[len(slopes)]
	list := make([]float64, len(widths)-d.Numbers)
	at := 0
	for v, width := range widths {
		if v >= d.Numbers {
			a := anova{rows: float64(j.facts.mass), weight: heavy, total: total}
			for p := at; p < at+width; p++ {
				a.category(count[p], sums[:len(slopes)], p)
			}
			list[v-d.Numbers] = a.shrinkage()
		}
		at += width
	}
	return list, nil
}

// pool makes some share of the prior on categories the one that counts, where there is one.
func (j *Job) pool(share float64) {
	if j.categories == nil {
		return
	}
	list := make([]float64, len(j.categories))
	for i, rows := range j.categories {
		list[i] = share * rows
	}
	j.categories = list
}

// nullSlopes returns the slopes of the loss of each row of the null model, output by
// output, and the weights of rows.
func (j *Job) nullSlopes(ctx context.Context) (slopes [][]float64, weight []float64) {
	free, _ := j.objective([]int{}, 0, j.facts.rows).NullModel(ctx)
	rows, outputs := j.data.Rows(), j.response.Loss.Outputs()
	z, r := make([]float64, rows*outputs), make([]float64, rows*outputs)
	for c, v := range free {
		for i := range rows {
			z[c*rows+i] = v
		}
	}
	t := loss.Target{Y: j.target.Y, Weight: j.target.Weight, Query: j.target.Query, Pairs: j.target.Pairs}
	j.response.Loss.Eval(r, z, t)
	weight = make([]float64, rows)
	for i := range weight {
		weight[i] = t.WeightOf(i)
	}
	for c := range outputs {
		slopes = append(slopes, r[c*rows:(c+1)*rows])
	}
	return slopes, weight
}

// anova is a one-way analysis of variance.
type anova struct {
	rows, weight, total float64 // rows, their weight, and their squares
	categories          float64 // that have rows,
	between             float64 // the squares that they explain,
	squares             float64 // and those of their weights
}

// category takes the category of a column: the weight of its rows, and the sums of their
// slopes.
func (a *anova) category(weight float64, sums [][]float64, column int) {
	if weight <= 0 {
		return
	}
	a.categories++
	a.squares += weight * weight
	for _, s := range sums {
		a.between += s[column] * s[column] / weight
	}
}

// shrinkage returns how many rows that say nothing each category gets.
func (a *anova) shrinkage() float64 {
	if a.categories <= 3 { // there is nothing to share out
		return categoryRows
	}
	usual := (a.weight - a.squares/a.weight) / (a.categories - 1) * a.rows / a.weight // rows of a category
	most := categoryMostRows * max(usual, 1)
	within := (a.total - a.between) / (a.rows - a.categories)
	if a.rows <= a.categories { // nothing is known of what rows of one category share
		return most
	}
	chance := (a.categories - 3) / (a.categories - 1)
	f := a.between / (a.categories - 1) / max(within, math.SmallestNonzeroFloat64)
	f /= 1 + categoryErrors*math.Sqrt(2/(a.categories-1)+2/(a.rows-a.categories))
	if f <= chance {
		return most
	}
	return min(max(usual*chance/(f-chance), categoryRows), most)
}
