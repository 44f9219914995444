package keypoint

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"

	"fsa/app/keypoint/faces"
	"fsa/internal/atomicfile"
	"fsa/internal/fault"
)

// foundFile is detections in a file.
type foundFile struct {
	Key        string        `json:"key"`
	Detections [][]Detection `json:"detections"`
}

// procedure is the version of the part of [Detector.Detect] that works on scores. Detections saved
// by an earlier version are not used.
const procedure = "2"

// foundKey identifies the detections of a detector on photographs.
func foundKey(d *Detector, photos []*faces.Photo) (string, error) {
	hash := sha256.New()
	io.WriteString(hash, procedure+"\n")
	if _, err := d.WriteTo(hash); err != nil {
		return "", err
	}
	for _, p := range photos {
		io.WriteString(hash, p.Image+"\n")
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// loadFound returns the detections in a file. It returns nil, so that they are computed again, if
// the file does not match the key.
func loadFound(path, key string, photos []*faces.Photo, point faces.Point) *Found {
	file, err := fault.ReadFile(path)
	if err != nil {
		return nil
	}
	var f foundFile
	if json.Unmarshal(file, &f) != nil || f.Key != key || len(f.Detections) != len(photos) {
		return nil
	}
	return &Found{Photos: photos, Point: point, Detections: f.Detections}
}

func saveFound(path, key string, f *Found) error {
	return atomicfile.WriteFile(path, func(w io.Writer) error {
		return json.NewEncoder(w).Encode(foundFile{key, f.Detections})
	})
}

// savedDetector reads the detector of a saved round.
func savedDetector(path string) (*Detector, error) {
	file, err := fault.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var s savedRound
	if err := json.Unmarshal(file, &s); err != nil {
		return nil, err
	}
	return ReadDetector(bytes.NewReader(s.File), path)
}
