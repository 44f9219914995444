package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"fsa/app/keypoint"
	"fsa/app/keypoint/photo"
	"fsa/data/open"
	"fsa/internal/sealed"
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
	if err != nil && isTable(path) {
		return nil, "", fmt.Errorf("%s: %w: this looks like a table; a model is a run folder or its model.json, and fsa describe shows tables", path, model.ErrModelFile)
	}
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, err)
	}
	return m, hashName(sum), nil
}

// isTable reports whether a file is called like a table.
func isTable(path string) bool {
	name := strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".zst"))
	return slices.Contains([]string{".csv", ".tsv", ".parquet", ".pq", ".npy", ".npz", ".arrow", ".feather", ".svm", ".fsa"}, filepath.Ext(name))
}

// isModel reports whether a file begins as a model does.
func isModel(ctx context.Context, path string) bool { return begins(ctx, path, model.Sniff) }

// begins reports whether a file begins as its kind does.
func begins(ctx context.Context, path string, kind func(head []byte) bool) bool {
	f, err := open.Small(ctx, path)
	if err != nil {
		return false
	}
	defer f.Close()
	head, _ := bufio.NewReader(f).Peek(sealed.HeadBytes) // what there is of it tells
	return kind(head)
}

// loadDetector reads a detector as [keypoint.LoadDetector] does, until the context ends.
func loadDetector(ctx context.Context, path string) (*keypoint.Detector, error) {
	f, err := open.Small(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d, err := keypoint.ReadDetector(f, path)
	return d, atPath(err, path)
}

// readPhoto reads a photograph as [photo.Read] does, until the context ends.
func readPhoto(ctx context.Context, path string) (*photo.Image, error) {
	f, err := open.Small(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := photo.Decode(f, path)
	return m, atPath(err, path)
}

// modelPath returns the model file that MODEL means: a file, or a run folder.
func modelPath(path string) string {
	if isFolder(path) {
		return filepath.Join(path, modelName)
	}
	return path
}
