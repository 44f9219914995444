package fit

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fsa/internal/search"
	"fsa/model"
	"fsa/validate"
)

// Out-of-fold decision values are means over the repeats. A fold whose fit diverged has none.
func TestOutOfFold(t *testing.T) {
	ctx, d := context.Background(), correlated(t, rand.New(rand.NewPCG(1, 1)), 60, 2, 1, 3, 0)
	o := settingsOf("multinomial")
	o.Validation.Folds, o.Validation.Repeats = 3, 2
	j, err := Prepare(ctx, d, o)
	if err != nil {
		t.Fatal(err)
	}
	if j.cut, err = j.Folds(ctx); err != nil {
		t.Fatal(err)
	}
	outputs := j.Response.Loss.Outputs()
	diverged := 1
	z, has, err := j.outOfFold(func(fold int, test []int) ([]float64, error) {
		if fold == diverged {
			return nil, nil
		}
		var z []float64
		for c := range outputs {
			for _, row := range test {
				z = append(z, float64(100*row+10*c)+float64(fold/3))
			}
		}
		return z, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for row := range d.Rows() {
		repeat := 0.5 // mean of 0 and 1
		if slices.Contains(j.cut.Split(diverged).Test, row) {
			repeat = 1
		}
		for c := range outputs {
			if got, want := z[row*outputs+c], float64(100*row+10*c)+repeat; !has[row] || got != want {
				t.Errorf("row %d, output %d: %v, want %v", row, c, got, want)
			}
		}
	}
	failed := errors.New("a fold failed")
	if _, _, err := j.outOfFold(func(int, []int) ([]float64, error) { return nil, failed }); !errors.Is(err, failed) {
		t.Errorf("%v", err)
	}
	if _, has, _ := j.outOfFold(func(int, []int) ([]float64, error) { return nil, nil }); slices.Contains(has, true) {
		t.Error("rows have values of fits that diverged")
	}
}

// A calibration applies to decision values, intercepts and coefficients alike.
func TestCalibrationOfModel(t *testing.T) {
	l := model.Learned{Decision: []float64{1, 2}, Intercept: []float64{3}, Variables: []model.Coefficients{{Values: []float64{4, 5}}}}
	(&calibration{threshold: 7}).read(&l)
	if l.Calibrated || l.Threshold != 7 || l.Intercept[0] != 3 {
		t.Errorf("without a calibration: %+v", l)
	}
	(&calibration{Calibration: &validate.Calibration{Slope: 2, Intercept: []float64{0.5}}}).read(&l)
	if !l.Calibrated || l.Threshold != 0 || !slices.Equal(l.Decision, []float64{2.5, 4.5}) || l.Intercept[0] != 6.5 || !slices.Equal(l.Variables[0].Values, []float64{8, 10}) {
		t.Errorf("%+v", l)
	}
}

// TestAgreement checks the frequencies of variables over folds, and their agreement.
func TestAgreement(t *testing.T) {
	d := tableOf(t, 4, 3)
	index, shares := agreement(d, [][]int{{0, 1}, {0}, {0, 1}, {0}})
	if index == nil || !(*index > 0 && *index < 1) || len(shares) != 2 || shares[d.ColumnName(0)] != 1 || shares[d.ColumnName(1)] != 0.5 {
		t.Errorf("%v, %v", index, shares)
	}
	if index, shares = agreement(d, [][]int{nil, nil}); index != nil || len(shares) != 0 {
		t.Errorf("of no variable: %v, %v", index, shares)
	}
}

// Measures of which larger is better are compared with the opposite sign.
func TestSigned(t *testing.T) {
	if signed("auc", 0.75) != -0.75 || signed("rmse", 2) != 2 || signed("", 3) != 3 {
		t.Error("the sign is wrong")
	}
}

// Different losses are compared by a measure of the predictions that suits the task.
func TestCommonMeasure(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, c := range []struct {
		classes int
		losses  []string
		measure string
		want    string
	}{
		{2, []string{"logistic", "svm"}, "", "auc"},
		{2, []string{"logistic", "logistic"}, "", ""},
		{2, []string{"logistic", "svm"}, "brier", "brier"},
		{0, []string{"squared", "huber"}, "", "rmse"},
		{3, []string{"multinomial", "ordinal"}, "", "error"},
	} {
		var among []Settings
		for _, name := range c.losses {
			s := settingsOf(name)
			s.Validation.Measure = c.measure
			among = append(among, s)
		}
		got, err := commonMeasure(correlated(t, rng, 40, 2, 1, c.classes, 0), among)
		if err != nil || got != c.want {
			t.Errorf("%v: %q, %v, want %q", c.losses, got, err, c.want)
		}
	}
}

// The earlier settings win unless the later ones are better, and the winner is not validated again.
func TestChoose(t *testing.T) {
	ctx, d := context.Background(), correlated(t, rand.New(rand.NewPCG(2, 4)), 100, 4, 2, 0, 0)
	with := func(k int) Settings {
		s := settingsOf("squared")
		s.Request.K, s.Validation.Always = k, true
		return s
	}
	for _, c := range []struct {
		among []Settings
		want  int
	}{{[]Settings{with(2), with(2)}, 0}, {[]Settings{with(2), with(1)}, 0}, {[]Settings{with(1), with(2)}, 1}} {
		best, err := Choose(ctx, d, c.among)
		if err != nil {
			t.Fatal(err)
		}
		if best.Winner != c.want || best.Measure != "squared" || len(best.Means) != len(c.among) || best.Settings.Request.K != c.among[c.want].Request.K {
			t.Errorf("settings %d of %v win, not %d", best.Winner, best.Means, c.want)
		}
		before := best.Evidence()
		if _, err := best.Run(ctx); err != nil || before == nil || best.Evidence() != before {
			t.Errorf("it was validated again: %v", err)
		}
	}
	other := with(2)
	other.Response.Loss = "huber"
	if best, err := Choose(ctx, d, []Settings{with(2), other}); err != nil || best.Measure != "rmse" || !(best.Means[0] > 0.5 && best.Means[0] < 2 && best.Means[1] < 2) {
		t.Errorf("%v: %+v", err, best)
	}
	if _, err := Choose(ctx, d, []Settings{with(2), with(99)}); !errors.Is(err, model.ErrOptions) {
		t.Errorf("%v", err)
	}
}

// The ridge of a reference minimises the inner loss among its neighbours on the grid.
func TestReferenceRidge(t *testing.T) {
	ctx := context.Background()
	o := settingsOf("squared")
	o.Validation.Reference, o.Validation.Folds, o.Request.K = "ridge", 3, 1
	var ridges []float64
	for _, noise := range []float64{0.1, 30} {
		rng := rand.New(rand.NewPCG(8, 8))
		d := correlated(t, rng, 60, 6, 6, 0, 0)
		for i := range d.Target.Y {
			d.Target.Y[i] += noise * rng.NormFloat64()
		}
		j, err := Prepare(ctx, d, o)
		if err != nil {
			t.Fatal(err)
		}
		if j.cut, err = j.Folds(ctx); err != nil {
			t.Fatal(err)
		}
		ridge, err := j.referenceRidge(ctx, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		if steps := math.Log(ridge/firstRidge) / math.Log(ridgeStep); math.Abs(steps-math.Round(steps)) > 1e-9 {
			t.Errorf("ridge %v is not on the grid", ridge)
		}
		ridges = append(ridges, ridge)
	}
	if !(ridges[0] < firstRidge && ridges[1] > ridges[0]) {
		t.Errorf("ridges %v: little noise needs a small one, much noise a larger one", ridges)
	}
}

// TestRefused checks that what the data do not allow is refused with the cause.
func TestRefused(t *testing.T) {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(4, 4))
	for says, c := range map[string]struct {
		loss    string
		classes int
		change  func(s *Settings)
	}{
		"variables to select from":   {"squared", 0, func(s *Settings) { s.Request.K = 9 }},
		"sizes up to 7":              {"squared", 0, func(s *Settings) { s.Request.Sizes = []int{1, 7} }},
		"calibration is for":         {"squared", 0, func(s *Settings) { s.Validation.Calibrate = true }},
		"share thresholds":           {"ordinal", 3, func(s *Settings) { s.Validation.Calibrate = true }},
		"a threshold is for two":     {"multinomial", 3, func(s *Settings) { s.Validation.Threshold = "f1" }},
		"2 variables are forced":     {"squared", 0, func(s *Settings) { s.Request.K, s.Training.Force = 1, []string{"0", "1"} }},
		"there are 2 groups":         {"squared", 0, func(s *Settings) { s.Request.K, s.Training.Groups = 3, [][]string{{"0", "1", "2"}} }},
		"one decision value per row": {"multinomial", 3, func(s *Settings) { s.Request.Interactions = search.Interactions{Most: 1, Heredity: search.Strong} }},
		"rivals need a model of at most": {"squared", 0, func(s *Settings) {
			s.Request.K, s.Validation.Rivals, s.Training.Design.Bins, s.Training.CurvePriors = 2, true, 3, map[string]float64{"smooth": 1}
		}},
	} {
		s := settingsOf(c.loss)
		c.change(&s)
		if _, err := Prepare(ctx, correlated(t, rng, 60, 4, 1, c.classes, 0), s); !errors.Is(err, model.ErrOptions) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, not %q", err, says)
		}
	}
}

// What the contest is too small for is refused when it begins.
func TestReferenceRefused(t *testing.T) {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(6, 4))
	o := settingsOf("squared")
	o.Validation.Reference, o.Validation.Folds = "ridge", 2
	j, err := Prepare(ctx, correlated(t, rng, 40, 3, 1, 0, 0), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.Validate(ctx); !errors.Is(err, model.ErrOptions) || !strings.Contains(err.Error(), "at least 3 folds") {
		t.Errorf("%v", err)
	}
	large := correlated(t, rng, 1600, 2000, 1, 0, 0)
	for reference, refused := range map[string]bool{"ridge": false, "additive": true} { // curves have several coefficients
		o.Validation.Reference, o.Validation.Folds = reference, 3
		if j, err = Prepare(ctx, large, o); err != nil {
			t.Fatal(err)
		}
		if j.cut, err = j.Folds(ctx); err != nil {
			t.Fatal(err)
		}
		if err := j.checkReference(); errors.Is(err, model.ErrOptions) != refused {
			t.Errorf("%s: %v", reference, err)
		}
	}
	if got := referenceBins("ridge"); got != 0 {
		t.Errorf("a ridge has %d bins", got)
	}
	if !(referenceBins("additive") > 0) || !slices.Equal(ReferenceNames(), []string{"ridge", "additive"}) {
		t.Errorf("%v", ReferenceNames())
	}
}

// Too few candidates cannot be confirmed at a small rate: then nothing is selected and no half sample is run.
func TestDiscoverFewCandidates(t *testing.T) {
	ctx, d := context.Background(), correlated(t, rand.New(rand.NewPCG(7, 7)), 60, 4, 2, 0, 0)
	for rate, least := range map[float64]int{0.01: 10, 0.05: 2, 0.1: 1, 0.5: 1} {
		if got := leastCandidates(rate); got != least {
			t.Errorf("rate %v: at least %d candidates, not %d", rate, got, least)
		}
	}
	for rate, halves := range map[float64]bool{0.01: false, 0.5: true} {
		o := settingsOf("squared")
		o.Request.FDR = rate
		j, err := Prepare(ctx, d, o)
		if err != nil {
			t.Fatal(err)
		}
		columns, found, err := j.discover(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if found.Rate != rate || found.Candidates != j.Plan.Size || found.Least != leastCandidates(rate) || found.HalfSamples > 0 != halves {
			t.Errorf("rate %v: %+v", rate, found)
		}
		if !halves && columns != nil {
			t.Errorf("rate %v: %v are selected", rate, columns)
		}
		if halves && found.HalfSamples != 2*j.Plan.Pairs {
			t.Errorf("%d half samples, not %d", found.HalfSamples, 2*j.Plan.Pairs)
		}
	}
}

// Variables that less than 30% of the half samples confirm are left out.
func TestDiscoverShare(t *testing.T) {
	few := 0
	for seed := range uint64(4) {
		d := correlated(t, rand.New(rand.NewPCG(seed, 9)), 80, 12, 6, 0, 0)
		for i := range d.Target.Y {
			d.Target.Y[i] += 4 * math.Sin(float64(7*i*i))
		}
		o := settingsOf("squared")
		o.Request.FDR = 0.5
		j, err := Prepare(context.Background(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		columns, found, err := j.discover(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for c := range d.Columns {
			share := found.Confirmed[d.ColumnName(c)]
			if share > 0 && share < 0.3 {
				few++
			}
			if slices.Contains(columns, c) && share < 0.3 {
				t.Errorf("seed %d: variable %d is selected, confirmed by %v", seed, c, share)
			}
		}
	}
	if few == 0 {
		t.Error("no variable is confirmed by few half samples")
	}
}
