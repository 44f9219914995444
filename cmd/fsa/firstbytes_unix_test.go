//go:build !windows

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"fsa/internal/need"
)

// One Ctrl-C ends the program while it waits for a file that is a pipe: for a writer to open it, or
// for data to arrive.
func TestInterruptedPipes(t *testing.T) {
	table := filepath.Join(t.TempDir(), "t.csv")
	must(t, "generate", "ar1", "--n", "50", "--m", "4", "--k", "2", "--out", table)
	// Each call has a pipe of its own, because a reader may wait for it a long time.
	piped := func(name string, args ...string) (string, []string) {
		pipe := filepath.Join(t.TempDir(), name)
		need.System(t, syscall.Mkfifo(pipe, 0o600) == nil, "named pipes")
		data := strings.TrimSuffix(pipe, ".param") + ".data"
		write(t, data, []byte("1:2\n3:4\n"))
		args = slices.Clone(args)
		for i := range args {
			args[i] = strings.NewReplacer("PIPE", pipe, "DATA", data).Replace(args[i])
		}
		return pipe, args
	}
	for i, c := range []struct {
		pipe string
		args []string
	}{
		{"pipe", []string{"show", "PIPE"}},
		{"pipe", []string{"predict", "PIPE", table}},
		{"pipe", []string{"fit", table, "-k", "2", "--groups", "PIPE"}},
		{"pipe", []string{"motion", "segment", "x.mat", "--model", "PIPE"}},
		{"pipe", []string{"keypoint", "detect", "PIPE", "x.jpg"}},
		{"pipe", []string{"export", "PIPE", "--to", "sql"}},
		{"c.param", []string{"fit", "DATA", "-k", "1", "--target", table}},
	} {
		// Nothing opens the pipe, before or after the program waits for it.
		_, args := piped(c.pipe, c.args...)
		ctx, cancel := context.WithCancel(t.Context())
		code := make(chan int, 1)
		var out, msg bytes.Buffer
		go func() { code <- run(ctx, args, &out, &msg) }()
		cancel()
		if got := <-code; got != exitInterrupted {
			t.Errorf("%s: exit code %d, %s", args, got, msg.String())
		}

		// The test opens it, and writes nothing.
		pipe, args := piped(c.pipe, c.args...)
		var stderr bytes.Buffer
		cmd := exec.Command(os.Args[0], args...)
		cmd.Dir, cmd.Stderr = t.TempDir(), &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		other, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits until the program opens it
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Process.Signal([]os.Signal{os.Interrupt, syscall.SIGTERM}[i%2]); err != nil {
			t.Error(err)
		}
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != exitInterrupted || stderr.String() != "fsa: interrupted\n" {
			t.Errorf("%s: exit code %d, %s, stderr %q", args, code, cmd.ProcessState, stderr.String())
		}
		if left, err := os.ReadDir(cmd.Dir); err != nil || len(left) > 0 {
			t.Errorf("%s: left behind: %v, %v", args, left, err)
		}
		other.Close()
	}
}
