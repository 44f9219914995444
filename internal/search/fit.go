package search

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"fsa/anneal"
	"fsa/internal/objective"
	"fsa/internal/solve"
)

// Fit is what a recipe has selected and learned on a sample.
type Fit struct {
	Groups   []int // selected, ascending
	Ridge    float64
	Adaptive bool
	Guarded  bool // the ridge was chosen by the guard against overfitting
	// Solution is the optimum by the solver; nil for a direct recipe.
	Solution *solve.Solution

	sample  *Sample
	problem *problem       // that was solved; nil for a direct recipe
	descent *anneal.Result // that selected; nil where nothing descended
	res     *anneal.Result // coefficients; see result
	ob      *objective.Objective
	hessian *mat.Cholesky // bound on the Hessian of what was refined; nil where nothing was
	loss    float64       // mean objective at the coefficients, where it was asked for
}

// objective returns the objective of the selected groups alone.
func (f *Fit) objective() *objective.Objective {
	if f.ob == nil {
		f.ob = f.sample.objective(f.Groups, len(f.Groups), f.Ridge, f.sample.Rows())
	}
	return f.ob
}

// result returns the coefficients in the layout of the objective.
func (f *Fit) result() *anneal.Result {
	if f.res == nil {
		l := f.objective().Layout()
		f.res = &anneal.Result{Groups: all(len(f.Groups)), Layout: l, Beta: f.problem.pack(l, f.Solution, f.sample.bends(f.Groups, f.objective())), Trace: []anneal.Epoch{{}}}
		if d := f.descent; d != nil && len(d.Trace) > 0 {
			f.res.Trace, f.res.Status = d.Trace, d.Status
		}
	}
	return f.res
}

// Sample returns what it was learned from: the variables are those of its design.
func (f *Fit) Sample() *Sample { return f.sample }

// Columns returns the columns of the dataset behind the selected groups, the first of each.
func (f *Fit) Columns() []int { return f.sample.Columns(f.Groups) }

// Status says why the descent ended.
func (f *Fit) Status() string { return f.result().Status.String() }

// Eta returns the last step of the descent.
func (f *Fit) Eta() float64 { t := f.result().Trace; return t[len(t)-1].Eta }

// Intercept returns that of each output.
func (f *Fit) Intercept() []float64 { return f.result().Free() }

// Decisions returns the decision values of all rows, row after row.
func (f *Fit) Decisions(ctx context.Context) ([]float64, error) {
	return f.objective().Decisions(ctx, f.result().Beta)
}

// Variable is a variable of a fit, with its coefficients.
type Variable struct {
	Number int       // in the design
	First  int       // column of the design
	Values []float64 // by output, then column
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
			at += n
			list = append(list, Variable{v, lo, values})
		}
	}
	return list
}

// problem is the problem of learning some columns that belong to groups.
type problem struct {
	solve.Problem
	outputs int
	bends   []bend // of its curves
}

func (p *problem) columns() []int { return all(len(p.X)) }

// unpack brings coefficients in the order of annealing, group by group and output by
// output, to those of the solver; pack does the reverse.
func (p *problem) unpack(l anneal.Layout, beta []float64) *solve.Solution {
	s := &solve.Solution{Beta: make([][]float64, p.outputs), Intercept: make([]float64, p.outputs)}
	for g := range l.Groups() {
		part := l.Of(beta, g)
		width := len(part) / p.outputs
		for c := range p.outputs {
			s.Beta[c] = append(s.Beta[c], part[c*width:(c+1)*width]...)
		}
	}
	for _, b := range p.bends {
		for c := range p.outputs {
			b.toBasis(s.Beta[c])
		}
	}
	copy(s.Intercept, beta[len(beta)-l.Free:])
	return s
}

func (p *problem) pack(l anneal.Layout, s *solve.Solution, bends []bend) []float64 {
	beta := make([]float64, l.Len())
	by := make([][]float64, p.outputs)
	for c := range by {
		by[c] = slices.Clone(s.Beta[c])
		for _, b := range bends {
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
	if s := f.Solution; s != nil {
		return s.Loss, len(s.Beta) * len(s.Beta[0]), nil
	}
	res := f.result()
	loss, err = f.objective().MeanWithoutRidge(ctx, res.Beta)
	return loss, len(res.Beta) - len(res.Free()), err
}

// Margins returns the margins of all rows, output after output.
func (f *Fit) Margins(ctx context.Context) ([]float64, error) {
	if f.Solution != nil {
		return f.Solution.Z, nil
	}
	z, err := f.Decisions(ctx)
	outputs := f.sample.Loss.Outputs()
	if err != nil || outputs == 1 {
		return z, err
	}
	rows := len(z) / outputs
	by := make([]float64, len(z))
	for i := range rows {
		for c := range outputs {
			by[c*rows+i] = z[i*outputs+c]
		}
	}
	return by, nil
}
