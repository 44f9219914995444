package fsa

import (
	"math"
	"runtime"

	"fsa/data"
	"fsa/internal/checkpoint"
	"fsa/internal/contest"
	"fsa/internal/fit"
	"fsa/internal/plan"
	"fsa/internal/search"
	"fsa/internal/training"
	"fsa/model"
)

// settings returns the options in the form of package fit, with the defaults that do not depend on the data.
func (o Options) settings() fit.Settings {
	o = o.plain()
	if o.Run.Threads == 0 {
		o.Run.Threads = runtime.GOMAXPROCS(0)
	}
	return fit.Settings{Response: o.response(), Start: o.Objective.OffsetModel, Training: o.training(), Request: o.request(), Validation: fit.Validation(o.Validation), Run: o.Run.settings()}
}

// plain returns the options with names of defaults replaced by zero values.
func (o Options) plain() Options {
	d := &o.Design
	d.Spacing, d.Scale, d.Storage = d.Spacing.Plain(), d.Scale.Plain(), d.Storage.Plain()
	return o
}

// response says how the target is encoded.
func (o *Options) response() model.ResponseOptions {
	of := &o.Objective
	return model.ResponseOptions{
		Loss: o.Loss, Custom: of.Custom, Number: of.Number, Huber: of.Huber, Quantile: of.Quantile, Quantiles: of.Quantiles, Ties: of.Ties, ClassWeights: of.ClassWeights, Balanced: of.Balanced, Positive: of.Positive, Order: of.Order,
	}
}

// training says how the dataset becomes numbers.
func (o *Options) training() training.Options {
	t := training.Options{
		Design:      data.DesignOptions{Bins: max(o.Bins, 0), Spacing: o.Design.Spacing, Scale: o.Design.Scale, Storage: o.Design.Storage},
		Extrapolate: o.Design.Extrapolate, Groups: o.Selection.Groups, Force: o.Selection.Force,
		Constraints: o.Objective.Constraints, CurvePriors: o.Objective.CurvePriors,
		Costs: o.Selection.Costs, Budgets: o.Selection.Budgets, Quotas: o.Selection.Quotas, Among: o.Selection.Interactions.Among,
		Seed: o.Seed, Threads: o.Run.Threads, Record: (*checkpoint.Record)(o.Run.Record), Part: o.Run.part, Stop: o.Run.Stop,
	}
	if tell := o.Run.Observe; tell != nil {
		t.Observe = func(p search.Progress) {
			tell(Progress{Epoch: p.Epoch, Epochs: p.Epochs, Passes: p.Passes, Done: p.Done, Variable: p.Column})
		}
	}
	return t
}

// defaultRule chooses an open size out of fold, and quickRule without folds
// (defaults.md#the-size).
const (
	defaultRule = "paired"
	quickRule   = "ebic"
)

// request says what the plan must keep.
func (o *Options) request() plan.Request {
	rule := o.Selection.Choose
	if rule == "" {
		if rule = defaultRule; o.Quick {
			rule = quickRule
		}
	}
	d := &o.Descent
	return plan.Request{
		K: o.K, Sizes: o.Selection.Sizes, Rule: rule, FDR: o.Selection.FDR, Quick: o.Quick, Polish: o.Selection.Polish,
		Loss: o.Objective.Custom != nil || o.Loss != "" && o.Loss != "auto", Lines: o.Bins == None, Interactions: o.Selection.Interactions.search(), Pairs: o.pairs(), Ridge: o.Objective.Ridge,
		Batch: d.Batch, Iterations: d.Iterations, WarmUp: d.WarmUp, Mu: d.Mu, Eta: d.Eta, Momentum: d.Momentum, Tolerance: d.Tolerance, Schedule: d.Schedule,
	}
}

// search returns the interactions in the form of the search.
func (i *Interactions) search() search.Interactions {
	if !i.Find {
		return search.Interactions{}
	}
	to := search.Interactions{Most: i.Most, Heredity: search.Heredity(i.Heredity)}
	if to.Most == 0 {
		to.Most = math.MaxInt32
	}
	if to.Heredity == "" {
		to.Heredity = search.Strong
	}
	return to
}

// pairs reports whether interactions may compete unasked: not with options that do not know them.
func (o *Options) pairs() bool {
	i := &o.Selection.Interactions
	return !i.None && !i.Find && o.Bins == 0 && !o.Selection.Polish && len(o.Objective.Constraints) == 0 && o.Selection.FDR == 0 &&
		len(o.Selection.Groups) == 0 && o.Selection.Costs == nil && len(o.Selection.Quotas) == 0 && (o.Run.Device == "" || o.Run.Device == DeviceCPU)
}

// settings says where the fit runs and who observes it.
func (r *Run) settings() fit.Run {
	to := fit.Run{Device: r.Device, DeviceMemory: r.DeviceMemory, Discard: r.Discard, Deadline: r.Deadline, Count: r.Count}
	if tell := r.Step; tell != nil {
		to.Step = func(s contest.Step) { tell(Step(s)) }
	}
	if tell := r.Curve; tell != nil {
		to.Curve = func(measure string, p contest.Point) {
			tell(CurvePoint{First: p.First, Measure: measure, Size: p.Size, Folds: p.Folds, Of: p.Of, Mean: p.Mean, SE: p.SE})
		}
	}
	return to
}
