package keypoint

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"fsa/app/keypoint/pool"
	"fsa/data"
	"fsa/internal/atomicfile"
	"fsa/internal/fault"
	"fsa/internal/sealed"
	"fsa/model"
)

// A detector file is JSON: the format, a version, a checksum over the bytes of the detector, the
// detector, and the file of its model.

var detectors = sealed.Kind{Format: "fsa-keypoint", Version: 1, What: "a keypoint detector, as fsa keypoint train makes one"}

const maxDetector = 256 << 20

type detectorFile struct {
	sealed.Head
	Detector json.RawMessage `json:"detector"`
	Model    json.RawMessage `json:"model"`
}

// Sniff reports whether a file that begins with head may be a detector.
func Sniff(head []byte) bool { return detectors.Sniff(head) == nil }

// WriteTo writes the detector as JSON.
func (d *Detector) WriteTo(w io.Writer) (int64, error) {
	body, err := json.Marshal(d.spec)
	if err != nil {
		return 0, err
	}
	var model bytes.Buffer
	if _, err := d.model.WriteTo(&model); err != nil {
		return 0, err
	}
	file, err := json.Marshal(detectorFile{detectors.Seal(body), body, model.Bytes()})
	if err != nil {
		return 0, err
	}
	n, err := w.Write(append(file, '\n'))
	return int64(n), err
}

// Save writes the detector to a file, which appears completely or not at all.
func (d *Detector) Save(path string) error {
	return atomicfile.WriteFile(path, func(w io.Writer) error {
		_, err := d.WriteTo(w)
		return err
	})
}

// LoadDetector reads a detector from a file.
func LoadDetector(path string) (*Detector, error) {
	f, err := fault.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadDetector(f, path)
}

// ReadDetector reads a detector and checks every field; name is for messages. A detector with
// another pool of features is refused.
func ReadDetector(r io.Reader, name string) (*Detector, error) {
	refuse := func(format string, a ...any) error {
		return &data.Error{File: name, Msg: "not a usable detector: " + fmt.Sprintf(format, a...)}
	}
	in := bufio.NewReaderSize(io.LimitReader(r, maxDetector+1), sealed.HeadBytes)
	head, err := in.Peek(sealed.HeadBytes)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if err := detectors.Sniff(head); err != nil {
		return nil, refuse("%v", err)
	}
	file, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	var e detectorFile
	if err := json.Unmarshal(file, &e); err != nil || len(file) > maxDetector {
		return nil, refuse("it is cut off or not JSON")
	}
	d := &Detector{}
	if err := detectors.Open(e.Head, e.Detector, &d.spec); err != nil {
		return nil, refuse("%v", err)
	}
	p, err := pool.New(d.spec.Pool.Haar, d.spec.Pool.Seed)
	if err != nil {
		return nil, refuse("%v", err)
	}
	if p.ID() != d.spec.PoolID {
		return nil, refuse("it was trained on the pool of features %s, but this program makes the pool %s: train it again", d.spec.PoolID, p.ID())
	}
	if d.model, err = model.Read(bytes.NewReader(e.Model)); err != nil {
		return nil, refuse("%v", err)
	}
	if err := d.prepare(p); err != nil {
		return nil, refuse("%v", err)
	}
	return d, nil
}
