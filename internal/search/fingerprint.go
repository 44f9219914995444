package search

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"fsa/data"
	"fsa/internal/matrix"
)

// A fingerprint samples sampledBlocks blocks of sampledRows rows each. They must not depend on the
// machine.
const sampledBlocks, sampledRows = 64, 16

// Fingerprint returns a checksum of the training data, so that a record of other data is recognised
// without another pass over the table. It covers the names, targets, weights, queries, groups, limits, prices,
// quotas and sets of columns of pairs, what decides the folds, the statistics of every column and, if this process
// has the whole table in memory, the cells of a few blocks of rows. folds are those that were given, or nil.
func (s *Sample) Fingerprint(ctx context.Context, d *data.Dataset, folds []float64, whole bool) (string, error) {
	h := hasher{sha256.New()}
	x := s.Design.X
	rows, cols := x.Dims()
	h.ints(rows, cols, x.Cells(), d.Width(), s.Groups.Count())
	for i := range d.Columns {
		c := &d.Columns[i]
		h.text(d.ColumnName(i))
		h.ints(c.Index, int(c.Missing))
		h.floats([]float64{c.Mean, c.SD, c.Min, c.Max})
		for _, text := range d.Categories(i) {
			h.text(text)
		}
	}
	t := s.Target
	h.floats(t.Y)
	h.floats(t.Weight)
	if t.Offset != nil {
		h.floats(t.Offset)
	}
	if d.Target != nil { // of survival times, and rows that stay in one fold
		for _, list := range [][]float64{d.Target.Event, d.Target.Stratum, d.Target.Entry, d.Target.Group} {
			if list != nil {
				h.floats(list)
			}
		}
		for _, v := range d.Target.Each {
			h.text(v.Name)
			h.floats(v.Values)
		}
	}
	if s.Groups.Count() < cols {
		for g := range s.Groups.Count() {
			h.ints(s.Groups.Of(g)...)
		}
	}
	if s.Limits != nil {
		h.limit(s.Limits.Others)
		for _, j := range slices.Sorted(maps.Keys(s.Limits.Of)) {
			h.ints(j)
			h.limit(s.Limits.Of[j])
			h.ints(s.Limits.Orders[j]...)
		}
	}
	if p := s.Spending; p != nil {
		for _, j := range slices.Sorted(maps.Keys(p.Item)) {
			h.ints(j, p.Item[j])
		}
		h.floats(p.Prices)
		h.floats(p.Budgets)
	}
	if folds != nil {
		h.text("folds")
		h.floats(folds)
	}
	h.ints(s.quotaOf...)
	for _, q := range s.Quotas {
		h.ints(q.Most, q.Least)
	}
	for _, set := range s.Among {
		h.ints(slices.Sorted(maps.Keys(set))...)
	}
	h.ints(t.Query...)
	for _, p := range t.Pairs {
		h.ints(p.I, p.J)
		h.floats([]float64{p.R})
	}
	if whole {
		if err := h.sample(ctx, x); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// hasher computes a checksum of numbers and texts.
type hasher struct{ hash.Hash }

func (h hasher) text(s string) {
	h.ints(len(s))
	io.WriteString(h, s)
}

func (h hasher) limit(l Limit) {
	h.floats([]float64{l.Lower, l.Upper})
	h.ints(l.Slope, l.Bend)
}

func (h hasher) ints(list ...int) {
	b := make([]byte, 0, 8*len(list))
	for _, v := range list {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	h.Write(b)
}

func (h hasher) floats(list []float64) {
	h.ints(len(list))
	b := make([]byte, 0, 8*len(list))
	for _, v := range list {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	h.Write(b)
}

// sample adds the product of a few blocks of rows with a random vector.
func (h hasher) sample(ctx context.Context, x matrix.Matrix) error {
	rows, cols := x.Dims()
	rng := rand.New(rand.NewPCG(1, 2))
	along := make([]float64, cols)
	for i := range along {
		along[i] = rng.Float64() - 0.5
	}
	step := max(sampledRows, rows/sampledBlocks)
	for lo := 0; lo < rows; lo += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		hi := min(lo+sampledRows, rows)
		b, err := x.Slice(ctx, lo, hi)
		if err != nil {
			return err
		}
		z := make([]float64, hi-lo)
		b.Mul(z, along)
		matrix.Release(b)
		h.floats(z)
	}
	return nil
}
