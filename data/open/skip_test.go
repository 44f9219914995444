package open

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"fsa/data"
)

// Rows that are passed over are those that come first, over row groups and files; what
// follows is as it would be without.
func TestSkip(t *testing.T) {
	const rows, groups, files = 10, 3, 2 // rows of a group, groups of a file
	for _, format := range []string{".parquet", ".npy", ".csv"} {
		t.Run(format, func(t *testing.T) {
			dir := t.TempDir()
			var paths []string
			s := &data.Schema{Width: 2, Names: []string{"a", "b"}}
			for n := range files {
				var file bytes.Buffer
				w, err := formatOf(t, format).create(&file, s, groups*rows)
				if err != nil {
					t.Fatal(err)
				}
				for g := range groups {
					b := &data.Block{Rows: rows}
					for i := range rows {
						row := float64((n*groups+g)*rows + i)
						b.Dense = append(b.Dense, row, -row)
					}
					if err := w.Write(b); err != nil {
						t.Fatal(err)
					}
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				paths = append(paths, filepath.Join(dir, string(rune('a'+n))+format))
				if err := os.WriteFile(paths[n], file.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for want := range files*groups*rows + 1 {
				r, err := Reader(t.Context(), paths[0], Options{More: paths[1:]})
				if err != nil {
					t.Fatal(err)
				}
				at, err := Skip(t.Context(), r, want)
				if err != nil || at > want {
					t.Fatalf("%d rows of %d were passed over: %v", at, want, err)
				}
				if format == ".npy" && at != want {
					t.Errorf("only %d rows of %d were passed over", at, want)
				}
				for block, err := range data.Blocks(t.Context(), r) {
					if err != nil {
						t.Fatal(err)
					}
					for i := range block.Rows {
						if v := block.Dense[2*i]; v != float64(at) {
							t.Fatalf("after %d rows comes row %v, want %d", want, v, at)
						}
						at++
					}
				}
				if at != files*groups*rows {
					t.Errorf("the last row is %d", at)
				}
				r.Close()
			}
		})
	}
}

// formatOf returns the format of files that end so.
func formatOf(t *testing.T, ext string) *format {
	for i := range formats {
		if formats[i].ext[0] == ext {
			return &formats[i]
		}
	}
	t.Fatalf("no format %s", ext)
	return nil
}
