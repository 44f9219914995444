package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/model"
)

// Surprising fits get a note, and others do not.
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
	split := file(t, "s.csv", table(200, "a,b,y\n", func(i int, a, _ float64, _ int) string { // a step, which no line follows
		return fmt.Sprintf("%v,%v,%s", a, i*i*i, []string{"no", "yes"}[i/150])
	}))
	sum := file(t, "2.csv", table(60, "a,b,c,y\n", func(i int, a, b float64, _ int) string { return fmt.Sprintf("%v,%v,%d,%v", a, b, i%7, a+b) }))
	parts := file(t, "p.csv", table(60, "a,b,c,y\n", func(i int, a, b float64, _ int) string {
		return fmt.Sprintf("%v,%v,%d,%v", a, b, i%7, a+b+float64(i%7))
	}))
	separated := func(rows int) string { // no single column separates the classes
		return file(t, "e.csv", table(rows, "a,b,c,y\n", func(i int, a, b float64, _ int) string {
			sum := []float64{-1, 1}[i%2] * (1 + math.Abs(b))
			return fmt.Sprintf("%v,%v,%d,%s", a, sum-a, i%7, []string{"no", "yes"}[i%2])
		}))
	}
	copied := file(t, "c.csv", table(60, "a,b,c,y\n", func(i int, a, b float64, _ int) string { return fmt.Sprintf("%v,%v,%v,%v", a, b, 3-2*a, a+b*b) }))
	dated := file(t, "d.csv", table(60, "when,a,b,y\n", func(i int, a, b float64, _ int) string {
		return fmt.Sprintf("2024-%02d-%02d,%v,%v,%d", 1+i/28, 1+i%28, a, b, i%2)
	}))
	classes, ranked := "4 different whole numbers and is treated as a number; if they are classes, give --loss multinomial", "one query; if there are several, give their column with --query"
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
		{[]string{leaked}, "column b: it predicts the target almost perfectly on its own (R² 1.000): possible leakage; --drop b if it is not known in advance"},
		{[]string{split}, "column b: it predicts the target almost perfectly on its own: possible leakage; --drop b if it is not known in advance"},
		{[]string{sum}, "column a: the target is a + b: possible leakage; --drop a --drop b if they are not known in advance"},
		{[]string{parts, "-k", "3"}, "3 columns together predict the target without error, among them "},
		{[]string{separated(60), "-k", "2"}, "2 columns together separate the classes without an error out of fold, among them "},
		{[]string{separated(30), "-k", "2"}, ""},
		{[]string{copied}, "column c: correlation 1 with a: they carry the same information; --drop c or the other one"},
		{[]string{dated}, "column when: rows are sorted by this date; use --ordered"},
		{[]string{dated, "--ordered"}, "no signal"},
		{[]string{wide}, "5 more columns were left out as identifiers"},
	} {
		code, _, msg := call(t, append([]string{"fit", "--target", "y", "-k", "1", "--json"}, c.args...)...)
		if code != exitDone || !strings.Contains(msg, c.says) || c.says == "" && msg != "" {
			t.Errorf("fsa fit %s: exit code %d, says %q, want %q", strings.Join(c.args[1:], " "), code, msg, c.says)
		}
	}
}

// TestSignalAndCurve fits 123 ordered rows whose last ones vary most: a few folds differ so much
// that no test distinguishes the drop of the curve from chance. The note must then not say "no
// signal", and "best" must be beside the lowest point.
func TestSignalAndCurve(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var text strings.Builder
	text.WriteString("a,b,c,d,e,y\n")
	y := 0.0
	for i := range 123 {
		step := 5.0
		if i > 100 {
			step = 45
		}
		y += step * rng.NormFloat64()
		for range 3 {
			fmt.Fprintf(&text, "%g,", y+12*rng.NormFloat64())
		}
		fmt.Fprintf(&text, "%g,%g,%g\n", rng.NormFloat64(), rng.NormFloat64(), y)
	}
	path := file(t, "walk.csv", text.String())
	for _, args := range [][]string{{"--ordered", "--folds", "3"}, {"--ordered", "--folds", "4"}, {"--ordered"}, nil} {
		code, out, msg := call(t, append([]string{"fit", path, "--json"}, args...)...)
		if code != exitDone {
			t.Fatalf("%v: exit code %d: %s", args, code, msg)
		}
		v := parse[struct{ Validation model.Validation }](t, out).Validation
		lowest := slices.MinFunc(v.Points, func(a, b model.ValidationPoint) int { return cmp.Compare(a.Mean, b.Mean) })
		if v.Best != lowest.Size || lowest.Mean > v.Null/2 {
			t.Errorf("%v: best is %d, and the curve is lowest at %d, %v of %v", args, v.Best, lowest.Size, lowest.Mean, v.Null)
		}
		weak := strings.Contains(msg, "there may be a signal") || strings.Contains(msg, "the signal is weak")
		if strings.Contains(msg, "no signal") || weak == v.Signal() {
			t.Errorf("%v: %d variables, signal %v: %s", args, v.Chosen, v.Signal(), msg)
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

// Half as many variables as rows fit pure noise without an error: such a size is reported if it was
// requested, and never chosen.
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
