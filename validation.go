package fsa

import (
	"cmp"
	"context"
	"errors"

	"fsa/data"
	"fsa/internal/contest"
	"fsa/internal/search"
	"fsa/internal/tuning"
	"fsa/model"
	"fsa/validate"
)

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

// CurvePoint is a point of the curve of error against size, as far as folds have filled it.
type CurvePoint struct {
	First   bool   // the first one of another curve
	Measure string // what the mean is of
	Size    int    // number of variables; 0 is the null model
	Folds   int    // that have learned this size,
	Of      int    // of all of them
	Mean    float64
	SE      float64 // standard error of the mean, as of one repeat; 0 with one fold
}

// Validate lets a contest choose what the plan leaves to it: the recipe and, where K is Auto,
// the size. It returns nil where the plan leaves nothing to it.
func (j *Job) Validate(ctx context.Context) (*model.Validation, error) {
	v, err := j.validate(ctx)
	if v == nil || err != nil {
		return nil, err
	}
	return v.record, nil
}

func (j *Job) validate(ctx context.Context) (*validated, error) {
	if j.validated != nil || !j.plan.Contest {
		return j.validated, nil
	}
	cut, err := j.Folds(ctx)
	if errors.Is(err, validate.ErrFolds) && !j.plan.Open && !j.options.asksValidation() {
		return nil, nil // the rows cannot be cut, such as those of one query
	}
	if err != nil {
		return nil, err
	}
	if d := j.plan.Recipe.Select.Descent; d.Batch == j.data.Rows() && d.Eta == 0 && !j.plan.Recipe.Direct {
		if d.Lipschitz, err = j.sample.Lipschitz(ctx); err != nil {
			return nil, err
		}
		d.Lipschitz.Constant *= tuning.FoldLipschitz
	}
	c := contest.Config{Plan: j.plan, Folds: make([]contest.Fold, cut.Len()), Repeats: cut.Repeats(), Abreast: j.abreast(), Unit: j.sample.LossUnit(ctx)}
	c.Whole = search.NewRunner(j.sample, j.plan.Sizes)
	defer c.Whole.Close()
	folds := make([]fold, cut.Len())
	for i := range c.Folds {
		split := cut.Split(i)
		s, d, err := j.part(ctx, split.Train, "fold", i)
		if err != nil {
			return nil, err
		}
		folds[i] = fold{s, d}
		c.Folds[i] = contest.Fold{Runner: search.NewRunner(s, j.plan.Sizes), Error: func(z []float64) float64 { return j.error(j.measurer, z, split.Test) }}
		defer c.Folds[i].Close()
	}
	if tell := j.options.Count; tell != nil {
		c.Count = func(done, total int) { tell("folds", done, total) }
	}
	if tell := j.options.Curve; tell != nil {
		c.Point = func(p contest.Point) {
			tell(CurvePoint{First: p.First, Measure: j.measureName(), Size: p.Size, Folds: p.Folds, Of: p.Of, Mean: signed(j.measureName(), p.Mean), SE: p.SE})
		}
	}
	verdict, err := contest.Run(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, f := range c.Folds {
		j.sample.Meter.Cells += f.Meter.Cells
	}
	j.validated, err = j.judge(ctx, verdict, cut, folds)
	return j.validated, err
}

// error returns what a measure says of margins on some rows, less being better; nil measures
// the loss.
func (j *Job) error(measure func(z []float64, has []bool) float64, z []float64, test []int) float64 {
	rows, outputs := j.data.Rows(), j.response.Loss.Outputs()
	if measure == nil {
		return j.meanLoss(z, test)
	}
	by, has := make([]float64, rows*outputs), make([]bool, rows)
	for _, row := range test {
		has[row] = j.weightOf(row) > 0
		for c := range outputs {
			by[row*outputs+c] = z[c*rows+row]
		}
	}
	return measure(by, has)
}

// judge says what was chosen, and why.
func (j *Job) judge(ctx context.Context, verdict *contest.Verdict, cut *validate.Folds, folds []fold) (*validated, error) {
	measure := j.measureName()
	best, curve := verdict.Trial, verdict.Curve
	v := &validated{verdict: verdict, record: &model.Validation{
		Folds: cut.Len(), Measure: measure, Best: curve.Points[verdict.Best].Size, Chosen: best.Size,
		Null: signed(measure, verdict.Null.Mean), Ridge: best.Recipe.Ridge, Adaptive: best.Recipe.Adaptive, Swapped: best.Recipe.Swaps != search.Swaps{},
	}}
	if j.plan.Open {
		v.record.Rule = j.plan.Rule
	}
	for _, p := range curve.Points {
		v.record.Points = append(v.record.Points, model.ValidationPoint{Size: p.Size, Mean: signed(measure, p.Mean), SE: p.SE})
	}
	z, has, err := j.outOfFold(ctx, verdict.Fits, cut)
	if err != nil {
		return nil, err
	}
	null, _, err := j.outOfFold(ctx, verdict.NullFits, cut)
	if err != nil {
		return nil, err
	}
	v.record.Gain, v.record.GainSE, v.record.GainRank = j.gainOverNull(z, null, has)
	if v.evidence, err = j.evidence(verdict, cut, folds, has); err != nil {
		return nil, err
	}
	calibration := j.calibrate(z, has, v.evidence.Fold, cut.Len())
	v.calibration = &calibration
	r, calibrated, threshold := j.response, j.options.Calibrate, calibration.threshold
	v.evidence.Prediction = r.Prediction(z, calibrated, threshold)
	v.record.Repeats = cut.Repeats()
	v.record.Metrics = r.MeasureAs(z, has, calibrated, threshold)
	v.record.Scores = r.Scores(z, has, calibrated)
	v.record.Agreement, v.record.Shares = v.evidence.agreement(j.data)
	return v, nil
}

// outOfFold returns the decision values of all rows, each by the folds that have not learned
// from it, row after row, and which rows have one. Of several repeats it is the mean.
func (j *Job) outOfFold(ctx context.Context, fits []*search.Fit, cut *validate.Folds) (z []float64, has []bool, err error) {
	rows, outputs := j.data.Rows(), j.response.Loss.Outputs()
	z, has = make([]float64, rows*outputs), make([]bool, rows)
	times := make([]float64, rows)
	for i, f := range fits {
		if f == nil {
			continue
		}
		of, err := f.Margins(ctx)
		if err != nil {
			return nil, nil, err
		}
		for _, row := range cut.Split(i).Test {
			has[row] = true
			times[row]++
			for c := range outputs {
				z[row*outputs+c] += of[c*rows+row]
			}
		}
	}
	for row, n := range times {
		if n > 1 {
			for c := range outputs {
				z[row*outputs+c] /= n
			}
		}
	}
	return z, has, nil
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
