package bench

import (
	"slices"
	"strings"
	"testing"
)

func TestThreadCounts(t *testing.T) {
	for most, want := range map[int][]int{1: {1}, 2: {1, 2}, 6: {1, 2, 4, 6}, 16: {1, 2, 4, 8, 16}} {
		if got := threadCounts(most); !slices.Equal(got, want) {
			t.Errorf("up to %d: %v, want %v", most, got, want)
		}
	}
}

// Each table is fitted and memory is read with each number of threads.
func TestThreads(t *testing.T) {
	r, err := run(t.Context(), Options{Threads: 3, Only: []string{Threads}}, tinyPlan())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Threaded) != 2 || r.Threaded[0].Sparse || !r.Threaded[1].Sparse {
		t.Fatalf("tables %+v", r.Threaded)
	}
	for _, table := range r.Threaded {
		if table.N != 100 || table.M != 30 || table.K != 2 || table.ReadBytes <= 0 || len(table.Points) != 3 {
			t.Errorf("table %+v", table)
		}
		for i, p := range table.Points {
			if p.Threads != i+1 || p.Seconds <= 0 || p.BytesPerSecond <= 0 || p.FitOver <= 0 || p.ReadOver <= 0 {
				t.Errorf("point %+v", p)
			}
		}
		if one := table.Points[0]; one.FitOver != 1 || one.ReadOver != 1 {
			t.Errorf("one thread over one: %+v", one)
		}
	}
	var text strings.Builder
	if err := r.Print(&text); err != nil || !strings.Contains(text.String(), "threads, 100×30, k = 2, sparse") || strings.Contains(text.String(), "scaling") {
		t.Errorf("%v\n%s", err, text.String())
	}
	narrow(t, text.String())
}

// narrow checks that the sections fit a terminal of 80 columns. The lines at the top describe the
// machine.
func narrow(t *testing.T, text string) {
	t.Helper()
	_, sections, _ := strings.Cut(text, "\n\n")
	for line := range strings.Lines(sections) {
		if n := len([]rune(line)) - 1; n > 80 {
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
}
