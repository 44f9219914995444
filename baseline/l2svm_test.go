package baseline

import (
	"context"
	"errors"
	"testing"

	"fsa/data/synth"
	"fsa/eval"
	"fsa/model"
)

// On fresh rows a machine of all variables ranks nearly as well as the truth
// allows.
func TestL2SVMGeneralises(t *testing.T) {
	d := synthetic(t, synth.Config{N: 600, M: 20, K: 5, Noise: 0.1, Seed: 4})
	m := mustFit(t, L2SVM{}, d)
	if got := m.Loss(); got != "svm" {
		t.Errorf("loss %s", got)
	}
	r, err := synth.NewReader(synth.Config{N: 600, M: 20, K: 5, Noise: 0.1, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	fresh := synthetic(t, synth.Config{N: 600, M: 20, K: 5, Noise: 0.1, Seed: 5})
	if auc := eval.AUC(p.Decision, fresh.Target.Y, nil); auc < 0.9 {
		t.Errorf("AUC %v", auc)
	}
}

func TestL2SVMRefusals(t *testing.T) {
	d := synthetic(t, synth.Config{N: 30, M: 5, K: 1})
	if _, err := (L2SVM{Options{LossName: "logistic"}}).Fit(context.Background(), d); !errors.Is(err, model.ErrOptions) {
		t.Error(err)
	}
	if _, err := (Ridge{Options{LossName: "logistic"}}).Fit(context.Background(), d); !errors.Is(err, model.ErrOptions) {
		t.Error(err)
	}
}
