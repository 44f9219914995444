package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// table returns a CSV of two numbers and a class that depends on them.
func table(rows int, head string, row func(i int, a, b float64, y int) string) string {
	var s strings.Builder
	s.WriteString(head)
	for i := range rows {
		a, b := float64(i*7%13)-6, float64(i*5%11)-5
		y := 0
		if a+b > 0 {
			y = 1
		}
		s.WriteString(row(i, a, b, y) + "\n")
	}
	return s.String()
}

func plainRow(_ int, a, b float64, y int) string { return fmt.Sprintf("%v,%v,%d", a, b, y) }

// A table without names is recognised by its width.
func TestNamelessTables(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	full := write("full.csv", table(60, "", func(_ int, a, b float64, y int) string { return fmt.Sprintf("%d,%v,%v", y, a, b) }))
	short := write("short.csv", table(60, "", func(_ int, a, b float64, _ int) string { return fmt.Sprintf("%v,%v", a, b) }))
	out := filepath.Join(dir, "run")
	must(t, "fit", full, "--header", "no", "--target", "0", "-k", "2", "--out", out)
	must(t, "predict", out, full, "--header", "no")
	refused(t, []string{"predict", out, short, "--header", "no"}, exitBadData, "short.csv", "2 columns", "3")
}

// A target that was not asked for does not cost the predictions.
func TestUnusableTargets(t *testing.T) {
	train, out := file(t, "train.csv", table(60, "a,b,y\n", plainRow)), filepath.Join(t.TempDir(), "run")
	must(t, "fit", train, "--target", "y", "-k", "2", "--out", out)
	for name, test := range map[string]string{
		"empty":   table(20, "a,b,y\n", func(_ int, a, b float64, _ int) string { return fmt.Sprintf("%v,%v,", a, b) }),
		"unknown": table(20, "a,b,y\n", func(_ int, a, b float64, _ int) string { return fmt.Sprintf("%v,%v,7", a, b) }),
	} {
		path := file(t, name+".csv", test)
		code, stdout, stderr := call(t, "predict", out, path)
		if code != exitDone || strings.Count(stdout, "\n") != 21 || !strings.Contains(stderr, "could not be evaluated: "+path+":") {
			t.Errorf("%s: exit code %d, %d lines, %s", name, code, strings.Count(stdout, "\n"), stderr)
		}
		refused(t, []string{"predict", out, path, "--target", "y"}, exitBadData, name+".csv")
		if _, _, stderr := call(t, "predict", out, path, "--drop", "y"); stderr != "" {
			t.Errorf("%s, y dropped: %s", name, stderr)
		}
	}
	// A wrong target is reported with its own file.
	sevens := file(t, "sevens.txt", strings.Repeat("7\n", 60))
	refused(t, []string{"predict", out, train, "--target", sevens}, exitBadData, "fsa: "+sevens+": row 1: the target")
}

// Weights of classes change the model, not how it is measured.
func TestClassWeightsAreNotMeasured(t *testing.T) {
	train, out := file(t, "train.csv", table(60, "a,b,y\n", func(i int, a, b float64, y int) string {
		if i%5 == 0 {
			y = 1 - y
		}
		return plainRow(i, a, b, y)
	})), filepath.Join(t.TempDir(), "run")
	f := parse[fitted](t, must(t, "fit", train, "-k", "1", "--class-weights", "1=9", "--out", out, "--json"))
	p := parse[measured](t, must(t, "predict", out, train, "--json"))
	for name, want := range p.Metrics {
		if got := f.Metrics[name]; got < want-1e-6 || got > want+1e-6 {
			t.Errorf("%s is %v in training and %v in prediction", name, got, want)
		}
	}
}

// The queries that a model was trained with are found again.
func TestQueriesAreRemembered(t *testing.T) {
	train := file(t, "train.csv", table(60, "a,b,grade,q\n", func(i int, a, b float64, y int) string {
		return fmt.Sprintf("%v,%v,%d,%d", a, b, y+i%2, i/10)
	}))
	out := filepath.Join(t.TempDir(), "run")
	f := parse[fitted](t, must(t, "fit", train, "--target", "grade", "--query", "q", "-k", "2", "--out", out, "--json"))
	p := parse[measured](t, must(t, "predict", out, train, "--json"))
	if f.Metrics["ndcg10"] == 0 || f.Metrics["ndcg10"] != p.Metrics["ndcg10"] {
		t.Errorf("NDCG %v in training, %v in prediction", f.Metrics, p.Metrics)
	}
	noQueries := file(t, "plain.csv", table(20, "a,b,grade\n", func(_ int, a, b float64, y int) string { return fmt.Sprintf("%v,%v,%d", a, b, y) }))
	if p := parse[measured](t, must(t, "predict", out, noQueries, "--json")); len(p.Metrics) != 0 {
		t.Errorf("without queries: %v", p.Metrics)
	}
}

// Zero means zero on the command line, not the default.
func TestZeros(t *testing.T) {
	dir := t.TempDir()
	read := func(args ...string) string {
		path := filepath.Join(dir, "x.csv")
		must(t, append([]string{"generate", "ar1", "--n", "20", "--m", "5", "--k", "1", "--out", path}, args...)...)
		return string(read(t, path))
	}
	if read() == read("--rho", "0") {
		t.Error("--rho 0 is taken for the default")
	}
	train := filepath.Join(dir, "train.csv")
	must(t, "generate", "ar1", "--n", "50", "--m", "40", "--k", "1", "--out", train)
	slow := parse[fitted](t, must(t, "fit", train, "-k", "1", "--mu", "0", "--json"))
	fast := parse[fitted](t, must(t, "fit", train, "-k", "1", "--json"))
	if slow.Passes <= fast.Passes {
		t.Errorf("%v passes with --mu 0, %v by default", slow.Passes, fast.Passes)
	}
}

// Texts that a model has not seen are reported, and a column that it needs is not dropped.
func TestPredictUnseen(t *testing.T) {
	dir := t.TempDir()
	var train, test strings.Builder
	train.WriteString("z,x,y\n")
	test.WriteString("z,x,y\n")
	for i := range 60 {
		fmt.Fprintf(&train, "%c,%d,%d\n", 'a'+i%3, i%7, i%3)
		fmt.Fprintf(&test, "%c,%d,%d\n", 'b'+i%3, i%7, i%3)
	}
	for name, text := range map[string]string{"train.csv": train.String(), "test.csv": test.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	model := filepath.Join(dir, "run")
	if code, _, stderr := call(t, "fit", filepath.Join(dir, "train.csv"), "--target", "y", "--loss", "squared", "-k", "1", "--out", model); code != 0 {
		t.Fatal(stderr)
	}
	code, _, stderr := call(t, "predict", model, filepath.Join(dir, "test.csv"))
	if want := "column z: 20 of 60 rows have a category that was not seen in training"; code != 0 || !strings.Contains(stderr, want) {
		t.Errorf("code %d, %q, want %q", code, stderr, want)
	}
	if code, _, stderr := call(t, "predict", model, filepath.Join(dir, "test.csv"), "--drop", "z"); code != 2 || !strings.Contains(stderr, "the model needs this column") {
		t.Errorf("code %d, %q", code, stderr)
	}
}

// New rows of a table without names may lack the target, if it was the last column.
func TestPredictWithoutTheResponse(t *testing.T) {
	var all, without, first strings.Builder
	for i := range 60 {
		a, b := i%7, i%5
		fmt.Fprintf(&all, "%d,%d,%d\n", a, b, 2*a-b)
		fmt.Fprintf(&without, "%d,%d\n", a, b)
		fmt.Fprintf(&first, "%d,%d,%d\n", 2*a-b, a, b)
	}
	last, rows, front := file(t, "all.csv", all.String()), file(t, "rows.csv", without.String()), file(t, "first.csv", first.String())
	run := filepath.Join(t.TempDir(), "run")
	must(t, "fit", last, "--target", "2", "-k", "2", "--out", run)
	if got, want := must(t, "predict", run, rows), must(t, "predict", run, last); got != want {
		t.Errorf("without the response the predictions are\n%.200s\nnot\n%.200s", got, want)
	}
	must(t, "fit", front, "--target", "0", "-k", "2", "--out", run+"2")
	refused(t, []string{"predict", run + "2", rows}, exitBadData, "rows.csv", "the model was trained on 3")
}
