package fsa

import (
	"context"
	"errors"
	"math"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"

	"fsa/anneal"
	"fsa/data"
	"fsa/internal/parallel"
	"fsa/internal/search"
	"fsa/model"
	"fsa/validate"
)

const (
	stabilityConfidence = 0.95 // of intervals
	stabilityBound      = 1    // false variables that are expected, at most, among those that pass the cutoff
	shownRivals         = 3    // of a variable
)

// stability selects and learns again on complementary pairs of half samples (Shah and
// Samworth 2013), by the recipe of the model.
func (j *Job) stability(ctx context.Context, fit *search.Fit, c *chosen, m *model.Model) (*model.Stability, error) {
	if c.size == 0 {
		return nil, nil
	}
	scheme, err := j.scheme(ctx)
	if err != nil {
		return nil, err
	}
	cut, err := scheme.Pairs(j.data.Rows(), j.options.Stability)
	if err != nil {
		return nil, err
	}
	halves := make([]half, cut.Len())
	var done int
	var mu sync.Mutex
	err = parallel.Do(ctx, j.abreast(), len(halves), func(_, i int) (err error) {
		if halves[i], err = j.half(ctx, cut.Split(i), i, fit, c); err != nil || j.options.Count == nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		done++
		j.options.Count("half samples", done, len(halves))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return j.sure(ctx, halves, m)
}

// half is what was selected and learned on a half sample.
type half struct {
	selected []int        // columns of the dataset
	refit    *model.Model // of the variables of the model; nil where they cannot be learned
}

// half selects on the rows of a half, and learns what was selected on all rows.
func (j *Job) half(ctx context.Context, split validate.Split, number int, fit *search.Fit, c *chosen) (h half, err error) {
	s, d, err := j.part(ctx, split.Train, "half", number)
	if err != nil {
		return h, err
	}
	runner := search.NewRunner(s, j.plan.Sizes)
	runner.Only = c.size
	defer runner.Close()
	found, err := runner.Run(ctx, c.recipe, c.size)
	switch {
	case errors.Is(err, anneal.ErrDiverged):
	case err != nil:
		return h, err
	default:
		h.selected = found.Columns()
	}
	if s, err = runner.Form(ctx, c.recipe); err != nil {
		return h, err
	}
	groups := s.GroupsOf(fit.Columns())
	if len(groups) < len(fit.Groups) { // a variable does not vary here
		return h, nil
	}
	again, err := s.Learn(ctx, groups, fit.Ridge, fit.Adaptive, nil)
	if err != nil {
		return h, err
	}
	h.refit, err = j.model(ctx, d, again, &chosen{validated: c.validated}, again.Status())
	return h, err
}

// sure sums up what half samples have selected and learned.
func (j *Job) sure(ctx context.Context, halves []half, m *model.Model) (*model.Stability, error) {
	d := j.data
	var selections [][]int
	for _, h := range halves {
		selections = append(selections, h.selected)
	}
	shares := validate.Frequencies(selections, len(d.Columns))
	out := &model.Stability{Halves: len(halves), Shares: map[string]float64{}}
	q := 0.0
	for column, share := range shares {
		q += share
		if share > 0 {
			out.Shares[d.ColumnName(column)] = share
		}
	}
	if a := validate.Agreement(selections, len(d.Columns), stabilityConfidence); a.Index == a.Index {
		out.Index, out.Low, out.High = &a.Index, &a.Low, &a.High
	}
	out.Cutoff, out.Bound = cutoff(q, j.sample.Groups.Count(), len(halves)/2)
	inModel := map[int]bool{}
	for _, v := range m.Selected() {
		inModel[d.Lookup(v.Name)] = true
	}
	for _, v := range m.Selected() {
		column := d.Lookup(v.Name)
		sv := model.StableVariable{Name: v.Name, Share: shares[column]}
		sv.Low, sv.High = interval(v, halves)
		var err error
		if sv.Rivals, err = rivals(ctx, d, selections, column, inModel); err != nil {
			return nil, err
		}
		out.Variables = append(out.Variables, sv)
	}
	return out, nil
}

// cutoff returns the least share of half samples at which few enough false variables are
// expected, and how many; nil where there is none.
func cutoff(q float64, variables, pairs int) (share, bound *float64) {
	bounded := func(halves int) float64 {
		return validate.BoundConcave(min(q, float64(variables)), variables, float64(halves)/float64(2*pairs), pairs)
	}
	low, high := pairs, 2*pairs // half samples: the bound falls as they grow
	if b := bounded(high); !(b <= stabilityBound) {
		return nil, nil
	}
	for low < high {
		if mid := (low + high) / 2; bounded(mid) <= stabilityBound {
			high = mid
		} else {
			low = mid + 1
		}
	}
	at, b := float64(high)/float64(2*pairs), bounded(high)
	return &at, &b
}

// interval returns an interval for each coefficient. Half samples without replacement vary
// around what all rows say as that varies around the truth: their variance is
// σ²(2/N − 1/N).
func interval(v model.Selected, halves []half) (low, high []float64) {
	if v.Knots != nil || v.Levels != nil {
		return nil, nil
	}
	for c, estimate := range v.Coefficients {
		var n, sum, squares float64
		for _, h := range halves {
			if h.refit == nil {
				continue
			}
			for _, w := range h.refit.Selected() {
				if w.Name == v.Name && len(w.Coefficients) == len(v.Coefficients) {
					n++
					sum += w.Coefficients[c]
					squares += w.Coefficients[c] * w.Coefficients[c]
				}
			}
		}
		if n < 2 {
			return nil, nil
		}
		// The halves of a pair say much the same, so that there are as many degrees of freedom
		// as pairs.
		quantile := distuv.StudentsT{Sigma: 1, Nu: max(n/2, 1)}.Quantile((1 + stabilityConfidence) / 2)
		reach := quantile * math.Sqrt(max(squares-sum*sum/n, 0)/(n-1))
		low, high = append(low, estimate-reach), append(high, estimate+reach)
	}
	return low, high
}

// rivals returns the variables outside of the model that take the place of a column most
// often.
func rivals(ctx context.Context, d *data.Dataset, selections [][]int, column int, inModel map[int]bool) (list []model.StableRival, err error) {
	found := validate.Rivals(selections, column)
	if len(found) == 0 || d.Columns[column].Text {
		return nil, nil
	}
	x, err := d.Numbers(ctx, column)
	if err != nil {
		return nil, err
	}
	for _, r := range found {
		if d.Columns[r.Variable].Text || inModel[r.Variable] {
			continue
		}
		if len(list) == shownRivals {
			break
		}
		y, err := d.Numbers(ctx, r.Variable)
		if err != nil {
			return nil, err
		}
		list = append(list, model.StableRival{Name: d.ColumnName(r.Variable), Share: r.Without, Correlation: correlation(x, y)})
	}
	return list, nil
}

// correlation is that of two columns, in rows where neither is missing; 0 where it is not
// defined.
func correlation(x, y []float64) float64 {
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
