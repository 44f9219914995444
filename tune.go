package fsa

import (
	"cmp"
	"context"
	"math"
	"slices"

	"fsa/anneal"
	"fsa/internal/matrix"
	"fsa/internal/parallel"
	"fsa/internal/subset"
	"fsa/loss"
	"fsa/validate"
)

// way is a way to fit, which validation may choose: a descent with one ridge, swaps with
// another where there are some, and what is chosen learned with a third. Selection wants
// another ridge than learning does, and a descent is dear where learning is cheap.
type way struct {
	descent  descent
	swap     swaps
	ridge    float64 // of what is learned in the end
	adaptive bool    // it is weaker on large coefficients
}

// descent is what one depends on: its ridge, or what takes its place (see screening and lassoPath), and the share of
// the prior on the categories of texts that counts, then and later.
type descent struct{ ridge, pooling float64 }

// pooled returns descents with some ridges and the whole prior on categories.
func pooled(ridges []float64) []descent {
	list := make([]descent, len(ridges))
	for i, r := range ridges {
		list[i] = descent{r, 1}
	}
	return list
}

// tuner lets cross-validation choose among ways to fit, and among sizes: always by the
// loss on rows that were not learned from.
type tuner struct {
	job    *Job
	cut    *validate.Folds
	folds  []*fold
	sizes  []int // that are compared; 0 is the null model
	ridges []float64
	swaps  float64               // ridge of fine swaps
	gain   float64               // by which a loss has to be lower to be better
	paths  map[descent][]*path   // of all folds
	trials map[trialKey]*outcome // of ways at sizes

	compared []way // by which the size was chosen; nil where it was given
	informed *informed
	counter  *counter
	points   *points
}

type trialKey struct {
	way
	size int
}

// outcome is what the folds have learned in some way, and its loss on their other rows.
type outcome struct {
	solutions []*subset.Solution
	losses    []float64
}

// newTuner cuts the rows into folds and prepares each.
func (j *Job) newTuner(ctx context.Context, folds int, sizes []int) (*tuner, error) {
	cut, err := j.folds(ctx, folds)
	if err != nil {
		return nil, err
	}
	known := anneal.Lipschitz{}
	if j.plan.Batch == j.facts.rows && j.plan.Eta == 0 {
		if known, err = j.lipschitz(ctx); err != nil {
			return nil, err
		}
		known.Constant *= foldLipschitz
	}
	t := &tuner{job: j, cut: cut, folds: make([]*fold, cut.Len()), sizes: sizes, ridges: j.ridges(tuneRidges), gain: tuneGain * j.lossUnit(ctx), paths: map[descent][]*path{}, trials: map[trialKey]*outcome{}}
	t.points = &points{tell: j.options.Curve, measure: j.measureName(), folds: cut.Len(), repeats: cut.Repeats(), least: map[int]float64{}}
	t.swaps = t.ridges[min(1, len(t.ridges)-1)]
	if t.ridges[0] == 0 && len(t.ridges) > 1 && j.response.Task != loss.Regression {
		t.ridges = t.ridges[1:] // classes that can be separated have no optimum without any
	}
	return t, t.each(ctx, func(i int) (err error) {
		if t.folds[i], err = j.fold(ctx, cut.Split(i)); err == nil {
			t.folds[i].lipschitz, t.folds[i].journal = known, j.journal.of("fold", i)
		}
		return err
	})
}

// close gives back what the folds take elsewhere.
func (t *tuner) close() {
	if t.informed != nil {
		t.informed.close()
	}
	for _, paths := range t.paths {
		for _, p := range paths {
			if p != nil {
				p.close()
			}
		}
	}
}

// each calls f for every fold, side by side.
func (t *tuner) each(ctx context.Context, f func(i int) error) error {
	return parallel.Do(ctx, t.job.abreast(), len(t.folds), func(_, i int) error { return f(i) })
}

// abreast returns how many folds can be worked on side by side. Of a table in a file each takes the memory that
// there is, and processes that share one have to do the same at the same time.
func (j *Job) abreast() int {
	if j.facts.paged || j.facts.home != nil {
		return 1
	}
	return j.options.Threads
}

// lipschitz measures the Lipschitz constant of the gradient over all groups.
func (j *Job) lipschitz(ctx context.Context) (anneal.Lipschitz, error) {
	on, done, err := j.place.objective(ctx, j.objective(nil, 0, j.facts.rows))
	if err != nil {
		return anneal.Lipschitz{}, err
	}
	defer done()
	return anneal.Measure(ctx, on)
}

// keys returns a number for each row that depends on what is in it, not on its place, on
// the order of columns or on their units: the rank of XXᵀy, of standardised columns. Rows
// count by their weight, and those that differ by no more than rounding have the same.
func (j *Job) keys(ctx context.Context) ([]uint64, error) {
	x := j.design.X
	rows, _ := x.Dims()
	centred, keys := slices.Clone(j.target.Y), make([]uint64, rows)
	weights := loss.Target{Weight: j.target.Weight}
	var middle, weight float64
	for i, y := range centred {
		w := weights.WeightOf(i)
		middle, weight = middle+w*y, weight+w
	}
	for i := range centred {
		centred[i] = weights.WeightOf(i) * (centred[i] - middle/weight)
	}
	g, err := matrix.MulT(ctx, x, centred)
	if err != nil {
		return nil, err
	}
	for p, scale := range j.design.Scale {
		g[p] *= scale * scale
	}
	z, err := matrix.Mul(ctx, x, g)
	if err != nil {
		return nil, err
	}
	order := all(rows)
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(z[a], z[b]) })
	rank, last, noise := uint64(0), -1, keyRounding*(z[order[rows-1]]-z[order[0]])
	for _, row := range order {
		if weights.WeightOf(row) > 0 { // others say nothing, also of the rank
			if last >= 0 && z[row]-z[last] > noise {
				rank++
			}
			last = row
		}
		keys[row] = rank
	}
	return keys, nil
}

// ridges returns strengths of the ridge, ascending, the least of which is that of the
// plan, or less for curves. Given are those for the squared loss of standardised columns, which are
// multiplied by the curvature of the loss.
func (j *Job) ridges(given []float64) []float64 {
	least := j.plan.Ridge
	if j.options.Ridge != Auto || !j.plan.Exact {
		return []float64{least}
	}
	if j.design.Bins > 0 { // as little as keeps the ends of curves where they are
		least = leastCurveRidge
	}
	list := []float64{least}
	unit := 1.0
	if j.response.Task != loss.Regression {
		unit = 0.25
	}
	for _, r := range given {
		if r*unit > 2*least {
			list = append(list, r*unit)
		}
	}
	return list
}

// choice is what was found best.
type choice struct {
	way
	*outcome
	size int
}

// best returns the best way.
func (t *tuner) best(ctx context.Context) (choice, error) {
	ridges := t.job.ridges(tuneDescents)
	if f := &t.job.facts; f.single && t.job.plan.Exact && f.groups > f.mass {
		ridges = append(ridges, lassoPath)
	}
	descents := pooled(append(ridges, screening))
	if t.job.plan.Eta > 0 { // a step that was given is made for no other ridge
		descents = descents[:1]
	}
	t.counter = t.job.counter("folds", len(descents)*len(t.folds))
	best, err := t.among(ctx, descents, few(t.sizes))
	if err != nil || len(t.sizes) > 1 { // the size is yet to be chosen
		return best, err
	}
	return t.orSwapped(ctx, best)
}

// among returns the best way of some descents, at the best of some sizes: the path of the lasso and screening, if
// they come last, only if they are better by more than the standard error.
func (t *tuner) among(ctx context.Context, descents []descent, sizes []int) (choice, error) {
	best := choice{way: way{ridge: t.ridges[len(t.ridges)/2]}}
	for _, d := range descents {
		if d.ridge < lassoPath || best.outcome == nil {
			if err := t.over(ctx, &best, way{descent: d}, sizes); err != nil {
				return best, err
			}
			continue
		}
		other := choice{way: best.way}
		if err := t.over(ctx, &other, way{descent: d}, sizes); err != nil {
			return best, err
		}
		if better(other.losses, best.losses) {
			best = other
		}
	}
	return best, t.pool(ctx, &best)
}

// pool lets less of the prior on categories be the choice while that is better. How much
// the categories of a text differ is an estimate, which is made of each text alone.
func (t *tuner) pool(ctx context.Context, best *choice) error {
	if t.job.categories == nil || !t.job.plan.Exact || best.size == 0 {
		return nil
	}
	for _, share := range tunePoolings {
		w := best.way
		w.descent.pooling = share
		if err := t.over(ctx, best, w, []int{best.size}); err != nil || best.way.descent != w.descent {
			return err
		}
	}
	return nil
}

// few returns some of many sizes, to choose the ridge at.
func few(sizes []int) []int {
	if n := len(sizes); n > 4 {
		return []int{sizes[n/4], sizes[n/2], sizes[3*n/4]}
	}
	return sizes
}

// swappable reports whether variables of a choice can be swapped one by one.
func (t *tuner) swappable(c choice) bool {
	return c.size > 0 && t.job.facts.single && t.job.plan.Exact
}

// orSwapped returns a choice, or what swaps make of it if that is better by more than the
// standard error of the difference. It is collinear columns that need swaps which gain
// little, and they bear little ridge, so that it is nearly the least one then. Where the size is open, so
// that there is time for it, folds search as hard as the fit will, and are asked as well
// about swaps that gain more than selection noise: they are made unless they make folds worse by as much.
// Where it is given a fit makes these unasked, and if the loss is a likelihood all others that gain, too, should
// folds be the better for it.
func (t *tuner) orSwapped(ctx context.Context, best choice) (choice, error) {
	if !t.swappable(best) {
		return best, nil
	}
	if t.searches(best.size) {
		certain, err := t.swapped(ctx, best, swaps{best.ridge, t.job.facts.noise(), true, false}, best.size)
		if err != nil {
			return best, err
		}
		if !better(best.losses, certain.losses) {
			best = certain
		}
	}
	fine, err := t.swapped(ctx, best, t.finely(best.size), best.size)
	if err != nil || better(fine.losses, best.losses) {
		return fine, err
	}
	if f := &t.job.facts; t.compared == nil && f.loss.Likelihood && f.many(1+best.size) {
		for _, s := range t.every(best.ridge) {
			every, err := t.swapped(ctx, best, s, best.size)
			if err != nil {
				return best, err
			}
			if mean(every.losses) <= (1+anyGain)*mean(best.losses) {
				best = every
			}
		}
	}
	return best, nil
}

// every returns swaps that are made if they gain at all: under the ridge of what is learned and, as classes that can be told apart want
// less of it while they are searched for, under the next smaller one.
func (t *tuner) every(ridge float64) []swaps {
	list := []swaps{{ridge, anyGain, false, false}}
	if all := t.job.ridges(tuneRidges); !t.job.facts.loss.Quadratic && ridge > all[0] {
		list = append(list, swaps{all[slices.Index(all, ridge)-1], anyGain, true, true})
	}
	return list
}

// searches reports whether folds make detours at a size.
func (t *tuner) searches(size int) bool { return t.compared != nil && t.job.facts.many(1+size) }

// finely returns the swaps that gain less, too, than selection noise may, at a size.
func (t *tuner) finely(size int) swaps { return swaps{t.swaps, swapGain, t.searches(size), false} }

// swapped returns what swaps make of a choice at a size.
func (t *tuner) swapped(ctx context.Context, c choice, s swaps, size int) (choice, error) {
	w, swapped := c.way, choice{way: c.way}
	w.swap = s
	err := t.over(ctx, &swapped, w, []int{size})
	return swapped, err
}

// over learns in some way with strengths of the ridge, and makes what is best the choice
// if it is better. The loss of a
// selection has one valley over the ridge: it is walked up and down from the best
// strength so far, as long as the loss falls.
func (t *tuner) over(ctx context.Context, best *choice, w way, sizes []int) error {
	for _, size := range sizes {
		start := slices.Index(t.ridges, best.ridge)
		lowest := math.Inf(1)
		falls := func(i int) (bool, error) {
			w.ridge = t.ridges[i]
			o, err := t.try(ctx, w, size)
			if err != nil {
				return false, err
			}
			loss := mean(o.losses)
			if best.outcome == nil || t.lower(loss, mean(best.losses)) {
				*best = choice{w, o, size}
			}
			before := lowest
			lowest = min(lowest, loss)
			return t.lower(loss, before), nil
		}
		if _, err := falls(start); err != nil {
			return err
		}
		for _, by := range []int{1, -1} {
			for i := start + by; i >= 0 && i < len(t.ridges); i += by {
				if fell, err := falls(i); err != nil {
					return err
				} else if !fell {
					break
				}
			}
		}
	}
	return nil
}

// lower reports whether a loss is lower than another by more than rounding and unfinished
// learning can explain.
func (t *tuner) lower(a, b float64) bool { return a < b-t.gain }

// try learns all folds in some way.
func (t *tuner) try(ctx context.Context, w way, size int) (*outcome, error) {
	key := trialKey{w, size}
	if o := t.trials[key]; o != nil {
		return o, nil
	}
	o := &outcome{make([]*subset.Solution, len(t.folds)), make([]float64, len(t.folds))}
	t.trials[key] = o
	paths, descended := t.paths[w.descent], true
	if paths == nil {
		paths, descended = make([]*path, len(t.folds)), false
		t.paths[w.descent] = paths
	}
	done := t.points.begin(w, size)
	return o, t.each(ctx, func(i int) (err error) {
		if !descended {
			if paths[i], err = t.folds[i].path(ctx, w.descent, t.sizes); err != nil {
				return err
			}
			t.counter.next()
		}
		if paths[i] == nil { // it diverged
			o.losses[i] = math.Inf(1)
			return nil
		}
		if o.solutions[i], o.losses[i], err = paths[i].tried(ctx, w, size); err == nil {
			done(o.losses[i])
		}
		return err
	})
}

// better reports whether losses of folds are lower than others by more than the standard
// error of the difference.
func better(a, b []float64) bool {
	difference := make([]float64, len(a))
	for i := range a {
		difference[i] = b[i] - a[i]
	}
	m, squares := mean(difference), 0.0
	for _, d := range difference {
		squares += (d - m) * (d - m)
	}
	n := float64(len(a))
	return m > math.Sqrt(squares/(n-1)/n)
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// sizesUpTo returns the sizes that are compared where k is open: all small ones, and then
// ever fewer, up to the given one.
func sizesUpTo(most int) []int {
	list := []int{0}
	for k := 1; k < most; k += max(1, k/10) {
		list = append(list, k)
	}
	return append(list, most)
}

// between returns the sizes between one of the list and its neighbours.
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
