package model

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
)

// opened returns what a model of testdata says.
func opened(t *testing.T, name string) *spec {
	t.Helper()
	m, err := Load("testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return &m.spec
}

// copied returns a deep copy.
func copied(t *testing.T, s *spec) *spec {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	to := new(spec)
	if err := json.Unmarshal(text, to); err != nil {
		t.Fatal(err)
	}
	return to
}

// paired returns an interaction.
func paired() []interaction {
	return []interaction{{
		Sides: [2]side{{Index: 1, Name: "a", SD: 1}, {Index: 2, Name: "b", SD: 2}},
		Norm:  1, Coefficients: []float64{3}, Low: []float64{-1}, High: []float64{1},
	}}
}

// A model with one field that makes no sense is refused, whichever it is.
func TestCheckRefuses(t *testing.T) {
	nan, inf, one := math.NaN(), math.Inf(1), 1.0
	broken := map[string]map[string]func(s *spec){
		"v2/regression": {
			"unknown loss":            func(s *spec) { s.Loss = "none" },
			"another task":            func(s *spec) { s.Task = Ranking },
			"no outputs":              func(s *spec) { s.Outputs = 0 },
			"no intercept":            func(s *spec) { s.Intercept = nil },
			"infinite intercept":      func(s *spec) { s.Intercept[0] = inf },
			"ties of a number":        func(s *spec) { s.Settings.Ties = "breslow" },
			"quantiles of a mean":     func(s *spec) { s.Settings.Quantiles = []float64{0.1, 0.9} },
			"quantiles of one output": func(s *spec) { s.Loss, s.Settings.Quantiles = "quantile", []float64{0.1, 0.9} },
			"quantiles that fall": func(s *spec) {
				s.Loss, s.Outputs, s.Intercept, s.Settings.Quantiles = "quantile", 2, []float64{0, 1}, []float64{0.9, 0.1}
				for i := range s.Variables {
					s.Variables[i].Coefficients = append(s.Variables[i].Coefficients, s.Variables[i].Coefficients...)
				}
			},
			"outputs without quantiles":  func(s *spec) { s.Outputs, s.Intercept = 2, []float64{0, 1} },
			"classes of a number":        func(s *spec) { s.Classes = []string{"a", "b"} },
			"calibrated number":          func(s *spec) { s.Calibrated = true },
			"threshold of a number":      func(s *spec) { s.Threshold = 1 },
			"negative bins":              func(s *spec) { s.Bins = -1 },
			"negative width":             func(s *spec) { s.Width = -1 },
			"a variable twice":           func(s *spec) { s.Variables = append(s.Variables, s.Variables[0]) },
			"variables out of order":     func(s *spec) { slices.Reverse(s.Variables) },
			"unknown kind":               func(s *spec) { s.Variables[0].Kind = "x" },
			"a line with knots":          func(s *spec) { s.Variables[0].Knots = []float64{1, 2} },
			"a line with levels":         func(s *spec) { s.Variables[0].Levels = []string{"a", "b"} },
			"a line with a part":         func(s *spec) { s.Variables[0].Part = "month" },
			"a range that ends early":    func(s *spec) { s.Variables[0].Low, s.Variables[0].High = 2, 1 },
			"negative index":             func(s *spec) { s.Variables[0].Index = -1 },
			"too many coefficients":      func(s *spec) { s.Variables[0].Coefficients = []float64{1, 2} },
			"infinite coefficient":       func(s *spec) { s.Variables[0].Coefficients[0] = inf },
			"negative norm":              func(s *spec) { s.Variables[len(s.Variables)-1].Norm = -1 },
			"a share above 1":            func(s *spec) { s.Variables[0].Gaps = 1.5 },
			"more variables than there":  func(s *spec) { s.Training.Columns = 1 },
			"infinite metric":            func(s *spec) { s.Training.Metrics["rmse"] = inf },
			"unknown scale":              func(s *spec) { s.Training.Scale = "x" },
			"unknown storage":            func(s *spec) { s.Training.Storage = "x" },
			"negative ridge":             func(s *spec) { s.Training.Ridge = -1 },
			"unknown index base":         func(s *spec) { s.Training.IndexBase = "2" },
			"unknown status":             func(s *spec) { s.Training.Status = "x" },
			"no rows":                    func(s *spec) { s.Training.Rows = 0 },
			"criterion without points":   func(s *spec) { s.Training.Criterion = &Criterion{} },
			"criterion out of order":     func(s *spec) { s.Training.Criterion = &Criterion{Points: []CriterionPoint{{2, 1}, {1, 1}}} },
			"criterion of nothing":       func(s *spec) { s.Training.Criterion = &Criterion{Points: []CriterionPoint{{1, nan}}} },
			"criterion of another size":  func(s *spec) { s.Training.Criterion = &Criterion{Chosen: 5, Points: []CriterionPoint{{1, 1}}} },
			"test without a name":        func(s *spec) { s.Tests = []Test{{Rows: 1, Metrics: map[string]float64{}}} },
			"test without rows":          func(s *spec) { s.Tests = []Test{{Name: "test", Metrics: map[string]float64{}}} },
			"test of nothing":            func(s *spec) { s.Tests = []Test{{Name: "test", Rows: 1, Metrics: map[string]float64{"rmse": nan}}} },
			"stability of one half":      func(s *spec) { s.Stability = &Stability{Halves: 1, Shares: map[string]float64{}} },
			"stability above 1":          func(s *spec) { s.Stability = &Stability{Halves: 2, Shares: map[string]float64{"a": 2}} },
			"stability without a number": func(s *spec) { s.Stability = &Stability{Halves: 2, Shares: map[string]float64{}, Index: &nan} },
			"half an interval": func(s *spec) {
				s.Stability = &Stability{Halves: 2, Shares: map[string]float64{}, Variables: []StableVariable{{Low: []float64{1}}}}
			},
			"validation of one fold":   func(s *spec) { s.Validation = validated(); s.Validation.Folds = 1 },
			"validation at no size":    func(s *spec) { s.Validation = validated(); s.Validation.Points = nil },
			"validation out of order":  func(s *spec) { s.Validation = validated(); slices.Reverse(s.Validation.Points) },
			"validation of nothing":    func(s *spec) { s.Validation = validated(); s.Validation.Metrics["rmse"] = inf },
			"scores out of order":      func(s *spec) { s.Validation = validated(); s.Validation.Scores = []float64{2, 1} },
			"share of folds above 1":   func(s *spec) { s.Validation = validated(); s.Validation.Shares = map[string]float64{"a": 2} },
			"agreement of no number":   func(s *spec) { s.Validation = validated(); s.Validation.Agreement = &nan },
			"negative validated ridge": func(s *spec) { s.Validation = validated(); s.Validation.Ridge = -one },
		},
		"v1/multinomial": {
			"one output":     func(s *spec) { s.Outputs = 1 },
			"classes alike":  func(s *spec) { s.Classes[1] = s.Classes[0] },
			"class unnamed":  func(s *spec) { s.Classes[0] = "" },
			"classes lost":   func(s *spec) { s.Classes = s.Classes[1:] },
			"with threshold": func(s *spec) { s.Threshold = 1 },
		},
		"v2/curves": {
			"no bins":        func(s *spec) { s.Bins = 0 },
			"too many bins":  func(s *spec) { s.Bins = MaxBins + 1 },
			"knots in order": func(s *spec) { slices.Reverse(curveOf(s).Knots) },
			"knots lost":     func(s *spec) { v := curveOf(s); v.Knots = v.Knots[1:] },
		},
		"v2/mixed": {
			"a level twice":      func(s *spec) { v := textOf(s); v.Levels[1] = v.Levels[0] },
			"one level":          func(s *spec) { v := textOf(s); v.Levels = v.Levels[:1] },
			"rare level missing": func(s *spec) { textOf(s).Rare = "nobody" },
			"a part of no date":  func(s *spec) { textOf(s).Part = "month" },
		},
	}
	broken["v2/regression"]["a pair of one variable"] = func(s *spec) {
		s.Interactions = paired()
		s.Interactions[0].Sides[1].Index = s.Interactions[0].Sides[0].Index
	}
	for name, change := range map[string]func(p *interaction){
		"a pair without a scale":         func(p *interaction) { p.Sides[0].SD = 0 },
		"a pair of two texts":            func(p *interaction) { p.Sides[0].Levels = []string{"a", "b"} },
		"a category of a pair twice":     func(p *interaction) { p.Sides[1].Levels = []string{"a", "a"} },
		"a pair of no coefficient":       func(p *interaction) { p.Coefficients = nil },
		"a pair of infinite coefficient": func(p *interaction) { p.Coefficients[0] = inf },
		"a pair of negative norm":        func(p *interaction) { p.Norm = -1 },
		"a pair with half a range":       func(p *interaction) { p.High = nil },
		"a pair that ends early":         func(p *interaction) { p.Low[0], p.High[0] = 1, 0 },
	} {
		broken["v2/regression"][name] = func(s *spec) { s.Interactions = paired(); change(&s.Interactions[0]) }
	}
	broken["v2/regression"]["a pair twice"] = func(s *spec) { s.Interactions = append(paired(), paired()...) }
	for file, cases := range broken {
		good := opened(t, file)
		with := copied(t, good)
		if with.Outputs == 1 {
			with.Interactions = paired()
			if err := with.check(); err != nil {
				t.Fatalf("%s with a pair: %v", file, err)
			}
		}
		if err := copied(t, good).check(); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for name, change := range cases {
			s := copied(t, good)
			change(s)
			if s.check() == nil {
				t.Errorf("%s: %s is not refused", file, name)
			}
		}
	}
	s := opened(t, "v2/regression")
	s.Validation = validated()
	if err := s.check(); err != nil {
		t.Errorf("a validation is refused: %v", err)
	}
}

// validated is a validation that makes sense.
func validated() *Validation {
	return &Validation{Folds: 5, Measure: "squared", Points: []ValidationPoint{{1, 2, 0.1}, {2, 1, 0.1}}, Best: 2, Chosen: 2, Metrics: map[string]float64{"rmse": 1}}
}

func curveOf(s *spec) *variable {
	return &s.Variables[slices.IndexFunc(s.Variables, func(v variable) bool { return v.Kind == curve && v.Knots != nil })]
}

func textOf(s *spec) *variable {
	return &s.Variables[slices.IndexFunc(s.Variables, func(v variable) bool { return v.Kind == categorical })]
}

// What says that there is a signal: 3 standard errors over rows, or ranks of 2.5, or where these are not
// known one standard error over folds.
func TestSignal(t *testing.T) {
	points := []ValidationPoint{{1, 2, 0.5}, {2, 1, 0.5}}
	for name, c := range map[string]struct {
		v    Validation
		want bool
	}{
		"over 3 errors":   {Validation{Chosen: 1, Gain: 3.1, GainSE: 1}, true},
		"below 3 errors":  {Validation{Chosen: 1, Gain: 2.9, GainSE: 1}, false},
		"ranks":           {Validation{Chosen: 1, Gain: 0.1, GainSE: 1, GainRank: 2.6}, true},
		"ranks of a loss": {Validation{Chosen: 1, Gain: -0.1, GainSE: 1, GainRank: 2.6}, false},
		"null model":      {Validation{Chosen: 0, Gain: 9, GainSE: 1}, false},
		"folds":           {Validation{Chosen: 2, Null: 1.6, Points: points, Measure: "squared"}, true},
		"folds, too near": {Validation{Chosen: 2, Null: 1.4, Points: points, Measure: "squared"}, false},
		"larger":          {Validation{Chosen: 1, Null: 1.4, Points: points, Measure: "auc"}, true},
		"larger, not":     {Validation{Chosen: 1, Null: 1.6, Points: points, Measure: "auc"}, false},
		"no such size":    {Validation{Chosen: 3, Null: 9, Points: points}, false},
	} {
		if got := c.v.Signal(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// The number of a text is the mean response of its rows in other folds, drawn to the mean by 10 rows.
func TestEncodeTexts(t *testing.T) {
	// Row 0 is in fold 0, row 5 too: rows 1 and 2 are the others of its text.
	x := []float64{0, 0, 0, 1, 1, 0}
	y := []float64{6, 1, 2, 3, 0, 6}
	rows, c := encodeTexts([]string{"a", "b"}, x, y)
	const mean = 3.0
	for i, want := range []float64{(1 + 2 + 10*mean) / 12, (6 + 6 + 2 + 10*mean) / 13, (6 + 6 + 1 + 10*mean) / 13, (0 + 10*mean) / 11, (3 + 10*mean) / 11, (1 + 2 + 10*mean) / 12} {
		if math.Abs(rows[i]-want) > 1e-12 {
			t.Errorf("row %d is %v, want %v", i, rows[i], want)
		}
	}
	if want := []float64{(15 + 10*mean) / 14, (3 + 10*mean) / 12}; !slices.Equal(c.values, want) || !slices.Equal(c.levels, []string{"a", "b"}) {
		t.Errorf("texts %q are %v, want %v", c.levels, c.values, want)
	}
	if _, c := encodeTexts([]string{"a"}, []float64{0, math.NaN()}, []float64{0, 1}); strings.Join(c.levels, ",") != "a," {
		t.Errorf("with a missing text there are %q", c.levels)
	}
}

// Of many scores a thousand stay: each is no lower than those it stands for, and the highest stays.
func TestThinned(t *testing.T) {
	few := []float64{1, 2, 3}
	if !slices.Equal(thinned(few), few) {
		t.Error("few scores are thinned")
	}
	many := make([]float64, 12_345)
	for i := range many {
		many[i] = float64(i)
	}
	some := thinned(many)
	if len(some) != mostScores || some[mostScores-1] != 12_344 || !slices.IsSorted(some) {
		t.Errorf("%d scores up to %v", len(some), some[len(some)-1])
	}
	for i, v := range some {
		if share := (v + 1) / 12_345; share < float64(i+1)/mostScores || share > float64(i+2)/mostScores {
			t.Errorf("score %d has %v of all up to it", i, share)
		}
	}
}
