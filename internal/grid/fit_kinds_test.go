package grid_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fsa"
	"fsa/data"
	"fsa/data/open"
	"fsa/internal/collective"
	"fsa/internal/format/parquet"
	"fsa/internal/grid"
	"fsa/internal/grid/part"
	"fsa/internal/need"
	"fsa/model"
)

// gridFile is a table in a file, and the options of its fit.
type gridFile struct {
	path    string
	roles   open.Roles
	options fsa.Options
	narrow  bool          // there are too few columns for grids with several
	folder  string        // the table is in the files of a folder, instead of a path
	told    func(n int64) // gets the number of bytes that a process has read; may be nil
}

// opened returns the first file of the table, and how to read it.
func (f *gridFile) opened(t *testing.T) (string, open.Options) {
	t.Helper()
	o := open.Options{Bytes: new(atomic.Int64)}
	if f.folder == "" {
		return f.path, o
	}
	first, err := o.Files(t.Context(), []string{f.folder})
	if err != nil {
		t.Fatal(err)
	}
	return first, o
}

// read returns the part of the table that a process of a grid holds.
func (f *gridFile) read(t *testing.T, c collective.Comm, shape [2]int) (*data.Dataset, error) {
	path, o := f.opened(t)
	if f.told != nil {
		defer func() { f.told(o.Bytes.Load()) }()
	}
	s, err := part.Survey(t.Context(), path, o, f.roles)
	if err != nil {
		return nil, err
	}
	if err := s.Together(f.options.Selection.Groups); err != nil {
		return nil, err
	}
	g, err := grid.New(c, shape[0], shape[1])
	if err != nil {
		return nil, err
	}
	return s.Read(t.Context(), g, func(err error) error { return err })
}

// fit returns the model that a process of a grid has fitted, as its file contains it.
func (f *gridFile) fit(t *testing.T, c collective.Comm, shape [2]int, o fsa.Options) ([]byte, error) {
	d, err := f.read(t, c, shape)
	if err != nil {
		return nil, err
	}
	m, err := fsa.Fit(t.Context(), d, o)
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	_, err = m.WriteTo(&file)
	return file.Bytes(), err
}

// together returns the models that the processes of a grid have fitted, each with its own options.
func (f *gridFile) together(t *testing.T, shape [2]int, options func(rank int) fsa.Options) [][]byte {
	t.Helper()
	var wait sync.WaitGroup
	files := make([][]byte, shape[0]*shape[1])
	for p, c := range collective.Group(len(files)) {
		wait.Go(func() {
			var err error
			if files[p], err = f.fit(t, c, shape, options(p)); err != nil {
				t.Errorf("%v, process %d: %v", shape, p, err)
				c.Abort(1, "")
			}
		})
	}
	wait.Wait()
	return files
}

// check fits the table on several grids: all produce the same model, to the last byte. It selects
// the same variables as a fit on one machine and, except for rounding, predicts the same.
func (f *gridFile) check(t *testing.T) {
	t.Helper()
	if f.options.Bins == fsa.Auto {
		f.options.Bins = fsa.None // which one machine would compare with curves
	}
	var first []byte
	shapes := [][2]int{{1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}, {3, 2}}
	if testing.Short() {
		shapes = [][2]int{{1, 1}, {2, 1}}
	}
	for _, shape := range shapes {
		if f.narrow && shape[1] > 1 {
			continue
		}
		files := f.together(t, shape, func(int) fsa.Options { return f.options })
		for p, file := range files {
			if first == nil {
				first = file
			}
			if !bytes.Equal(file, first) {
				t.Errorf("%v, process %d: another model", shape, p)
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	once := [2]int{2, 2} // the table is no longer needed
	if f.narrow {
		once[1] = 1
	}
	for p, file := range f.together(t, once, func(int) fsa.Options {
		o := f.options
		o.Run.Discard = true
		return o
	}) {
		if !bytes.Equal(file, first) {
			t.Fatalf("%v, process %d: another model where the table is not needed any more", once, p)
		}
	}
	spread, err := model.Read(bytes.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	path, o := f.opened(t)
	d, err := open.Table(t.Context(), path, o, f.roles)
	if err != nil {
		t.Fatal(err)
	}
	f.compare(t, d)
	one, err := fsa.Fit(t.Context(), d, f.options)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := namesOf(spread), namesOf(one); !slices.Equal(got, want) {
		t.Errorf("selected %v, and one machine selects %v", got, want)
	}
	decisions := func(m *model.Model) []float64 {
		p, err := m.PredictDataset(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		return p.Decision
	}
	var apart, size float64
	got, want := decisions(spread), decisions(one)
	mean := 0.0
	for _, z := range want {
		mean += z / float64(len(want))
	}
	for i, z := range want {
		apart += (got[i] - z) * (got[i] - z)
		size += (z - mean) * (z - mean)
	}
	if math.Sqrt(apart/size) > 1e-6 {
		t.Errorf("predictions differ from those of one machine by %.3g of their spread", math.Sqrt(apart/size))
	}
}

// compare requires that a grid selects the same variables as one machine.
func (f *gridFile) compare(t *testing.T, one *data.Dataset) {
	t.Helper()
	d, err := f.read(t, collective.Single{}, [2]int{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	if d.Sparse() != one.Sparse() || d.Width() != one.Width() || len(d.Columns) != len(one.Columns) {
		t.Fatalf("sparse %v, %d of %d variables; want %v, %d of %d", d.Sparse(), len(d.Columns), d.Width(), one.Sparse(), len(one.Columns), one.Width())
	}
	near := func(a, b, size float64) bool { return math.Abs(a-b) <= 1e-6*size }
	for j := range d.Columns {
		got, want := &d.Columns[j], &one.Columns[j]
		size := max(math.Abs(want.Min), math.Abs(want.Max))
		if d.ColumnName(j) != one.ColumnName(j) || d.Kind(j).Kind != one.Kind(j).Kind || d.Kind(j).Layout != one.Kind(j).Layout || d.Part(j) != one.Part(j) || got.Missing != want.Missing || got.Left != want.Left ||
			!near(got.Mean, want.Mean, size) || !near(got.SD, want.SD, size) || !near(got.Min, want.Min, size) || !near(got.Max, want.Max, size) {
			t.Errorf("variable %s is %+v, want %+v", one.ColumnName(j), *got, *want)
		}
	}
	if got, want := d.TargetKind(), one.TargetKind(); got.Kind != want.Kind || got.Layout != want.Layout {
		t.Errorf("the response is %+v, want %+v", got, want)
	}
	if !slices.Equal(d.LeftOut(), one.LeftOut()) {
		t.Errorf("%v are left out, want %v", d.LeftOut(), one.LeftOut())
	}
}

// write returns a file with the given lines.
func write(t *testing.T, name string, lines []string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// sparseLines returns the rows of an svmlight file whose target depends on columns 5, 40 and 77.
// Some cells are missing, column 90 has very large numbers, and with a step of more than 1 many
// columns never occur.
func sparseLines(rows int, share float64, step int, classes bool) (lines []string) {
	rng := rand.New(rand.NewPCG(6, 1))
	for i := range rows {
		y, cells := 0.3*rng.NormFloat64(), ""
		for j := range 100 {
			if rng.Float64() > share {
				continue
			}
			v := 1 + rng.Float64()
			switch j {
			case 5:
				y += 2 * v
			case 40:
				y -= 2 * v
			case 77:
				y += v
			case 90:
				v *= 1e30
			}
			text := fmt.Sprintf("%.6g", v)
			if j == 3 && i%7 == 0 {
				text = "nan"
			}
			cells += fmt.Sprintf(" %d:%s", 1+j*step, text)
		}
		if classes {
			y = math.Copysign(1, y)
		}
		lines = append(lines, fmt.Sprintf("%.6g%s", y, cells))
	}
	return lines
}

// TestGridSparse fits a sparse table on a grid as on one machine.
func TestGridSparse(t *testing.T) {
	for _, c := range []struct {
		name    string
		share   float64
		step    int
		classes bool
		options fsa.Options
	}{
		{"regression", 0.2, 50, false, fsa.Options{K: 3, Quick: true, Descent: fsa.Descent{Iterations: 40}}},
		{"classes", 0.2, 50, true, fsa.Options{K: 3, Quick: true, Descent: fsa.Descent{Iterations: 40}}},
		{"minibatches", 0.2, 50, true, fsa.Options{K: 3, Quick: true, Descent: fsa.Descent{Batch: 100, Iterations: 20}}},
		{"validated", 0.2, 50, false, fsa.Options{K: 3, Descent: fsa.Descent{Iterations: 40}, Validation: fsa.Validation{Folds: 3}}},
		{"bins", 0.2, 50, false, fsa.Options{K: 3, Quick: true, Bins: 4, Descent: fsa.Descent{Iterations: 40}}},
		{"validated bins", 0.2, 50, false, fsa.Options{K: 3, Bins: 4, Descent: fsa.Descent{Iterations: 30}, Validation: fsa.Validation{Folds: 3}}},
		{"nearly full", 0.9, 1, false, fsa.Options{K: 3, Quick: true, Descent: fsa.Descent{Iterations: 40}}},
		{"open size", 0.2, 50, false, fsa.Options{Selection: fsa.Selection{Sizes: []int{1, 2, 3, 4}}, Descent: fsa.Descent{Iterations: 40}, Validation: fsa.Validation{Folds: 3}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			need.LongCase(t, c.name, "classes", "bins", "validated")
			f := gridFile{path: write(t, "x.svm", sparseLines(400, c.share, c.step, c.classes)), options: c.options}
			f.check(t)
		})
	}
}

// TestGridFoldBy keeps the rows of one group in one fold on a grid, too.
func TestGridFoldBy(t *testing.T) {
	lines := []string{"y,patient,a,b,c"}
	rng := rand.New(rand.NewPCG(2, 2))
	for i := range 120 {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		lines = append(lines, fmt.Sprintf("%.4f,%d,%.4f,%.4f,%.4f", a-b+0.1*rng.NormFloat64(), i/6, a, b, rng.NormFloat64()))
	}
	f := gridFile{path: write(t, "x.csv", lines), roles: open.Roles{Target: "y", Group: "patient"}, options: fsa.Options{Selection: fsa.Selection{Sizes: []int{1, 2}}, Descent: fsa.Descent{Iterations: 30}, Validation: fsa.Validation{Folds: 4}}}
	f.check(t)
	d, err := f.read(t, collective.Single{}, [2]int{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Target.Group) != d.Rows() || d.Target.GroupName != "patient" {
		t.Errorf("%d rows of %d have a group, which is called %q", len(d.Target.Group), d.Rows(), d.Target.GroupName)
	}
}

// curvedLines returns the rows of a table whose target is a curve of a and of c, and depends on e.
// Some numbers are missing, and a few columns have only few distinct values, or one.
func curvedLines(rows int) []string {
	lines := []string{"y,a,b,c,d,e,f,g,h,i,constant"}
	rng := rand.New(rand.NewPCG(9, 4))
	for i := range rows {
		x := make([]float64, 9)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		x[4], x[5] = float64(rng.IntN(5)), math.Exp(x[5])
		y := 2*x[0]*x[0] - 3*math.Abs(x[2]) + x[4] + 0.2*rng.NormFloat64()
		line := fmt.Sprintf("%.5f", y)
		for j, v := range x {
			if text := fmt.Sprintf(",%.5f", v); (i+j)%40 == 0 && (j == 1 || j == 2) {
				line += ","
			} else {
				line += text
			}
		}
		lines = append(lines, line+",7")
	}
	return lines
}

// TestGridBins expects piecewise-linear terms to have the same knots on every grid as on one
// machine.
func TestGridBins(t *testing.T) {
	path := write(t, "x.csv", curvedLines(500))
	for name, o := range map[string]fsa.Options{
		"quantiles":   {K: 3, Quick: true, Bins: 6, Descent: fsa.Descent{Iterations: 40}},
		"even":        {K: 3, Quick: true, Bins: 6, Design: fsa.Design{Spacing: data.SpacingEven}, Descent: fsa.Descent{Iterations: 40}},
		"minibatches": {K: 3, Quick: true, Bins: 4, Descent: fsa.Descent{Batch: 100, Iterations: 20}},
		"smooth":      {K: 3, Bins: 8, Objective: fsa.Objective{CurvePriors: map[string]float64{"smooth": 0.01, "variation": 0.001}}, Descent: fsa.Descent{Iterations: 40}, Validation: fsa.Validation{Folds: 3}},
		"polished":    {K: 3, Quick: true, Bins: 4, Selection: fsa.Selection{Polish: true}, Descent: fsa.Descent{Iterations: 30}},
		"validated":   {K: 3, Bins: 4, Descent: fsa.Descent{Iterations: 30}, Validation: fsa.Validation{Folds: 3}},
		"open size":   {Bins: 4, Selection: fsa.Selection{Sizes: []int{1, 2, 3, 4}}, Descent: fsa.Descent{Iterations: 30}, Validation: fsa.Validation{Folds: 3}},
		"forced":      {K: 4, Quick: true, Bins: 4, Selection: fsa.Selection{Force: []string{"h"}}, Descent: fsa.Descent{Iterations: 30}},
	} {
		t.Run(name, func(t *testing.T) {
			need.LongCase(t, name, "quantiles", "minibatches", "validated", "smooth")
			f := gridFile{path: path, roles: open.Roles{Target: "y"}, options: o}
			f.check(t)
		})
	}
}

// folderOf writes a table of several Parquet files below folders whose names give further columns.
func folderOf(t *testing.T, columns, rows int) string {
	root, rng := t.TempDir(), rand.New(rand.NewPCG(3, 1))
	s := &data.Schema{Width: columns + 1, Names: []string{"y"}}
	for j := range columns {
		s.Names = append(s.Names, fmt.Sprint("v", j))
	}
	for n, place := range []string{"year=2021/town=Ulm", "year=2021/town=Bonn", "year=2022/town=__HIVE_DEFAULT_PARTITION__", "year=2023/town=Ulm"} {
		dir := filepath.Join(root, filepath.FromSlash(place))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		f, err := open.CreateTable(filepath.Join(dir, "part.parquet"))
		if err != nil {
			t.Fatal(err)
		}
		var lines strings.Builder
		lines.WriteString(strings.Join(s.Names, ",") + "\n")
		for range rows {
			row := make([]float64, columns+1)
			for j := range columns {
				row[j+1] = rng.NormFloat64()
			}
			row[0] = row[3] - 2*row[8] + 0.1*rng.NormFloat64()
			if n == 3 {
				row[0] += 4
			}
			for j, v := range row {
				fmt.Fprintf(&lines, "%.9g%c", v, ",\n"[j/columns])
			}
		}
		if err := f.WriteTable(t.Context(), strings.NewReader(lines.String()), nil, 0); err != nil {
			t.Fatal(err)
		}
		if err := f.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// TestGridFolder expects the files of a folder to be one table with the columns of the names of its folders, and a
// process to read the row groups and columns of its part alone.
func TestGridFolder(t *testing.T) {
	f := gridFile{folder: folderOf(t, 40, 100), roles: open.Roles{Target: "y"}, options: fsa.Options{K: 3, Quick: true, Descent: fsa.Descent{Iterations: 40}}}
	f.check(t)
	large := folderOf(t, 40, 3000)
	read := func(shape [2]int) (most int64) {
		var lock sync.Mutex
		var wait sync.WaitGroup
		for _, c := range collective.Group(shape[0] * shape[1]) {
			f := gridFile{folder: large, roles: f.roles, told: func(n int64) {
				lock.Lock()
				defer lock.Unlock()
				most = max(most, n)
			}}
			wait.Go(func() {
				if _, err := f.read(t, c, shape); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		return most
	}
	one := read([2]int{1, 1})
	for _, shape := range [][2]int{{4, 1}, {2, 2}} {
		if n := read(shape); 2*n > one {
			t.Errorf("%v: a process reads %d bytes, and one process alone %d", shape, n, one)
		}
	}
}

// TestGridGroups expects a grid to keep or drop groups of columns together, wherever the columns
// are.
func TestGridGroups(t *testing.T) {
	need.Long(t)
	groups := [][]string{{"i", "a"}, {"constant", "c", "g"}, {"b", "h"}}
	for name, o := range map[string]fsa.Options{
		"linear":      {K: 2, Quick: true, Descent: fsa.Descent{Iterations: 40}},
		"bins":        {K: 2, Quick: true, Bins: 4, Descent: fsa.Descent{Iterations: 40}},
		"minibatches": {K: 2, Quick: true, Descent: fsa.Descent{Batch: 100, Iterations: 20}},
		"forced":      {K: 3, Quick: true, Selection: fsa.Selection{Force: []string{"h"}}, Descent: fsa.Descent{Iterations: 40}},
		"validated":   {K: 2, Bins: 4, Descent: fsa.Descent{Iterations: 30}, Validation: fsa.Validation{Folds: 3}},
		"open size":   {Bins: 3, Selection: fsa.Selection{Sizes: []int{1, 2, 3}}, Descent: fsa.Descent{Iterations: 30}, Validation: fsa.Validation{Folds: 3}},
	} {
		t.Run(name, func(t *testing.T) {
			o.Selection.Groups = groups
			f := gridFile{path: write(t, "x.csv", curvedLines(500)), roles: open.Roles{Target: "y"}, options: o}
			f.check(t)
		})
	}
	t.Run("sparse", func(t *testing.T) {
		o := fsa.Options{K: 2, Quick: true, Selection: fsa.Selection{Groups: [][]string{{"x3850", "x250"}, {"x2000", "x7", "x100"}}}, Descent: fsa.Descent{Iterations: 40}}
		f := gridFile{path: write(t, "x.svm", sparseLines(400, 0.2, 50, false)), options: o}
		f.check(t)
	})
	t.Run("classes", func(t *testing.T) {
		lines := []string{"y,a,b,c,d,e,f"}
		rng := rand.New(rand.NewPCG(12, 4))
		for range 300 {
			x := make([]float64, 6)
			for j := range x {
				x[j] = rng.NormFloat64()
			}
			class := "none"
			if x[0]+x[4] > 1 {
				class = "some"
			} else if x[0]-x[4] > 1 {
				class = "many"
			}
			lines = append(lines, fmt.Sprintf("%s,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f", class, x[0], x[1], x[2], x[3], x[4], x[5]))
		}
		o := fsa.Options{K: 1, Quick: true, Selection: fsa.Selection{Groups: [][]string{{"e", "a"}, {"b", "f"}}}, Descent: fsa.Descent{Iterations: 40}}
		f := gridFile{path: write(t, "x.csv", lines), roles: open.Roles{Target: "y"}, options: o}
		f.check(t)
	})
}

// messyLines returns the rows of a table whose target depends on the shop, the weekday, a boolean
// and a number. Some texts are missing, some occur in only a few rows, and a column of names and
// one of numbers identify the rows.
func messyLines(rows int) []string {
	lines := []string{"y,customer_id,shop,day,a,member,b,name,c,opened,d,colour,e,f"}
	rng := rand.New(rand.NewPCG(3, 14))
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range rows {
		shop := rng.IntN(6)
		effect := []float64{0, 2, -1, 3, 0.5, -2}[shop]
		texts := []string{"north", "south", "east", "west", "harbour", "market"}
		label := texts[shop]
		switch {
		case i%60 == 7:
			label, effect = "", 0
		case i%97 == 5:
			label, effect = fmt.Sprintf("stand %d", i%4), 0
		}
		day := start.AddDate(0, 0, rng.IntN(700))
		if day.Weekday() == time.Sunday {
			effect += 4
		}
		member := "no"
		if rng.IntN(2) == 0 {
			member = "yes"
			effect += 2
		}
		x := make([]float64, 6)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		y := effect + 2*x[0] + 0.3*rng.NormFloat64()
		lines = append(lines, fmt.Sprintf("%.4f,%d,%s,%s,%.4f,%s,%.4f,person %d,%.4f,%02d:%02d,%.4f,%s,%.4f,%.4f",
			y, 5000+(i*7919)%100003, label, day.Format("2006-01-02"), x[0], member, x[1], i, x[2], rng.IntN(24), rng.IntN(60), x[3],
			[]string{"red", "green", "blue"}[rng.IntN(3)], x[4], x[5]))
	}
	return lines
}

// TestGridTexts fits texts, booleans and dates on a grid as on one machine, and leaves identifiers
// out.
func TestGridTexts(t *testing.T) {
	path := write(t, "x.csv", messyLines(500))
	quick := []string{"bins", "minibatches", "validated", "groups", "texts alone", "dates alone"}
	for name, o := range map[string]fsa.Options{
		"linear":      {K: 4, Quick: true, Descent: fsa.Descent{Iterations: 60}},
		"bins":        {K: 4, Quick: true, Bins: 4, Descent: fsa.Descent{Iterations: 60}},
		"minibatches": {K: 4, Quick: true, Descent: fsa.Descent{Batch: 100, Iterations: 20}},
		"polished":    {K: 4, Quick: true, Selection: fsa.Selection{Polish: true}, Descent: fsa.Descent{Iterations: 30}},
		"validated":   {K: 4, Descent: fsa.Descent{Iterations: 40}, Validation: fsa.Validation{Folds: 3}},
		"open size":   {Selection: fsa.Selection{Sizes: []int{1, 2, 3, 4, 5}}, Descent: fsa.Descent{Iterations: 30}, Validation: fsa.Validation{Folds: 3}},
		"groups":      {K: 4, Quick: true, Selection: fsa.Selection{Groups: [][]string{{"e", "a"}, {"f", "b"}}}, Descent: fsa.Descent{Iterations: 40}},
		"forced":      {K: 5, Quick: true, Selection: fsa.Selection{Force: []string{"colour"}}, Descent: fsa.Descent{Iterations: 40}},
		"no ridge":    {K: 4, Quick: true, Objective: fsa.Objective{Ridge: fsa.None}, Descent: fsa.Descent{Iterations: 40}},
	} {
		t.Run(name, func(t *testing.T) {
			need.LongCase(t, name, quick...)
			f := gridFile{path: path, roles: open.Roles{Target: "y"}, options: o}
			f.check(t)
		})
	}
	for name, drop := range map[string][]string{
		"texts alone": {"day", "opened", "customer_id", "a", "b", "c", "d", "e", "f"},
		"dates alone": {"customer_id", "a", "b", "c", "d", "e", "f", "shop", "member", "name", "colour"},
	} {
		t.Run(name, func(t *testing.T) {
			need.LongCase(t, name, quick...)
			f := gridFile{path: path, roles: open.Roles{Target: "y", Drop: drop}, options: fsa.Options{K: 1, Quick: true, Descent: fsa.Descent{Iterations: 30}}, narrow: name == "dates alone"}
			f.check(t)
		})
	}
}

// TestGridTextsOfParts expects the same numbers for categories that only some processes see.
func TestGridTextsOfParts(t *testing.T) {
	lines := messyLines(600)
	slices.SortFunc(lines[1:], func(a, b string) int { // so that row groups have different shops
		return strings.Compare(strings.Split(a, ",")[2], strings.Split(b, ",")[2])
	})
	r, err := open.Reader(t.Context(), write(t, "x.csv", lines), open.Options{Skip: []string{"day", "opened"}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all data.Block
	for b, err := range data.Blocks(t.Context(), r) {
		if err != nil {
			t.Fatal(err)
		}
		all.Rows, all.Dense = all.Rows+b.Rows, append(all.Dense, b.Dense...)
	}
	s := *r.Schema()
	s.Kinds = nil
	var file bytes.Buffer
	w, err := parquet.NewWriter(&file, &s, all.Rows)
	if err != nil {
		t.Fatal(err)
	}
	for lo := 0; lo < all.Rows; lo += 50 {
		if err := w.Write(&data.Block{Rows: 50, Dense: all.Dense[lo*s.Width : (lo+50)*s.Width]}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := os.WriteFile(path, file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	f := gridFile{path: path, roles: open.Roles{Target: "y", Drop: []string{"day", "opened"}}, options: fsa.Options{K: 3, Quick: true, Descent: fsa.Descent{Iterations: 60}}}
	f.check(t)
}

// TestGridResumeTexts continues a fit of texts, dates and groups of columns on another grid, from
// any epoch, and expects the same model.
func TestGridResumeTexts(t *testing.T) {
	o := fsa.Options{K: 3, Quick: true, Bins: 3, Selection: fsa.Selection{Groups: [][]string{{"e", "a"}, {"f", "b"}}}, Descent: fsa.Descent{Mu: 2, Iterations: 30}}
	f := gridFile{path: write(t, "x.csv", messyLines(300)), roles: open.Roles{Target: "y"}, options: o}
	want := f.together(t, [2]int{1, 1}, func(int) fsa.Options { return o })[0]
	var kept [][]byte // what the first process would have written after each epoch
	f.together(t, [2]int{2, 2}, func(rank int) fsa.Options {
		o := o
		o.Run.Record = new(fsa.Record)
		o.Run.Record.Always = true
		o.Run.Observe = func(fsa.Progress) {
			var file bytes.Buffer
			if _, err := o.Run.Record.WriteTo(&file); err != nil {
				t.Error(err)
			}
			if rank == 0 {
				kept = append(kept, file.Bytes())
			}
		}
		return o
	})
	shapes := [][2]int{{1, 1}, {3, 2}, {1, 2}, {2, 1}}
	tries := 10
	if testing.Short() {
		tries = 3
	}
	for n := 1; n < len(kept); n += 1 + len(kept)/tries {
		for p, file := range f.together(t, shapes[n%len(shapes)], func(int) fsa.Options {
			o := o
			var err error
			if o.Run.Record, err = fsa.ReadRecord(bytes.NewReader(kept[n])); err != nil {
				t.Error(err)
			}
			return o
		}) {
			if !bytes.Equal(file, want) {
				t.Errorf("%v, process %d, from epoch %d on: another model", shapes[n%len(shapes)], p, n)
			}
		}
	}
}

// TestGridStorage keeps numbers in fewer bits on a grid.
func TestGridStorage(t *testing.T) {
	need.Long(t)
	path := write(t, "x.csv", messyLines(400))
	for name, o := range map[string]fsa.Options{
		"int8":      {K: 4, Quick: true, Design: fsa.Design{Storage: data.StorageInt8}, Descent: fsa.Descent{Iterations: 40}},
		"bfloat16":  {K: 4, Quick: true, Design: fsa.Design{Storage: data.StorageBFloat16}, Descent: fsa.Descent{Iterations: 40}},
		"validated": {K: 4, Design: fsa.Design{Storage: data.StorageInt8}, Descent: fsa.Descent{Iterations: 30}, Validation: fsa.Validation{Folds: 3}},
	} {
		t.Run(name, func(t *testing.T) {
			f := gridFile{path: path, roles: open.Roles{Target: "y"}, options: o}
			f.check(t)
		})
	}
}
