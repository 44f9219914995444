// Package runs writes and reads run folders: a model, its record and what a report is made of.
package runs

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"fsa"
	"fsa/internal/atomicfile"
	"fsa/internal/fault"
	"fsa/internal/manifest"
	"fsa/model"
)

// Folder is the folder where a fit writes its model, a table of the selected variables and its
// record. The files appear when the fit is complete; until then, an earlier run in the folder
// remains.
type Folder struct {
	Path    string
	Older   time.Time // time of the previous model in it; zero if there was none
	Earlier []byte    // lines of the fit that this one continues

	made   bool // the folder did not exist before
	events *atomicfile.File
	more   []attached
	list   manifest.Manifest // checksums of the written files
	leave  func()            // releases the lock of the folder
	room   func()            // releases the file handles reserved for saving

	mu     sync.Mutex
	lines  []byte        // all lines that were written, except the last
	before time.Duration // duration of the fit that this one continues
}

// attached is an additional file of the folder. write gets the checksum of the model, or "" if there
// is none.
type attached struct {
	name  string
	write func(w io.Writer, model string) error
}

// Attach adds a file that appears together with the others.
func (f *Folder) Attach(name string, write func(w io.Writer, model string) error) {
	f.more = append(f.more, attached{name, write})
}

// create creates a file of the folder, and records its checksum when it has been written.
func (f *Folder) create(name string, write func(w io.Writer) error) (*atomicfile.File, error) {
	file, err := atomicfile.Create(filepath.Join(f.Path, name))
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	if err := write(io.MultiWriter(file, sum)); err != nil {
		file.Abort()
		return nil, err
	}
	f.list.Files[name] = manifest.Sum(sum)
	return file, nil
}

// commitAll writes the added files, with the checksum of the model, and makes them appear together
// with the given ones. The list of all files appears last, so a folder with files of two runs can
// be recognised.
func (f *Folder) commitAll(model string, with ...*atomicfile.File) error {
	f.room()
	files := with
	defer func() {
		for _, f := range files {
			f.Abort()
		}
	}()
	for _, m := range f.more {
		file, err := f.create(m.name, func(w io.Writer) error { return m.write(w, model) })
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	list, err := atomicfile.Create(filepath.Join(f.Path, manifest.Name))
	if err != nil {
		return err
	}
	files = append(files, list)
	if err := f.list.Write(list); err != nil {
		return err
	}
	return atomicfile.CommitAll(files...)
}

// sweep removes files of an earlier run that this run has not replaced.
func (f *Folder) sweep() {
	for _, name := range OptionalFiles() {
		if !slices.ContainsFunc(f.more, func(m attached) bool { return m.name == name }) {
			os.Remove(filepath.Join(f.Path, name)) // if it exists
		}
	}
}

// CommitAttached makes the added files appear, without a model. Other files in the folder remain.
func (f *Folder) CommitAttached() error {
	older, err := manifest.Read(f.Path)
	if err != nil {
		return err
	}
	maps.Copy(f.list.Files, older.Files)
	return f.commitAll("")
}

// BusyError is the error for a folder in which another fit is running.
type BusyError struct{ Folder string }

func (e *BusyError) Error() string { return "another fit is running in " + e.Folder }

// savingFiles is the number of files that are open at the same time while a run folder is written.
const savingFiles = 24

// New creates the folder, or fails before any work is done.
func New(path string) (*Folder, error) {
	f := &Folder{Path: path, list: manifest.Manifest{Files: map[string]string{}}}
	_, err := os.Stat(path)
	f.made = os.IsNotExist(err)
	if info, err := os.Stat(f.Model()); err == nil {
		f.Older = info.ModTime()
	}
	if err := fault.MkdirAll(path); err != nil {
		return nil, fmt.Errorf("the folder for the results cannot be created: %w", err)
	}
	for _, name := range slices.Concat([]string{ModelName, TableName, manifest.Name}, OptionalFiles()) {
		if err := atomicfile.Replaceable(filepath.Join(path, name)); err != nil {
			return nil, fmt.Errorf("the results cannot be written: %w", err)
		}
	}
	var free bool
	if f.leave, free = atomicfile.Hold(path); !free {
		return nil, &BusyError{path}
	}
	if f.room, err = atomicfile.Reserve(savingFiles); err != nil {
		f.leave()
		return nil, fmt.Errorf("too few files may be open to save the results (ulimit -n): %w", err)
	}
	if f.events, err = atomicfile.Create(filepath.Join(path, EventsName)); err != nil {
		f.room()
		f.leave()
		return nil, fmt.Errorf("the folder for the results cannot be written: %w", err)
	}
	return f, nil
}

// Model returns the path of the model.
func (f *Folder) Model() string { return filepath.Join(f.Path, ModelName) }

// Commit makes all files appear, or none.
func (f *Folder) Commit(m *model.Model, t Timing) error {
	f.room()
	file, err := f.create(ModelName, func(w io.Writer) error {
		_, err := m.WriteTo(w)
		return err
	})
	if err != nil {
		return err
	}
	name := f.list.Files[ModelName]
	f.goOn(math.MaxInt)
	f.Attach(TableName, func(w io.Writer, _ string) error { return writeSelected(w, m) })
	f.line(doneEvent{true, name, t})
	sum := sha256.New()
	sum.Write(f.Written())
	f.list.Files[EventsName] = manifest.Sum(sum)
	err = f.commitAll(name, file, f.events)
	if err == nil || errors.As(err, new(*atomicfile.NotLasting)) {
		f.sweep()
	}
	return err
}

// Abort restores the folder, unless the run was committed.
func (f *Folder) Abort() {
	defer f.leave()
	f.room()
	f.events.Abort()
	if f.made {
		os.Remove(f.Path) // only if it is empty
	}
}

// Epoch records an epoch. Errors are stored and returned by Commit.
func (f *Folder) Epoch(p fsa.Progress, since time.Duration) {
	f.goOn(p.Epoch.Epoch)
	f.line(Event{p.Epoch.Epoch, p.Groups, p.Loss, p.Eta, p.Passes, (f.before + since).Seconds()})
}

// goOn writes the epochs of an earlier fit before the given epoch.
func (f *Folder) goOn(next int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for line := range bytes.Lines(f.Earlier) {
		var e Event
		if json.Unmarshal(line, &e) != nil || e.Epoch < 1 || e.Epoch >= next {
			break
		}
		f.events.Write(line)
		f.lines = append(f.lines, line...)
		f.before = time.Duration(e.Seconds * float64(time.Second))
	}
	f.Earlier = nil
}

func (f *Folder) line(v any) {
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

// Written returns the lines written so far.
func (f *Folder) Written() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append(bytes.Clone(f.lines), f.Earlier...)
}

// Event is a line of events.jsonl: an epoch, or at the end the duration of the fit.
type Event struct {
	Epoch     int     `json:"epoch,omitempty"`
	Variables int     `json:"variables,omitempty"`
	Loss      float64 `json:"loss"`
	Eta       float64 `json:"eta"`
	Passes    float64 `json:"passes"`
	Seconds   float64 `json:"seconds"`
}

// Timing is the cost of a fit. It is not part of the model, which must not depend on the number of
// threads.
type Timing struct {
	SecondsRead float64 `json:"seconds_read"`
	SecondsFit  float64 `json:"seconds_fit"`
	// BytesRead is the number of bytes read from a table that stayed on disk, or from its files by
	// all processes of a grid.
	BytesRead int64 `json:"bytes_read,omitempty"`
	// PeakBytes is the largest resident size, if the system reports it.
	PeakBytes int64 `json:"peak_bytes,omitempty"`
}

// doneEvent is the last line of events.jsonl. It identifies the model by its checksum, because a
// kill may leave a new model with old events.
type doneEvent struct {
	Done  bool   `json:"done"`
	Model string `json:"model,omitempty"`
	Timing
}

// ReadTiming returns the duration of the fit of a model, if its run folder has it. sum is the
// checksum of the model file: events of another model are ignored.
func ReadTiming(model, sum string) *Timing {
	path := filepath.Join(filepath.Dir(model), EventsName)
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
	return &d.Timing
}
