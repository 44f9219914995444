package fit

import (
	"time"

	"fsa/data"
	"fsa/internal/checkpoint"
	"fsa/internal/contest"
	"fsa/internal/plan"
	"fsa/internal/training"
	"fsa/internal/tuning"
	"fsa/model"
)

// Settings are the options of a fit, sorted by who reads them. See the options of the same names in package fsa.
type Settings struct {
	Response   model.ResponseOptions // how the target is encoded
	Start      *model.Model          // its decision values are offsets; nil if there is none
	Training   training.Options      // how the dataset becomes numbers
	Request    plan.Request          // what the plan must keep, besides what follows from the other settings
	Validation Validation
	Run        Run
}

// Validation describes cross-validation and half samples. It has the fields of Validation in package fsa.
type Validation struct {
	Always     bool
	Measure    string
	Folds      int
	Repeats    int
	Ordered    bool
	FoldOf     []float64
	Calibrate  bool
	Threshold  string
	Reference  string
	Losses     bool
	Rivals     bool
	Stability  int
	Confidence float64
}

// Asked reports whether cross-validation is needed even if there is nothing to choose.
func (v *Validation) Asked() bool {
	return v.Always || v.Measure != "" || v.Folds > 0 || v.Repeats > 0 || v.Ordered || v.FoldOf != nil || v.Calibrate || v.Threshold != "" || v.Reference != "" || v.Losses || v.Rivals
}

// Run describes where a fit runs, who observes it and when it ends.
type Run struct {
	Device       string
	DeviceMemory int64
	Discard      bool
	Deadline     time.Time
	// Step is called with the steps of the contest, Count with the progress of other stages without epochs, and Curve with
	// the points of the curve of error against size, in the units of the measure. They are called by one thread at a time,
	// and may be nil.
	Step  func(contest.Step)
	Count func(stage string, done, total int)
	Curve func(measure string, p contest.Point)
}

// forData returns the settings for a dataset: its memory is not released or overwritten if it is read again, and a fit that
// has to end in time has a record. What several readers need is passed on to them.
func (s Settings) forData(d *data.Dataset) Settings {
	if s.Validation.Confidence > 0 && s.Validation.Stability == 0 {
		s.Validation.Stability = tuning.ConfidencePairs
	}
	s.Run.Discard = s.Run.Discard && !s.readsAgain(d)
	s.Response.Overwrite, s.Training.Design.Discard = s.Run.Discard, s.Run.Discard
	if s.Training.Record == nil && !s.Run.Deadline.IsZero() {
		s.Training.Record = new(checkpoint.Record)
	}
	r := &s.Request
	r.Folds, r.Measure = s.Validation.Folds, s.Validation.Asked()
	r.Constrained, r.CurvePriors = constrained(s.Training.Constraints), len(s.Training.CurvePriors) > 0
	r.Priced, r.Budgets, r.Quotas = s.Training.Costs != nil, s.Training.Budgets, len(s.Training.Quotas) > 0
	s.Training.Unpooled = r.Ridge == plan.None
	return s
}

// readsAgain reports whether a fit may read the whole table again after the descent, so that the
// descent must not overwrite it.
func (s *Settings) readsAgain(d *data.Dataset) bool {
	r := &s.Request
	return r.K == 0 || r.Interactions.Most > 0 || len(s.Training.Constraints) > 0 || len(s.Training.Quotas) > 0 || s.Validation.Stability > 0 || s.Validation.Asked() || !s.Run.Deadline.IsZero() || !r.Quick && (d.Sparse() || d.Rows() < tuning.MinibatchRows || d.Rows()*d.Width() <= tuning.ContestCells)
}

// constrained returns what a plan needs to know about constraints.
func constrained(list []model.Constraint) (c plan.Constrained) {
	for i, of := range list {
		if i > 0 {
			c.What += ", "
		}
		const named = 5 // number of constraints that are named
		if i == named {
			c.What += "and others"
		}
		if i < named {
			c.What += of.String()
		}
		c.Lines = c.Lines || of.Coefficient()
	}
	return c
}
