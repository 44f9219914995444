package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"fsa/data"
	"fsa/internal/format/parquet"
)

// Each process reads the row groups of its part, the target of all rows and the footers, and not the rest of the table.
// What all have read is reported.
func TestRendezvousReadsItsPart(t *testing.T) {
	const files, rows, columns = 4, 4096, 60 // each part is a file, which is a row group
	rng := rand.New(rand.NewPCG(8, 8))
	schema := &data.Schema{Width: columns, Names: []string{"y"}}
	for j := range columns - 1 {
		schema.Names = append(schema.Names, fmt.Sprint("v", j))
	}
	dir, whole := t.TempDir(), int64(0)
	for f := range files {
		var content bytes.Buffer
		w, err := parquet.NewWriter(&content, schema, rows)
		if err != nil {
			t.Fatal(err)
		}
		b := &data.Block{Rows: rows}
		for range rows * columns {
			b.Dense = append(b.Dense, rng.NormFloat64())
		}
		if err := errors.Join(w.Write(b), w.Close()); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, fmt.Sprintf("x-%d.parquet", f)), content.Bytes())
		whole += int64(content.Len())
	}
	type told struct {
		BytesRead int64 `json:"bytes_read"`
	}
	fit := []string{"fit", filepath.Join(dir, "x-*.parquet"), "--json", "--target", "y", "-k", "3", "--quick", "--epochs", "5", "--batch", "all"}
	one := parse[told](t, must(t, append(slices.Clone(fit), "--grid", "1x1")...)).BytesRead
	said, failed := outputsOf(t, 4, func(int) []string { return append(slices.Clone(fit), "--grid", "4x1") })
	for rank, err := range failed {
		if err != nil {
			t.Fatalf("rank %d: %v\n%s", rank, err, said[rank])
		}
	}
	if four := parse[told](t, said[0]).BytesRead; one < whole/2 || one > whole*5/4 || four < one || four > one*3/2 {
		t.Errorf("the table has %d bytes: one process reads %d, and four read %d together", whole, one, four)
	}
}

// outputsOf is ranksOf without what is printed besides the output.
func outputsOf(t *testing.T, n int, args func(rank int) []string) (out []string, failed []error) {
	t.Helper()
	at := freePort(t)
	out, failed = make([]string, n), make([]error, n)
	var wait sync.WaitGroup
	for r := range n {
		cmd := process(t, at, r, args(r)...)
		wait.Go(func() {
			text, err := cmd.Output()
			out[r], failed[r] = string(text), err
		})
	}
	wait.Wait()
	return out, failed
}
