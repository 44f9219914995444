package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/export"
	"fsa/model"
	"fsa/validate"
)

// oneOf matches the package's list of values of a parameter.
func oneOf(words []string) string { return `_one_of("` + strings.Join(words, `", "`) + `"),` }

// tuple matches other lists of words in it.
func tuple(words []string) string { return `("` + strings.Join(words, `", "`) + `")` }

// TestPythonPackageKnowsTheSameVersions expects the Python package to read what this program
// writes: it has the same protocol, version of model files, limit for extending lines, and values
// of parameters.
func TestPythonPackageKnowsTheSameVersions(t *testing.T) {
	x, y := sample(false)
	b := data.NewBuilder("x", &data.Schema{Width: cols}, data.Roles{TargetVector: &data.Vector{Values: y}})
	if err := b.Add(&data.Block{Rows: rows, Dense: x}); err != nil {
		t.Fatal(err)
	}
	d, err := b.Dataset(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	m, err := fsa.Fit(context.Background(), d, fsa.Options{K: 1, Quick: true})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	var head struct{ Version int }
	if err := json.Unmarshal(file.Bytes(), &head); err != nil {
		t.Fatal(err)
	}
	if fsa.MaxIterations != 10_000_000 {
		t.Errorf("%d iterations: teach the package what is new", fsa.MaxIterations)
	}
	for _, c := range []struct{ file, name, want string }{
		{"_model.py", "VERSION", fmt.Sprint(head.Version)},
		{"_model.py", "MARGIN", fmt.Sprintf("%.1f", model.Margin)},
		{"_service.py", "PROTOCOL", fmt.Sprint(Protocol)},
		{"_parameters.py", "_MOST_BINS", fmt.Sprint(model.MaxBins)},
		{"_parameters.py", "_MOST_EPOCHS", "10_000_000"},
		{"_parameters.py", `    "rule":`, oneOf(validate.RuleNames())},
		{"_parameters.py", `    "heredity":`, oneOf(fsa.Heredities())},
		{"_parameters.py", `    "scale":`, oneOf(data.ScaleNames())},
		{"_parameters.py", `    "spacing":`, oneOf(data.SpacingNames())},
		{"_parameters.py", `    "storage":`, oneOf(data.StorageNames())},
		{"_parameters.py", `    "device":`, oneOf(fsa.DeviceNames())},
		{"_export.py", "_FORMATS", tuple(export.Formats())},
		{"_export.py", "_DIALECTS", tuple(export.Dialects())},
	} {
		text, err := os.ReadFile("../../python/src/fsa_select/" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(`(?m)^` + c.name + `(?: =)? (.*)$`).FindSubmatch(text)
		if found == nil || string(found[1]) != c.want {
			t.Errorf("%s of %s is %q, but %s in Go: teach the package what is new", c.name, c.file, found, c.want)
		}
	}
}
