package paged

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"fsa/internal/matrix"
)

// A page that somebody no longer waits for may fail later, and nobody is told
// before. The race detector watches.
func TestPagesAreCancelled(t *testing.T) {
	broken := errors.New("disk broken")
	for range 200 {
		u := newPages[int]()
		ctx, cancel := context.WithCancel(t.Context())
		load := func(int) (int, error) {
			<-ctx.Done()
			return 0, broken
		}
		go cancel()
		if _, err := u.acquire(ctx, "table", 0, false, load); err != broken && !errors.Is(err, context.Canceled) {
			t.Fatalf("a read that is cancelled: %v", err)
		}
		// The failure may be told once; then it is read again.
		x, err := u.acquire(t.Context(), "table", 0, false, func(int) (int, error) { return 7, nil })
		if err == broken {
			x, err = u.acquire(t.Context(), "table", 0, false, func(int) (int, error) { return 7, nil })
		}
		if err != nil || x.rows != 7 {
			t.Fatalf("read again: %v", err)
		}
		u.release(x)
	}
}

// tall is a source of zeros that likes to be read in pages of any height.
type tall struct{ rows, cols, page int }

var _ Source = tall{}

func (s tall) Dims() (rows, cols int)                             { return s.rows, s.cols }
func (s tall) ReadRows([]float32, []int, int, int) (int64, error) { return 0, nil }
func (s tall) UnitRows() int                                      { return s.page }
func (s tall) TileRows() int                                      { return 256 }

func all(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// A selection has pages of another size than the whole: how many are held of the
// one does not change the other.
func TestSelectLeavesPages(t *testing.T) {
	const memory = 256 << 20
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4)) // one core holds few pages of anything
	f := NewDense(tall{1 << 20, 1 << 16, 1024}, all(1<<16), memory)
	before := f.pages.most
	m, err := f.Select(t.Context(), nil, all(1000))
	if err != nil {
		t.Fatal(err)
	}
	to := m.(*Dense)
	if f.pages.most != before || to.pages == f.pages || to.pages.most != to.holds() || to.pages.most <= before {
		t.Errorf("%d pages of the whole were held and now %d, %d of a selection", before, f.pages.most, to.pages.most)
	}
	if same, err := f.Select(t.Context(), nil, nil); err != nil || same.(*Dense).pages != f.pages {
		t.Errorf("all of it has other pages: %v", err)
	}
}

// Room is made for the rows that there are, whatever a source says of its pages.
func TestPagesOfFewRows(t *testing.T) {
	const rows, cols = 10, 3
	f := NewDense(tall{rows, cols, 1 << 24}, all(cols), 1<<40)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	x, err := f.Slice(t.Context(), 0, rows)
	if err != nil {
		t.Fatal(err)
	}
	matrix.Release(x)
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
		t.Errorf("%d bytes for %d×%d numbers", used, rows, cols)
	}
}
