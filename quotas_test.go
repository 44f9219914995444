package fsa_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"fsa"
)

// TestQuotasKept checks, for random tables, sizes, budgets and forced columns, that neither a fold nor the model has more
// columns than its quotas.
func TestQuotasKept(t *testing.T) {
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 6))
		p := newPriced(seed, 150+rng.IntN(100), 14)
		o := fsa.Options{K: 4 + rng.IntN(4), Seed: seed, Quick: seed%4 == 3, Selection: fsa.Selection{Quotas: []fsa.Quota{{Columns: []string{"x1", "x2", "3"}, Most: 1}, {Columns: []string{"x1?"}, Most: 2}}}}
		switch seed % 4 {
		case 0:
			o.Selection.Force = []string{"12"}
		case 1:
			o.K = fsa.Auto
		case 2:
			o.K, o.Selection.Costs, o.Selection.Budgets = fsa.Auto, p.costs, []float64{30}
		}
		j, err := fsa.Prepare(background, p.table(t), o)
		if err != nil {
			t.Fatal(err)
		}
		m, err := j.Run(background)
		if err != nil {
			t.Fatal(err)
		}
		var selected []int
		for _, v := range m.Selected() {
			selected = append(selected, v.Index)
		}
		lists := [][]int{selected}
		if e := j.Evidence(); e != nil {
			lists = append(lists, e.Selected...)
		}
		for i, list := range lists {
			first, second := 0, 0
			for _, column := range list {
				if column >= 1 && column <= 3 {
					first++
				}
				if column >= 10 {
					second++
				}
			}
			if first > 1 || second > 2 || o.K > 0 && len(list) != o.K {
				t.Errorf("seed %d: list %d is %v", seed, i, list)
			}
		}
	}
}

// TestQuotasChoose checks that the best columns of a quota are selected: x0, x1 and x2 determine the target, and the quota
// takes the weakest of them.
func TestQuotasChoose(t *testing.T) {
	m := fit(t, newCells(300, 60, 1).table(t), fsa.Options{K: 3, Selection: fsa.Selection{Quotas: []fsa.Quota{{Columns: []string{"x?"}, Most: 2}}}})
	names := map[string]bool{}
	for _, v := range m.Selected() {
		names[v.Name] = true
	}
	if len(names) != 3 || !names["x0"] || !names["x1"] || names["x2"] {
		t.Error(names)
	}
}

// TestQuotasRefused checks the messages about quotas that contradict each other or other options.
func TestQuotasRefused(t *testing.T) {
	d := newPriced(1, 60, 6).table(t)
	some := []fsa.Quota{{Columns: []string{"x1", "x2"}, Most: 1}}
	for says, o := range map[string]fsa.Options{
		"k = 6, but the quotas allow 5":                {K: 6, Selection: fsa.Selection{Quotas: some}},
		"quota x1|x2=1 are forced":                     {K: 3, Selection: fsa.Selection{Quotas: some, Force: []string{"x1", "x2"}}},
		`"x1" is in the quotas x1|x2=1 and x?=2`:       {K: 3, Selection: fsa.Selection{Quotas: append(some, fsa.Quota{Columns: []string{"x?"}, Most: 2})}},
		`the columns "x1" and "x2" of a group have`:    {K: 3, Selection: fsa.Selection{Quotas: some, Groups: [][]string{{"x1", "x2"}}}},
		`quota y*=2: there is no variable "y*"`:        {K: 3, Selection: fsa.Selection{Quotas: []fsa.Quota{{Columns: []string{"y*"}, Most: 2}}}},
		"is no pattern":                                {K: 3, Selection: fsa.Selection{Quotas: []fsa.Quota{{Columns: []string{"["}, Most: 2}}}},
		"it must have columns":                         {K: 3, Selection: fsa.Selection{Quotas: []fsa.Quota{{Most: 2}}}},
		"the quotas allow no variable":                 {Selection: fsa.Selection{Quotas: []fsa.Quota{{Columns: []string{"*"}}}}},
		"a false discovery rate":                       {Selection: fsa.Selection{Quotas: some, FDR: 0.1}},
		"interactions have no quotas":                  {Selection: fsa.Selection{Quotas: some, Interactions: fsa.Interactions{Find: true}}},
		"polishing does not know quotas":               {Selection: fsa.Selection{Quotas: some, Polish: true}},
		"rivals may exceed":                            {Selection: fsa.Selection{Quotas: some}, Validation: fsa.Validation{Rivals: true}},
		"selection within quotas cannot end early":     {Selection: fsa.Selection{Quotas: some}, Run: fsa.Run{Deadline: time.Now().Add(time.Hour)}},
		"selections within quotas are computed on the": {Selection: fsa.Selection{Quotas: some}, Run: fsa.Run{Device: "cuda"}},
	} {
		if _, err := fsa.Fit(background, d, o); err == nil || !errors.Is(err, fsa.ErrOptions) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
}
