package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unicode"
	"unicode/utf8"

	"fsa/internal/need"
)

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"plain\n":              "plain\n",
		"two\nlines\tand tab":  "two\nlines\tand tab",
		"\x1b[31mred":          `\x1b[31mred`,
		"bell\a \b\r x":        `bell\a \b\r x`,
		"\xff\xfe":             `\xff\xfe`,
		"größer …":             "größer …",
		"\u202eturned\u009b2J": `\u202eturned\u009b2J`,
		"  two  blanks ":       "  two  blanks ",
	} {
		if got := clean(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	for _, long := range []string{strings.Repeat("x", 3<<20), strings.Repeat("\x1b", 3<<20), strings.Repeat("ä", 3<<20), strings.Repeat("a ", 3<<20)} {
		got := clean("file " + long + ": bad\nnext")
		if n := utf8.RuneCountInString(got); n > longestLine+10 || !strings.HasPrefix(got, "file ") || !strings.HasSuffix(got, "bad\nnext") {
			t.Errorf("%.5q… becomes %d characters: %.40q…", long, n, got)
		}
	}
	if got := oneLine("a\nfsa: all is well"); got != `a\nfsa: all is well` {
		t.Errorf("a name with a line feed becomes %q", got)
	}
}

// harmless reports whether a message contains nothing that a terminal would obey.
func harmless(msg string) bool {
	return utf8.ValidString(msg) && len(msg) < 10000 && !strings.ContainsFunc(msg, func(r rune) bool { return !unicode.IsPrint(r) && r != '\n' && r != '\t' })
}

// Whatever is wrong, foreign names and cells are made harmless.
func TestHostileNames(t *testing.T) {
	const escape = "\x1b]0;owned\a\x1b[2J"
	long := strings.Repeat("n", 3<<20)
	if testing.Short() {
		long = long[:1<<18]
	}
	for what, c := range map[string]struct{ name, content string }{
		"name of a column":    {"t.csv", escape + "," + escape + ",y\n1,2,0\n"},
		"two lines":           {"t.csv", "\"a\nfsa: done\",\"a\nfsa: done\",y\n1,2,0\n"},
		"cell":                {"t.csv", "a,b,y\n1,2,0\n1," + escape + ",1\n2,3,1\n"},
		"long column":         {"t.csv", long + "," + long + ",y\n1,2,0\n"},
		"long cell":           {"t.csv", "a,b,y\n1,2,0\n1," + long + ",1\n2,3,1\n"},
		"class":               {"t.csv", "a,y\n1," + escape + "\n2," + escape + "\n"},
		"long class":          {"t.csv", "a,y\n1," + long + "\n2," + long + "\n"},
		"name of a file":      {"t" + escape + ".csv", "a,y\n"},
		"bytes in a name":     {"t\xff\xfe.csv", "a,y\n"},
		"index of svmlight":   {"t.svm", "1 " + escape + ":1\n"},
		"label of svmlight":   {"t.svm", escape + " 1:1\n"},
		"header of an array":  {"t.npy", "\x93NUMPY\x01\x00\x40\x00{'descr': '" + escape + "', }" + strings.Repeat(" ", 64)},
		"text of many values": {"t.csv", "t,y\n" + escape + "1,0\n" + escape + "2,1\n" + escape + "3,0\n" + escape + "4,1\n"},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		err := os.WriteFile(path, []byte(c.content), 0o644)
		need.System(t, err == nil, "files whose names are any bytes")
		for _, args := range [][]string{
			{"fit", path, "-k", "1"}, {"fit", path, "-k", "1", "--plan"}, {"fit", path, "-k", "1", "--target", escape}, {"show", path}, {"convert", path, path + ".fsa"},
			{"fit", path, "-k", "1", "--groups", path}, {"fit", path, "-k", "1", "--force", "z" + escape}, {"keypoint", "detect", path, path}, {"motion", "segment", path, "--model", path}, {escape}, {"fit", "--" + escape},
		} {
			if _, out, msg := call(t, args...); !harmless(msg) || !harmless(out) {
				t.Errorf("%s: fsa %.20q says %.300q%.300q", what, args, msg, out)
			}
		}
	}
}

// failing is an output that is full.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// A failure to print is reported.
func TestFullOutput(t *testing.T) {
	dir := t.TempDir()
	table, out := filepath.Join(dir, "t.csv"), filepath.Join(dir, "run")
	must(t, "generate", "ar1", "--n", "50", "--m", "4", "--k", "2", "--out", table)
	must(t, "fit", table, "-k", "2", "--out", out)
	for _, args := range [][]string{
		{"--help"}, {"help", "fit"}, {}, {"--version"}, {"man"}, {"completion", "bash"}, {"show", out}, {"show", out, "--json"},
		{"predict", out, table}, {"predict", out, table, "--json"}, {"fit", table, "-k", "2"}, {"fit", table, "-k", "2", "--plan"}, {"paper", "list"},
	} {
		var msg bytes.Buffer
		if code := run(context.Background(), args, failing{syscall.ENOSPC}, &msg); code != exitResources || !strings.Contains(msg.String(), "no space left") {
			t.Errorf("fsa %s >/dev/full: exit code %d, %s", args, code, msg.String())
		}
		msg.Reset()
		if code := run(context.Background(), args, failing{syscall.EPIPE}, &msg); code != exitDone || strings.Contains(msg.String(), "pipe") {
			t.Errorf("fsa %s | true: exit code %d, %s", args, code, msg.String())
		}
	}
}

// A fit continues when its messages are no longer read.
func TestReaderOfMessagesGone(t *testing.T) {
	need.System(t, runtime.GOOS != "windows", "signals for pipes that nobody reads")
	dir := t.TempDir()
	table := filepath.Join(dir, "t.csv")
	must(t, "generate", "ar1", "--n", "50", "--m", "4", "--k", "2", "--out", table)
	for _, args := range [][]string{
		{"fit", table, "-k", "2", "--out", filepath.Join(dir, "run"), "--explain"}, {"convert", table, filepath.Join(dir, "t.fsa")},
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		var stdout bytes.Buffer
		cmd := exec.Command(os.Args[0], args...)
		cmd.Stdout, cmd.Stderr = &stdout, w
		if err := cmd.Run(); err != nil {
			t.Errorf("fsa %s: %v", args[0], err)
		}
		w.Close()
	}
	for _, name := range []string{"run/model.json", "t.fsa"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}

	// A reader that ends early does not end a fit either.
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	cmd := exec.Command(os.Args[0], "fit", table, "-k", "2", "--out", filepath.Join(dir, "other"))
	cmd.Stdout, cmd.Stderr = w, io.Discard
	if err := cmd.Run(); err != nil {
		t.Errorf("nobody reads the model: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "other", "model.json")); errors.Is(err, os.ErrNotExist) {
		t.Error("the model is not there")
	}
}
