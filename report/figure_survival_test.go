package report

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// agree reports whether two lists differ by rounding only.
func agree(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-12 })
}

// livesOf reads rows of survival times from the text of rows.csv.
func livesOf(t *testing.T, text string) *lives {
	t.Helper()
	r, err := ReadRows(strings.NewReader(text), "rows.csv")
	if err != nil {
		t.Fatal(err)
	}
	return r.lives()
}

// TestSurvivalCurves compares Kaplan–Meier estimates, standard errors and hazards with calculations by hand.
func TestSurvivalCurves(t *testing.T) {
	s := livesOf(t, "row,fold,target,event,risk\n1,1,1,1,0\n2,1,2,1,0\n3,2,2,0,0\n4,2,3,1,0\n5,2,4,0,0\n")
	all := []int{0, 1, 2, 3, 4}
	time, share, se := s.observed(all)
	if !agree(time, []float64{1, 2, 3}) || !agree(share, []float64{0.8, 0.6, 0.3}) || math.Abs(se[0]-0.8*math.Sqrt(1./20)) > 1e-12 || math.Abs(se[2]-0.3*math.Sqrt(1./20+1./12+1./2)) > 1e-12 {
		t.Errorf("observed %v at %v, standard errors %v", share, time, se)
	}
	if h := s.hazard[0]; !agree(h.sum, []float64{1. / 5, 1./5 + 1./4, 1./5 + 1./4 + 1./2}) || h.at(0.9) != 0 || h.at(2.5) != h.sum[1] || h.at(9) != h.sum[2] {
		t.Errorf("hazard %v", h)
	}
	if got, want := s.predicted(all, 1), math.Exp(-1./5); math.Abs(got-want) > 1e-12 {
		t.Errorf("predicted %v, want %v", got, want)
	}
	// The fourth row enters after the first event, and the rows are in two strata.
	s = livesOf(t, "row,fold,target,event,entry,stratum,risk\n1,1,1,1,0,0,0\n2,1,2,1,0,0,0\n3,2,2,0,0,1,0\n4,2,3,1,1,0,0\n5,2,4,1,0,1,0\n")
	if _, share, _ = s.observed(all); !agree(share, []float64{0.75, 0.75 * 0.75, 0.75 * 0.75 * 0.5, 0}) {
		t.Errorf("observed %v", share)
	}
	if a, b := s.hazard[0].sum, s.hazard[1].sum; !agree(a, []float64{1. / 2, 1./2 + 1./2, 1./2 + 1./2 + 1}) || !agree(b, []float64{1}) {
		t.Errorf("hazards %v and %v", a, b)
	}
}

// TestSurvivalFigures draws rows of three groups of risk, and none where no event is known.
func TestSurvivalFigures(t *testing.T) {
	text := "row,fold,target,event,risk\n"
	for i := range 90 {
		text += strconv.Itoa(i+1) + ",1," + strconv.Itoa(1+i*7%30) + "," + strconv.Itoa(i%3&1) + "," + strconv.Itoa(i%3) + "\n"
	}
	rows, err := ReadRows(strings.NewReader(text), "rows.csv")
	if err != nil {
		t.Fatal(err)
	}
	run := &Run{Rows: rows, Model: Model{Task: Survival, Target: "time"}}
	var names []string
	for _, f := range qualityFigures(run) {
		names = append(names, f.ID)
	}
	if got := strings.Join(names, " "); got != "survival calibration residuals" {
		t.Error(got)
	}
	if f := qualityFigures(run)[0]; len(f.chart.Curves) != 2 || !strings.Contains(f.Caption, "Concordance") { // only rows of risk 1 had events
		t.Errorf("%d curves, %s", len(f.chart.Curves), f.Caption)
	}
	if rows.Event = nil; qualityFigures(run) != nil {
		t.Error("figures without events")
	}
	if _, err := ReadRows(strings.NewReader("row,fold,target,event,risk\n1,1,1,NaN,0\n"), "rows.csv"); err == nil {
		t.Error("a missing event is accepted")
	}
}

// TestGroups divides rows, and keeps equal values together.
func TestGroups(t *testing.T) {
	if got := groups([]float64{3, 1, 2, 6, 5, 4}, 3); len(got) != 3 || !slices.Equal(got[0], []int{1, 2}) || !slices.Equal(got[2], []int{4, 3}) {
		t.Error(got)
	}
	if got := groups([]float64{1, 1, 1, 1, 2}, 3); len(got) != 2 || len(got[0]) != 4 {
		t.Error(got)
	}
	if got := groups([]float64{7, 7}, 10); len(got) != 1 {
		t.Error(got)
	}
}
