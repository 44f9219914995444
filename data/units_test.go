package data

import (
	"context"
	"errors"
	"runtime"
	"testing"
)

// A unit that somebody no longer waits for may fail later, and nobody is told
// before. The race detector watches.
func TestUnitsAreCancelled(t *testing.T) {
	broken := errors.New("disk broken")
	for range 200 {
		u := newUnits[int]()
		ctx, cancel := context.WithCancel(t.Context())
		load := func(int) (int, error) {
			<-ctx.Done()
			return 0, broken
		}
		go cancel()
		if _, err := u.take(ctx, "table", 0, false, load); err != broken && !errors.Is(err, context.Canceled) {
			t.Fatalf("a read that is cancelled: %v", err)
		}
		// The failure may be told once; then it is read again.
		x, err := u.take(t.Context(), "table", 0, false, func(int) (int, error) { return 7, nil })
		if err == broken {
			x, err = u.take(t.Context(), "table", 0, false, func(int) (int, error) { return 7, nil })
		}
		if err != nil || x.rows != 7 {
			t.Fatalf("read again: %v", err)
		}
		u.give(x)
	}
}

// tall is a source of zeros that likes to be read in units of any height.
type tall struct{ rows, cols, unit int }

var _ Source = tall{}

func (s tall) Dims() (rows, cols int)                             { return s.rows, s.cols }
func (s tall) ReadRows([]float32, []int, int, int) (int64, error) { return 0, nil }
func (s tall) UnitRows() int                                      { return s.unit }
func (s tall) TileRows() int                                      { return 256 }

// A selection has units of another size than the whole: how many are held of the
// one does not change the other.
func TestSelectLeavesUnits(t *testing.T) {
	const memory = 256 << 20
	f := NewFileOf(tall{1 << 20, 1 << 16, 1024}, orAll(nil, 1<<16), memory)
	before := f.units.most
	m, err := f.Select(t.Context(), nil, orAll(nil, 1000))
	if err != nil {
		t.Fatal(err)
	}
	to := m.(*File)
	if f.units.most != before || to.units == f.units || to.units.most != to.holds() || to.units.most <= before {
		t.Errorf("%d units of the whole were held and now %d, %d of a selection", before, f.units.most, to.units.most)
	}
	if same, err := f.Select(t.Context(), nil, nil); err != nil || same.(*File).units != f.units {
		t.Errorf("all of it has other units: %v", err)
	}
}

// Room is made for the rows that there are, whatever a source says of its units.
func TestUnitsOfFewRows(t *testing.T) {
	const rows, cols = 10, 3
	f := NewFileOf(tall{rows, cols, 1 << 24}, orAll(nil, cols), 1<<40)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	x, err := f.Slice(t.Context(), 0, rows)
	if err != nil {
		t.Fatal(err)
	}
	Release(x)
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
		t.Errorf("%d bytes for %d×%d numbers", used, rows, cols)
	}
}
