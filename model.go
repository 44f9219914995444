package fsa

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"fsa/anneal"
	"fsa/data"
)

// Model is what was learned: the chosen variables and their part in the
// prediction. It is immutable and safe for concurrent use.
//
// A model predicts one decision value, or one for each class with the
// multinomial loss: the intercept plus the parts of the variables. It works on
// rows as they stand in the input; nothing has to be scaled first.
type Model struct {
	spec spec
}

// spec is a model as it is written to a file.
type spec struct {
	Task    Task     `json:"task"`
	Loss    string   `json:"loss"`
	Classes []string `json:"classes,omitempty"`
	Outputs int      `json:"outputs"`
	Bins    int      `json:"bins,omitempty"`
	// Width is the number of columns of the input, if they have no names: then
	// a variable is known by its position, and another width is another table.
	Width int `json:"width,omitempty"`
	// Intercept of each output, when every linear variable is at its center.
	Intercept []float64  `json:"intercept"`
	Variables []variable `json:"variables"`
	Training  Training   `json:"training"`
}

// Training says what a model was learned from, and how it went.
type Training struct {
	Target  string `json:"target,omitempty"`  // column of the response
	Weights string `json:"weights,omitempty"` // column of the weights
	Query   string `json:"query,omitempty"`   // column of the queries
	// IndexBase is that of a text file that numbered its columns; see [data.Schema].
	IndexBase string             `json:"index_base,omitempty"`
	Method    string             `json:"method,omitempty"` // where it was not annealing
	Rows      int                `json:"rows"`
	Columns   int                `json:"columns"`
	K         int                `json:"k"`
	Epochs    int                `json:"epochs"`
	Passes    float64            `json:"passes"`
	Eta       float64            `json:"eta"` // the last step
	Scale     data.Scale         `json:"scale,omitempty"`
	Storage   data.Storage       `json:"storage,omitempty"` // of the numbers, where it was not float32
	Shrink    float64            `json:"shrink,omitempty"`  // strength of the shrinkage
	Doubted   bool               `json:"doubted,omitempty"` // it was chosen because what was found may partly be chance
	Status    string             `json:"status"`
	Metrics   map[string]float64 `json:"metrics"`
}

// The kinds of a variable's part in a decision value.
const (
	linear      = "linear"   // coefficient·(x−center)
	curve       = "curve"    // piecewise linear between knots
	steps       = "steps"    // constant in each of the bins
	categorical = "category" // a number for each level
)

// variable is a chosen variable. Coefficients come output after output.
type variable struct {
	Index        int       `json:"index"`
	Name         string    `json:"name"`
	Kind         string    `json:"kind"`
	Norm         float64   `json:"norm"`
	Coefficients []float64 `json:"coefficients"`

	Center float64 `json:"center,omitempty"` // linear: where the part is zero
	Mean   float64 `json:"mean,omitempty"`   // unless a category: stands for a missing value
	Low    float64 `json:"low,omitempty"`    // steps: the range of the bins; curve: where they are of equal width
	High   float64 `json:"high,omitempty"`
	// Knots are those of a curve whose bins are not of equal width.
	Knots data.Knots `json:"knots,omitempty"`
	// Missing is the part of a missing value, of a curve learned with some.
	Missing []float64 `json:"missing,omitempty"`
	// Levels are the texts of a category; "" is a missing one.
	Levels []string `json:"levels,omitempty"`
}

// Selected is a chosen variable as a user sees it.
type Selected struct {
	// Index is the position of its column in the input, counted from 0.
	Index int `json:"index"`
	// Name is the name of its column.
	Name string `json:"name"`
	// Coefficients are in the units of the input: the slope of a linear
	// response, the values at the knots of a piecewise-linear one, the heights
	// of a step function on bins of equal width, a number for each level of a
	// category; for each class after the other where the model has a decision
	// value for each.
	Coefficients []float64 `json:"coefficients"`
	// Norm is what variables are ordered by: the standard deviation of what the
	// variable adds to the decision value. With [data.ScaleCommon] and
	// [data.ScaleNone] that of a linear part is the length of its coefficients.
	Norm float64 `json:"norm"`
	// Knots are where the values of a piecewise-linear response lie.
	Knots []float64 `json:"knots,omitempty"`
	// Missing is the value of a missing number in such a response, if there
	// were some to learn from.
	Missing []float64 `json:"missing,omitempty"`
	// Levels are the texts of a category.
	Levels []string `json:"levels,omitempty"`
}

// Task returns what the model predicts.
func (m *Model) Task() Task { return m.spec.Task }

// Loss returns the name of the loss it was learned with.
func (m *Model) Loss() string { return m.spec.Loss }

// Classes returns the names of the classes; the last of two is the positive one.
func (m *Model) Classes() []string { return slices.Clone(m.spec.Classes) }

// Outputs returns the number of decision values of a row.
func (m *Model) Outputs() int { return m.spec.Outputs }

// Training returns what the model was learned from.
func (m *Model) Training() Training {
	t := m.spec.Training
	t.Metrics = maps.Clone(t.Metrics)
	return t
}

// Selected returns the chosen variables, the strongest first.
func (m *Model) Selected() []Selected {
	out := make([]Selected, len(m.spec.Variables))
	for i := range m.spec.Variables {
		v := &m.spec.Variables[i]
		out[i] = Selected{Index: v.Index, Name: v.Name, Coefficients: slices.Clone(v.Coefficients), Norm: v.Norm, Missing: slices.Clone(v.Missing), Levels: slices.Clone(v.Levels)}
		if v.Kind == curve {
			out[i].Knots = slices.Clone(v.knots(m.spec.Bins))
		}
	}
	return out
}

// Intercept returns the decision values of a row of zeros, as far as responses
// are linear.
func (m *Model) Intercept() []float64 {
	out := slices.Clone(m.spec.Intercept)
	for i := range m.spec.Variables {
		if v := &m.spec.Variables[i]; v.Kind == linear {
			for c := range out {
				out[c] -= v.Coefficients[c] * v.Center
			}
		}
	}
	return out
}

// Response returns the part of the i-th chosen variable, a number, in decision
// value c at each x: its response curve.
func (m *Model) Response(i, c int, x []float64) []float64 {
	out := make([]float64, len(x))
	for j, v := range x {
		out[j] = m.spec.Variables[i].part(v, c, &m.spec)
	}
	return out
}

// knots returns where the values of a curve lie.
func (v *variable) knots(bins int) data.Knots {
	if v.Knots != nil {
		return v.Knots
	}
	return data.EvenKnots(v.Low, v.High, bins)
}

// part returns what a value x of a number variable, NaN if it is missing, adds
// to decision value c.
func (v *variable) part(x float64, c int, s *spec) float64 {
	if v.Kind == curve {
		if x != x && v.Missing != nil {
			return v.Missing[c]
		}
		if x != x {
			x = v.Mean
		}
		at := v.Coefficients[c*(s.Bins+1):]
		bin, alpha := 0, 0.0
		if v.Knots != nil {
			bin, alpha = v.Knots.Locate(x)
		} else {
			bin, alpha = data.Knot(data.Place(x, v.Low, v.High), s.Bins)
		}
		return (1-alpha)*at[bin] + alpha*at[bin+1]
	}
	if x != x {
		x = v.Mean
	}
	if v.Kind == steps {
		bin, _ := data.Knot(data.Place(x, v.Low, v.High), s.Bins)
		return v.Coefficients[bin]
	}
	// The difference of large numbers of opposite sign may overflow; the
	// halves do not.
	return 2 * v.Coefficients[c] * (x/2 - v.Center/2)
}

// newModel brings the result of annealing back to the units of the input.
func newModel(ctx context.Context, from *search, f *fitted) (*Model, error) {
	d, r, o := from.data, from.resp, &from.Options
	ob, res := f.ob, f.res
	last := res.Trace[len(res.Trace)-1]
	outputs := r.loss.Outputs()
	s := spec{
		Task: r.task, Loss: r.name, Classes: r.classes, Outputs: outputs, Bins: o.Bins, Width: d.NamelessWidth(),
		Intercept: make([]float64, outputs),
		Training:  newTraining(d, o.K),
	}
	t := &s.Training
	t.Epochs, t.Passes, t.Eta, t.Scale, t.Status = f.epochs, ob.passes(), last.Eta, o.Scale, res.Status.String()
	t.Storage, t.Shrink, t.Doubted = o.Storage, ob.shrink.Lambda, f.doubted
	copy(s.Intercept, res.Free())
	for i, g := range res.Groups {
		beta := res.Group(i)
		width := len(beta) / outputs // coefficients of the group in each output
		at := 0
		for _, v := range f.groups.of(g) {
			lo, hi := ob.first.of(v)
			n := hi - lo
			coef := make([]float64, 0, outputs*n)
			for c := range outputs {
				coef = append(coef, beta[c*width+at:c*width+at+n]...)
			}
			at += n
			s.Variables = append(s.Variables, s.variable(d, ob.design, v, lo, coef))
		}
	}
	z, err := ob.decisions(ctx, res.Beta)
	if err != nil {
		return nil, err
	}
	return s.complete(d, r, z)
}

// newTraining says what is learned from.
func newTraining(d *data.Dataset, k int) Training {
	t := d.Target
	return Training{Target: t.Name, Weights: t.WeightName, Query: t.QueryName, IndexBase: d.IndexBase(), Rows: d.Rows(), Columns: d.Width(), K: k}
}

// complete orders the variables, measures the decision values of the training
// rows, z, and brings the model back to the unit of the response.
func (s *spec) complete(d *data.Dataset, r *response, z []float64) (*Model, error) {
	slices.SortStableFunc(s.Variables, func(a, b variable) int {
		switch {
		case a.Norm > b.Norm:
			return -1
		case a.Norm < b.Norm:
			return 1
		}
		return a.Index - b.Index
	})
	seen := *r.target
	seen.Weight = r.weight // weights of classes are for learning, not for measuring
	s.Training.Metrics = metrics(s, &seen, z)
	s.rescale(r.unit)
	if err := s.check(); err != nil {
		return nil, &data.Error{File: d.Name, Msg: fmt.Sprintf("the model cannot be written in the units of the table (%v): change the units of the target or of that column", err)}
	}
	return &Model{*s}, nil
}

// variable returns variable v of the design, whose columns begin at first, with
// coefficients that come output after output, in the units of the input.
func (s *spec) variable(d *data.Dataset, g *data.Design, v, first int, coef []float64) variable {
	j := g.Variables[v]
	c := d.Columns[j]
	out := variable{Index: c.Index, Name: d.ColumnName(j), Kind: linear, Norm: anneal.Norm(coef), Coefficients: coef, Mean: c.Mean}
	n := len(coef) / s.Outputs
	switch {
	case c.Text:
		out.Kind, out.Mean = categorical, 0
		out.Levels = slices.Clone(d.Categories(j))
		if n > len(out.Levels) {
			out.Levels = append(out.Levels, "")
		}
		s.uncenter(g.Mean[first:first+n], coef)
		for i := range coef {
			coef[i] *= g.Scale[first+i%n]
		}
		out.Norm = deviation(g, first, n, coef)
	case s.Bins > 0:
		s.uncenter(g.Mean[first:first+n], coef)
		out.Norm = deviation(g, first, n, coef)
		if out.Kind, out.Knots = curve, g.Knots(v); out.Knots == nil {
			out.Low, out.High = c.Min, c.Max
		}
		if n > s.Bins+1 {
			out.Coefficients, out.Missing = nil, nil
			for i := range s.Outputs {
				out.Coefficients = append(out.Coefficients, coef[i*n:(i+1)*n-1]...)
				out.Missing = append(out.Missing, coef[(i+1)*n-1])
			}
		}
	default:
		unit, center := g.Units(v)
		out.Center = center
		out.Norm *= g.Weight(v)
		for i := range coef {
			coef[i] /= unit
		}
	}
	return out
}

// deviation returns the standard deviation of what the n columns of a text or a curve
// add to the decision value, all outputs together; that of a curve as if numbers
// stood at its knots. The mean of such a column is the share of the rows that are
// there.
func deviation(g *data.Design, first, n int, coef []float64) float64 {
	var sum float64
	for c := 0; c < len(coef); c += n {
		var total, mean, squares float64
		for i, b := range coef[c : c+n] {
			share := g.Mean[first+i] / g.Scale[first+i]
			total += share
			mean += share * b
			squares += share * b * b
		}
		sum += max(0, squares-mean*mean/total)
	}
	return math.Sqrt(sum)
}

// rescale brings a model of a response that was measured in the given unit back
// to the response itself.
func (s *spec) rescale(unit float64) {
	if unit == 1 {
		return
	}
	scale := func(v []float64) {
		for i := range v {
			v[i] *= unit
		}
	}
	scale(s.Intercept)
	for i := range s.Variables {
		scale(s.Variables[i].Coefficients)
		scale(s.Variables[i].Missing)
		s.Variables[i].Norm = min(s.Variables[i].Norm*unit, math.MaxFloat64)
	}
	if rmse, ok := s.Training.Metrics["rmse"]; ok {
		s.Training.Metrics["rmse"] = rmse * unit
	}
}

// uncenter moves what was subtracted from cells into the intercept.
func (s *spec) uncenter(mean, coef []float64) {
	for i, b := range coef {
		s.Intercept[i/len(mean)] -= mean[i%len(mean)] * b
	}
}

// finite reports whether all numbers are.
func finite(v ...float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}
