package cuda

import (
	"fmt"
	"slices"

	"fsa/internal/solve"
	"fsa/loss"
)

// Columns holds a few columns of float64 numbers on the device, for the refit on the selected
// variables.
type Columns struct {
	d       *Device
	args    learnArgs
	all     int     // number of columns
	used    []int32 // columns with coefficients
	free    float64 // derivative by the intercept at the last trial point
	weights pointer // weights of the rows of Products
	memory  []pointer
	parts   []float64
}

var _ solve.Device = (*Columns)(nil)

type learnArgs struct {
	X, Y, W, Z, Along, To, R, Parts, Beta, Column pointer
	Rows                                          int64
	Constant, T, Huber, Bend                      float64
	Flattest, Difference                          float64
	Columns, Kind, Slabs, Unused                  int32
}

// leastLearned is the minimum number of cells for a fit on the device. For fewer, one thread of the processor is faster,
// because other threads fit other folds at the same time.
const leastLearned = 1 << 22

const (
	gramTile   = 16 // columns of a block
	slopeSlabs = 4  // parts of the rows, for a coefficient
	gramBlocks = 4  // approximate number per multiprocessor
)

// Columns uploads columns and the data of their rows, if they are large enough for the device to be
// worth it.
func (d *Device) Columns(x [][]float64, l loss.Loss, t loss.Target) (solve.Device, error) {
	if n := len(x) * len(t.Y); n < leastLearned {
		return nil, fmt.Errorf("%w: %d numbers are too few to be worth it", ErrUnsupported, n)
	}
	return d.columns(x, l, t)
}

func (d *Device) columns(x [][]float64, l loss.Loss, t loss.Target) (solve.Device, error) {
	kind, huber, bend, err := kindOf(l)
	if err != nil {
		return nil, err
	}
	if l.Outputs() > 1 || t.Query != nil || t.Pairs != nil {
		return nil, fmt.Errorf("%w: the loss of a row depends on more than its own margin", ErrUnsupported)
	}
	d.Lock()
	defer d.Unlock()
	c := &Columns{d: d, all: len(x), args: learnArgs{Rows: int64(len(t.Y)), Kind: kind, Huber: huber, Bend: bend}}
	if err := c.fill(x, t); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// fill allocates memory, and uploads the numbers.
func (c *Columns) fill(x [][]float64, t loss.Target) error {
	a, rows, n := &c.args, c.args.Rows, int64(c.all)
	side := n + 1
	parts := max(2*c.blocks(), slopeSlabs*n, c.slabs()*side*side)
	c.parts = make([]float64, parts)
	for _, p := range []struct {
		to    *pointer
		count int64
		size  int
	}{
		{&a.X, n * rows, 8}, {&a.Y, rows, 8}, {&a.W, rows, 8}, {&a.Z, rows, 8}, {&a.Along, rows, 8}, {&a.To, rows, 8}, {&a.R, rows, 8},
		{&a.Parts, parts, 8}, {&a.Beta, n, 8}, {&a.Column, n, 4}, {&c.weights, rows, 8},
	} {
		var err error
		if *p.to, err = c.d.make(p.count, p.size); err != nil {
			return err
		}
		c.memory = append(c.memory, *p.to)
	}
	for j, column := range x {
		if err := c.d.upload(a.X+pointer(8*rows*int64(j)), bytesOf(column)); err != nil {
			return err
		}
	}
	w := t.Weight
	if w == nil {
		w = slices.Repeat([]float64{1}, int(rows))
	}
	if err := c.d.upload(a.W, bytesOf(w)); err != nil {
		return err
	}
	return c.d.upload(a.Y, bytesOf(t.Y))
}

// blocks is the number of blocks that have a thread for each row.
func (c *Columns) blocks() int64 { return (c.args.Rows + 255) / 256 }

// tiles is the number of blocks for the products of all columns, for each slab of rows.
func (c *Columns) tiles() int64 {
	n := int64(c.all+1+gramTile-1) / gramTile
	return n * (n + 1) / 2
}

// slabs is the number of parts into which rows are divided for products of columns.
func (c *Columns) slabs() int64 {
	return max(gramBlocks*int64(c.d.info().Multiprocessors)/c.tiles(), 1)
}

// do starts a kernel, and waits for its partial sums.
func (c *Columns) do(kernel string, grid [3]int, a learnArgs, parts int64) ([]float64, error) {
	err := c.d.launch("learn", kernel, shape{grid: grid, block: 256}, &a)
	if err == nil && parts > 0 {
		err = c.d.download(bytesOf(c.parts[:parts]), a.Parts)
	}
	return c.parts[:parts], err
}

// Products implements [solve.Device].
func (c *Columns) Products(d []float64) ([]float64, error) {
	c.d.Lock()
	defer c.d.Unlock()
	if err := c.d.upload(c.weights, bytesOf(d)); err != nil {
		return nil, err
	}
	side, slabs, a := int64(c.all+1), c.slabs(), c.args
	a.R, a.Columns, a.Slabs = c.weights, int32(c.all), int32(slabs)
	parts, err := c.do("grams", [3]int{int(c.tiles()), int(slabs)}, a, slabs*side*side)
	if err != nil {
		return nil, err
	}
	sums := make([]float64, side*side)
	for i := range side {
		for j := range side {
			at := i*side + j
			if i/gramTile < j/gramTile {
				at = j*side + i
			}
			for s := range slabs {
				sums[i*side+j] += parts[s*side*side+at]
			}
		}
	}
	return sums, nil
}

// SetPoint implements [solve.Device].
func (c *Columns) SetPoint(columns []int, beta []float64, intercept float64) error {
	c.d.Lock()
	defer c.d.Unlock()
	c.used = c.used[:0]
	for _, j := range columns {
		c.used = append(c.used, int32(j))
	}
	if err := c.d.upload(c.args.Column, bytesOf(c.used)); err != nil {
		return err
	}
	return c.combine(c.args.Z, beta, intercept)
}

// SetStep implements [solve.Device].
func (c *Columns) SetStep(step []float64, intercept float64) error {
	c.d.Lock()
	defer c.d.Unlock()
	return c.combine(c.args.Along, step, intercept)
}

func (c *Columns) combine(to pointer, beta []float64, constant float64) error {
	if err := c.d.upload(c.args.Beta, bytesOf(beta)); err != nil {
		return err
	}
	a := c.args
	a.To, a.Constant, a.Columns = to, constant, int32(len(c.used))
	_, err := c.do("combine", [3]int{int(c.blocks())}, a, 0)
	return err
}

// Loss implements [solve.Device].
func (c *Columns) Loss(t float64) (float64, error) {
	c.d.Lock()
	defer c.d.Unlock()
	a := c.args
	a.T = t
	parts, err := c.do("losses", [3]int{int(c.blocks())}, a, 2*c.blocks())
	sum := 0.0
	c.free = 0
	for ; len(parts) > 0; parts = parts[2:] {
		sum, c.free = sum+parts[0], c.free+parts[1]
	}
	return sum, err
}

// Gradient implements [solve.Device].
func (c *Columns) Gradient(grad []float64) (float64, error) {
	c.d.Lock()
	defer c.d.Unlock()
	c.args.Z, c.args.To = c.args.To, c.args.Z
	n, a := len(c.used), c.args
	if n == 0 {
		return c.free, nil
	}
	a.Columns, a.Slabs = int32(n), slopeSlabs
	parts, err := c.do("slopes", [3]int{n, slopeSlabs}, a, int64(slopeSlabs*n))
	clear(grad)
	for i, v := range parts {
		grad[i%n] += v
	}
	return c.free, err
}

// Curvature implements [solve.Device].
func (c *Columns) Curvature(difference, flattest float64) (float64, error) {
	c.d.Lock()
	defer c.d.Unlock()
	a := c.args
	a.Difference, a.Flattest = difference, flattest
	parts, err := c.do("curvatures", [3]int{int(c.blocks())}, a, c.blocks())
	sum := 0.0
	for _, v := range parts {
		sum += v
	}
	return sum, err
}

// Margins implements [solve.Device].
func (c *Columns) Margins(z []float64) error {
	c.d.Lock()
	defer c.d.Unlock()
	return c.d.download(bytesOf(z), c.args.Z)
}

// Close frees the memory.
func (c *Columns) Close() {
	c.d.Lock()
	defer c.d.Unlock()
	c.close()
}

func (c *Columns) close() {
	c.d.drop(c.memory...)
	c.memory = nil
}
