package paper

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fsa/data/synth"
)

func TestGrowthMethods(t *testing.T) {
	g := growth{m: 1000, k: 5}
	names := []string{"FSL", "FSL+", "LB1"}
	const room = 1000 * (100*20 + perVariable) // for 100 rows of the method with the largest need
	for _, c := range []struct {
		n    int
		s    Setup
		want []string
	}{
		{100, Setup{Memory: room}, names},
		{100, Setup{Memory: room, MaxN: 99}, nil},
		{300, Setup{Memory: room}, names[:2]},
		{1000, Setup{Memory: room}, nil},
		{1000, *Setup{}.withDefaults(), names},             // in the default memory
		{1000, Setup{Memory: room, MaxN: 1000}, names[:2]}, // from a file
	} {
		if got := g.methods(c.n, &c.s); !slices.Equal(got, c.want) {
			t.Errorf("%d rows, %+v: %v, want %v", c.n, c.s, got, c.want)
		}
	}
}

// A table in a file equals the table in memory, and leaves nothing behind.
func TestTableInFile(t *testing.T) {
	c := synth.Config{Model: synth.Equicorrelated, N: 400, M: 300, K: 5, Seed: 2}
	folder := t.TempDir()
	there, err := makeFile(t.Context(), c, filepath.Join(folder, "x.npy"), 200<<20)
	if err != nil {
		t.Fatal(err)
	}
	here, err := makeTable(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	f := contender{name: ours, loss: "lorenz"}.fitter(c.K, 0, 1)
	want, _, err := measure(t.Context(), f, here, c, auc)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := measure(t.Context(), f, there, c, auc)
	if err != nil {
		t.Fatal(err)
	}
	delete(got, seconds)
	for name, v := range got {
		if v != want[name] {
			t.Errorf("%s is %v from a file and %v from memory", name, v, want[name])
		}
	}
}
