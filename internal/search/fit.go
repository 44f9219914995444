package search

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"fsa/anneal"
	"fsa/internal/objective"
	"fsa/internal/solve"
	"fsa/loss"
)

// Fit is the result of a recipe on a sample: the selected groups and their coefficients.
type Fit struct {
	Groups   []int // selected groups, ascending
	Ridge    float64
	Adaptive bool
	Guarded  bool // the guard against overfitting chose the ridge
	// Solution is the optimum that the solver found, perhaps without margins; nil for a direct recipe.
	Solution *solve.Solution

	sample  *Sample
	problem *problem       // the problem that the solver solved; nil for a direct recipe
	columns []int          // its columns that were fitted
	descent *anneal.Result // the descent that selected the groups; nil without a descent
	res     *anneal.Result // coefficients; see result
	ob      *objective.Objective
	hessian *mat.Cholesky // bound on the Hessian of the refined coefficients; nil if they were not refined
	loss    float64       // mean objective at the coefficients, if it was computed
	cuts    []float64     // thresholds of ordered classes, if they were computed
}

// objective returns the objective of the selected groups alone.
func (f *Fit) objective() *objective.Objective {
	if f.ob == nil {
		f.ob = f.sample.objective(f.Groups, len(f.Groups), f.Ridge, f.sample.Rows())
	}
	return f.ob
}

// result returns the coefficients in the layout of the objective. It computes them when they are first
// needed.
func (f *Fit) result() *anneal.Result {
	if f.res == nil {
		l := f.objective().Layout()
		f.res = &anneal.Result{Groups: all(len(f.Groups)), Layout: l, Beta: f.problem.pack(l, f.Solution, f.sample.bases(f.Groups, f.objective())), Trace: []anneal.Epoch{{}}}
		if d := f.descent; d != nil && len(d.Trace) > 0 {
			f.res.Trace, f.res.Status = d.Trace, d.Status
		}
	}
	return f.res
}

// Sample returns the sample of the fit. Variables are numbered as in its design.
func (f *Fit) Sample() *Sample { return f.sample }

// Columns returns the first column of the dataset of each selected group.
func (f *Fit) Columns() []int { return f.sample.Columns(f.Groups) }

// Paired reports whether interactions are selected.
func (f *Fit) Paired() bool { return len(f.Columns()) < len(f.Groups) }

// Status says why the descent ended.
func (f *Fit) Status() string { return f.result().Status.String() }

// Eta returns the last step size of the descent.
func (f *Fit) Eta() float64 { t := f.result().Trace; return t[len(t)-1].Eta }

// Intercept returns the intercept of each output.
func (f *Fit) Intercept() []float64 { return f.result().Free() }

// Decisions returns the decision values of all rows, row after row.
func (f *Fit) Decisions(ctx context.Context) ([]float64, error) {
	return f.objective().Decisions(ctx, f.result().Beta)
}

// Variable is a selected variable with its coefficients.
type Variable struct {
	Number int       // number of the variable in the design
	First  int       // its first column in the design
	Values []float64 // coefficients by output, then column
}

// Variables returns the selected variables with their coefficients.
func (f *Fit) Variables() []Variable {
	s := f.sample
	outputs := s.Loss.Outputs()
	var list []Variable
	for i, g := range f.Groups {
		beta := f.result().Group(i)
		width := len(beta) / outputs // coefficients of the group in each output
		at := 0
		for _, v := range s.Groups.Of(g) {
			lo, hi := f.objective().First(v)
			n := hi - lo
			values := make([]float64, 0, outputs*n)
			for c := range outputs {
				values = append(values, beta[c*width+at:c*width+at+n]...)
			}
			s.roundToLimit(v, values)
			at += n
			list = append(list, Variable{v, lo, values})
		}
	}
	return list
}

// problem is the fit of the columns of selected groups to their optimum.
type problem struct {
	solve.Problem
	groups  []int
	first   []int // first column of each group, and the number of columns
	outputs int
	bases   []curveBasis // bases of its shape functions
}

func (p *problem) columns() []int { return all(len(p.X)) }

// holds reports whether the problem has the columns of a group.
func (p *problem) holds(group int) bool {
	if p == nil {
		return false
	}
	_, found := slices.BinarySearch(p.groups, group)
	return found
}

// span returns the first column of a group and the one after its last.
func (p *problem) span(group int) (lo, hi int) {
	at, _ := slices.BinarySearch(p.groups, group)
	return p.first[at], p.first[at+1]
}

// columnsOf returns the columns of some groups.
func (p *problem) columnsOf(groups []int) (columns []int) {
	for _, g := range groups {
		for c, after := p.span(g); c < after; c++ {
			columns = append(columns, c)
		}
	}
	return columns
}

// onto converts a solution to a starting point of another problem. Columns of other groups get a coefficient of zero.
func (p *problem) onto(to *problem, s *solve.Solution) *solve.Solution {
	start := &solve.Solution{Intercept: s.Intercept}
	for _, from := range s.Beta {
		beta := make([]float64, len(to.X))
		for _, g := range to.groups {
			if p.holds(g) {
				lo, hi := p.span(g)
				at, _ := to.span(g)
				copy(beta[at:], from[lo:hi])
			}
		}
		start.Beta = append(start.Beta, beta)
	}
	return start
}

// unpack converts coefficients from the order of annealing (by group, then output) to the order of the
// solver (by output). pack does the reverse.
func (p *problem) unpack(l anneal.Layout, beta []float64) *solve.Solution {
	s := &solve.Solution{Beta: make([][]float64, p.outputs), Intercept: make([]float64, p.outputs)}
	for g := range l.Groups() {
		part := l.Of(beta, g)
		width := len(part) / p.outputs
		for c := range p.outputs {
			s.Beta[c] = append(s.Beta[c], part[c*width:(c+1)*width]...)
		}
	}
	for _, b := range p.bases {
		for c := range p.outputs {
			b.toBasis(s.Beta[c])
		}
	}
	copy(s.Intercept, beta[len(beta)-l.Free:])
	return s
}

func (p *problem) pack(l anneal.Layout, s *solve.Solution, bases []curveBasis) []float64 {
	beta := make([]float64, l.Len())
	by := make([][]float64, p.outputs)
	for c := range by {
		by[c] = slices.Clone(s.Beta[c])
		for _, b := range bases {
			b.toKnots(by[c])
		}
	}
	at := 0
	for g := range l.Groups() {
		part := l.Of(beta, g)
		width := len(part) / p.outputs
		for c := range p.outputs {
			copy(part[c*width:(c+1)*width], by[c][at:at+width])
		}
		at += width
	}
	copy(beta[len(beta)-l.Free:], s.Intercept)
	return beta
}

// MeanLoss returns the mean loss without penalties, and the number of coefficients besides the
// intercept.
func (f *Fit) MeanLoss(ctx context.Context) (loss float64, coefficients int, err error) {
	if s := f.Complete(); s != nil {
		return s.Loss, len(s.Beta) * len(s.Beta[0]), nil
	}
	res := f.result()
	loss, err = f.objective().MeanWithoutRidge(ctx, res.Beta)
	return loss, len(res.Beta) - len(res.Free()), err
}

// Complete returns the optimum that the solver found, with its margins; nil for a direct recipe.
func (f *Fit) Complete() *solve.Solution {
	if f.Solution != nil && f.Solution.Z == nil {
		p := f.problem.Problem
		p.Ridge = f.Ridge // later fits with the same problem may have changed it
		p.Complete(f.Solution, f.columns)
	}
	return f.Solution
}

// MarginsOf returns the decision values of the given rows, output after output. For ordered classes it returns the
// logarithms of the class probabilities. The margins of other rows are not computed unless the loss needs them.
func (f *Fit) MarginsOf(ctx context.Context, rows []int) ([]float64, error) {
	z, err := f.margins(ctx, rows)
	if err != nil {
		return nil, err
	}
	cuts, err := f.Cuts(ctx)
	if cuts == nil || err != nil {
		return z, err
	}
	n, room := len(rows), []float64(nil)
	by := make([]float64, n*(len(cuts)+1))
	for i, v := range z {
		room = loss.LogShares(room[:0], cuts, v)
		for c, p := range room {
			by[c*n+i] = p
		}
	}
	return by, nil
}

// Cuts returns the thresholds of ordered classes at the decision values of the rows with a weight; nil for other
// losses.
func (f *Fit) Cuts(ctx context.Context) ([]float64, error) {
	l, ok := f.sample.Loss.(loss.Cut)
	if !ok || f.cuts != nil {
		return f.cuts, nil
	}
	z, err := f.margins(ctx, all(f.sample.Rows()))
	if err == nil {
		f.cuts = l.Cuts(z, f.sample.lossTarget())
	}
	return f.cuts, err
}

// margins returns the decision values of some rows, output after output.
func (f *Fit) margins(ctx context.Context, rows []int) ([]float64, error) {
	if f.Solution != nil {
		return f.problem.Margins(f.Solution, f.columns, rows), nil
	}
	z, err := f.Decisions(ctx)
	if err != nil {
		return nil, err
	}
	outputs := f.sample.Loss.Outputs()
	by := make([]float64, outputs*len(rows))
	for i, row := range rows {
		for c := range outputs {
			by[c*len(rows)+i] = z[row*outputs+c]
		}
	}
	return by, nil
}
