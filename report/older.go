package report

import (
	"bytes"
	"encoding/json"
)

// older maps the field names of files beside models up to version 6 to the current names.
var older = map[string]string{"shares": "inclusion", "halves": "half_samples", "levels": "categories"}

// renamed changes the fields of a file to their current names: those of the object, and those of
// its variables.
func renamed(text []byte) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber() // so that numbers keep their digits
	var file map[string]any
	if err := dec.Decode(&file); err != nil {
		return nil, err
	}
	objects := []any{file}
	if variables, ok := file["variables"].([]any); ok {
		objects = append(objects, variables...)
	}
	changed := false
	for _, o := range objects {
		m, _ := o.(map[string]any)
		for from, to := range older {
			if v, ok := m[from]; ok {
				delete(m, from)
				m[to], changed = v, true
			}
		}
	}
	if !changed {
		return text, nil
	}
	return json.Marshal(file)
}
