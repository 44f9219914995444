package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pricedTable is a table of patients, and a file with what its columns cost.
func pricedTable(t *testing.T) (table, costs string) {
	var s strings.Builder
	s.WriteString("age,glucose,lipids,scan,y\n")
	for i := range 240 {
		age, glucose, lipids := math.Sin(float64(i)), math.Sin(1.7*float64(i)), math.Sin(2.9*float64(i))
		scan := glucose + math.Sin(0.37*float64(i))
		fmt.Fprintf(&s, "%.5g,%.5g,%.5g,%.5g,%.5g\n", age, glucose, lipids, scan, age+glucose+0.2*lipids+2*scan+0.3*math.Sin(11.3*float64(i)))
	}
	return file(t, "t.csv", s.String()), file(t, "costs.csv", "\ufeffcolumn,price,panel\nage,0\nglucose,20,blood\nlipids,20,blood\n# the most expensive\nscan,300\n")
}

// TestCosts fits within a budget, and with a budget that cross-validation chooses, and tests what is printed and saved.
func TestCosts(t *testing.T) {
	table, costs := pricedTable(t)
	out := filepath.Join(t.TempDir(), "run")
	text := must(t, "fit", table, "--target", "y", "--costs", costs, "--budget", "100", "--out", out, "--report")
	for _, want := range []string{"costs 20 of a budget of 100: age 0, panel blood 20", "budget  mean", "100     "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if shown := must(t, "show", out); !strings.Contains(shown, "costs 20 of a budget of 100: age 0, panel blood 20") {
		t.Error(shown)
	}
	if page, err := os.ReadFile(filepath.Join(out, "report.html")); err != nil || !strings.Contains(string(page), "Error by budget") {
		t.Error("the report has no curve of error against money", err)
	}
	if predicted := must(t, "predict", out, table); strings.Count(predicted, "\n") != 241 {
		t.Error(predicted)
	}
	var said struct {
		Costs struct {
			Budget, Spent float64
			Paid          []struct {
				Name  string
				Price float64
			}
		}
		Validation struct {
			Budgets []float64
			Chosen  int
		}
	}
	if err := json.Unmarshal([]byte(must(t, "fit", table, "--target", "y", "--costs", costs, "--budget", "20,400", "--json")), &said); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(said); got != "{{400 320 [{age 0} {blood 20} {scan 300}]} {[0 20 400] 2}}" {
		t.Error(got)
	}
	if text := must(t, "fit", table, "--target", "y", "--costs", costs, "--nested", "--folds", "3"); !strings.Contains(text, "costs 320") {
		t.Error(text)
	}
	if text := must(t, "fit", table, "--target", "y", "--costs", costs, "--drop", "glucose,scan", "--budget", "20"); !strings.Contains(text, "costs 20 of a budget of 20") {
		t.Error(text)
	}
	if text := must(t, "fit", table, "--target", "y", "-k", "2", "--quota", "s*=0", "--quota", "[gl]*=1"); !strings.Contains(text, "glucose ") || !strings.Contains(text, "age ") {
		t.Error(text)
	}
	if text := must(t, "fit", table, "--target", "y", "-k", "1", "--quota", "a*=1.."); !strings.Contains(text, "age ") {
		t.Error(text)
	}
	if text := must(t, "cv", table, "--target", "y", "--costs", costs, "--budget", "20,400"); !strings.Contains(text, "share of the folds that selected each variable:") {
		t.Error(text)
	}
}

// TestCostsRefused checks the messages about wrong flags and files.
func TestCostsRefused(t *testing.T) {
	table, costs := pricedTable(t)
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--budget", "5"}, exitUsage, "--costs FILE"},
		{[]string{"--costs", costs, "--budget", "much"}, exitUsage, "it must be an amount of money"},
		{[]string{"--costs", costs, "--budget", "-1"}, exitUsage, "it must be an amount of money"},
		{[]string{"--quota", "age"}, exitUsage, "it must be PATTERN=N"},
		{[]string{"--quota", "a*=1", "--quota", "age=1"}, exitUsage, `"age" is in the quotas a*=1 and age=1`},
		{[]string{"--quota", "a*=3..1"}, exitUsage, "PATTERN=LEAST..MOST"},
		{[]string{"--quota", "a*=1..", "--drop", "age", "-k", "1"}, exitUsage, "--quota a*=1.. and --drop age"},
		{[]string{"--quota", "a*=1..", "--quota", "s*=1..1", "-k", "1"}, exitUsage, "k = 1, but the quotas a*=1.. and s*=1..1 need 2 variables"},
		{[]string{"--quota", "a*=1..", "--costs", costs, "--budget", "100"}, exitUsage, "quota a*=1..: a selection within a budget"},
		{[]string{"--quota", "a*=1", "--grid", "auto"}, exitUsage, "quotas need the table on one machine"},
		{[]string{"--costs", costs, "-k", "2"}, exitUsage, "the budget decides"},
		{[]string{"--costs", costs, "--quick"}, exitUsage, "one budget is needed"},
		{[]string{"--costs", costs, "--budget", "100", "--grid", "auto"}, exitUsage, "need the table on one machine"},
		{[]string{"--costs", costs, "--method", "l1"}, exitUsage, "--costs is for annealing"},
		{[]string{"--costs", costs, "--max-time", "1m"}, exitUsage, "cannot end early"},
		{[]string{"--costs", file(t, "bad.csv", "age,1\nglucose,cheap\n")}, exitBadData, `line 2: the price "cheap"`},
		{[]string{"--costs", file(t, "bad.csv", "age,cheap\nall,1\n")}, exitBadData, `line 1: the price "cheap" of "age"`},
		{[]string{"--costs", file(t, "bad.csv", "age\n")}, exitBadData, "line 1: 1 cells"},
		{[]string{"--costs", file(t, "bad.csv", "a,price\n")}, exitBadData, "it has no price"},
		{[]string{"--costs", file(t, "bad.csv", "\"a\nb")}, exitBadData, "separated by commas"},
	} {
		refused(t, append([]string{"fit", table, "--target", "y"}, c.args...), c.code, c.says)
	}
}
