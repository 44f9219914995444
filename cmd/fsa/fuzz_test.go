package main

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
)

// FuzzGroups reads a file of groups: the result has lines of names, or an error.
func FuzzGroups(f *testing.F) {
	for _, text := range []string{"a,b\nc\n", "\ufeffa, b\n", "\"a,b\",c\n\n", "a\x00b", "\"a", "", "\n", ",\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		groups, err := parseGroups(bytes.NewReader(text), "groups.txt")
		if err == nil && len(groups) == 0 {
			t.Error("no group, and no error")
		}
		for _, g := range groups {
			if len(g) == 0 {
				t.Error("a group without a variable")
			}
		}
	})
}

// FuzzCommandLine parses command lines, one argument per line. Nothing is done, because the user
// has already interrupted it. Whatever was typed, the program ends with a documented code, and
// nothing that was typed reaches the terminal as a control sequence.
func FuzzCommandLine(f *testing.F) {
	for _, line := range []string{
		"fit x.csv --target y -k 3", "fit x.csv -k 1:5 --choose min", "fit -k", "predict", "show --json nothing", "cv x.csv --method l1,rfe -k 2",
		"generate ar1 --n 10 --m -1", "fit x --loss no --bins x", "describe x.csv --target", "report a b c", "plot a --what cv", "fit --threshold cost=1:x x",
		"fit x --memory 1YB", "--help", "fit --help", "\x1b[31m", "fit \x1b]0;t\x07", "fit x --folds 999999999999999999999", "bench --only", "paper \u202e",
	} {
		f.Add(strings.ReplaceAll(line, " ", "\n"))
	}
	interrupted, cancel := context.WithCancel(context.Background())
	cancel()
	codes := []int{exitDone, exitUsage, exitBadData, exitFailed, exitResources, exitInterrupted}
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Split(line, "\n")
		if slices.ContainsFunc(args, func(a string) bool { return a == "-" || strings.ContainsAny(a, `/\`) }) {
			return // no other files are touched, and the keyboard is not read
		}
		t.Chdir(t.TempDir())
		var stdout, stderr bytes.Buffer
		if code := within(interrupted, args, &stdout, &stderr); !slices.Contains(codes, code) {
			t.Errorf("exit code %d", code)
		}
		for _, c := range stderr.Bytes() {
			if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
				t.Errorf("a control character in %q", stderr.String())
				break
			}
		}
	})
}
