package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"fsa/model"
)

// twins returns a table whose target depends on one quantity that many columns measure about
// equally well, so that folds do not agree on the column to select.
func twins(t *testing.T) string {
	rng := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	for j := range 30 {
		fmt.Fprintf(&b, "m%d,", j)
	}
	b.WriteString("y\n")
	for range 45 {
		x := rng.NormFloat64()
		for range 30 {
			fmt.Fprintf(&b, "%.5f,", x+rng.NormFloat64())
		}
		fmt.Fprintf(&b, "%.5f\n", x+0.5*rng.NormFloat64())
	}
	return file(t, "twins.csv", b.String())
}

// TestTiesAreTold expects that a fit, its JSON and its report say which variables of the model most
// folds have not selected, and what they have selected instead.
func TestTiesAreTold(t *testing.T) {
	out := filepath.Join(t.TempDir(), "run")
	args := []string{"fit", twins(t), "--target", "y", "-k", "6", "--bins", "0", "--folds", "3", "--out", out, "--report"}
	got := parse[struct {
		Selected   []model.Selected
		Validation model.Validation
	}](t, must(t, append(args, "--json")...))
	rare := map[string]bool{}
	for _, s := range got.Selected {
		if got.Validation.Shares[s.Name] < 0.5 {
			rare[s.Name] = true
		}
	}
	if len(rare) == 0 || len(rare) != len(got.Validation.Ties) {
		t.Fatalf("%d variables are rare, and %d ties are told", len(rare), len(got.Validation.Ties))
	}
	for _, tie := range got.Validation.Ties {
		if !rare[tie.Name] || len(tie.Rivals) == 0 || !(tie.Rivals[0].Correlation > 0.2) {
			t.Errorf("%+v", tie)
		}
	}
	const says = "elected by fewer than half of the folds"
	for what, text := range map[string]string{"show": must(t, "show", out), "report": string(read(t, filepath.Join(out, reportName)))} {
		text = strings.Join(strings.Fields(text), " ")
		for _, want := range []string{says, got.Validation.Ties[0].Name + " (", got.Validation.Ties[0].Rivals[0].Name, " could stand in for it"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not said", what, want)
			}
		}
	}
}
