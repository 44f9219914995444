package main

import (
	"encoding/json"
	"strings"
	"testing"

	"fsa/internal/need"
	"fsa/study/bench"
)

// The form of the whole object is tested in package bench.
func TestBench(t *testing.T) {
	need.Long(t)
	args := []string{"bench", "--quick", "--only", "pass", "--threads", "1"}
	got := parse[map[string]json.RawMessage](t, must(t, append(args, "--json")...))
	for _, key := range []string{"fits", "scaling", "out_of_core"} {
		if string(got[key]) != "null" {
			t.Errorf("%s: %s, want null", key, got[key])
		}
	}
	if !strings.Contains(string(got["quiet"]), "spread") || !strings.Contains(string(got["machine"]), "cores") {
		t.Errorf("quiet %s, machine %s", got["quiet"], got["machine"])
	}
	if text := must(t, args...); !strings.Contains(text, "load average") || !strings.Contains(text, "fused pass") || strings.Contains(text, "out of core") {
		t.Errorf("it prints\n%s", text)
	}
}

// Whole commands are measured by starting the program.
func TestBenchCommand(t *testing.T) {
	need.Long(t)
	got := parse[bench.Report](t, must(t, "bench", "--quick", "--only", "command", "--json"))
	if len(got.Commands) != 3 {
		t.Fatalf("commands %+v", got.Commands)
	}
	for _, c := range got.Commands {
		if c.Seconds <= 0 || c.Read <= 0 || c.Read > c.Seconds || c.FileBytes < 4*2000*1000 {
			t.Errorf("%+v", c)
		}
	}
}

// Fits are measured with and without a live page that a browser has open.
func TestBenchLive(t *testing.T) {
	need.Long(t)
	got := parse[bench.Report](t, must(t, "bench", "--quick", "--only", "live", "--json"))
	if len(got.Watched) != 2 {
		t.Fatalf("watched %+v", got.Watched)
	}
	for _, w := range got.Watched {
		if w.Seconds <= 0 || w.Over <= 0 || w.ProcessorOver <= 0 || w.Repeats != 3 {
			t.Errorf("%+v", w)
		}
	}
}

// Tables that are too large for other programs are generated, fitted, and reported as smaller.
func TestBenchShapes(t *testing.T) {
	need.Long(t)
	args := []string{"bench", "--quick", "--only", "shapes", "--scale", "0.00001"}
	got := parse[bench.Report](t, must(t, append(args, "--json")...))
	if len(got.BigTables) != 7 {
		t.Fatalf("tables %+v", got.BigTables)
	}
	for _, b := range got.BigTables {
		if b.Why != "" || b.Scale != 1e-5 || b.Rows < 900 || b.Rows > 8000 || b.Columns < 200 || b.Columns >= b.M || b.K != 20 {
			t.Errorf("%+v", b)
		}
		if b.Fit <= 0 || b.Load <= 0 || b.FileBytes <= 0 || b.BytesRead < float64(b.TableBytes) || b.Found < 0.5 || b.Found > 1 {
			t.Errorf("%+v", b)
		}
	}
}

// One of the shapes can be chosen.
func TestBenchShape(t *testing.T) {
	need.Long(t)
	got := parse[bench.Report](t, must(t, "bench", "--quick", "--only", "shapes", "--scale", "0.00001", "--shapes", "500000x230", "--json"))
	if len(got.BigTables) != 1 || got.BigTables[0].N != 500_000 || got.BigTables[0].M != 230 {
		t.Errorf("tables %+v", got.BigTables)
	}
}

// Fits on grids are compared with those of one process.
func TestBenchGrid(t *testing.T) {
	need.Long(t)
	got := parse[bench.Report](t, must(t, "bench", "--quick", "--only", "grid", "--json"))
	if len(got.Grids) == 0 && got.Machine.Cores > 1 {
		t.Fatalf("not measured: %+v", got)
	}
	for _, g := range got.Grids {
		if g.Read <= 0 || len(g.Ways) < 4 {
			t.Errorf("%+v", g)
		}
		for _, w := range g.Ways {
			if w.Descent <= 0 || w.Fit < w.Descent || w.DescentOver <= 0 || w.PeakOverPart < 1 || (w.Predicted > 0) != (w.Grid != "") {
				t.Errorf("%+v", w)
			}
		}
	}
}

func TestBenchUsage(t *testing.T) {
	refused(t, []string{"bench", "--only", "speed"}, exitUsage, "speed", "scaling")
	refused(t, []string{"bench", "--threads", "-1"}, exitUsage, "threads")
	refused(t, []string{"bench", "table.csv"}, exitUsage)
	refused(t, []string{"bench", "--only", "shapes", "--scale", "2"}, exitUsage, "scale")
	refused(t, []string{"bench", "--only", "shapes", "--shapes", "900x860"}, exitUsage, "900x860", "900x860000")
	refused(t, []string{"bench", "--table", "x.fsa"}, exitUsage, "k = 0")
	refused(t, []string{"bench", "--table", "x.fsa", "-k", "3", "--memory", "much"}, exitUsage, "--memory")
	for line := range strings.Lines(must(t, "help", "bench")) {
		if len([]rune(strings.TrimSuffix(line, "\n"))) > 80 {
			t.Errorf("help: a line of %d characters: %s", len([]rune(line)), line)
		}
	}
}
