package main

import (
	"fmt"
	"fsa/data"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
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
