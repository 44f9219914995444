package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"fsa/data"
	"fsa/report"
)

// The lift of a random score is 1, of a perfect score the inverse of the share; rows with equal
// scores count by their mean.
func TestLift(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 6))
	n := 1000
	y, perfect, constant := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range y {
		y[i] = -1
		if i < n/5 {
			y[i], perfect[i] = 1, 1+rng.Float64()
		}
	}
	for _, c := range []struct {
		score []float64
		want  float64
	}{{perfect, 5}, {constant, 1}} {
		if got := lift(c.score, y, 0.2); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("lift %v, want %v", got, c.want)
		}
	}
}

// What fit prints has room on a screen unless --verbose is given; a rare class has a line of its
// own, classes that are written in several ways are noted, and so is the choice of the positive one.
func TestOutputFits(t *testing.T) {
	rng := rand.New(rand.NewPCG(46, 1))
	dir := t.TempDir()
	var b strings.Builder
	for j := range 40 {
		fmt.Fprintf(&b, "v%d,", j)
	}
	b.WriteString("state\n")
	for i := range 400 {
		z := 0.0
		for j := range 40 {
			x := rng.NormFloat64()
			if j < 20 {
				z += x
			}
			fmt.Fprintf(&b, "%.4f,", x)
		}
		state := "fine"
		if z+2*rng.NormFloat64() > 6 {
			state = []string{"bad", "Bad"}[i%2]
		}
		b.WriteString(state + "\n")
	}
	path := filepath.Join(dir, "t.csv")
	write(t, path, []byte(b.String()))
	code, stdout, stderr := call(t, "fit", path, "--target", "state", "-k", "22", "--folds", "3", "--stability", "2", "--bins", "0")
	if code != exitDone {
		t.Fatal(stderr)
	}
	if !strings.Contains(stderr, `the classes "Bad", "bad" look like one class`) {
		t.Errorf("nothing is said of two ways to write a class: %s", stderr)
	}
	if n := strings.Count(stdout, "\n"); n > mostLines {
		t.Errorf("%d lines:\n%s", n, stdout)
	}
	inLines(t, stdout)
	write(t, path, []byte(strings.ReplaceAll(b.String(), "Bad", "bad")))
	out := filepath.Join(dir, "run")
	code, stdout, stderr = call(t, "fit", path, "--target", "state", "-k", "22", "--folds", "3", "--bins", "0", "--out", out)
	if code != exitDone || !strings.Contains(stderr, "the positive class is bad, by its name") || !strings.Contains(stdout, "positive class bad, negative class fine") {
		t.Errorf("nothing is said of the positive class: %s\n%s", stderr, stdout)
	}
	if !strings.Contains(stdout, "rare class bad") || !strings.Contains(stdout, "lift") {
		t.Errorf("nothing is said of the rare class:\n%s", stdout)
	}
	if more := must(t, "show", out, "--verbose"); strings.Count(more, "\n") < strings.Count(must(t, "show", out), "\n") {
		t.Error("--verbose prints less")
	}
	if _, _, stderr = call(t, "fit", path, "--target", "state", "-k", "2", "--folds", "3", "--positive", "fine"); strings.Contains(stderr, "the positive class is") {
		t.Errorf("the given class is questioned: %s", stderr)
	}
}

// inLines expects that a text has no line that a terminal would break.
func inLines(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, " \n")); n > terminal {
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
}

// The tables of a model fit into a terminal, whatever the names, the kinds of effects and the number of classes; where
// there is room, they have knots and long bars.
func TestTablesFitLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(46, 2))
	t.Chdir(t.TempDir())
	var b strings.Builder
	b.WriteString("years_since_the_last_promotion_of_the_employee,income_of_the_household,town_of_residence_and_birth,y,class,p,q\n")
	for i := range 240 {
		x, z := rng.NormFloat64(), 12345*rng.Float64()
		missing := fmt.Sprintf("%.1f", z)
		if i%9 == 0 {
			missing, z = "", 30000
		}
		town := []string{"Mariánské Lázně and around", "Weston-super-Mare and around", "Castellammare and around", "Ulm"}[rng.IntN(4)]
		y := 1000*x*x + z/10 + float64(300*len(town)) + 50*rng.NormFloat64()
		fmt.Fprintf(&b, "%.3f,%s,%s,%.1f,a rather long class %d,%.3f,%.3f\n", x, missing, town, y, int(2*math.Abs(x))+2*(len(town)/20), y+rng.NormFloat64(), -y+900*rng.NormFloat64())
	}
	write(t, "t.csv", []byte(b.String()))
	for name, args := range map[string][]string{
		"curves":    {"--target", "y", "--drop", "class,p,q", "-k", "3", "--bins", "5", "--stability", "2"},
		"pairs":     {"--target", "y", "--drop", "class,p,q", "--interactions", "2", "--heredity", "none", "-k", "4"},
		"classes":   {"--target", "class", "--drop", "y,p,q", "-k", "3", "--loss", "multinomial"},
		"targets":   {"--target", "y,p,q", "--drop", "class", "-k", "3"},
		"quantiles": {"--target", "y", "--drop", "class,p,q", "-k", "2", "--loss", "quantile", "--quantile", "0.1,0.5,0.9"},
		"quick":     {"--target", "y", "--drop", "class,p,q", "-k", "2", "--quick"},
	} {
		text := must(t, append([]string{"fit", "t.csv", "--folds", "3"}, args...)...)
		inLines(t, text)
		if strings.Count(text, "\nintercept ") != 1 {
			t.Errorf("%s: there is not one intercept:\n%s", name, text)
		}
		if strings.Contains(text, "coefficient") && !strings.Contains(text, "missing") && name != "quick" {
			t.Errorf("%s: the effect of a missing income is not printed:\n%s", name, text)
		}
	}
	text := must(t, "fit", "t.csv", "--target", "y", "--drop", "class,p,q", "-k", "2", "--quick")
	if !strings.Contains(text, "--holdout 0.2 measures the model on them") {
		t.Errorf("nothing is said of other rows:\n%s", text)
	}
	inLines(t, must(t, "fit", "t.csv", "--target", "y", "--drop", "class,p,q", "-k", "2", "--explain"))
}

// On a terminal, long messages are continued below, and the progress line loses its last parts, not half a word. A file
// without contents has no share that was read.
func TestTerminal(t *testing.T) {
	var b strings.Builder
	m := &messages{w: &b, width: 40}
	fmt.Fprintln(m, "fsa: column a: the dates are not all written in the same way; write them as 2024-01-31")
	fmt.Fprintln(m, "Usage: a text that is not a message of fsa stays as it is")
	want := "fsa: column a: the dates are not all\n    written in the same way; write them\n    as 2024-01-31\nUsage: a text that is not a message of fsa stays as it is\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	b.Reset()
	p := &progress{w: m, to: &b, width: 30}
	p.read(0, 0)
	p.last = time.Time{}
	p.line(func() string { return "45%  step 2 of 3: training  epoch 3  12 variables" })
	if got := b.String(); got != "\r\x1b[Kreading  0 bytes\r\x1b[K45%  step 2 of 3: training" {
		t.Errorf("%q", got)
	}
}

// Standard errors of any size have two digits.
func TestTwoDigits(t *testing.T) {
	for v, want := range map[float64]float64{533459: 530000, 4.8e6: 4.8e6, 91.3: 91, 0.0318: 0.032, 0: 0} {
		if got := twoDigits(v); got != want {
			t.Errorf("%v becomes %v, want %v", v, got, want)
		}
	}
}

// The list of runs fits into a terminal, with the versions if there is room.
func TestRunTableFits(t *testing.T) {
	var b strings.Builder
	one := report.Entry{Path: "run", Table: "/data/t.csv", Target: "y", K: 5, Measure: "r2", Score: 0.9, Held: true, Seconds: 1.5, Started: "2026-11-19T20:00:00Z", Version: "0123456789ab+dirty"}
	if err := printRuns(&b, ".", []report.Entry{one}); err != nil || !strings.Contains(b.String(), "0123456+") {
		t.Error(err, b.String())
	}
	inLines(t, b.String())
	b.Reset()
	long := one
	long.Path, long.Table, long.Target = "experiments/of/last/year/with-all-columns", "households-of-the-year-2024.csv.gz", "income_of_the_household"
	if err := printRuns(&b, ".", []report.Entry{long, one}); err != nil || !strings.Contains(b.String(), "R² 0.900") || !strings.Contains(b.String(), "2026-11-19 20:00") {
		t.Error(err, b.String())
	}
	inLines(t, b.String())
}

// The positive class is one that is named as such, or a rare one, and otherwise the last in order.
func TestLikelyPositive(t *testing.T) {
	for _, c := range []struct {
		first, last  string
		ofFirst, all int
		want         string
	}{
		{"bad", "good", 30, 100, "bad"},
		{"bad", "good", 70, 100, "bad"},
		{"no", "yes", 5, 100, ""},
		{"Yes", "zero", 50, 100, "Yes"},
		{"A", "B", 19, 100, "A"},
		{"A", "B", 20, 100, ""},
		{"A", "B", 99, 100, ""},
		{"A", "B", 100, 100, ""},
	} {
		target := &data.Target{Categories: []string{c.last, c.first, "unused"}}
		for i := range c.all {
			y := 0.0
			if i < c.ofFirst {
				y = 1
			}
			target.Y = append(target.Y, y)
		}
		if got, why := likelyPositive(target); got != c.want || (why == "") != (got == "") {
			t.Errorf("%v: %q, %q", c, got, why)
		}
	}
	if got, _ := likelyPositive(&data.Target{Y: []float64{0, 1, 1, 1, 1, 1, 1}}); got != "" {
		t.Errorf("numbers: %q", got)
	}
}

// A wide table is described in few lines: the problems, the target, and the columns that explain
// most of it; --all prints all.
func TestDescribeWide(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, "generate", "ar1", "--task", "regression", "--n", "200", "--m", "150", "--k", "3", "--out", "t.csv")
	few, all := must(t, "describe", "t.csv", "--target", "y"), must(t, "describe", "t.csv", "--target", "y", "--all")
	if n := strings.Count(few, "\n"); n > 40 || !strings.Contains(few, "131 more columns") || !strings.Contains(few, "alone: ") || !strings.Contains(few, "y ") {
		t.Errorf("%d lines:\n%s", n, few)
	}
	if strings.Count(all, "\n") < 150 {
		t.Errorf("--all prints\n%s", all)
	}
	if strings.Index(few, "problem") > strings.Index(few, "column ") {
		t.Error("problems do not come first")
	}
}
