package fsa_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// rooms says which packages of ours each package may use. A package that is not
// listed has no place in docs/architecture.md either.
var rooms = map[string]string{
	"fsa":           "anneal data eval loss prior internal/atomicfile internal/parallel internal/sealed",
	"anneal":        "",
	"loss":          "internal/kernel",
	"prior":         "",
	"eval":          "",
	"report":        "",
	"baseline":      "fsa data eval loss internal/kernel internal/parallel",
	"bench":         "fsa data data/npy data/synth scripts/peers",
	"paper":         "fsa anneal baseline data data/open data/synth eval keypoint loss motion report internal/atomicfile",
	"motion":        "fsa baseline data motion/matlab report internal/parallel",
	"keypoint":      "fsa baseline data data/open keypoint/faces keypoint/photo keypoint/pool keypoint/scan keypoint/shape report internal/atomicfile internal/parallel internal/sealed",
	"cmd/fsa":       "*",
	"scripts/peers": "",

	"internal/kernel":     "",
	"internal/parallel":   "",
	"internal/atomicfile": "",
	"internal/sealed":     "",
	"internal/lines":      "data",

	"data":           "internal/kernel internal/parallel",
	"data/csv":       "data internal/lines",
	"data/svmlight":  "data internal/lines",
	"data/challenge": "data data/csv data/svmlight internal/lines",
	"data/npy":       "data",
	"data/parquet":   "data",
	"data/panel":     "data internal/parallel",
	"data/synth":     "data",
	"data/open":      "data data/challenge data/csv data/npy data/panel data/parquet data/svmlight internal/atomicfile internal/lines",

	"keypoint/photo": "data",
	"keypoint/faces": "data",
	"keypoint/pool":  "keypoint/photo",
	"keypoint/scan":  "keypoint/photo keypoint/pool",
	"keypoint/shape": "keypoint/faces",
	"motion/matlab":  "data",

	"anneal/objectivetest":     "anneal",
	"loss/losstest":            "loss",
	"prior/priortest":          "prior",
	"data/matrixtest":          "data",
	"data/readertest":          "data",
	"motion/matlab/matlabtest": "",
}

// TestRooms keeps the directions of docs/architecture.md true: the loss does
// not see the data, the data not the loss, annealing neither.
func TestRooms(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	name := func(path string) string { return strings.TrimPrefix(path, "fsa/") }
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		pkg := name(words[0])
		allowed, listed := rooms[pkg]
		if !listed {
			t.Errorf("%s is not listed", pkg)
			continue
		}
		for _, used := range words[1:] {
			if used != "fsa" && !strings.HasPrefix(used, "fsa/") || allowed == "*" {
				continue
			}
			if !slices.Contains(strings.Fields(allowed), name(used)) {
				t.Errorf("%s must not use %s", pkg, name(used))
			}
		}
	}
}
