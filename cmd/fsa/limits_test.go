package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"fsa/internal/need"
)

// limited runs the program with a limit of the shell.
func limited(t *testing.T, limit string, args ...string) (code int, stderr string) {
	t.Helper()
	need.System(t, runtime.GOOS == "linux", "linux, whose limits the shell sets")
	sh := need.Program(t, "apt-get install dash", "sh")
	var msg bytes.Buffer
	cmd := exec.Command(sh, append([]string{"-c", "ulimit " + limit + ` && exec "$0" "$@"`, os.Args[0]}, args...)...)
	cmd.Stderr = &msg
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), msg.String()
}

// Limits of the system are reported in one line, with the exit code for resources.
func TestLimits(t *testing.T) {
	dir := t.TempDir()
	table := filepath.Join(dir, "t.csv")
	must(t, "generate", "ar1", "--n", "500", "--m", "50", "--k", "2", "--out", table)
	for _, c := range []struct {
		limit string
		args  []string
		says  string
	}{
		{"-f 8", []string{"convert", table, filepath.Join(dir, "t.fsa")}, "file too large"},
		{"-n 10", []string{"fit", table, "-k", "2"}, "ulimit -n"},
	} {
		code, msg := limited(t, c.limit, c.args...)
		if code != exitResources || strings.Count(msg, "\n") != 1 || !strings.Contains(msg, c.says) {
			t.Errorf("%s: exit code %d, %s", c.limit, code, msg)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*.fsa")); err != nil || len(left) > 0 {
		t.Errorf("%v is left", left)
	}

	// How much address space the program needs to start depends on the system, and it does not start
	// with every limit.
	ended := map[int]bool{}
	step := 512 << 10
	if testing.Short() {
		step = 1 << 20
	}
	for limit := 2 << 20; limit <= 4<<20; limit += step {
		kB := fmt.Sprint("-v ", limit)
		if code, _ := limited(t, kB, "show", filepath.Join(dir, "none")); code != exitFailed {
			continue
		}
		code, msg := limited(t, kB, "fit", table, "--target", "y", "-k", "2")
		if ended[code] = true; code != exitDone && code != exitResources || strings.Count(msg, "\n") > 1 {
			t.Errorf("%s: exit code %d, %.1000s", kB, code, msg)
		}
	}
	if !ended[exitDone] {
		t.Error("no fit came to its end")
	}
}

func TestExitCodesOfTheSystem(t *testing.T) {
	for _, err := range []error{syscall.EFBIG, syscall.ENOSPC, syscall.EDQUOT, syscall.ENOMEM, syscall.EMFILE, syscall.ENFILE} {
		if code := exitCode(t.Context(), fmt.Errorf("x: %w", err), true); code != exitResources {
			t.Errorf("%v: exit code %d", err, code)
		}
	}
	if code := exitCode(t.Context(), syscall.EIO, true); code != exitFailed {
		t.Errorf("a disk that fails: exit code %d", code)
	}
	if checkFiles(0) != nil || checkFiles(1024) != nil || checkFiles(8) == nil {
		t.Error("the number of open files")
	}
}
