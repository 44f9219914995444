package baseline

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"fsa/data"
	"fsa/data/synth"
	"fsa/model"
)

// unpenalised lists the methods without a penalty: how to make them, a loss they
// know and one they do not, and how many of k variables they promise to use.
var unpenalised = []struct {
	name  string
	make  func(Options) Fitter
	loss  string
	other string // a loss they do not know
	exact bool   // k variables
	all   bool   // all of them, whatever k is
}{
	{"rankboost", func(o Options) Fitter { return RankBoost{Options: o} }, "rank", "squared", false, false},
	{"logitboost", func(o Options) Fitter { return LogitBoost{Options: o} }, "logistic", "svm", false, false},
	{"logitboost-random", func(o Options) Fitter { return LogitBoost{Options: o, Share: 0.1} }, "logistic", "svm", false, false},
	{"logitboost-steps", func(o Options) Fitter { return LogitBoost{Options: o, Bins: 16} }, "logistic", "svm", false, false},
	{"logitboost-steps-random", func(o Options) Fitter { return LogitBoost{Options: o, Bins: 16, Share: 0.1} }, "logistic", "svm", false, false},
	{"qtp", func(o Options) Fitter { return QTP{Options: o} }, "logistic", "svm", true, false},
	{"qtp", func(o Options) Fitter { return QTP{Options: o} }, "squared", "svm", true, false},
	{"slow-kill", func(o Options) Fitter { return SlowKill{o} }, "logistic", "svm", true, false},
	{"slow-kill", func(o Options) Fitter { return SlowKill{o} }, "squared", "svm", true, false},
	{"rfe", func(o Options) Fitter { return RFE{Options: o} }, "svm", "logistic", true, false},
	{"sa-k", func(o Options) Fitter { return SA{Options: o, Fixed: true} }, "squared", "logistic", true, false},
	{"sa-k", func(o Options) Fitter { return SA{Options: o, Fixed: true} }, "svm", "logistic", true, false},
	{"cw", func(o Options) Fitter { return CW{Options: o} }, "svm", "logistic", false, true},
	{"sgd", func(o Options) Fitter { return SGD{Options: o} }, "logistic", "svm", false, true},
	{"mrmr", func(o Options) Fitter { return MRMR{Options: o} }, "logistic", "lorenz", true, false},
	{"mrmr", func(o Options) Fitter { return MRMR{Options: o} }, "squared", "lorenz", true, false},
	{"parallel-fs", func(o Options) Fitter { return ParallelFS{Options: o} }, "logistic", "svm", true, false},
	{"parallel-fs", func(o Options) Fitter { return ParallelFS{Options: o} }, "squared", "svm", true, false},
}

// suited returns a table for a loss. Its last column does not vary.
func suited(t testing.TB, loss string) *data.Dataset {
	t.Helper()
	const columns = 60
	c := synth.Config{N: 150, M: columns, K: 4, Seed: 31}
	if loss == "squared" || loss == "rank" {
		c.Task = synth.Regression
	}
	r, err := synth.NewReader(c)
	if err != nil {
		t.Fatal(err)
	}
	s := &sample{Columns: columns}
	for {
		b, err := r.Next(context.Background())
		if err != nil {
			break
		}
		s.X, s.Y = append(s.X, b.Dense...), append(s.Y, b.Label...)
	}
	for i := range s.Y {
		s.X[i*columns+columns-1] = 7
		if loss == "rank" {
			s.Query = append(s.Query, float64(i/10))
		}
	}
	return s.dense(t)
}

// Every method fulfils the common contract.
func TestContract(t *testing.T) {
	const k = 5
	for _, m := range unpenalised {
		t.Run(m.name+" "+m.loss, func(t *testing.T) {
			d := suited(t, m.loss)
			learned := mustFit(t, m.make(Options{K: k, Seed: 7, Threads: 1}), d)
			if learned.Training().Method != m.name || learned.Loss() != m.loss {
				t.Errorf("the model is of method %q and loss %q", learned.Training().Method, learned.Loss())
			}
			n := len(learned.Selected())
			if m.exact && n != k || m.all && n != d.Width()-1 || !m.all && n > k || n == 0 {
				t.Errorf("%d variables for k = %d of %d", n, k, d.Width())
			}
			if slices.Contains(chosen(learned), d.Width()-1) {
				t.Error("a variable that does not vary was chosen")
			}
			first := fileOf(t, learned)
			for _, threads := range []int{1, 3, 0} {
				if !bytes.Equal(first, fileOf(t, mustFit(t, m.make(Options{K: k, Seed: 7, Threads: threads}), d))) {
					t.Errorf("another model with %d threads", threads)
				}
			}
			stopped, stop := context.WithCancel(context.Background())
			stop()
			if _, err := m.make(Options{K: k}).Fit(stopped, d); !errors.Is(err, context.Canceled) {
				t.Errorf("stopped: %v", err)
			}
			if _, err := m.make(Options{K: k, LossName: m.other}).Fit(context.Background(), suited(t, m.other)); !errors.Is(err, model.ErrOptions) {
				t.Errorf("the %s loss: %v, want an error of the options", m.other, err)
			}
			if !m.all {
				for _, k := range []int{0, d.Width() + 1} {
					if _, err := m.make(Options{K: k}).Fit(context.Background(), d); !errors.Is(err, model.ErrOptions) {
						t.Errorf("k = %d: %v, want an error of the options", k, err)
					}
				}
				// More than vary are asked for: all that do are good enough.
				if n := len(mustFit(t, m.make(Options{K: d.Width(), Iterations: 40}), d).Selected()); m.exact && n != d.Width()-1 {
					t.Errorf("%d variables, want all %d that vary", n, d.Width()-1)
				}
			}
		})
	}
}

// The decision values by which a model is measured are those it predicts.
func TestTrainingMeasuresThePrediction(t *testing.T) {
	for _, m := range unpenalised {
		if m.loss == "rank" || m.loss == "squared" {
			continue
		}
		s := classes(9, 100, 12, 0.5)
		for i, x := range s.X {
			s.X[i] = float64(float32(x)) // what the table holds
		}
		learned := mustFit(t, m.make(Options{K: 4, Seed: 1}), s.dense(t))
		p := learned.Prediction(predicted(t, learned, s))
		got, err := p.Metrics(&data.Target{Y: s.Y})
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range learned.Training().Metrics {
			near(t, m.name+" "+name, []float64{got[name]}, []float64{want}, 1e-9)
		}
	}
}
