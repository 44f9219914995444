//go:build unix

package serve

import (
	"context"
	"errors"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"fsa/data"
	"fsa/internal/parallel"
)

// TestShorterFile expects a mapped file that becomes shorter during a fit to end the fit, with an
// error that names it, and not the service.
func TestShorterFile(t *testing.T) {
	x, y := sample(false)
	name, at := store(t, y, narrow(x))
	r := request{ID: 1, Op: "fit", Files: []file{{Path: name}}, Options: options{K: 2, Iterations: 1 << 20, Quick: true}, Events: true, Table: table{
		Rows: rows, Columns: cols, Target: &column{array: array{0, at[0], "f8", rows}}, Dense: &dense{array{0, at[1], "f4", rows * cols}, false},
	}}
	c := start(t)
	c.send(r)
	for c.next()["event"] != "epoch" {
	}
	if err := os.Truncate(name, 0); err != nil {
		t.Fatal(err)
	}
	if a := c.last(1); a["kind"] != "data" || !strings.Contains(a["message"].(string), name+": the file became shorter") {
		t.Errorf("%v", a)
	}
	name, _ = store(t, y, narrow(x))
	r.ID, r.Files[0].Path, r.Options.Iterations = 2, name, 0
	c.send(r)
	if a := c.last(2); a["event"] != "done" {
		t.Errorf("after that: %v", a)
	}
}

// TestShorterFileOnThreads expects the same on whichever thread notices it.
func TestShorterFileOnThreads(t *testing.T) {
	x, y := sample(false)
	name, at := store(t, y, narrow(x))
	use := func() (err error) {
		debug.SetPanicOnFault(true)
		f, err := openFiles(t.Context(), []file{{Path: name}})
		if err != nil {
			return err
		}
		defer f.close()
		defer func() { f.faulted(recover(), &err) }()
		cells, err := numbers[float32](f, &array{0, at[1], "f4", rows * cols})
		if err != nil {
			return err
		}
		if err := os.Truncate(name, 0); err != nil {
			return err
		}
		sums := make([]float32, 8)
		parallel.Do(context.Background(), 4, len(sums), func(_, i int) error {
			for _, v := range cells {
				sums[i] += v
			}
			return nil
		})
		return nil
	}
	if err := use(); !errors.Is(err, data.ErrBadData) || !strings.Contains(err.Error(), name) {
		t.Errorf("%v", err)
	}
}
