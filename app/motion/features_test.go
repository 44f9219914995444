package motion

import (
	"context"
	"math"
	"runtime"
	"slices"
	"testing"
)

func TestFeatures(t *testing.T) {
	s := rigid("r", 2, 30, 12, 0.5, 2)
	d, err := Describe(context.Background(), s, WidePool)
	if err != nil {
		t.Fatal(err)
	}
	paper := len(columns(d.Features, PaperFamilies))
	if paper <= 2000 {
		t.Errorf("%d features of the paper: more than 2000 are wanted", paper)
	}
	names := map[string]bool{}
	for _, f := range d.Features {
		if names[f.Name] {
			t.Errorf("there are two features %s", f.Name)
		}
		names[f.Name] = true
	}
	for i, row := range d.X {
		if len(row) != len(d.Features) || len(d.raw[i]) != len(d.Features) {
			t.Fatalf("candidate %d has %d features, and there are %d names", i, len(row), len(d.Features))
		}
		for j, v := range row {
			if !(v >= 0 && v <= 1) || math.IsInf(d.raw[i][j], 0) {
				t.Errorf("candidate %d: %s is %v, before scaling %v", i, d.Features[j].Name, v, d.raw[i][j])
			}
		}
	}
}

// TestFeaturesDoNotKnowNames: features do not depend on the names of motions.
func TestFeaturesDoNotKnowNames(t *testing.T) {
	s := rigid("r", 3, 10, 9, 0.5, 3)
	v := newView(s, []Candidate{by("truth", s.Truth)})
	renamed := make(Labels, s.Points)
	for i, l := range s.Truth {
		renamed[i] = 2 - l
	}
	a, b := v.describe(s.Truth, nil), v.describe(renamed, nil)
	for j := range a {
		if math.Abs(a[j]-b[j]) > 1e-9*(1+math.Abs(a[j])) {
			t.Errorf("feature %d: %v and %v", j, a[j], b[j])
		}
	}
}

// TestTruthIsBest checks that the true segmentation has better features than random labels.
func TestTruthIsBest(t *testing.T) {
	s := rigid("r", 2, 20, 12, 0.3, 4)
	wrong := make(Labels, s.Points)
	for i := range wrong {
		wrong[i] = i % 2
	}
	v := newView(s, []Candidate{by("truth", s.Truth)})
	var names []Feature
	truth, other := v.describe(s.Truth, &names), v.describe(wrong, nil)
	for j, f := range names {
		if f.Family&PaperFamilies != 0 && truth[j] > other[j] {
			t.Errorf("%s is %v for the truth and %v for every second point", f.Name, truth[j], other[j])
		}
	}
}

// TestThreads: the same bits whatever the number of threads.
func TestThreads(t *testing.T) {
	s := rigid("r", 2, 40, 12, 0.5, 5)
	describe := func(threads int) *Described {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		d, err := Describe(context.Background(), s, WidePool)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	one, four := describe(1), describe(4)
	if len(one.X) != len(four.X) {
		t.Fatalf("%d candidates with one thread, %d with four", len(one.X), len(four.X))
	}
	for i := range one.X {
		if !slices.Equal(one.raw[i], four.raw[i]) {
			t.Errorf("candidate %d has other features", i)
		}
	}
}
