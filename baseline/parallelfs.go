package baseline

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"fsa/data"
	"fsa/internal/gram"
	"fsa/internal/parallel"
	"fsa/model"
)

// ParallelFS selects variables by group testing (Zhou, Porwal, Zhang, Ngo, Nguyen, Ré and
// Govindaraju, 2014). A test is a random subset of about K variables. Its score is the mutual
// information of these variables and the target, as if all were normal: −½ln(1−R²), with the
// R² of a ridge regression. The score of a variable is the mean difference between tests with
// it and tests without it. The K variables with the highest scores are selected, and a model
// is fitted on them.
//
// Tests come in pairs that differ by one variable. The pairs of all variables around one
// random subset share one factorisation of its covariances. So thousands of tests cost little
// more than one, and variables are compared within the same subset.
//
// Iterations is the number of random subsets; 0 means 10.
type ParallelFS struct{ Options }

var _ Fitter = ParallelFS{}

// Fit implements [Fitter].
func (m ParallelFS) Fit(ctx context.Context, d *data.Dataset) (*model.Model, error) {
	t, err := newTask(ctx, "parallel-fs", d, m.Options, "squared", "logistic")
	if err != nil {
		return nil, err
	}
	subsets := cmp.Or(m.Iterations, 10)
	worth, err := t.groupWorth(ctx, subsets)
	if err != nil {
		return nil, err
	}
	var variables []int
	for _, at := range largest(worth, m.K) {
		variables = append(variables, t.design.Usable[at])
	}
	intercept, beta, err := t.refit(ctx, variables, 0)
	if err != nil {
		return nil, err
	}
	return t.linear(subsets, intercept, variables, beta)
}

// groupWorth returns the score of each usable variable from the tests around the given number of
// subsets.
func (t *task) groupWorth(ctx context.Context, subsets int) ([]float64, error) {
	worth := make([]float64, len(t.design.Usable))
	g := newGroupTests(t)
	size := max(1, min(t.K, len(worth)/2)) // of all variables there is but one subset
	for b := range subsets {
		members := rand.New(rand.NewPCG(t.Seed, uint64(b))).Perm(len(worth))[:size]
		slices.Sort(members)
		if err := g.add(ctx, worth, members); err != nil {
			return nil, err
		}
	}
	return worth, nil
}

// groupTests scores subsets of the usable variables, which are known by their
// places among these, less their means and at length one.
type groupTests struct {
	t     *task
	root  []float64 // of the share that each row has of the weights
	mean  []float64 // of each variable
	unit  []float64 // standard deviation of each
	cross []float64 // correlation of each with the response
}

func newGroupTests(t *task) *groupTests {
	n, p := len(t.Y), len(t.design.Usable)
	g := &groupTests{t: t, root: make([]float64, n), mean: make([]float64, p), unit: make([]float64, p), cross: make([]float64, p)}
	share, y := t.weights(), slices.Clone(t.Y)
	floats.Scale(1/floats.Sum(share), share)
	floats.AddConst(-floats.Dot(share, y), y)
	square := 0.0
	for i, s := range share {
		g.root[i] = math.Sqrt(s)
		square += s * y[i] * y[i]
		y[i] *= s
	}
	floats.Scale(1/math.Sqrt(square), y)
	for at, v := range t.design.Usable {
		g.mean[at] = t.columns.Dot(v, share)
		index, value := t.columns.Cells(v)
		rest, square := 1.0, 0.0 // weight of the rows without a number
		for k, x := range value {
			w := share[column(index, k)]
			rest -= w
			square += w * (x - g.mean[at]) * (x - g.mean[at])
		}
		g.unit[at] = math.Sqrt(square + max(rest, 0)*g.mean[at]*g.mean[at])
		g.cross[at] = t.columns.Dot(v, y) / g.unit[at]
	}
	return g
}

// fill sets dst to a variable, times the roots of the shares.
func (g *groupTests) fill(dst []float64, at int) {
	clear(dst)
	index, value := g.t.columns.Cells(g.t.design.Usable[at])
	for k, x := range value {
		dst[column(index, k)] = x
	}
	for i, r := range g.root {
		dst[i] = r * (dst[i] - g.mean[at]) / g.unit[at]
	}
}

// groupRidge is added to the variances of the variables of a test, as a share.
const groupRidge = 0.01

// dependence is the score of a test whose regression has the given R².
func dependence(r2 float64) float64 { return -math.Log(max(1-r2, 1e-12)) / 2 }

// add scores the tests around a subset, and adds to the worth of each variable
// by how much those with it score more than those without.
func (g *groupTests) add(ctx context.Context, worth []float64, members []int) error {
	size, width := len(members), gram.Padded(len(g.root))
	cells, square, right := make([]float64, size*width), make([]float64, size*size), make([]float64, size)
	for a, at := range members {
		g.fill(cells[a*width:(a+1)*width], at)
		right[a] = g.cross[at]
	}
	if err := gram.Add(ctx, g.t.Threads, square, cells, size); err != nil {
		return err
	}
	l, ok := gram.Factorize(size, func(i, j int) float64 {
		if i == j {
			return square[i*size+i] + groupRidge
		}
		return square[i*size+j]
	})
	if !ok {
		panic("baseline: covariances with a ridge are not positive definite")
	}
	known := l.Forward(right)
	r2 := floats.Dot(known, known)
	for a, b := range l.Solve(right) { // without one of them
		one := make([]float64, size)
		one[a] = 1
		inverse := l.Forward(one)
		worth[members[a]] += dependence(r2) - dependence(r2-b*b/floats.Dot(inverse, inverse))
	}
	if !dense(g.t.columns) {
		cells = byRow(cells, size)
	}
	const block = 32 // variables that are multiplied with the subset at a time
	return parallel.Do(ctx, g.t.Threads, (len(worth)+block-1)/block, func(_, b int) error {
		first, last := b*block, min((b+1)*block, len(worth))
		for k, products := range g.products(first, last, cells, size) {
			at := first + k
			if _, in := slices.BinarySearch(members, at); in {
				continue
			}
			seen := l.Forward(products)
			more := g.cross[at] - floats.Dot(seen, known)
			worth[at] += dependence(r2+more*more/(1+groupRidge-floats.Dot(seen, seen))) - dependence(r2)
		}
		return ctx.Err()
	})
}

// products returns those of some variables with the members of a subset, whose
// cells stand by member, or by row for a sparse table.
func (g *groupTests) products(first, last int, cells []float64, size int) [][]float64 {
	n, width := last-first, len(cells)/size
	out, flat := make([][]float64, n), make([]float64, n*size)
	for k := range out {
		out[k] = flat[k*size : (k+1)*size]
	}
	if dense(g.t.columns) {
		x := make([]float64, n*width)
		for k := range n {
			g.fill(x[k*width:(k+1)*width], first+k)
		}
		gram.Cross(flat, x, cells, n, size)
		return out
	}
	for k := range n { // members have the mean zero, so that what is not there adds nothing
		index, value := g.t.columns.Cells(g.t.design.Usable[first+k])
		for p, i := range index {
			floats.AddScaled(out[k], value[p]*g.root[i]/g.unit[first+k], cells[int(i)*size:(int(i)+1)*size])
		}
	}
	return out
}

// byRow returns cells of vectors that stand one after the other place by place.
func byRow(cells []float64, vectors int) []float64 {
	width := len(cells) / vectors
	out := make([]float64, len(cells))
	for a := range vectors {
		for i, v := range cells[a*width : (a+1)*width] {
			out[i*vectors+a] = v
		}
	}
	return out
}
