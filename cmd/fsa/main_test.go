package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"fsa"
	"fsa/data/synth"
	"fsa/internal/need"
	"fsa/internal/runs"
)

// TestMain lets the test binary act as the program when the program starts itself again, as bench
// does.
func TestMain(m *testing.M) {
	const again = "FSA_TEST_AGAIN"
	if os.Getenv(again) != "" && !slices.Contains(os.Args, "-test.fuzzworker") { // which is the test binary again
		main()
	}
	os.Setenv(again, "1")
	os.Exit(m.Run())
}

// within runs the program in this process. A --memory flag limits the whole process. The limit ends
// with the call, because under a limit that is too low the garbage collector never rests.
func within(ctx context.Context, args []string, stdout, stderr io.Writer) (code int) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	return run(ctx, args, stdout, stderr)
}

// call runs the program.
func call(t testing.TB, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = within(context.Background(), args, &out, &err)
	return code, out.String(), err.String()
}

// must runs the program and expects it to succeed.
func must(t testing.TB, args ...string) string {
	t.Helper()
	code, out, err := call(t, args...)
	if code != exitDone {
		t.Fatalf("fsa %s: exit code %d\n%s", strings.Join(args, " "), code, err)
	}
	return out
}

// file writes a file into a new folder and returns its path.
func file(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func parse[T any](t testing.TB, text string) (v T) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, text)
	}
	if dec.More() {
		t.Fatalf("more than one object:\n%s", text)
	}
	return v
}

// fitted holds the part of the output of fit and show that other programs rely on.
type fitted struct {
	Selected []struct {
		Index        int
		Name         string
		Coefficients []float64
		Norm         float64
	}
	Intercept   json.RawMessage
	Loss, Task  string
	K           int
	Rows        int
	Columns     int
	Epochs      int
	Passes      float64
	SecondsRead *float64 `json:"seconds_read"`
	SecondsFit  *float64 `json:"seconds_fit"`
	Metrics     map[string]float64
}

type measured struct {
	Rows    int
	Metrics map[string]float64
}

// The whole workflow in every format: generate, fit, show, predict.
func TestFormats(t *testing.T) {
	need.Long(t)
	for _, task := range []string{"classification", "regression"} {
		for _, ext := range []string{".npy", ".csv", ".svm", ".parquet", ".csv.gz", ".svm.zst", ".npy.gz"} {
			t.Run(task+ext, func(t *testing.T) {
				dir := t.TempDir()
				train, test, out := filepath.Join(dir, "train"+ext), filepath.Join(dir, "test"+ext), filepath.Join(dir, "run")
				args := []string{"generate", "ar1", "--task", task, "--n", "300", "--m", "50", "--k", "3"}
				must(t, append(args, "--seed", "1", "--out", train)...)
				must(t, append(args, "--seed", "2", "--out", test)...)
				truth, err := os.ReadFile(filepath.Join(dir, "train.truth.txt"))
				if err != nil || string(truth) != "9\n19\n29\n" {
					t.Errorf("truth %q, %v", truth, err)
				}
				got := parse[fitted](t, must(t, "fit", train, "-k", "3", "--out", out, "--json"))
				if got.Rows != 300 || got.Columns != 50 || got.K != 3 || got.Task != task || len(got.Selected) != 3 || got.SecondsFit == nil {
					t.Errorf("fit says %+v", got)
				}
				for i, v := range got.Selected {
					if v.Index%10 != 9 || v.Index > 29 || v.Name == "" || len(v.Coefficients) != 1 {
						t.Errorf("selected %+v", v)
					}
					if i > 0 && v.Norm > got.Selected[i-1].Norm {
						t.Error("not in order of decreasing norm")
					}
				}
				again := parse[fitted](t, must(t, "show", out, "--json"))
				if again.SecondsFit == nil || len(again.Selected) != 3 || again.Selected[0].Name != got.Selected[0].Name {
					t.Errorf("show says %+v", again)
				}
				p := parse[measured](t, must(t, "predict", out, test, "--json"))
				if auc := p.Metrics["auc"]; p.Rows != 300 || task == "classification" && auc < 0.98 {
					t.Errorf("predict says %+v", p)
				}
				if r2 := p.Metrics["r2"]; task == "regression" && r2 < 0.8 {
					t.Errorf("predict says %+v", p)
				}
			})
		}
	}
}

func TestDemo(t *testing.T) {
	out := filepath.Join(t.TempDir(), "demo")
	text := must(t, "demo", "--out", out)
	if !strings.Contains(text, "10 of the 10 true variables found") {
		t.Errorf("the demo does not find its variables:\n%s", text)
	}
	for _, name := range []string{"model.json", "events.jsonl", "paths.svg"} {
		if info, err := os.Stat(filepath.Join(out, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The picture has a line for every variable that remained when an epoch ended. Lines of
	// variables that were dropped early may look alike, later ones do not.
	grey := regexp.MustCompile(`d="([^"]*)"\s+style="fill:none;stroke:#B4B4B4`).FindStringSubmatch(string(read(t, filepath.Join(out, "paths.svg"))))
	if grey == nil {
		t.Fatal("there are no grey lines in the picture")
	}
	var left runs.Event
	if err := json.Unmarshal(bytes.Split(read(t, filepath.Join(out, "events.jsonl")), []byte("\n"))[5], &left); err != nil || left.Epoch != 6 {
		t.Fatalf("event %+v, %v", left, err)
	}
	if n := strings.Count(grey[1], "M"); n < left.Variables-10 {
		t.Errorf("%d grey lines, but %d variables were left after %d epochs", n, left.Variables, left.Epoch)
	}
	for _, line := range strings.Split(text, "\n") {
		if len(line) > 80 {
			t.Errorf("a line of %d characters: %s", len(line), line)
		}
	}
}

// Every variable that was recorded has a line, those of the model first, and then in ascending
// order.
func TestPathRecorder(t *testing.T) {
	c := synth.Config{Model: synth.AR1, Task: synth.Classification, N: 100, M: 300, K: 3, Seed: 4}
	table, err := synthetic(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	var paths pathRecorder
	epochs := map[int]int{}
	model, err := fsa.Fit(t.Context(), table, fsa.Options{K: c.K, Run: fsa.Run{Observe: func(p fsa.Progress) {
		paths.add(p)
		for _, g := range p.Alive {
			epochs[p.Variable(g)]++
		}
	}}})
	if err != nil {
		t.Fatal(err)
	}
	var want []int
	for _, v := range model.Selected() {
		want = append(want, v.Index)
	}
	for _, v := range slices.Sorted(maps.Keys(epochs)) {
		if !slices.Contains(want, v) {
			want = append(want, v)
		}
	}
	lines := paths.plot(model, "").Lines
	if len(lines) != len(want) || len(want) == c.M {
		t.Fatalf("%d lines, %d of %d variables were seen", len(lines), len(want), c.M)
	}
	for i, l := range lines {
		if l.Highlight != (i < c.K) || len(l.Values) != 1+epochs[want[i]] || !slices.Equal(l.Values, paths.values[want[i]]) {
			t.Fatalf("line %d of variable %d: highlighted %v, %d values", i, want[i], l.Highlight, len(l.Values))
		}
	}
}

func TestHelp(t *testing.T) {
	text := must(t, "help")
	if !strings.Contains(text, "Examples:") || strings.Index(text, "Examples:") > strings.Index(text, "Available Commands:") {
		t.Errorf("help does not open with examples:\n%s", text)
	}
	for _, name := range []string{"", "fit", "predict", "show", "export", "generate", "demo", "man"} {
		for _, line := range strings.Split(must(t, "help", name), "\n") {
			if len([]rune(line)) > 80 {
				t.Errorf("help %s: a line of %d characters: %s", name, len([]rune(line)), line)
			}
		}
	}
	if _, _, msg := call(t, "fti"); !strings.Contains(msg, "Did you mean") {
		t.Errorf("no suggestion: %s", msg)
	}
	for _, args := range [][]string{{"completion", "bash"}, {"completion", "zsh"}, {"man"}, {"man", "fit"}, {"--version"}, {"fit", "--help"}} {
		if must(t, args...) == "" {
			t.Errorf("fsa %v prints nothing", args)
		}
	}
}

func TestUsage(t *testing.T) {
	table := file(t, "t.csv", "a,b,y\n1,2,3\n2,3,4\n3,1,5\n")
	for name, args := range map[string][]string{
		"unknown command":          {"fitt"},
		"unknown flag":             {"fit", table, "-k", "1", "--loud"},
		"no data":                  {"fit", "-k", "1"},
		"no k for a method":        {"fit", table, "--method", "l1"},
		"k is zero":                {"fit", table, "-k", "0"},
		"k is too large":           {"fit", table, "-k", "3"},
		"k is text":                {"fit", table, "-k", "many"},
		"loss":                     {"fit", table, "-k", "1", "--loss", "hinge"},
		"scale":                    {"fit", table, "-k", "1", "--scale", "row"},
		"header":                   {"fit", table, "-k", "1", "--header", "maybe"},
		"class weights":            {"fit", table, "-k", "1", "--class-weights", "2"},
		"force":                    {"fit", table, "-k", "1", "--force", "c"},
		"model":                    {"generate", "ar2", "--out", "x.csv"},
		"no output":                {"generate", "ar1"},
		"sparse in a dense format": {"generate", "zipf", "--out", "x.csv"},
		"unknown format":           {"fit", table, "-k", "1", "--format", "zip"},
		"unknown ending":           {"generate", "ar1", "--out", "x.zip"},
		"smooth, no bins":          {"fit", table, "-k", "1", "--smooth", "1"},
		"huber, no svm":            {"fit", table, "-k", "1", "--hinge-width", "1"},
		"class weights of numbers": {"fit", table, "-k", "1", "--class-weights", "balanced"},
		"too many truths":          {"generate", "ar1", "--m", "5", "--k", "6", "--out", "x.csv"},
		"noise on numbers":         {"generate", "ar1", "--task", "regression", "--noise", "0.5", "--out", "x.csv"},
	} {
		if code, out, err := call(t, args...); code != exitUsage || err == "" || out != "" {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", name, code, out, err)
		}
	}
}

// An interrupt leaves nothing behind, and an earlier run unchanged.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	table := filepath.Join(dir, "t.csv")
	must(t, "generate", "ar1", "--n", "100", "--m", "20", "--k", "2", "--out", table)
	old := filepath.Join(dir, "old")
	must(t, "fit", table, "-k", "2", "--out", old)
	before, err := os.ReadFile(filepath.Join(old, "model.json"))
	if err != nil {
		t.Fatal(err)
	}
	were, _ := os.ReadDir(old)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, out := range []string{old, filepath.Join(dir, "new")} {
		var stdout, stderr bytes.Buffer
		if code := run(ctx, []string{"fit", table, "-k", "3", "--out", out}, &stdout, &stderr); code != exitInterrupted {
			t.Errorf("exit code %d: %s", code, stderr.String())
		}
	}
	after, err := os.ReadFile(filepath.Join(old, "model.json"))
	if err != nil || !bytes.Equal(before, after) {
		t.Error("the earlier model was touched")
	}
	if _, err := os.Stat(filepath.Join(dir, "new")); !os.IsNotExist(err) {
		t.Error("a folder was left behind")
	}
	if files, _ := os.ReadDir(old); len(files) != len(were) {
		t.Errorf("%d files in the folder of the earlier run, which had %d", len(files), len(were))
	}
}

// What the defaults promise over many seeds is measured by a command, not a test; see
// docs/evidence/defaults.md. This is a small version of it.
func TestTruthFile(t *testing.T) {
	c := synth.Config{N: 10, M: 100, K: 10}
	path := filepath.Join(t.TempDir(), "x.npy")
	must(t, "generate", "ar1", "--n", "10", "--m", "100", "--k", "10", "--out", path)
	lines := strings.Fields(string(read(t, strings.TrimSuffix(path, ".npy")+".truth.txt")))
	if len(lines) != len(synth.Truth(c)) {
		t.Errorf("%d true variables, want %d", len(lines), len(synth.Truth(c)))
	}
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A table that is larger than the permitted memory gives the same selection.
func TestMemory(t *testing.T) {
	need.Long(t)
	dir := t.TempDir()
	table := filepath.Join(dir, "x.npy")
	must(t, "generate", "ar1", "--n", "4000", "--m", "10000", "--k", "5", "--seed", "3", "--out", table)
	args := []string{"fit", table, "-k", "5", "--epochs", "60", "--json"}
	for _, batch := range []string{"0", "500"} {
		run := func(more ...string) []int {
			var found []int
			for _, v := range parse[fitted](t, must(t, append(append(args, "--batch", batch), more...)...)).Selected {
				found = append(found, v.Index)
			}
			if batch != "0" { // samples from a file are taken in another order
				slices.Sort(found)
			}
			return found
		}
		free, tight := run(), run("--memory", "200MiB") // the table has 153 MiB
		if !slices.Equal(free, tight) {
			t.Errorf("batch %s: selected %v, with all in memory %v", batch, tight, free)
		}
	}
	refused(t, append(args, "--memory", "100MiB"), exitResources, "MiB", "x.npy")
	refused(t, append(args, "--memory", "some"), exitUsage, "8GiB")
	packed := filepath.Join(dir, "y.npy.gz")
	must(t, "generate", "ar1", "--n", "1000", "--m", "10000", "--k", "5", "--out", packed)
	must(t, "fit", packed, "-k", "5", "--quick", "--epochs", "20", "--memory", "150MiB")
	// A compressed array with the name of an uncompressed one.
	disguised := filepath.Join(dir, "z.npy")
	if err := os.Rename(packed, disguised); err != nil {
		t.Fatal(err)
	}
	must(t, "fit", disguised, "--target", filepath.Join(dir, "y.y.npy"), "-k", "5", "--quick", "--epochs", "20")
}

// Flags that are not known to be common are refused with another method, including any that fit may
// get in future.
func TestFlagsOfMethods(t *testing.T) {
	for flag, ok := range map[string]bool{"brand-new": false, "mu": false, "polish": false, "storage": false, "scale": true, "variables": true, "drop": true} {
		cmd := fitCommand()
		cmd.Flags().String("brand-new", "", "")
		if err := cmd.ParseFlags([]string{"--" + flag + "=1"}); err != nil {
			t.Fatal(err)
		}
		_, err := methodOf(cmd, "l1", &fsa.Options{K: 1})
		if ok && err != nil || !ok && (!errors.Is(err, errUsage) || !strings.Contains(err.Error(), "--"+flag)) {
			t.Errorf("--%s: %v", flag, err)
		}
	}
	for _, flag := range common {
		if fitCommand().Flags().Lookup(flag) == nil {
			t.Errorf("fit has no flag --%s", flag)
		}
	}
}

// Other methods run through fit, and refuse flags that they do not support.
func TestMethods(t *testing.T) {
	dir := t.TempDir()
	table := filepath.Join(dir, "x.csv")
	must(t, "generate", "ar1", "--n", "200", "--m", "50", "--k", "3", "--out", table)
	run := filepath.Join(dir, "run")
	for _, method := range []string{"l1", "qtp", "logitboost-steps"} {
		f := parse[fitted](t, must(t, "fit", table, "--target", "y", "-k", "3", "--method", method, "--out", run, "--json"))
		if n := len(f.Selected); n == 0 || n > 3 {
			t.Errorf("%s selected %d variables", method, n)
		}
		must(t, "predict", run, table, "--target", "y", "--json")
		must(t, "show", run)
	}
	refused(t, []string{"fit", table, "--target", "y", "-k", "3", "--method", "best"}, exitUsage, "qtp", "mrmr")
	refused(t, []string{"fit", table, "--target", "y", "-k", "3", "--method", "l1", "--mu", "10"}, exitUsage, "--mu", "l1")
	text := filepath.Join(dir, "text.csv")
	if err := os.WriteFile(text, []byte("a,b,y\n1,red,0\n2,blue,1\n3,red,1\n4,blue,0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	must(t, "fit", text, "--target", "y", "-k", "1", "--method", "l1")
}
