package cuda

import (
	"fmt"

	"fsa/internal/matrix"
)

// passPlan describes a pass over some rows: its kernels and their shape.
type passPlan struct {
	module, kernel string // kernel is empty for the split kernels
	shape          shape
	perStep        int // rows that a block or a cluster processes at once
	slice, stages  int // of a cluster
	chunk          int64
	slabs, strips  int // parts of the rows and of the columns, of the split kernels
	split          split
}

// modules names the modules of the passes, by format.
var modules = map[matrix.Format]string{matrix.Float32: "float32", matrix.BFloat16: "bfloat16", matrix.Int8: "int8", codes: "bins", scattered: "sparse"}

// narrows lists the kernels for rows with up to a number of quads.
var narrows = []struct {
	quads           int
	kernel          string
	perWarp         int // rows that a warp processes at once, of float32; twice as many of other formats if registers allow
	threads, blocks int // blocks per multiprocessor
}{
	{8, "narrow8", 32, 256, 2}, {16, "narrow16", 16, 256, 2}, {32, "narrow32", 8, 256, 2},
	{64, "narrow64", 4, 256, 2}, {128, "narrow128", 2, 128, 3}, {256, "narrow256", 1, 128, 3},
}

// stageds lists the kernels for many rows with up to a number of quads of small cells.
var stageds = []struct {
	quads  int
	kernel string
	rows   map[matrix.Format]int // that a warp processes at once
	warps  map[matrix.Format]int // of a block
}{
	{8, "staged8", map[matrix.Format]int{matrix.Int8: 32, matrix.BFloat16: 32}, map[matrix.Format]int{matrix.Int8: 32, matrix.BFloat16: 24}},
	{16, "staged16", map[matrix.Format]int{matrix.Int8: 32, matrix.BFloat16: 32}, map[matrix.Format]int{matrix.Int8: 24, matrix.BFloat16: 16}},
	{32, "staged32", map[matrix.Format]int{matrix.Int8: 32, matrix.BFloat16: 32}, map[matrix.Format]int{matrix.Int8: 16, matrix.BFloat16: 12}},
	{64, "staged64", map[matrix.Format]int{matrix.Int8: 32, matrix.BFloat16: 16}, map[matrix.Format]int{matrix.Int8: 12, matrix.BFloat16: 12}},
	{128, "staged128", map[matrix.Format]int{matrix.Int8: 16, matrix.BFloat16: 8}, map[matrix.Format]int{matrix.Int8: 12, matrix.BFloat16: 12}},
	{256, "staged256", map[matrix.Format]int{matrix.Int8: 8, matrix.BFloat16: 4}, map[matrix.Format]int{matrix.Int8: 12, matrix.BFloat16: 12}},
}

// leastStaged is the number of steps of each warp from which these kernels pay off, because there
// is only one block per multiprocessor.
const leastStaged = 4

// wideThreads is the number of threads of a block that multiply, given the quads of a slice.
func wideThreads(quads, size int) int {
	switch {
	case quads < 8:
		return 448
	case size == 1:
		return 480
	}
	return 512
}

const wideHelpers = 64 // further threads, which sum and which fetch

// wides lists the kernels by the number of quads of a slice for each thread that multiplies.
var wides = []struct {
	quads  int
	kernel string
	rows   int // of float32 at once; four times as many of int8
}{
	{1, "wide1", 8}, {2, "wide2", 4}, {3, "wide3", 2}, {4, "wide4", 2},
	{5, "wide5", 1}, {6, "wide6", 1}, {7, "wide7", 1}, {8, "wide8", 1},
}

// The shared memory of a block: for rows being loaded, and for the sums of its warps and of the
// other blocks for each row of a step.
const (
	sharedBytes = 226 << 10
	ownBytes    = 512
	rowBytes    = 520
	mostStages  = 8
)

// planPass chooses how to pass over rows of a table.
func (d *Device) planPass(t *table, outputs int, rows int64) (passPlan, error) {
	size := sizeOf[t.format]
	w := passPlan{module: modules[t.format]}
	quads := int(t.stride / 4)
	i := d.info()
	if t.sparse != nil {
		w.chunk, w.strips, w.slabs = max(rows, 1), 1, 1
		return w, nil
	}
	if outputs == 1 && t.format != codes {
		if i.Major >= 9 && w.staged(t.format, quads, rows, i) {
			return w, nil
		}
		for _, n := range narrows {
			if quads <= n.quads {
				w.kernel, w.perStep = n.kernel, n.perWarp*n.threads/32
				if t.format != matrix.Float32 && n.quads > 8 && !(t.format == matrix.BFloat16 && n.quads == 256) {
					w.perStep *= 2
				}
				blocks := min(int64(n.blocks*i.Multiprocessors), (rows+int64(w.perStep)-1)/int64(w.perStep))
				w.shape = shape{grid: [3]int{int(max(blocks, 1))}, block: n.threads, shared: n.quads * 16}
				return w, nil
			}
		}
		if i.Major >= 9 {
			if ok, err := d.wide(&w, quads, size, rows); ok || err != nil {
				return w, err
			}
		}
	}
	w.cut(t, outputs, rows, i)
	return w, nil
}

// staged chooses a kernel for narrow rows of small cells. It returns false if there is none, or if
// there are too few rows.
func (w *passPlan) staged(format matrix.Format, quads int, rows int64, i Info) bool {
	for _, k := range stageds {
		per, warps := k.rows[format], k.warps[format]
		if quads > k.quads || per == 0 {
			continue
		}
		if rows < int64(leastStaged*per*warps*i.Multiprocessors) {
			return false
		}
		w.kernel, w.perStep = k.kernel, per*warps
		w.shape = shape{grid: [3]int{i.Multiprocessors}, block: 32 * warps, shared: warps * 2 * per * k.quads * 4 * sizeOf[format]}
		return true
	}
	return false
}

// split is the shape of the split kernels.
type split struct {
	columns          int // per thread
	rows             int // rows whose margins a block computes
	margins, threads int // of a block: for margins, and for products
	shared           int // bytes that both request
}

// cut chooses how split kernels divide the work.
func (w *passPlan) cut(t *table, outputs int, rows int64, i Info) {
	w.split = split{columns: 4, rows: 1, margins: 256, threads: 128}
	if t.format == codes {
		const most = 96 << 10 // bytes of shared memory for the sums of each knot that threads keep
		w.split = split{columns: 2, rows: 16, threads: 128}
		for ; w.split.threads > 32 && 8*t.knots*w.split.threads > most; w.split.threads /= 2 {
		}
		w.split.margins, w.split.shared = w.split.threads, 8*t.knots*w.split.threads
	}
	// Rows of a chunk stay in the cache until they are used for the second time.
	units, per := int(t.stride)/w.split.columns, int64(w.split.rows)
	w.chunk = max(min(i.Cache/3/t.row(), rows), 1)
	w.strips = max(min(4*i.Multiprocessors/int((w.chunk+per-1)/per*int64(outputs)), units/(4*w.split.margins)), 1)
	columns := (units + w.split.threads - 1) / w.split.threads * outputs
	w.slabs = int(max(min(int64((4*i.Multiprocessors+columns-1)/columns), w.chunk), 1))
}

// wide chooses the smallest cluster of blocks that can hold a row. It returns false if none can.
func (d *Device) wide(w *passPlan, quads, size int, rows int64) (bool, error) {
	unit := 4 / size // quads whose bytes are a multiple of 16
	for cluster := 1; cluster <= 16; cluster *= 2 {
		slice := ((quads+cluster-1)/cluster + unit - 1) / unit * unit
		for _, k := range wides {
			threads := wideThreads(k.quads, size)
			if slice > k.quads*threads {
				continue
			}
			w.kernel, w.perStep, w.slice = k.kernel, k.rows*4/size, slice
			stage := w.perStep * k.quads * threads * 4 * size
			w.stages = min((sharedBytes-ownBytes-rowBytes*w.perStep)/stage, stagesOf(cluster, size))
			w.shape = shape{block: threads + wideHelpers, cluster: cluster, shared: w.stages * stage}
			key := fmt.Sprint(w.module, w.kernel, w.shape)
			if d.most[key] == 0 {
				ask := w.shape
				ask.grid = [3]int{cluster}
				n, err := d.clusters(w.module, w.kernel, ask)
				if err != nil {
					return false, err
				}
				d.most[key] = max(n, 1)
			}
			steps := (rows + int64(w.perStep) - 1) / int64(w.perStep)
			w.shape.grid = [3]int{cluster * int(max(min(int64(d.most[key]), steps), 1))}
			return true, nil
		}
	}
	return false, nil
}

// stagesOf returns how many stages are enough for clusters of the given size. With more loads in
// flight, some clusters take memory bandwidth from others, which then finish much later.
func stagesOf(cluster, size int) int {
	switch {
	case cluster > 2 || size == 1:
		return mostStages
	case size == 2:
		return 3
	}
	return 2
}

// leastPaced is the number of steps of a cluster from which the clusters keep pace: otherwise some
// would be done long before others.
const leastPaced = 64

// parts returns the number of partial sums of Xᵀr and of Σr that a pass produces.
func (w *passPlan) parts() (g, slope int) {
	switch {
	case w.kernel == "":
		return w.slabs, int((w.chunk + 255) / 256)
	case w.shape.cluster > 0:
		return w.shape.grid[0] / w.shape.cluster, w.shape.grid[0] / w.shape.cluster
	}
	return w.shape.grid[0], w.shape.grid[0]
}

// pass starts the kernels of a pass.
func (d *Device) pass(w *passPlan, a passArgs) error {
	if a.Rows == 0 {
		return nil
	}
	a.Slice, a.Stages = int32(w.slice), int32(w.stages)
	if w.kernel != "" {
		if steps := a.Rows / int64(w.perStep*max(w.shape.grid[0]/max(w.shape.cluster, 1), 1)); w.shape.cluster == 0 || steps < leastPaced {
			a.Pace = 0
		} else if err := d.zero(a.Pace, 4); err != nil {
			return err
		}
		return d.launch(w.module, w.kernel, w.shape, &a)
	}
	first, all := a.First, a.Rows
	for lo := int64(0); lo < all; lo += w.chunk {
		a.First, a.Rows = first+lo*a.Every, min(w.chunk, all-lo)
		// A last chunk may have fewer parts than the first: the other parts keep their values.
		if lo > 0 {
			a.More = 1
		}
		s, outputs := w.split, int(a.Outputs)
		units := int(a.Stride) / s.columns
		a.Slabs, a.Strips = int32(w.slabs), int32(w.strips)
		one, two, three := a, a, a
		if err := d.launch(w.module, "margins", shape{grid: [3]int{(int(a.Rows) + s.rows - 1) / s.rows, outputs, w.strips}, block: s.margins, shared: s.shared}, &one); err != nil {
			return err
		}
		if err := d.launch(w.module, "derivatives", shape{grid: [3]int{int((a.Rows + 255) / 256)}, block: 256}, &two); err != nil {
			return err
		}
		if err := d.launch(w.module, "products", shape{grid: [3]int{(units + s.threads - 1) / s.threads, w.slabs, outputs}, block: s.threads, shared: s.shared}, &three); err != nil {
			return err
		}
	}
	return nil
}
