package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// What may surprise about a fit is said, and nothing where there is nothing.
func TestNotes(t *testing.T) {
	rows := func(y func(i int) string) string {
		return file(t, "t.csv", table(60, "a,b,q,y\n", func(i int, a, b float64, _ int) string {
			return fmt.Sprintf("%v,%v,%d,%s", a, b, i/10, y(i))
		}))
	}
	four := rows(func(i int) string { return fmt.Sprint(i%4 - 1) })
	halves := rows(func(i int) string { return fmt.Sprint(float64(i%4) / 2) })
	many := rows(func(i int) string { return fmt.Sprint(i % 21) })
	named := file(t, "n.csv", table(60, "name,b,y\n", func(i int, _, b float64, _ int) string { return fmt.Sprintf("n%d,%v,%v", i, b, b+1) }))
	wide := file(t, "w.csv", table(60, "n1,n2,n3,n4,n5,n6,n7,n8,b,y\n", func(i int, _, b float64, _ int) string {
		return strings.Repeat(fmt.Sprintf("n%d,", i), 8) + fmt.Sprintf("%v,%v", b, b+1)
	}))
	leaked := file(t, "l.csv", table(60, "a,b,y\n", func(_ int, a, b float64, _ int) string { return fmt.Sprintf("%v,%v,%v", a, b, b+1) }))
	classes, ranked := "4 different whole numbers and is treated as a number; if they are classes, give --loss multinomial", "one query; if there are several, name their column with --query"
	const chance = "no signal was found"
	for _, c := range []struct {
		args []string
		says string // empty for no note
	}{
		{[]string{four}, classes},
		{[]string{four, "--loss", "squared"}, chance},
		{[]string{four, "--loss", "squared", "--ridge", "none"}, chance},
		{[]string{four, "--loss", "multinomial"}, chance},
		{[]string{halves}, chance},
		{[]string{halves, "--quick"}, "selecting 1 of 3 variables with 60 rows risks selection noise"},
		{[]string{many, "--ridge", "none"}, chance},
		{[]string{rows(func(i int) string { return fmt.Sprint(i % 2) })}, chance},
		{[]string{four, "--loss", "rank"}, ranked},
		{[]string{four, "--query", "q", "--quick"}, ""},
		{[]string{halves, "--method", "ridge"}, "--method ridge ignores -k: the model has 3 variables"},
		{[]string{four, "--method", "l1"}, ""},
		{[]string{named}, "column name was left out as an identifier (60 different texts in 60 rows); --use keeps it"},
		{[]string{leaked}, "column b predicts the target almost perfectly on its own: possible leakage; --drop it if it is not known in advance"},
		{[]string{wide}, "5 more columns were left out as identifiers"},
	} {
		code, _, msg := call(t, append([]string{"fit", "--target", "y", "-k", "1", "--json"}, c.args...)...)
		if code != exitDone || !strings.Contains(msg, c.says) || c.says == "" && msg != "" {
			t.Errorf("fsa fit %s: exit code %d, says %q, want %q", strings.Join(c.args[1:], " "), code, msg, c.says)
		}
	}
}

func TestWholeNumbers(t *testing.T) {
	long := make([]float64, 1000)
	for i := range long {
		long[i] = float64(i % 20)
	}
	if n := wholeNumbers(long); n != 20 {
		t.Errorf("%d", n)
	}
	if n := wholeNumbers(append(long, 20)); n != 0 {
		t.Errorf("%d of 21", n)
	}
	if n := wholeNumbers(append(long, 0.5)); n != 0 {
		t.Errorf("%d with a fraction", n)
	}
}

func TestWild(t *testing.T) {
	var y []float64
	for i := range 100 {
		y = append(y, float64(i%10))
	}
	if n := wild(y); n != 0 {
		t.Errorf("%d of none", n)
	}
	y[3], y[7] = 1e4, -500
	if n := wild(y); n != 2 {
		t.Errorf("%d of two", n)
	}
	for i := range 10 {
		y[i] = 1e4
	}
	if n := wild(y); n != 0 {
		t.Errorf("%d of ten, which are no accidents", n)
	}
}

// Half as many variables as rows fit pure noise without an error: that is said where it was
// asked for, and is never chosen.
func TestPureNoise(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csv")
	rng := rand.New(rand.NewPCG(8, 8))
	var text strings.Builder
	for j := range 200 {
		fmt.Fprintf(&text, "x%d,", j)
	}
	text.WriteString("y\n")
	for range 40 {
		for range 200 {
			fmt.Fprintf(&text, "%g,", rng.NormFloat64())
		}
		fmt.Fprintf(&text, "%g\n", rng.NormFloat64())
	}
	write(t, path, []byte(text.String()))
	for _, args := range [][]string{{"--quick"}, {"--quick", "--ridge", "none"}, nil} {
		code, _, msg := call(t, append([]string{"fit", path, "-k", "25"}, args...)...)
		doubts := strings.Contains(msg, "can fit any target") || strings.Contains(msg, "risks selection noise") || strings.Contains(msg, "no signal was found")
		if code != exitDone || !doubts {
			t.Errorf("%v: exit code %d, says %q", args, code, msg)
		}
	}
	code, out, msg := call(t, "fit", path, "--json")
	if code != exitDone {
		t.Fatalf("exit code %d: %s", code, msg)
	}
	if m := parse[fitted](t, out); 2*len(m.Selected) >= 40 {
		t.Errorf("%d variables were chosen of noise", len(m.Selected))
	}
}
