package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fsa/internal/need"
	"fsa/model"
)

// visits returns a table of patients with several visits each, whose class depends on two columns.
func visits(t testing.TB, rows int) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 0))
	var b strings.Builder
	b.WriteString("a,b,c,d,e,patient,ill\n")
	for i := range rows {
		x := [5]float64{}
		for j := range x {
			x[j] = rng.NormFloat64()
			fmt.Fprintf(&b, "%.4f,", x[j])
		}
		fmt.Fprintf(&b, "p%d,%s\n", i/4, map[bool]string{false: "no", true: "yes"}[2*x[1]-x[3]+0.5*rng.NormFloat64() > 0])
	}
	return file(t, "visits.csv", b.String())
}

// TestFoldsFitTheData divides rows into folds in all available ways.
func TestFoldsFitTheData(t *testing.T) {
	need.Long(t)
	table := visits(t, 80)
	var given strings.Builder
	for i := range 80 {
		fmt.Fprintln(&given, []string{"red", "green", "blue"}[i%3])
	}
	folds := file(t, "folds.txt", given.String())
	var sites strings.Builder
	for i := range 80 {
		fmt.Fprintln(&sites, i/30)
	}
	three := file(t, "sites.txt", sites.String())
	for args, want := range map[string]int{
		"--fold-by patient --folds 5":        5,
		"--drop patient --ordered --folds 4": 4,
		"--drop patient --repeats 3":         30,
		"--drop patient --folds " + folds:    3,
		"--drop patient --measure auc -k 2":  5,
		"--fold-by patient -k 2 --quick":     5,
		"--drop patient --fold-by " + three:  3,
	} {
		out := must(t, append([]string{"cv", table, "--target", "ill", "--json"}, strings.Fields(args)...)...)
		v := parse[model.Validation](t, out)
		if v.Folds != want {
			t.Errorf("%s: %d folds instead of %d", args, v.Folds, want)
		}
		if v.Shares["b"] < 1 || v.Shares["patient"] > 0 || !(v.Metrics["auc"] > 0.9) {
			t.Errorf("%s: the folds selected %v and have an auc of %v", args, v.Shares, v.Metrics["auc"])
		}
	}
}

// TestGroupsStayWhole looks at the folds of the rows.
func TestGroupsStayWhole(t *testing.T) {
	table, out := visits(t, 80), filepath.Join(t.TempDir(), "run")
	must(t, "cv", table, "--target", "ill", "--fold-by", "patient", "-k", "2", "--out", out)
	f, err := os.Open(filepath.Join(out, rowsName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 81 || strings.Join(rows[0], ",") != "row,fold,target,class,decision,probability" {
		t.Fatalf("%d rows below %v, error %v", len(rows)-1, rows[0], err)
	}
	for i, row := range rows[1:] {
		if first := rows[1+i/4*4]; row[1] != first[1] {
			t.Errorf("rows %s and %s are of one patient and in the folds %s and %s", first[0], row[0], first[1], row[1])
		}
	}
	if _, err := os.Stat(filepath.Join(out, modelName)); err == nil {
		t.Error("cv has written a model")
	}
}

// TestRankingIsMeasuredByQuery ranks documents, whose queries the report needs to know.
func TestRankingIsMeasuredByQuery(t *testing.T) {
	var table strings.Builder
	for i := range 120 {
		fmt.Fprintf(&table, "%d qid:%d 1:%d 2:%d\n", i%3, 7+i/6, i%3*2+i%2, i%5)
	}
	out := filepath.Join(t.TempDir(), "run")
	must(t, "cv", file(t, "letor.txt", table.String()), "--loss", "rank", "-k", "1", "--out", out)
	rows, err := csv.NewReader(bytes.NewReader(read(t, filepath.Join(out, rowsName)))).ReadAll()
	if err != nil || len(rows) != 121 || strings.Join(rows[0], ",") != "row,fold,target,query,score" {
		t.Fatalf("%d rows below %v, error %v", len(rows)-1, rows[0], err)
	}
	for i, row := range rows[1:] {
		if want := strconv.Itoa(1 + i/6); row[3] != want {
			t.Errorf("row %s is of query %s instead of %s", row[0], row[3], want)
		}
	}
}

// TestRunFolderHasTheCurve fits, and then fits again without validation.
func TestRunFolderHasTheCurve(t *testing.T) {
	need.Long(t)
	table, out := visits(t, 80), filepath.Join(t.TempDir(), "run")
	must(t, "fit", table, "--target", "ill", "--drop", "patient", "--out", out)
	curve := parse[struct {
		Model  string
		Chosen int
		Points []model.ValidationPoint
		Errors []struct {
			Size  int
			Folds []float64
		}
	}](t, string(read(t, filepath.Join(out, curveName))))
	if _, sum, err := loadModel(t.Context(), filepath.Join(out, modelName)); err != nil || sum != curve.Model {
		t.Errorf("the curve is of model %s, not %s (error %v)", curve.Model, sum, err)
	}
	if len(curve.Points) < 5 || len(curve.Errors) != len(curve.Points) || len(curve.Errors[0].Folds) != 10 {
		t.Errorf("the curve has %d points, and the losses of folds at %d sizes", len(curve.Points), len(curve.Errors))
	}
	if picture := read(t, filepath.Join(out, pictureName)); !strings.Contains(string(picture), "<svg") {
		t.Error("there is no picture of the curve")
	}
	must(t, "fit", table, "--target", "ill", "--drop", "patient", "-k", "2", "--quick", "--out", out)
	for _, name := range []string{curveName, pictureName, rowsName} {
		if _, err := os.Stat(filepath.Join(out, name)); err == nil {
			t.Errorf("%s of the earlier run is still there", name)
		}
	}
}

// TestBadFolds asks for impossible folds: nothing is written, and the message says what to do.
func TestBadFolds(t *testing.T) {
	table := visits(t, 40)
	short := file(t, "short.txt", "1\n2\n1\n2\n")
	rare := file(t, "rare.csv", "x,y\n"+strings.Repeat("1,a\n2,a\n3,a\n", 8)+"5,b\n6,b\n")
	for args, want := range map[string]string{
		table + " --target ill --drop patient --folds 41":                 "use at most",
		table + " --target ill --fold-by patient --folds 11":              "10 groups",
		table + " --target ill --drop patient --folds 1":                  "at least 2",
		table + " --target ill --drop patient --folds missing.txt":        "missing.txt",
		table + " --target ill --drop patient --folds " + short:           "4 rows",
		table + " --target ill --drop patient --ordered --repeats 2":      "leave repeats out",
		table + " --target ill --drop patient --measure rmse":             "it must be",
		table + " --target ill --drop patient --measure what":             "unknown measure",
		table + " --target ill --drop patient --folds 3 --folds " + short: "4 rows",
		table + " --target ill --fold-by ill":                             "two roles",
		table + " --target ill --fold-by what":                            "no column",
		table + " --target ill --drop patient -k 1:9":                     "5 variables",
		rare + " --target y --folds 5":                                    "class b has 2",
	} {
		commands := []string{"cv", "fit"}
		if testing.Short() {
			commands = commands[:1] // both check folds alike
		}
		for _, command := range commands {
			out := filepath.Join(t.TempDir(), "run")
			code, _, stderr := call(t, append([]string{command, "--out", out}, strings.Fields(args)...)...)
			if code != exitUsage && code != exitBadData && !strings.Contains(args, "missing") || code == exitDone || !strings.Contains(stderr, want) {
				t.Errorf("fsa %s %s: exit code %d, not about %q:\n%s", command, args, code, want, stderr)
			}
			if _, err := os.Stat(out); err == nil {
				t.Errorf("fsa %s %s: a folder was left", command, args)
			}
		}
	}
}

// TestRowsKeptFromLearning measures a model on rows that were held out in three ways.
func TestRowsKeptFromLearning(t *testing.T) {
	need.Long(t)
	table, other := visits(t, 120), visits(t, 60)
	out := must(t, "fit", table, "--target", "ill", "--fold-by", "patient", "-k", "2", "--holdout", "0.25", "--test", other, "--nested", "--json")
	got := parse[struct {
		Rows  int
		Tests []model.Test
	}](t, out)
	if got.Rows != 88 && got.Rows != 92 || len(got.Tests) != 3 {
		t.Fatalf("learned from %d of 120 rows, %d tests", got.Rows, len(got.Tests))
	}
	for i, want := range []string{"nested", "holdout", "test"} {
		test := got.Tests[i]
		if test.Name != want || !(test.Metrics["auc"] > 0.9) || test.Metrics["brier"] == 0 {
			t.Errorf("test %d is %+v", i, test)
		}
	}
	if got.Tests[1].Rows != 120-got.Rows || got.Tests[2].Rows != 60 {
		t.Errorf("tested on %d and %d rows", got.Tests[1].Rows, got.Tests[2].Rows)
	}
}

// TestBadTests gives rows to test on that cannot be used.
func TestBadTests(t *testing.T) {
	table := visits(t, 40)
	lacks := file(t, "lacks.csv", "a,b,c,d,ill\n1,2,3,4,no\n")
	unseen := file(t, "unseen.csv", "a,b,c,d,e,ill\n1,2,3,4,5,perhaps\n")
	none := file(t, "none.csv", "a,b,c,d,e\n1,2,3,4,5\n")
	for args, want := range map[string]string{
		"--test " + lacks:          "lack this column",
		"--test " + unseen:         "perhaps",
		"--test " + none:           "no target",
		"--holdout 1":              "below 1",
		"--holdout 0.001":          "hold out more",
		"--test-target " + none:    "--test",
		"--holdout 0.99 --folds 2": "hold out less",
		"--test nowhere.csv":       "nowhere.csv",
	} {
		out := filepath.Join(t.TempDir(), "run")
		code, _, stderr := call(t, append([]string{"fit", table, "--target", "ill", "--drop", "patient", "-k", "2", "--out", out}, strings.Fields(args)...)...)
		if code == exitDone || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, not about %q:\n%s", args, code, want, stderr)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: a folder was left", args)
		}
	}
}

// TestMethodsOnTheSameFolds compares methods.
func TestMethodsOnTheSameFolds(t *testing.T) {
	need.Long(t)
	table := visits(t, 80)
	list := parse[[]compared](t, must(t, "cv", table, "--target", "ill", "--fold-by", "patient", "--folds", "4", "-k", "1,2", "--method", "l1,rfe,fsa", "--json"))
	if len(list) != 6 {
		t.Fatalf("%d methods and sizes", len(list))
	}
	for _, c := range list {
		if len(c.Folds) != 4 || c.K == 2 && !(c.Metrics["auc"] > 0.9) || c.Variables != float64(c.K) {
			t.Errorf("%s with %d variables: %d folds, auc %v, %v variables", c.Method, c.K, len(c.Folds), c.Metrics["auc"], c.Variables)
		}
	}
	for args, want := range map[string]string{"--method l1,what -k 2": "what", "--method l1,fsa": "-k is missing"} {
		code, _, stderr := call(t, append([]string{"cv", table, "--target", "ill"}, strings.Fields(args)...)...)
		if code != exitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d: %s", args, code, stderr)
		}
	}
}

// TestStabilityIsShown asks how stable a selection is.
func TestStabilityIsShown(t *testing.T) {
	table, out := visits(t, 80), filepath.Join(t.TempDir(), "run")
	must(t, "fit", table, "--target", "ill", "--fold-by", "patient", "-k", "2", "--stability", "5", "--out", out)
	shown := must(t, "show", out)
	for _, want := range []string{"on 10 half samples", "stability of the selection", "expected number of false selections ≤"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not in\n%s", want, shown)
		}
	}
	for line := range strings.Lines(shown) {
		if len([]rune(line)) > 81 {
			t.Errorf("a line of %d characters: %s", len([]rune(line)), line)
		}
	}
	s := parse[struct {
		Halves int                `json:"half_samples"`
		Shares map[string]float64 `json:"inclusion"`
	}](t, string(read(t, filepath.Join(out, stabilityName))))
	if s.Halves != 10 || s.Shares["b"] < 0.9 {
		t.Errorf("the file says %+v", s)
	}
	if code, _, stderr := call(t, "fit", table, "--target", "ill", "--stability", "-1"); code != exitUsage {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// TestIntervalsAreWritten predicts with intervals and with sets of classes.
func TestIntervalsAreWritten(t *testing.T) {
	need.Long(t)
	table, out := visits(t, 80), filepath.Join(t.TempDir(), "run")
	must(t, "fit", table, "--target", "ill", "--fold-by", "patient", "-k", "2", "--loss", "svm", "--calibrate", "--threshold", "f1", "--out", out)
	if shown := must(t, "show", out); !strings.Contains(shown, "calibrated") || !strings.Contains(shown, "P ≥") {
		t.Error(shown)
	}
	text := must(t, "predict", out, table, "--interval", "0.9")
	if head, _, _ := strings.Cut(text, "\n"); head != "class,decision,probability,classes" {
		t.Errorf("the columns are %s", head)
	}
	got := parse[struct {
		Sets    [][]string
		Metrics map[string]float64
	}](t, must(t, "predict", out, table, "--interval", "0.9", "--target", "ill", "--json"))
	if len(got.Sets) != 80 || got.Metrics["coverage"] < 0.85 || got.Metrics["width"] < 1 {
		t.Errorf("%d sets, %v", len(got.Sets), got.Metrics)
	}
	must(t, "fit", table, "--target", "a", "--drop", "patient,ill", "-k", "2", "--out", out)
	text = must(t, "predict", out, table, "--interval", "0.8")
	if head, _, _ := strings.Cut(text, "\n"); head != "prediction,low,high" {
		t.Errorf("the columns are %s", head)
	}
	for _, coverage := range []string{"0", "1", "0.999", "-1"} {
		if code, _, stderr := call(t, "predict", out, table, "--interval", coverage); code != exitUsage {
			t.Errorf("--interval %s: exit code %d: %s", coverage, code, stderr)
		}
	}
	must(t, "fit", table, "--target", "a", "--drop", "patient,ill", "-k", "2", "--quick", "--out", out)
	if code, _, stderr := call(t, "predict", out, table, "--interval", "0.9"); code != exitUsage || !strings.Contains(stderr, "--folds") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

// TestCVPlusIntervals predicts with intervals by the models of the folds.
func TestCVPlusIntervals(t *testing.T) {
	need.Long(t)
	dir := t.TempDir()
	train, test, out := filepath.Join(dir, "train.csv"), filepath.Join(dir, "test.csv"), filepath.Join(dir, "run")
	must(t, "generate", "ar1", "--task", "regression", "--n", "100", "--m", "60", "--k", "3", "--seed", "1", "--out", train)
	must(t, "generate", "ar1", "--task", "regression", "--n", "500", "--m", "60", "--k", "3", "--seed", "2", "--out", test)
	must(t, "fit", train, "--target", "y", "--out", out)
	type predicted struct {
		Low, High []float64
		Metrics   map[string]float64
	}
	plus := parse[predicted](t, must(t, "predict", out, test, "--target", "y", "--interval", "0.9", "--cv-plus", "--json"))
	plain := parse[predicted](t, must(t, "predict", out, test, "--target", "y", "--interval", "0.9", "--json"))
	for name, p := range map[string]predicted{"plus": plus, "plain": plain} {
		if len(p.Low) != 500 || p.Metrics["coverage"] < 0.8 || p.Metrics["coverage"] > 0.98 {
			t.Errorf("%s: %d intervals, %v", name, len(p.Low), p.Metrics)
		}
	}
	if slices.Equal(plus.Low, plain.Low) {
		t.Error("both kinds of intervals are the same")
	}
	refused(t, []string{"predict", out, test, "--cv-plus"}, exitUsage, "--interval 0.9")
	refused(t, []string{"predict", out, test, "--interval", "0.9999", "--cv-plus"}, exitUsage, "at most")

	other := filepath.Join(dir, "other")
	must(t, "fit", train, "--target", "y", "-k", "2", "--out", other)
	folds := filepath.Join(other, "folds.json")
	whole, err := os.ReadFile(filepath.Join(out, "folds.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(folds, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	refused(t, []string{"predict", other, test, "--interval", "0.9", "--cv-plus"}, exitBadData, "another model")
	if err := os.WriteFile(folds, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	refused(t, []string{"predict", other, test, "--interval", "0.9", "--cv-plus"}, exitBadData, "folds.json")
	must(t, "fit", train, "--target", "y", "-k", "2", "--quick", "--out", other)
	refused(t, []string{"predict", other, test, "--interval", "0.9", "--cv-plus"}, exitUsage, "there is no folds.json")
}
