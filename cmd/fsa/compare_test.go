package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// The columns of a run lose nothing against it, and exactly nothing if every fold selects them; fewer columns lose something.
func TestCompareColumns(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	must(t, "generate", "ar1", "--n", "240", "--m", "8", "--k", "3", "--noise", "0.1", "--seed", "1", "--out", "classes.csv")
	must(t, "generate", "ar1", "--task", "regression", "--n", "240", "--m", "8", "--k", "3", "--seed", "1", "--out", "numbers.csv")
	for name, flags := range map[string]string{
		"numbers":  "numbers.csv --target y -k 3",
		"open":     "numbers.csv --target y --bins 0",
		"weights":  "numbers.csv --target y -k 3 --weights weight.txt --fold-by patient.txt --repeats 2",
		"folds":    "numbers.csv --target y -k 3 --fold-ids patient.txt --loss huber",
		"held out": "numbers.csv --target y -k 3 --holdout 0.2",
		"classes":  "classes.csv --target y -k 3 --loss logistic --bins 0 --calibrate",
	} {
		var weight, patient strings.Builder
		for i := range 240 {
			weight.WriteString(string(rune('1'+i%3)) + "\n")
			patient.WriteString(string(rune('0'+i/8%10)) + "\n")
		}
		write(t, "weight.txt", []byte(weight.String()))
		write(t, "patient.txt", []byte(patient.String()))
		folder := strings.ReplaceAll(name, " ", "")
		must(t, append([]string{"fit", "--out", folder}, strings.Fields(flags)...)...)
		shown := parse[summary](t, must(t, "show", folder, "--json"))
		var names []string
		for _, v := range shown.Selected {
			names = append(names, v.Name)
		}
		same := parse[comparedColumns](t, must(t, "compare", folder, "--columns", strings.Join(names, ","), "--json"))
		if same.Low > 1e-9 || same.High < -1e-9 { // a fold may select other columns
			t.Errorf("%s: the same columns: %+v", name, same)
		}
		if everywhere := name == "numbers" || name == "open"; everywhere && (same.Difference != 0 || same.Low != 0 || same.High != 0 || same.Own != same.Mean) {
			t.Errorf("%s: the same columns: %+v", name, same)
		}
		if want := map[string]int{"weights": 10, "held out": 192}[name]; want > 0 && same.Units != want {
			t.Errorf("%s: %d units instead of %d", name, same.Units, want)
		}
		fewer := parse[comparedColumns](t, must(t, "compare", folder, "--columns", names[0], "--json"))
		if fewer.Low <= 0 && name != "classes" || fewer.Own <= fewer.Mean {
			t.Errorf("%s: %s alone loses nothing: %+v", name, names[0], fewer)
		}
		if out := must(t, "compare", folder, "--columns", names[0]); !strings.Contains(out, names[0]+" alone against the model of "+folder+":") {
			t.Errorf("%s: %s", name, out)
		}
	}
	must(t, "fit", "numbers.csv", "--target", "y", "-k", "2", "--quick", "--out", "quick")
	must(t, "fit", "numbers.csv", "--target", "y", "-k", "2", "--method", "l1", "--out", "l1")
	for args, want := range map[string]string{
		"numbers":                     "--columns is missing",
		"numbers --columns nope":      `no variable "nope"`,
		"quick --columns x1":          "no out-of-fold predictions",
		"l1 --columns x1":             "needs a fit by annealing",
		filepath.Join("no", "folder"): "--columns is missing",
		"numbers.csv --columns x1":    "not a usable model",
	} {
		if code, _, said := call(t, append([]string{"compare"}, strings.Fields(args)...)...); code == exitDone || !strings.Contains(said, want) {
			t.Errorf("%s: exit code %d, %s", args, code, said)
		}
	}
	must(t, "generate", "ar1", "--task", "regression", "--n", "240", "--m", "8", "--k", "3", "--seed", "2", "--out", "numbers.csv")
	if code, _, said := call(t, "compare", "numbers", "--columns", "x1"); code != exitBadData || !strings.Contains(said, "not the one of the run") {
		t.Errorf("another table: exit code %d, %s", code, said)
	}
}
