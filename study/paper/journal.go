package paper

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"fsa/data"
	"fsa/internal/fault"
)

// values are the measurements of a fit, by name. What cannot be measured is left out.
type values map[string]float64

// key identifies a fit: the method, and its table.
type key struct {
	Cell   string `json:"cell"`
	Method string `json:"method"`
	Seed   uint64 `json:"seed"`
}

// entry is a line of a journal.
type entry struct {
	key
	Values values `json:"values"`
}

// journal records finished fits in a file, one line of JSON each, so that they are not repeated. A
// line is written as soon as its fit has ended.
type journal struct {
	path string
	mu   sync.Mutex
	file *fault.File
	size int64 // bytes of the complete lines in it
	done map[key]values
}

// openJournal reads a journal, which need not exist yet, and opens it for appending.
func openJournal(path string) (*journal, error) {
	text, err := fault.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	j := &journal{path: path, done: map[key]values{}}
	whole, err := j.parse(text)
	if err != nil {
		return nil, err
	}
	if err := fault.Check(fault.Open, path); err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	j.file, j.size = &fault.File{File: file}, int64(whole)
	if err := j.dropPart(); err != nil { // that was being written when the program stopped
		return nil, errors.Join(err, j.file.Close())
	}
	return j, nil
}

// dropPart removes everything after the complete lines.
func (j *journal) dropPart() error {
	err := j.file.Truncate(j.size)
	if err == nil {
		_, err = j.file.Seek(j.size, io.SeekStart)
	}
	return err
}

// parse reads the lines of a journal and returns the bytes of the complete ones.
func (j *journal) parse(text []byte) (whole int, err error) {
	for line := range bytes.Lines(text) {
		if begin := []byte(`{"cell":`); !bytes.HasSuffix(line, []byte("\n")) && bytes.HasPrefix(line, begin[:min(len(begin), len(line))]) {
			break // it was being written; anything else must not be removed
		}
		var e entry
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&e); err != nil || !bytes.HasSuffix(line, []byte("\n")) || e.Cell == "" || e.Method == "" || e.Values == nil {
			return 0, &data.Error{
				File: j.path, Line: bytes.Count(text[:whole], []byte("\n")) + 1,
				Msg: "this is not a line of a journal (cell, method, seed and values as JSON): remove the line, or the file to start again", Err: err,
			}
		}
		j.done[e.key] = e.Values
		whole += len(line)
	}
	return whole, nil
}

// add records a fit.
func (j *journal) add(k key, v values) error {
	line, err := json.Marshal(entry{k, v})
	if err != nil {
		return fmt.Errorf("paper: %s of %s: %w", k.Method, k.Cell, err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	n, err := j.file.Write(append(line, '\n'))
	if err != nil { // another fit may end before all stop, and its line must not follow a partial one
		return errors.Join(err, j.dropPart())
	}
	j.size += int64(n)
	j.done[k] = v
	return nil
}

// has reports whether a fit is finished.
func (j *journal) has(k key) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.done[k] != nil
}

func (j *journal) close() error { return j.file.Close() }
