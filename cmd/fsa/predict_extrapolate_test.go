package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// A line ends one training range beyond the training range, or never; exports do the same.
func TestExtrapolate(t *testing.T) {
	var s strings.Builder
	s.WriteString("t,y\n")
	for i := range 100 {
		fmt.Fprintf(&s, "%d,%d\n", i, 2*i)
	}
	train, later := file(t, "train.csv", s.String()), file(t, "later.csv", "t\n500\n-400\n50\n")
	clipped, followed := filepath.Join(t.TempDir(), "clipped"), filepath.Join(t.TempDir(), "followed")
	must(t, "fit", train, "--target", "y", "-k", "1", "--bins", "0", "--out", clipped)
	must(t, "fit", train, "--target", "y", "-k", "1", "--bins", "0", "--extrapolate", "line", "--out", followed)
	for _, c := range []struct {
		args []string
		want [3]float64
	}{
		{[]string{clipped, later}, [3]float64{396, -198, 100}},
		{[]string{clipped, later, "--extrapolate", "clip"}, [3]float64{396, -198, 100}},
		{[]string{clipped, later, "--extrapolate", "line"}, [3]float64{1000, -800, 100}},
		{[]string{followed, later}, [3]float64{1000, -800, 100}},
	} {
		lines := strings.Split(strings.TrimSpace(must(t, append([]string{"predict"}, c.args...)...)), "\n")[1:]
		for i, line := range lines {
			var got float64
			if _, err := fmt.Sscan(strings.Split(line, ",")[0], &got); err != nil || got < c.want[i]-1e-3 || got > c.want[i]+1e-3 {
				t.Errorf("%v: %s instead of %v", c.args[1:], line, c.want[i])
			}
		}
	}
	refused(t, []string{"predict", followed, later, "--extrapolate", "clip"}, exitUsage, "the line of t")
	refused(t, []string{"predict", clipped, later, "--extrapolate", "far"}, exitUsage, "clip or line")
	refused(t, []string{"fit", train, "--target", "y", "-k", "1", "--extrapolate", "far"}, exitUsage, "clip or line")
	must(t, "report", followed)
	if python := must(t, "export", followed, "--to", "python"); !strings.Contains(python, "def ") {
		t.Error(python)
	}
}
