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

// Job is a fit that is planned and not yet done.
type Job struct {
	options  Options
	data     *data.Dataset
	response *model.Response
	sample   *search.Sample // all rows
	plan     *plan.Plan
	measurer func(z []float64, has []bool) float64 // compares instead of the loss; nil for the loss

	cut       *validate.Folds // that were given; nil to make them
	validated *validated      // once it was; nil before
}

// Plan is what a fit will do, as far as the options and the data decide it.
type Plan struct {
	// Loss is the name of the loss.
	Loss string
	// K is the number of variables to select or, where that is open, the largest that is
	// compared. Batch is the number of rows of a step.
	K, Batch int
	// Schedule is how many variables stay after each of Epochs epochs of descent.
	Schedule anneal.Schedule
	Epochs   int
	// Decisions say what was decided, and why.
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
	p := &Plan{Loss: j.response.Name, K: j.plan.Size, Batch: d.Batch, Schedule: d.Schedule, Epochs: d.Epochs}
	for _, said := range j.plan.Decisions {
		p.Decisions = append(p.Decisions, Decision(said))
	}
	return p
}

// chosen is the recipe and the size to run on all rows, and what has chosen them.
type chosen struct {
	recipe    search.Recipe
	size      int
	validated *validated       // by a contest; nil without
	criterion *model.Criterion // without folds; nil where none has
	runner    *search.Runner   // that has run it already; nil for none
}

// validated is what a contest has chosen, and what is known of it.
type validated struct {
	verdict     *contest.Verdict
	record      *model.Validation
	evidence    *Evidence
	calibration *calibration
}

// fold is the training rows of a fold, and the dataset that they are of.
type fold struct {
	sample *search.Sample
	data   *data.Dataset
}

// Evidence is what cross-validation has seen: more than a model needs to know, for
// whoever wants to look at single folds or rows.
type Evidence struct {
	// Curve is the out-of-fold error of the best recipe at every size, with that of each fold;
	// less is better.
	Curve *validate.Curve
	// Prediction is the out-of-fold prediction of all rows, and Has says
	// which rows have one. Of several repeats it is the mean of their decision values.
	Prediction *model.Prediction
	Has        []bool
	// Fold is the fold of each row, the first where rows were dealt several times, and −1
	// where a row is in none.
	Fold []int
	// Selected are the columns of the dataset that each fold has selected, the first one
	// of each group.
	Selected [][]int
	// Folds are the models that folds have learned, the first ones where rows were dealt
	// several times; nil unless they are of one number each.
	Folds *model.Folds
}

// Evidence returns what cross-validation has seen, after [Job.Run] or [Job.Validate]; nil
// where there was none.
func (j *Job) Evidence() *Evidence {
	if j.validated == nil {
		return nil
	}
	return j.validated.evidence
}

// agreement says how far folds have selected the same, and which share of them selected a
// variable.
func (e *Evidence) agreement(d *data.Dataset) (index *float64, shares map[string]float64) {
	const confidence = 0.95 // of an interval that is not asked for
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

// model brings a fit of a sample back to the units of the input.
func (j *Job) model(ctx context.Context, d *data.Dataset, fit *search.Fit, c *chosen, status string) (*model.Model, error) {
	l := j.learned(d, fit, status)
	if c.validated != nil {
		l.Validation = c.validated.record
	}
	l.Training.Criterion = c.criterion
	var err error
	if l.Decision, err = fit.Decisions(ctx); err != nil {
		return nil, err
	}
	if c.validated != nil {
		c.validated.calibration.read(&l)
	}
	return model.FromDesign(d, l)
}

// learned returns what a fit has learned, without its decisions.
func (j *Job) learned(d *data.Dataset, fit *search.Fit, status string) model.Learned {
	s := fit.Sample()
	l := model.Learned{Response: j.response, Design: s.Design, Intercept: make([]float64, s.Loss.Outputs()), Training: model.NewTraining(d, len(fit.Groups))}
	t := &l.Training
	t.Epochs, t.Passes, t.Eta, t.Status = s.Meter.Epochs, s.Meter.Passes(), fit.Eta(), status
	t.Scale, t.Storage, t.Ridge, t.Adaptive, t.Guarded = j.options.Scale, j.options.Storage, fit.Ridge, fit.Adaptive, fit.Guarded
	copy(l.Intercept, fit.Intercept())
	for _, v := range fit.Variables() {
		l.Variables = append(l.Variables, model.Coefficients{Variable: v.Number, First: v.First, Values: v.Values})
	}
	return l
}

// Intact reports whether the dataset will be as it was after the fit, although it may have
// been said to be not needed any more, and whether this process alone can look at it.
func (j *Job) Intact() bool { return !j.options.Discard && home(j.sample.Design.X) == nil }

// Fingerprint returns a checksum of what the fit learns from.
func (j *Job) Fingerprint(ctx context.Context) (string, error) {
	x := j.sample.Design.X
	_, paged := x.(matrix.Paged) // a file has checksums of its own, and is slow to be sampled
	return j.sample.Fingerprint(ctx, j.data, !paged && home(x) == nil)
}

// abreast returns how many folds can be worked on side by side. If the table is read from a
// file, each fold may use all available memory, and processes that share one have to do the
// same at the same time.
func (j *Job) abreast() int {
	if _, paged := j.sample.Design.X.(matrix.Paged); paged || home(j.sample.Design.X) != nil {
		return 1
	}
	return j.options.Threads
}

// measureName names what is compared.
func (j *Job) measureName() string { return cmp.Or(j.options.Measure, j.response.Name) }

// signed turns what was minimised into the measure, or back.
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

// Contender is a recipe that took part in the contest of a fit, at the size that was chosen.
type Contender struct {
	Recipe string
	// Mean is its mean out-of-fold measure, and Worse by how much that is worse than the best,
	// with its standard error SE over folds.
	Mean, Worse, SE float64
	Won             bool
}

// Contenders returns the recipes that were compared at the size that was chosen, the simplest
// first, after [Job.Run] or [Job.Validate]: the best of each complexity. It is nil where there
// was no contest.
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
