package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsa/data/open"
	"fsa/internal/need"
)

// runMotion runs only the motion command.
func runMotion(args ...string) (stdout, stderr string, err error) {
	var out, errs bytes.Buffer
	cmd := motionCommand()
	cmd.SetArgs(args)
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err = cmd.ExecuteContext(context.Background())
	return out.String(), errs.String(), err
}

// someSequences makes a folder of a few small sequences of the benchmark.
func someSequences(t *testing.T) string {
	t.Helper()
	hopkins, dir := need.Data(t, "hopkins155"), t.TempDir()
	for _, name := range []string{"arm", "cars1", "kanatani1", "kanatani2", "kanatani3", "two_cranes_g13", "cars2B_g12", "cars9_g12"} {
		b, err := os.ReadFile(filepath.Join(hopkins, name+"_truth.mat"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+"_truth.mat"), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestMotionTrainAndSegment(t *testing.T) {
	need.Long(t)
	dir := someSequences(t)
	run := filepath.Join(t.TempDir(), "run")
	if _, _, err := runMotion("train", dir, "--pool", "paper", "--out", run); err != nil {
		t.Fatal(err)
	}
	svg := filepath.Join(t.TempDir(), "arm.svg")
	out, _, err := runMotion("segment", filepath.Join(dir, "arm_truth.mat"), "--model", run, "--svg", svg, "--json")
	if err != nil {
		t.Fatal(err)
	}
	var got segmented
	if err := json.Unmarshal([]byte(out), &got); err != nil || got.Points != 77 || len(got.Labels) != 77 || got.Motions != 2 || got.Error == nil {
		t.Errorf("%v in %s", err, out)
	}
	if b, err := os.ReadFile(svg); err != nil || !strings.Contains(string(b), "<svg") {
		t.Errorf("the picture: %v", err)
	}
	out, notes, err := runMotion("segment", filepath.Join(dir, "arm_truth.mat"), "--model", run)
	if err != nil || strings.Count(out, "\n") != 78 || !strings.HasPrefix(out, "point,motion\n1,") || !strings.Contains(notes, "77 points") {
		t.Errorf("%v: %s %s", err, out, notes)
	}
	packed := filepath.Join(t.TempDir(), "arm.csv.gz")
	if _, _, err := runMotion("segment", filepath.Join(dir, "arm_truth.mat"), "--model", run, "--out", packed); err != nil || len(lines(t, packed)) != 78 || read(t, packed)[0] != 0x1f {
		t.Errorf("the compressed motions: %v", err)
	}
	if _, _, err := runMotion("segment", filepath.Join(dir, "arm_truth.mat"), "--model", run, "--out", "arm.npy"); !errors.Is(err, open.ErrUsage) {
		t.Errorf("motions as an array: %v", err)
	}
	if _, _, err := runMotion("segment", filepath.Join(dir, "absent.mat"), "--model", run); err == nil {
		t.Error("a file that is not there was segmented")
	}
}

func TestMotionEvaluate(t *testing.T) {
	need.Long(t)
	dir, svg := someSequences(t), t.TempDir()
	out, _, err := runMotion("evaluate", dir, "--pool", "paper", "--folds", "2", "--json", "--svg", svg)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Error map[string]map[string]float64 `json:"error_percent"`
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"fsa_rank", "rankboost", "vc", "oracle"} {
		if _, ok := got.Error[method]["two"]; !ok {
			t.Errorf("there is no error of %s for two motions in %s", method, out)
		}
	}
	if got.Error["oracle"]["all"] > got.Error["fsa_rank"]["all"] {
		t.Errorf("a pick is better than the best: %v", got.Error)
	}
	if _, err := os.Stat(filepath.Join(svg, "cumulative-two.svg")); err != nil {
		t.Error(err)
	}
}

func TestMotionUsage(t *testing.T) {
	for _, args := range [][]string{
		{"train", "dir"},
		{"train", "dir", "--out", "run", "--pool", "deep"},
		{"segment", "a.mat"},
		{"segment", "a.mat", "--model", "run", "--motions", "0"},
		{"evaluate", "dir", "--folds", "1"},
		{"evaluate", "dir", "--assignments", "0"},
	} {
		_, _, err := runMotion(args...)
		if code := exitCode(context.Background(), err, true); err == nil || code != exitUsage {
			t.Errorf("%q: %v, exit code %d", args, err, code)
		}
	}
}
