package model

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// upgrades convert the body of a file to the next version: the first from 1 to 2, and so on.
var upgrades = []func(body []byte) ([]byte, error){
	// In version 1 the ridge was called shrink, and guarded was called doubted.
	func(body []byte) ([]byte, error) {
		return upgraded(body, func(m map[string]any) { rename(m["training"], "shrink", "ridge", "doubted", "guarded") })
	},
	// Version 3 has more fields in its validation.
	unchanged,
	// In version 3 all columns were plain numbers or texts, and lines had no effect of missing
	// values.
	unchanged,
	// Version 5 may have a criterion.
	unchanged,
	// Version 6 may have lines beside curves.
	unchanged,
	// Version 7 uses the words of the glossary.
	func(body []byte) ([]byte, error) { return upgraded(body, useGlossary) },
	// Version 8 may have settings of the loss and an offset.
	unchanged,
	// Version 9 may have interactions, constraints, several quantiles, several targets, discoveries and a comparison with a reference.
	unchanged,
	// Version 10 may have confidence intervals that account for the selection.
	unchanged,
	// Version 11 may have interactions that are surfaces, or curves for each category.
	unchanged,
}

// foldsUpgrades do the same for the models of the folds.
var foldsUpgrades = []func(body []byte) ([]byte, error){
	// Version 2 uses the words of the glossary.
	func(body []byte) ([]byte, error) {
		return upgraded(body, func(m map[string]any) {
			folds, _ := m["folds"].([]any)
			for _, f := range folds {
				fold, _ := f.(map[string]any)
				if spec, ok := fold["model"].(map[string]any); ok {
					useGlossary(spec)
				}
			}
		})
	},
	// Version 3 may have settings of the loss and an offset.
	unchanged,
}

func unchanged(body []byte) ([]byte, error) { return body, nil }

// useGlossary renames the fields of a model that got new names in version 7.
func useGlossary(m map[string]any) {
	variables, _ := m["variables"].([]any)
	for _, v := range variables {
		rename(v, "norm", "importance", "gaps", "missing_share", "levels", "categories")
	}
	rename(m["validation"], "shares", "inclusion")
	rename(m["stability"], "halves", "half_samples", "shares", "inclusion")
}

// upgraded changes a JSON object.
func upgraded(body []byte, change func(m map[string]any)) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber() // so that numbers keep their digits
	var m map[string]any
	if err := dec.Decode(&m); err != nil {
		return nil, fmt.Errorf("not a JSON object: %w", err)
	}
	change(m)
	return json.Marshal(m)
}

// rename renames the fields of an object: old, new, old, new and so on.
func rename(object any, names ...string) {
	m, _ := object.(map[string]any)
	for i := 0; i < len(names); i += 2 {
		if v, ok := m[names[i]]; ok {
			delete(m, names[i])
			m[names[i+1]] = v
		}
	}
}
