package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fsa/internal/need"
)

// convert runs the command and returns its output.
func convert(ctx context.Context, args ...string) (string, error) {
	var stderr bytes.Buffer
	cmd := convertCommand()
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	cmd.SetArgs(args)
	cmd.SetErr(&stderr)
	cmd.SetOut(&stderr)
	err := cmd.ExecuteContext(ctx)
	return stderr.String(), err
}

// same checks that two models are the same except for rounding.
func same(t *testing.T, what string, got, want fitted) {
	t.Helper()
	if len(got.Selected) != len(want.Selected) {
		t.Fatalf("%s: %d variables", what, len(got.Selected))
	}
	for i, v := range got.Selected {
		w := want.Selected[i]
		if v.Index != w.Index || v.Name != w.Name || math.Abs(v.Norm-w.Norm) > 1e-5*w.Norm {
			t.Errorf("%s: selected %+v, want %+v", what, v, w)
		}
	}
}

// A table gives the same model from every format, from the converted file, and from a temporary one
// if it does not fit into memory.
func TestConvert(t *testing.T) {
	need.Long(t)
	dir, temporary := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temporary)
	var want fitted
	for _, ext := range []string{"csv", "npy", "npy.gz", "parquet", "svm.zst", "fsa"} {
		table, stored := filepath.Join(dir, "x."+ext), filepath.Join(dir, strings.ReplaceAll(ext, ".", "_")+".fsa")
		must(t, "generate", "ar1", "--n", "600", "--m", "3000", "--k", "5", "--seed", "3", "--out", table)
		args := func(path string, more ...string) []string {
			all := append([]string{"fit", path, "-k", "5", "--epochs", "40", "--json"}, more...)
			if ext == "fsa" { // validated fits of one format are enough
				return append(all, "--folds", "3")
			}
			return append(all, "--quick")
		}
		fresh := ext == "csv" || ext == "svm.zst" || ext == "fsa" // sparse formats name and scale columns differently
		if fresh {
			want = parse[fitted](t, must(t, args(table)...))
		}
		said, err := convert(t.Context(), table, stored)
		if err != nil || !strings.Contains(said, "600 rows") {
			t.Fatalf("%s: %q, %v", ext, said, err)
		}
		if !fresh {
			same(t, ext+" in memory", parse[fitted](t, must(t, args(table)...)), want)
		}
		same(t, ext+" converted", parse[fitted](t, must(t, args(stored)...)), want)
		for _, path := range []string{table, stored} { // the numbers take 7 MiB
			same(t, path+" in little memory", parse[fitted](t, must(t, args(path, "--memory", "132MiB")...)), want)
		}
		if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
			t.Errorf("%v is left, %v", left, err)
		}
	}
}

// The format keeps names, texts, missing values, weights and labels, and a model of either form of
// the table predicts the other alike.
func TestConvertMixed(t *testing.T) {
	text := "id,colour,price,y\n"
	for i := range 300 {
		colour := []string{"red", "green", "", "blue"}[i%4]
		text += strings.Join([]string{strconv.Itoa(1000000000 + i*i%977), colour, strconv.Itoa(i*i%53) + ".25", strconv.Itoa(i % 4 / 3)}, ",") + "\n"
	}
	table := file(t, "x.csv", text)
	stored := filepath.Join(filepath.Dir(table), "x.fsa")
	if _, err := convert(t.Context(), table, stored, "--exact", "id"); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(filepath.Dir(table), "run")
	want := parse[fitted](t, must(t, "fit", table, "-k", "2", "--json"))
	same(t, "mixed", parse[fitted](t, must(t, "fit", stored, "-k", "2", "--json", "--out", out)), want)
	if a, b := must(t, "predict", out, table), must(t, "predict", out, stored); a != b {
		t.Errorf("predictions differ:\n%.200s\n%.200s", a, b)
	}
	_, said, _ := call(t, "fit", stored, "-k", "2", "--bins", "3", "--json")
	if strings.Contains(said, "memory") {
		t.Error(said)
	}
}

// A conversion that is stopped or fails leaves nothing behind, and reports the reason.
func TestConvertRefused(t *testing.T) {
	table := file(t, "x.csv", "a,y\n1,2\n3,4\n")
	dir := filepath.Dir(table)
	bad := filepath.Join(dir, "bad.csv")
	if err := os.WriteFile(bad, []byte("a,b\n1,2\n3,oops\n4,5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "x.fsa")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, c := range []struct {
		ctx  context.Context
		args []string
		want string
	}{
		{stopped, []string{table, out}, "canceled"},
		{t.Context(), []string{bad, out}, "bad.csv:3"},
		{t.Context(), []string{table, filepath.Join(dir, "x.zip")}, ".fsa"},
		{t.Context(), []string{table, out, "--exact", "z"}, `no column "z"`},
		{t.Context(), []string{table, out, "--memory", "much"}, "8GiB"},
		{t.Context(), []string{table, out, "--memory", "0.5"}, "8GiB"},
		{t.Context(), []string{table, out, "--header", "maybe"}, "auto, yes or no"},
		{t.Context(), []string{filepath.Join(dir, "absent.csv"), out}, "no such file"},
	} {
		if _, err := convert(c.ctx, c.args...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.args, err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if !slices.Equal(names, []string{"bad.csv", "x.csv"}) {
		t.Errorf("the folder holds %q", names)
	}
}

// A fit that cannot stay within --memory says so before it reads the table.
func TestPromise(t *testing.T) {
	table := filepath.Join(t.TempDir(), "x.fsa")
	must(t, "generate", "ar1", "--n", "4000", "--m", "2000", "--k", "5", "--out", table)
	refused(t, []string{"fit", table, "-k", "5", "--memory", "100MiB"}, exitResources, "at least 129", "allow more")
	refused(t, []string{"fit", table, "-k", "1500", "--memory", "140MiB"}, exitResources, "fewer than 1500 columns")
	refused(t, []string{"fit", table, "-k", "5", "--memory", "140MiB", "--bins", "4"}, exitResources, "allow more memory, or leave out --bins")
	refused(t, []string{"fit", table, "-k", "5", "--memory", "140MiB", "--method", "l1"}, exitResources, "allow more memory, or leave out --method l1")
}

// A file whose indices count from 0 is the same table as one whose indices count from 1.
func TestIndexBase(t *testing.T) {
	var zero, one strings.Builder
	for i := range 60 {
		fmt.Fprintf(&zero, "%d 0:%d 3:%d\n", i%2, i%2*5+i%7+1, i%5+1)
		fmt.Fprintf(&one, "%d 1:%d 4:%d\n", i%2, i%2*5+i%7+1, i%5+1)
	}
	a, b := file(t, "zero.svm", zero.String()), file(t, "one.svm", one.String())
	dir := t.TempDir()
	run, stored := filepath.Join(dir, "run"), filepath.Join(dir, "x.fsa")
	must(t, "convert", a, stored, "--index-base", "0")
	want := parse[fitted](t, must(t, "fit", b, "-k", "1", "--json"))
	same(t, "fit", parse[fitted](t, must(t, "fit", a, "--index-base", "0", "-k", "1", "--out", run, "--json")), want)
	if p, q := must(t, "predict", run, a, "--index-base", "0"), must(t, "predict", run, b, "--index-base", "1"); p != q {
		t.Errorf("predictions differ:\n%.200s\n%.200s", p, q)
	}
	refused(t, []string{"predict", run, b}, exitUsage, "count from 0", "--index-base 0", "one.svm")
	if p, q := must(t, "predict", run, a, "--index-base", "0"), must(t, "predict", run, stored); p != q {
		t.Errorf("predictions of what was stored differ:\n%.200s\n%.200s", p, q)
	}
	same(t, "convert", parse[fitted](t, must(t, "fit", stored, "-k", "1", "--json")), want)
	refused(t, []string{"predict", run, stored, "--index-base", "0"}, exitBadData, "x.fsa", "svmlight")
	refused(t, []string{"convert", stored, filepath.Join(dir, "y.fsa"), "--index-base", "1"}, exitBadData, "x.fsa", "svmlight")
}

// A conversion that is stopped repeatedly and resumed gives the same bytes, and leaves nothing else
// behind.
func TestConvertResume(t *testing.T) {
	need.Long(t)
	dir := t.TempDir()
	table := func(name string, args ...string) string {
		path := filepath.Join(dir, name)
		must(t, append([]string{"generate", "ar1", "--k", "3", "--out", path, "--n", "3000", "--m", "100"}, args...)...)
		return path
	}
	var texts strings.Builder
	texts.WriteString("a,year,t,y\n")
	for i := range 40_000 {
		fmt.Fprintf(&texts, "%d.25,%d.125,c%d,%g\n", i, 1990+i%40, i%(1+i/3000), float64(i)/7)
	}
	for name, path := range map[string]string{
		"npy":    table("x.npy"),
		"gz":     table("x.csv.gz"),
		"texts":  file(t, "texts.csv", texts.String()),
		"sparse": file(t, "x.svm", strings.Repeat("1 3:1 77:0.5 9000:2\n0 2:1e300\n", 100_000)),
	} {
		t.Run(name, func(t *testing.T) {
			whole, out := filepath.Join(t.TempDir(), "x.fsa"), filepath.Join(t.TempDir(), "x.fsa")
			args := []string{"convert", path, whole, "--memory", "300KiB"}
			must(t, args...)
			args[2] = out
			args = append(args, "--resume")
			stopped := 0
			for n := int64(2); ; n = n*5/4 + 1 {
				var stdout, stderr bytes.Buffer
				code := within(endAfter(n), args, &stdout, &stderr)
				if code == exitDone {
					break
				}
				if code != exitInterrupted {
					t.Fatalf("exit code %d: %s", code, stderr.String())
				}
				if strings.Contains(stderr.String(), "the same command with --resume continues from") {
					stopped++
				}
			}
			if stopped == 0 {
				t.Error("it was never stopped behind a group")
			}
			if !bytes.Equal(read(t, whole), read(t, out)) {
				t.Error("the file is another")
			}
			if left, _ := filepath.Glob(filepath.Join(filepath.Dir(out), "*")); len(left) != 1 {
				t.Errorf("%v are there", left)
			}
		})
	}
}

// A partial file of another table, or of other settings, is refused.
func TestConvertResumeOther(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "x.npy"), filepath.Join(dir, "x.fsa")
	must(t, "generate", "ar1", "--k", "3", "--out", in, "--n", "3000", "--m", "100")
	args := []string{"convert", in, out, "--memory", "300KiB", "--resume"}
	for n := int64(2); ; n++ {
		var stdout, stderr bytes.Buffer
		if code := within(endAfter(n), args, &stdout, &stderr); code != exitInterrupted {
			t.Fatalf("exit code %d: %s", code, stderr.String())
		}
		if strings.Contains(stderr.String(), "--resume continues from") {
			break
		}
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"convert", in, out, "--memory", "400KiB", "--resume"}, "--memory was 307200 and is 409600"},
		{[]string{"convert", in, out, "--memory", "300KiB", "--resume", "--exact", "x3"}, "--exact was not given and is [x3]"},
	} {
		if code, _, msg := call(t, c.args...); code != exitUsage || !strings.Contains(msg, c.says) {
			t.Errorf("%v: exit code %d, %s", c.args, code, msg)
		}
	}
	must(t, "generate", "ar1", "--k", "3", "--out", in, "--n", "3000", "--m", "100", "--seed", "7")
	if code, _, msg := call(t, args...); code != exitUsage || !strings.Contains(msg, "has other rows than") {
		t.Errorf("other rows: exit code %d, %s", code, msg)
	}
	must(t, args[:5]...)
	if left, _ := filepath.Glob(out + "*"); len(left) != 1 {
		t.Errorf("after a conversion from the start %v are there", left)
	}
}
