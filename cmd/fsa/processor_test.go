package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"fsa/internal/need"
)

// A model has the same bytes on processors that lack instructions.
func TestProcessors(t *testing.T) {
	need.System(t, runtime.GOARCH == "amd64", "amd64, some of whose instructions Go can leave out")
	dir := t.TempDir()
	classes, numbers := filepath.Join(dir, "classes.csv"), filepath.Join(dir, "numbers.csv")
	must(t, "generate", "ar1", "--n", "200", "--m", "30", "--k", "5", "--out", classes)
	must(t, "generate", "ar1", "--task", "regression", "--n", "200", "--m", "30", "--k", "5", "--out", numbers)
	missing := []string{"", "cpu.fma=off", "cpu.avx512f=off"}
	if testing.Short() {
		missing = missing[:2]
	}
	for _, args := range [][]string{
		{classes, "-k", "5"},
		{classes, "-k", "5", "--loss", "svm", "--calibrate"},
		{classes, "-k", "3", "--loss", "multinomial"},
		{classes, "-k", "3", "--method", "logitboost"},
		{numbers, "-k", "5", "--loss", "huber"}, // under an adaptive ridge
	} {
		var first []byte
		for _, without := range missing {
			run := t.TempDir()
			cmd := exec.Command(os.Args[0], append([]string{"fit", "--target", "y", "--out", run}, args...)...)
			cmd.Env = append(os.Environ(), "GODEBUG="+without)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %v\n%s", args, err, out)
			}
			bits, err := os.ReadFile(filepath.Join(run, "model.json"))
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = bits
			} else if !bytes.Equal(bits, first) {
				t.Errorf("%v: another model with GODEBUG=%s", args, without)
			}
		}
	}
}
