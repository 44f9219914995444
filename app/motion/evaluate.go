package motion

import (
	"context"
	"fmt"
	"slices"

	"fsa/internal/parallel"
)

// Evaluation is the result of an experiment.
type Evaluation struct {
	Pool        Pool     `json:"pool"`
	Sequences   int      `json:"sequences"`
	Candidates  int      `json:"candidates"`
	Features    int      `json:"features"`
	Folds       int      `json:"folds"`
	Assignments int      `json:"assignments"`
	Methods     []Result `json:"methods"`
}

// Evaluate runs the paper's cross-validation by video. In each round a model is trained on nine
// tenths of the videos and chooses a candidate for every sequence. The test error is the error on
// the sequences of the other videos.
func Evaluate(ctx context.Context, sequences []*Sequence, o Options) (*Evaluation, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	list, err := DescribeAll(ctx, sequences, o.Pool, o.Record, o.Log)
	if err != nil {
		return nil, err
	}
	return EvaluateDescribed(ctx, list, o)
}

// EvaluateDescribed does the same as [Evaluate] for sequences that are already described, by the
// pool of the options.
func EvaluateDescribed(ctx context.Context, list []*Described, o Options) (*Evaluation, error) {
	o = o.withDefaults()
	if err := checkTruth(list); err != nil {
		return nil, err
	}
	e := &Evaluation{Pool: o.Pool, Sequences: len(list), Features: len(list[0].Features), Folds: o.Folds, Assignments: o.Assignments}
	for _, d := range list {
		e.Candidates += len(d.Candidates)
	}
	for _, f := range fixedMethods() {
		r, ok, err := f.result(ctx, list, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		if ok {
			e.Methods = append(e.Methods, r)
		}
	}
	step := counter(o.Log, "training models", len(o.Learners)*o.Assignments*o.Folds)
	for _, l := range o.Learners {
		r, err := crossValidate(ctx, list, l, o, step)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.Name, err)
		}
		e.Methods = append(e.Methods, *r)
	}
	return e, nil
}

// crossValidate measures a learner over all folds of all assignments.
func crossValidate(ctx context.Context, list []*Described, l Learner, o Options, step func()) (*Result, error) {
	assignment := make([][]int, o.Assignments)
	for a := range assignment {
		var err error
		if assignment[a], err = assign(list, o.Folds, o.Seed+uint64(a)); err != nil {
			return nil, err
		}
	}
	picked := make([][]float64, o.Assignments*o.Folds) // error of each sequence in each round
	err := parallel.Do(ctx, 0, len(picked), func(_, round int) error {
		a, fold := round/o.Folds, round%o.Folds
		var err error
		name := fmt.Sprintf("%s, assignment %d, fold %d", l.Name, o.Seed+uint64(a), fold)
		picked[round], err = numbersOf(o.Record, name, len(list), func() ([]float64, error) {
			return l.round(ctx, list, o.Pool, func(i int) bool { return assignment[a][i] == fold })
		})
		step()
		return err
	})
	if err != nil {
		return nil, err
	}
	r := &Result{Method: l.Name}
	var tests, trains []sample
	for a, fold := range assignment {
		test, train := make(sample, len(list)), make(sample, len(list))
		for f, errors := range picked[a*o.Folds : (a+1)*o.Folds] {
			for i, e := range errors {
				if fold[i] == f {
					test[i] = e
				} else {
					train[i] += e / float64(o.Folds-1)
				}
			}
		}
		tests, trains = append(tests, test), append(trains, train)
	}
	r.fill(list, tests, trains)
	return r, nil
}

// round trains on the training sequences and returns the error of the chosen candidate of each
// sequence, in percent.
func (l Learner) round(ctx context.Context, list []*Described, pool Pool, left func(i int) bool) ([]float64, error) {
	var train []*Described
	for i, d := range list {
		if !left(i) {
			train = append(train, d)
		}
	}
	table, err := Table(ctx, train, pool, l.Families)
	if err != nil {
		return nil, err
	}
	model, err := l.Fit(ctx, table)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(list))
	for i, d := range list {
		z, err := score(model, d, l.Families)
		if err != nil {
			return nil, err
		}
		out[i] = 100 * d.Errors[pick(z)]
	}
	return out, nil
}

// Method returns the result of a method, or nil.
func (e *Evaluation) Method(name string) *Result {
	at := slices.IndexFunc(e.Methods, func(r Result) bool { return r.Method == name })
	if at < 0 {
		return nil
	}
	return &e.Methods[at]
}
