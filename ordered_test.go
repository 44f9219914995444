package fsa_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/data/open"
	"fsa/data/synth"
	"fsa/model"
)

// orderedTable opens testdata/responses/ordered.csv with one of its columns as the target.
func orderedTable(t *testing.T, roles open.Roles) *data.Dataset {
	t.Helper()
	for _, name := range []string{"grade", "level", "trials", "successes"} {
		if name != roles.Target && name != roles.Trials {
			roles.Drop = append(roles.Drop, name)
		}
	}
	d, err := open.Table(background, "testdata/responses/ordered.csv", open.Options{}, roles)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// orderedGolden holds the results of testdata/responses/make_ordered.py.
type orderedGolden struct {
	Coefficients, Thresholds, First []float64
	LogLoss, RPS, Deviance          float64
}

func agree(a, b []float64, within float64) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(v float64) bool { return !(math.Abs(v-b[slices.Index(a, v)]) <= within) })
}

// TestOrderedGolden compares fits of all columns with those of statsmodels: proportional odds of numbers and of texts
// with an order, and successes of trials.
func TestOrderedGolden(t *testing.T) {
	file, err := os.ReadFile("testdata/responses/ordered.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden map[string]orderedGolden
	if err := json.Unmarshal(file, &golden); err != nil {
		t.Fatal(err)
	}
	o := fsa.Options{K: 3, Bins: fsa.None, Objective: fsa.Objective{Ridge: fsa.None}, Validation: fsa.Validation{Folds: 2}}
	for name, c := range map[string]struct {
		roles open.Roles
		order []string
	}{
		"ordinal":       {open.Roles{Target: "grade"}, nil},
		"ordinal texts": {open.Roles{Target: "level"}, []string{"none", "low", "mid", "high"}},
		"binomial":      {open.Roles{Target: "successes", Trials: "trials"}, nil},
	} {
		lossName, _, _ := strings.Cut(name, " ")
		want := golden[lossName]
		d := orderedTable(t, c.roles)
		o.Loss, o.Objective.Order = lossName, c.order
		m := fit(t, d, o)
		var got []float64
		if lossName == "binomial" {
			got = []float64{m.Intercept()[0]}
		}
		first := len(got)
		got = append(got, 0, 0, 0)
		for _, v := range m.Selected() {
			got[first+int(v.Name[1]-'0')] = v.Coefficients[0]
		}
		if !agree(got, want.Coefficients, 1e-6) || !agree(m.Cuts(), want.Thresholds, 1e-6) {
			t.Errorf("%s: coefficients %.8f, thresholds %.8f, want %.8f, %.8f", name, got, m.Cuts(), want.Coefficients, want.Thresholds)
		}
		again, err := model.Read(bytes.NewReader(modelBytes(t, m)))
		if err != nil {
			t.Fatal(err)
		}
		p, err := again.PredictDataset(background, d)
		if err != nil {
			t.Fatal(err)
		}
		list := p.Probability()
		if lossName == "binomial" {
			list = p.Values()
		}
		if !agree(list[:len(want.First)], want.First, 1e-6) {
			t.Errorf("%s: predictions %v, want %v", name, list[:len(want.First)], want.First)
		}
		metrics, err := p.Measures(d.Target)
		if err != nil {
			t.Fatal(err)
		}
		for measure, w := range map[string]float64{"logloss": want.LogLoss, "rps": want.RPS, "deviance": want.Deviance} {
			if w != 0 && math.Abs(metrics[measure]-w) > 1e-6 {
				t.Errorf("%s: %s %v, want %v", name, measure, metrics[measure], w)
			}
		}
		if v := m.Validation(); v == nil || len(v.Metrics) == 0 || len(v.Scores) == 0 {
			t.Errorf("%s: cross-validation says %+v", name, v)
		}
	}
}

// TestTrialsAreRows checks that a row of n trials is equivalent to n rows of one trial.
func TestTrialsAreRows(t *testing.T) {
	d := orderedTable(t, open.Roles{Target: "successes", Trials: "trials"})
	text := "x0,x1,x2,y\n"
	table, err := os.ReadFile("testdata/responses/ordered.csv")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(table)), "\n")[1:] {
		cells := strings.Split(line, ",")
		for n := range int(d.Target.Trials[i]) {
			y := "0"
			if float64(n)+0.5 < d.Target.Y[i]*d.Target.Trials[i] {
				y = "1"
			}
			text += strings.Join(append(cells[:3:3], y), ",") + "\n"
		}
	}
	path := t.TempDir() + "/rows.csv"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	rows, err := open.Table(background, path, open.Options{}, open.Roles{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	o := fsa.Options{K: 2, Bins: fsa.None, Quick: true, Objective: fsa.Objective{Ridge: 0.01}, Design: fsa.Design{Scale: data.ScaleNone}}
	o.Loss = "binomial"
	a := fit(t, d, o)
	o.Loss = "logistic"
	b := fit(t, rows, o)
	for i, v := range a.Selected() {
		if w := b.Selected()[i]; v.Name != w.Name || math.Abs(v.Coefficients[0]-w.Coefficients[0]) > 1e-5 {
			t.Errorf("%s %v as trials, %s %v as rows", v.Name, v.Coefficients, w.Name, w.Coefficients)
		}
	}
}

// TestOrderedThreads fits ordered classes with k given and open, with curves and half samples: the model does not
// depend on the number of threads, and the true variables are found.
func TestOrderedThreads(t *testing.T) {
	c := synth.Config{Task: synth.Ordinal, N: 500, M: 30, K: 3, Seed: 5}
	d := made(t, c)
	for name, o := range map[string]fsa.Options{
		"k given":      {K: 3, Bins: fsa.None},
		"k open":       {Bins: fsa.None, Selection: fsa.Selection{Sizes: []int{1, 3, 6}}},
		"curves":       {K: 3, Bins: 4, Quick: true},
		"half samples": {K: 3, Bins: fsa.None, Quick: true, Validation: fsa.Validation{Stability: 3}},
	} {
		o.Loss, o.Run.Threads = "ordinal", 1
		one := fit(t, d, o)
		if got := slices.Sorted(slices.Values(indices(one))); !slices.Equal(got, synth.Truth(c)) {
			t.Errorf("%s: selected %d, want %d", name, got, synth.Truth(c))
		}
		o.Run.Threads = 3
		if three := fit(t, d, o); !bytes.Equal(modelBytes(t, three), modelBytes(t, one)) {
			t.Errorf("%s: another model with 3 threads", name)
		}
	}
}

// TestOrderedMistakes checks the messages for invalid input.
func TestOrderedMistakes(t *testing.T) {
	for _, c := range []struct {
		roles open.Roles
		o     fsa.Options
		want  string
	}{
		{open.Roles{Target: "level"}, fsa.Options{Loss: "ordinal"}, "give them from the lowest to the highest, as with --order low,mid,high"},
		{open.Roles{Target: "level"}, fsa.Options{Objective: fsa.Objective{Order: []string{"low", "mid", "high"}}}, `the order misses the class "none"`},
		{open.Roles{Target: "level"}, fsa.Options{Objective: fsa.Objective{Order: []string{"none", "low", "mid", "high", "top"}}}, `the order names the class "top", but the target has`},
		{open.Roles{Target: "level"}, fsa.Options{Objective: fsa.Objective{Order: []string{"none", "low", "low", "mid", "high"}}}, `names the class "low" twice`},
		{open.Roles{Target: "level"}, fsa.Options{Loss: "multinomial", Objective: fsa.Objective{Order: []string{"none", "low"}}}, "an order of classes is for the ordinal loss"},
		{open.Roles{Target: "grade"}, fsa.Options{Loss: "ordinal", Validation: fsa.Validation{Calibrate: true}}, "leave it out, or give --loss multinomial"},
		{open.Roles{Target: "grade"}, fsa.Options{Loss: "ordinal", Validation: fsa.Validation{Threshold: "f1"}}, "a threshold is for two classes"},
		{open.Roles{Target: "grade", Offset: "x0"}, fsa.Options{Loss: "ordinal"}, "the ordinal loss does not support an offset"},
		{open.Roles{Target: "grade"}, fsa.Options{Loss: "binomial"}, "name the column of the numbers of trials with --trials"},
		{open.Roles{Target: "successes", Trials: "trials"}, fsa.Options{Loss: "poisson"}, "numbers of trials are for the binomial loss"},
	} {
		c.o.K, c.o.Quick = 2, true
		d := orderedTable(t, c.roles)
		if _, err := fsa.Fit(background, d, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %q", c.roles, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"x,s,n\n1,2,3\n2,4,3\n":  "4 successes of 3 trials",
		"x,s,n\n1,2,3\n2,0,0\n":  "the number of trials is 0",
		"x,s,n\n1,2,3\n2,1,\n":   "the number of trials is missing",
		"x,s,n\n1,-1,3\n2,1,3\n": "-1 successes of 3 trials",
	} {
		path := t.TempDir() + "/t.csv"
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := open.Table(background, path, open.Options{}, open.Roles{Target: "s", Trials: "n"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}
