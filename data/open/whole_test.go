package open

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"fsa/data"
)

// A table that has to be in memory as a whole is refused if it does not fit, and
// read if it does, from all kinds of files.
func TestWhole(t *testing.T) {
	const rows, cols = 800, 2000 // 6 MiB
	dir := t.TempDir()
	b := &data.Block{Rows: rows, Dense: make([]float64, rows*cols), Label: make([]float64, rows)}
	for i := range b.Dense {
		b.Dense[i] = float64(i*7%101) / 2
	}
	for i := range b.Label {
		b.Label[i] = float64(i % 2)
	}
	names := []string{"x.npy", "x.npy.gz", "x.fsa", "x.csv", "x.parquet", "x.svm"}
	if testing.Short() {
		names = []string{"x.npy", "x.fsa", "x.csv"}
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		w, err := Create(path, &data.Schema{Width: cols}, rows)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Write(b), w.Commit()); err != nil {
			t.Fatal(err)
		}
		_, err = Table(context.Background(), path, Options{Memory: 132 << 20, Whole: "--bins"}, Roles{})
		var memory *MemoryError
		if !errors.As(err, &memory) || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "allow more memory, or leave out --bins") {
			t.Errorf("%s in too little memory: %v", name, err)
			continue
		}
		for _, enough := range []int64{0, max(memory.Need, 150<<20)} {
			if testing.Short() && enough == 0 {
				continue
			}
			d, err := Table(context.Background(), path, Options{Memory: enough, Whole: "--bins"}, Roles{})
			if err != nil {
				t.Errorf("%s in %s: %v", name, Size(enough), err)
				continue
			}
			if _, err := d.Design(context.Background(), data.DesignOptions{Bins: 4}); err != nil {
				t.Errorf("%s in %s: %v", name, Size(enough), err)
			}
		}
	}

	// Columns that are left out need no room.
	var drop []string
	for j := range cols - 100 {
		drop = append(drop, (&data.Schema{}).Name(j))
	}
	for _, name := range []string{"x.fsa", "x.csv"} {
		d, err := Table(context.Background(), filepath.Join(dir, name), Options{Memory: 132 << 20, Whole: "--bins"}, Roles{Drop: drop})
		if err != nil {
			t.Errorf("%s without most columns: %v", name, err)
			continue
		}
		if _, err := d.Design(context.Background(), data.DesignOptions{Bins: 4}); err != nil {
			t.Errorf("%s without most columns: %v", name, err)
		}
	}

	// The target may be a column of an array.
	d, err := Table(context.Background(), filepath.Join(dir, "x.npy"), Options{Memory: 150 << 20, Whole: "--bins"}, Roles{Target: "x3"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Design(context.Background(), data.DesignOptions{Bins: 4}); err != nil {
		t.Error(err)
	}
}
