package model

import (
	"context"
	"math"
	"slices"
	"strings"

	"fsa/data"
	"fsa/loss"
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

	response *Response
	coded    *coded // nil if the table has no texts
}

// NewProblem encodes the response of a dataset as the named loss wants it;
// "" looks at the response. Responses of more than two classes are refused. Of a table
// with texts, Data is one in which numbers stand for them.
func NewProblem(d *data.Dataset, lossName string) (*Problem, error) {
	if err := CheckLoss(lossName); err != nil {
		return nil, err
	}
	r, err := NewResponse(d, ResponseOptions{Loss: lossName})
	if err != nil {
		return nil, err
	}
	if len(r.Classes) > 2 {
		return nil, &data.Error{File: d.Name, Msg: "the target has more than two classes, which this method does not know"}
	}
	p := &Problem{Task: r.Task, Y: r.Target.Y, Weight: r.Target.Weight, Query: r.Target.Query, response: r}
	p.Data, p.coded, err = numeric(context.Background(), d, r.Target.Y)
	return p, err
}

// Loss returns the name of the loss that the response is encoded for.
func (p *Problem) Loss() string { return p.response.Name }

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
		Task: r.Task, Loss: r.Name, Classes: r.Classes, Outputs: 1, Width: d.NamelessWidth(),
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
		// What the model says of the rows is not what its method saw: texts were coded by
		// other rows.
		said, err := (&Model{spec: s}).PredictDataset(context.Background(), d)
		if err != nil {
			return nil, err
		}
		o.Decision = said.Decision
	}
	s.setColumns(d)
	return s.complete(d, r, o.Decision)
}

// CheckLoss says whether there is a loss of that name; "auto" and "" stand for one.
func CheckLoss(name string) error {
	if _, ok := loss.Named(name); ok || name == "" || name == "auto" {
		return nil
	}
	return optionError("unknown loss %q: it must be %s", name, strings.Join(LossNames(), ", "))
}

// LossNames lists what a loss may be called.
func LossNames() []string { return append([]string{"auto"}, loss.Names()...) }
