package contest

import (
	"math"
	"slices"
	"testing"

	"fsa/internal/objective"
	"fsa/internal/plan"
	"fsa/internal/search"
	"fsa/loss"
	"fsa/validate"
)

// judge returns the judge of a target with the squared loss.
func judge(t objective.Target, weight []float64) Judge {
	return Judge{Sample: &search.Sample{Target: t, Effective: len(t.Y)}, Loss: loss.Squared{}, Weight: weight}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// The mean loss counts rows by their weight, adds offsets, and compares the rows of a query.
func TestJudgeError(t *testing.T) {
	for name, c := range map[string]struct {
		of   objective.Target
		loss loss.Loss
		z    []float64
		test []int
		want float64
	}{
		"plain":        {objective.Target{Y: []float64{0, 1, 2, 3}}, loss.Squared{}, []float64{1, 1}, []int{1, 3}, 1},
		"weights":      {objective.Target{Y: []float64{0, 1, 2, 3}, Weight: []float64{9, 1, 9, 3}}, loss.Squared{}, []float64{1, 1}, []int{1, 3}, 1.5},
		"no weight":    {objective.Target{Y: []float64{0, 1}, Weight: []float64{1, 0}}, loss.Squared{}, []float64{7}, []int{1}, 0},
		"offset":       {objective.Target{Y: []float64{0, 1, 2, 3}, Offset: []float64{5, 1, 5, -1}}, loss.WithOffset(loss.Squared{}), []float64{1, 1}, []int{1, 3}, (0.5 + 4.5) / 2},
		"several":      {objective.Target{Y: []float64{0, 1, 2}}, loss.Multinomial{Classes: 3}, []float64{0, 5, 3, 5, 0, 5}, []int{2, 1}, (math.Log(2+math.Exp(3)) + math.Log(3)) / 2},
		"queries":      {objective.Target{Y: []float64{0, 1, 0, 1}, Query: []int{0, 2, 4}}, loss.Rank{}, []float64{0, 2}, []int{2, 3}, math.Log1p(math.Exp(-2))},
		"equal grades": {objective.Target{Y: []float64{1, 1, 0, 1}, Query: []int{0, 2, 4}}, loss.Rank{}, []float64{0, 2}, []int{0, 1}, 0},
		"pairs":        {objective.Target{Y: make([]float64, 4), Pairs: []loss.Pair{{I: 0, J: 1, R: 1}, {I: 2, J: 3, R: 1}}}, loss.Rank{}, []float64{3, 1}, []int{0, 1}, math.Log1p(math.Exp(-2))},
	} {
		j := Judge{Sample: &search.Sample{Target: c.of}, Loss: c.loss}
		if got := j.Error(nil, c.z, c.test); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, not %v", name, got, c.want)
		}
	}
}

// A measure gets the margins row after row, and the rows that have them and a weight.
func TestJudgeMeasure(t *testing.T) {
	j := Judge{Sample: &search.Sample{Target: objective.Target{Y: make([]float64, 4), Weight: []float64{0, 1, 1, 1}}}, Loss: loss.Multinomial{Classes: 3}}
	got := j.Error(func(z []float64, has []bool) float64 {
		if want := []float64{21, 31, 41, 0, 0, 0, 20, 30, 40, 0, 0, 0}; !slices.Equal(z, want) || !slices.Equal(has, []bool{false, false, true, false}) {
			t.Errorf("margins %v of %v", z, has)
		}
		return 7
	}, []float64{20, 21, 30, 31, 40, 41}, []int{2, 0})
	if got != 7 {
		t.Errorf("%v, not 7", got)
	}
}

// Caution adds the loss of a label that is wrong, with the chance of one in two more than the rows.
func TestCaution(t *testing.T) {
	for name, c := range map[string]struct {
		weight, z []float64
		want      float64
	}{
		"plain":     {nil, []float64{2, -4}, (2 + 4) / 2. / 6},
		"wrong":     {nil, []float64{2, 4}, (2 - 4) / 2. / 6},
		"weights":   {[]float64{5, 1, 3, 5}, []float64{2, -4}, (2 + 3*4) / 4. / 6},
		"no weight": {[]float64{5, 0, 0, 5}, []float64{2, -4}, 0},
	} {
		if got := judge(objective.Target{Y: []float64{1, 1, -1, 1}, Weight: c.weight}, nil).Caution(c.z, []int{1, 2}); !near(got, c.want) {
			t.Errorf("%s: %v, not %v", name, got, c.want)
		}
	}
}

// The gain is the decrease of the loss of each row, and rows count by their share in the effective sample size.
func TestGain(t *testing.T) {
	y := []float64{0, 1, 2, 3}
	z, than := []float64{1, 1, 3}, []float64{0, 2, 0} // of rows 1, 2 and 3
	gains := []float64{0.5, -0.5, 4.5}
	for name, c := range map[string]struct {
		weight           []float64
		rows             int
		sum, of, squares float64
	}{
		"plain":     {nil, 3, 4.5, 3, 0.25 + 0.25 + 20.25},
		"weights":   {[]float64{4, 0, 3, 1}, 2, 3*-0.5 + 4.5, 4, 3*0.25 + 20.25},
		"of a half": {[]float64{8, 0, 0, 0}, 0, 0, 0, 0},
	} {
		j := judge(objective.Target{Y: y}, c.weight)
		got := j.Gain(z, than, []int{1, 2, 3})
		if got.Rows != c.rows || !near(got.Sum, c.sum) || !near(got.Weight, c.of) || !near(got.SquareSum, c.squares) {
			t.Errorf("%s: %+v", name, got)
		}
		all, list := j.GainOver(append([]float64{9}, z...), append([]float64{9}, than...), []bool{false, true, true, true})
		var want []float64
		for i, g := range gains {
			if c.weight == nil || c.weight[i+1] > 0 {
				want = append(want, g)
			}
		}
		if all != got || !slices.EqualFunc(list, want, near) {
			t.Errorf("%s: %+v of %v", name, all, list)
		}
	}
	// Margins of several outputs are output after output, or row after row.
	several := Judge{Sample: &search.Sample{Target: objective.Target{Y: []float64{0, 2, 1}}, Effective: 3}, Loss: loss.Multinomial{Classes: 3}}
	want := math.Log(3) - math.Log(2+math.Exp(5)) + 5
	got := several.Gain([]float64{0, 1, 0, 1, 5, 1}, make([]float64, 6), []int{1, 0})
	if got.Rows != 2 || !near(got.Sum, want) {
		t.Errorf("several outputs: %+v, not %v", got, want)
	}
	if got, _ := several.GainOver([]float64{1, 1, 1, 0, 0, 5, 0, 0, 0}, make([]float64, 9), []bool{true, true, false}); got.Rows != 2 || !near(got.Sum, want) {
		t.Errorf("several outputs, by row: %+v, not %v", got, want)
	}
	offset := Judge{Sample: &search.Sample{Target: objective.Target{Y: y, Offset: []float64{0, 0, 0, 2}}}, Loss: loss.WithOffset(loss.Squared{})}
	if got := offset.Gain([]float64{1}, []float64{0}, []int{3}); !near(got.Sum, 0.5) {
		t.Errorf("offset: %+v", got)
	}
}

// Losses are those of rows or queries that have a weight, with the labels of their groups.
func TestLosses(t *testing.T) {
	of := objective.Target{Y: []float64{0, 1, 2, 3}}
	z, other, has := []float64{1, 1, 0, 1}, []float64{0, 0, 0, 0}, []bool{true, true, false, true}
	l := judge(of, []float64{2, 0, 1, 4}).Losses(z, other, has, []float64{8, 5, 5, 8})
	if !slices.Equal(l.Own, []float64{0.5, 2}) || !slices.Equal(l.Other, []float64{0, 4.5}) || !slices.Equal(l.Weight, []float64{2, 4}) || !slices.Equal(l.Group, []int{0, 0}) {
		t.Errorf("%+v", l)
	}
	if own, others := l.Mean(l.Own), l.Mean(l.Other); !near(own, 1.5) || !near(others, 3) {
		t.Errorf("means %v and %v", own, others)
	}
	if got, want := l.Paired(), validate.Paired([]float64{0.5, -2.5}, l.Weight, l.Group); got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
	l = judge(of, nil).Losses(z, other, has, []float64{8, 5, 5, 7})
	if !slices.Equal(l.Group, []int{0, 1, 2}) || !slices.Equal(l.Weight, []float64{1, 1, 1}) {
		t.Errorf("%+v", l)
	}
	if l := judge(of, nil).Losses(z, other, has, nil); l.Group != nil {
		t.Errorf("groups %v", l.Group)
	}
	queries := Judge{Sample: &search.Sample{Target: objective.Target{Y: []float64{1, 1, 0, 1, 2}, Query: []int{0, 2, 5}}}, Loss: loss.Rank{}}
	l = queries.Losses([]float64{0, 0, 0, 1, 2}, make([]float64, 5), []bool{true, true, true, true, true}, nil)
	if len(l.Own) != 1 || !near(l.Other[0], math.Log(2)) || !near(l.Own[0], (2*math.Log1p(math.Exp(-1))+math.Log1p(math.Exp(-2)))/3) {
		t.Errorf("queries: %+v", l)
	}
}

// The loss of each row is that of its margins, of all outputs, with its offset.
func TestRowLosses(t *testing.T) {
	got := judge(objective.Target{Y: []float64{0, 1, 2}}, nil).RowLosses([]float64{1, 1, 0}, []bool{true, false, true})
	if got[0] != 0.5 || !math.IsNaN(got[1]) || got[2] != 2 {
		t.Errorf("%v", got)
	}
	offset := Judge{Sample: &search.Sample{Target: objective.Target{Y: []float64{0, 1}, Offset: []float64{3, 2}}}, Loss: loss.WithOffset(loss.Squared{})}
	if got := offset.RowLosses([]float64{1, 1}, []bool{true, true}); !slices.Equal(got, []float64{8, 2}) {
		t.Errorf("with offset: %v", got)
	}
	several := Judge{Sample: &search.Sample{Target: objective.Target{Y: []float64{0, 2}}}, Loss: loss.Multinomial{Classes: 3}}
	if got := several.RowLosses([]float64{0, 0, 0, 1, 2, 3}, []bool{false, true}); !near(got[1], math.Log(math.E+math.Exp(2)+math.Exp(3))-3) {
		t.Errorf("several outputs: %v", got)
	}
}

// Candidates are compared with caution, and reported without it.
func TestComparedWithCaution(t *testing.T) {
	config := normal(2, 60, 3, 1, 1).config(t, "squared", plan.Request{K: 1}, 2)
	for i := range config.Folds {
		config.Folds[i].Caution = func(z []float64) float64 { return float64(len(z) + i) }
	}
	g := began(t, config)
	trial, err := g.try(t.Context(), g.Plan.Recipe, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range trial.Errors {
		if !near(e, trial.Reported[i]+float64(30+i)) || trial.Reported[i] <= 0 {
			t.Errorf("fold %d: %v is compared, and %v reported", i, e, trial.Reported[i])
		}
	}
	if !near(trial.Mean, trial.Error+30.5) {
		t.Errorf("%v is compared, and %v reported", trial.Mean, trial.Error)
	}
}
