package fsa

import (
	"cmp"
	"context"

	"fsa/anneal"
	"fsa/data"
	"fsa/internal/contest"
	"fsa/internal/matrix"
	"fsa/internal/plan"
	"fsa/internal/search"
	"fsa/model"
	"fsa/validate"
)

// Job is a planned fit.
type Job struct {
	options  Options
	data     *data.Dataset
	response *model.Response
	sample   *search.Sample // all rows
	plan     *plan.Plan
	measurer func(z []float64, has []bool) float64 // measure to compare; nil means the loss

	cut       *validate.Folds // folds, once they are known
	validated *validated      // result of the contest; nil before it ran
}

// Plan describes what a fit will do, as far as options and data determine it.
type Plan struct {
	// Loss is the name of the loss.
	Loss string
	// K is the number of variables to select or, if k is open, the largest number to compare.
	// Batch is the number of rows of a step.
	K, Batch int
	// Schedule is the number of variables left after each of the Epochs epochs of the descent.
	Schedule anneal.Schedule
	Epochs   int
	// Folds is the number of folds on which recipes are compared, 0 without a comparison, and Selections the number of
	// selections that compete.
	Folds, Selections int
	// HalfSamples is the number of half samples on which the selection is repeated before or after the fit.
	HalfSamples int
	// Decisions lists the decisions and their reasons.
	Decisions []Decision
}

// Decision is a value of a plan and the reason for it.
type Decision struct {
	Setting string `json:"setting"` // the flag that would set it, or the step
	Value   string `json:"value"`
	Why     string `json:"why"`
}

// Plan returns what the fit will do.
func (j *Job) Plan() *Plan {
	d := j.plan.Recipe.Select.Descent
	p := &Plan{Loss: j.response.Name, K: j.plan.Size, Batch: d.Batch, Schedule: d.Schedule, Epochs: d.Epochs, HalfSamples: 2 * max(j.options.Validation.Stability, j.plan.Pairs)}
	if j.plan.Contest {
		p.Folds, p.Selections = j.plan.Folds*max(j.options.Validation.Repeats, 1), len(j.plan.Selections)
	}
	for _, said := range j.plan.Decisions {
		p.Decisions = append(p.Decisions, Decision(said))
	}
	return p
}

// chosen holds the recipe and the size to run on all rows, and how they were chosen.
type chosen struct {
	recipe    search.Recipe
	size      int
	validated *validated         // result of the contest; nil without a contest
	criterion *model.Criterion   // information criterion that chose the size; nil if none did
	found     *model.Discoveries // discoveries at a false discovery rate, with their columns; nil without one
	columns   []int
	runner    *search.Runner // runner that has already run the recipe; nil if none has
}

// validated is the choice of a contest and its results.
type validated struct {
	verdict     *contest.Verdict
	record      *model.Validation
	evidence    *Evidence
	calibration *calibration
	honest      []float64 // out-of-fold decision values of what the other folds choose, for the reference
	judged      []bool    // rows that have them
	cut         *validate.Folds
	folds       []fold
}

// fold holds the sample of the training rows of a fold, and its dataset.
type fold struct {
	sample *search.Sample
	data   *data.Dataset
}

// Evidence holds the details of cross-validation that a model does not store: results of single
// folds and rows.
type Evidence struct {
	// Curve is the out-of-fold error of the best recipe at every size, in total and for each fold. Smaller is better.
	Curve *validate.Curve
	// Prediction holds the out-of-fold predictions of all rows, and Has reports which rows have one. With several repeats
	// it is based on the mean of their decision values.
	Prediction *model.Prediction
	Has        []bool
	// Fold is the fold of each row in the first repeat, and −1 for a row without a fold.
	Fold []int
	// Selected lists the columns of the dataset that each fold selected. A group is represented by its first column.
	Selected [][]int
	// Losses is the out-of-fold loss of each row, NaN for rows without one, by the recipe and size that the other folds
	// choose; nil unless [Validation.Losses] asks for it.
	Losses []float64
	// Folds holds the models of the folds of the first repeat; nil unless they have one output.
	Folds *model.Folds
}

// Evidence returns the details of cross-validation after [Job.Run] or [Job.Validate], or nil if
// there was none.
func (j *Job) Evidence() *Evidence {
	if j.validated == nil {
		return nil
	}
	return j.validated.evidence
}

// agreement measures how well folds agree on the selection, and returns the inclusion frequency
// of each variable.
func (e *Evidence) agreement(d *data.Dataset) (index *float64, shares map[string]float64) {
	const confidence = 0.95 // of an interval that is not used
	if v := validate.Agreement(e.Selected, len(d.Columns), confidence).Index; v == v {
		index = &v
	}
	shares = map[string]float64{}
	for column, share := range validate.Frequencies(e.Selected, len(d.Columns)) {
		if share > 0 {
			shares[d.ColumnName(column)] = share
		}
	}
	return index, shares
}

// model converts a fit of a sample to the units of the input.
func (j *Job) model(ctx context.Context, d *data.Dataset, fit *search.Fit, c *chosen, status string) (*model.Model, error) {
	l := j.learned(d, fit, status)
	if c.validated != nil {
		l.Validation = c.validated.record
	}
	l.Training.Criterion, l.Discoveries = c.criterion, c.found
	var err error
	if l.Decision, err = fit.Decisions(ctx); err != nil {
		return nil, err
	}
	if l.Cuts, err = fit.Cuts(ctx); err != nil {
		return nil, err
	}
	if c.validated != nil {
		c.validated.calibration.read(&l)
	}
	return model.FromDesign(d, l)
}

// learned returns the result of a fit, without its decisions.
func (j *Job) learned(d *data.Dataset, fit *search.Fit, status string) model.Learned {
	s := fit.Sample()
	l := model.Learned{Response: j.response, Design: s.Design, Intercept: make([]float64, s.Loss.Outputs()), Training: model.NewTraining(d, len(fit.Groups)), Extrapolate: j.options.Design.Extrapolate}
	t := &l.Training
	t.Epochs, t.Passes, t.Eta, t.Status = s.Meter.Epochs, s.Meter.Passes(), fit.Eta(), status
	t.Scale, t.Storage, t.Ridge, t.Adaptive, t.Guarded = j.options.Design.Scale, j.options.Design.Storage, fit.Ridge, fit.Adaptive, fit.Guarded
	t.Constraints = j.options.Objective.Constraints
	copy(l.Intercept, fit.Intercept())
	for _, v := range fit.Variables() {
		l.Variables = append(l.Variables, model.Coefficients{Variable: v.Number, First: v.First, Values: v.Values})
	}
	return l
}

// Intact reports whether the dataset can be read again after the fit: the fit does not overwrite it ([Run.Discard]), and
// this process alone can read all of it.
func (j *Job) Intact() bool { return !j.options.Run.Discard && deviceOf(j.sample.Design.X) == nil }

// Fingerprint returns a checksum of the training data.
func (j *Job) Fingerprint(ctx context.Context) (string, error) {
	x := j.sample.Design.X
	_, paged := x.(matrix.Paged) // a table in a file has its own checksums, and sampling it is slow
	return j.sample.Fingerprint(ctx, j.data, !paged && deviceOf(x) == nil)
}

// abreast returns the number of folds that can run in parallel. If the table is read from a
// file, each fold may use all available memory, so they run one after another. They also do so if several processes share
// the table, because all processes have to do the same at the same time.
func (j *Job) abreast() int {
	if _, paged := j.sample.Design.X.(matrix.Paged); paged || deviceOf(j.sample.Design.X) != nil {
		return 1
	}
	return j.options.Run.Threads
}

// measureName returns the name of the measure to compare.
func (j *Job) measureName() string { return cmp.Or(j.options.Validation.Measure, j.response.Name) }

// signed converts between a minimised value and the measure.
func signed(measure string, v float64) float64 {
	if model.LargerIsBetter(measure) {
		return -v
	}
	return v
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// Contender is a recipe in the contest of a fit, at the chosen size.
type Contender struct {
	Recipe string
	// Mean is its mean out-of-fold measure, and Worse the difference from the best one, with its
	// standard error SE over folds.
	Mean, Worse, SE float64
	Won             bool
}

// Contenders returns the recipes compared at the chosen size, after [Job.Run] or [Job.Validate]: the
// best of each complexity, the simplest first. It is nil if there was no contest.
func (j *Job) Contenders() []Contender {
	if j.validated == nil {
		return nil
	}
	v := j.validated.verdict
	best := v.Trials[0]
	for _, t := range v.Trials {
		if t.Mean < best.Mean {
			best = t
		}
	}
	var list []Contender
	for _, t := range v.Trials {
		worse, se := validate.Difference(t.Errors, best.Errors, j.validated.record.Repeats)
		list = append(list, Contender{Recipe: t.Recipe.String(), Mean: signed(j.measureName(), t.Mean), Worse: worse, SE: se, Won: t == v.Trial})
	}
	return list
}
