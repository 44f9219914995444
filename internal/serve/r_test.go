package serve

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/loss"
	"fsa/model"
	"fsa/validate"
)

// quoted returns the words of a list in R.
func quoted(words []string) string { return `"` + strings.Join(words, `", "`) + `"` }

// TestRPackageKnowsTheSameVersions expects the R package to have the protocol, the version of model
// files, the values of options and the losses of this program.
func TestRPackageKnowsTheSameVersions(t *testing.T) {
	x, y := sample(false)
	_, file_ := fitted(t, x, y, nil, fsa.Options{K: 1, Quick: true})
	var head struct{ Version int }
	if err := json.Unmarshal([]byte(file_), &head); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ file, want string }{
		{"service.R", fmt.Sprintf("protocol <- %d\n", Protocol)},
		{"model.R", fmt.Sprintf("model_version <- %d\n", head.Version)},
		{"control.R", fmt.Sprintf("rule = a_word(%s)", quoted(validate.RuleNames()))},
		{"control.R", fmt.Sprintf("scale = a_word(%s)", quoted(data.ScaleNames()))},
		{"control.R", fmt.Sprintf("spacing = a_word(%s)", quoted(data.SpacingNames()))},
		{"control.R", fmt.Sprintf("storage = a_word(%s)", quoted(data.StorageNames()))},
		{"control.R", fmt.Sprintf("reference = a_word(%s)", quoted(fsa.ReferenceNames()))},
		{"control.R", fmt.Sprintf("ties = a_word(%s)", quoted(model.Ties()))},
		{"control.R", fmt.Sprintf("heredity = a_word(%s)", quoted(fsa.Heredities()))},
		{"control.R", fmt.Sprintf("constraint_kinds <- c(%s)\n", quoted(slices.DeleteFunc(model.ConstraintKinds(), func(kind string) bool { return kind == model.Bounds })))},
		{"control.R", fmt.Sprintf("device = a_word(%s)", quoted(fsa.DeviceNames()))},
	} {
		text, err := os.ReadFile("../../R/fsa/R/" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), c.want) {
			t.Errorf("R/fsa/R/%s lacks %q: teach the package what is new", c.file, c.want)
		}
	}
	text, err := os.ReadFile("../../R/fsa/R/family.R")
	if err != nil {
		t.Fatal(err)
	}
	_, families, _ := strings.Cut(string(text), "family_of <- c(")
	families, _, _ = strings.Cut(families, "\n)")
	for _, name := range loss.Names() {
		if !strings.Contains(families, " "+name+" = ") {
			t.Errorf("family_of in R/fsa/R/family.R has no loss %q: add it, and its family to the table above", name)
		}
	}
}
