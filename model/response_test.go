package model_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"fsa/data"
	"fsa/loss"
	"fsa/model"
)

// tableOf returns a table of one column with a target.
func tableOf(t *testing.T, target data.Target) *data.Dataset {
	t.Helper()
	x := make([]float64, max(len(target.Y), 1))
	for i := range x {
		x[i] = float64(i)
	}
	d, err := data.FromRows([]string{"x"}, 1, x, slices.Clone(x))
	if err != nil {
		t.Fatal(err)
	}
	d.Target = &target
	return d
}

var colours = []string{"red", "blue", "green"}

// A response is encoded as its loss wants it, and the loss follows from the response.
func TestResponses(t *testing.T) {
	for name, c := range map[string]struct {
		target  data.Target
		options model.ResponseOptions
		loss    string
		task    model.Task
		classes string
		y       []float64
		weight  []float64
	}{
		"numbers":      {target: data.Target{Y: []float64{1, 2.5, 3}}, loss: "squared", task: model.Regression, y: []float64{1, 2.5, 3}},
		"two numbers":  {target: data.Target{Y: []float64{3, 7, 3}}, loss: "logistic", task: model.Classification, classes: "3,7", y: []float64{-1, 1, -1}},
		"signed zeros": {target: data.Target{Y: []float64{math.Copysign(0, -1), 1, 0}}, loss: "logistic", task: model.Classification, classes: "0,1", y: []float64{-1, 1, -1}},
		"two texts":    {target: data.Target{Y: []float64{0, 1, 1}, Categories: colours[:2]}, loss: "logistic", task: model.Classification, classes: "blue,red", y: []float64{1, -1, -1}},
		"three texts":  {target: data.Target{Y: []float64{0, 1, 2}, Categories: colours}, loss: "multinomial", task: model.Classification, classes: "blue,green,red", y: []float64{2, 0, 1}},
		"positive":     {target: data.Target{Y: []float64{3, 7, 3}}, options: model.ResponseOptions{Positive: "3"}, loss: "logistic", task: model.Classification, classes: "7,3", y: []float64{1, -1, 1}},
		"svm":          {target: data.Target{Y: []float64{3, 7, 3}}, options: model.ResponseOptions{Loss: "svm"}, loss: "svm", task: model.Classification, classes: "3,7", y: []float64{-1, 1, -1}},
		"queries":      {target: data.Target{Y: []float64{0, 1, 2}, Query: []int{0, 3}}, loss: "rank", task: model.Ranking, y: []float64{0, 1, 2}},
		"rank":         {target: data.Target{Y: []float64{0, 1, 2}}, options: model.ResponseOptions{Loss: "rank"}, loss: "rank", task: model.Ranking, y: []float64{0, 1, 2}},
		"huge":         {target: data.Target{Y: []float64{0x1p400, 0x3p399, 0}}, loss: "squared", task: model.Regression, y: []float64{1, 1.5, 0}},
		"own loss":     {target: data.Target{Y: []float64{0, 1, 1}}, options: model.ResponseOptions{Custom: loss.Squared{}}, loss: "custom", task: model.Regression, y: []float64{0, 1, 1}},
		"class weights": {target: data.Target{Y: []float64{0, 1, 1}, Weight: []float64{2, 1, 3}}, options: model.ResponseOptions{ClassWeights: map[string]float64{"1": 10}},
			loss: "logistic", task: model.Classification, classes: "0,1", y: []float64{-1, 1, 1}, weight: []float64{2, 10, 30}},
		// Each of the classes weighs 2 of 4 in all.
		"balanced": {target: data.Target{Y: []float64{0, 1, 1, 1}}, options: model.ResponseOptions{Balanced: true},
			loss: "logistic", task: model.Classification, classes: "0,1", y: []float64{-1, 1, 1, 1}, weight: []float64{2, 2. / 3, 2. / 3, 2. / 3}},
	} {
		before := slices.Clone(c.target.Y)
		r, err := model.NewResponse(tableOf(t, c.target), c.options)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if r.Name != c.loss || r.Task != c.task || strings.Join(r.Classes, ",") != c.classes || r.Loss == nil {
			t.Errorf("%s: the %s loss of a %s of the classes %q", name, r.Name, r.Task, r.Classes)
		}
		if !slices.Equal(r.Target.Y, c.y) || !slices.Equal(c.target.Y, before) {
			t.Errorf("%s: %v became %v, want %v", name, c.target.Y, r.Target.Y, c.y)
		}
		if c.weight != nil && !slices.EqualFunc(r.Target.Weight, c.weight, func(a, b float64) bool { return math.Abs(a-b) < 1e-15 }) {
			t.Errorf("%s: weights %v, want %v", name, r.Target.Weight, c.weight)
		}
	}
}

// What cannot be learned is refused: with an error about the data, or about the options.
func TestRefusedResponses(t *testing.T) {
	many := make([]float64, 1500)
	for i := range many {
		many[i] = float64(i)
	}
	for name, c := range map[string]struct {
		target  data.Target
		options model.ResponseOptions
		is      error
		says    string
	}{
		"none":                 {data.Target{}, model.ResponseOptions{}, data.ErrBadData, "there is no target"},
		"one row":              {data.Target{Y: []float64{1}}, model.ResponseOptions{}, data.ErrBadData, "one row"},
		"one value":            {data.Target{Y: []float64{0, 0}, Categories: colours}, model.ResponseOptions{}, data.ErrBadData, "the target is red"},
		"one that weighs":      {data.Target{Y: []float64{0, 1}, Weight: []float64{1, 0}}, model.ResponseOptions{}, data.ErrBadData, "the target is 0"},
		"texts as numbers":     {data.Target{Y: []float64{0, 1}, Categories: colours}, model.ResponseOptions{Loss: "squared"}, data.ErrBadData, "needs a classification"},
		"three of two classes": {data.Target{Y: []float64{0, 1, 2}}, model.ResponseOptions{Loss: "svm"}, data.ErrBadData, "3 different values"},
		"too many classes":     {data.Target{Y: many}, model.ResponseOptions{Loss: "multinomial"}, data.ErrBadData, "more than 1000 different values"},
		"nothing to rank":      {data.Target{Y: []float64{0, 0, 1}, Query: []int{0, 2, 3}}, model.ResponseOptions{}, data.ErrBadData, "nothing to rank"},
		"weights of numbers":   {data.Target{Y: []float64{0, 1, 2}}, model.ResponseOptions{Balanced: true}, model.ErrOptions, "class weights"},
		"weight of nobody":     {data.Target{Y: []float64{0, 1}}, model.ResponseOptions{ClassWeights: map[string]float64{"2": 1}}, model.ErrOptions, `no class "2"`},
		"positive number":      {data.Target{Y: []float64{0, 1, 2}}, model.ResponseOptions{Positive: "1"}, model.ErrOptions, "a positive class"},
		"positive nobody":      {data.Target{Y: []float64{0, 1}}, model.ResponseOptions{Positive: "2"}, model.ErrOptions, `"0", "1"`},
	} {
		if _, err := model.NewResponse(tableOf(t, c.target), c.options); !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

// Every task has its measures. Those of perfect decision values are perfect, and a measurer says so too, such
// that less is better.
func TestMeasures(t *testing.T) {
	for name, c := range map[string]struct {
		target data.Target
		loss   string
		z      []float64
		want   map[string]float64
	}{
		"number": {data.Target{Y: []float64{1, 2, 6}}, "squared", []float64{1, 2, 6}, map[string]float64{"rmse": 0, "mae": 0, "r2": 1, "deviance": 0}},
		"off":    {data.Target{Y: []float64{1, 2, 6}}, "squared", []float64{3, 3, 3}, map[string]float64{"rmse": math.Sqrt(14. / 3), "mae": 2, "r2": 0, "deviance": 14. / 3}},
		"huge":   {data.Target{Y: []float64{0x1p400, 0, 0}}, "squared", []float64{0, 0, 0}, map[string]float64{"rmse": 0x1p400 / math.Sqrt(3), "mae": 0x1p400 / 3, "r2": -0.5, "deviance": 0x1p800 / 3}},
		"two":    {data.Target{Y: []float64{0, 1, 1}}, "svm", []float64{-1, 1, 1}, map[string]float64{"auc": 1, "ap": 1, "error": 0, "balanced": 0}},
		"probabilities": {data.Target{Y: []float64{0, 1, 1}}, "logistic", []float64{0, 0, 0},
			map[string]float64{"auc": 0.5, "ap": 2. / 3, "error": 2. / 3, "balanced": 0.5, "logloss": math.Ln2, "brier": 0.25, "deviance": 2 * math.Ln2}},
		"classes": {data.Target{Y: []float64{0, 1, 2}}, "multinomial", make([]float64, 9),
			map[string]float64{"error": 2. / 3, "balanced": 2. / 3, "logloss": math.Log(3), "brier": 2. / 3, "deviance": 2 * math.Log(3)}},
		"rank": {data.Target{Y: []float64{0, 1, 0}, Query: []int{0, 3}}, "rank", []float64{0, 1, 0}, map[string]float64{"ndcg10": 1, "map": 1}},
	} {
		r, err := model.NewResponse(tableOf(t, c.target), model.ResponseOptions{Loss: c.loss})
		if err != nil {
			t.Fatal(err)
		}
		all := slices.Repeat([]bool{true}, len(c.target.Y))
		got := r.Measure(c.z, all)
		if len(got) != len(c.want) {
			t.Errorf("%s: measured %v, want %v", name, got, c.want)
		}
		for _, measure := range model.MeasureNames() {
			want, applies := c.want[measure]
			if applies && !(math.Abs(got[measure]-want) <= 1e-12*max(1, math.Abs(want))) {
				t.Errorf("%s: %s is %v, want %v", name, measure, got[measure], want)
			}
			f, err := r.Measurer(measure)
			if (err == nil) != applies {
				t.Errorf("%s: measured by %s: %v", name, measure, err)
			} else if err == nil {
				if v := f(c.z, all); model.LargerIsBetter(measure) && v != -got[measure] || !model.LargerIsBetter(measure) && v != got[measure] {
					t.Errorf("%s: %s is measured as %v, and as %v", name, measure, v, got[measure])
				}
			}
		}
		if f, err := r.Measurer(""); f != nil || err != nil {
			t.Errorf("%s: the loss has a measurer: %v", name, err)
		}
		if _, err := r.Measurer("nothing"); !errors.Is(err, model.ErrOptions) {
			t.Errorf("%s: an unknown measure: %v", name, err)
		}
	}
	if got := model.Usual("squared", map[string]float64{"rmse": 1, "mae": 2}); len(got) != 1 || got["rmse"] != 1 {
		t.Errorf("the usual measures are %v", got)
	}
}

// Only rows that have a decision value are measured, and those that weigh something.
func TestMeasureSomeRows(t *testing.T) {
	r, err := model.NewResponse(tableOf(t, data.Target{Y: []float64{1, 2, 6, 9}, Weight: []float64{1, 3, 1, 0}}), model.ResponseOptions{Loss: "squared"})
	if err != nil {
		t.Fatal(err)
	}
	z, has := []float64{2, 4, 100, 100}, []bool{true, true, false, true}
	if got, want := r.Measure(z, has)["mae"], (1*1+3*2)/4.0; math.Abs(got-want) > 1e-15 {
		t.Errorf("the mean absolute error is %v, want %v", got, want)
	}
	if got := r.Residuals(z, has); !slices.Equal(got, []float64{1, 2}) {
		t.Errorf("residuals %v", got)
	}
	if got := r.Scores([]float64{4, 2, 6, 0}, []bool{true, true, true, false}, false); !slices.Equal(got, []float64{0, 0, 3}) {
		t.Errorf("scores %v", got)
	}
}

// Scores of classes are what is left of their probabilities, where there are some.
func TestScoresOfClasses(t *testing.T) {
	third := math.Log(2) // a probability of ⅔
	for name, c := range map[string]struct {
		y          []float64
		loss       string
		calibrated bool
		z, want    []float64
	}{
		"two":        {[]float64{0, 1, 1}, "logistic", false, []float64{-third, third, -third}, []float64{1. / 3, 1. / 3, 2. / 3}},
		"svm":        {[]float64{0, 1, 1}, "svm", false, []float64{-1, 1, 1}, nil},
		"calibrated": {[]float64{0, 1, 1}, "svm", true, []float64{-third, third, -third}, []float64{1. / 3, 1. / 3, 2. / 3}},
		"classes":    {[]float64{0, 1, 2}, "multinomial", false, []float64{third, 0, 0, 0, 0, 0, 0, third, 0}, []float64{0.5, 2. / 3, 0.75}},
		"rank":       {[]float64{0, 1, 2}, "rank", false, []float64{1, 2, 3}, nil},
	} {
		r, err := model.NewResponse(tableOf(t, data.Target{Y: c.y}), model.ResponseOptions{Loss: c.loss})
		if err != nil {
			t.Fatal(err)
		}
		got := r.Scores(c.z, []bool{true, true, true}, c.calibrated)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
