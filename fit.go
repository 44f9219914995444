package fsa

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"fsa/anneal"
	"fsa/checkpoint"
	"fsa/data"
	"fsa/internal/matrix"
	"fsa/internal/objective"
	"fsa/loss"
	"fsa/model"
	"fsa/prior"
	"fsa/validate"
)

// Fit selects o.K variables of a dataset and learns a model on them.
func Fit(ctx context.Context, d *data.Dataset, o Options) (*model.Model, error) {
	j, err := Prepare(ctx, d, o)
	if err != nil {
		return nil, err
	}
	return j.Run(ctx)
}

// Fit is [Fit] with these options: the method that all learners have.
func (o Options) Fit(ctx context.Context, d *data.Dataset) (*model.Model, error) {
	return Fit(ctx, d, o)
}

var _ model.Learner = Options{}

// Job is a fit that is planned and not yet done.
type Job struct {
	options  Options
	plan     *Plan
	facts    facts
	data     *data.Dataset
	design   *data.Design
	response *model.Response
	target   objective.Target
	groups   objective.Groups
	force    []int // groups that must stay
	// categories says of each text how many more rows of each of its categories say that
	// it adds nothing; nil without texts.
	categories []float64
	owned      bool // the table may be overwritten
	// tolerance is by how much the objective has to promise to fall for another step where
	// what is chosen is learned to its optimum; 0 means as far as numbers go.
	tolerance float64
	place     *place
	meter     *meter
	journal   *journal

	cut       *validate.Folds  // that were given; nil to make them
	criterion *model.Criterion // that has chosen the size without folds; nil where none has
	validated *validated       // once it was; nil before

	calibration *calibration                          // by out-of-fold decision values; nil without
	evidence    *Evidence                             // of validation, once there was one
	measurer    func(z []float64, has []bool) float64 // that chooses; nil for the loss
}

// Prepare checks the options against the data and plans the fit.
func Prepare(ctx context.Context, d *data.Dataset, o Options) (*Job, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.K != Auto && o.K > d.Width() {
		return nil, optionError("k = %d, but %s has %d variables to select from", o.K, d.Name, d.Width())
	}
	if len(o.Sizes) > 0 && slices.Max(o.Sizes) > d.Width() {
		return nil, optionError("sizes up to %d are to be compared, but %s has %d variables to select from: end there", slices.Max(o.Sizes), d.Name, d.Width())
	}
	o = o.withDefaults()
	o.Discard = o.Discard && !o.validates(d) && o.Deadline.IsZero() // which come back to the table
	if o.Record == nil && !o.Deadline.IsZero() {
		o.Record = checkpoint.New()
	}
	j := &Job{options: o, data: d, journal: newJournal(o.Record, cmp.Or(o.part, wholeJob))}
	var err error
	if j.response, err = o.response(d); err != nil {
		return nil, err
	}
	j.design, err = d.Design(ctx, data.DesignOptions{Bins: o.Bins, Spacing: o.Spacing, Scale: o.Scale, Storage: o.Storage, Discard: o.Discard})
	if errors.Is(err, data.ErrStorage) {
		return nil, optionError("storage %s is for the numbers of a dense table in memory, which %s is not: leave it out", o.Storage, d.Name)
	} else if err != nil {
		return nil, err
	}
	if home(j.design.X) != nil {
		if err := o.checkHome(); err != nil {
			return nil, err
		}
	}
	if j.groups, j.force, err = groupVariables(d, j.design, &o); err != nil {
		return nil, err
	}
	if j.measurer, err = j.response.Measurer(o.Measure); err != nil {
		return nil, err
	}
	if err := j.checkClasses(); err != nil {
		return nil, err
	}
	j.target = targetOf(j.response.Target)
	j.facts = j.newFacts()
	j.plan = newPlan(&o, j.facts, j.response.Loss.Outputs())
	j.owned = o.Discard && !j.plan.comesBack()
	j.meter = newMeter(j)
	if j.categories, err = j.categoryRows(ctx); err != nil {
		return nil, err
	}
	j.place, err = newPlace(&o, &j.facts, j.plan)
	return j, err
}

// response returns what is to be predicted, and by which loss.
func (o *Options) response(d *data.Dataset) (*model.Response, error) {
	return model.NewResponse(d, model.ResponseOptions{
		Loss: o.LossName, Custom: o.Loss, Huber: o.Huber, ClassWeights: o.ClassWeights, Balanced: o.Balanced, Positive: o.Positive, Overwrite: o.Discard,
	})
}

// Intact reports whether the dataset will be as it was after the fit, although it may have
// been said to be not needed any more, and whether this process alone can look at it.
func (j *Job) Intact() bool { return !j.options.Discard && j.facts.home == nil }

// Plan returns what the fit will do.
func (j *Job) Plan() *Plan { return j.plan }

// newFacts looks at the data.
func (j *Job) newFacts() facts {
	x := j.design.X
	rows, cols := x.Dims()
	inOrder := matrix.Sequential(x)
	sparse := j.data.Sparse()
	return facts{
		rows: rows, cols: cols, cells: x.Cells(),
		variables: j.groups.Variables(), groups: j.groups.Count(),
		task: j.response.Task, loss: j.response.Kind, lossName: j.response.Name,
		sparse: sparse, paged: paged(x), home: home(x), inMemory: !inOrder && !sparse && x.Cells() <= rereadCells,
		single:   j.singleColumns() && j.response.Loss.Outputs() == 1 && j.response.Task != loss.Ranking,
		outliers: hasOutliers(j.data), open: j.options.K == Auto, counted: counted(j.target.Weight, rows), mass: mass(j.data.Target.Weight, rows),
	}
}

// singleColumns reports whether every group is one column.
func (j *Job) singleColumns() bool {
	widths := j.design.X.Widths()
	for g := range j.groups.Count() {
		of := j.groups.Of(g)
		if len(of) != 1 || widths != nil && widths[of[0]] != 1 {
			return false
		}
	}
	return true
}

// paged reports whether a matrix is read from a file.
func paged(x matrix.Matrix) bool {
	_, ok := x.(matrix.Paged)
	return ok
}

// targetOf returns what the loss may know of the rows.
func targetOf(t *data.Target) objective.Target {
	to := objective.Target{Y: t.Y, Weight: t.Weight, Query: t.Query}
	if t.Pairs != nil {
		to.Pairs = make([]loss.Pair, len(t.Pairs))
		for i, p := range t.Pairs {
			to.Pairs[i] = loss.Pair{I: p.I, J: p.J, R: p.R}
		}
	}
	return to
}

// stage improves a selection, or leaves it as it is.
type stage func(ctx context.Context, j *Job, s *selection) (*selection, error)

// list returns the stages of a plan, in order: a new one is a file and a line here. The
// first begins with a ridge alone.
func (p *Plan) list() []stage {
	list := []stage{descend}
	for _, s := range []struct {
		wanted bool
		run    stage
	}{{p.Polish, polish}, {p.Swap, swap}, {p.SwapExactly, swapExactly}, {p.Adaptive, adapt}, {p.Shrink, shrink}} {
		if s.wanted {
			list = append(list, s.run)
		}
	}
	return list
}

// comesBack reports whether something that follows the descent, or takes its place, looks at the whole table, which must not have been
// overwritten then.
func (p *Plan) comesBack() bool {
	return p.Polish || p.Swap || p.SwapExactly || p.Shrink || p.Guard || p.DescentRidge >= lassoPath
}

// Run does it.
func (j *Job) Run(ctx context.Context) (*model.Model, error) {
	defer j.place.close()
	if !j.options.Deadline.IsZero() {
		return j.limited(ctx)
	}
	m, _, err := j.whole(ctx)
	return m, err
}

// whole does all of it, and returns what validation has chosen, too.
func (j *Job) whole(ctx context.Context) (*model.Model, *validated, error) {
	v, err := j.validate(ctx)
	if err != nil {
		return nil, nil, err
	}
	if v != nil {
		j = j.with(v)
	}
	if j.plan.Criterion != "" {
		c, err := j.byCriterion(ctx)
		if err != nil {
			return nil, nil, err
		}
		j = j.sized(c)
	}
	s, err := j.search(ctx, j.plan.DescentRidge)
	if errors.Is(err, anneal.ErrDiverged) && j.plan.Eta > 0 {
		err = fmt.Errorf("fsa: eta = %v is too large for this data: leave it out to have it chosen: %w", j.plan.Eta, err)
	}
	if err != nil {
		return nil, v, err
	}
	m, err := j.model(ctx, s, v, s.res.Status.String())
	if err != nil || j.options.Stability == 0 {
		return m, v, err
	}
	sure, err := j.stability(ctx, s, m)
	if err != nil {
		return nil, v, err
	}
	return m.WithStability(sure), v, nil
}

// counted returns how many rows have a weight.
func counted(weight []float64, rows int) int {
	if weight == nil {
		return rows
	}
	n := 0
	for _, w := range weight {
		if w > 0 {
			n++
		}
	}
	return n
}

// search goes through the stages with some ridge, and then lets the guard look at it.
func (j *Job) search(ctx context.Context, ridge float64) (*selection, error) {
	if j.plan.K == 0 {
		return j.null(ctx)
	}
	s, err := j.stages(ctx, ridge)
	if err == nil && j.plan.Guard {
		s, err = guard(ctx, j, s)
	}
	return s, err
}

// stages goes through the stages with some ridge.
func (j *Job) stages(ctx context.Context, ridge float64) (*selection, error) {
	s := &selection{ridge: ridge}
	var err error
	for _, run := range j.plan.list() {
		if s, err = run(ctx, j, s); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// objective returns what is minimised over some of the groups, nil meaning all.
func (j *Job) objective(among []int, ridge float64, batch int) *objective.Objective {
	groups := j.groups
	if among != nil {
		groups = groups.Pick(among)
	}
	d := j.design
	return objective.New(objective.Config{
		X: d.X, Scale: d.Scale, Offset: d.Offset, Owned: j.owned, Numbers: d.Numbers, Bins: d.Bins,
		Loss: j.response.Loss, Target: j.target, Intercept: j.response.Task != model.Ranking,
		Ridge: ridge, Curve: prior.OnCurves(j.options.CurvePriors), CategoryRows: j.categories,
		Groups: groups, Final: j.plan.K, Batch: batch, Seed: j.options.Seed, Threads: j.options.Threads, Meter: &j.meter.Meter,
	})
}
