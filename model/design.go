package model

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fsa/data"
	"fsa/data/kind"
)

// Learned is a fitted model in the columns of a design.
type Learned struct {
	Response *Response
	Design   *data.Design
	// Intercept of each output.
	Intercept []float64
	Variables []Coefficients
	// Decision holds the decision values of the training rows, row after row.
	Decision []float64
	Training Training
	// Validation is the result of cross-validation, nil if there was none.
	Validation *Validation
	// Calibrated says that decision values are log odds, whatever the loss. Threshold is the
	// decision value above which the last of two classes is predicted.
	Calibrated bool
	Threshold  float64
	// Extrapolate is one of [Extrapolations], or empty.
	Extrapolate string
}

// Coefficients are those of a variable of a design: of each of its columns, output
// after output.
type Coefficients struct {
	Variable int // of the design
	First    int // the first of its columns
	Values   []float64
}

// FromDesign returns a model in the units of the input.
func FromDesign(d *data.Dataset, l Learned) (*Model, error) {
	r := l.Response
	s := spec{
		Task: r.Task, Loss: r.Name, Classes: r.Classes, Outputs: len(l.Intercept), Bins: l.Design.Bins, Width: d.NamelessWidth(),
		Intercept: slices.Clone(l.Intercept), Settings: r.Settings,
		Training: l.Training, Validation: l.Validation, Calibrated: l.Calibrated, Threshold: l.Threshold,
	}
	var indicators []variable
	for _, c := range l.Variables {
		v := s.variable(d, l.Design, c.Variable, c.First, c.Values)
		if v.Part == data.MissingPart {
			indicators = append(indicators, v)
			continue
		}
		s.Variables = append(s.Variables, v)
	}
	for _, v := range indicators {
		s.addIndicator(&v)
	}
	s.extrapolate(l.Extrapolate)
	s.setColumns(d)
	return s.complete(d, r, l.Decision)
}

// addIndicator makes the indicator of missing values a part of its variable: what the
// known ones add goes into the intercept.
func (s *spec) addIndicator(indicator *variable) {
	at := slices.IndexFunc(s.Variables, func(v variable) bool { return v.Index == indicator.Index && v.Kind == linear })
	if at < 0 {
		return
	}
	v := &s.Variables[at]
	missing := make([]float64, s.Outputs)
	for c := range missing {
		known, gone := indicator.Coefficients[2*c], indicator.Coefficients[2*c+1]
		s.Intercept[c] += known
		missing[c] = v.part(math.NaN(), c, s) + gone - known
	}
	v.Missing, v.Norm = missing, math.Hypot(v.Norm, indicator.Norm)
}

// setColumns notes how the columns of the variables and the response are read, where that
// is not plain.
func (s *spec) setColumns(d *data.Dataset) {
	noted := map[string]bool{}
	note := func(name string, k kind.Column) {
		if !k.Plain() && !noted[name] {
			noted[name] = true
			s.Columns = append(s.Columns, column{name, k})
		}
	}
	for i := range s.Variables {
		if j := d.Lookup(s.Variables[i].Name); j >= 0 {
			note(s.Variables[i].Name, d.Kind(j))
		}
	}
	if k := d.TargetKind(); !k.Text() { // classes are told apart by their names
		note(d.Target.Name, k)
	}
	slices.SortFunc(s.Columns, func(a, b column) int { return strings.Compare(a.Name, b.Name) })
}

// NewTraining returns a Training that describes the table.
func NewTraining(d *data.Dataset, k int) Training {
	t := d.Target
	return Training{Target: t.Name, Weights: t.WeightName, Query: t.QueryName, Offset: offsetName(t), Exposure: t.Exposure, Event: t.EventName, Stratum: t.StratumName, IndexBase: d.IndexBase(), Rows: d.Rows(), Columns: d.Width(), K: k}
}

// complete orders the variables, measures the decision values of the training
// rows, z, and brings the model back to the unit of the response.
func (s *spec) complete(d *data.Dataset, r *Response, z []float64) (*Model, error) {
	if s.Variables == nil {
		s.Variables = []variable{} // as a list in its file, too
	}
	slices.SortStableFunc(s.Variables, func(a, b variable) int {
		switch {
		case a.Norm > b.Norm:
			return -1
		case a.Norm < b.Norm:
			return 1
		}
		return a.Index - b.Index
	})
	seen := *r.Target
	seen.Weight = r.rowWeight // weights of classes are for learning, not for measuring
	s.Training.Metrics = metrics(s, &seen, r.complete(z))
	if s.Task == Survival {
		s.Baselines = r.baselines(r.complete(z))
	}
	r.restore(s.Intercept)
	s.rescale(r.unit)
	if err := s.check(); err != nil {
		return nil, &data.Error{File: d.Name, Msg: fmt.Sprintf("the model cannot be written in the units of the table (%v): change the units of the target or of that column", err)}
	}
	return &Model{spec: *s}, nil
}

// variable returns variable v of the design, whose columns begin at first, with
// coefficients that come output after output, in the units of the input.
func (s *spec) variable(d *data.Dataset, g *data.Design, v, first int, coef []float64) variable {
	j := g.Variables[v]
	c := d.Columns[j]
	out := variable{Index: c.Index, Name: d.ColumnName(j), Kind: linear, Norm: norm(coef), Coefficients: coef, Mean: c.Mean}
	if !d.Sparse() {
		out.Gaps = float64(c.Missing) / float64(d.Rows())
	}
	n := len(coef) / s.Outputs
	switch {
	case c.Text:
		out.Kind, out.Mean, out.Part = categorical, 0, d.Part(j)
		levels, rare := d.Levels(j)
		if out.Levels = slices.Clone(levels); rare >= 0 {
			out.Rare = levels[rare]
		}
		if n > len(out.Levels) {
			out.Levels = append(out.Levels, "")
		}
		s.uncenter(g.Mean[first:first+n], coef)
		for i := range coef {
			coef[i] *= g.Scale[first+i%n]
		}
		out.Norm = deviation(g, first, n, coef)
		if rare >= 0 {
			s.relativeTo(rare, n, coef)
		}
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
		if c.TwoValued() && !math.IsInf(c.Max-c.Min, 0) {
			s.straighten(&out, c.Min, c.Max)
		}
	default:
		unit, center := g.Units(v)
		out.Center, out.Low, out.High = center, c.Min, c.Max
		out.Norm *= g.Weight(v)
		for i := range coef {
			coef[i] /= unit
		}
	}
	return out
}

// straighten makes a line of a curve of which two values are known, the least and the greatest:
// there is nothing between them.
func (s *spec) straighten(v *variable, low, high float64) {
	line := make([]float64, s.Outputs)
	for c := range line {
		at := v.part(low, c, s)
		line[c] = (v.part(high, c, s) - at) / (high - low)
		s.Intercept[c] += at
		if v.Missing != nil {
			v.Missing[c] -= at
		}
	}
	v.Kind, v.Knots, v.Coefficients = linear, nil, line
	v.Center, v.Low, v.High = low, low, high
}

// relativeTo moves what a level adds into the intercept, so that it adds nothing, as texts
// do that come later: a rare text is what they are most likely to be.
func (s *spec) relativeTo(level, n int, coef []float64) {
	for c := range s.Outputs {
		own := coef[c*n : (c+1)*n]
		base := own[level]
		s.Intercept[c] += base
		for i := range own {
			own[i] -= base
		}
	}
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
// to the response itself, but for its intercept.
func (s *spec) rescale(unit float64) {
	if unit == 1 {
		return
	}
	scale := func(v []float64) {
		for i := range v {
			v[i] *= unit
		}
	}
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
