package main

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// constrainedTable is a table whose column a rises and then falls, and whose column b has a negative effect.
func constrainedTable(t *testing.T) string {
	var s strings.Builder
	s.WriteString("a,b,c,kind,day,y\n")
	for i := range 240 {
		a, b := float64(i%40)/10, float64(i*i%37)
		fmt.Fprintf(&s, "%g,%g,%d,%s,2024-01-%02d,%.6g\n", a, b, i*7%11, []string{"red", "blue"}[i%2], 1+i%28, 3*a-a*a+0.4*b-0.1*float64(i%11)+math.Sin(float64(i)))
	}
	return file(t, "t.csv", s.String())
}

// TestConstraints fits with constraints from flags and from a file, and tests the predictions and the record of them.
func TestConstraints(t *testing.T) {
	table, out := constrainedTable(t), filepath.Join(t.TempDir(), "run")
	list := file(t, "list.csv", "\ufeff# what the regulator asks for\na,increasing\nb, Concave\nb,increasing\n")
	text := must(t, "fit", table, "--target", "y", "-k", "2", "--bins", "6", "--constraints", list, "--folds", "3", "--force", "a,b", "--out", out, "--json")
	var said struct {
		Constraints []struct{ Column, Kind string }
	}
	if err := json.Unmarshal([]byte(text), &said); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(said.Constraints); got != "[{a increasing} {b concave} {b increasing}]" {
		t.Error(got)
	}
	if shown := must(t, "show", out); !strings.Contains(shown, "constraints: a increasing, b concave, b increasing") {
		t.Error(shown)
	}
	var rows strings.Builder
	rows.WriteString("a,b,c,kind,day\n")
	for i := range 200 {
		fmt.Fprintf(&rows, "%g,3,1,red,2024-01-02\n", float64(i)/50)
	}
	predicted := strings.Split(strings.TrimSpace(must(t, "predict", out, file(t, "rows.csv", rows.String()))), "\n")[1:]
	last := math.Inf(-1)
	for _, line := range predicted {
		var v float64
		if _, err := fmt.Sscan(strings.Split(line, ",")[0], &v); err != nil || v < last {
			t.Fatalf("%v after %v", line, last)
		}
		last = v
	}

	lines := must(t, "fit", table, "--target", "y", "-k", "3", "--nonpositive", "b", "--bounds", "a=-0.1:,c=:0.05", "--force", "a,b,c", "--json")
	var fitted struct {
		Variables []struct {
			Name        string
			Coefficient float64
		}
	}
	if err := json.Unmarshal([]byte(lines), &fitted); err != nil {
		t.Fatal(err)
	}
	for _, v := range fitted.Variables {
		if v.Name == "b" && v.Coefficient != 0 || v.Name == "a" && v.Coefficient < -0.1 || v.Name == "c" && v.Coefficient > 0.05 {
			t.Errorf("%+v", v)
		}
	}
}

// TestLevels orders the categories of a text by a flag and by a file, and tests that predictions keep the order.
func TestLevels(t *testing.T) {
	var s strings.Builder
	s.WriteString("size,stage,a,y\n")
	for i := range 160 {
		fmt.Fprintf(&s, "%s,%d,%d,%.6g\n", []string{"XL", "S", "\"L, or so\"", "M"}[i%4], i%3, i%13, []float64{1, 2, 0, 3}[i%4]+0.2*float64(i%13)+math.Sin(float64(i)))
	}
	table, out := file(t, "t.csv", s.String()), filepath.Join(t.TempDir(), "run")
	must(t, "fit", table, "--target", "y", "-k", "2", "--quick", "--force", "size", "--increasing", "size", "--levels", "size=S,M,\"L, or so\",XL", "--out", out)
	if shown := must(t, "show", out); !strings.Contains(shown, "constraints: size increasing (S < M < L, or so < XL)") {
		t.Error(shown)
	}
	predicted := strings.Fields(must(t, "predict", out, file(t, "rows.csv", "size,stage,a\nS,1,4\nM,1,4\n\"L, or so\",1,4\nXL,1,4\n")))[1:]
	last := math.Inf(-1)
	for _, line := range predicted {
		var v float64
		if _, err := fmt.Sscan(strings.Split(line, ",")[0], &v); err != nil || v < last {
			t.Fatalf("%v after %v", line, last)
		}
		last = v
	}
	list := file(t, "list.csv", "size,decreasing,S,M,\"L, or so\",XL\nstage,increasing\n")
	text := must(t, "fit", table, "--target", "y", "-k", "2", "--quick", "--categorical", "stage", "--constraints", list, "--json")
	if !strings.Contains(text, `"levels"`) {
		t.Error(text)
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"--levels", "size=S,M"}, "give one of them"},
		{[]string{"--increasing", "size", "--levels", "size"}, "--levels size: it must be COLUMN=CATEGORY,..."},
		{[]string{"--increasing", "size", "--levels", "size=S,M"}, `misses the category "XL"`},
		{[]string{"--increasing", "size"}, "as with --levels size=low,mid,high"},
	} {
		refused(t, append([]string{"fit", table, "--target", "y", "-k", "2"}, c.args...), exitUsage, c.says)
	}
}

// TestConstraintsRefused checks the messages about wrong flags and files.
func TestConstraintsRefused(t *testing.T) {
	table := constrainedTable(t)
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--bounds", "a"}, exitUsage, "--bounds a: it must be COLUMN=LOWER:UPPER"},
		{[]string{"--bounds", "a=1"}, exitUsage, "it must be COLUMN=LOWER:UPPER"},
		{[]string{"--bounds", "a=NaN:1"}, exitUsage, "it must be COLUMN=LOWER:UPPER"},
		{[]string{"--bounds", "a=3:2"}, exitUsage, "not above the upper one"},
		{[]string{"--nonnegative", "z"}, exitUsage, `there is no variable "z"`},
		{[]string{"--nonnegative", "y"}, exitUsage, "y nonnegative: this column cannot be selected, it is the target"},
		{[]string{"--nonnegative", "a", "--drop", "a"}, exitUsage, "it is dropped"},
		{[]string{"--increasing", "kind"}, exitUsage, "holds texts"},
		{[]string{"--increasing", "day"}, exitUsage, "holds dates"},
		{[]string{"--nonnegative", "all", "--bins", "5"}, exitUsage, "straight line"},
		{[]string{"--increasing", "a", "--decreasing", "a"}, exitUsage, "no effect satisfies"},
		{[]string{"--increasing", "a", "--method", "l1"}, exitUsage, "--increasing is for annealing"},
		{[]string{"--increasing", "a", "--bins", "5", "--smooth", "1"}, exitUsage, "priors on curves"},
		{[]string{"--increasing", "a", "--device", "cuda"}, exitUsage, "use the CPU"},
		{[]string{"--increasing", "a", "--grid", "auto"}, exitUsage, "grid of processes"},
		{[]string{"--constraints", file(t, "bad.csv", "a,round\n")}, exitBadData, `line 1: "round" is no kind of constraint`},
		{[]string{"--constraints", file(t, "bad.csv", "a,bounds,x\n")}, exitBadData, "a bound is not a number"},
		{[]string{"--constraints", file(t, "bad.csv", "a\n")}, exitBadData, "line 1: 1 cells"},
		{[]string{"--constraints", file(t, "bad.csv", "\n")}, exitBadData, "it has no constraint"},
		{[]string{"--constraints", file(t, "bad.csv", "\"a\nb")}, exitBadData, "separated by commas"},
	} {
		refused(t, append([]string{"fit", table, "--target", "y", "-k", "2"}, c.args...), c.code, c.says)
	}
}
