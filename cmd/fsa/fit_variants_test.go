package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// bent returns a table whose target depends on the square of the first column.
func bent(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("a,b,c,y\n")
	for i := range 300 {
		x := math.Sin(float64(i * i))
		fmt.Fprintf(&b, "%.5f,%.5f,%.5f,%.5f\n", x, math.Sin(float64(3*i)), math.Cos(float64(i*i*i)), x*x+0.05*math.Sin(float64(7*i)))
	}
	return file(t, "bent.csv", b.String())
}

// Validation chooses among bins and losses and prints its choice, and the model contains it.
func TestVariants(t *testing.T) {
	table, out := bent(t), filepath.Join(t.TempDir(), "run")
	code, _, said := call(t, "fit", table, "--target", "y", "-k", "1", "--bins", "0,5,20", "--smooth", "0.0001", "--out", out)
	if code != exitDone || !strings.Contains(said, "was chosen by the cross-validated squared loss") || strings.Contains(said, "--bins 0 was chosen") {
		t.Errorf("exit code %d: %s", code, said)
	}
	if shown := must(t, "show", out, "--json"); !strings.Contains(shown, `"knots"`) && !strings.Contains(shown, `"bins"`) {
		t.Errorf("no curve was learned: %s", shown)
	}
	curved := filepath.Join(t.TempDir(), "run")
	must(t, "fit", table, "--target", "y", "-k", "1", "--out", curved)
	if shown := must(t, "show", curved, "--json"); !strings.Contains(shown, `"knots"`) {
		t.Errorf("no curve was learned by default: %s", shown)
	}
	code, _, said = call(t, "cv", table, "--target", "y", "-k", "1", "--loss", "auto,huber", "--nested")
	if code != exitDone || !strings.Contains(said, "by the cross-validated RMSE") {
		t.Errorf("exit code %d: %s", code, said)
	}
	refused(t, []string{"fit", table, "--target", "y", "--bins", "some"}, exitUsage, "--bins some")
	refused(t, []string{"fit", table, "--target", "y", "--bins", "0,-1"}, exitUsage, "--bins 0,-1")
	refused(t, []string{"fit", table, "--target", "y", "--loss", "auto,mad"}, exitUsage, "mad")
	refused(t, []string{"fit", table, "--target", "y", "--bins", "0,5", "--quick"}, exitUsage, "--quick")
	refused(t, []string{"fit", table, "--target", "y", "-k", "2", "--bins", "auto", "--method", "l1"}, exitUsage, "--method l1")
}
