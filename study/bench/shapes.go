package bench

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"fsa/data/synth"
)

// bigShape is the shape of a table for which users of other programs report hours or a lack of
// memory.
type bigShape struct {
	n, m     int
	model    string // of the variables; see [synth.Config]
	nonzeros int    // per row, if it is sparse
}

// bigShapes are fitted on request. Dense ones are AR(1) as in the paper, except for the largest,
// whose variables are all correlated with each other.
var bigShapes = []bigShape{
	{900, 860_000, synth.AR1, 0},
	{500_000, 230, synth.AR1, 0},
	{10_000_000, 800, synth.AR1, 0},
	{480_000, 205_000, synth.Equicorrelated, 0},
	{400_000, 1_200_000, synth.Zipf, 1000},
	{1_000_000, 3_231_961, synth.Zipf, rowNonzeros},
	{847_000, 359_000, synth.Zipf, rowNonzeros},
}

const (
	bigK = 20 // true variables, and variables to select

	// Tables are not made smaller than this, unless their shape has less: with fewer rows the true
	// variables cannot be found.
	leastRows    = 2000
	leastColumns = 200

	// leastScale is the smallest scale that is chosen automatically.
	leastScale = 1e-4
	// diskUse is the share of the free space that a table may take.
	diskUse = 0.9
)

// ShapeNames lists the largest shapes, rows before columns.
func ShapeNames() []string {
	var names []string
	for _, s := range bigShapes {
		names = append(names, s.name())
	}
	return names
}

func (s bigShape) name() string { return fmt.Sprintf("%dx%d", s.n, s.m) }

func (s bigShape) String() string {
	name := fmt.Sprintf("%d×%d", s.n, s.m)
	if s.model == synth.Zipf {
		name += " sparse"
	}
	return name
}

// scaled describes a table with a share of the cells. Rows and columns shrink by the same factor,
// unless there are few of one of them.
func (s bigShape) scaled(share float64) synth.Config {
	rows, columns := float64(s.n), float64(s.m)
	fewRows, fewColumns := min(rows, leastRows), min(columns, leastColumns)
	r := max(rows*math.Sqrt(share), fewRows)
	c := min(max(share*rows*columns/r, fewColumns), columns)
	r = min(max(share*rows*columns/c, fewRows), rows)
	to := synth.Config{Model: s.model, Task: synth.Classification, N: int(math.Round(r)), M: int(math.Round(c)), K: bigK, Seed: 1}
	if s.nonzeros > 0 {
		to.Nonzeros = min(s.nonzeros, to.M/2)
	}
	return to
}

// fileBytes returns the approximate size of the .fsa file of a table: its numbers, and the
// descriptions of columns and rows.
func fileBytes(c synth.Config) int64 {
	const perColumn, perRow = 64, 8
	return numberBytes(c) + perColumn*int64(c.M) + perRow*int64(c.N)
}

// fitting returns the largest scale, with two digits, at which a table takes at most the given
// number of bytes on disk; 0 if that is below leastScale.
func (s bigShape) fitting(free int64) float64 {
	fits := func(scale float64) bool { return float64(fileBytes(s.scaled(scale))) <= diskUse*float64(free) }
	for digits, unit := 100, 0.01; unit >= leastScale/10; digits, unit = 99, unit/10 {
		for ; digits >= 10; digits-- {
			if scale := float64(digits) * unit; scale >= leastScale && fits(scale) {
				return scale
			}
		}
	}
	return 0
}

// shapes makes tables of these shapes, one after the other, and fits them by the whole command.
func (b *bencher) shapes(ctx context.Context) error {
	if b.Program == "" {
		return nil
	}
	b.report.BigTables = []BigTable{}
	for _, s := range bigShapes {
		if len(b.Shapes) > 0 && !slices.Contains(b.Shapes, s.name()) {
			continue
		}
		t := BigTable{N: s.n, M: s.m, K: bigK, Sparse: s.model == synth.Zipf, Nonzeros: s.nonzeros}
		t.Scale, t.Why = s.scale(b.scale(), freeSpace(b.dir))
		if t.Scale > 0 {
			if err := b.fitBig(ctx, s.scaled(t.Scale), &t); ctx.Err() != nil {
				return ctx.Err()
			} else if err != nil {
				t.Why = err.Error() // other programs fail on it, so it is measured
			}
		}
		b.report.BigTables = append(b.report.BigTables, t)
	}
	return ctx.Err()
}

// scale returns the requested scale; 0 means as much as fits.
func (b *bencher) scale() float64 {
	if b.Scale > 0 {
		return b.Scale
	}
	return b.shapeScale
}

// scale returns the scale of a table, and the reason if it is not 1. asked is 0 if no scale was
// requested, and free is negative if it is unknown.
func (s bigShape) scale(asked float64, free int64) (scale float64, why string) {
	if free < 0 {
		free = math.MaxInt64 / 2
	}
	want := asked
	if want == 0 {
		want = 1
	}
	needs := fileBytes(s.scaled(want))
	if float64(needs) <= diskUse*float64(free) {
		return want, ""
	}
	why = fmt.Sprintf("its file takes %s, and %s are free: set TMPDIR to a larger disk", gigabytes(float64(needs)), gigabytes(float64(free)))
	if asked > 0 {
		return 0, why
	}
	return s.fitting(free), why
}

// fitBig makes a table in a file, fits it and removes it.
func (b *bencher) fitBig(ctx context.Context, c synth.Config, to *BigTable) error {
	path := filepath.Join(b.dir, "shape.fsa")
	defer os.Remove(path)
	to.Rows, to.Columns, to.TableBytes = c.N, c.M, numberBytes(c)
	flags := []string{"--seed", strconv.FormatUint(c.Seed, 10)}
	if c.Nonzeros > 0 {
		flags = append(flags, "--nonzeros", strconv.Itoa(c.Nonzeros))
	}
	b.Log("shapes: writing %d×%d", c.N, c.M)
	if err := b.generate(ctx, c.Model, shape{c.N, c.M, c.K}, path, flags...); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	to.FileBytes = info.Size()
	forget(path)
	b.Log("shapes: fitting %d×%d, %s", c.N, c.M, gigabytes(float64(to.TableBytes)))
	f, err := b.fitFile(ctx, path, c.K)
	if err != nil {
		return err
	}
	to.Load, to.Fit, to.PeakBytes, to.FileBytesRead = f.SecondsRead, f.SecondsFit, f.PeakBytes, f.BytesRead
	to.BytesRead = f.Passes * float64(to.TableBytes)
	var selected []int
	for _, v := range f.Selected {
		selected = append(selected, v.Index)
	}
	to.Found = float64(found(selected, c)) / float64(c.K)
	return nil
}

func gigabytes(bytes float64) string { return fmt.Sprintf("%.3g GB", bytes/1e9) }

func (r *Report) printShapes(w io.Writer) {
	if len(r.BigTables) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%-25s%-16s%8s%8s%8s%8s%7s\n", fmt.Sprintf("shapes, k = %d, one fit", bigK), "made as", "load, s", "fit, s", "peak GB", "read GB", "found")
	for _, t := range r.BigTables {
		name, made := t.shape().String(), "–"
		if t.Rows > 0 {
			made = fmt.Sprintf("%d×%d", t.Rows, t.Columns)
		}
		if t.Fit == 0 {
			fmt.Fprintf(w, "  %-23s%-16s%8s%8s%8s%8s%7s\n", name, made, "–", "–", "–", "–", "–")
			continue
		}
		fmt.Fprintf(w, "  %-23s%-16s%8.3g%8.3g%8.3g%8.3g%7.2f\n", name, made, t.Load, t.Fit, float64(t.PeakBytes)/1e9, t.BytesRead/1e9, t.Found)
	}
	for _, t := range r.BigTables {
		if t.FileBytesRead > 0 {
			fmt.Fprintf(w, "  %v was read from its file, %s in all\n", t.shape(), gigabytes(float64(t.FileBytesRead)))
		}
		switch {
		case t.Why != "" && t.Fit == 0:
			fmt.Fprintf(w, "  %v was not fitted:\n    %s\n", t.shape(), t.Why)
		case t.Why != "":
			fmt.Fprintf(w, "  %v was made with %.2g of its cells:\n    %s\n", t.shape(), t.Scale, t.Why)
		}
	}
}

// shape returns the full shape of the table.
func (t *BigTable) shape() bigShape {
	s := bigShape{n: t.N, m: t.M, nonzeros: t.Nonzeros}
	if t.Sparse {
		s.model = synth.Zipf
	}
	return s
}
