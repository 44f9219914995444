package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"

	"fsa/data/open"
	"fsa/model"
)

// loadModel reads a model as [model.Load] does, until the context ends, and returns the
// checksum of its file, too.
func loadModel(ctx context.Context, path string) (*model.Model, string, error) {
	f, err := open.Small(ctx, path)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	sum := sha256.New()
	m, err := model.Read(io.TeeReader(f, sum))
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, err)
	}
	return m, hashName(sum), nil
}
