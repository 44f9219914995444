package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	format "github.com/parquet-go/parquet-go"
	"github.com/spf13/cobra"

	"fsa/data"
	"fsa/internal/collective"
	"fsa/internal/format/parquet"
	"fsa/internal/need"
)

// gridTable writes a table of two Parquet files with several row groups, whose target y depends on
// v2, v9 and v7. The last one is far from zero, and needs more digits than a float32 has.
func gridTable(t testing.TB) (pattern string) {
	t.Helper()
	const rows, columns = 640, 24
	rng := rand.New(rand.NewPCG(8, 8))
	dir := t.TempDir()
	s := &data.Schema{Width: columns + 1, Names: []string{"y"}}
	for j := range columns {
		s.Names = append(s.Names, fmt.Sprint("v", j))
	}
	for n := range 2 {
		var file bytes.Buffer
		w, err := parquet.NewWriter(&file, s, rows/2)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			b := &data.Block{Rows: rows / 4}
			for range b.Rows {
				x := make([]float64, columns+1)
				for j := range columns {
					x[j+1] = rng.NormFloat64()
				}
				x[0] = x[1+2] - 2*x[1+9] + 3*x[1+7] + 0.2*rng.NormFloat64()
				x[1+7] += 1e9
				b.Dense = append(b.Dense, x...)
			}
			if err := w.Write(b); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("part-%d.parquet", n)), file.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "part-*.parquet")
}

var gridFit = []string{"--target", "y", "-k", "3", "--quick", "--epochs", "20"}

// selected returns the names of the variables of a model.
func selected(t testing.TB, folder string) []string {
	t.Helper()
	m, _, err := loadModel(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, v := range m.Selected() {
		names = append(names, v.Name)
	}
	slices.Sort(names)
	return names
}

// A grid of one process selects the same variables as a fit without a grid, from any format, and
// its model predicts.
func TestGridOfOne(t *testing.T) {
	pattern, dir := gridTable(t), t.TempDir()
	text, array := filepath.Join(dir, "x.csv"), filepath.Join(dir, "x.npy")
	must(t, "generate", "ar1", "--n", "300", "--m", "30", "--k", "3", "--rho", "0.1", "--out", text)
	must(t, "generate", "ar1", "--n", "300", "--m", "30", "--k", "3", "--rho", "0.1", "--out", array)
	sparse, stored, swapped := zipf(t, "x.svm"), zipf(t, "x.fsa"), file(t, "towns.csv", towns(400))
	for name, args := range map[string][]string{
		"bins": {text, "-k", "3", "--quick", "--bins", "4"}, "parquet": append([]string{pattern}, gridFit...), "csv": {text, "-k", "3", "--quick"}, "npy": {array, "-k", "3", "--quick"},
		"svmlight": {sparse, "-k", "3", "--quick"}, "fsa": {stored, "-k", "3", "--quick"},
		"swaps": {swapped, "--target", "y", "-k", "3", "--quick"}, "swaps after validation": {swapped, "--target", "y", "-k", "3"},
	} {
		t.Run(name, func(t *testing.T) {
			need.LongCase(t, name, "csv", "svmlight", "swaps")
			here, spread := filepath.Join(t.TempDir(), "here"), filepath.Join(t.TempDir(), "grid")
			must(t, append(append([]string{"fit"}, args...), "--out", here)...)
			must(t, append(append([]string{"fit"}, args...), "--grid", "auto", "--out", spread)...)
			if got, want := selected(t, filepath.Join(spread, modelName)), selected(t, filepath.Join(here, modelName)); !slices.Equal(got, want) {
				t.Errorf("selected %v, without a grid %v", got, want)
			}
			if name != "parquet" {
				must(t, "predict", spread, args[0])
			}
		})
	}
}

// towns returns a table in which the descent prefers a text of two categories to one of five that
// is more informative.
func towns(rows int) string {
	rng := rand.New(rand.NewPCG(3, 8))
	var b strings.Builder
	b.WriteString("y,a,b,town,flag,city\n")
	for range rows {
		x, z, town, flag := rng.NormFloat64(), 5+2*rng.NormFloat64(), rng.IntN(5), rng.IntN(5) < 2
		y := 2*x - z + 0.2*rng.NormFloat64()
		if town == 0 {
			y += 3
		}
		if flag {
			y += 2
		}
		fmt.Fprintf(&b, "%.4f,%.4f,%.4f,%s,%t,c%d\n", y, x, z, []string{"Ulm", "Bonn", "Kiel", "Köln", "Jena"}[town], flag, rng.IntN(60))
	}
	return b.String()
}

// zipf writes a sparse table.
func zipf(t *testing.T, name string) string {
	path := filepath.Join(t.TempDir(), name)
	must(t, "generate", "zipf", "--n", "400", "--m", "600", "--k", "3", "--out", path)
	return path
}

// Sparse tables, bins, groups, texts and dates have the same model on any grid.
func TestGridKinds(t *testing.T) {
	need.Long(t)
	groups := file(t, "groups.txt", "v20, v2\nv0, v9\nv11, v23, v1\n")
	messy := file(t, "messy.csv", messyRows(1, 400))
	for name, fit := range map[string][]string{
		"sparse": {"fit", zipf(t, "x.svm"), "-k", "3", "--quick"},
		"bins":   append([]string{"fit", gridTable(t), "--bins", "4"}, gridFit...),
		"smooth": append([]string{"fit", gridTable(t), "--bins", "4", "--smooth", "0.01"}, gridFit...),
		"groups": append([]string{"fit", gridTable(t), "--groups", groups}, gridFit...),
		"texts":  {"fit", messy, "--target", "y", "-k", "3", "--quick"},
		"swaps":  {"fit", file(t, "towns.csv", towns(400)), "--target", "y", "-k", "3", "--quick"},
	} {
		t.Run(name, func(t *testing.T) { sameOnGrids(t, fit) })
	}
}

// sameOnGrids requires a fit to have the same model on several grids.
func sameOnGrids(t *testing.T, fit []string) {
	one := filepath.Join(t.TempDir(), "one")
	must(t, append(slices.Clone(fit), "--grid", "1x1", "--out", one)...)
	for i, l := range launchers {
		t.Run(l, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "run")
			if said, err := mpirun(t, l, []int{4, 3}[i], append(slices.Clone(fit), "--grid", []string{"2x2", "1x3"}[i], "--out", out)...); err != nil {
				t.Fatalf("%v\n%s", err, said)
			}
			if !bytes.Equal(read(t, filepath.Join(out, modelName)), read(t, filepath.Join(one, modelName))) {
				t.Error("the model is another one")
			}
		})
	}
}

// What a grid does not support is refused at once, with advice.
func TestGridRefusesFlags(t *testing.T) {
	pattern := gridTable(t)
	texts := file(t, "texts.csv", "y,a,b\n1,2,x\n2,3,y\n3,5,x\n4,1,y\n")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{append([]string{pattern, "--grid", "2by2"}, gridFit...), exitUsage, "such as 4x2"},
		{append([]string{pattern, "--grid", "2x2"}, gridFit...), exitUsage, "mpirun -n 4"},
		{append([]string{pattern, "--grid", "auto", "--device", "cuda"}, gridFit...), exitUsage, "--device does not work on a grid"},
		{append([]string{pattern, "--grid", "auto", "--skip-missing-target"}, gridFit...), exitUsage, "take rows without a target out"},
		{append([]string{pattern, "--grid", "auto", "--memory", "60KB"}, gridFit...), exitResources, "start more processes"},
		{append([]string{pattern, "--grid", "auto", "--live"}, gridFit...), exitUsage, "give --out"},
		{append([]string{pattern, "--grid", "auto", "--test", texts}, gridFit...), exitBadData, "lack this column"},
		{[]string{texts, "--target", "y", "-k", "1", "--quick", "--grid", "auto", "--groups", file(t, "groups.txt", "a,b\n")}, exitBadData, "leave it out of the groups"},
		{[]string{texts, "--target", "y", "-k", "1", "--quick", "--grid", "auto", "--categorical", "q"}, exitBadData, "there is no column"},
		{[]string{texts, "--target", "y", "-k", "1", "--quick", "--grid", "auto", "--drop", "q"}, exitBadData, `there is no column "q" for the columns to drop`},
		{[]string{texts, "--target", "y", "-k", "1", "--quick", "--grid", "auto", "--drop", "y"}, exitBadData, `column "y" cannot have two roles`},
	} {
		code, _, stderr := call(t, append([]string{"fit"}, c.args...)...)
		if code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit code %d, want %d and %q\n%s", c.args, code, c.code, c.want, stderr)
		}
	}
}

// The first process of a grid serves the page of --live.
func TestGridLive(t *testing.T) {
	fit, one := append([]string{"fit", gridTable(t)}, gridFit...), filepath.Join(t.TempDir(), "one")
	must(t, append(slices.Clone(fit), "--grid", "1x1", "--out", one)...)
	for _, l := range launchers {
		t.Run(l, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "run")
			said, err := mpirun(t, l, 2, append(slices.Clone(fit), "--grid", "2x1", "--live", "--out", out)...)
			if err != nil || strings.Count(said, "watch it at http") != 1 {
				t.Fatalf("%v\n%s", err, said)
			}
			if !bytes.Equal(read(t, filepath.Join(out, modelName)), read(t, filepath.Join(one, modelName))) {
				t.Error("the model is another one")
			}
		})
	}
}

// launchers start processes that communicate by MPI.
var launchers = []string{"mpirun.openmpi", "mpirun.mpich"}

// installMPI says how to install them.
const installMPI = "apt-get install openmpi-bin mpich"

// mpirun starts the given number of processes of this program. More are the arguments of further
// programs, separated by colons.
func mpirun(t *testing.T, launcher string, n int, args ...string) (string, error) {
	t.Helper()
	need.Long(t)
	need.Program(t, installMPI, launcher)
	all := []string{"-n", fmt.Sprint(n), os.Args[0]}
	if strings.Contains(launcher, "openmpi") {
		all = append([]string{"--oversubscribe"}, all...)
	}
	for _, a := range args {
		if all = append(all, a); a == ":" {
			all = append(all, "-n", "1", os.Args[0])
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, launcher, all...)
	cmd.Env = append(os.Environ(), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "GOMAXPROCS=1")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// The model of a fit is the same, to the last byte, on any grid and with any MPI.
func TestGridSameModel(t *testing.T) {
	pattern, one := gridTable(t), filepath.Join(t.TempDir(), "one")
	must(t, append([]string{"fit", pattern, "--grid", "1x1", "--out", one}, gridFit...)...)
	want := read(t, filepath.Join(one, modelName))
	for _, l := range launchers {
		for _, shape := range [][2]int{{1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}, {3, 2}} {
			t.Run(fmt.Sprint(l, shape), func(t *testing.T) {
				out := filepath.Join(t.TempDir(), "run")
				said, err := mpirun(t, l, shape[0]*shape[1], append([]string{"fit", pattern, "--grid", fmt.Sprintf("%dx%d", shape[0], shape[1]), "--out", out}, gridFit...)...)
				if err != nil {
					t.Fatalf("%v\n%s", err, said)
				}
				if !bytes.Equal(read(t, filepath.Join(out, modelName)), want) {
					t.Error("the model is another one")
				}
				if n := strings.Count(said, "variables selected"); n != 1 {
					t.Errorf("%d processes say what was selected\n%s", n, said)
				}
			})
		}
	}
}

// The results of validation, the size, the ridge and whether to swap, are the same on any grid, and
// the fit selects what one machine does.
func TestGridValidation(t *testing.T) {
	need.Long(t)
	x, one, here := filepath.Join(t.TempDir(), "x.csv"), filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "here")
	must(t, "generate", "ar1", "--n", "120", "--m", "20", "--k", "2", "--task", "regression", "--out", x)
	fit := []string{"fit", x, "-k", "1:4", "--folds", "3", "--stability", "2", "--epochs", "40"}
	must(t, append(slices.Clone(fit), "--out", here)...)
	must(t, append(slices.Clone(fit), "--grid", "1x1", "--out", one)...)
	if got, want := selected(t, filepath.Join(one, modelName)), selected(t, filepath.Join(here, modelName)); !slices.Equal(got, want) {
		t.Errorf("selected %v, without a grid %v", got, want)
	}
	for i, l := range launchers {
		t.Run(l, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "run")
			if said, err := mpirun(t, l, 2, append(slices.Clone(fit), "--grid", []string{"2x1", "1x2"}[i], "--report", "--out", out)...); err != nil {
				t.Fatalf("%v\n%s", err, said)
			}
			if !bytes.Equal(read(t, filepath.Join(out, modelName)), read(t, filepath.Join(one, modelName))) {
				t.Error("the model is another one")
			}
		})
	}
}

// Held-out rows measure the model in the same way on any grid, with the results of one machine.
func TestGridTests(t *testing.T) {
	need.Long(t)
	x := filepath.Join(t.TempDir(), "x.csv")
	must(t, "generate", "ar1", "--n", "120", "--m", "20", "--k", "2", "--task", "regression", "--out", x)
	for i, more := range [][]string{{"--holdout", "0.25"}, {"--test", x}, {"--nested", "--folds", "2"}} {
		fit := append([]string{"fit", x, "-k", "2", "--epochs", "20", "--quick"}, more...)
		one, here, out := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "here"), filepath.Join(t.TempDir(), "run")
		must(t, append(slices.Clone(fit), "--out", here)...)
		must(t, append(slices.Clone(fit), "--grid", "1x1", "--report", "--out", one)...)
		if got, want := tested(t, one), tested(t, here); math.Abs(got-want) > 1e-6 {
			t.Errorf("%v: error %g, without a grid %g", more, got, want)
		}
		t.Run(more[0], func(t *testing.T) {
			if said, err := mpirun(t, launchers[i%2], 2, append(slices.Clone(fit), "--grid", []string{"2x1", "1x2"}[i%2], "--out", out)...); err != nil {
				t.Fatalf("%v\n%s", err, said)
			}
			if !bytes.Equal(read(t, filepath.Join(out, modelName)), read(t, filepath.Join(one, modelName))) {
				t.Error("the model is another one")
			}
		})
	}
}

// tested returns the error of a model on held-out rows.
func tested(t *testing.T, folder string) float64 {
	t.Helper()
	m, _, err := loadModel(t.Context(), filepath.Join(folder, modelName))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Tests()) != 1 {
		t.Fatalf("the tests of the model are %v", m.Tests())
	}
	return m.Tests()[0].Metrics["rmse"]
}

// Processes that do not belong together, or one of which cannot read its part, all end, and one of
// them says why.
func TestGridFaults(t *testing.T) {
	pattern := gridTable(t)
	for _, l := range launchers {
		t.Run(l+" settings", func(t *testing.T) {
			args := append([]string{"fit", pattern, "--grid", "auto"}, gridFit...)
			said, err := mpirun(t, l, 1, slices.Concat(args, []string{":"}, args, []string{"--ridge", "0.5"})...)
			if err == nil || strings.Count(said, "--ridge of rank 1 of 2") != 1 {
				t.Errorf("%v\n%s", err, said)
			}
		})
	}
	// The last chunk of the last file is damaged: only the process that has the last rows and
	// columns notices.
	second := strings.Replace(pattern, "*", "1", 1)
	b := read(t, second)
	f, err := format.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	groups := f.Metadata().RowGroups
	chunks := groups[len(groups)-1].Columns
	clear(b[chunks[len(chunks)-1].MetaData.DataPageOffset:][:16])
	if err := os.WriteFile(second, b, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, l := range launchers {
		t.Run(l+" damaged", func(t *testing.T) {
			said, err := mpirun(t, l, 4, append([]string{"fit", pattern, "--grid", "2x2"}, gridFit...)...)
			if err == nil || !strings.Contains(said, "rank 3 of 4 on ") || !strings.Contains(said, "part-1.parquet") {
				t.Errorf("%v\n%s", err, said)
			}
		})
	}
}

// An error of all processes is printed once, with advice.
func TestGridRefusesOnce(t *testing.T) {
	twice, short := file(t, "twice.csv", "y,a,a,b\n1,2,3,x\n2,3,4,y\n3,5,1,x\n4,1,2,y\n"), file(t, "short.csv", "y,a\n1,2\n3,3\n")
	for i, c := range []struct {
		args []string
		want string
	}{
		{[]string{twice, "-k", "1", "--grid", "2x1"}, "two columns have this name"},
		{[]string{short, "-k", "1", "--grid", "2x1", "--use", "q"}, "--use q: there is no such variable"},
		{[]string{short, "-k", "1", "--grid", "2x1", "--force", "y"}, "--force y: this column cannot be selected"},
		{[]string{short, "-k", "1", "--grid", "2x1", "--holdout", "0.5"}, "too few for 2 parts"},
		{[]string{twice, "-k", "1", "--grid", "2x1", "--drop", "a", "--folds", "9", "--loss", "squared"}, "cannot be divided into 9 parts"},
		{[]string{short, "-k", "1", "--grid", "1x2"}, "short.csv can be divided into at most 2x1 blocks"},
	} {
		said, err := mpirun(t, launchers[i%2], 2, append([]string{"fit", "--target", "y", "--quick"}, c.args...)...)
		if err == nil || strings.Count(said, "fsa: ") != 1 || !strings.Contains(said, c.want) {
			t.Errorf("%v: %v, want %q once\n%s", c.args, err, c.want, said)
		}
	}
}

// A process that fails before it has joined the others does not keep them waiting.
func TestGridFailsBeforeOthers(t *testing.T) {
	fit := append([]string{"fit", gridTable(t), "--grid", "2x1"}, gridFit...)
	for _, l := range launchers {
		said, err := mpirun(t, l, 1, slices.Concat(fit, []string{":"}, fit, []string{"--groups", "/no/such/file"})...)
		if err == nil || strings.Count(said, "fsa: ") != 1 || !strings.Contains(said, "fsa: rank 1 of 2 on ") || !strings.Contains(said, "/no/such/file") {
			t.Errorf("%s: %v\n%s", l, err, said)
		}
	}
}

// An interrupted process does not wait for others, which may be waiting for it elsewhere.
func TestGridInterruptedAlone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	cmd := &cobra.Command{}
	cmd.SetContext(ctx)
	s := &spread{text: "2x1", comm: collective.Group(2)[0]}
	over := make(chan error)
	go func() { over <- s.agree(cmd, ctx.Err()) }()
	select {
	case err := <-over:
		if err == nil {
			t.Error("there is no error")
		}
	case <-time.After(10 * time.Minute):
		t.Error("it waits")
	}
}
