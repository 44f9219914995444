package model

import "encoding/json"

// upgrades bring the body of a file to the next version: the first from 1 to 2, and so
// on.
var upgrades = []func(body []byte) ([]byte, error){
	// In version 1 the ridge was called shrink, and a guarded fit doubted.
	func(body []byte) ([]byte, error) {
		return renamed(body, "training", map[string]string{"shrink": "ridge", "doubted": "guarded"})
	},
	// Version 3 says more of its validation.
	func(body []byte) ([]byte, error) { return body, nil },
	// In version 3 columns were plain numbers or texts, all of them, and no line had a part
	// for missing values.
	func(body []byte) ([]byte, error) { return body, nil },
	// Version 5 may name a criterion.
	func(body []byte) ([]byte, error) { return body, nil },
	// Version 6 may have lines beside curves.
	func(body []byte) ([]byte, error) { return body, nil },
}

// renamed returns a JSON object in which fields of one of its objects have other names.
func renamed(body []byte, object string, names map[string]string) ([]byte, error) {
	var all, inner map[string]json.RawMessage
	if err := json.Unmarshal(body, &all); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(all[object], &inner); err != nil {
		return nil, err
	}
	for from, to := range names {
		if v, ok := inner[from]; ok {
			delete(inner, from)
			inner[to] = v
		}
	}
	changed, err := json.Marshal(inner)
	if err != nil {
		return nil, err
	}
	all[object] = changed
	return json.Marshal(all)
}
