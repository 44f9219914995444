package fsa

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"fsa/internal/parallel"
	"fsa/internal/subset"
	"fsa/loss"
	"fsa/validate"
)

// tuner lets cross-validation choose among strengths of the ridge, sizes, and whether
// variables are swapped: always by the loss on rows that were not learned from.
type tuner struct {
	job    *Job
	cut    *validate.Folds
	folds  []*fold
	ridges []float64
	sizes  []int    // that are compared; 0 is the null model
	tried  []*trial // by ridge; nil where one was not tried
}

// trial is a strength of the ridge that was tried.
type trial struct {
	ridge  float64
	paths  []*path     // of each fold; nil where the descent diverged
	losses [][]float64 // by size and fold

	swapped []*subset.Solution // what each fold learned at the first size with swaps; nil where they were not tried
	after   []float64          // its losses
}

// newTuner cuts the rows into folds and prepares each.
func (j *Job) newTuner(ctx context.Context, folds int, sizes []int) (*tuner, error) {
	cut, err := j.folds(folds)
	if err != nil {
		return nil, err
	}
	t := &tuner{job: j, cut: cut, folds: make([]*fold, cut.Len()), ridges: j.ridges(), sizes: sizes}
	t.tried = make([]*trial, len(t.ridges))
	return t, t.each(ctx, func(i int) (err error) {
		t.folds[i], err = j.fold(ctx, cut.Split(i))
		return err
	})
}

// each calls f for every fold, side by side.
func (t *tuner) each(ctx context.Context, f func(i int) error) error {
	return parallel.Do(ctx, t.job.options.Threads, len(t.folds), func(_, i int) error { return f(i) })
}

// folds cuts the rows into so many folds: classes are spread evenly, queries stay whole.
func (j *Job) folds(n int) (*validate.Folds, error) {
	scheme := validate.Scheme{Folds: n, Seed: j.options.Seed, Weight: j.data.Target.Weight, Query: j.target.Query}
	if j.response.Task == loss.Classification {
		scheme.Class = j.target.Y
	}
	folds, err := scheme.Split(j.data.Rows())
	if errors.Is(err, validate.ErrFolds) && scheme.Class != nil { // a class may be rare
		scheme.Class = nil
		return scheme.Split(j.data.Rows())
	}
	return folds, err
}

// ridges returns the strengths among which validation chooses, ascending. They are
// those for the squared loss of standardised columns, times the curvature of the loss.
func (j *Job) ridges() []float64 {
	if j.options.Ridge != Auto || !j.plan.Exact {
		return []float64{j.plan.Ridge}
	}
	unit := 1.0
	if j.response.Task != loss.Regression {
		unit = 0.25
	}
	list := []float64{j.plan.Ridge}
	for _, r := range tuneRidges {
		if r*unit > 2*j.plan.Ridge {
			list = append(list, r*unit)
		}
	}
	return list
}

// ridge finds the best strength of the ridge, over all sizes: the best of every second one,
// and then its neighbours. The folds of few rows are too noisy to follow the fall of the
// error from one strength to the next.
func (t *tuner) ridge(ctx context.Context) (*trial, error) {
	best := -1
	try := func(at int) error {
		if at < 0 || at >= len(t.ridges) {
			return nil
		}
		if err := t.try(ctx, at); err != nil {
			return err
		}
		if best < 0 || t.tried[at].least() < t.tried[best].least() {
			best = at
		}
		return nil
	}
	for at := min(1, len(t.ridges)-1); at < len(t.ridges); at += 2 {
		if err := try(at); err != nil {
			return nil, err
		}
	}
	middle := best
	for _, at := range []int{middle - 1, middle + 1} {
		if err := try(at); err != nil {
			return nil, err
		}
	}
	return t.tried[best], nil
}

// try learns all folds with a ridge.
func (t *tuner) try(ctx context.Context, at int) error {
	if t.tried[at] != nil {
		return nil
	}
	tr := &trial{ridge: t.ridges[at], paths: make([]*path, len(t.folds)), losses: make([][]float64, len(t.sizes))}
	tr.swapped, tr.after = make([]*subset.Solution, len(t.folds)), make([]float64, len(t.folds))
	for s := range tr.losses {
		tr.losses[s] = make([]float64, len(t.folds))
	}
	t.tried[at] = tr
	return t.each(ctx, func(i int) error {
		p, err := t.folds[i].path(ctx, tr.ridge, t.sizes)
		if err != nil {
			return err
		}
		tr.paths[i] = p
		for s := len(t.sizes) - 1; s >= 0; s-- { // the larger ones are where the smaller begin
			if tr.losses[s][i], err = p.loss(ctx, t.sizes[s]); err != nil {
				return err
			}
		}
		if len(t.sizes) == 1 {
			return tr.swap(ctx, i, t.sizes[0])
		}
		return nil
	})
}

// swap asks what swaps make of what a fold has selected at a size.
func (tr *trial) swap(ctx context.Context, i, size int) error {
	p := tr.paths[i]
	if p == nil || size == 0 || !p.swapsExactly() {
		return nil
	}
	s, err := p.selection(ctx, size)
	if err != nil {
		return err
	}
	if s, err = swapExactly(ctx, p.Job, s); err != nil {
		return err
	}
	tr.swapped[i], tr.after[i] = s.solution, p.fold.loss(s.solution)
	return nil
}

// helps reports whether swaps were tried in all folds, and lower the loss.
func (tr *trial) helps(losses []float64) bool {
	return !slices.Contains(tr.swapped, nil) && mean(tr.after) < mean(losses)
}

// least returns the least mean loss over all sizes.
func (tr *trial) least() float64 {
	least := math.Inf(1)
	for _, losses := range tr.losses {
		least = min(least, mean(losses))
	}
	if tr.helps(tr.losses[0]) {
		least = min(least, mean(tr.after))
	}
	return least
}

// solutions returns what the folds learned at a size.
func (t *tuner) solutions(ctx context.Context, tr *trial, size int) ([]*subset.Solution, error) {
	out := make([]*subset.Solution, len(t.folds))
	err := t.each(ctx, func(i int) (err error) {
		if tr.paths[i] != nil {
			out[i], err = tr.paths[i].solve(ctx, size)
		}
		return err
	})
	return out, err
}

// outOfFold returns the decision values of all rows, each by what was not learned from
// it, row after row, and which rows have one.
func (t *tuner) outOfFold(solutions []*subset.Solution) (z []float64, has []bool) {
	rows, outputs := t.job.data.Rows(), t.job.response.Loss.Outputs()
	z, has = make([]float64, rows*outputs), make([]bool, rows)
	for i, s := range solutions {
		if s == nil {
			continue
		}
		for _, row := range t.cut.Split(i).Test {
			has[row] = true
			for c := range outputs {
				z[row*outputs+c] = s.Z[c*rows+row]
			}
		}
	}
	return z, has
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// sizes returns those that are compared where k is open: all small ones, and then ever
// fewer, up to the given one.
func sizesUpTo(most int) []int {
	list := []int{0}
	for k := 1; k < most; k += max(1, k/10) {
		list = append(list, k)
	}
	return append(list, most)
}

// between returns the sizes from one of the list to its neighbours that are not in it.
func between(sizes []int, k int) []int {
	at := slices.Index(sizes, k)
	var list []int
	for s := sizes[max(at-1, 0)]; s <= sizes[min(at+1, len(sizes)-1)]; s++ {
		if !slices.Contains(sizes, s) {
			list = append(list, s)
		}
	}
	return list
}

// bySize sorts sizes and their losses.
func bySize(sizes []int, losses [][]float64) ([]int, [][]float64) {
	order := all(len(sizes))
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(sizes[a], sizes[b]) })
	s, l := make([]int, len(order)), make([][]float64, len(order))
	for to, from := range order {
		s[to], l[to] = sizes[from], losses[from]
	}
	return s, l
}
