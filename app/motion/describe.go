package motion

import (
	"context"
	"fmt"

	"fsa/internal/checkpoint"
	"fsa/internal/parallel"
)

// Described is a sequence with its candidates and their features.
type Described struct {
	*Sequence
	Candidates []Candidate
	// Features names the columns of X.
	Features []Feature
	// X has a row of features for each candidate, scaled to the range from 0 to 1 within the
	// sequence.
	X [][]float64
	// Errors is the share of misclassified points of each candidate; nil if the truth is unknown.
	Errors []float64
	// Halves are the descriptions of the first and the second half of the frames; models are
	// trained on them, too. [DescribeAll] adds them for pools that need them.
	Halves []*Described

	raw [][]float64
}

// Describe makes the candidates of a sequence and computes their features.
func Describe(ctx context.Context, s *Sequence, pool Pool) (*Described, error) {
	list, err := Candidates(ctx, s, pool)
	if err != nil {
		return nil, err
	}
	return describe(ctx, s, list)
}

// describe computes the features of the candidates of a sequence.
func describe(ctx context.Context, s *Sequence, list []Candidate) (*Described, error) {
	d := &Described{Sequence: s, Candidates: list}
	v := newView(s, list)
	for i, c := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		names := &d.Features
		if i > 0 {
			names = nil
		}
		d.raw = append(d.raw, v.describe(c.Labels, names))
		if s.Truth != nil {
			d.Errors = append(d.Errors, Error(c.Labels, s.Truth))
		}
	}
	d.X = relative(d.raw)
	return d, nil
}

// DescribeAll describes sequences in parallel. Record, unless it is nil, stores intermediate
// results, so that another call can continue from there. Log, unless it is nil, is called after
// each sequence; calls do not overlap.
func DescribeAll(ctx context.Context, list []*Sequence, pool Pool, record *checkpoint.Record, log func(stage string, done, of int)) ([]*Described, error) {
	out := make([]*Described, len(list))
	step := counter(log, "describing sequences", len(list))
	err := parallel.Do(ctx, 0, len(list), func(_, i int) error {
		d, err := describeRecorded(ctx, list[i], pool, record, "")
		if err == nil && pool.halves() {
			err = d.describeHalves(ctx, pool, record)
		}
		if err != nil {
			return err
		}
		out[i] = d
		step()
		return nil
	})
	return out, err
}

// describeRecorded describes a sequence, or a half of one. Its candidates are read from the record if
// they are stored there.
func describeRecorded(ctx context.Context, s *Sequence, pool Pool, record *checkpoint.Record, part string) (*Described, error) {
	list, err := candidatesOf(ctx, s, pool, record, part)
	if err != nil {
		return nil, err
	}
	return describe(ctx, s, list)
}

// describeHalves describes the halves of a sequence for training. There are few training videos,
// and a few wrong candidates decide which of thousands of features are selected. Half of the frames
// gives other candidates with other mistakes.
func (d *Described) describeHalves(ctx context.Context, pool Pool, record *checkpoint.Record) error {
	for i, s := range d.Sequence.halves() {
		half, err := describeRecorded(ctx, s, pool, record, fmt.Sprintf(", half %d", i+1))
		if err != nil {
			return err
		}
		d.Halves = append(d.Halves, half)
	}
	return nil
}

// relative scales every column to the range from 0, its smallest value, to 1, its largest.
// Candidates compete only within a sequence, and noise, distances and sizes differ by orders of
// magnitude between sequences. After scaling, a value has the same meaning in all sequences. A
// constant column becomes zero.
func relative(rows [][]float64) [][]float64 {
	out := make([][]float64, len(rows))
	for i, r := range rows {
		out[i] = make([]float64, len(r))
	}
	for j := range rows[0] {
		low, high := rows[0][j], rows[0][j]
		for _, r := range rows {
			low, high = min(low, r[j]), max(high, r[j])
		}
		if !(high > low) {
			continue
		}
		for i, r := range rows {
			out[i][j] = (r[j] - low) / (high - low)
		}
	}
	return out
}
