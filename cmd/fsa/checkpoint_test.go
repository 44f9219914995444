package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fsa/internal/checkpoint"
	"fsa/internal/manifest"
	"fsa/internal/need"
	"fsa/report"
)

// ending is a context that ends after it was asked a number of times whether it has.
type ending struct {
	context.Context
	left atomic.Int64
	done chan struct{}
}

func endAfter(n int64) *ending {
	e := &ending{Context: context.Background(), done: make(chan struct{})}
	e.left.Store(n)
	return e
}

func (e *ending) Err() error {
	switch left := e.left.Add(-1); {
	case left == 0:
		close(e.done)
		fallthrough
	case left < 0:
		return context.Canceled
	}
	return nil
}

func (e *ending) Done() <-chan struct{} { return e.done }

// A fit that is interrupted repeatedly and resumed gives the same model to the last byte, for every
// format, loss and number of threads.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	table := func(name string, args ...string) string {
		path := filepath.Join(dir, name)
		must(t, append(append([]string{"generate", "ar1", "--k", "3", "--out", path}, args...), "--seed", "4")...)
		return path
	}
	dense := table("x.npy", "--n", "400", "--m", "300")
	csv := table("x.csv", "--n", "200", "--m", "50", "--task", "regression")
	sparse := filepath.Join(dir, "x.svm")
	must(t, "generate", "zipf", "--n", "400", "--m", "2000", "--k", "5", "--out", sparse)
	stored := filepath.Join(dir, "x.fsa")
	must(t, "convert", dense, stored)
	for name, args := range map[string][]string{
		"dense":  {dense, "-k", "3"},
		"size":   {csv, "--folds", "4"},
		"bins":   {csv, "-k", "3", "--bins", "4", "--epochs", "60"},
		"sparse": {sparse, "-k", "5"},
		"paged":  {stored, "-k", "3", "--memory", "140MiB"},
		"polish": {dense, "-k", "3", "--polish", "--quick"},
		"batch":  {dense, "-k", "3", "--batch", "50", "--epochs", "40"},
		"grid":   {dense, "-k", "3", "--quick", "--grid", "auto"},
		"nested": {csv, "-k", "2:4", "--folds", "3", "--nested"},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "dense" && name != "paged" {
				need.Long(t)
			}
			base, out := filepath.Join(t.TempDir(), "base"), filepath.Join(t.TempDir(), "run")
			args = append([]string{"fit"}, args...)
			must(t, append(args, "--out", base)...)
			args = append(args, "--out", out, "--resume")
			var code int
			for n, threads := int64(200), 1; ; n, threads = 3*n, 3-threads {
				var stdout, stderr bytes.Buffer
				code = within(endAfter(n), append(args, "--threads", []string{"", "1", "2"}[threads]), &stdout, &stderr)
				if code == exitDone {
					break
				}
				if code != exitInterrupted || stdout.Len() > 0 {
					t.Fatalf("exit code %d: %s", code, stderr.String())
				}
			}
			if !bytes.Equal(read(t, filepath.Join(base, modelName)), read(t, filepath.Join(out, modelName))) {
				t.Error("the model is another")
			}
			was, is := snapshot(t, base), snapshot(t, out)
			for _, of := range []map[string]string{was, is} { // what was typed, and when
				for _, name := range []string{"/" + report.RunName, "/" + eventsName, "/" + manifest.Name} {
					delete(of, name)
				}
			}
			if d := differ(was, is); d != "" {
				t.Error(d)
			}
			if a, b := bytes.Count(read(t, filepath.Join(base, eventsName)), []byte("\n")), bytes.Count(read(t, filepath.Join(out, eventsName)), []byte("\n")); a != b {
				t.Errorf("%d events instead of %d", b, a)
			}
			for _, left := range []string{checkpointName, ".fsa-*.tmp"} {
				if list, err := filepath.Glob(filepath.Join(out, left)); err != nil || len(list) > 0 {
					t.Errorf("%v is left", list)
				}
			}
		})
	}
}

// The record is written when a fit is interrupted, even if it waits for other processes and does
// not notice.
func TestKeeperInterrupted(t *testing.T) {
	folder, err := newRunFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Abort()
	ctx, interrupt := context.WithCancel(t.Context())
	k, err := new(saving).newKeeper(ctx, folder, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	k.record.Put("task", &checkpoint.Task{Done: true}, time.Now())
	interrupt()
	k.begin(ctx, time.Hour)
	for { // the test ends in any case
		if _, err := os.Stat(k.path); err == nil {
			break
		}
		runtime.Gosched()
	}
	k.stop()
	if r, err := checkpoint.Read(bytes.NewReader(read(t, k.path))); err != nil || r.Task("task") == nil {
		t.Errorf("%v, %v", r, err)
	}
}

// A checkpoint of another fit is refused, and the message says what differs.
func TestResumeOther(t *testing.T) {
	dir := t.TempDir()
	x, out := filepath.Join(dir, "x.npy"), filepath.Join(dir, "run")
	generate := func(seed string) {
		must(t, "generate", "ar1", "--n", "300", "--m", "100", "--k", "3", "--seed", seed, "--out", x)
	}
	generate("1")
	fit := []string{"fit", x, "-k", "3", "--out", out}
	var stderr bytes.Buffer
	if code := within(endAfter(2000), fit, &stderr, &stderr); code != exitInterrupted || !strings.Contains(stderr.String(), "--resume") {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	path := filepath.Join(out, checkpointName)
	kept := read(t, path)
	resume := append(fit, "--resume")
	refused(t, append(resume, "--loss", "svm"), exitUsage, "another fit", "--loss", "svm")
	refused(t, append(resume, "-k", "4"), exitUsage, "--variables was 3 and is 4")
	refused(t, append(resume, "--quick", "--grid", "auto"), exitUsage, "--grid was not given and is given")
	generate("2")
	refused(t, resume, exitUsage, "another fit", "data was")
	generate("1")
	for what, content := range map[string][]byte{
		"cut": kept[:len(kept)-9], "edited": bytes.Replace(kept, []byte("fold"), []byte("told"), 1), "empty": {}, "another kind": []byte(`{"format":"fsa-model"}`),
	} {
		write(t, path, content)
		t.Log(what)
		refused(t, resume, exitBadData, path, "--resume")
	}
	write(t, path, kept)
	must(t, append(resume, "--threads", "1")...)
	if _, err := os.Stat(path); err == nil {
		t.Error("the checkpoint of a finished fit is there")
	}
	refused(t, []string{"fit", x, "-k", "3", "--resume"}, exitUsage, "--out")
	refused(t, []string{"fit", x, "-k", "3", "--max-time", "0s"}, exitUsage, "--max-time")
	refused(t, append(fit, "--checkpoint-every", "-1s"), exitUsage, "--checkpoint-every")
}

// A checkpoint belongs to the contents of the files that flags name, too.
func TestResumeOtherFiles(t *testing.T) {
	dir := t.TempDir()
	x, beside := filepath.Join(dir, "x.csv"), filepath.Join(dir, "beside.csv")
	must(t, "generate", "ar1", "--n", "300", "--m", "60", "--k", "3", "--out", x)
	var halves, rows strings.Builder
	for i := range 300 {
		fmt.Fprintln(&halves, i/100)
		fmt.Fprintln(&rows, i%3)
	}
	for i, c := range []struct{ flags, first, then string }{
		{"--costs FILE --budget 3,5", "all,1\n", "x1,3\nall,1\n"},
		{"-k 3 --fold-ids FILE", halves.String(), rows.String()},
		{"-k 3 --fold-by FILE --folds 3", halves.String(), rows.String()},
	} {
		fit := append([]string{"fit", x, "--out", filepath.Join(dir, fmt.Sprint("run", i))}, strings.Fields(strings.Replace(c.flags, "FILE", beside, 1))...)
		write(t, beside, []byte(c.first))
		var said bytes.Buffer
		if code := within(endAfter(1500), fit, &said, &said); code != exitInterrupted || !strings.Contains(said.String(), continues) {
			t.Fatalf("%s: exit code %d: %s", c.flags, code, said.String())
		}
		write(t, beside, []byte(c.then))
		refused(t, append(fit, "--resume"), exitUsage, "another fit", "data was")
	}
}

// When the time is up, there is a model of the remaining variables and a checkpoint, from which the
// fit can continue to the model without a time limit.
func TestMaxTime(t *testing.T) {
	dir := t.TempDir()
	x, base, out := filepath.Join(dir, "x.npy"), filepath.Join(dir, "base"), filepath.Join(dir, "run")
	columns := "1000"
	if testing.Short() {
		columns = "500"
	}
	must(t, "generate", "ar1", "--n", "600", "--m", columns, "--k", "3", "--out", x)
	must(t, "fit", x, "-k", "3", "--out", base)
	refused(t, []string{"fit", x, "-k", "3", "--out", out, "--max-time", "1ns"}, exitResources, "the time is up")
	// On a grid, the time is checked after every epoch.
	refused(t, []string{"fit", x, "--folds", "3", "--grid", "auto", "--out", filepath.Join(dir, "open"), "--max-time", "1ns"}, exitResources, "the time is up")
	if _, _, msg := call(t, "fit", x, "-k", "3", "--quick", "--grid", "auto", "--out", filepath.Join(dir, "grid"), "--max-time", "1ns"); !strings.Contains(msg, "the time limit was reached") {
		t.Errorf("on a grid: %s", msg)
	}
	early := false
	limits := []string{"20ms", "40ms", "80ms", "160ms", "320ms", "640ms", "1h"}
	if testing.Short() {
		limits = []string{"40ms", "1h"}
	}
	for _, most := range limits {
		code, _, msg := call(t, "fit", x, "-k", "3", "--out", out, "--resume", "--max-time", most)
		switch {
		case code == exitResources && strings.Contains(msg, "the time is up"):
		case code == exitDone && strings.Contains(msg, "the time limit was reached"):
			early = true
			if model := must(t, "show", out, "--json"); strings.Count(model, `"importance"`) != 3 {
				t.Errorf("the model is %s", model)
			}
		case code != exitDone:
			t.Fatalf("exit code %d: %s", code, msg)
		}
	}
	if !early {
		t.Log("no fit was cut short: this machine is too slow or too fast")
	}
	if !bytes.Equal(read(t, filepath.Join(base, modelName)), read(t, filepath.Join(out, modelName))) {
		t.Error("the model is another")
	}
}

// The same holds for training on sequences, which spends most of its time before any fit.
func TestResumeMotion(t *testing.T) {
	dir := t.TempDir()
	foreign(t, dir)
	base, out := filepath.Join(dir, "base"), filepath.Join(dir, "run")
	args := []string{"motion", "train", filepath.Join(dir, "motion"), "--pool", "wide", "--out", base}
	must(t, args...)
	args[6] = out
	args = append(args, "--resume")
	noted, factor := 0, 1.5
	if testing.Short() {
		factor = 3
	}
	for n := int64(20); ; n = int64(factor*float64(n)) + 1 {
		var stdout, stderr bytes.Buffer
		code := within(endAfter(n), args, &stdout, &stderr)
		if code == exitDone {
			break
		}
		if code != exitInterrupted || stdout.Len() > 0 {
			t.Fatalf("exit code %d: %s", code, stderr.String())
		}
		if strings.Contains(stderr.String(), "--resume continues from") {
			noted++
		}
	}
	if noted == 0 {
		t.Error("it was never stopped behind the candidates of a sequence")
	}
	if !bytes.Equal(read(t, filepath.Join(base, modelName)), read(t, filepath.Join(out, modelName))) {
		t.Error("the model is another")
	}
	if _, err := os.Stat(filepath.Join(out, checkpointName)); err == nil {
		t.Error("the checkpoint is left")
	}
	for n := int64(20); ; n += 20 {
		var stderr bytes.Buffer
		if within(endAfter(n), args, io.Discard, &stderr); strings.Contains(stderr.String(), "--resume continues from") {
			break
		}
	}
	if code, _, msg := call(t, append(args, "--pool", "paper")...); code != exitUsage || !strings.Contains(msg, "--pool was wide and is paper") {
		t.Errorf("another pool: exit code %d, %s", code, msg)
	}
}
