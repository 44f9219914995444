package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestStorage(t *testing.T) {
	dir := t.TempDir()
	train, out := filepath.Join(dir, "train.npy"), filepath.Join(dir, "run")
	must(t, "generate", "ar1", "--n", "300", "--m", "50", "--k", "3", "--seed", "1", "--out", train)
	for _, name := range []string{"float32", "bfloat16", "int8"} {
		got := parse[struct{ Storage string }](t, must(t, "fit", train, "-k", "3", "--storage", name, "--out", out, "--json"))
		if got.Storage != name {
			t.Errorf("--storage %s: the output says %q", name, got.Storage)
		}
		if told := strings.Contains(must(t, "show", out), ", in "+name); told == (name == "float32") {
			t.Errorf("--storage %s: show tells of it: %v", name, told)
		}
	}

	listed := file(t, "listed.svm", "1 1:1 2:2\n0 9:1\n1 5:3\n0 7:1\n")
	for _, args := range [][]string{
		{"fit", train, "-k", "3", "--storage", "float16"},
		{"fit", train, "-k", "3", "--storage", "int8", "--bins", "4"},
		{"fit", listed, "-k", "1", "--storage", "int8"},
	} {
		if code, _, stderr := call(t, args...); code != exitUsage || !strings.Contains(stderr, "storage") {
			t.Errorf("fsa %s: exit code %d\n%s", strings.Join(args, " "), code, stderr)
		}
	}
}
