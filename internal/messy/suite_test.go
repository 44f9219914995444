package messy_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa"
	"fsa/data/open"
	"fsa/internal/messy"
	"fsa/internal/need"
)

// TestMessyTables fits tables with known truth, without any setting. Columns that y depends on, by
// at least √(2 ln M) + 3 standard errors, must be selected and come before all others, on at least
// 95% of the tables.
func TestMessyTables(t *testing.T) {
	const share = 0.95
	seeds, makers := need.Sweep(3, 5), messy.Makers()
	if testing.Short() {
		seeds, makers = 1, makers[:4]
	}
	tables, good := 0, 0
	for _, maker := range makers {
		for seed := range seeds {
			table := maker.Make(rand.New(rand.NewPCG(uint64(seed), 18)))
			selected := selectMessy(t, table)
			tables++
			if wrong := misplaced(selected, table.True); wrong == "" {
				good++
			} else {
				t.Logf("%s, seed %d: %s: selected %v, true are %v", maker.Name, seed, wrong, selected, table.True)
			}
		}
	}
	t.Logf("%d of %d tables", good, tables)
	if float64(good) < share*float64(tables) {
		t.Errorf("on %d of %d tables the true columns come first, want %g of them", good, tables, share)
	}
}

// selectMessy returns the selected columns, the most important first.
func selectMessy(t *testing.T, table messy.Table) []string {
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(table.CSV), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	d, err := open.Table(ctx, path, open.Options{}, open.Roles{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	m, err := fsa.Fit(ctx, d, fsa.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, v := range m.Selected() {
		if !slices.Contains(names, v.Name) {
			names = append(names, v.Name)
		}
	}
	return names
}

// misplaced says what is wrong with a selection; empty if all true columns come first.
func misplaced(selected, truth []string) string {
	found := map[string]bool{}
	for at, name := range selected {
		of := slices.IndexFunc(truth, func(t string) bool { return slices.Contains(strings.Split(t, "|"), name) })
		switch {
		case of >= 0:
			found[truth[of]] = true
		case len(found) < len(truth):
			return selected[at] + " comes before a true column"
		}
	}
	if len(found) < len(truth) {
		return "a true column is missing"
	}
	return ""
}
