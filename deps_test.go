package fsa_test

import (
	"os/exec"
	"strings"
	"testing"
)

// rooms says which packages of ours each package may use, by their prefix. A
// package that is not listed may use anything but the command.
var rooms = map[string][]string{
	"fsa/anneal":              {},
	"fsa/loss":                {"fsa/internal/kernel"},
	"fsa/prior":               {},
	"fsa/report":              {},
	"fsa/eval":                {},
	"fsa/internal/kernel":     {},
	"fsa/internal/lines":      {"fsa/data"},
	"fsa/internal/atomicfile": {},
	"fsa/internal/parallel":   {},
	"fsa/data":                {"fsa/internal/kernel", "fsa/internal/parallel"},
	"fsa/data/csv":            {"fsa/data", "fsa/internal"},
	"fsa/data/svmlight":       {"fsa/data", "fsa/internal"},
	"fsa/data/challenge":      {"fsa/data", "fsa/internal"},
	"fsa/data/npy":            {"fsa/data", "fsa/internal"},
	"fsa/data/parquet":        {"fsa/data", "fsa/internal"},
	"fsa/data/panel":          {"fsa/data", "fsa/internal"},
	"fsa/data/synth":          {"fsa/data", "fsa/internal"},
	"fsa/data/open":           {"fsa/data", "fsa/internal"},
	"fsa/baseline":            {"fsa", "fsa/data", "fsa/loss", "fsa/eval", "fsa/internal"},
	"fsa":                     {"fsa/anneal", "fsa/loss", "fsa/prior", "fsa/data", "fsa/eval", "fsa/internal"},
}

// TestRooms keeps the directions of docs/architecture.md true: the loss does
// not see the data, the data not the loss, annealing neither.
func TestRooms(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}}: {{join .Imports \" \"}}", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		pkg, imports, _ := strings.Cut(strings.TrimSpace(line), ": ")
		allowed, listed := rooms[pkg]
		for _, used := range strings.Fields(imports) {
			if used != "fsa" && !strings.HasPrefix(used, "fsa/") {
				continue
			}
			if strings.HasPrefix(used, "fsa/cmd") {
				t.Errorf("%s uses %s", pkg, used)
			}
			if !listed {
				continue
			}
			ok := false
			for _, prefix := range allowed {
				ok = ok || used == prefix || prefix != "fsa" && strings.HasPrefix(used, prefix+"/")
			}
			if !ok {
				t.Errorf("%s must not use %s", pkg, used)
			}
		}
	}
}
