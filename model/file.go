package model

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"fsa/data"
	"fsa/internal/atomicfile"
	"fsa/internal/fault"
	"fsa/internal/sealed"
)

// A model file is JSON: its type, a version, a checksum, and the model. The checksum is over the
// bytes of the model, so a truncated or edited file is detected. If a field changes, increase the
// version and add a line to upgrades.

var modelFile = sealed.Kind{Format: "fsa-model", Version: 11, What: "a model of fsa"}

const maxFile = 4 << 30

type envelope struct {
	sealed.Head
	Model json.RawMessage `json:"model"`
}

// ErrModelFile is wrapped by errors about an invalid model file.
var ErrModelFile = fmt.Errorf("not a usable model: %w", data.ErrBadData)

// WriteTo writes the model as JSON.
func (m *Model) WriteTo(w io.Writer) (int64, error) {
	body, err := json.Marshal(&m.spec)
	if err != nil {
		return 0, fmt.Errorf("model: %w", err)
	}
	head := modelFile.Seal(body)
	head.Program = m.Program()
	file, err := json.Marshal(envelope{head, body})
	if err != nil {
		return 0, fmt.Errorf("model: %w", err)
	}
	n, err := w.Write(append(file, '\n'))
	return int64(n), err
}

// Save writes the model to a file, completely or not at all.
func (m *Model) Save(path string) error {
	return atomicfile.WriteFile(path, func(w io.Writer) error {
		_, err := m.WriteTo(w)
		return err
	})
}

// Load reads a model from a file.
func Load(path string) (*Model, error) {
	f, err := fault.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// Sniff reports whether a file that begins with head may be a model.
func Sniff(head []byte) bool { return modelFile.Sniff(head) == nil }

// readAs reads a file of the given kind.
func readAs(kind sealed.Kind, r io.Reader) ([]byte, error) {
	in := bufio.NewReaderSize(io.LimitReader(r, maxFile), sealed.HeadBytes)
	head, err := in.Peek(sealed.HeadBytes)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if err := kind.Sniff(head); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModelFile, err)
	}
	return io.ReadAll(in)
}

// Read reads a model and checks every field of it.
func Read(r io.Reader) (*Model, error) {
	refuse := func(format string, a ...any) error {
		return fmt.Errorf("%w: %s", ErrModelFile, fmt.Sprintf(format, a...))
	}
	file, err := readAs(modelFile, r)
	if err != nil {
		return nil, err
	}
	var e envelope
	if err := json.Unmarshal(file, &e); err != nil {
		return nil, refuse("it is cut off or not JSON")
	}
	m := &Model{program: e.Program}
	if err := modelFile.Open(e.Head, e.Model, &m.spec, upgrades...); err != nil {
		return nil, refuse("%v", err)
	}
	if err := m.spec.check(); err != nil {
		return nil, refuse("%v", err)
	}
	return m, nil
}
