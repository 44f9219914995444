package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"fsa/anneal"
	"fsa/data"
	"fsa/model"
)

// message rewords an error for the command line, where names of packages, Go options and temporary
// files are not helpful.
func message(err error) string {
	text := err.Error()
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		text = strings.Replace(text, e.Error(), pathMessage(e), 1)
	}
	if diverged := anneal.ErrDiverged.Error(); errors.Is(err, anneal.ErrDiverged) {
		text = strings.TrimSuffix(text, ": "+diverged) // the text before it names the step size
		text = strings.Replace(text, diverged, "the coefficients grow without bounds: give a smaller step with --eta", 1)
	}
	if errors.Is(err, model.ErrModelFile) { // which already says that it is invalid
		text = strings.Replace(text, data.ErrBadData.Error()+": ", "", 1)
	}
	for _, name := range packages {
		text = strings.TrimPrefix(text, name+": ")
	}
	return text
}

// packages are the packages that prefix errors with their names.
var packages = []string{
	"fsa", "anneal", "baseline", "bench", "checkpoint", "collective", "cuda", "export", "grid", "keypoint", "model", "motion", "mpi", "objective", "paper", "live", "plots", "report", "shape", "real", "serve", "solve", "tcp", "template", "validate",
	"data", "arrow", "challenge", "csv", "h5", "h5ad", "json", "npy", "paged", "panel", "parquet", "rds", "rowwise", "sqlite", "svmlight", "synth", "xlsx",
}

// pathMessage names the folder if a file could not be created or written under its temporary name.
func pathMessage(e *fs.PathError) string {
	folder, name := filepath.Split(e.Path)
	temporary, _ := filepath.Match(".fsa-*.tmp", name)
	switch missing := errors.Is(e, fs.ErrNotExist); {
	case missing && name == modelName:
		return fmt.Sprintf("%s: there is no %s in this folder; fsa fit --out FOLDER writes a folder with one", filepath.Clean(cmp.Or(folder, ".")), modelName)
	case missing && !temporary && e.Op == "open":
		return e.Path + ": there is no such file"
	case !temporary:
		return e.Error()
	}
	folder = filepath.Clean(folder)
	if errors.Is(e, fs.ErrNotExist) {
		return fmt.Sprintf("the folder %s does not exist", folder)
	}
	return fmt.Sprintf("the folder %s cannot be written: %v", folder, e.Err)
}
