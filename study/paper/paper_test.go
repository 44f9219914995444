package paper

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsa/internal/need"
)

// small is a fast comparison, with methods that always exist.
var small = comparison{
	name: "small", file: "table_classification_separable.csv",
	task: "classification", measure: auc, contenders: classifiers[:3],
}

// run runs an experiment into a folder of the test, on one seed.
func run(t *testing.T, e Experiment, s Setup) *Result {
	t.Helper()
	if s.Out == "" {
		s.Out = t.TempDir()
	}
	r, err := Run(t.Context(), e, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// withoutTimes returns the rows that must be the same every time.
func withoutTimes(t *testing.T, r *Result) string {
	t.Helper()
	text, err := json.MarshalIndent(where(r.Rows, func(r Row) bool { return r.Metric != seconds }), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The golden files were computed by testdata/schedule.py, in exact arithmetic.
func TestGolden(t *testing.T) {
	for _, name := range []string{"schedule", "cost"} {
		e, ok := Lookup(name)
		if !ok {
			t.Fatalf("there is no %s", name)
		}
		r := run(t, e, Setup{})
		got, err := os.ReadFile(r.Files[0])
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", name+".csv")
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%s is\n%s, want\n%s", name, got, want)
		}
	}
}

func TestCost(t *testing.T) {
	e, _ := Lookup("cost")
	rows := run(t, e, Setup{}).Rows
	if len(rows) != 6 {
		t.Fatalf("%d rows, want one for each μ", len(rows))
	}
	for _, r := range rows {
		if d := *r.Ours - *r.Published; d < -0.5 || d > 0.5 {
			t.Errorf("%s: %v passes, the paper has %v", r.Method, *r.Ours, *r.Published)
		}
	}
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range Experiments() {
		if e.Name == "" || e.About == "" || e.Run == nil || seen[e.Name] || e.Name == "all" || e.Name == "list" {
			t.Errorf("a bad experiment: %+v", e)
		}
		seen[e.Name] = true
	}
	if _, ok := Lookup("no such"); ok {
		t.Error("there is one of any name")
	}
}

// Every experiment on synthetic data, as small as possible.
func TestTinyRuns(t *testing.T) {
	list := map[string]Experiment{
		"big-data": {Name: "big-data", About: "small", Run: (&growth{m: 200, k: 5, rows: []int{50, 100, 1000}}).run},
	}
	for _, name := range []string{"losses", "beta-path", "stability"} {
		list[name], _ = Lookup(name)
	}
	for name, e := range list {
		t.Run(name, func(t *testing.T) {
			need.LongCase(t, name, "big-data", "losses", "beta-path")
			r := run(t, e, Setup{Runs: 1, MaxN: 100, SeedFrom: 5, Threads: 2})
			if len(r.Rows) == 0 {
				t.Fatal("no rows")
			}
			known := 0
			for _, row := range r.Rows {
				if row.Ours != nil {
					known++
				}
			}
			if known == 0 {
				t.Error("nothing was measured")
			}
			checkFiles(t, r)
		})
	}
}

// checkFiles checks all written files.
func checkFiles(t *testing.T, r *Result) {
	t.Helper()
	for _, path := range r.Files {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		switch filepath.Ext(path) {
		case ".csv":
			if rows, err := csv.NewReader(f).ReadAll(); err != nil || len(rows) < 2 {
				t.Errorf("%s: %d rows, %v", path, len(rows), err)
			}
		case ".svg":
			for d := xml.NewDecoder(f); ; {
				if _, err := d.Token(); err == io.EOF {
					break
				} else if err != nil {
					t.Fatalf("%s: %v", path, err)
				}
			}
		}
	}
	folder := filepath.Dir(r.Files[0])
	left, err := filepath.Glob(filepath.Join(folder, ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestSameRowsForAnyNumberOfThreads(t *testing.T) {
	need.Long(t)
	e := Experiment{"small", "small", small.run}
	var want string
	for _, threads := range []int{1, 3} {
		r := run(t, e, Setup{Runs: 3, SeedFrom: 40, MaxN: 300, Threads: threads})
		got := withoutTimes(t, r)
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("with %d threads\n%s\nwith 1\n%s", threads, got, want)
		}
		checkFiles(t, r)
	}
}

// A run that is stopped and continued gives the result of one run, and no fit is repeated.
func TestResume(t *testing.T) {
	need.Long(t)
	e := Experiment{"small", "small", small.run}
	setup := Setup{Runs: 3, SeedFrom: 40, MaxN: 300, Threads: 2}
	want := withoutTimes(t, run(t, e, setup))

	setup.Out = t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	setup.Progress = func(done, _ int) {
		if done == 4 {
			stop()
		}
	}
	if _, err := Run(ctx, e, setup); !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped: %v", err)
	}
	path := filepath.Join(setup.Out, "small.jsonl")
	before := readLines(t, path)
	if len(before) < 4 || len(before) >= 9 {
		t.Fatalf("%d fits are in the journal, of which 4 were waited for", len(before))
	}
	if _, err := os.Stat(filepath.Join(setup.Out, "small.csv")); err == nil {
		t.Error("there are results of a run that was stopped")
	}

	// The program died while it was writing a line.
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"cell":"N=300 M=1000 k=10","meth`); err != nil {
		t.Fatal(err)
	}
	f.Close()
	setup.Progress = nil
	r := run(t, e, setup)
	if got := withoutTimes(t, r); got != want {
		t.Errorf("resumed\n%s\nin one run\n%s", got, want)
	}
	after := readLines(t, path)
	if len(after) != 9 || !slices.Equal(after[:len(before)], before) {
		t.Errorf("the journal had %d lines and has %d", len(before), len(after))
	}
	if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "earlier calls") }) {
		t.Errorf("no note says that fits are old: %q", r.Notes)
	}

	// With more runs, only the new ones are executed.
	setup.Runs = 4
	run(t, e, setup)
	if more := readLines(t, path); len(more) != 12 || !slices.Equal(more[:9], after) {
		t.Errorf("%d fits after a fourth run, want 12", len(more))
	}
}

func readLines(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(strings.Lines(string(text)))
}

func TestValidate(t *testing.T) {
	for _, s := range []Setup{{}, {Out: "x", Runs: -1}, {Out: "x", Threads: -1}, {Out: "x", MaxN: -1}, {Out: "x", Memory: -1}} {
		if s.Validate() == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
}

// Other programs rely on the shape of a row.
func TestJSON(t *testing.T) {
	r := run(t, Experiment{"small", "small", small.run}, Setup{Runs: 1, MaxN: 300})
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Name    string
		Rows    []map[string]any
		Notes   []string
		Files   []string
		Seconds float64
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if got.Name != "small" || got.Seconds <= 0 || len(got.Files) != 2 {
		t.Errorf("%+v", got)
	}
	for _, row := range got.Rows {
		for _, field := range []string{"n", "m", "k", "method", "metric", "ours", "published", "runs"} {
			if _, ok := row[field]; !ok {
				t.Fatalf("a row without %s: %v", field, row)
			}
		}
		large := row["n"].(float64) > 300
		if (row["ours"] == nil) != large || large != (row["runs"] == 0.0) {
			t.Errorf("ours is not null where nothing was run, or is where something was: %v", row)
		}
	}
}
