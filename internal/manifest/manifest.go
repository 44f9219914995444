// Package manifest records which files of a folder belong together.
//
// Several files cannot be renamed at the same instant, and a program that is killed while it
// renames them leaves files of two runs side by side. So the list of files, with a checksum of
// each, is renamed last, and readers of the folder compare the files with it.
package manifest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"fsa/internal/fault"
)

// Name is the name of the list.
const Name = "files.json"

// mostBytes limits the size of a list: a larger one was not written by the program.
const mostBytes = 1 << 20

// Manifest lists the files of a folder.
type Manifest struct {
	// Files has the checksum of each file by its name, as [Sum] writes it.
	Files map[string]string `json:"files"`

	damaged bool // it cannot be read
}

// Sum writes a checksum.
func Sum(h hash.Hash) string { return "sha256:" + hex.EncodeToString(h.Sum(nil)) }

// Read returns the list of a folder, without files if there is none.
func Read(folder string) (*Manifest, error) {
	m := &Manifest{Files: map[string]string{}}
	path := filepath.Join(folder, Name)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return m, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > mostBytes:
		return damaged(), nil
	}
	text, err := fault.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if json.Unmarshal(text, m) != nil || m.Files == nil {
		return damaged(), nil
	}
	return m, nil
}

// damaged returns a list that cannot be read.
func damaged() *Manifest { return &Manifest{Files: map[string]string{}, damaged: true} }

// Write writes the list.
func (m *Manifest) Write(w io.Writer) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}

// How often, and at what interval, a folder is checked before its files are reported as belonging
// to different runs: a program may be about to rename the rest.
const (
	looks = 5
	pause = 50 * time.Millisecond
)

// Changed returns the files of a folder that do not match its list, sorted: all listed files, or
// the given ones. A given file that exists but is not in the list counts as changed. Missing
// files, and a folder without a list, do not.
func Changed(folder string, some ...string) ([]string, error) {
	var changed []string
	for look := range looks {
		if look > 0 {
			time.Sleep(pause)
		}
		m, err := Read(folder)
		if err != nil {
			return nil, err
		}
		if changed, err = m.changed(folder, some); err != nil || changed == nil {
			return nil, err
		}
	}
	return changed, nil
}

func (m *Manifest) changed(folder string, some []string) (names []string, err error) {
	if m.damaged {
		return []string{Name}, nil
	}
	listed := slices.Collect(maps.Keys(m.Files))
	if len(listed) > 0 && some != nil {
		listed = some
	}
	for _, name := range listed {
		if name != filepath.Base(name) {
			continue
		}
		have, err := sumOf(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		if have != m.Files[name] && have != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// sumOf returns the checksum of a file, empty if there is none.
func sumOf(path string) (string, error) {
	if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return "", nil
	}
	f, err := fault.OpenFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return Sum(sum), nil
}
