package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"fsa"
	"fsa/data/open"
	"fsa/loss"
)

// linked is a loss of a Go program with one of the links that files have, and inverted with another one.
type (
	linked   struct{ loss.Poisson }
	inverted struct{ loss.Poisson }
)

func (linked) Link() loss.Link       { return loss.Exp }
func (inverted) Inverse(z []float64) { z[0] *= z[0] }

func TestLinksOfGoPrograms(t *testing.T) {
	table := file(t, "t.csv", "x,y\n"+strings.Repeat("0,1\n1,2\n0,2\n1,5\n", 10))
	d, err := open.Table(context.Background(), table, open.Options{}, open.Roles{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	saved := func(l loss.Loss) string {
		m, err := fsa.Fit(context.Background(), d, fsa.Options{K: 1, Quick: true, Bins: fsa.None, Objective: fsa.Objective{Custom: l}})
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "model.json")
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if out := must(t, "predict", saved(linked{}), table, "--json"); !strings.Contains(out, `"prediction":[1.5,3.5,`) {
		t.Errorf("the exponential is missing: %s", out)
	}
	own := saved(inverted{})
	refused(t, []string{"predict", own, table}, exitUsage, "link", "Model.WithLoss")
	refused(t, []string{"export", own, "--to", "sql"}, exitUsage, "link", "sql")
	must(t, "show", own)
}
