package fit

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"fsa/anneal"
	"fsa/internal/parallel"
	"fsa/internal/search"
	"fsa/internal/tuning"
	"fsa/model"
	"fsa/validate"
)

// discover selects the variables that half samples confirm at the false discovery rate of the options, and returns their
// columns and a record. One half of the rows selects candidates, by the recipe of the plan; the other half fits
// them again, and a mirror statistic compares the two fits. See [validate.Discover].
func (j *Job) discover(ctx context.Context) (columns []int, record *model.Discoveries, err error) {
	rate := j.Settings.Request.FDR
	record = &model.Discoveries{Rate: rate, HalfSamples: 2 * j.Plan.Pairs, Candidates: j.Plan.Size, Confirmed: map[string]float64{}}
	if record.Least = leastCandidates(rate); j.Plan.Size < record.Least {
		record.HalfSamples = 0
		return nil, record, nil
	}
	scheme, err := j.Scheme(ctx)
	if err != nil {
		return nil, nil, err
	}
	cut, err := scheme.Pairs(j.Data.Rows(), j.Plan.Pairs)
	if err != nil {
		return nil, nil, err
	}
	halves, cells := make([][]validate.Mirror, cut.Len()), make([]float64, j.Plan.Pairs)
	var done int
	var mu sync.Mutex
	err = parallel.Do(ctx, j.Abreast(), j.Plan.Pairs, func(_, pair int) error {
		half, err := j.mirrors(ctx, cut, pair, halves[2*pair:2*pair+2])
		if err != nil {
			return err
		}
		cells[pair] = half[0].Meter.Cells + half[1].Meter.Cells
		mu.Lock()
		defer mu.Unlock()
		done += 2
		j.count("half samples", done, cut.Len())
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	for _, n := range cells {
		j.Whole.Meter.Cells += n
	}
	found := validate.Discover(halves, len(j.Data.Columns), rate, tuning.MirrorOffset, tuning.ConfirmShare)
	record.Relevant = found.Relevant
	for column, share := range found.Confirmed {
		if share > 0 {
			record.Confirmed[j.Data.ColumnName(column)] = share
		}
	}
	return found.Variables, record, nil
}

// leastCandidates returns the smallest number of candidates of which a half sample can confirm any.
func leastCandidates(rate float64) int { return int(math.Ceil(tuning.MirrorOffset / rate)) }

// mirrors fills in the mirror statistics of both halves of a pair, and returns their samples.
func (j *Job) mirrors(ctx context.Context, cut *validate.Folds, pair int, to [][]validate.Mirror) (half [2]*search.Sample, err error) {
	for h := range half {
		number := 2*pair + h
		if half[h], _, err = j.Part(ctx, cut.Split(number).Train, "half", number, cut.Len()); err != nil {
			return half, err
		}
	}
	for h, s := range half {
		runner := search.NewRunner(s, j.Plan.Sizes)
		runner.Only = j.Plan.Size
		defer runner.Close()
		fit, err := runner.Run(ctx, j.Plan.Recipe, j.Plan.Size)
		if errors.Is(err, anneal.ErrDiverged) {
			continue
		}
		if err != nil {
			return half, err
		}
		if to[h], err = mirror(ctx, fit, half[1-h]); err != nil {
			return half, err
		}
	}
	return half, nil
}

// mirror compares the effects of the variables of a fit with those in another half sample. A variable that is constant there
// has no statistic.
func mirror(ctx context.Context, fit *search.Fit, other *search.Sample) ([]validate.Mirror, error) {
	columns := fit.Columns()
	again, err := other.Confirm(ctx, other.GroupsOf(columns))
	if err != nil {
		return nil, err
	}
	var list []validate.Mirror
	for i, column := range again.Columns() {
		effect := fit.Effect(slices.Index(columns, column))
		list = append(list, validate.Mirror{Variable: column, Value: again.Mirror(i, effect)})
	}
	return list, nil
}
