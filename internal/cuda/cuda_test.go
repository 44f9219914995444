package cuda

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"fsa/anneal"
	"fsa/internal/matrix"
	"fsa/internal/need"
	"fsa/internal/objective"
	"fsa/internal/objectivetest"
	"fsa/loss"
)

// TestKernelsAreThoseOfTheSources expects the embedded kernels to be compiled from the sources
// beside them.
func TestKernelsAreThoseOfTheSources(t *testing.T) {
	h := sha256.New()
	sources, err := filepath.Glob("kernels/*.cu")
	if err != nil || len(sources) == 0 {
		t.Fatalf("there are no sources: %v", err)
	}
	for _, name := range append([]string{"kernels/common.h"}, sources...) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		h.Write(b)
	}
	made, err := os.ReadFile("kernels/sources.sha256")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%x", h.Sum(nil)); got != strings.TrimSpace(string(made)) {
		t.Error("the kernels that are embedded are older than their sources: run internal/cuda/kernels/build.py")
	}
}

// TestCode expects code for every architecture, with all kernels.
func TestCode(t *testing.T) {
	_, err := fs.Stat(kernels, "kernels")
	need.System(t, err == nil, "kernels, which builds for linux and windows have that are not static")
	for _, major := range []int{8, 9, 10} {
		for module, kernels := range map[string][]string{
			"vector":  {"update", "strengths", "strongest", "keep", "compact", "reorder", "lengths", "turn"},
			"float32": {"narrow8", "narrow256", "margins", "derivatives", "products"},
			"int8":    {"narrow8", "narrow256", "margins", "derivatives", "products"}, "bfloat16": {"narrow32"}, "bins": {"margins", "derivatives", "products"}, "sparse": {"margins", "derivatives", "products"}, "learn": {"combine", "losses", "curvatures", "slopes", "grams"},
		} {
			code, err := codeFor(module, &Info{Major: major})
			if err != nil {
				t.Fatal(err)
			}
			if major >= 9 && module != "vector" && module != "bins" && module != "sparse" && module != "learn" {
				kernels = append(kernels, "wide1", "wide8", "each8", "short8", "short512")
				if module != "float32" && module != "generate" {
					kernels = append(kernels, "staged8", "staged256")
				}
			}
			for _, k := range kernels {
				if !bytes.Contains(code, []byte(k)) {
					t.Errorf("%s for %d.x lacks %s", module, major, k)
				}
			}
		}
	}
}

// sampleTable is a table in which some columns have an effect.
type sampleTable struct {
	rows, cols, outputs int
	x                   matrix.Matrix
	scale, offset       []float64
	y, weight           []float64
	loss                loss.Loss
	bins                int
	groups              *objective.Groups // nil means that every variable is a group
	rounded             bool              // cells are rounded on the device, in addition to the sums
}

// newSample returns a table of a format. Columns 0, 7, 14 and so on have an effect.
func newSample(format matrix.Format, rows, cols int, l loss.Loss) *sampleTable {
	rng := rand.New(rand.NewPCG(3, uint64(cols)))
	s := &sampleTable{rows: rows, cols: cols, outputs: l.Outputs(), loss: l, scale: make([]float64, cols), offset: make([]float64, cols)}
	x := make([]float32, rows*cols)
	z := make([]float64, rows*s.outputs)
	for j := range cols {
		s.scale[j], s.offset[j] = 0.5+rng.Float64(), rng.NormFloat64()/3
		if format == matrix.Int8 {
			s.scale[j] /= 60
		}
	}
	for i := range rows {
		for j := range cols {
			v := float32(rng.NormFloat64())
			switch format {
			case matrix.BFloat16:
				v = math.Float32frombits(math.Float32bits(v) &^ 0xffff)
			case matrix.Int8:
				v = float32(math.Round(min(max(40*float64(v), -127), 127)))
			}
			x[i*cols+j] = v
			if j%7 == 0 && j < 35 {
				z[i*s.outputs+(j/7)%s.outputs] += (s.scale[j]*float64(v) + s.offset[j]) * (2 - float64(j)/35)
			}
		}
	}
	s.x = stored(format, rows, cols, x)
	for i := range rows {
		m := z[i*s.outputs] + 0.3*rng.NormFloat64()
		y := m
		switch l.(type) {
		case loss.Squared, loss.Huber:
		case loss.Multinomial:
			best := 0
			for c := range s.outputs {
				if z[i*s.outputs+c] > z[i*s.outputs+best] {
					best = c
				}
			}
			y = float64(best)
		default:
			if y = 1; m < 0 {
				y = -1
			}
		}
		s.y = append(s.y, y)
		s.weight = append(s.weight, 0.5+rng.Float64())
	}
	return s
}

// stored returns numbers in a format that can represent them.
func stored(format matrix.Format, rows, cols int, x []float32) matrix.Matrix {
	switch format {
	case matrix.BFloat16:
		to := make([]uint16, len(x))
		for i, v := range x {
			to[i] = uint16(math.Float32bits(v) >> 16)
		}
		return matrix.FromBytes(format, rows, cols, bytesOf(to))
	case matrix.Int8:
		to := make([]int8, len(x))
		for i, v := range x {
			to[i] = int8(v)
		}
		return matrix.FromBytes(format, rows, cols, bytesOf(to))
	}
	return matrix.NewDense(rows, cols, x)
}

// objective returns the objective on the processor.
func (s *sampleTable) objective(batch, final int, ridge float64) *objective.Objective {
	all := make([]int, s.cols)
	for j := range all {
		all[j] = j
	}
	groups := objective.Single(all)
	if s.groups != nil {
		groups = *s.groups
	}
	return objective.New(objective.Config{
		X: s.x, Scale: s.scale, Offset: s.offset, Numbers: s.cols, Bins: s.bins, Loss: s.loss, Target: objective.Target{Y: s.y, Weight: s.weight},
		Intercept: true, Ridge: ridge, Groups: groups, Final: final, Batch: batch, Threads: 2,
	})
}

// eachDevice runs a test with the fake devices, and with a real one if the machine has one.
func eachDevice(t *testing.T, f func(t *testing.T, d *Device)) {
	for _, major := range []int{8, 9} {
		name := fmt.Sprintf("fake %d.0", major)
		t.Run(name, func(t *testing.T) {
			need.LongCase(t, name, "fake 9.0")
			d, err := newDevice(newFake(major), 0)
			if err != nil {
				t.Fatal(err)
			}
			f(t, d)
			d.Close()
		})
	}
	t.Run("real", func(t *testing.T) {
		d, err := Open(0)
		need.Device(t, err)
		defer d.Close()
		f(t, d)
	})
}

var losses = map[string]loss.Loss{
	"squared": loss.Squared{}, "logistic": loss.Logistic{}, "svm": loss.SVM{}, "lorenz": loss.Lorenz{}, "huber": loss.Huber{Delta: 1.2}, "multinomial": loss.Multinomial{Classes: 3},
}

// TestContract expects the objective on a device to satisfy the contract of the interface.
func TestContract(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		for name, l := range losses {
			t.Run(name, func(t *testing.T) {
				s := newSample(matrix.Float32, 60, 9, l)
				objectivetest.Run(t, func() anneal.Objective { return s.placed(t, d, 20, 0, 0.1) })
			})
		}
	})
}

func (s *sampleTable) placed(t *testing.T, d *Device, batch, final int, ridge float64) *Objective {
	o, err := d.objective(t.Context(), s.objective(batch, final, ridge))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.Close)
	return o
}

// TestSums expects gradients, curvatures and losses to be those of the processor, for every kernel
// and format, at awkward widths and numbers of rows.
func TestSums(t *testing.T) {
	widths := []int{1, 3, 4, 31, 32, 33, 64, 100, 129, 250, 256, 257, 500, 513, 1000, 1024, 1025, 2048, 2050, 4097, 8200}
	eachDevice(t, func(t *testing.T, d *Device) {
		wide := widths
		if _, ok := d.machine.(*fake); !ok {
			wide = append(wide, 14337, 16385, 30000, 40000, 70000, 100000, 140001)
		}
		for module, format := range formats {
			for i, cols := range wide {
				rows := []int{1, 2, 7, 33, 70, 257}[i%6]
				if cols > 10000 {
					rows = 77
				}
				s := newSample(format, rows, cols, loss.Logistic{})
				compare(t, fmt.Sprintf("%s %d×%d", module, rows, cols), d, s)
			}
		}
		for name, l := range losses {
			compare(t, name, d, newSample(matrix.Float32, 300, 40, l))
		}
	})
}

// compare evaluates the objective on the device and on the processor.
func compare(t *testing.T, name string, d *Device, s *sampleTable) {
	t.Helper()
	compareBatches(t, name, d, s, max(s.rows/3, 1))
}

func compareBatches(t *testing.T, name string, d *Device, s *sampleTable, batch int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 5))
	here, there := s.objective(batch, 0, 0.01), s.placed(t, d, batch, 0, 0.01)
	defer there.Close()
	slack := 1.0
	if s.rounded {
		slack = 20
	}
	n := here.Layout().Len()
	beta, want, got := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range beta {
		beta[i] = rng.NormFloat64() / math.Sqrt(float64(n))
	}
	for b := range here.Batches() {
		sum, weight, err := here.Eval(t.Context(), b, want, beta)
		if err != nil {
			t.Fatal(err)
		}
		sum2, weight2, err := there.Eval(t.Context(), b, got, beta)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if math.Abs(sum-sum2) > slack*2e-5*math.Abs(sum) || math.Abs(weight-weight2) > 1e-9*weight || apart(got, want) > slack*2e-5 {
			t.Errorf("%s, batch %d: sum %g, weight %g, want %g, %g; the gradient is off by %g", name, b, sum2, weight2, sum, weight, apart(got, want))
		}
		if _, err = here.Curvature(t.Context(), b, want, beta); err != nil {
			t.Fatal(err)
		}
		if _, err = there.Curvature(t.Context(), b, got, beta); err != nil {
			t.Fatal(err)
		}
		if apart(got, want) > slack*2e-4 { // what remains of z may be small
			t.Errorf("%s, batch %d: the curvature is off by %g", name, b, apart(got, want))
		}
	}
}

// apart returns ‖a−b‖/‖b‖.
func apart(a, b []float64) float64 {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	return anneal.Norm(d) / anneal.Norm(b)
}

// TestSameSelection expects annealing on a device to select what the processor selects, with and
// without batches, and to give the same bits twice.
func TestSameSelection(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		for name, l := range losses {
			for _, batch := range []int{0, 100} {
				for module, format := range formats {
					if format != matrix.Float32 && name != "logistic" {
						continue
					}
					t.Run(fmt.Sprintf("%s, %s, batch %d", name, module, batch), func(t *testing.T) {
						s := newSample(format, 300, 80, l)
						set := anneal.Settings{K: 5, Iterations: 30, Mu: 10, Force: []int{3}, FactorWarmUp: 5}
						sameSelection(t, d, s, batch, set)
					})
				}
			}
		}
	})
}

// sameSelection anneals on the processor and twice on the device.
func sameSelection(t *testing.T, d *Device, s *sampleTable, batch int, set anneal.Settings) {
	t.Helper()
	run := func(ob anneal.Objective) *anneal.Result {
		r, err := anneal.Run(t.Context(), ob, set)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	want := run(s.objective(batch, set.K, 0.01))
	got, again := run(s.placed(t, d, batch, set.K, 0.01)), run(s.placed(t, d, batch, set.K, 0.01))
	if !slices.Equal(got.Groups, want.Groups) || apart(got.Beta, want.Beta) > 1e-3 {
		t.Errorf("groups %v, want %v; β is off by %g", got.Groups, want.Groups, apart(got.Beta, want.Beta))
	}
	if !reflect.DeepEqual(got, again) {
		t.Error("a second run gave other bits")
	}
}

// TestResume expects a descent that continues from a state to end like an uninterrupted one.
func TestResume(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		s := newSample(matrix.Float32, 300, 60, loss.Logistic{})
		set := anneal.Settings{K: 4, Iterations: 12, Mu: 5}
		var states []*anneal.State
		set.Observe = func(e anneal.Epoch) { states = append(states, e.State()) }
		want, err := anneal.Run(t.Context(), s.placed(t, d, 100, 4, 0), set)
		if err != nil {
			t.Fatal(err)
		}
		set.Observe = nil
		for _, set.Resume = range states {
			got, err := anneal.Run(t.Context(), s.placed(t, d, 100, 4, 0), set)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Groups, want.Groups) || apart(got.Beta, want.Beta) > 1e-4 {
				t.Errorf("resumed after epoch %d: groups %v, want %v, β off by %g", set.Resume.Epoch, got.Groups, want.Groups, apart(got.Beta, want.Beta))
			}
		}
	})
}

// TestInPlace expects a table that leaves no room for a copy to be compacted in place, with the
// same result.
func TestInPlace(t *testing.T) {
	s := newSample(matrix.Float32, 3000, 200, loss.Logistic{})
	set := anneal.Settings{K: 5, Iterations: 20, Mu: 10}
	var want *anneal.Result
	for _, memory := range []int64{0, 2_600_000} {
		d, err := newDevice(newFake(9), memory)
		if err != nil {
			t.Fatal(err)
		}
		got, err := anneal.Run(t.Context(), s.placed(t, d, 1000, 5, 0), set)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		} else if !slices.Equal(got.Groups, want.Groups) || apart(got.Beta, want.Beta) > 1e-5 {
			t.Errorf("in place: groups %v, want %v", got.Groups, want.Groups)
		} else if len(d.tables) > 0 {
			t.Error("it was not compacted in place")
		}
	}
}

// TestShared lets two descents share a table that leaves no room for a copy: neither removes
// columns that the other needs.
func TestShared(t *testing.T) {
	s := newSample(matrix.Float32, 3000, 200, loss.Logistic{})
	set := anneal.Settings{K: 5, Iterations: 20, Mu: 10}
	d, err := newDevice(newFake(9), 3_500_000)
	if err != nil {
		t.Fatal(err)
	}
	one, two := s.placed(t, d, 1000, 5, 0), s.placed(t, d, 1000, 5, 0)
	var chosen [2][]int
	for i, o := range []*Objective{one, two} {
		r, err := anneal.Run(t.Context(), o, set)
		if err != nil {
			t.Fatal(err)
		}
		chosen[i] = r.Groups
	}
	if !slices.Equal(chosen[0], chosen[1]) {
		t.Errorf("groups %v, and then %v", chosen[0], chosen[1])
	}
}

// TestHessian expects the bound on the Hessian to be that of the processor, also if columns are
// identical.
func TestHessian(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		for name, l := range losses {
			s := newSample(matrix.Float32, 500, 6, l)
			if name == "svm" { // the last column equals the first one
				x := s.x.(matrix.Plain)
				cells := make([]float32, 500*6)
				if err := x.Copy(nil)(t.Context(), bytesOf(cells), 6, 0, 500); err != nil {
					t.Fatal(err)
				}
				for i := 0; i < len(cells); i += 6 {
					cells[i+5] = cells[i]
				}
				s.x, s.scale[5], s.offset[5] = matrix.NewDense(500, 6, cells), s.scale[0], s.offset[0]
			}
			want, ok, err := s.objective(0, 0, 0).Hessian(t.Context())
			if err != nil || !ok {
				t.Fatal(name, ok, err)
			}
			got, ok, err := s.placed(t, d, 0, 0, 0).Hessian(t.Context())
			if err != nil || !ok {
				t.Fatal(name, ok, err)
			}
			var a, b mat.SymDense
			got.ToSym(&a)
			want.ToSym(&b)
			if !mat.EqualApprox(&a, &b, 1e-4) {
				t.Errorf("%s: it is %v, want %v", name, mat.Formatted(&a), mat.Formatted(&b))
			}
		}
	})
}

// TestRefused expects tables that do not fit and losses that the device does not support to be
// refused with a reason.
func TestRefused(t *testing.T) {
	d, err := newDevice(newFake(9), 5_000)
	if err != nil {
		t.Fatal(err)
	}
	s := newSample(matrix.Float32, 300, 60, loss.Logistic{})
	if _, err := d.Place(t.Context(), s.objective(0, 5, 0)); !errors.Is(err, ErrMemory) {
		t.Errorf("a table that is too large: %v", err)
	}
	s.loss = loss.Rank{}
	if _, err := d.Place(t.Context(), s.objective(0, 5, 0)); !errors.Is(err, ErrUnsupported) {
		t.Errorf("ranking: %v", err)
	}
	if d.used != 0 {
		t.Errorf("%d bytes are still in use", d.used)
	}
}

// TestCloseAndFail expects all memory to be freed, and a device that fails to result in an error.
func TestCloseAndFail(t *testing.T) {
	f := newFake(9)
	d, err := newDevice(f, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := newSample(matrix.Float32, 300, 60, loss.Logistic{})
	o := s.placed(t, d, 100, 5, 0)
	if _, err := anneal.Run(t.Context(), o, anneal.Settings{K: 5, Iterations: 10}); err != nil {
		t.Fatal(err)
	}
	o.Close()
	if len(f.memory) != 1 { // the table, which is kept for the next objective
		t.Errorf("%d pieces of memory are left", len(f.memory))
	}
	f.fail = "update"
	if _, err := anneal.Run(t.Context(), s.placed(t, d, 100, 5, 0), anneal.Settings{K: 5, Iterations: 10}); !errors.Is(err, ErrLost) {
		t.Errorf("a device that fails: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f.fail = ""
	if _, err := anneal.Run(ctx, s.placed(t, d, 100, 5, 0), anneal.Settings{K: 5, Iterations: 10}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled descent: %v", err)
	}
}

// TestSynthetic expects generated data to be those of their Go counterpart, on any device.
func TestSynthetic(t *testing.T) {
	eachDevice(t, func(t *testing.T, d *Device) {
		for _, format := range formats {
			s := Synthetic{Rows: 40, Columns: 37, Format: format, True: 3, Every: 10, Loss: loss.Logistic{}, Seed: 7}
			m, err := d.Synthetic(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			o, err := m.Objective(0, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer o.Close()
			x := make([]float32, s.Rows*int64(s.Columns))
			y := make([]float64, s.Rows)
			for i := range s.Rows {
				y[i] = s.Label(i)
				for j := range s.Columns {
					x[i*int64(s.Columns)+int64(j)] = float32(s.Cell(i, j))
				}
			}
			table := &sampleTable{rows: int(s.Rows), cols: s.Columns, outputs: 1, x: stored(format, int(s.Rows), s.Columns, x), y: y, loss: s.Loss, scale: make([]float64, s.Columns)}
			for j := range table.scale {
				if table.scale[j] = 1 / math.Sqrt(1.25); format == matrix.Int8 {
					table.scale[j] /= int8PerUnit
				}
			}
			n := s.Columns + 1
			beta, want, got := make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range beta {
				beta[i] = math.Sin(float64(i))
			}
			sum, _, err := table.objective(0, 0, 0).Eval(t.Context(), 0, want, beta)
			if err != nil {
				t.Fatal(err)
			}
			sum2, _, err := o.Eval(t.Context(), 0, got, beta)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(sum-sum2) > 1e-5*sum || apart(got, want) > 1e-5 {
				t.Errorf("format %d: sum %g, want %g; the gradient is off by %g", format, sum2, sum, apart(got, want))
			}
		}
	})
}
