package model

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"fsa/data"
	"fsa/data/kind"
)

// Learned is a fitted model in terms of the columns of a design.
type Learned struct {
	Response *Response
	Design   *data.Design
	// Intercept has one number per output.
	Intercept []float64
	Variables []Coefficients
	// Decision holds the decision values of the training rows, row after row.
	Decision []float64
	Training Training
	// Validation is the result of cross-validation, nil if there was none.
	Validation *Validation
	// Discoveries says how variables were discovered at a false discovery rate, nil if they were not.
	Discoveries *Discoveries
	// Calibrated says that decision values are log odds, for any loss. Threshold is the decision
	// value above which the last of two classes is predicted.
	Calibrated bool
	Threshold  float64
	// Cuts are the thresholds of ordered classes.
	Cuts []float64
	// OffsetModel is the model from which the fit started; nil if there is none.
	OffsetModel *Model
	// Extrapolate is one of [Extrapolations], or empty.
	Extrapolate string
}

// Coefficients of a variable of a design: those of each of its columns, output after output.
type Coefficients struct {
	Variable int // index in the design
	First    int // index of its first column
	Values   []float64
}

// FromDesign returns a model in the units of the input.
func FromDesign(d *data.Dataset, l Learned) (*Model, error) {
	r := l.Response
	s := spec{
		Task: r.Task, Loss: r.Name, Link: r.ownLink(), given: r.given, Classes: r.Classes, Targets: r.Targets, Outputs: len(l.Intercept), Bins: l.Design.Bins, Width: d.NamelessWidth(),
		Intercept: slices.Clone(l.Intercept), Settings: r.Settings,
		Training: l.Training, Validation: l.Validation, Discoveries: l.Discoveries, Calibrated: l.Calibrated, Threshold: l.Threshold,
	}
	s.Settings.Cuts = l.Cuts
	if l.Design.Roots {
		s.Bins = data.RootBins
	}
	if l.OffsetModel != nil {
		s.OffsetModel = &l.OffsetModel.inTable(d).spec
	}
	var indicators []variable
	for _, c := range l.Variables {
		if of := l.Design.Product(c.Variable); of != nil {
			s.addProduct(d, l.Design, of, c.First, c.Values)
			continue
		}
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

// addIndicator merges the indicator of missing values into its variable. What the indicator adds
// for known values is moved to the intercept.
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

// setColumns records how the columns of the variables and the target are read, if they are not
// plain numbers or texts.
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
	for i := range s.Interactions {
		for _, v := range s.Interactions[i].Sides {
			if j := d.Lookup(v.Name); j >= 0 {
				note(v.Name, d.Kind(j))
			}
		}
	}
	if k := d.TargetKind(); !k.Text() { // classes are matched by their names
		note(d.Target.Name, k)
	}
	for _, t := range s.Targets {
		if k := d.KindOf(t.Name); !k.Text() {
			note(t.Name, k)
		}
	}
	slices.SortFunc(s.Columns, func(a, b column) int { return strings.Compare(a.Name, b.Name) })
}

// NewTraining returns a Training that describes the table.
func NewTraining(d *data.Dataset, k int) Training {
	t := d.Target
	return Training{Target: t.Name, Weights: t.WeightName, Query: t.QueryName, Offset: offsetName(t), Exposure: t.Exposure, Event: t.EventName, Stratum: t.StratumName, Entry: t.EntryName, Trials: t.TrialsName, IndexBase: d.IndexBase(), Rows: d.Rows(), Columns: d.Width(), K: k}
}

// complete orders the variables, computes the metrics from the decision values z of the training
// rows, and converts the model back to the unit of the response.
func (s *spec) complete(d *data.Dataset, r *Response, z []float64) (*Model, error) {
	if s.Variables == nil {
		s.Variables = []variable{} // so that the file has a list, not null
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
	slices.SortStableFunc(s.Interactions, func(a, b interaction) int { return cmp.Compare(b.Norm, a.Norm) })
	seen := *r.Target
	seen.Weight = r.rowWeight // class weights are for training, not for metrics
	s.Training.Metrics = metrics(s, &seen, r.complete(z))
	if s.Task == Survival {
		s.Baselines = r.baselines(r.complete(z))
	}
	r.restore(s.Intercept)
	s.rescale(r.unit)
	if r.several != nil {
		r.several.restore(s.Intercept)
		s.rescaleTargets(r.several.deviations)
	}
	m := &Model{spec: *s}
	m.anchor()
	*s = m.spec
	if err := s.check(); err != nil {
		return nil, &data.Error{File: d.Name, Msg: fmt.Sprintf("the model cannot be written in the units of the table (%v): change the units of the target or of that column", err)}
	}
	return &Model{spec: *s}, nil
}

// variable returns variable v of the design in the units of the input. Its columns begin at first,
// and its coefficients are ordered output after output.
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
	case g.Roots:
		unit, center := g.Units(v)
		out.Norm *= g.Weight(v)
		out.Kind, out.Coefficients = curve, nil
		at, values := data.RootCurve(c.Max)
		out.Knots = at
		for _, b := range coef {
			for _, root := range values {
				out.Coefficients = append(out.Coefficients, b/unit*(root-center))
			}
		}
		if c.TwoValued() {
			s.straighten(&out, c.Min, c.Max)
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

// straighten turns a curve into a line if the variable has only two values: there is nothing
// between them.
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

// relativeTo shifts the coefficients so that the given level adds nothing, and adds the difference
// to the intercept. Texts that did not occur in training add nothing either; they are most similar
// to rare texts.
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

// deviation returns the standard deviation of the contribution of a category or a curve to the
// decision value, all outputs together. Numbers of a curve are rounded to knots. The mean of such
// an indicator column is the share of its rows.
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

// rescale converts a model, except its intercept, from a response measured in the given unit back
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
	for i := range s.Variables {
		scale(s.Variables[i].Coefficients)
		scale(s.Variables[i].Missing)
		s.Variables[i].Norm = min(s.Variables[i].Norm*unit, math.MaxFloat64)
	}
	for i := range s.Interactions {
		scale(s.Interactions[i].Coefficients)
		s.Interactions[i].Norm = min(s.Interactions[i].Norm*unit, math.MaxFloat64)
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
