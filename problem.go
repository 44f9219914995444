package fsa

import (
	"context"
	"math"
	"slices"

	"fsa/anneal"
	"fsa/data"
)

// Problem is a dataset whose response is encoded for learning. Methods other
// than annealing begin with one and end with its Model, so that all share
// prediction, files and measures.
type Problem struct {
	Data *data.Dataset
	Task Task
	// Y holds ±1 for a classification, else the response, and Weight the
	// weight of each row; nil means 1.
	Y, Weight []float64
	// Query cuts the rows of a ranking into queries, as in [data.Target].
	Query []int

	response *response
}

// NewProblem encodes the response of a dataset as the named loss wants it;
// "" looks at the response. Responses of more than two classes are refused.
func NewProblem(d *data.Dataset, lossName string) (*Problem, error) {
	o := Options{K: 1, LossName: lossName}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	r, err := newResponse(d, &o)
	if err != nil {
		return nil, err
	}
	if len(r.classes) > 2 {
		return nil, &data.Error{File: d.Name, Msg: "the target has more than two classes, which this method does not know"}
	}
	return &Problem{Data: d, Task: r.task, Y: r.target.Y, Weight: r.target.Weight, Query: r.target.Query, response: r}, nil
}

// Loss returns the name of the loss that the response is encoded for.
func (p *Problem) Loss() string { return p.response.name }

// Part is what a variable of the dataset adds to the decision value.
type Part struct {
	// Variable is its position among the columns of the dataset.
	Variable int
	// Heights are those of a step function on bins of equal width over the
	// range of the variable; nil for a linear part.
	Heights []float64
	// Slope is that of a linear part, in the units of the input.
	Slope float64
}

// Outcome is what a method has learned.
type Outcome struct {
	Method string // its name
	K      int    // as it was asked for
	Rounds int    // iterations, whatever the method calls so
	// Intercept is the decision value where every linear part is at the mean
	// of its variable and every step function is zero.
	Intercept float64
	Parts     []Part
	// Decision holds the decision value of every row, for the measures.
	Decision []float64
}

// Model returns the outcome of a method as a model. The heights of all parts
// that have some must be equally many.
func (p *Problem) Model(o Outcome) (*Model, error) {
	d, r := p.Data, p.response
	s := spec{
		Task: r.task, Loss: r.name, Classes: r.classes, Outputs: 1, Width: d.NamelessWidth(),
		Intercept: []float64{o.Intercept},
		Training:  newTraining(d, o.K),
	}
	s.Training.Method, s.Training.Epochs, s.Training.Status = o.Method, max(o.Rounds, 1), anneal.Completed.String()
	for _, part := range o.Parts {
		c := d.Columns[part.Variable]
		v := variable{Index: c.Index, Name: d.ColumnName(part.Variable), Mean: c.Mean}
		if part.Heights == nil {
			v.Kind, v.Center = linear, c.Mean
			v.Coefficients, v.Norm = []float64{part.Slope}, math.Abs(part.Slope)*c.SD
		} else {
			v.Kind, v.Low, v.High = steps, c.Min, c.Max
			v.Coefficients, v.Norm = slices.Clone(part.Heights), anneal.Norm(part.Heights)
			s.Bins = len(part.Heights)
		}
		s.Variables = append(s.Variables, v)
	}
	return s.complete(d, r, o.Decision)
}

// Fit implements the interface of all methods: it is [Fit] with these options.
func (o Options) Fit(ctx context.Context, d *data.Dataset) (*Model, error) { return Fit(ctx, d, o) }
