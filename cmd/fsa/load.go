package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fsa/app/keypoint"
	"fsa/app/keypoint/photo"
	"fsa/data"
	"fsa/data/open"
	"fsa/internal/manifest"
	"fsa/internal/sealed"
	"fsa/model"
)

// loadModel reads a model like [model.Load], until the context ends, and also returns the checksum
// of its file.
func loadModel(ctx context.Context, path string) (*model.Model, string, error) {
	f, err := openModel(ctx, path)
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
	return m, manifest.Sum(sum), nil
}

// openModel opens a model, which may be a pipe unless it has the name of those in run folders.
func openModel(ctx context.Context, path string) (io.ReadCloser, error) {
	if filepath.Base(path) == modelName {
		return openOurs(ctx, path)
	}
	return open.Small(ctx, path)
}

// openOurs opens a file that fsa writes under a fixed name. It returns an error for anything else
// at that path, such as a pipe without a writer.
func openOurs(ctx context.Context, path string) (io.ReadCloser, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &data.Error{File: path, Msg: "this is not a file that fsa has written: remove it"}
	}
	return open.Small(ctx, path)
}

// isTable reports whether a file has the name of a table.
func isTable(path string) bool {
	name := strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".zst"))
	return slices.Contains([]string{".csv", ".tsv", ".parquet", ".pq", ".npy", ".npz", ".arrow", ".feather", ".svm", ".fsa"}, filepath.Ext(name))
}

// isModel reports whether a file begins like a model.
func isModel(ctx context.Context, path string) bool { return begins(ctx, path, model.Sniff) }

// begins reports whether a file begins like the files of a kind.
func begins(ctx context.Context, path string, kind func(head []byte) bool) bool {
	f, err := openModel(ctx, path)
	if err != nil {
		return false
	}
	defer f.Close()
	head, _ := bufio.NewReader(f).Peek(sealed.HeadBytes) // as far as it exists
	return kind(head)
}

// loadDetector reads a detector like [keypoint.LoadDetector], until the context ends.
func loadDetector(ctx context.Context, path string) (*keypoint.Detector, error) {
	f, err := open.Small(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d, err := keypoint.ReadDetector(f, path)
	return d, atPath(err, path)
}

// readPhoto reads a photograph like [photo.Read], until the context ends.
func readPhoto(ctx context.Context, path string) (*photo.Image, error) {
	f, err := open.Small(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := photo.Decode(f, path)
	return m, atPath(err, path)
}

// modelPath returns the model file that MODEL refers to: the file itself, or the model in a run
// folder.
func modelPath(path string) string {
	if isFolder(path) {
		return filepath.Join(path, modelName)
	}
	return path
}
