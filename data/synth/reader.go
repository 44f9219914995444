package synth

import (
	"context"
	"io"
	"io/fs"
	"math"
	"runtime"
	"strconv"

	"fsa/data"
)

// Reader generates a table and delivers it like a file: in blocks, dense except for Zipf, with the
// response as the label and columns without names. It generates a few blocks ahead: one per core,
// plus one.
type Reader struct {
	config Config
	truth  []int
	schema data.Schema
	height int // rows per block
	block  func(first, rows int) *data.Block

	started int                // rows of blocks that have been started or delivered
	making  []chan *data.Block // in order; each will hold one block
	closed  bool
}

var _ data.Reader = (*Reader)(nil)

// blockCells is the approximate number of cells of a block. It is constant, so that a table has the
// same blocks on every machine.
const blockCells = 1 << 16

// NewReader starts to generate the table described by c.
func NewReader(c Config) (*Reader, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	r := &Reader{
		config: c,
		truth:  Truth(c),
		schema: data.Schema{Width: c.M, Sparse: c.Model == Zipf},
		height: max(1, blockCells/c.M),
	}
	if behind := map[string][]string{Survival: {EventColumn}, Multi: {"y2", "y3"}}[c.task()]; behind != nil {
		for j := range c.M {
			r.schema.Names = append(r.schema.Names, "x"+strconv.Itoa(j))
		}
		r.schema.Names = append(r.schema.Names, behind...)
		r.schema.Width += len(behind)
	}
	r.block = r.denseBlock
	if r.schema.Sparse {
		r.block, r.height = r.sparseBlock, sparseRows
	}
	return r, nil
}

// Schema describes the columns.
func (r *Reader) Schema() *data.Schema { return &r.schema }

// Next returns the next block.
func (r *Reader) Next(ctx context.Context) (*data.Block, error) {
	if r.closed {
		return nil, fs.ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for len(r.making) <= runtime.GOMAXPROCS(0) && r.started < r.config.N {
		first, rows := r.started, min(r.height, r.config.N-r.started)
		// The channel has space for the block, so the goroutine ends even if nobody receives it.
		done := make(chan *data.Block, 1)
		go func() { done <- r.block(first, rows) }()
		r.making = append(r.making, done)
		r.started += rows
	}
	if len(r.making) == 0 {
		return nil, io.EOF
	}
	select {
	case b := <-r.making[0]:
		r.making = r.making[1:]
		return b, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Close discards the blocks that were not requested.
func (r *Reader) Close() error {
	r.making, r.closed = nil, true
	return nil
}

// denseBlock generates some rows. It only reads r, so it may run concurrently with itself.
func (r *Reader) denseBlock(first, rows int) *data.Block {
	b := &data.Block{
		Rows:  rows,
		Dense: make([]float64, rows*r.schema.Width),
		Label: make([]float64, rows),
	}
	for i := range rows {
		x := b.Dense[i*r.schema.Width:][:r.config.M]
		r.config.variables(x, uint64(first+i))
		var sum float64
		for _, j := range r.truth {
			sum += x[j]
		}
		if r.config.task() == Survival {
			b.Label[i], b.Dense[(i+1)*r.schema.Width-1] = r.config.survival(sum, uint64(first+i))
			continue
		}
		if r.config.task() == Multi {
			y := r.config.multi(x, r.truth, uint64(first+i))
			b.Label[i] = y[0]
			copy(b.Dense[i*r.schema.Width+r.config.M:], y[1:])
			continue
		}
		b.Label[i] = r.config.response(sum, uint64(first+i))
	}
	return b
}

// variables generates the variables of a row. Both models start from a separate random number z:
// the variable before the first, or the part that all variables share.
func (c *Config) variables(x []float64, row uint64) {
	s := newStream(c.Seed, row, forVariables)
	z := s.normal()
	if c.model() == Equicorrelated {
		s.walk(x, 0, 0, 1, orDefault(c.Alpha, 0.5)*z)
		return
	}
	rho := c.Rho
	if rho == 0 {
		rho = 0.9
	}
	s.walk(x, z, rho, math.Sqrt((1-rho)*(1+rho)), 0)
}

// response generates the response of a row from the sum of its true variables.
func (c *Config) response(sum float64, row uint64) float64 {
	s := newStream(c.Seed, row, forResponse)
	if c.task() == Regression {
		return sum + float64(orDefault(c.Sigma, 1)*s.normal())
	}
	switch c.task() {
	case Counts:
		return s.poisson(c.mean(sum))
	case Amounts:
		return c.mean(sum) * (s.exponential() + s.exponential()) / 2
	case Ordinal:
		return s.ordinal(classEffect * sum / math.Sqrt(float64(c.K)))
	}
	positive := sum > 0
	if s.uniform() <= c.Noise {
		positive = s.next()>>63 == 1
	}
	if positive {
		return 1
	}
	return 0
}
