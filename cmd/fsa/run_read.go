package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"fsa/app/keypoint"
	"fsa/report"
)

// readRun reads a run folder.
func readRun(ctx context.Context, path string) (*report.Run, error) {
	file := modelPath(path)
	if begins(ctx, file, keypoint.Sniff) {
		return readDetectorRun(ctx, file)
	}
	m, sum, err := loadModel(ctx, file)
	if err != nil {
		return nil, err
	}
	folder, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	r := &report.Run{Name: filepath.Base(folder), Model: plainModel(m)}
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		r.Name = filepath.Base(path)
	}
	if v := m.Validation(); v != nil {
		text, err := json.Marshal(v)
		if err == nil {
			err = json.Unmarshal(text, &r.Curve)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return r, r.ReadFolder(folder, sum)
}

// reportPage returns the report of a run folder.
func reportPage(ctx context.Context, path string) ([]byte, error) {
	r, err := readRun(ctx, path)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := report.Write(&b, r); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
