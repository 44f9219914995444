package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"fsa"
	"fsa/internal/atomicfile"
	"fsa/internal/fault"
	"fsa/model"
)

// runFolder is where a fit leaves its model, a table of what it selected and its record.
// The files appear when the fit is done; until then an earlier run in the folder stays.
type runFolder struct {
	path   string
	made   bool      // the folder was not there before
	older  time.Time // of a model that was in it; zero without
	events *atomicfile.File
	more   []runFile

	mu      sync.Mutex
	lines   []byte        // that were written, but the last
	earlier []byte        // those of a fit that this one goes on with, as far as it did
	before  time.Duration // that it took until then
}

// runFile is another file of the folder. It is told the checksum of the model, which is
// empty where there is none.
type runFile struct {
	name  string
	write func(w io.Writer, model string) error
}

// attach adds a file that appears with the others.
func (f *runFolder) attach(name string, write func(w io.Writer, model string) error) {
	f.more = append(f.more, runFile{name, write})
}

// attached writes the files that were added, without letting them appear.
func (f *runFolder) attached(sum string) (files []*atomicfile.File, err error) {
	for _, m := range f.more {
		file, err := atomicfile.Create(filepath.Join(f.path, m.name))
		if err != nil {
			return files, err
		}
		files = append(files, file)
		if err := m.write(file, sum); err != nil {
			return files, err
		}
	}
	return files, nil
}

// sweep removes what an earlier run has left and this one has not replaced.
func (f *runFolder) sweep() {
	for _, name := range optionalFiles() {
		if !slices.ContainsFunc(f.more, func(m runFile) bool { return m.name == name }) {
			os.Remove(filepath.Join(f.path, name)) // if it is there
		}
	}
}

// commitAttached lets the files that were added appear, without a model.
func (f *runFolder) commitAttached() error {
	files, err := f.attached("")
	defer abortAll(files)
	if err != nil {
		return err
	}
	return atomicfile.CommitAll(files...)
}

func abortAll(files []*atomicfile.File) {
	for _, f := range files {
		f.Abort()
	}
}

// newRunFolder makes the folder, or fails before any work is done.
func newRunFolder(path string) (*runFolder, error) {
	f := &runFolder{path: path}
	_, err := os.Stat(path)
	f.made = os.IsNotExist(err)
	if info, err := os.Stat(f.model()); err == nil {
		f.older = info.ModTime()
	}
	if err := fault.MkdirAll(path); err != nil {
		return nil, fmt.Errorf("the folder for the results cannot be made: %w", err)
	}
	if f.events, err = atomicfile.Create(filepath.Join(path, eventsName)); err != nil {
		return nil, fmt.Errorf("the folder for the results cannot be written: %w", err)
	}
	return f, nil
}

func (f *runFolder) model() string { return filepath.Join(f.path, modelName) }

// commit lets all files appear, or none.
func (f *runFolder) commit(m *model.Model, t timing) error {
	file, err := atomicfile.Create(f.model())
	if err != nil {
		return err
	}
	defer file.Abort()
	sum := sha256.New()
	if _, err := m.WriteTo(io.MultiWriter(file, sum)); err != nil {
		return err
	}
	name := hashName(sum)
	f.goOn(math.MaxInt)
	f.attach(tableName, func(w io.Writer, _ string) error { return writeSelected(w, m) })
	f.line(doneEvent{true, name, t})
	more, err := f.attached(name)
	defer abortAll(more)
	if err != nil {
		return err
	}
	err = atomicfile.CommitAll(append(more, file, f.events)...)
	if err == nil || errors.As(err, new(*atomicfile.NotLasting)) {
		f.sweep()
	}
	return err
}

// abort leaves the folder as it was, unless the run was committed.
func (f *runFolder) abort() {
	f.events.Abort()
	if f.made {
		os.Remove(f.path) // only if it is empty
	}
}

// epoch records an epoch. Errors stay in the file and show on commit.
func (f *runFolder) epoch(p fsa.Progress, since time.Duration) {
	f.goOn(p.Epoch.Epoch)
	f.line(event{p.Epoch.Epoch, p.Groups, p.Loss, p.Eta, p.Passes, (f.before + since).Seconds()})
}

// goOn writes the epochs before the given one that an earlier fit has done.
func (f *runFolder) goOn(next int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for line := range bytes.Lines(f.earlier) {
		var e event
		if json.Unmarshal(line, &e) != nil || e.Epoch < 1 || e.Epoch >= next {
			break
		}
		f.events.Write(line)
		f.lines = append(f.lines, line...)
		f.before = time.Duration(e.Seconds * float64(time.Second))
	}
	f.earlier = nil
}

func (f *runFolder) line(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		return
	}
	b = append(b, '\n')
	f.events.Write(b)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lines = append(f.lines, b...)
}

// written returns the lines so far.
func (f *runFolder) written() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append(bytes.Clone(f.lines), f.earlier...)
}

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
