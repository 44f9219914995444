package bench

import (
	"encoding/json"
	"strings"
	"testing"
)

// Fits that choose are compared with fits that do not, for both tasks.
func TestChoosing(t *testing.T) {
	r, err := run(t.Context(), Options{Threads: 2, Only: []string{Choice}}, tinyPlan())
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Choosing []struct {
			Task             string
			N, M, K          int
			OpenOverGiven    float64 `json:"open_over_given"`
			ContestOverQuick float64 `json:"contest_over_quick"`
			Curves           float64 `json:"curves_over_lines"`
			OpenCurves       float64 `json:"open_curves_over_lines"`
			Ways             []struct {
				Way                     string
				Seconds, Recipes, Reads float64
				SizeFound               float64 `json:"size_found"`
				Found                   float64
			}
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Choosing) != 2 || got.Choosing[0].Task == got.Choosing[1].Task {
		t.Fatalf("choosing %+v", got.Choosing)
	}
	for _, c := range got.Choosing {
		if c.N != 60 || c.M != 6 || c.K != 2 || len(c.Ways) != 5 || c.OpenOverGiven <= 0 || c.ContestOverQuick <= 0 || c.Curves <= 0 || c.OpenCurves <= 0 {
			t.Errorf("choosing %+v", c)
		}
		for _, w := range c.Ways {
			quick := strings.HasSuffix(w.Way, "--quick")
			if w.Seconds <= 0 || w.Reads <= 0 || w.Found < 0 || w.Found > 1+1e-9 || w.SizeFound < 0 || w.SizeFound > 1+1e-9 || (w.Recipes > 0) == quick {
				t.Errorf("%s: %+v", c.Task, w)
			}
			if strings.HasPrefix(w.Way, "k given") && w.SizeFound < 1-1e-9 {
				t.Errorf("%s: a given size was not kept: %+v", c.Task, w)
			}
		}
	}
	var printed strings.Builder
	if err := r.Print(&printed); err != nil || !strings.Contains(printed.String(), "k open / k given") {
		t.Errorf("%v\n%s", err, printed.String())
	}
	narrow(t, printed.String())
}
