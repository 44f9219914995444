package fsa_test

import (
	"bytes"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/data/synth"
	"fsa/eval"
	"fsa/internal/need"
	"fsa/loss"
)

// generated returns a table of the paper's synthetic data.
func generated(t *testing.T, c synth.Config) *data.Dataset {
	t.Helper()
	r, err := synth.NewReader(c)
	if err != nil {
		t.Fatal(err)
	}
	d, err := data.Load(background, r, "generated", data.Roles{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Polishing never raises the loss, and finds more true variables if there are few rows.
func TestPolish(t *testing.T) {
	need.Long(t)
	var plainly, polished float64
	for seed := range uint64(6) {
		c := synth.Config{N: 150, M: 300, K: 20, Task: synth.Regression, Seed: seed}
		plain := fit(t, generated(t, c), fsa.Options{K: c.K, Quick: true})
		better := fit(t, generated(t, c), fsa.Options{K: c.K, Quick: true, Selection: fsa.Selection{Polish: true}})
		if a, b := plain.Training().Metrics["rmse"], better.Training().Metrics["rmse"]; b > a*(1+1e-6) {
			t.Errorf("seed %d: the error is %g, without polishing %g", seed, b, a)
		}
		_, share := eval.Detection(indices(plain), synth.Truth(c))
		plainly += share
		_, share = eval.Detection(indices(better), synth.Truth(c))
		polished += share
	}
	t.Logf("found %.2f plainly, %.2f polished, of 6", plainly, polished)
	if polished < plainly {
		t.Errorf("polishing finds %.2f of the variables, without it %.2f", polished/6, plainly/6)
	}
}

// Forced variables stay when others come back, and threads do not change the result.
func TestPolishKeepsPromises(t *testing.T) {
	need.Long(t)
	c := synth.Config{N: 200, M: 100, K: 5}
	var files [2]bytes.Buffer
	for i, threads := range []int{1, 3} {
		o := fsa.Options{K: 4, Selection: fsa.Selection{Polish: true, Force: []string{"x7", "x33"}, Groups: [][]string{{"x33", "x50"}}}, Run: fsa.Run{Threads: threads}}
		m := fit(t, generated(t, c), o)
		found := map[int]bool{}
		for _, j := range indices(m) {
			found[j] = true
		}
		if !found[7] || !found[33] || !found[50] {
			t.Errorf("selected %v without the forced variables", indices(m))
		}
		if _, err := m.WriteTo(&files[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
		t.Error("one thread and three give different models")
	}
}

// Minibatches reorder rows. The metrics of training still agree with those of the model on the rows.
func TestSampledMetrics(t *testing.T) {
	c := synth.Config{N: 2500, M: 60, K: 5, Noise: 0.1}
	m := fit(t, generated(t, c), fsa.Options{K: c.K, Quick: true})
	r, err := synth.NewReader(c)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(background, r)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Metrics(generated(t, c).Target)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range m.Training().Metrics {
		if d := got[name] - want; d > 1e-5 || d < -1e-5 {
			t.Errorf("%s of the rows is %g, in training it was %g", name, got[name], want)
		}
	}
}

// If all variables are kept, a model fitted by minibatches equals the one fitted with full batches: least squares.
func TestAllStayOfManyRows(t *testing.T) {
	c := synth.Config{N: 3000, M: 4, K: 4, Task: synth.Regression}
	plain := fit(t, generated(t, c), fsa.Options{K: 4})
	whole := fit(t, generated(t, c), fsa.Options{K: 4, Descent: fsa.Descent{Batch: fsa.AllRows, Iterations: 2000}})
	if a, b := plain.Training().Metrics["rmse"], whole.Training().Metrics["rmse"]; a > b*(1+1e-6) {
		t.Errorf("the error is %.9g, with all rows in every step %.9g", a, b)
	}
}

// If the step size is too large for the dropped variables, the round changes nothing and the selection stays.
func TestPolishKeepsWhatItHas(t *testing.T) {
	d := generated(t, synth.Config{Task: synth.Regression, N: 300, M: 30, K: 2, Seed: 1000})
	o := fsa.Options{K: 2, Descent: fsa.Descent{Eta: 0.86}} // nearly the largest step size with which the selection converges
	want := fit(t, d, o).Selected()
	o.Selection.Polish = true
	if got := fit(t, d, o).Selected(); got[0].Index != want[0].Index || got[1].Index != want[1].Index {
		t.Errorf("%+v, before polishing %+v", got, want)
	}
}

// lowered is the squared loss minus a constant, so that its values are negative.
type lowered struct{ loss.Squared }

func (l lowered) Eval(r, z []float64, t loss.Target) (sum, weight float64) {
	sum, weight = l.Squared.Eval(r, z, t)
	return sum - 50*weight, weight
}

// A loss may be negative: polishing compares such losses correctly.
func TestPolishNegativeLoss(t *testing.T) {
	need.Long(t)
	for seed := range uint64(8) {
		c := synth.Config{N: 60, M: 100, K: 10, Task: synth.Regression, Seed: seed}
		plain := fit(t, generated(t, c), fsa.Options{K: c.K, Quick: true, Objective: fsa.Objective{Custom: lowered{}}})
		polished := fit(t, generated(t, c), fsa.Options{K: c.K, Quick: true, Objective: fsa.Objective{Custom: lowered{}}, Selection: fsa.Selection{Polish: true}})
		if a, b := plain.Training().Metrics["rmse"], polished.Training().Metrics["rmse"]; b > a*(1+1e-6) {
			t.Errorf("seed %d: the error is %g, without polishing %g", seed, b, a)
		}
	}
}

// The epochs of polishing are reported like others.
func TestPolishIsObserved(t *testing.T) {
	c := synth.Config{N: 300, M: 100, K: 5, Task: synth.Regression}
	var last fsa.Progress
	o := fsa.Options{K: c.K, Quick: true, Selection: fsa.Selection{Polish: true}, Run: fsa.Run{Observe: func(p fsa.Progress) {
		if p.Epoch.Epoch != last.Epoch.Epoch+1 || p.Done < last.Done || p.Passes < last.Passes || p.Epoch.Epoch > p.Epochs {
			t.Errorf("epoch %d of %d, %v done after %v passes; before: epoch %d, %v after %v",
				p.Epoch.Epoch, p.Epochs, p.Done, p.Passes, last.Epoch.Epoch, last.Done, last.Passes)
		}
		for _, g := range p.Alive {
			if v := p.Variable(g); v < 0 || v >= c.M {
				t.Fatalf("group %d is variable %d", g, v)
			}
		}
		last = p
	}}}
	m := fit(t, generated(t, c), o)
	if got := m.Training(); got.Epochs != last.Epoch.Epoch || last.Done > 1 || last.Passes > got.Passes {
		t.Errorf("%d epochs and %v passes, of which %d and %v were reported (%v done)", got.Epochs, got.Passes, last.Epoch.Epoch, last.Passes, last.Done)
	}
	if plain := fit(t, generated(t, c), fsa.Options{K: c.K, Quick: true}); plain.Training().Epochs >= m.Training().Epochs {
		t.Error("polishing took no epochs")
	}
}
