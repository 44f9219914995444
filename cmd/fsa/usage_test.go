package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A wrong call is explained in the words of the command line: what is missing, superfluous or
// misspelled, and what would work.
func TestUsageMessages(t *testing.T) {
	table := file(t, "t.csv", "a,b,y\n1,2,3\n2,3,4\n3,1,5\n")
	fit := func(more ...string) []string { return append([]string{"fit", table, "-k", "1"}, more...) }
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"fit"}, "DATA is missing: write fsa fit DATA"},
		{[]string{"show", "a", "b"}, `"b" is one argument too many`},
		{[]string{"predict", "run"}, "DATA is missing: write fsa predict MODEL DATA"},
		{[]string{"show"}, "MODEL is missing"},
		{[]string{"convert", "x.csv"}, "OUT.fsa is missing"},
		{[]string{"demo", "x"}, `"x" is one argument too many`},
		{[]string{"man", "fit", "show"}, `"show" is one argument too many`},
		{[]string{"motion", "train"}, "DIR is missing"},
		{[]string{"keypoint", "evaluate", "faces"}, "MODEL is missing"},
		{[]string{"generate", "--out", "x.csv"}, "ar1|equicorrelated|zipf is missing"},
		{[]string{"generate", "ar2", "--out", "x.csv"}, "ar2: it must be one of ar1, equicorrelated, zipf"},
		{[]string{"paper", "nope"}, "nope: it must be one of list, all, schedule"},
		{[]string{"paper", "uci", "--data", filepath.Join(t.TempDir(), "none")}, "no such folder"},
		{[]string{"paper", "uci", "--data", table}, "no such folder"},
		{[]string{"paper", "cost", "--runs", "-1"}, "fsa: runs, threads"},
		{[]string{"bench", "--only", "speed"}, "fsa: there is no measurement"},
		{[]string{"help", "fti"}, "Did you mean this?\n\tfit"},
		{[]string{"help", "motion", "sgment"}, `unknown command "sgment" for "fsa motion"`},
		{[]string{"completion", "foo"}, `unknown command "foo" for "fsa completion"`},
		{[]string{"fit", table, "-k", "many"}, "fsa: -k many: it must be a number, auto, or sizes to compare"},
		{[]string{"fit", table, "-k", "1e99"}, "-k 1e99: it must be a number, auto, or sizes to compare"},
		{[]string{"fit", table, "-k", "99999999999999999999"}, "-k 99999999999999999999: the number is too large"},
		{[]string{"fit", table, "-k"}, "-k needs a value"},
		{fit("--eta", "x"), "--eta x: it must be a number"},
		{fit("--seed", "-1"), "--seed -1: it must be a whole number and not negative"},
		{fit("--polish=maybe"), "--polish maybe: it must be true or false"},
		{fit("--drop", `a"b`), `--drop a"b: it must be names separated by commas`},
		{fit("--lss", "svm"), "unknown flag --lss: did you mean --loss?"},
		{fit("--epoch", "5"), "did you mean --epochs?"},
		{fit("-loss", "svm"), "unknown flag -loss: did you mean --loss?"},
		{fit("--colour"), "unknown flag --colour\n"},
		{fit("-z"), "unknown flag -z\n"},
		{fit("--hinge-width", "0", "--loss", "svm"), "--hinge-width 0: it must be above 0"},
		{fit("--ridge", "-3"), "--ridge -3: it must not be negative; 0 means none"},
		{fit("--batch", "-1"), "it must not be negative; 0 means all"},
		{fit("--momentum", "-0.5"), "it must not be negative; 0 means none"},
		{fit("--index-base", "2"), `unknown index base "2": it must be 0 or 1`},
		{fit("--force", "y"), "--force y: this column cannot be selected, it is the target"},
		{fit("--force", "a", "--weights", "a"), "it holds the weights"},
		{fit("--force", "a", "--drop", "a"), "it is dropped"},
		{[]string{"generate", "ar1", "--n", "x", "--out", "x.csv"}, "--n x: it must be a whole number"},
		{[]string{"generate", "ar1", "-k", "2000", "--out", "x.csv"}, "fsa: 2000 true variables: there must be 1 to 1000"},
		{[]string{"generate", "ar1", "--task", "regression", "--sigma", "-2", "--out", "x.csv"}, "must not be negative"},
		{[]string{"generate", "equicorrelated", "--alpha", "-2", "--out", "x.csv"}, "must not be negative"},
	} {
		code, out, msg := call(t, c.args...)
		if code != exitUsage || out != "" || !strings.Contains(msg, c.says) {
			t.Errorf("fsa %s: exit code %d, stdout %q, stderr %q; want %q", strings.Join(c.args, " "), code, out, msg, c.says)
		}
	}
}

// A second name does not hide the first, and help for existing commands still works.
func TestBothNames(t *testing.T) {
	dir := t.TempDir()
	x, y := filepath.Join(dir, "x.csv"), filepath.Join(dir, "y.csv")
	must(t, "generate", "ar1", "--n", "50", "--m", "20", "--k", "2", "--out", x)
	must(t, "generate", "ar1", "--n", "50", "--m", "20", "-k", "2", "--out", y)
	if string(read(t, x)) != string(read(t, y)) {
		t.Error("-k and --k of generate differ")
	}
	for _, flag := range []string{"-k", "--k", "--variables"} {
		if f := parse[fitted](t, must(t, "fit", x, flag, "2", "--json")); len(f.Selected) != 2 {
			t.Errorf("%s 2 selects %d variables", flag, len(f.Selected))
		}
	}
	for _, args := range [][]string{{"help", "fit"}, {"help", "motion", "train"}, {"help", "completion", "bash"}, {"completion"}} {
		if must(t, args...) == "" {
			t.Errorf("fsa %s prints nothing", strings.Join(args, " "))
		}
	}
}

// Errors do not contain names of packages and temporary files.
func TestFailureMessages(t *testing.T) {
	table := file(t, "t.csv", "a,b,y\n1,2,0.5\n2,3,4\n3,1,5\n")
	run := filepath.Join(t.TempDir(), "run")
	must(t, "fit", table, "-k", "1", "--out", run)
	for _, out := range []string{"none/x.csv", "none/x.fsa"} {
		out = filepath.Join(filepath.Dir(table), out)
		args := []string{"generate", "ar1", "--n", "5", "--m", "10", "--k", "1", "--out", out}
		refused(t, args, exitFailed, "fsa: the folder "+filepath.Dir(out)+" does not exist\n")
	}
	none := filepath.Join(filepath.Dir(table), "none")
	refused(t, []string{"convert", table, filepath.Join(none, "x.fsa")}, exitFailed, "the folder "+none+" does not exist\n")
	refused(t, []string{"predict", run, table, "--out", filepath.Join(none, "p.csv")}, exitFailed, "the folder "+none+" does not exist\n")
	_, _, msg := call(t, "fit", table, "-k", "1", "--eta", "1e9")
	if !strings.Contains(msg, "eta = 1e+09 is too large") || strings.Contains(msg, "anneal") || strings.Contains(msg, "Eta") {
		t.Errorf("a step that is too large: %s", msg)
	}
}

// Predictions are compressed if their name says so, and refused if the name says what they are not.
func TestPredictOut(t *testing.T) {
	dir := t.TempDir()
	table, run := filepath.Join(dir, "t.csv"), filepath.Join(dir, "run")
	must(t, "generate", "ar1", "--n", "50", "--m", "20", "--k", "2", "--out", table)
	must(t, "fit", table, "-k", "2", "--out", run)
	want := must(t, "predict", run, table)
	for name, magic := range map[string]string{"p.csv": "class,", "p": "class,", "p.csv.gz": "\x1f\x8b", "p.CSV.zst": "\x28\xb5\x2f\xfd"} {
		path := filepath.Join(dir, name)
		must(t, "predict", run, table, "--out", path)
		if got := string(read(t, path)); !strings.HasPrefix(got, magic) {
			t.Errorf("%s begins with %q", name, got[:6])
		}
	}
	if string(read(t, filepath.Join(dir, "p.csv"))) != want {
		t.Error("the file is not what is printed")
	}
	var text []byte
	for _, line := range lines(t, filepath.Join(dir, "p.csv.gz")) {
		text = append(append(text, line...), '\n')
	}
	if string(text) != want {
		t.Errorf("compressed it is\n%s", text)
	}
	before := read(t, table)
	refused(t, []string{"predict", run, table, "--out", table}, exitUsage, table, "input file")
	if !bytes.Equal(read(t, table), before) {
		t.Error("the table was replaced")
	}
	for _, name := range []string{"p.orc", "p.npy", "p.svm.gz"} {
		refused(t, []string{"predict", run, table, "--out", filepath.Join(dir, name)}, exitUsage, name, ".csv", ".gz", ".zst")
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is there", name)
		}
	}
}

// A tolerance of 0 never stops early; without the flag it is left open.
func TestToleranceOfZero(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npy")
	if code, _, stderr := call(t, "generate", "ar1", "--task", "regression", "--n", "2500", "--m", "20", "-k", "3", "--out", path); code != 0 {
		t.Fatal(stderr)
	}
	epochs := func(args ...string) int {
		code, stdout, stderr := call(t, append([]string{"fit", path, "-k", "3", "--quick", "--json"}, args...)...)
		var got struct{ Epochs int }
		if err := json.Unmarshal([]byte(stdout), &got); code != 0 || err != nil {
			t.Fatal(code, err, stderr)
		}
		return got.Epochs
	}
	if left, never := epochs(), epochs("--tolerance", "0"); left >= never {
		t.Errorf("%d epochs, and %d with a tolerance of 0", left, never)
	}
	if code, _, stderr := call(t, "fit", path, "-k", "3", "--tolerance", "-1"); code != exitUsage || !strings.Contains(stderr, "it must not be negative") {
		t.Errorf("code %d, %q", code, stderr)
	}
}
