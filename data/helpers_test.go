package data_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"fsa/data"
	"fsa/internal/matrix"
)

var background = context.Background()

const seed = 42

func newRand() *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// build returns the dataset of blocks.
func build(t testing.TB, s *data.Schema, roles data.Roles, blocks []*data.Block) *data.Dataset {
	t.Helper()
	d, err := tryBuild(s, roles, blocks)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func tryBuild(s *data.Schema, roles data.Roles, blocks []*data.Block) (*data.Dataset, error) {
	b := data.NewBuilder("table", s, roles)
	for _, block := range blocks {
		if err := b.Add(block); err != nil {
			return nil, err
		}
	}
	return b.Dataset(background)
}

// dense returns the dataset of rows that come in blocks of the given sizes, as
// [cut] has it, with weights or nil.
func dense(t testing.TB, rows [][]float64, weight []float64, sizes ...int) *data.Dataset {
	t.Helper()
	return build(t, &data.Schema{Width: len(rows[0])}, weighted(weight), cut(rows, denseBlock, sizes...))
}

// sparse is dense with blocks that list nonzero cells only.
func sparse(t testing.TB, rows [][]float64, weight []float64, sizes ...int) *data.Dataset {
	t.Helper()
	return build(t, &data.Schema{Width: len(rows[0]), Sparse: true}, weighted(weight), cut(rows, sparseBlock, sizes...))
}

func weighted(weight []float64) data.Roles {
	if weight == nil {
		return data.Roles{}
	}
	return data.Roles{WeightVector: &data.Vector{Name: "weights", Values: weight}}
}

// cut returns rows as blocks of the given sizes, over and over; without sizes
// as one block.
func cut(rows [][]float64, block func([][]float64) *data.Block, sizes ...int) []*data.Block {
	if len(sizes) == 0 {
		sizes = []int{len(rows)}
	}
	var blocks []*data.Block
	for k := 0; len(rows) > 0; k++ {
		n := min(sizes[k%len(sizes)], len(rows))
		blocks = append(blocks, block(rows[:n]))
		rows = rows[n:]
	}
	return blocks
}

func denseBlock(rows [][]float64) *data.Block {
	b := &data.Block{Rows: len(rows)}
	for _, row := range rows {
		b.Dense = append(b.Dense, row...)
	}
	return b
}

func sparseBlock(rows [][]float64) *data.Block {
	b := &data.Block{Rows: len(rows), Start: []int{0}}
	for _, row := range rows {
		for j, v := range row {
			if v != 0 {
				b.Index = append(b.Index, uint32(j))
				b.Value = append(b.Value, v)
			}
		}
		b.Start = append(b.Start, len(b.Index))
	}
	return b
}

// normal returns rows of standard normal numbers of which a share is zero.
func normal(rng *rand.Rand, rows, cols int, zeros float64) [][]float64 {
	x := make([][]float64, rows)
	for i := range x {
		x[i] = make([]float64, cols)
		for j := range x[i] {
			if rng.Float64() >= zeros {
				x[i][j] = rng.NormFloat64()
			}
		}
	}
	return x
}

// cellsOf returns the cells of a matrix, one product with a unit vector each.
func cellsOf(t testing.TB, m matrix.Matrix) [][]float64 {
	t.Helper()
	rows, cols := m.Dims()
	x := make([][]float64, rows)
	for i := range x {
		x[i] = make([]float64, cols)
	}
	all, err := m.Slice(background, 0, rows)
	if err != nil {
		t.Fatal(err)
	}
	z, unit := make([]float64, rows), make([]float64, cols)
	for j := range unit {
		unit[j] = 1
		all.Mul(z, unit)
		unit[j] = 0
		for i, v := range z {
			x[i][j] = v
		}
	}
	return x
}

// designed returns a design and its cells X·diag(Scale) + Offset.
func designed(t testing.TB, d *data.Dataset, bins int, scale data.Scale) (*data.Design, [][]float64) {
	t.Helper()
	g, err := d.Design(background, data.DesignOptions{Bins: bins, Scale: scale})
	if err != nil {
		t.Fatal(err)
	}
	x := cellsOf(t, g.X)
	for _, row := range x {
		for j := range row {
			row[j] *= g.Scale[j]
			if g.Offset != nil {
				row[j] += g.Offset[j]
			}
		}
	}
	return g, x
}

// stats are those of a column by two passes over it.
type stats struct {
	mean, sd, min, max float64
	missing            int
}

// measured computes the statistics of column j of rows. Numbers are brought to
// a size at which squares neither overflow nor vanish.
func measured(rows [][]float64, weight []float64, j int) stats {
	s := stats{min: math.Inf(1), max: math.Inf(-1)}
	size := 0.0
	for _, row := range rows {
		if a := math.Abs(row[j]); a > size {
			size = a
		}
	}
	exponent := 0
	if size > 0 {
		_, exponent = math.Frexp(size)
	}
	var mean, variance, total float64
	each := func(f func(x, w float64)) {
		for i, row := range rows {
			w := 1.0
			if weight != nil {
				w = weight[i]
			}
			if row[j] == row[j] && w > 0 {
				f(math.Ldexp(row[j], -exponent), w)
			}
		}
	}
	each(func(x, w float64) { mean += w * x; total += w })
	mean /= total
	each(func(x, w float64) { variance += w * (x - mean) * (x - mean) })
	s.mean = math.Ldexp(mean, exponent)
	s.sd = math.Ldexp(math.Sqrt(variance/total), exponent)
	for i, row := range rows {
		switch {
		case row[j] != row[j]:
			s.missing++
		case weight == nil || weight[i] > 0:
			s.min, s.max = min(s.min, row[j]), max(s.max, row[j])
		}
	}
	return s
}

// near reports whether a and b differ by no more than slack.
func near(a, b, slack float64) bool { return math.Abs(a-b) <= slack }
