package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsa/internal/need"
	"fsa/study/paper"
)

// papers runs only the paper command.
func papers(t *testing.T, ctx context.Context, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, log bytes.Buffer
	cmd := paperCommand()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(args)
	cmd.SetOut(&out)
	cmd.SetErr(&log)
	err = cmd.ExecuteContext(ctx)
	return out.String(), log.String(), err
}

func TestPaperList(t *testing.T) {
	out, _, err := papers(t, t.Context(), "list")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range paper.Experiments() {
		if !strings.Contains(out, e.Name+" ") || !strings.Contains(out, e.About) {
			t.Errorf("%s is not listed:\n%s", e.Name, out)
		}
	}
	out, _, err = papers(t, t.Context(), "list", "--json")
	got := parse[struct{ Experiments []string }](t, out)
	if err != nil || len(got.Experiments) != len(paper.Experiments()) {
		t.Errorf("%v, %v", got, err)
	}
}

// The form of the whole object is tested in package paper.
func TestPaperRun(t *testing.T) {
	need.Long(t)
	folder := filepath.Join(t.TempDir(), "results")
	text, log, err := papers(t, t.Context(), "cost", "--out", folder)
	if err != nil || !strings.Contains(text, "| μ = 300 | 4.5 (5.0) |") || !strings.Contains(log, "cost.csv") {
		t.Errorf("%v\n%s\n%s", err, text, log)
	}
	out, _, err := papers(t, t.Context(), "stability", "--runs", "1", "--max-n", "60", "--seed-from", "3", "--threads", "1", "--out", folder, "--json")
	if err != nil {
		t.Fatal(err)
	}
	got := parse[paper.Result](t, out)
	if got.Name != "stability" || len(got.Rows) == 0 || got.Rows[0].Ours == nil || *got.Rows[0].N != 60 || got.Rows[0].Runs != 1 {
		t.Errorf("%+v", got)
	}
	for _, path := range got.Files {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// After Ctrl-C, a second call continues from the journal.
func TestPaperInterrupted(t *testing.T) {
	need.Long(t)
	folder := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	_, log, err := papers(t, ctx, "stability", "--runs", "1", "--max-n", "60", "--out", folder)
	if err == nil || !strings.Contains(log, "continues from there") {
		t.Errorf("%v\n%s", err, log)
	}
	if _, _, err := papers(t, t.Context(), "stability", "--runs", "1", "--max-n", "60", "--out", folder); err != nil {
		t.Error(err)
	}
}

func TestPaperUsage(t *testing.T) {
	for _, args := range [][]string{
		{}, {"no-such-table"}, {"cost", "losses"}, {"cost", "--runs", "-1"}, {"cost", "--memory", "lots"}, {"cost", "--out", ""},
	} {
		if _, _, err := papers(t, t.Context(), args...); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
	help, _, err := papers(t, t.Context(), "--help")
	if err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"--runs", "--out", "--data", "--json", "--threads", "--max-n", "--memory", "--seed-from"} {
		if !strings.Contains(help, flag) {
			t.Errorf("%s is not in the help", flag)
		}
	}
}
