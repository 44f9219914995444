package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"fsa/internal/fault"
	"fsa/internal/manifest"
)

// ErrDamaged is wrapped by errors about a damaged file of a run folder.
var ErrDamaged = errors.New("fit again, or remove the file")

// damaged returns an error about a file of a run folder.
func damaged(path, format string, a ...any) error {
	return fmt.Errorf("report: %s: %s: %w", path, fmt.Sprintf(format, a...), ErrDamaged)
}

// maxFile is the largest size of a file of a run folder: a larger one was not written by a fit.
const maxFile = 1 << 30

// ReadFolder reads the files beside the model in its folder; model is the checksum of the model. It
// ignores files that are missing, belong to another model, or have changed since the last complete
// fit.
func (r *Run) ReadFolder(folder, model string) error {
	changed, err := manifest.Changed(folder, append([]string{RowsName, CurveName, StabilityName}, Recorded...)...)
	if err != nil {
		return err
	}
	r.Record = new(RunRecord)
	r.Path, r.Densities, r.Correlation, r.Examples = new(Path), new(Densities), new(Correlation), new(Examples)
	r.Stability = new(Stability)
	curve := new(Curve)
	for _, f := range []struct {
		name  string
		into  any
		head  *Header
		leave func()
	}{
		{RunName, r.Record, &r.Record.Header, func() { r.Record = nil }},
		{PathName, r.Path, &r.Path.Header, func() { r.Path = nil }},
		{DensitiesName, r.Densities, &r.Densities.Header, func() { r.Densities = nil }},
		{CorrelationName, r.Correlation, &r.Correlation.Header, func() { r.Correlation = nil }},
		{ExamplesName, r.Examples, &r.Examples.Header, func() { r.Examples = nil }},
		{StabilityName, r.Stability, &r.Stability.Header, func() { r.Stability = nil }},
		{CurveName, curve, &curve.Header, func() { curve = nil }},
	} {
		if slices.Contains(changed, f.name) {
			f.leave()
			continue
		}
		found, err := readJSON(filepath.Join(folder, f.name), f.into)
		if err != nil {
			return err
		}
		if !found || f.head.Model != model {
			f.leave()
		}
	}
	if curve == nil { // rows.csv does not identify its model, but it belongs to the curve
		return r.check(folder)
	}
	r.Curve = curve
	if slices.Contains(changed, RowsName) {
		return r.check(folder)
	}
	file, err := fault.OpenFile(filepath.Join(folder, RowsName))
	if errors.Is(err, fs.ErrNotExist) {
		return r.check(folder)
	} else if err != nil {
		return err
	}
	defer file.Close()
	if r.Rows, err = ReadRows(file, file.Name()); err != nil {
		return err
	}
	return r.check(folder)
}

// ReadRecord reads the record of a run from the folder of a model with the given checksum. It
// ignores a record that is missing, damaged or belongs to another model.
func (r *Run) ReadRecord(folder, model string) {
	rec := new(RunRecord)
	if found, err := readJSON(filepath.Join(folder, RunName), rec); err == nil && found && rec.Model == model {
		r.Record = rec
	}
}

// readJSON reads a file, if it exists.
func readJSON(path string, into any) (bool, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return false, damaged(path, "a fit writes no such file")
	}
	text, err := fault.ReadFile(path)
	if err != nil {
		return false, fmt.Errorf("report: %s: %w", path, err)
	}
	if text, err = renamed(text); err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return false, damaged(path, "it is cut off, edited or damaged")
	}
	return true, nil
}

// check returns an error if the parts do not match, so that other code can rely on it.
func (r *Run) check(folder string) error {
	bad := func(name string) error {
		return damaged(filepath.Join(folder, name), "its parts do not match")
	}
	if p := r.Path; p != nil {
		if len(p.Alive) != len(p.Epochs) || len(p.Loss) != len(p.Epochs) || len(p.Epochs) == 0 {
			return bad(PathName)
		}
		for _, l := range p.Lines {
			if l.From < 0 || l.From+len(l.Values) > len(p.Epochs) {
				return bad(PathName)
			}
		}
	}
	if r.Densities != nil {
		for _, d := range r.Densities.Variables {
			if len(d.Counts) > 0 && len(d.Edges) != len(d.Counts)+1 {
				return bad(DensitiesName)
			}
		}
	}
	if c := r.Correlation; c != nil {
		ok := len(c.Values) == len(c.Names) && c.Chosen >= 0 && c.Chosen <= len(c.Names)
		for _, row := range c.Values {
			ok = ok && len(row) == len(c.Names)
		}
		if !ok {
			return bad(CorrelationName)
		}
	}
	if e := r.Examples; e != nil {
		for _, row := range e.Rows {
			if len(row.Adds) != len(e.Names) || len(row.Values) != len(e.Names) || row.Output < 0 || row.Output >= len(e.Intercept) {
				return bad(ExamplesName)
			}
		}
	}
	return nil
}
