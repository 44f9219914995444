package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"

	"fsa/data"
)

// sameFile says whether two names are of one file that is there.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// isFolder says whether a path is a folder that is there.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// inFile names the file that an error is about.
func inFile(err error, name string) error {
	var e *data.Error
	if errors.As(err, &e) && e.File == "" {
		e.File = name
	}
	return err
}

// atPath names the file where an error is not about its contents and so does not.
func atPath(err error, path string) error {
	if err == nil || errors.Is(err, data.ErrBadData) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// hashName writes a checksum as models and records name each other.
func hashName(h hash.Hash) string { return "sha256:" + hex.EncodeToString(h.Sum(nil)) }

// hashedBytes is how large a file may be for its checksum to be worth the time.
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
			return info.Size(), hashName(sum)
		} else if err != nil {
			break
		}
	}
	return info.Size(), ""
}
