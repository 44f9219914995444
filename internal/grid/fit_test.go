package grid_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"fsa"
	"fsa/anneal"
	"fsa/data"
	"fsa/internal/collective"
	"fsa/internal/grid"
	"fsa/internal/matrix"
	"fsa/internal/need"
	"fsa/model"
)

// spreadTable is a table that can be kept whole or spread over a grid.
type spreadTable struct {
	rows, cols int
	x          []float32
	y          []float64
	categories []string
}

// newSpreadTable returns a table whose target depends on columns 2, 9 and 23, with a few missing
// cells.
func newSpreadTable(rows, cols int, classes bool) *spreadTable {
	rng := rand.New(rand.NewPCG(17, 4))
	t := &spreadTable{rows: rows, cols: cols, x: make([]float32, rows*cols)}
	for i := range rows {
		row := t.x[i*cols : (i+1)*cols]
		for j := range row {
			row[j] = float32(3 + rng.NormFloat64())
		}
		y := float64(row[2]) - 2*float64(row[9]) + float64(row[23]) + 0.5*rng.NormFloat64()
		if classes {
			t.categories = []string{"no", "yes"}
			y = 0.5 + math.Copysign(0.5, y)
		}
		t.y = append(t.y, y)
		if i%50 == 0 {
			row[5] = float32(math.NaN())
		}
	}
	return t
}

// dataset returns the table in the given storage.
func (s *spreadTable) dataset(t *testing.T, x matrix.Numbers) (*data.Dataset, error) {
	return data.FromMatrix(t.Context(), "table", nil, x, data.Roles{TargetVector: &data.Vector{Values: s.y, Categories: s.categories}})
}

// fit returns the model that a process of a grid has fitted, as its file contains it.
func (s *spreadTable) fit(t *testing.T, c collective.Comm, rows, columns int, o fsa.Options) ([]byte, error) {
	g, err := grid.New(c, rows, columns)
	if err != nil {
		return nil, err
	}
	x, err := grid.NewMatrix(g, grid.NewCut(s.rows, s.cols))
	if err != nil {
		return nil, err
	}
	fromRow, toRow, from, to, err := g.Part(grid.NewCut(s.rows, s.cols))
	if err != nil {
		return nil, err
	}
	for i := fromRow; i < toRow; i++ {
		x.Set(i, s.x[i*s.cols+from:i*s.cols+to])
	}
	d, err := s.dataset(t, x)
	if err != nil {
		return nil, err
	}
	m, err := fsa.Fit(t.Context(), d, o)
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		return nil, err
	}
	return file.Bytes(), nil
}

// TestGridSameModel expects a complete fit to give the same model, to the last byte, on every grid,
// and to select what one machine selects, with and without minibatches.
func TestGridSameModel(t *testing.T) {
	for _, c := range []struct {
		name    string
		classes bool
		options fsa.Options
	}{
		{"regression", false, fsa.Options{K: 3, Quick: true}},
		{"classes", true, fsa.Options{K: 3, Quick: true}},
		{"minibatches", true, fsa.Options{K: 3, Quick: true, Descent: fsa.Descent{Batch: 100, Iterations: 20}}},
		{"forced", false, fsa.Options{K: 4, Quick: true, Selection: fsa.Selection{Force: []string{"x30"}}}},
		{"polished", false, fsa.Options{K: 3, Quick: true, Selection: fsa.Selection{Polish: true}, Descent: fsa.Descent{Iterations: 40}}},
		{"validated", false, fsa.Options{K: 3}},
		{"all columns", false, fsa.Options{K: 40, Quick: true, Objective: fsa.Objective{Ridge: 0.01}}},
		{"open size", false, fsa.Options{Validation: fsa.Validation{Folds: 5}}},
		{"open size of classes", true, fsa.Options{Selection: fsa.Selection{Sizes: []int{1, 2, 3, 4}, Choose: "bic"}, Validation: fsa.Validation{Folds: 4, Repeats: 2}}},
		{"validated minibatches", true, fsa.Options{K: 3, Quick: true, Descent: fsa.Descent{Batch: 100, Iterations: 20}, Validation: fsa.Validation{Folds: 4, Calibrate: true}}},
		{"half samples", false, fsa.Options{K: 3, Quick: true, Descent: fsa.Descent{Iterations: 40}, Validation: fsa.Validation{Stability: 3}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			need.LongCase(t, c.name, "classes", "minibatches", "polished", "validated", "half samples")
			s := newSpreadTable(400, 40, c.classes)
			d, err := s.dataset(t, matrix.NewDense(s.rows, s.cols, s.x))
			if err != nil {
				t.Fatal(err)
			}
			one, err := fsa.Fit(t.Context(), d, c.options)
			if err != nil {
				t.Fatal(err)
			}
			var first []byte
			shapes := [][2]int{{1, 1}, {2, 1}, {1, 2}, {3, 2}}
			if testing.Short() {
				shapes = [][2]int{{1, 1}, {2, 2}}
			}
			for _, shape := range shapes {
				files := s.together(t, shape, func(int) fsa.Options { return c.options })
				for p, file := range files {
					if first == nil {
						first = file
					}
					if !bytes.Equal(file, first) {
						t.Errorf("%v, process %d: another model", shape, p)
					}
				}
			}
			spread, err := model.Read(bytes.NewReader(first))
			if err != nil {
				t.Fatal(err)
			}
			if got, want := namesOf(spread), namesOf(one); !slices.Equal(got, want) {
				t.Errorf("selected %v, and one machine selects %v", got, want)
			}
		})
	}
}

// namesOf returns the names of the variables of a model, sorted.
func namesOf(m *model.Model) (list []string) {
	for _, v := range m.Selected() {
		list = append(list, v.Name)
	}
	slices.Sort(list)
	return list
}

// together returns the models that the processes of a grid have fitted, each with its own options.
func (s *spreadTable) together(t *testing.T, shape [2]int, options func(rank int) fsa.Options) [][]byte {
	t.Helper()
	files := make([][]byte, shape[0]*shape[1])
	var wait sync.WaitGroup
	for p, comm := range collective.Group(len(files)) {
		wait.Go(func() {
			var err error
			if files[p], err = s.fit(t, comm, shape[0], shape[1], options(p)); err != nil {
				t.Errorf("%v, process %d: %v", shape, p, err)
				comm.Abort(1, "")
			}
		})
	}
	wait.Wait()
	return files
}

// TestGridResume continues a fit that has left a checkpoint on one grid on another, from any epoch,
// and expects the same model.
func TestGridResume(t *testing.T) {
	for name, o := range map[string]fsa.Options{
		"all rows":    {K: 3, Quick: true, Descent: fsa.Descent{Mu: 2, Iterations: 40}},
		"minibatches": {K: 3, Quick: true, Descent: fsa.Descent{Batch: 100, Iterations: 20}},
		"polished":    {K: 3, Quick: true, Selection: fsa.Selection{Polish: true}, Descent: fsa.Descent{Iterations: 30}},
		"folds":       {K: 3, Descent: fsa.Descent{Iterations: 30}, Validation: fsa.Validation{Folds: 3}},
		"momentum":    {K: 3, Quick: true, Descent: fsa.Descent{Momentum: 0.9, Mu: 2, Iterations: 40}},
		"bins":        {K: 3, Quick: true, Bins: 3, Descent: fsa.Descent{Mu: 2, Iterations: 40}},
	} {
		t.Run(name, func(t *testing.T) {
			need.LongCase(t, name, "minibatches", "folds", "momentum")
			s := newSpreadTable(400, 120, false)
			want := s.together(t, [2]int{1, 1}, func(int) fsa.Options { return o })[0]
			var kept [][]byte           // what the first process would have written after each epoch or fold
			losses := map[int]float64{} // of the epochs
			s.together(t, [2]int{2, 2}, func(rank int) fsa.Options {
				o := o
				o.Run.Record = new(fsa.Record)
				o.Run.Record.Always = true
				if o.Run.Observe = func(fsa.Progress) {}; rank > 0 {
					return o
				}
				keep := func() {
					var file bytes.Buffer
					if _, err := o.Run.Record.WriteTo(&file); err != nil {
						t.Error(err)
					}
					kept = append(kept, file.Bytes())
				}
				o.Run.Observe = func(e fsa.Progress) {
					losses[e.Epoch.Epoch] = e.Loss
					keep()
				}
				o.Run.Step = func(fsa.Step) { keep() } // folds
				return o
			})
			shapes := [][2]int{{1, 1}, {3, 2}, {1, 2}, {2, 1}}
			tries := 12
			if testing.Short() {
				tries = 3
			}
			for n := 1; n < len(kept); n += 1 + len(kept)/tries {
				shape := shapes[n%len(shapes)]
				files := s.together(t, shape, func(int) fsa.Options {
					o := o
					var err error
					if o.Run.Record, err = fsa.ReadRecord(bytes.NewReader(kept[n])); err != nil {
						t.Error(err)
					}
					o.Run.Observe = func(e fsa.Progress) {
						if e.Loss != losses[e.Epoch.Epoch] {
							t.Errorf("%v, from epoch %d on: the loss of epoch %d is %v and was %v", shape, n, e.Epoch.Epoch, e.Loss, losses[e.Epoch.Epoch])
						}
					}
					return o
				})
				for p, file := range files {
					if !bytes.Equal(file, want) {
						t.Errorf("%v, process %d, from epoch %d on: another model", shape, p, n)
					}
				}
			}
		})
	}
}

// TestGridDeadline expects all processes to end with the same model of the remaining variables when
// the time is up.
func TestGridDeadline(t *testing.T) {
	s := newSpreadTable(400, 120, false)
	files := s.together(t, [2]int{2, 2}, func(rank int) fsa.Options {
		// Only the clock of the first process counts.
		return fsa.Options{K: 3, Quick: true, Descent: fsa.Descent{Iterations: 30}, Run: fsa.Run{Deadline: time.Now().Add(time.Duration(rank) * time.Hour)}}
	})
	for p, file := range files {
		if !bytes.Equal(file, files[0]) || !bytes.Contains(file, []byte(model.OutOfTime)) {
			t.Errorf("process %d: another model\n%s", p, file)
		}
	}
}

// TestGridStop expects a fit that the first process is asked to stop to end for all of them, with
// the same model.
func TestGridStop(t *testing.T) {
	s := newSpreadTable(400, 120, false)
	files := s.together(t, [2]int{2, 2}, func(rank int) fsa.Options {
		epochs := 0
		return fsa.Options{K: 3, Quick: true, Descent: fsa.Descent{Iterations: 1000, Tolerance: fsa.None}, Run: fsa.Run{Stop: func() bool {
			epochs++
			return rank == 0 && epochs == 7
		}}}
	})
	for p, file := range files {
		if !bytes.Equal(file, files[0]) || !bytes.Contains(file, []byte(anneal.Stopped.String())) {
			t.Errorf("process %d: another model\n%s", p, file)
		}
	}
}

// TestGridRefuses expects options that need the whole table in one place to be refused, with a
// message that says what to do.
func TestGridRefuses(t *testing.T) {
	s := newSpreadTable(60, 30, false)
	for name, o := range map[string]fsa.Options{
		"groups across slices": {K: 3, Quick: true, Selection: fsa.Selection{Groups: [][]string{{"x1", "x39"}}}},
	} {
		if _, err := s.fit(t, collective.Single{}, 1, 1, o); err == nil {
			t.Errorf("%s: not refused", name)
		}
	}
}
