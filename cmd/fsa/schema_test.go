package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fsa"
	"fsa/data/describe"
	"fsa/loss"
	"fsa/model"
	"fsa/report"
)

//go:generate go test -run TestSchema$ -update .

// outputs are what commands print with --json, by the headings of docs/json.md.
var outputs = []struct {
	heading string
	value   any
}{
	{"fit and show", summary{}},
	{"Selected variable", model.Selected{}},
	{"Interaction", model.Interaction{}},
	{"Variable of an interaction", model.Side{}},
	{"Loss settings", loss.Settings{}},
	{"Target", model.TargetColumn{}},
	{"Offset model", started{}},
	{"Constraint", model.Constraint{}},
	{"Costs", model.Costs{}},
	{"Paid", model.Paid{}},
	{"Criterion", model.Criterion{}},
	{"Criterion point", model.CriterionPoint{}},
	{"Validation", model.Validation{}},
	{"Curve point", model.ValidationPoint{}},
	{"Near tie", model.Tie{}},
	{"Reference", model.Reference{}},
	{"Discoveries", model.Discoveries{}},
	{"Rival", model.StableRival{}},
	{"Near sets", model.NearSets{}},
	{"Near set", model.NearSet{}},
	{"Increase", model.Increase{}},
	{"Test", model.Test{}},
	{"Stability", model.Stability{}},
	{"Stable variable", model.StableVariable{}},
	{"cv", crossValidated{}},
	{"Compared methods", compared{}},
	{"compare", comparedColumns{}},
	{"plan", fsa.Decision{}},
	{"predict", streamed{}},
	{"Contributions", streamedContributions{}},
	{"describe", describe.Report{}},
	{"Column", describe.Column{}},
	{"Problem", describe.Problem{}},
	{"runs", runList{}},
	{"Run", report.Entry{}},
}

// streamed has the keys of what predict prints, which it writes list by list.
type streamed struct {
	predicted
	Decision    []float64  `json:"decision,omitempty"`
	Prediction  []float64  `json:"prediction,omitempty"`
	Survival    []float64  `json:"survival,omitempty"`
	Probability []float64  `json:"probability,omitempty"`
	Class       []string   `json:"class,omitempty"`
	Low         []float64  `json:"low,omitempty"`
	High        []float64  `json:"high,omitempty"`
	Sets        [][]string `json:"sets,omitempty"`
	// Kept holds the columns to copy, by their names.
	Kept          map[string][]string    `json:"kept,omitempty"`
	Contributions *streamedContributions `json:"contributions,omitempty"`
}

type streamedContributions struct {
	Variables []string  `json:"variables"`
	Intercept []float64 `json:"intercept"`
	Adds      []float64 `json:"adds"`
}

// docs/json.md describes the keys that the commands print, and docs/schema.json is generated from
// both.
func TestSchema(t *testing.T) {
	const path = "../../docs/schema.json"
	described := describedKeys(t)
	headings := map[reflect.Type]string{}
	for _, o := range outputs {
		headings[reflect.TypeOf(o.value)] = o.heading
	}
	defs := map[string]any{}
	for _, o := range outputs {
		properties, required := map[string]any{}, []string{}
		for _, f := range jsonFields(reflect.TypeOf(o.value), o.heading != "cv") {
			s := schemaOf(f.of, headings)
			text, ok := described[o.heading][f.name]
			if !ok {
				t.Errorf("docs/json.md, %s: the key %s is missing", o.heading, f.name)
			}
			s["description"] = text
			properties[f.name] = s
			if !f.optional {
				required = append(required, f.name)
			}
			delete(described[o.heading], f.name)
		}
		for name := range described[o.heading] {
			t.Errorf("docs/json.md, %s: there is no key %s", o.heading, name)
		}
		def := map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
		if o.heading == "cv" { // and all keys of Validation
			validation := defs["Validation"].(map[string]any)
			maps.Copy(properties, validation["properties"].(map[string]any))
			def["required"] = append(required, validation["required"].([]string)...)
		}
		defs[o.heading] = def
	}
	text, err := json.MarshalIndent(map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   fmt.Sprintf("JSON output of fsa, version %d", jsonSchema),
		"$defs":   defs,
	}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if *update {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if string(read(t, path)) != string(text) {
		t.Errorf("%s is not up to date: run go generate ./cmd/fsa", path)
	}
}

// What commands print is valid according to docs/schema.json.
func TestOutputsMatchSchema(t *testing.T) {
	var schema struct {
		Defs map[string]map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(read(t, "../../docs/schema.json"), &schema); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	writeDated(t, "t.csv")
	must(t, "generate", "ar1", "--n", "100", "--m", "10", "--k", "2", "--out", "c.csv")
	for _, c := range []struct {
		heading string
		list    bool
		args    []string
	}{
		{"fit and show", false, []string{"fit", "t.csv", "--target", "price", "-k", "1:2", "--bins", "3", "--stability", "2", "--holdout", "0.2", "--out", "run"}},
		{"fit and show", false, []string{"show", "run"}},
		{"fit and show", false, []string{"fit", "c.csv", "--target", "y", "--fdr", "0.2"}},
		{"fit and show", false, []string{"fit", "c.csv", "--target", "y", "--quick"}},
		{"cv", false, []string{"cv", "c.csv", "--target", "y", "-k", "1:3", "--folds", "3"}},
		{"fit and show", false, []string{"fit", "c.csv", "--target", "y", "-k", "2", "--rivals"}},
		{"Compared methods", true, []string{"cv", "c.csv", "--target", "y", "-k", "2", "--method", "l1,fsa", "--folds", "3"}},
		{"plan", true, []string{"fit", "c.csv", "--target", "y", "--plan"}},
		{"predict", false, []string{"predict", "run", "t.csv", "--interval", "0.8", "--contributions"}},
		{"describe", false, []string{"describe", "t.csv", "--target", "price"}},
		{"compare", false, []string{"compare", "run", "--columns", "noise"}},
		{"runs", false, []string{"runs"}},
	} {
		var got any
		if err := json.Unmarshal([]byte(must(t, append(c.args, "--json")...)), &got); err != nil {
			t.Fatal(err)
		}
		all := []any{got}
		if c.list {
			all = got.([]any)
		}
		for _, v := range all {
			if problem := invalid(v, schema.Defs[c.heading], schema.Defs); problem != "" {
				t.Errorf("%s: %s", filepath.Join(c.args...), problem)
			}
		}
	}
}

// describedKeys reads the tables of docs/json.md: what keys mean, by heading.
func describedKeys(t *testing.T) map[string]map[string]string {
	found, heading := map[string]map[string]string{}, ""
	for line := range strings.Lines(string(read(t, "../../docs/json.md"))) {
		if text, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && line[0] == '#' {
			heading = strings.TrimSpace(text)
			found[heading] = map[string]string{}
			continue
		}
		cells := strings.Split(line, "|")
		if len(cells) != 4 || !strings.Contains(cells[1], "`") {
			continue
		}
		for i, name := range strings.Split(cells[1], "`") {
			if i%2 == 1 {
				found[heading][name] = strings.TrimSpace(cells[2])
			}
		}
	}
	return found
}

// jsonField is a key of an object.
type jsonField struct {
	name     string
	of       reflect.Type
	optional bool
}

// jsonFields lists the keys of a struct, with those of embedded structs or without.
func jsonFields(of reflect.Type, embedded bool) (list []jsonField) {
	for i := range of.NumField() {
		f := of.Field(i)
		if f.Anonymous {
			if embedded {
				list = append(list, jsonFields(f.Type, true)...)
			}
			continue
		}
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.IsExported() && name != "-" {
			list = append(list, jsonField{name, f.Type, strings.HasPrefix(option, "omit")})
		}
	}
	return list
}

// schemaOf returns the schema of the values of a type. A pointer may be null.
func schemaOf(of reflect.Type, headings map[reflect.Type]string) map[string]any {
	switch of.Kind() {
	case reflect.Pointer:
		s := schemaOf(of.Elem(), headings)
		if kind, ok := s["type"].(string); ok {
			s["type"] = []string{kind, "null"}
		}
		return s
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Interface: // the intercept
		return map[string]any{"type": []string{"number", "array"}}
	case reflect.Slice, reflect.Array:
		return map[string]any{"type": "array", "items": schemaOf(of.Elem(), headings)}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": schemaOf(of.Elem(), headings)}
	}
	heading, ok := headings[of]
	if !ok {
		panic(fmt.Sprintf("%v is not in outputs", of))
	}
	return map[string]any{"$ref": "#/$defs/" + heading}
}

// invalid says where a value differs from a schema, for the parts of JSON Schema that this one
// uses.
func invalid(v any, schema map[string]any, defs map[string]map[string]any) string {
	if ref, ok := schema["$ref"].(string); ok {
		return invalid(v, defs[strings.TrimPrefix(ref, "#/$defs/")], defs)
	}
	kind := "null"
	switch v := v.(type) {
	case bool:
		kind = "boolean"
	case string:
		kind = "string"
	case float64:
		if kind = "number"; v == float64(int64(v)) {
			kind = "integer"
		}
	case []any:
		kind = "array"
	case map[string]any:
		kind = "object"
	}
	allowed := fmt.Sprint(schema["type"])
	if !strings.Contains(allowed, kind) && !(kind == "integer" && strings.Contains(allowed, "number")) {
		return fmt.Sprintf("%v is a %s, not a %s", v, kind, allowed)
	}
	switch v := v.(type) {
	case []any:
		items, _ := schema["items"].(map[string]any)
		for _, e := range v {
			if problem := invalid(e, items, defs); items != nil && problem != "" {
				return problem
			}
		}
	case map[string]any:
		properties, _ := schema["properties"].(map[string]any)
		others, _ := schema["additionalProperties"].(map[string]any)
		required, _ := schema["required"].([]any)
		for _, name := range required {
			if _, ok := v[name.(string)]; !ok {
				return fmt.Sprintf("the key %s is missing", name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			of, ok := properties[name].(map[string]any)
			if !ok {
				of = others
			}
			if of == nil {
				return fmt.Sprintf("the key %s is not in the schema", name)
			}
			if problem := invalid(v[name], of, defs); problem != "" {
				return name + ": " + problem
			}
		}
	}
	return ""
}
