package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"fsa/anneal"
	"fsa/data"
	"fsa/model"
)

// message puts an error into the words of the command line: names of packages,
// of options in Go and of temporary files mean nothing there.
func message(err error) string {
	text := err.Error()
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		text = strings.Replace(text, e.Error(), pathMessage(e), 1)
	}
	if diverged := anneal.ErrDiverged.Error(); errors.Is(err, anneal.ErrDiverged) {
		text = strings.TrimSuffix(text, ": "+diverged) // what is before it names the step
		text = strings.Replace(text, diverged, "the coefficients grow without bounds: give a smaller step with --eta", 1)
	}
	if errors.Is(err, model.ErrModelFile) { // which says that it is bad already
		text = strings.Replace(text, data.ErrBadData.Error()+": ", "", 1)
	}
	for _, name := range packages {
		text = strings.TrimPrefix(text, name+": ")
	}
	return text
}

// packages are those that put their name before an error.
var packages = []string{
	"fsa", "anneal", "baseline", "bench", "checkpoint", "collective", "cuda", "export", "grid", "host", "keypoint", "model", "motion", "mpi", "objective", "paper", "live", "plots", "report", "shape", "real", "serve", "solve", "template", "validate",
	"data", "arrow", "challenge", "csv", "npy", "paged", "panel", "parquet", "svmlight", "synth",
}

// pathMessage names the folder where a file could not be begun or written under
// the name that it has until it is complete.
func pathMessage(e *fs.PathError) string {
	folder, name := filepath.Split(e.Path)
	if temporary, _ := filepath.Match(".fsa-*.tmp", name); !temporary {
		return e.Error()
	}
	folder = filepath.Clean(folder)
	if errors.Is(e, fs.ErrNotExist) {
		return fmt.Sprintf("the folder %s does not exist", folder)
	}
	return fmt.Sprintf("nothing can be written into the folder %s: %v", folder, e.Err)
}
