package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"fsa/internal/need"
)

// One Ctrl-C ends the program while it waits for more of its standard input, whatever that is, and
// nothing is left behind.
func TestInterruptedInput(t *testing.T) {
	need.System(t, runtime.GOOS != "windows", "interrupts that one program sends to another")
	need.System(t, !signal.Ignored(os.Interrupt), "interrupts, which a job in the background ignores")
	dir := t.TempDir()
	train := filepath.Join(dir, "train.csv")
	must(t, "generate", "ar1", "--n", "50", "--m", "4", "--k", "2", "--out", train)
	must(t, "fit", train, "-k", "2", "--out", filepath.Join(dir, "run"))

	var rows strings.Builder
	rows.WriteString("x0,x1,x2,x3,y\n")
	lines := 200_000
	if testing.Short() {
		lines = 50_000
	}
	for i := range lines {
		fmt.Fprintf(&rows, "%d,%d,%d,%d,%d\n", i*i*7919%100_003, i*i%1013, i%7, i%5, i%2)
	}
	text := rows.String()
	zipped, packed := &bytes.Buffer{}, &bytes.Buffer{}
	gz := gzip.NewWriter(zipped)
	zst, err := zstd.NewWriter(packed)
	if err != nil {
		t.Fatal(err)
	}
	gz.Write([]byte(text))
	zst.Write([]byte(text))
	if err := errors.Join(gz.Flush(), zst.Flush()); err != nil {
		t.Fatal(err)
	}
	array := filepath.Join(dir, "x.npy")
	must(t, "generate", "ar1", "--n", "5000", "--m", "100", "--k", "2", "--out", array)
	numbers := read(t, array)

	// A program started by nohup ignores SIGHUP, and so do the programs that it starts.
	signals := slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}, signal.Ignored)
	fit := []string{"fit", "-", "-k", "2", "--out", "new"}
	for i, c := range []struct {
		what, content string
		args          []string
	}{
		{"csv", text, fit},
		{"csv with little memory", text, append(fit, "--memory", "1GiB")},
		{"a line without an end", strings.Repeat("1,", 1<<18), fit},
		{"gzip", zipped.String(), fit},
		{"zstd", packed.String(), fit},
		{"svmlight", strings.Repeat("1 1:2 3:4\n", 1<<16), fit},
		{"npy", string(numbers[:len(numbers)/2]), fit},
		{"parquet", "PAR1" + strings.Repeat("x", 1<<20), fit},
		{"parquet with little memory", "PAR1" + strings.Repeat("x", 1<<20), append(fit, "--memory", "1GiB")},
		{"a target", strings.Repeat("1\n", 1<<18), []string{"fit", train, "--target", "-", "-k", "2", "--out", "new"}},
		{"predict", text, []string{"predict", filepath.Join(dir, "run"), "-", "--out", "new.csv"}},
		{"convert", text, []string{"convert", "-", "new.fsa"}},
	} {
		if testing.Short() && i%2 == 1 {
			continue
		}
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
		var stderr bytes.Buffer
		cmd := exec.CommandContext(ctx, os.Args[0], c.args...)
		cmd.Dir, cmd.Stderr = t.TempDir(), &stderr
		cmd.Env = append(os.Environ(), "TMPDIR="+cmd.Dir)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// A pipe holds less than this, so the program is reading while it is written.
		if _, err := in.Write([]byte(c.content)); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		if err := cmd.Process.Signal(signals[i%len(signals)]); err != nil {
			t.Error(err)
		}
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != exitInterrupted || !strings.HasSuffix(stderr.String(), "fsa: interrupted\n") {
			t.Errorf("%s: exit code %d, %s, stderr %q", c.what, code, cmd.ProcessState, stderr.String())
		}
		if left, err := os.ReadDir(cmd.Dir); err != nil || len(left) > 0 {
			t.Errorf("%s: left behind: %v, %v", c.what, left, err)
		}
		stop()
	}
}

// stopper is an output that ends a context at the first byte it receives.
type stopper struct {
	stop  context.CancelFunc
	bytes int
}

func (s *stopper) Write(p []byte) (int, error) {
	s.stop()
	s.bytes += len(p)
	return len(p), nil
}

// An interrupt also ends predictions while they are being written.
func TestInterruptedOutput(t *testing.T) {
	train, run := file(t, "train.csv", table(60, "a,b,y\n", plainRow)), filepath.Join(t.TempDir(), "run")
	must(t, "fit", train, "--target", "y", "-k", "2", "--quick", "--out", run)
	rows := file(t, "rows.csv", "a,b\n"+strings.Repeat("1,2\n", 200_000))
	for _, flag := range []string{"--contributions", "--json"} {
		ctx, stop := context.WithCancel(t.Context())
		out := &stopper{stop: stop}
		var stderr bytes.Buffer
		if code := within(ctx, []string{"predict", run, rows, flag}, out, &stderr); code != exitInterrupted || out.bytes > 1<<20 {
			t.Errorf("%s: exit code %d after %d bytes, %s", flag, code, out.bytes, stderr.String())
		}
	}
}
