package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBadData expects exit code 3 for bad data, and a message that says where and what is wrong.
func TestBadData(t *testing.T) {
	const good = "a,b,y\n1,2,0\n2,3,1\n3,1,0\n4,4,1\n"
	for name, c := range map[string]struct {
		file, content string
		args          []string
		says          []string // fragments of the message
	}{
		"one row":              {"t.csv", "a,b,y\n1,2,3\n", nil, []string{"t.csv", "one row"}},
		"one class":            {"t.csv", "a,b,y\n1,2,1\n2,3,1\n3,3,1\n", []string{"--loss", "logistic"}, []string{"t.csv", "class"}},
		"empty file":           {"t.csv", "", nil, []string{"t.csv", "empty"}},
		"header only":          {"t.csv", "a,b,y\n", nil, []string{"t.csv"}},
		"ragged rows":          {"t.csv", "a,b,y\n1,2,0\n1,1\n", nil, []string{"t.csv:3", "3", "2"}},
		"text for a number":    {"t.csv", "a,b,y\n1,2,0\n2,oops,1\n3,4,0\n", nil, []string{"t.csv:3", "column b", "oops"}},
		"NaN in y":             {"t.csv", "a,b,y\n1,2,0\n2,3,NaN\n3,4,1\n", nil, []string{"t.csv:3", "column y", "missing"}},
		"infinity in y":        {"t.csv", "a,b,y\n1,2,0\n2,3,inf\n3,4,1\n", nil, []string{"t.csv:3", "column y"}},
		"infinity in X":        {"t.csv", "a,b,y\n1,2,0\n2,-Inf,0\n3,4,1\n", nil, []string{"t.csv:3", "column b"}},
		"infinite weight":      {"t.csv", "a,w,y\n1,2,0\n2,inf,1\n3,1,1\n", []string{"--weights", "w"}, []string{"t.csv:3", "column w"}},
		"constant target":      {"t.csv", "a,b,y\n1,2,3\n2,3,3\n3,4,3\n", nil, []string{"t.csv", "the target is 3 in all rows"}},
		"negative weight":      {"t.csv", "a,w,y\n1,2,0\n2,-3,1\n3,1,1\n", []string{"--weights", "w"}, []string{"t.csv:3", "column w", "negative"}},
		"NaN in weights":       {"t.csv", "a,w,y\n1,2,0\n2,nan,1\n3,1,1\n", []string{"--weights", "w"}, []string{"t.csv:3", "column w"}},
		"duplicate names":      {"t.csv", "a,a,y\n1,2,0\n2,3,1\n", nil, []string{"t.csv", "a"}},
		"unknown target":       {"t.csv", good, []string{"--target", "z"}, []string{`no column "z"`, `the columns are "a", "b", "y"`}},
		"target twice as long": {"t.csv", good, []string{"--target", "LONG"}, []string{"8", "4 rows"}},
		"svmlight index 0":     {"t.svm", "1 1:2\n0 0:3 2:1\n", nil, []string{"t.svm:2", "give --index-base 0"}},
		"index base of a csv":  {"t.csv", good, []string{"--index-base", "0"}, []string{"t.csv", "svmlight files only"}},
		"svmlight order":       {"t.svm", "1 1:2\n0 3:3 2:1\n", nil, []string{"t.svm:2"}},
		"svmlight index 2^31":  {"t.svm", "1 1:2\n0 2147483649:3\n", nil, []string{"t.svm:2"}},
		"svmlight infinity":    {"t.svm", "1 1:2\n0 1:inf\n", nil, []string{"t.svm:2"}},
		"queries of one":       {"t.svm", "1 qid:1 1:2\n0 qid:2 1:3\n1 qid:3 1:1\n", nil, []string{"t.svm", "all rows of each query"}},
		"query again":          {"t.svm", "1 qid:1 1:2\n0 qid:1 1:3\n1 qid:2 1:1\n0 qid:2 1:2\n1 qid:1 1:1\n", nil, []string{"query 1", "row 5", "it began in row 1"}},
		"text target numbers":  {"t.csv", "a,y\n1,red\n2,blue\n3,red\n", []string{"--loss", "squared"}, []string{"text"}},
		"three classes":        {"t.csv", "a,y\n1,0\n2,1\n3,2\n", []string{"--loss", "svm"}, []string{"3 different"}},
		"nothing varies":       {"t.csv", "a,y\n1,0\n1,1\n1,0\n", nil, []string{"varies"}},
		"text after blanks":    {"t.csv", "a,b,y\n1,2,0\n\n\n2,3,\n3,4,1\n", nil, []string{"t.csv:5", "column y"}},
		"not a table":          {"t.bin", "\x00\x01\x02\x03\xff\xfe", nil, []string{"t.bin"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t, c.file, c.content)
			long := filepath.Join(filepath.Dir(path), "LONG")
			if err := os.WriteFile(long, []byte(strings.Repeat("1\n0\n", 4)), 0o644); err != nil {
				t.Fatal(err)
			}
			args := append([]string{"fit", path, "-k", "1"}, c.args...)
			for i := range args {
				if args[i] == "LONG" {
					args[i] = long
				}
			}
			refused(t, args, exitBadData, c.says...)
		})
	}
}

// refused expects a call to fail with a code and a message, printing nothing
// on standard output.
func refused(t *testing.T, args []string, code int, says ...string) {
	t.Helper()
	got, out, msg := call(t, args...)
	if got != code || out != "" {
		t.Errorf("exit code %d, stdout %q, stderr %q", got, out, msg)
	}
	for _, want := range says {
		if !strings.Contains(msg, want) {
			t.Errorf("the message %q does not say %q", msg, want)
		}
	}
}

// Truncated files are refused.
func TestTruncated(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"x.npy", "x.parquet", "x.csv.gz", "x.svm.gz", "x.csv.zst"} {
		path := filepath.Join(dir, name)
		must(t, "generate", "ar1", "--n", "200", "--m", "30", "--k", "2", "--out", path)
		whole := read(t, path)
		if err := os.WriteFile(path, whole[:len(whole)*2/3], 0o644); err != nil {
			t.Fatal(err)
		}
		refused(t, []string{"fit", path, "-k", "2"}, exitBadData, name)
	}
	npz := filepath.Join(dir, "x.npz")
	if err := os.WriteFile(npz, []byte("PK\x03\x04 and not much more"), 0o644); err != nil {
		t.Fatal(err)
	}
	refused(t, []string{"fit", npz, "-k", "2"}, exitBadData, "x.npz")
}

// An array whose header claims more than its file contains is refused before anything is allocated
// for it.
func TestBoastfulArray(t *testing.T) {
	head := "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000, 1000000), }"
	head += strings.Repeat(" ", 117-len(head)) + "\n"
	var b bytes.Buffer
	b.WriteString("\x93NUMPY\x01\x00")
	binary.Write(&b, binary.LittleEndian, uint16(len(head)))
	b.WriteString(head)
	path := file(t, "x.npy", b.String())
	refused(t, []string{"fit", path, "--target", "0", "-k", "2"}, exitBadData, "x.npy")
}

func TestBadModels(t *testing.T) {
	dir := t.TempDir()
	table, out := filepath.Join(dir, "t.csv"), filepath.Join(dir, "run")
	must(t, "generate", "ar1", "--n", "100", "--m", "20", "--k", "2", "--out", table)
	must(t, "fit", table, "-k", "2", "--out", out)
	path := filepath.Join(out, "model.json")
	whole := string(read(t, path))
	for name, text := range map[string]string{
		"cut":    whole[:len(whole)/2],
		"edited": strings.Replace(whole, `"importance":`, `"importance":9`, 1),
		"newer":  strings.Replace(whole, `"version":`, `"version":9`, 1),
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			refused(t, []string{"predict", out, table}, exitBadData, "model.json: not a usable model: it")
			refused(t, []string{"show", out}, exitBadData, "model.json: not a usable model: it")
		})
	}
	if err := os.WriteFile(path, []byte(whole), 0o644); err != nil {
		t.Fatal(err)
	}
	other := file(t, "other.csv", "a,b\n1,2\n")
	refused(t, []string{"predict", out, other}, exitBadData, "other.csv", "lacks", "x9")
}

func TestUnwritableFolder(t *testing.T) {
	table := file(t, "t.csv", "a,b,y\n1,2,0\n2,3,1\n3,1,0\n")
	// A folder cannot be created at the path of a file, even by root.
	refused(t, []string{"fit", table, "-k", "1", "--out", table}, exitFailed, "folder")
	refused(t, []string{"fit", filepath.Join(t.TempDir(), "none.csv"), "-k", "1"}, exitFailed, "none.csv")
	refused(t, []string{"fit", t.TempDir(), "-k", "1"}, exitBadData, "no file in this folder")
}

// Doubly compressed and empty files are not tables either.
func TestEmptyGzip(t *testing.T) {
	var b bytes.Buffer
	gzip.NewWriter(&b).Close()
	refused(t, []string{"fit", file(t, "t.csv.gz", b.String()), "-k", "1"}, exitBadData, "t.csv.gz", "empty")
}

// These are not errors.
func TestAwkwardTables(t *testing.T) {
	for name, content := range map[string]string{
		"extreme":   "a,b,c,y\n1e300,1,5,0\n-1e300,2,5,1\n2e300,1,5,0\n1e299,1e-300,5,1\n",
		"duplicate": "a,b,y\n1,1,0\n2,2,1\n3,3,0\n4,4,1\n",
		"separable": "a,b,y\n-1,1,0\n-2,2,0\n3,3,1\n4,1,1\n",
		"missing":   "a,b,y\n,1,0\nNA,2,0\n3,,1\n4,1,1\n",
		"text":      "a,b,y\nred,1,0\nblue,2,0\nred,,1\n,1,1\n",
		"quoted":    "\"a, b\",\"c \"\"d\"\"\",y\n1,2,0\n2,1,1\n3,3,1\n",
		"semicolon": "a;b;y\n1;2;0\n2;1;1\n3;3;1\n",
		"crlf":      "a,b,y\r\n1,2,0\r\n2,1,1\r\n3,3,1\r\n",
	} {
		path := file(t, "t.csv", content)
		for _, bins := range []string{"0", "2"} {
			if code, _, msg := call(t, "fit", path, "-k", "2", "--bins", bins); code != exitDone {
				t.Errorf("%s with %s bins: exit code %d: %s", name, bins, code, msg)
			}
		}
	}
}
