package keypoint

import (
	"context"
	"math/rand/v2"
	"slices"

	"fsa/app/keypoint/photo"
	"fsa/app/keypoint/pool"
	"fsa/data"
	storage "fsa/internal/matrix"
	"fsa/internal/parallel"
)

// matrix has the bytes of all features of examples, one row each. Rows are shuffled, so any
// contiguous rows are a sample of all.
type matrix struct {
	pool   *pool.Pool
	ranges []pool.Range
	names  []string
	bytes  *storage.Bytes
	class  []float64 // class of each row: 1 or −1
}

// rangeSample is the number of examples of each class on which the ranges of the features are
// measured.
const rangeSample = 500

// newMatrix measures the ranges of the features on a sample of the examples and returns an empty
// matrix. A range goes from the smallest to the largest value; values beyond it count as its ends.
func newMatrix(ctx context.Context, a *album, p *pool.Pool, positives, negatives []Example, seed uint64, threads int) (*matrix, error) {
	m := &matrix{pool: p, names: p.Names(), ranges: make([]pool.Range, p.Len()), bytes: storage.NewBytes(p.Len())}
	r := rand.New(rand.NewPCG(seed, 0x72616e676573))
	var sample []Example
	for _, class := range [][]Example{positives, negatives} {
		for _, i := range r.Perm(len(class))[:min(rangeSample, len(class))] {
			sample = append(sample, class[i])
		}
	}
	// Each thread keeps the extremes that it has seen; the order in which they are joined does not
	// matter.
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

// addRows is the number of rows that are computed before they are added to the matrix.
const addRows = 2048

// add adds examples of a class and shuffles all rows.
func (m *matrix) add(ctx context.Context, a *album, examples []Example, class float64, threads int) error {
	// A photograph is read once if its examples are contiguous.
	examples = slices.SortedStableFunc(slices.Values(examples), func(a, b Example) int { return a.Photo - b.Photo })
	rows := slices.Collect(slices.Chunk(make([]uint8, min(addRows, len(examples))*m.pool.Len()), m.pool.Len()))
	for part := range slices.Chunk(examples, addRows) {
		err := eachExample(ctx, a, m.pool, part, threads, func(_, i int, e *pool.Extractor) { e.Codes(rows[i], m.ranges) })
		if err != nil {
			return err
		}
		m.bytes.Append(rows[:len(part)])
	}
	m.class = append(m.class, slices.Repeat([]float64{class}, len(examples))...)
	order := rand.New(rand.NewPCG(uint64(len(m.class)), 0x6d6978)).Perm(len(m.class))
	mixed := make([]float64, len(order))
	for i, row := range order {
		mixed[i] = m.class[row]
	}
	m.class = mixed
	return m.bytes.Permute(ctx, order)
}

// eachExample calls do for all examples, with an extractor positioned at example i. Every
// photograph is read once.
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
	e.MoveTo(levels[at.Level].Image, at.X, at.Y)
}

// dataset returns the examples as a table for training, which shares their bytes. Both classes have
// the same total weight.
func (m *matrix) dataset(ctx context.Context) (*data.Dataset, error) {
	positives := 0
	for _, y := range m.class {
		if y > 0 {
			positives++
		}
	}
	weight := make([]float64, len(m.class))
	for i, y := range m.class {
		of := len(m.class) - positives
		if y > 0 {
			of = positives
		}
		weight[i] = float64(len(m.class)) / float64(2*of)
	}
	return data.FromMatrix(ctx, "examples", m.names, m.bytes.Snapshot(), data.Roles{
		TargetVector: &data.Vector{Name: "examples", Values: m.class},
		WeightVector: &data.Vector{Name: "examples", Values: weight},
	})
}
