package fsa_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/data/open"
	"fsa/data/synth"
	"fsa/model"
)

// responsesTable opens the table of testdata/responses with one of its columns as the target.
func responsesTable(t *testing.T, roles open.Roles) *data.Dataset {
	t.Helper()
	roles.Weights = "weight"
	for _, name := range []string{"counts", "over", "amounts", "claims", "number", "exposure"} {
		if name != roles.Target && name != roles.Offset {
			roles.Drop = append(roles.Drop, name)
		}
	}
	d, err := open.Table(background, "testdata/responses/table.csv", open.Options{}, roles)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestResponsesGolden compares fits of all columns with those of statsmodels, and deviances with those
// of scikit-learn; testdata/responses/make.py writes them.
func TestResponsesGolden(t *testing.T) {
	file, err := os.ReadFile("testdata/responses/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden map[string]struct {
		Coefficients, First                         []float64
		Deviance, MAE, Pinball, Power, Size, Within float64
	}
	if err := json.Unmarshal(file, &golden); err != nil {
		t.Fatal(err)
	}
	const smooth = 0.08 // tolerance for coefficients of the quantile loss, which has a rounded corner
	for name, c := range map[string]struct {
		target   string
		o        fsa.Objective
		exposure bool
		within   float64
	}{
		"poisson":      {"counts", fsa.Objective{}, true, 1e-6},
		"gamma":        {"amounts", fsa.Objective{}, true, 1e-6},
		"tweedie":      {"claims", fsa.Objective{}, true, 1e-6},
		"negbinomial":  {"over", fsa.Objective{}, true, 1e-6},
		"quantile 0.1": {"number", fsa.Objective{Quantile: 0.1}, false, smooth},
		"quantile 0.5": {"number", fsa.Objective{Quantile: 0.5}, false, smooth},
		"quantile 0.9": {"number", fsa.Objective{Quantile: 0.9}, false, smooth},
	} {
		want, ok := golden[name]
		if !ok {
			t.Fatalf("no golden values of %s", name)
		}
		roles := open.Roles{Target: c.target}
		if c.exposure {
			roles.Offset, roles.Exposure = "exposure", true
		}
		d := responsesTable(t, roles)
		c.o.Ridge = fsa.None
		lossName, _, _ := strings.Cut(name, " ")
		m := fit(t, d, fsa.Options{K: 3, Loss: lossName, Bins: fsa.None, Objective: c.o, Validation: fsa.Validation{Folds: 2}})
		got := []float64{m.Intercept()[0], 0, 0, 0}
		for _, v := range m.Selected() {
			got[1+int(v.Name[1]-'0')] = v.Coefficients[0]
		}
		for i := range got {
			if math.Abs(got[i]-want.Coefficients[i]) > c.within {
				t.Errorf("%s: coefficients %.8f, want %.8f", name, got, want.Coefficients)
				break
			}
		}
		p, err := m.PredictDataset(background, d)
		if err != nil {
			t.Fatal(err)
		}
		measures, err := p.Measures(d.Target)
		if err != nil {
			t.Fatal(err)
		}
		for measure, value := range map[string]float64{"deviance": want.Deviance, "pinball": want.Pinball, "mae": want.MAE} {
			if value != 0 && !(math.Abs(measures[measure]-value) < c.within) {
				t.Errorf("%s: %s is %.8f, want %.8f", name, measure, measures[measure], value)
			}
		}
		for i, v := range want.First {
			if math.Abs(p.Values()[i]-v) > 1e-5*v {
				t.Errorf("%s: row %d is predicted as %v, want %v", name, i+1, p.Values()[i], v)
			}
		}
	}
}

// TestResponsesBadInput checks that each bad input is refused with its place and a cure.
func TestResponsesBadInput(t *testing.T) {
	table := func(y, other string) string {
		text := "a,b,other,y\n"
		for i := range 30 {
			text += string(rune('0'+i%7)) + "," + string(rune('0'+i%5)) + "," + map[bool]string{true: other, false: "2"}[i == 3] + "," + map[bool]string{true: y, false: string(rune('1' + i%3))}[i == 3] + "\n"
		}
		return text
	}
	for name, c := range map[string]struct {
		table    string
		o        fsa.Options
		offset   bool
		exposure bool
		want     []string
	}{
		"negative count":         {table("-1", "2"), fsa.Options{Loss: "poisson"}, false, false, []string{"column y", "row 4", "the target is -1", "counts must not be negative", "--loss squared"}},
		"negative count of nb":   {table("-1", "2"), fsa.Options{Loss: "negbinomial"}, false, false, []string{"row 4", "counts must not be negative"}},
		"zero amount":            {table("0", "2"), fsa.Options{Loss: "gamma"}, false, false, []string{"row 4", "--loss tweedie"}},
		"negative amount":        {table("-2.5", "2"), fsa.Options{Loss: "gamma"}, false, false, []string{"row 4", "-2.5", "amounts must not be negative"}},
		"negative claim":         {table("-2.5", "2"), fsa.Options{Loss: "tweedie"}, false, false, []string{"row 4", "-2.5", "amounts must not be negative"}},
		"claims without zeros":   {table("1", "2"), fsa.Options{Loss: "tweedie"}, false, false, []string{"column y", "no amount is zero", "--loss gamma"}},
		"missing offset":         {table("1", ""), fsa.Options{Loss: "poisson"}, true, false, []string{"column other", "the offset is missing", "correct the cell"}},
		"infinite offset":        {table("1", "inf"), fsa.Options{Loss: "poisson"}, true, false, []string{"column other", "infinite"}},
		"exposure 0":             {table("1", "0"), fsa.Options{Loss: "poisson"}, true, true, []string{"column other", "the exposure is 0", "positive"}},
		"missing exposure":       {table("1", ""), fsa.Options{Loss: "poisson"}, true, true, []string{"column other", "the exposure is missing"}},
		"negative exposure":      {table("1", "-3"), fsa.Options{Loss: "poisson"}, true, true, []string{"the exposure is -3"}},
		"exposure of numbers":    {table("1", "3"), fsa.Options{Loss: "squared"}, true, true, []string{"an exposure is for counts and amounts", "--offset"}},
		"offset of classes":      {table("1", "3"), fsa.Options{Loss: "multinomial"}, true, false, []string{"leave the offset out"}},
		"calibrated with offset": {table("1", "3"), fsa.Options{Loss: "poisson", Validation: fsa.Validation{Calibrate: true}}, true, false, []string{"offset"}},
		"quantile 1.5":           {table("1", "2"), fsa.Options{Loss: "quantile", Objective: fsa.Objective{Quantile: 1.5}}, false, false, []string{"quantile = 1.5", "below 1"}},
		"quantile of numbers":    {table("1", "2"), fsa.Options{Loss: "squared", Objective: fsa.Objective{Quantile: 0.5}}, false, false, []string{"quantile loss"}},
	} {
		path := filepath.Join(t.TempDir(), "t.csv")
		if err := os.WriteFile(path, []byte(c.table), 0o600); err != nil {
			t.Fatal(err)
		}
		roles := open.Roles{Target: "y", Exposure: c.exposure}
		if c.offset {
			roles.Offset = "other"
		}
		d, err := open.Table(background, path, open.Options{}, roles)
		if err == nil {
			c.o.K = 1
			_, err = fsa.Fit(background, d, c.o)
		}
		if err == nil {
			t.Errorf("%s: accepted", name)
			continue
		}
		for _, part := range c.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v\nlacks %q", name, err, part)
			}
		}
	}
}

// TestOffsetMoves checks that an offset is part of a model: shifting it by a constant moves the intercept
// alone, the model survives its file, and predictions need the column.
func TestOffsetMoves(t *testing.T) {
	for _, lossName := range []string{"poisson", "squared", "huber"} {
		d := responsesTable(t, open.Roles{Target: "counts", Offset: "exposure"})
		o := fsa.Options{K: 2, Loss: lossName, Bins: fsa.None, Validation: fsa.Validation{Folds: 2}}
		m := fit(t, d, o)
		moved := *d
		target := *d.Target
		target.Offset = slices.Clone(target.Offset)
		for i := range target.Offset {
			target.Offset[i]++
		}
		moved.Target = &target
		other := fit(t, &moved, o)
		if got := m.Intercept()[0] - other.Intercept()[0]; math.Abs(got-1) > 1e-6 {
			t.Errorf("%s: an offset larger by 1 lowers the intercept by %v", lossName, got)
		}
		for i, v := range m.Selected() {
			if w := other.Selected()[i]; v.Name != w.Name || math.Abs(v.Coefficients[0]-w.Coefficients[0]) > 1e-6 {
				t.Errorf("%s: %s %v, and %s %v with another offset", lossName, v.Name, v.Coefficients, w.Name, w.Coefficients)
			}
		}
		again, err := model.Read(bytes.NewReader(modelBytes(t, m)))
		if err != nil {
			t.Fatal(err)
		}
		p, err := again.PredictDataset(background, d)
		if err != nil {
			t.Fatal(err)
		}
		q, err := again.PredictDataset(background, &moved)
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Decision {
			if math.Abs(q.Decision[i]-p.Decision[i]-1) > 1e-9 {
				t.Fatalf("%s: an offset larger by 1 moves decision value %d by %v", lossName, i, q.Decision[i]-p.Decision[i])
			}
		}
		got, err := p.Metrics(d.Target)
		if err != nil {
			t.Fatal(err)
		}
		for name, v := range m.Training().Metrics {
			if math.Abs(got[name]-v) > 1e-6*(1+math.Abs(v)) {
				t.Errorf("%s: %s of the training rows is %v, and %v by predictions", lossName, name, v, got[name])
			}
		}
		if _, err := again.PredictRows([]string{"x0", "x1", "x2"}, make([]float64, 3)); err == nil || !strings.Contains(err.Error(), `no column "exposure" for the offset`) {
			t.Errorf("%s: predicted without the offset: %v", lossName, err)
		}
	}
}

// TestOffsetOfManyRows fits more rows than a block has, and as a minibatch, whatever the number of threads: the
// logarithm of a variable is an offset of coefficient 1.
func TestOffsetOfManyRows(t *testing.T) {
	d := made(t, synth.Config{Task: synth.Counts, N: 3000, M: 12, K: 3, Seed: 4})
	target := *d.Target
	target.Offset, target.OffsetName = make([]float64, d.Rows()), "exposure"
	for i := range target.Offset {
		target.Offset[i] = math.Log(float64(1 + i%5))
		target.Y[i] = math.Floor(target.Y[i] * float64(1+i%5))
	}
	d.Target = &target
	want := fit(t, d, fsa.Options{K: 3, Loss: "poisson", Bins: fsa.None, Run: fsa.Run{Threads: 1}})
	for _, v := range want.Selected() {
		if math.Abs(v.Coefficients[0]-0.7/math.Sqrt(3)) > 0.05 {
			t.Errorf("variable %d has coefficient %v, want about %v", v.Index, v.Coefficients[0], 0.7/math.Sqrt(3))
		}
	}
	if got := indices(want); !slices.Equal(slices.Sorted(slices.Values(got)), synth.Truth(synth.Config{N: 3000, M: 12, K: 3})) {
		t.Errorf("selected %d", got)
	}
	if got := fit(t, d, fsa.Options{K: 3, Loss: "poisson", Bins: fsa.None, Run: fsa.Run{Threads: 3}}); !bytes.Equal(modelBytes(t, got), modelBytes(t, want)) {
		t.Error("another model with 3 threads")
	}
	target.Offset = nil
	bare := fit(t, d, fsa.Options{K: 3, Loss: "poisson", Bins: fsa.None})
	if a, b := want.Training().Metrics["deviance"], bare.Training().Metrics["deviance"]; !(a < b) {
		t.Errorf("deviance %v with the offset, and %v without", a, b)
	}
}
