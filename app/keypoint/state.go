package keypoint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"fsa/data"
	"fsa/internal/atomicfile"
	"fsa/internal/fault"
)

// savedRound is a saved round: the examples that it added, and the detector. The bytes of the
// examples are computed again when needed.
type savedRound struct {
	Settings  string          `json:"settings"`
	Record    RoundRecord     `json:"record"`
	Negatives []Example       `json:"negatives"`
	File      json.RawMessage `json:"detector"`

	detector *Detector
}

// settings identifies a training run: other settings may give other detectors.
func (t *trainer) settings() string {
	return fmt.Sprintf("%s %s %s photos=%d positives=%d negatives=%d seed=%d %s", t.Point, t.Learner.Name, t.pool.ID(), len(t.album.photos), len(t.positive), t.Negatives, t.Seed, t.Learner.Settings)
}

// roundPath is the file of a round in the folder of a training.
func roundPath(state string, round int) string {
	return filepath.Join(state, fmt.Sprintf("round-%02d.json", round))
}

// load returns the rounds that are saved in the folder of the training.
func (t *trainer) load() ([]savedRound, error) {
	if t.State == "" {
		return nil, nil
	}
	if err := fault.MkdirAll(t.State); err != nil {
		return nil, err
	}
	var out []savedRound
	for round := 0; round <= t.Rounds; round++ {
		path := roundPath(t.State, round)
		file, err := fault.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		var s savedRound
		if err := json.Unmarshal(file, &s); err != nil {
			return nil, &data.Error{File: path, Msg: "this is not the record of a training round: remove it to repeat the round", Err: err}
		}
		if s.Settings != t.settings() {
			return nil, &data.Error{File: path, Msg: fmt.Sprintf("this round belongs to a training with other settings (%s): use another folder, or remove it", s.Settings)}
		}
		if s.detector, err = ReadDetector(bytes.NewReader(s.File), path); err != nil {
			return nil, err
		}
		for _, e := range s.Negatives {
			if !t.exists(e) {
				return nil, &data.Error{File: path, Msg: fmt.Sprintf("there is no window %+v: remove the file to repeat the round", e)}
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// exists reports whether there is such a window.
func (t *trainer) exists(e Example) bool {
	if e.Photo < 0 || e.Photo >= len(t.album.photos) {
		return false
	}
	sizes := levelSizes(t.album.photos[e.Photo])
	return e.Level >= 0 && e.Level < len(sizes) && e.X >= 0 && e.Y >= 0 && e.X < sizes[e.Level].w && e.Y < sizes[e.Level].h
}

// save saves a round, if there is a folder for it.
func (t *trainer) save(round int, negatives []Example, d *Detector, record RoundRecord) error {
	if t.State == "" {
		return nil
	}
	var file bytes.Buffer
	if _, err := d.WriteTo(&file); err != nil {
		return err
	}
	return atomicfile.WriteFile(roundPath(t.State, round), func(w io.Writer) error {
		return json.NewEncoder(w).Encode(savedRound{Settings: t.settings(), Record: record, Negatives: negatives, File: file.Bytes()})
	})
}
