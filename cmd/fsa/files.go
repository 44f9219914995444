package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"fsa/data"
	"fsa/internal/manifest"
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

// hashedBytes is the largest size of a file for which a checksum is computed.
const hashedBytes = 1 << 30

// checksum returns the size of a file and, unless it is very large, its checksum.
func checksum(ctx context.Context, path string) (int64, string) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0, ""
	}
	if info.Size() > hashedBytes {
		return info.Size(), ""
	}
	f, err := os.Open(path)
	if err != nil {
		return info.Size(), ""
	}
	defer f.Close()
	sum := sha256.New()
	for piece := int64(1 << 24); ctx.Err() == nil; {
		if _, err := io.CopyN(sum, f, piece); errors.Is(err, io.EOF) {
			return info.Size(), manifest.Sum(sum)
		} else if err != nil {
			break
		}
	}
	return info.Size(), ""
}
