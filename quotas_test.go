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

// TestQuotasNeeded checks, for random tables, sizes and forced columns, that folds and the model have as many columns of a
// quota as it needs, although they explain nothing, and that these are the best of them.
func TestQuotasNeeded(t *testing.T) {
	for seed := range uint64(8) {
		o := fsa.Options{K: 5, Seed: seed, Selection: fsa.Selection{Quotas: []fsa.Quota{{Columns: []string{"x[345]"}, Least: 1}, {Columns: []string{"x1?"}, Least: 2, Most: 2}}}}
		rows := 200
		switch seed % 4 {
		case 1:
			o.K = fsa.Auto
		case 2:
			o.K, o.Selection.Force = 4, []string{"x11", "x4"}
		case 3:
			o.K, rows = fsa.Auto, 2500 // minibatches, and sizes that are eliminated otherwise
		}
		d := newCells(rows, 14, seed).table(t)
		j, err := fsa.Prepare(background, d, o)
		if err != nil {
			t.Fatal(err)
		}
		m, err := j.Run(background)
		if err != nil {
			t.Fatal(err)
		}
		lists := [][]int{indices(m)}
		if e := j.Evidence(); e != nil {
			lists = append(lists, e.Selected...)
		}
		for i, list := range lists {
			one, two := 0, 0
			for _, column := range list {
				if column >= 3 && column <= 5 {
					one++
				}
				if column >= 10 {
					two++
				}
			}
			if one < 1 || two != 2 {
				t.Errorf("seed %d: list %d is %v", seed, i, list)
			}
		}
	}
	m := fit(t, newCells(300, 20, 1).table(t), fsa.Options{K: 1, Selection: fsa.Selection{Quotas: []fsa.Quota{{Columns: []string{"x2", "x1?"}, Least: 1}}}})
	if s := m.Selected(); len(s) != 1 || s[0].Name != "x2" { // weaker than x0 and x1, but the best of the quota
		t.Errorf("selected %v", s)
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
		"quota x?=2..1: its smallest number":           {K: 3, Selection: fsa.Selection{Quotas: []fsa.Quota{{Columns: []string{"x?"}, Least: 2, Most: 1}}}},
		"k = 1, but the quota x?=2.. needs 2":          {K: 1, Selection: fsa.Selection{Quotas: []fsa.Quota{{Columns: []string{"x?"}, Least: 2}}}},
		"needs 3 variables, with the forced ones":      {K: 2, Selection: fsa.Selection{Force: []string{"x0"}, Quotas: []fsa.Quota{{Columns: []string{"x1", "x2"}, Least: 2}}}},
		"3 of its columns must be selected, but":       {K: 3, Selection: fsa.Selection{Quotas: []fsa.Quota{{Columns: []string{"x1", "x2"}, Least: 3}}}},
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
