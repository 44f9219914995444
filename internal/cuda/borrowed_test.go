package cuda

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"
	"unsafe"

	"fsa/anneal"
	"fsa/internal/matrix"
	"fsa/loss"
)

// foreign returns memory of another process on a fake machine, with some bytes before it.
func foreign(t *testing.T, f *fake, x []byte, before int64) Foreign {
	t.Helper()
	p, err := f.alloc(before + int64(len(x)))
	if err != nil {
		t.Fatal(err)
	}
	copy(at[byte](p+pointer(before), int64(len(x))), x)
	to := Foreign{Offset: before, Bytes: int64(len(x))}
	*(*pointer)(unsafe.Pointer(&to.Handle)) = p
	return to
}

// borrowed returns an open piece of memory.
func borrowed(t *testing.T, f *fake, from Foreign) *Borrowed {
	t.Helper()
	b, err := borrow(t.Context(), f, from, 1<<16)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestBorrowed expects a copy of memory of another process, of one byte and of several pieces, and
// nothing open afterwards.
func TestBorrowed(t *testing.T) {
	for _, n := range []int{1, 100_003, 1 << 16, 5<<16 + 5} {
		f, x := newFake(9), make([]byte, n)
		for i := 0; i < n; i += 1009 {
			x[i] = byte(i/1009) | 1
		}
		b := borrowed(t, f, foreign(t, f, x, 512))
		if !bytes.Equal(b.Host(), x) {
			t.Errorf("the copy of %d bytes is another", n)
		}
		if b.Close(); f.borrowed != 0 {
			t.Errorf("%d pieces are still open", f.borrowed)
		}
	}
	if _, err := borrow(t.Context(), newFake(9), Foreign{Bytes: 8}, 8); !errors.Is(err, ErrForeign) {
		t.Errorf("memory that cannot be opened gives %v", err)
	}
}

// TestLent expects a descent on a table of another process to give the bits of one that was uploaded,
// without an upload, and to leave the table as it is. Rows of 200 columns are read in place, those of 201 are
// copied on the device.
func TestLent(t *testing.T) {
	set := anneal.Settings{K: 5, Iterations: 20, Mu: 10}
	for _, cols := range []int{200, 201} {
		for _, narrow := range []bool{false, true} { // there is no room for a copy of the columns that are left
			s := newSample(matrix.Float32, 300, cols, loss.Logistic{})
			run := func(lend bool) (*anneal.Result, int) {
				f := newFake(9)
				d, err := newDevice(f, 0)
				if err != nil {
					t.Fatal(err)
				}
				defer d.Close()
				ctx, x := t.Context(), bytesOf(s.x.(*matrix.Dense).Row(0)[:1:1])
				var b *Borrowed
				if lend {
					x = unsafe.Slice(&x[0], 4*s.rows*cols)
					b = borrowed(t, f, foreign(t, f, x, 256))
					defer b.Close()
					s.x = matrix.NewDense(s.rows, cols, unsafe.Slice((*float32)(unsafe.Pointer(&b.Host()[0])), s.rows*cols))
					ctx = Lend(ctx, []*Borrowed{b})
				}
				o, err := d.objective(ctx, s.objective(100, 5, 0))
				if err != nil {
					t.Fatal(err)
				}
				defer o.Close()
				if narrow && lend && cols == 200 {
					d.limit = d.used
				}
				r, err := anneal.Run(ctx, o, set)
				if err != nil {
					t.Fatal(err)
				}
				if lend && !bytes.Equal(at[byte](b.at, int64(len(x))), x) {
					t.Errorf("%d columns: the table of the other process has changed", cols)
				}
				return r, f.sends
			}
			want, _ := run(false)
			got, sends := run(true)
			if sends != 0 {
				t.Errorf("%d columns were uploaded", cols)
			}
			if !slices.Equal(got.Groups, want.Groups) || !(apart(got.Beta, want.Beta) <= 1e-5) || !narrow && !slices.Equal(got.Beta, want.Beta) {
				t.Errorf("%d columns: groups %v, want %v, β off by %g", cols, got.Groups, want.Groups, apart(got.Beta, want.Beta))
			}
		}
	}
}

// TestNotLent expects the cells of the host to be uploaded if they are no longer those of the other
// process.
func TestNotLent(t *testing.T) {
	f := newFake(9)
	d, err := newDevice(f, 0)
	if err != nil {
		t.Fatal(err)
	}
	x := []float32{1, 2, 3, float32(math.NaN()), 5, 6, 7, 8}
	b := borrowed(t, f, foreign(t, f, bytesOf(x), 0))
	here := matrix.NewDense(2, 4, unsafe.Slice((*float32)(unsafe.Pointer(&b.Host()[0])), 8))
	ctx := Lend(t.Context(), []*Borrowed{b})
	filled, err := here.Fill(ctx, []float32{0, 0, 0, 4}, false)
	if err != nil {
		t.Fatal(err)
	}
	for m, want := range map[matrix.Matrix]pointer{here: b.at, filled: 0, matrix.NewDense(2, 4, x): 0, matrix.NewDense(0, 4, nil): 0, matrix.FromBytes(matrix.Int8, 2, 4, make([]byte, 8)): 0} {
		if got := d.lent(ctx, m); got != want {
			t.Errorf("cells are at %x, want %x", got, want)
		}
	}
	if got := d.lent(t.Context(), here); got != 0 {
		t.Errorf("without a loan, cells are at %x", got)
	}
	if d.lent(ctx, newRows(here, 0, 1)) != 0 {
		t.Error("some rows are lent")
	}
}
