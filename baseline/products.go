package baseline

import (
	"context"
	"slices"

	"fsa/internal/kernel"
	"fsa/internal/matrix"
	"fsa/internal/parallel"
)

// multiplier computes the weighted products of vectors with each other.
type multiplier interface {
	// add appends vector i of v, whose weighted mean is known.
	add(v *matrix.Vectors, i int, mean float64)
	// products extends the matrix of products of all vectors less their means.
	// Each product is summed by one thread, so the numbers do not depend on how
	// many there are.
	products(ctx context.Context, threads int, gram [][]float64) ([][]float64, error)
	// combine adds to z the vectors, each times its coefficient, and maybe a
	// constant.
	combine(z, coef []float64)
	// dots sets dst to the product of each vector and x, which sums to zero.
	dots(dst, x []float64)
}

// newMultiplier returns a multiplier for the storage format of the vectors.
func newMultiplier(v *matrix.Vectors, weight []float64) multiplier {
	if dense(v) {
		return &panel{weight: weight}
	}
	c := &crossing{weight: weight, across: make([][]crossed, v.Length)}
	for _, w := range weight {
		c.total += w
	}
	return c
}

// dense reports whether all numbers of vectors are there.
func dense(v *matrix.Vectors) bool {
	index, _ := v.Cells(0)
	return index == nil
}

// panel holds centred dense vectors one after the other as float32, which multiply several times as
// fast as float64. Both sides of a product are rounded in the same way, so a matrix of products has
// no negative eigenvalues.
type panel struct {
	weight []float64
	cells  []float32
}

var _ multiplier = (*panel)(nil)

func (p *panel) add(v *matrix.Vectors, i int, mean float64) {
	_, value := v.Cells(i)
	p.cells = slices.Grow(p.cells, len(value))
	for _, x := range value {
		p.cells = append(p.cells, float32(x-mean))
	}
}

// Vectors are multiplied so many with so many others at a time: both stay in
// the cache.
const (
	together = 8
	beside   = 16
)

func (p *panel) products(ctx context.Context, threads int, gram [][]float64) ([][]float64, error) {
	old, length := len(gram), len(p.weight)
	gram = grown(gram, len(p.cells)/length)
	left := make([]float64, together*length)
	for first := old; first < len(gram); first += together {
		end := min(first+together, len(gram))
		for at := first; at < end; at++ {
			to := left[(at-first)*length:]
			for i, x := range p.cells[at*length : (at+1)*length] {
				to[i] = p.weight[i] * float64(x)
			}
		}
		err := parallel.Do(ctx, threads, (end+beside-1)/beside, func(_, stretch int) error {
			lo := stretch * beside
			for at := max(lo, first); at < end; at++ {
				hi := min(lo+beside, at+1)
				kernel.Mul(gram[at][lo:hi], p.cells[lo*length:hi*length], left[(at-first)*length:(at-first+1)*length])
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	mirror(gram, old)
	return gram, nil
}

func (p *panel) combine(z, coef []float64) { kernel.MulT(z, p.cells, coef) }

func (p *panel) dots(dst, x []float64) { kernel.Mul(dst, p.cells, x) }

// crossing holds sparse vectors. A product needs only the positions where both have a number, so
// each position lists the vectors with a number there.
type crossing struct {
	weight []float64
	total  float64
	vector []thin
	across [][]crossed
}

type (
	thin struct {
		index []uint32
		value []float64
		mean  float64
	}
	crossed struct {
		vector int
		value  float64
	}
)

var _ multiplier = (*crossing)(nil)

func (c *crossing) add(v *matrix.Vectors, i int, mean float64) {
	index, value := v.Cells(i)
	for p, k := range index {
		c.across[k] = append(c.across[k], crossed{len(c.vector), value[p]})
	}
	c.vector = append(c.vector, thin{index, value, mean})
}

func (c *crossing) products(ctx context.Context, threads int, gram [][]float64) ([][]float64, error) {
	old := len(gram)
	gram = grown(gram, len(c.vector))
	err := each(ctx, threads, len(gram)-old, func(k int) {
		at := old + k
		row, v := gram[at], &c.vector[at]
		for p, i := range v.index {
			x := c.weight[i] * v.value[p]
			for _, other := range c.across[i] {
				if other.vector > at {
					break
				}
				row[other.vector] += x * other.value
			}
		}
		for b := range row[:at+1] {
			row[b] -= c.total * v.mean * c.vector[b].mean
		}
	})
	mirror(gram, old)
	return gram, err
}

func (c *crossing) combine(z, coef []float64) {
	for at, b := range coef {
		for p, i := range c.vector[at].index {
			z[i] += b * c.vector[at].value[p]
		}
	}
}

func (c *crossing) dots(dst, x []float64) {
	for at := range dst {
		sum := 0.0
		for p, i := range c.vector[at].index {
			sum += c.vector[at].value[p] * x[i]
		}
		dst[at] = sum
	}
}

// grown returns a square matrix with as many rows, the new numbers being zero.
func grown(gram [][]float64, rows int) [][]float64 {
	old := len(gram)
	for at := range gram {
		gram[at] = append(gram[at], make([]float64, rows-old)...)
	}
	for range rows - old {
		gram = append(gram, make([]float64, rows))
	}
	return gram
}

// mirror copies what lies below the diagonal, from the given row on, above it.
func mirror(gram [][]float64, from int) {
	for at := from; at < len(gram); at++ {
		for b, x := range gram[at][:at] {
			gram[b][at] = x
		}
	}
}
