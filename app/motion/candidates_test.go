package motion

import (
	"context"
	"errors"
	"testing"

	"fsa/internal/need"
)

// TestCandidates: some candidate of each pool separates rigid motions with little noise.
func TestCandidates(t *testing.T) {
	for _, pool := range []Pool{PaperPool, WidePool} {
		for motions := 2; motions <= 3; motions++ {
			s := rigid("r", motions, 25, 15, 0.2, 11)
			list, err := Candidates(context.Background(), s, pool)
			if err != nil {
				t.Fatal(err)
			}
			best := 1.0
			for i, c := range list {
				best = min(best, Error(c.Labels, s.Truth))
				for _, other := range list[:i] {
					if Misclassified(c.Labels, other.Labels) == 0 {
						t.Errorf("%v and %v are the same", c.Origins, other.Origins)
					}
				}
			}
			if best > 0.02 {
				t.Errorf("%s pool, %d motions: the best of %d candidates has an error of %.3f", pool, motions, len(list), best)
			}
		}
	}
}

// TestDegenerate: sequences with little information still get as many labels as points, and finite
// features.
func TestDegenerate(t *testing.T) {
	still := rigid("still", 2, 10, 5, 0, 1)
	for i := range still.Track {
		for j := range still.Track[i] {
			still.Track[i][j] = still.Track[i][j%2]
		}
	}
	same := rigid("same", 2, 10, 5, 0, 1)
	for i := range same.Track {
		same.Track[i] = same.Track[0]
	}
	origin := rigid("origin", 2, 10, 5, 0, 1)
	for i := range origin.Track {
		clear(origin.Track[i])
	}
	for _, s := range []*Sequence{
		still, same, origin,
		rigid("few points", 2, 4, 30, 0.1, 1),
		rigid("two frames", 2, 10, 2, 0.1, 1),
		rigid("one motion", 1, 10, 8, 0.1, 1),
		rigid("most motions", MaxMotions, 6, 8, 0.1, 1),
	} {
		for _, pool := range []Pool{PaperPool, WidePool} {
			d, err := Describe(context.Background(), s, pool)
			if err != nil {
				t.Errorf("%s: %v", s.Name, err)
				continue
			}
			for _, c := range d.Candidates {
				if len(c.Labels) != s.Points {
					t.Errorf("%s: %d labels for %d points", s.Name, len(c.Labels), s.Points)
				}
			}
			for _, row := range d.X {
				for j, v := range row {
					if !(v >= 0 && v <= 1) {
						t.Errorf("%s: %s is %v", s.Name, d.Features[j].Name, v)
					}
				}
			}
		}
	}
	if _, err := Candidates(context.Background(), rigid("r", 2, 3, 8, 0, 1), PaperPool); err == nil {
		t.Error("three points for each motion were not refused")
	}
	if _, err := Candidates(context.Background(), rigid("r", 2, 10, 8, 0, 1), "deep"); err == nil {
		t.Error("a pool that there is not was not refused")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Candidates(ctx, rigid("r", 2, 10, 8, 0, 1), WidePool); !errors.Is(err, context.Canceled) {
		t.Errorf("after a cancellation: %v", err)
	}
}

// TestRealCandidates checks the best candidates of some real sequences, one of each kind, against
// known errors: the mean over all is 0.39%.
func TestRealCandidates(t *testing.T) {
	need.Long(t)
	needHopkins(t)
	for name, most := range map[string]float64{"1R2RC": 0.01, "arm": 0, "cars1": 0, "cars2": 0.005, "three-cars": 0.02} {
		s, err := ReadSequence(hopkins+"/"+name+suffix, 0)
		if err != nil {
			t.Fatal(err)
		}
		list, err := Candidates(context.Background(), s, PaperPool)
		if err != nil {
			t.Fatal(err)
		}
		best := 1.0
		for _, c := range list {
			best = min(best, Error(c.Labels, s.Truth))
		}
		if best > most {
			t.Errorf("%s: the best of %d candidates has an error of %.4f, want at most %.4f", name, len(list), best, most)
		}
	}
}
