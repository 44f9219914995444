package main

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
)

// event is a line of events.jsonl: an epoch, or at the end how long it took.
type event struct {
	Epoch     int     `json:"epoch,omitempty"`
	Variables int     `json:"variables,omitempty"`
	Loss      float64 `json:"loss"`
	Eta       float64 `json:"eta"`
	Passes    float64 `json:"passes"`
	Seconds   float64 `json:"seconds"`
}

// timing is what a fit took. It is not part of the model, which has to be
// the same for any number of threads.
type timing struct {
	SecondsRead float64 `json:"seconds_read"`
	SecondsFit  float64 `json:"seconds_fit"`
	// BytesRead is what was read of a table that stayed on disk.
	BytesRead int64 `json:"bytes_read,omitempty"`
	// PeakBytes is the largest resident size, if the system tells.
	PeakBytes int64 `json:"peak_bytes,omitempty"`
}

// doneEvent is the last line of events.jsonl. It knows the model by its checksum, since
// a kill may leave a new model with old events.
type doneEvent struct {
	Done  bool   `json:"done"`
	Model string `json:"model,omitempty"`
	timing
}

// readTiming returns how long the fit of a model took, if its run folder tells. Sum is
// the checksum of the model's file: events of another model tell nothing.
func readTiming(model, sum string) *timing {
	path := filepath.Join(filepath.Dir(model), eventsName)
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	var last []byte
	for s := bufio.NewScanner(f); s.Scan(); {
		last = append(last[:0], s.Bytes()...)
	}
	var d doneEvent
	if json.Unmarshal(last, &d) != nil || !d.Done || d.Model != "" && d.Model != sum {
		return nil
	}
	return &d.timing
}
