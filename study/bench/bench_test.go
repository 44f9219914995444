package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fsa/data/synth"
)

func tinyPlan() plan {
	return plan{
		repeats: 3, passWidths: []int{30, 7}, passBytes: 1 << 16,
		fitShapes: []shape{{100, 30, 2}}, choosingShapes: []shape{{60, 6, 2}}, choiceShapes: []shape{{60, 6, 2}}, peerLimit: time.Minute,
		scaleRows: shape{50, 20, 2}, scaleColumns: shape{50, 20, 2}, scalePoints: 2,
		threadTables: []threadTable{{shape{100, 30, 2}, synth.AR1}, {shape{100, 30, 2}, synth.Zipf}},
	}
}

// The object has the keys that other programs rely on.
func TestJSON(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	r, err := run(t.Context(), Options{Threads: 2}, tinyPlan())
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Machine struct {
			CPU, Instructions, Go string
			Cores                 int
		}
		Quiet struct {
			Spread *float64
			Read   float64 `json:"read_bytes_per_second"`
		}
		Pass          map[string]float64
		Fits, Choices []struct {
			Task, Method      string
			N, M, K, Threads  int
			Seconds, Selected float64
			DR, PCD           *float64
		}
		Scaling *struct {
			N *float64 `json:"exponent_n"`
			M *float64 `json:"exponent_m"`
		}
		Missing   []struct{ Method, Why string }
		OutOfCore json.RawMessage `json:"out_of_core"`
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if got.Machine.CPU == "" || got.Machine.Instructions == "" || got.Machine.Go == "" || got.Machine.Cores < 1 {
		t.Errorf("machine %+v", got.Machine)
	}
	if got.Quiet.Spread == nil || got.Quiet.Read <= 0 {
		t.Errorf("quiet %+v", got.Quiet)
	}
	if len(got.Pass) != 2 || got.Pass["30"] <= 0 || got.Pass["7"] <= 0 {
		t.Errorf("pass %v", got.Pass)
	}
	if got.Scaling == nil || got.Scaling.N == nil || got.Scaling.M == nil {
		t.Errorf("scaling %s", text)
	}
	if string(got.OutOfCore) != "null" {
		t.Errorf("out of core %s", got.OutOfCore)
	}
	var methods []string
	for _, f := range got.Fits {
		methods = append(methods, f.Task+" "+f.Method)
		if f.N != 100 || f.M != 30 || f.K != 2 || f.Threads != 2 || f.Seconds <= 0 || f.DR == nil || f.PCD == nil {
			t.Errorf("fit %+v", f)
		}
	}
	if want := "classification fsa,classification fsa validated,classification fsa lorenz,classification fsa lorenz val.,regression fsa,regression fsa validated"; strings.Join(methods, ",") != want {
		t.Errorf("fits %v, want %s", methods, want)
	}
	if got.Choices == nil || len(got.Choices) != 0 { // they are for peers
		t.Errorf("choices %+v", got.Choices)
	}
	if len(got.Missing) != len(known) {
		t.Errorf("missing %v, want all peers", got.Missing)
	}
	empty(t, os.Getenv("TMPDIR"))
}

// empty checks that nothing is left in a folder.
func empty(t *testing.T, dir string) {
	t.Helper()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestPrint(t *testing.T) {
	r, err := run(t.Context(), Options{Threads: 1}, tinyPlan())
	if err != nil {
		t.Fatal(err)
	}
	r.Fits = append(r.Fits, Fit{Task: "regression", N: 100, M: 30, K: 2, Method: "slow one", Threads: 1, Seconds: 120, MoreThan: true})
	var text strings.Builder
	if err := r.Print(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"load average", r.Machine.Go, "medians of 3, 1 thread\n", "30 columns", "classification, 100×30, k = 2", "fsa lorenz", ">120",
		"abess, liblinear", "--peers was not given", "exponent of time in rows", "out of core: not measured",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing", want)
		}
	}
	if t.Failed() {
		t.Log(text.String())
	}
	r.OutOfCore = &Disk{BytesReadOverFile: 1.5, PeakOverPromise: 0.9, OverRead: 1.4}
	text.Reset()
	if err := r.Print(&text); err != nil || !strings.Contains(text.String(), "1.50") {
		t.Errorf("out of core: %v\n%s", err, text.String())
	}
}

// A missing Python is not an error: the report names its peers.
func TestNoPeers(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	r, err := run(t.Context(), Options{Peers: "no-such-python", Only: []string{Fits}}, tinyPlan())
	if err != nil {
		t.Fatal(err)
	}
	told := slices.DeleteFunc(slices.Clone(known), func(p peer) bool { return p.chooses })
	if len(r.Fits) != 6 || len(r.Missing) != len(told) {
		t.Errorf("%d fits, missing %v", len(r.Fits), r.Missing)
	}
	if r.Pass != nil || r.Scaling != nil {
		t.Error("more was measured than was asked for")
	}
}

func TestOptions(t *testing.T) {
	for name, o := range map[string]Options{"measurement": {Only: []string{"speed"}}, "threads": {Threads: -1}, "k of a table": {Table: Table{Path: "x.fsa"}}} {
		if _, err := Run(t.Context(), o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A run that is interrupted returns what it has measured, which can be printed, whatever was under way.
func TestInterrupted(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, section := range Measurements() {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		r, err := run(ctx, Options{Only: []string{section}}, tinyPlan())
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: error %v", section, err)
		}
		if err := r.Print(io.Discard); err != nil {
			t.Errorf("%s: %v", section, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	r, err := run(ctx, Options{Only: []string{Choice}, Threads: 1, Log: func(format string, args ...any) {
		if strings.Contains(fmt.Sprintf(format, args...), "regression") { // the second kind of table
			cancel()
		}
	}}, tinyPlan())
	if !errors.Is(err, context.Canceled) || len(r.Choosing) != 1 {
		t.Fatalf("%d kinds of tables, error %v", len(r.Choosing), err)
	}
	var text strings.Builder
	if err := r.Print(&text); err != nil || !strings.Contains(text.String(), "k open / k given") {
		t.Errorf("%v: %s", err, text.String())
	}
	empty(t, os.Getenv("TMPDIR"))
}
