//go:build unix

package main

import (
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fsa/app/keypoint"
	"fsa/internal/need"
	"fsa/model"
)

// endless is a file without an end, which counts how much of it was read.
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

// Files that are not models, detectors or lists of groups are refused by their first bytes.
func TestFirstBytes(t *testing.T) {
	need.Long(t)
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

// A call with model and table in the wrong order gets a message that says so.
func TestSwappedArguments(t *testing.T) {
	dir := t.TempDir()
	table, out := filepath.Join(dir, "t.csv"), filepath.Join(dir, "run")
	must(t, "generate", "ar1", "--n", "50", "--m", "4", "--k", "2", "--out", table)
	must(t, "fit", table, "-k", "2", "--out", out)
	refused(t, []string{"predict", table, out}, exitUsage, "t.csv is not a model, but", "give the model first")
	refused(t, []string{"predict", table, table}, exitBadData, "t.csv", "not a usable model")
	if runtime.GOOS == "linux" {
		refused(t, []string{"show", "/dev/zero"}, exitBadData, "/dev/zero: not a usable model")
		refused(t, []string{"fit", table, "-k", "2", "--groups", "/dev/zero"}, exitBadData, "/dev/zero", "not text")
		refused(t, []string{"keypoint", "detect", "/dev/zero", "/dev/zero"}, exitUsage, "0 detectors")
	}
}
