//go:build unix

package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"fsa/keypoint"
	"fsa/model"
)

// endless is a file that has no end, and counts what was read of it.
type endless struct {
	text string
	read int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.text[(e.read+i)%len(e.text)]
	}
	e.read += len(p)
	return len(p), nil
}

// What is no model, detector or list of groups is refused by its first bytes.
func TestFirstBytes(t *testing.T) {
	for _, text := range []string{"\x00", "1,2\n", "abc", `{"format":"something else"}`} {
		for what, reads := range map[string]func(io.Reader) error{
			"model":    func(r io.Reader) error { _, err := model.Read(r); return err },
			"detector": func(r io.Reader) error { _, err := keypoint.ReadDetector(r, "d"); return err },
		} {
			in := &endless{text: text}
			if err := reads(in); err == nil || in.read > 1<<16 {
				t.Errorf("%s of %q: read %d bytes, %v", what, text, in.read, err)
			}
		}
	}
	zeros := &endless{text: "\x00"}
	if _, err := parseGroups(zeros, "g"); err == nil || zeros.read > 1<<16 {
		t.Errorf("groups of zeros: read %d bytes, %v", zeros.read, err)
	}
	for _, text := range []string{"a", "a,b\n"} {
		in := &endless{text: text}
		if _, err := parseGroups(in, "g"); err == nil || !strings.Contains(err.Error(), "larger than 8.0 MiB") || in.read > maxGroups {
			t.Errorf("groups of %q: read %d bytes, %v", text, in.read, err)
		}
	}
}

// A call with model and table in the wrong order is told so.
func TestSwappedArguments(t *testing.T) {
	dir := t.TempDir()
	table, out := filepath.Join(dir, "t.csv"), filepath.Join(dir, "run")
	must(t, "generate", "ar1", "--n", "50", "--m", "4", "--k", "2", "--out", table)
	must(t, "fit", table, "-k", "2", "--out", out)
	refused(t, []string{"predict", table, out}, exitUsage, "t.csv is no model, but", "the model comes first")
	refused(t, []string{"predict", table, table}, exitBadData, "t.csv", "not a usable model")
	if runtime.GOOS == "linux" {
		refused(t, []string{"show", "/dev/zero"}, exitBadData, "/dev/zero: not a usable model")
		refused(t, []string{"fit", table, "-k", "2", "--groups", "/dev/zero"}, exitBadData, "/dev/zero", "no text")
		refused(t, []string{"keypoint", "detect", "/dev/zero", "/dev/zero"}, exitUsage, "0 detectors")
	}
}

// One Ctrl-C ends the program while it waits for a file that is a pipe, be it for
// somebody to open it or for something to come out of it.
func TestInterruptedPipes(t *testing.T) {
	table := filepath.Join(t.TempDir(), "t.csv")
	must(t, "generate", "ar1", "--n", "50", "--m", "4", "--k", "2", "--out", table)
	// Each call has a pipe of its own, since who waits for one may do so for long.
	piped := func(name string, args ...string) (string, []string) {
		pipe := filepath.Join(t.TempDir(), name)
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Skip(err)
		}
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
		{"c.param", []string{"fit", "DATA", "-k", "1", "--target", table}},
	} {
		// Nobody opens the pipe, before or after somebody waits for it.
		_, args := piped(c.pipe, c.args...)
		ctx, cancel := context.WithCancel(t.Context())
		code := make(chan int, 1)
		var out, msg bytes.Buffer
		go func() { code <- run(ctx, args, &out, &msg) }()
		cancel()
		if got := <-code; got != exitInterrupted {
			t.Errorf("%s: exit code %d, %s", args, got, msg.String())
		}

		// Somebody does, and writes nothing.
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
