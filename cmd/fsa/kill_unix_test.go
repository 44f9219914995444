//go:build !windows

package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fsa/internal/fault"
	"fsa/internal/need"
)

// kills says how many times programs are killed; .ci/nightly sets it.
const kills = "FSA_KILLS"

// killedAt names the variable in whose presence the program is killed before it gives so many
// files their names.
const killedAt = "FSA_TEST_KILLED_AT"

func init() {
	if n, err := strconv.Atoi(os.Getenv(killedAt)); err == nil {
		os.Unsetenv(killedAt)
		fault.Install(func(op fault.Op, _ string) error {
			if op == fault.Rename {
				if n--; n < 0 {
					syscall.Kill(os.Getpid(), syscall.SIGKILL)
					select {} // until it comes
				}
			}
			return nil
		})
	}
}

// TestKilledBetweenNames kills a fit that replaces another between any two of its files. Either
// the folder is that of one of the fits, or whoever reads it says which files are not, and no
// report shows them.
func TestKilledBetweenNames(t *testing.T) {
	need.Long(t)
	dir := t.TempDir()
	table, run := filepath.Join(dir, "x.csv"), filepath.Join(dir, "run")
	must(t, "generate", "ar1", "--n", "120", "--m", "8", "--k", "3", "--task", "regression", "--out", table)
	older := []string{"fit", table, "-k", "3", "--folds", "3", "--out", run}
	newer := []string{"fit", table, "-k", "2", "--folds", "4", "--out", run}
	done, instants := false, 0
	for n := 0; !done; n++ {
		instants = n
		os.RemoveAll(run)
		must(t, older...)
		before := contents(t, run)
		cmd := exec.Command(os.Args[0], newer...)
		cmd.Env = append(os.Environ(), killedAt+"="+strconv.Itoa(n))
		text, err := cmd.CombinedOutput()
		if done = err == nil; !done && cmd.ProcessState.ExitCode() >= 0 {
			t.Fatalf("%v: %s", err, text)
		}
		mixed := false
		for name, content := range contents(t, run) {
			mixed = mixed || content != before[name] && !done
		}
		for _, args := range [][]string{{"show", run}, {"report", run}} {
			code, _, stderr := call(t, args...)
			if code != exitDone || strings.Contains(stderr, "changed since the last complete fit") != mixed {
				t.Errorf("killed before name %d: mixed %v, exit code %d, %s says %q", n, mixed, code, args[0], stderr)
			}
		}
		must(t, newer...)
		if left, _ := filepath.Glob(filepath.Join(run, ".fsa-*.tmp")); len(left) > 0 {
			t.Errorf("killed before name %d: %v is left", n, left)
		}
		if _, _, stderr := call(t, "show", run); stderr != "" {
			t.Errorf("killed before name %d, and fitted again: %s", n, stderr)
		}
	}
	t.Logf("%d kills", instants)
}

// TestKills kills commands at random instants, a fit again and again while it resumes.
// The next run gives the same bytes as one that was never killed, and nothing is left.
func TestKills(t *testing.T) {
	most, each := 6, 1 // of a run that is resumed
	if n, err := strconv.Atoi(os.Getenv(kills)); err == nil {
		most, each = n, 8
	} else {
		need.Long(t)
	}
	dir := t.TempDir()
	x, small := filepath.Join(dir, "x.npy"), filepath.Join(dir, "x.csv")
	must(t, "generate", "ar1", "--n", "500", "--m", "1000", "--k", "4", "--out", x)
	must(t, "generate", "ar1", "--n", "300", "--m", "60", "--k", "3", "--task", "regression", "--out", small)
	foreign(t, dir)
	resumed := []string{"--resume", "--checkpoint-every", "10ms"}
	cases := []struct {
		args []string // OUT stands for where the result goes
		more []string // after a kill, and before it
		file string   // that is compared, in OUT
	}{
		{[]string{"fit", x, "-k", "4", "--out", "OUT"}, resumed, modelName},
		{[]string{"fit", small, "--folds", "3", "--out", "OUT"}, resumed, modelName},
		{[]string{"fit", filepath.Join("..", "..", "testdata", "responses", "survival.csv"), "--target", "time", "--event", "died", "--drop", "center", "--out", "OUT"}, resumed, modelName},
		{[]string{"fit", small, "-k", "4", "--interactions", "4", "--folds", "3", "--out", "OUT"}, resumed, modelName},
		{[]string{"fit", x, "-k", "4", "--quick", "--polish", "--out", "OUT"}, resumed, modelName},
		{[]string{"fit", small, "-k", "3", "--bins", "4", "--epochs", "50", "--out", "OUT"}, resumed, modelName},
		{[]string{"convert", x, "OUT/x.fsa"}, nil, "x.fsa"},
		{[]string{"convert", x, "OUT/x.fsa", "--memory", "300KiB"}, []string{"--resume", "--checkpoint-every", "1ms"}, "x.fsa"},
		{[]string{"motion", "train", filepath.Join(dir, "motion"), "--out", "OUT"}, []string{"--resume", "--checkpoint-every", "1ms"}, modelName},
		{[]string{"paper", "regression", "--runs", "1", "--max-n", "300", "--methods", "FSA,FSA+,L1", "--out", "OUT"}, nil, "regression.csv"},
		{[]string{"generate", "ar1", "--n", "2000", "--m", "300", "--k", "3", "--out", "OUT/g.npy"}, nil, "g.npy"},
	}
	rng := rand.New(rand.NewPCG(11, 11))
	program := func(out string, args, more []string) *exec.Cmd {
		all := slices.Clone(args)
		for i := range all {
			if rest, ok := strings.CutPrefix(all[i], "OUT"); ok {
				all[i] = out + rest
			}
		}
		cmd := exec.Command(os.Args[0], append(all, more...)...)
		cmd.Env = append(os.Environ(), "TMPDIR="+dir)
		return cmd
	}
	killed, done := 0, 0
	for n := 0; killed < most; n++ {
		c := cases[n%len(cases)]
		base, out := filepath.Join(t.TempDir(), "base"), filepath.Join(t.TempDir(), "run")
		for _, folder := range []string{base, out} {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		start := time.Now()
		if text, err := program(base, c.args, nil).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		took := time.Since(start)
		for range each {
			more := c.more
			if more != nil && c.args[0] == "fit" {
				more = append(slices.Clone(more), "--threads", strconv.Itoa(1+rng.IntN(3)))
			}
			cmd := program(out, c.args, more)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.AfterFunc(time.Duration(rng.Int64N(int64(took))), func() { cmd.Process.Signal(syscall.SIGKILL) })
			if cmd.Wait() == nil {
				break
			}
			killed++
		}
		if text, err := program(out, c.args, c.more).CombinedOutput(); err != nil {
			t.Fatalf("%v after kills: %v: %s", c.args, err, text)
		}
		done++
		timeless := func(folder string) []byte { // tables of paper say what a fit took
			return regexp.MustCompile(`(?m)^.*,time_s,.*\n`).ReplaceAll(read(t, filepath.Join(folder, c.file)), nil)
		}
		if !bytes.Equal(timeless(base), timeless(out)) {
			t.Errorf("%v: after kills the result is another", c.args)
		}
		for _, left := range []string{checkpointName, "*.part", "*." + checkpointName, ".fsa-*.tmp"} {
			if list, _ := filepath.Glob(filepath.Join(out, left)); len(list) > 0 {
				t.Errorf("%v: %v is left", c.args, list)
			}
		}
	}
	t.Logf("%d kills, %d results compared", killed, done)
}
