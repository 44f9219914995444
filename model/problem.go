package model

import (
	"context"
	"math"
	"slices"
	"strings"

	"fsa/data"
	"fsa/loss"
)

// Problem is a dataset whose target is encoded for training. Methods other than annealing
// start from a Problem and return its Model, so that prediction, files and metrics are shared.
type Problem struct {
	Data *data.Dataset
	Task Task
	// Y holds ±1 for a classification, otherwise the response. Weight has the weight of each row;
	// nil means 1.
	Y, Weight []float64
	// Query divides the rows of a ranking into queries, as in [data.Target].
	Query []int

	response *Response
	coded    *coded // nil if the table has no texts
}

// NewProblem encodes the target of a dataset for the named loss; "" chooses the loss by the target.
// It returns an error if there are more than two classes. If the table has texts, Data holds
// numbers in their place.
func NewProblem(d *data.Dataset, lossName string) (*Problem, error) {
	if err := CheckLoss(lossName); err != nil {
		return nil, err
	}
	r, err := NewResponse(d, ResponseOptions{Loss: lossName})
	if err != nil {
		return nil, err
	}
	if r.Targets != nil {
		return nil, optionError("this method does not support several targets: leave the method out, or fit each target alone")
	}
	if len(r.Classes) > 2 {
		return nil, &data.Error{File: d.Name, Msg: "the target has more than two classes, which this method does not support"}
	}
	p := &Problem{Task: r.Task, Y: r.Target.Y, Weight: r.Target.Weight, Query: r.Target.Query, response: r}
	p.Data, p.coded, err = numeric(context.Background(), d, r.Target.Y)
	return p, err
}

// Loss returns the name of the loss for which the target is encoded.
func (p *Problem) Loss() string { return p.response.Name }

// Part is the contribution of a variable of the dataset to the decision value.
type Part struct {
	// Variable is its index among the columns of the dataset.
	Variable int
	// Heights are the values of a step function on bins of equal width over the range of the
	// variable; nil for a linear part.
	Heights []float64
	// Slope of a linear part, in the units of the input.
	Slope float64
}

// Outcome is the fitted model of a method other than annealing.
type Outcome struct {
	Method string // name of the method
	K      int    // requested number of variables
	Rounds int    // iterations, in the units of the method
	// Intercept is the decision value if every linear part is at the mean of its variable and every
	// step function is zero.
	Intercept float64
	Parts     []Part
	// Decision holds the decision value of each row, for the metrics.
	Decision []float64
}

// Model converts the outcome of a method to a model. All parts with heights must have the same
// number of heights.
func (p *Problem) Model(o Outcome) (*Model, error) {
	d, r := p.Data, p.response
	s := spec{
		Task: r.Task, Loss: r.Name, Link: r.ownLink(), given: r.given, Classes: r.Classes, Settings: r.Settings, Outputs: 1, Width: d.NamelessWidth(),
		Intercept: []float64{o.Intercept},
		Training:  NewTraining(d, o.K),
	}
	s.Training.Method, s.Training.Epochs, s.Training.Status = o.Method, max(o.Rounds, 1), Completed
	for _, part := range o.Parts {
		c := d.Columns[part.Variable]
		v := variable{Index: c.Index, Name: d.ColumnName(part.Variable), Mean: c.Mean}
		if part.Heights == nil {
			v.Kind, v.Center, v.Low, v.High = linear, c.Mean, c.Min, c.Max
			v.Coefficients, v.Norm = []float64{part.Slope}, math.Abs(part.Slope)*c.SD
		} else {
			v.Kind, v.Low, v.High = steps, c.Min, c.Max
			v.Coefficients, v.Norm = slices.Clone(part.Heights), norm(part.Heights)
			s.Bins = len(part.Heights)
		}
		s.Variables = append(s.Variables, v)
	}
	if p.coded != nil {
		for i, part := range o.Parts {
			p.coded.restore(part.Variable, &s.Variables[i], &s)
		}
		d = p.coded.from
		s.Width, s.Training.Columns = d.NamelessWidth(), d.Width()
		// The metrics are computed from the predictions of the model, because the method saw other
		// numbers: texts were encoded out of fold.
		predicted, err := (&Model{spec: s}).PredictDataset(context.Background(), d)
		if err != nil {
			return nil, err
		}
		o.Decision = predicted.Decision
	}
	s.setColumns(d)
	return s.complete(d, r, o.Decision)
}

// CheckLoss returns an error if there is no loss with that name. "auto" and "" are valid.
func CheckLoss(name string) error {
	if _, ok := loss.Named(name); ok || name == "" || name == "auto" {
		return nil
	}
	return optionError("unknown loss %q: it must be %s", name, strings.Join(LossNames(), ", "))
}

// LossNames lists the names of the losses.
func LossNames() []string { return append([]string{"auto"}, loss.Names()...) }
