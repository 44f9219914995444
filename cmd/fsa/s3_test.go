package main

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/internal/format/s3/s3test"
)

// A table in a store is read like one of files, in any format, by one process and by those of a
// grid.
func TestObjectStore(t *testing.T) {
	store := s3test.Start(t, "bucket")
	dir := t.TempDir()
	for _, name := range []string{"x.csv", "x.npy", "x.fsa", "x.svm"} {
		path := filepath.Join(dir, name)
		must(t, "generate", "ar1", "--n", "200", "--m", "20", "--k", "2", "--out", path)
		store.Put("bucket", name, read(t, path))
	}
	store.Put("bucket", "x.y.npy", read(t, filepath.Join(dir, "x.y.npy")))
	pattern := gridTable(t)
	for _, name := range []string{"part-0.parquet", "part-1.parquet"} {
		store.Put("bucket", "data/"+name, read(t, filepath.Join(filepath.Dir(pattern), name)))
	}
	fit := func(t *testing.T, args ...string) []byte {
		t.Helper()
		out := filepath.Join(t.TempDir(), "run")
		must(t, append([]string{"fit", "--quick", "--out", out}, args...)...)
		return read(t, filepath.Join(out, modelName))
	}
	for name, c := range map[string]struct {
		file, object string
		args         []string
	}{
		"csv":      {filepath.Join(dir, "x.csv"), "x.csv", []string{"-k", "2"}},
		"paged":    {filepath.Join(dir, "x.csv"), "x.csv", []string{"-k", "2", "--memory", "130MiB"}},
		"npy":      {filepath.Join(dir, "x.npy"), "x.npy", []string{"-k", "2"}},
		"fsa":      {filepath.Join(dir, "x.fsa"), "x.fsa", []string{"-k", "2"}},
		"svmlight": {filepath.Join(dir, "x.svm"), "x.svm", []string{"-k", "2"}},
		"parquet":  {pattern, "data/*.parquet", gridFit},
		"grid":     {pattern, "data/*.parquet", append([]string{"--grid", "auto"}, gridFit...)},
	} {
		t.Run(name, func(t *testing.T) {
			here := fit(t, append([]string{c.file}, c.args...)...)
			there := fit(t, append([]string{"s3://bucket/" + c.object}, c.args...)...)
			if !bytes.Equal(here, there) {
				t.Error("another model")
			}
		})
	}
	for _, l := range launchers {
		t.Run(l, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "run")
			said, err := mpirun(t, l, 4, slices.Concat([]string{"fit", "s3://bucket/data/*.parquet", "--grid", "2x2", "--out", out}, gridFit)...)
			if err != nil {
				t.Fatalf("%v\n%s", err, said)
			}
			if !bytes.Equal(read(t, filepath.Join(out, modelName)), fit(t, append([]string{pattern, "--grid", "auto"}, gridFit...)...)) {
				t.Error("another model")
			}
		})
	}
	for _, c := range [][]string{
		{"fit", "s3://bucket/none.csv", "-k", "2", "--quick"},
		{"fit", "s3://bucket/none-*.csv", "-k", "2", "--quick"},
		{"describe", "s3://bucket/none.csv"},
	} {
		if code, _, said := call(t, c...); code != exitBadData && code != exitFailed || !strings.Contains(said, c[1]) {
			t.Errorf("%v: exit code %d: %s", c, code, said)
		}
	}
	refused(t, []string{"fit", filepath.Join(dir, "x.csv"), "-k", "2", "--out", "s3://bucket/run"}, exitUsage, "s3://bucket/run")
}
