package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fsa/report"
)

// writeDated writes a table with a date, of which month and trend matter, and a number that matters
// when it is missing.
func writeDated(t *testing.T, path string) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	b.WriteString("day,weight [kg],noise,price\n")
	first := time.Date(2022, 1, 1, 0, 0, 0, 0, time.UTC)
	for range 300 {
		day := first.AddDate(0, 0, r.IntN(1000))
		weight, cell := r.NormFloat64(), ""
		y := 3*float64(day.Year()-2022) + 0.2*r.NormFloat64()
		if day.Month() >= time.November {
			y += 5
		}
		if r.IntN(4) > 0 {
			y, cell = y+2*weight, fmt.Sprintf("%.3f", weight)
		} else {
			y += 6
		}
		fmt.Fprintf(&b, "%s,%s,%.3f,%.3f\n", day.Format(time.DateOnly), cell, r.NormFloat64(), y)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A date is several variables of a model and one column of the table: single rows, densities,
// shares and the headline distinguish them.
func TestReportOfDates(t *testing.T) {
	t.Chdir(t.TempDir())
	writeDated(t, "t.csv")
	must(t, "fit", "t.csv", "--target", "price", "-k", "1", "--quick", "--out", "run")
	must(t, "fit", "t.csv", "--target", "price", "-k", "2", "--stability", "4", "--out", "run", "--report", "--live")
	type predicted struct {
		Contributions struct {
			Variables []string
			Adds      []float64
		}
	}
	want := parse[predicted](t, must(t, "predict", "run", "t.csv", "--contributions", "--json")).Contributions
	e := parse[report.Examples](t, string(read(t, "run/examples.json")))
	if !slices.Equal(e.Names, want.Variables) || !slices.Contains(e.Names, "day.month") {
		t.Fatalf("examples have %v, predictions %v", e.Names, want.Variables)
	}
	lines := strings.Split(string(read(t, "t.csv")), "\n")
	for _, r := range e.Rows {
		for k, v := range r.Adds {
			if w := want.Adds[(r.Row-1)*len(e.Names)+k]; math.Abs(v-w) > 1e-3*(1+math.Abs(w)) {
				t.Errorf("%s adds %v to row %d, but predict says %v", e.Names[k], v, r.Row, w)
			}
			if day := lines[r.Row][:10]; e.Names[k] == "day" && r.Values[k] != day {
				t.Errorf("row %d has the day %s instead of %s", r.Row, r.Values[k], day)
			}
		}
	}
	for _, d := range parse[report.Densities](t, string(read(t, "run/densities.json"))).Variables {
		switch {
		case d.Name == "day.month" && len(d.Levels) != 12, d.Name != "day.month" && !strings.HasPrefix(d.Name, "day.") && len(d.Counts) == 0:
			t.Errorf("density %+v", d)
		case strings.HasPrefix(d.Name, "weight") && d.Missing < 50:
			t.Errorf("%d weights are missing", d.Missing)
		}
	}
	path := parse[report.Path](t, string(read(t, "run/path.json")))
	days := 0
	for _, l := range path.Lines {
		if l.Name == "day" {
			days++
		}
	}
	if days != 1 {
		t.Errorf("the path has %d lines of the date", days)
	}
	page := string(read(t, "run/report.html"))
	for _, text := range []string{"2 of 3 variables", "2 of 2 selected in more than 80% of the half samples", "day, years", "2022-01-"} {
		if !strings.Contains(page, text) {
			t.Errorf("the report does not say %q", text)
		}
	}
	if strings.Contains(page, "which this fit will replace") || strings.Contains(page, "127.0.0.1") {
		t.Error("the report has notes that only the terminal is meant for")
	}
	if strings.Contains(page, "<dd>0% of the half samples") {
		t.Error("a part of a date has a share of its own")
	}
}
