package keypoint

import (
	"context"
	"math/rand/v2"
	"slices"

	"fsa/data"
	"fsa/internal/parallel"
	"fsa/keypoint/photo"
	"fsa/keypoint/pool"
)

// matrix holds the bytes of all features of examples, a row each, positives
// first.
type matrix struct {
	pool      *pool.Pool
	ranges    []pool.Range
	names     []string
	positives int
	rows      [][]uint8
}

// rangeSample is how many examples of each class the ranges of the features are
// measured on.
const rangeSample = 500

// newMatrix measures the ranges of the features on a sample of the examples, and
// holds none yet. A range goes from the smallest to the largest value; what is
// beyond it later counts as its ends.
func newMatrix(ctx context.Context, a *album, p *pool.Pool, positives, negatives []Example, seed uint64, threads int) (*matrix, error) {
	m := &matrix{pool: p, names: p.Names(), ranges: make([]pool.Range, p.Len())}
	r := rand.New(rand.NewPCG(seed, 0x72616e676573))
	var sample []Example
	for _, class := range [][]Example{positives, negatives} {
		for _, i := range r.Perm(len(class))[:min(rangeSample, len(class))] {
			sample = append(sample, class[i])
		}
	}
	// Each thread keeps the extremes of what it has seen; together they are
	// those of all, in any order.
	type extremes struct{ low, high, values []float32 }
	seen := make([]extremes, threads)
	err := eachExample(ctx, a, p, sample, threads, func(thread, _ int, e *pool.Extractor) {
		s := &seen[thread]
		if s.values == nil {
			s.values = make([]float32, p.Len())
			e.Values(s.values)
			s.low, s.high = slices.Clone(s.values), slices.Clone(s.values)
			return
		}
		e.Values(s.values)
		for j, v := range s.values {
			s.low[j], s.high[j] = min(s.low[j], v), max(s.high[j], v)
		}
	})
	if err != nil {
		return nil, err
	}
	all := extremes{}
	for _, s := range seen {
		switch {
		case s.values == nil:
		case all.low == nil:
			all = s
		default:
			for j := range all.low {
				all.low[j], all.high[j] = min(all.low[j], s.low[j]), max(all.high[j], s.high[j])
			}
		}
	}
	for j := range m.ranges {
		m.ranges[j] = pool.NewRange(all.low[j], all.high[j])
	}
	return m, nil
}

// add appends the bytes of examples.
func (m *matrix) add(ctx context.Context, a *album, examples []Example, threads int) error {
	first := len(m.rows)
	m.rows = append(m.rows, make([][]uint8, len(examples))...)
	return eachExample(ctx, a, m.pool, examples, threads, func(_, i int, e *pool.Extractor) {
		row := make([]uint8, m.pool.Len())
		e.Codes(row, m.ranges)
		m.rows[first+i] = row
	})
}

// eachExample calls do with an extractor that looks at example i, for all of
// them. Every photograph is read once.
func eachExample(ctx context.Context, a *album, p *pool.Pool, examples []Example, threads int, do func(thread, i int, e *pool.Extractor)) error {
	of := make([][]int, len(a.photos))
	for i, e := range examples {
		of[e.Photo] = append(of[e.Photo], i)
	}
	extractors := make([]*pool.Extractor, threads)
	return parallel.Do(ctx, threads, len(of), func(thread, i int) error {
		if len(of[i]) == 0 {
			return nil
		}
		levels, err := a.pyramid(i)
		if err != nil {
			return err
		}
		if extractors[thread] == nil {
			extractors[thread] = pool.NewExtractor(p)
		}
		e := extractors[thread]
		for _, k := range of[i] {
			if err := ctx.Err(); err != nil {
				return err
			}
			look(e, levels, examples[k])
			do(thread, k, e)
		}
		return nil
	})
}

func look(e *pool.Extractor, levels []*photo.Level, at Example) {
	e.Look(levels[at.Level].Image, at.X, at.Y)
}

// cellBytes is the memory that a feature of an example takes: the byte here, and
// the cell of the dataset.
const cellBytes = 1 + 4

// dataset returns the examples as a table to learn from. Both classes weigh the
// same.
func (m *matrix) dataset(ctx context.Context) (*data.Dataset, error) {
	y, weight := make([]float64, len(m.rows)), make([]float64, len(m.rows))
	for i := range y {
		if i < m.positives {
			y[i], weight[i] = 1, 0.5/float64(m.positives)
		} else {
			y[i], weight[i] = -1, 0.5/float64(len(m.rows)-m.positives)
		}
		weight[i] *= float64(len(m.rows))
	}
	b := data.NewBuilder("examples", &data.Schema{Width: len(m.names), Names: m.names}, data.Roles{
		TargetVector: &data.Vector{Values: y}, WeightVector: &data.Vector{Values: weight},
	})
	const blockRows = 64
	for lo := 0; lo < len(m.rows); lo += blockRows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows := m.rows[lo:min(lo+blockRows, len(m.rows))]
		block := &data.Block{Rows: len(rows), Dense: make([]float64, 0, len(rows)*len(m.names))}
		for _, row := range rows {
			for _, c := range row {
				block.Dense = append(block.Dense, float64(c))
			}
		}
		if err := b.Add(block); err != nil {
			return nil, err
		}
	}
	return b.Dataset(ctx)
}
