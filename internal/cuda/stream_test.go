package cuda

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"fsa/anneal"
	"fsa/internal/matrix"
	"fsa/internal/matrix/paged"
	"fsa/internal/need"
	"fsa/internal/objectivetest"
	"fsa/loss"
)

// limited returns devices with limited memory: fake ones, and a real one if there is one.
func limited(t *testing.T, memory int64, f func(t *testing.T, d *Device)) {
	eachDevice(t, func(t *testing.T, d *Device) {
		d.limit = memory
		f(t, d)
	})
}

// room is roughly what the vectors of a descent take besides the table.
func (s *sampleTable) room() int64 { return int64(200*s.cols*s.outputs) + 40_000 }

// TestStreamedSums expects a table of which only some rows fit at a time to give the same sums, for
// every loss and storage.
func TestStreamedSums(t *testing.T) {
	for module, format := range formats {
		for _, size := range [][2]int{{257, 30}, {400, 129}, {150, 1030}} {
			s := newSample(format, size[0], size[1], loss.Logistic{})
			eachDevice(t, func(t *testing.T, d *Device) {
				o := s.placed(t, d, 50, 0, 0.01)
				need := d.used
				o.Close()
				d.forget()
				d.limit = need - int64(size[0]*size[1]*sizeOf[format]/2)
				if o = s.placed(t, d, 50, 0, 0.01); o.stream == nil || o.stream.rows >= int64(s.rows) {
					t.Error("all of it fits")
				}
				o.Close()
				compare(t, fmt.Sprint("streamed ", module, size), d, s)
			})
		}
	}
	for name, l := range losses {
		s := newSample(matrix.Float32, 2000, 40, l)
		limited(t, s.room()+100_000, func(t *testing.T, d *Device) { compare(t, "streamed "+name, d, s) })
	}
}

// TestStreamedContract expects a streamed objective to keep the promises of the interface.
func TestStreamedContract(t *testing.T) {
	s := newSample(matrix.Float32, 1000, 9, loss.Logistic{})
	eachDevice(t, func(t *testing.T, d *Device) {
		objectivetest.Run(t, func() anneal.Objective {
			own, err := newDevice(d.machine, 30_000)
			if err != nil {
				t.Fatal(err)
			}
			o := s.placed(t, own, 300, 0, 0.1)
			if o.stream == nil {
				t.Fatal("it is not streamed")
			}
			return o
		})
	})
}

// TestStreamedSelection expects a descent on a table that is streamed until the rest fits to select
// what it selects if all of the table fits, from memory and from a file, and to give the same bits
// twice.
func TestStreamedSelection(t *testing.T) {
	need.Long(t)
	for module, format := range formats {
		for _, batch := range []int{0, 250} {
			s := newSample(format, 1200, 120, loss.Logistic{})
			set := anneal.Settings{K: 5, Iterations: 20, Mu: 10, Force: []int{3}, FactorWarmUp: 5}
			want, err := anneal.Run(t.Context(), s.objective(batch, 5, 0.01), set)
			if err != nil {
				t.Fatal(err)
			}
			sources := map[string]matrix.Matrix{"memory": s.x}
			if format == matrix.Float32 {
				sources["file"] = paged.NewPlain(bytes.NewReader(cellsIn(t, s.x)), 0, s.rows, s.cols, 1<<20)
			}
			for from, x := range sources {
				t.Run(fmt.Sprintf("%s, %s, batch %d", module, from, batch), func(t *testing.T) {
					in := *s
					in.x = x
					want := want
					if from == "file" { // streamed rows form other minibatches
						if want, err = anneal.Run(t.Context(), in.objective(batch, 5, 0.01), set); err != nil {
							t.Fatal(err)
						}
					}
					limited(t, s.room()+60_000, func(t *testing.T, d *Device) {
						run := func() *anneal.Result {
							o := in.placed(t, d, batch, 5, 0.01)
							if o.stream == nil {
								t.Fatal("it is not streamed")
							}
							r, err := anneal.Run(t.Context(), o, set)
							if err != nil {
								t.Fatal(err)
							}
							if o.stream != nil {
								t.Error("it is still streamed")
							}
							o.Close()
							return r
						}
						got := run()
						if !slices.Equal(got.Groups, want.Groups) || apart(got.Beta, want.Beta) > 1e-3 {
							t.Errorf("groups %v, want %v; β is off by %g", got.Groups, want.Groups, apart(got.Beta, want.Beta))
						}
						if !reflect.DeepEqual(got, run()) {
							t.Error("a second run gave other bits")
						}
						if d.used != 0 {
							t.Errorf("%d bytes are still in use", d.used)
						}
					})
				})
			}
		}
	}
}

// cellsIn returns all cells of a matrix.
func cellsIn(t *testing.T, x matrix.Matrix) []byte {
	rows, cols := x.Dims()
	m := x.(matrix.Plain)
	b := make([]byte, rows*cols*sizeOf[m.Format()])
	if err := m.Copy(nil)(t.Context(), b, cols, 0, rows); err != nil {
		t.Fatal(err)
	}
	return b
}

// TestStreamedSample expects a window that is too large for the remaining memory to get smaller,
// and rows to be sampled as in a resident table.
func TestStreamedSample(t *testing.T) {
	s := newSample(matrix.Float32, 2000, 40, loss.Squared{})
	limited(t, s.room()+60_000, func(t *testing.T, d *Device) {
		o := s.placed(t, d, 0, 0, 0)
		all, err := newDevice(newFake(9), 0)
		if err != nil {
			t.Fatal(err)
		}
		resident := s.placed(t, all, 0, 0, 0)
		n := o.Layout().Len()
		v, want, got := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range v {
			v[i] = math.Sin(float64(i))
		}
		for _, x := range []*Objective{o, resident} {
			x.batches[0].sample = sample{every: 3, rows: 667, weight: 1}
			if err := x.prepare(); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := o.Curvature(t.Context(), 0, got, v); err != nil {
			t.Fatal(err)
		}
		if _, err := resident.Curvature(t.Context(), 0, want, v); err != nil {
			t.Fatal(err)
		}
		if o.stream == nil || apart(got, want) > 1e-5 {
			t.Errorf("the curvature of a sample is off by %g", apart(got, want))
		}
	})
}

// BenchmarkStreamed measures a pass over a table of which an eighth fits on the device at a time,
// and the rate of uploads.
func BenchmarkStreamed(b *testing.B) {
	const rows, cols = 1 << 16, 1 << 14
	d, err := Open(600 << 20)
	need.Device(b, err)
	defer d.Close()
	x := make([]float32, rows*cols)
	for i := range x {
		x[i] = float32(i%97) - 48
	}
	y := make([]float64, rows)
	for i := range y {
		y[i] = float64(2*(i%2) - 1)
	}
	s := &sampleTable{rows: rows, cols: cols, outputs: 1, x: matrix.NewDense(rows, cols, x), y: y, loss: loss.Logistic{}, scale: slices.Repeat([]float64{1}, cols)}
	o, err := d.objective(b.Context(), s.objective(0, 0, 0))
	if err != nil {
		b.Fatal(err)
	}
	defer o.Close()
	beta, grad := make([]float64, cols+1), make([]float64, cols+1)
	b.Run("pass", func(b *testing.B) {
		b.SetBytes(4 * rows * cols)
		for b.Loop() {
			if _, _, err := o.Eval(b.Context(), 0, grad, beta); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("send", func(b *testing.B) {
		room := o.stream.room[0]
		b.SetBytes(int64(len(room)))
		for b.Loop() {
			if err := d.send(0, o.stream.on[0], room); err != nil {
				b.Fatal(err)
			}
			if err := d.sent(0); err != nil {
				b.Fatal(err)
			}
		}
	})
}
