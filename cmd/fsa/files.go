package main

import (
	"errors"
	"fmt"
	"os"

	"fsa/data"
)

// sameFile reports whether two names refer to the same existing file.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// isFolder reports whether a path is an existing folder.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// inFile adds the name of the file to an error.
func inFile(err error, name string) error {
	var e *data.Error
	if errors.As(err, &e) && e.File == "" {
		e.File = name
	}
	return err
}

// atPath adds the name of the file to an error that does not contain it.
func atPath(err error, path string) error {
	if err == nil || errors.Is(err, data.ErrBadData) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}
