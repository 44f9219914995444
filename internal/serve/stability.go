package serve

import (
	"context"
	"encoding/binary"
	"math"
	"sync/atomic"

	"fsa"
	"fsa/data"
	"fsa/internal/parallel"
	"fsa/loss"
	"fsa/model"
	"fsa/validate"
)

// confidence of the interval of the index.
const confidence = 0.95

// agreement selects as many variables as a model has, on pairs of half samples. Rows that are left
// out have weight 0, so nothing is copied.
func agreement(ctx context.Context, d *data.Dataset, o fsa.Options, m *model.Model, pairs int, told *follower) (*stability, error) {
	t := d.Target
	scheme := validate.Scheme{Seed: o.Seed, Weight: t.Weight, Query: t.Query}
	if m.Task() == loss.Classification {
		scheme.Class = t.Y
	}
	halves, err := scheme.Pairs(d.Rows(), pairs)
	if err != nil {
		return nil, &data.Error{File: tableName, Msg: err.Error()}
	}
	o.K, o.Quick, o.Loss = m.Training().K, true, m.Loss()
	o.Run.Observe, o.Run.Count, o.Run.Step, o.Run.Curve = nil, nil, nil, nil
	threads := o.Run.Threads
	o.Run.Threads = 1
	places := map[int]int{} // of columns of the input
	for v := range d.Columns {
		places[d.Columns[v].Index] = place(d, v)
	}
	selections := make([][]int, halves.Len())
	var done atomic.Int64
	err = parallel.Do(ctx, threads, halves.Len(), func(_, i int) error {
		weight := make([]float64, d.Rows())
		for _, row := range halves.Split(i).Train {
			if weight[row] = 1; t.Weight != nil {
				weight[row] = t.Weight[row]
			}
		}
		half, err := d.Weighted(ctx, weight)
		if err != nil {
			return err
		}
		learned, err := fsa.Fit(ctx, half, o)
		if err != nil {
			return err
		}
		for _, s := range learned.Selected() {
			selections[i] = append(selections[i], places[s.Index])
		}
		told.halfSamples(int(done.Add(1)), halves.Len())
		return nil
	})
	if err != nil {
		return nil, err
	}
	to := &stability{}
	if a := validate.Agreement(renumbered(selections), d.Width(), confidence); !math.IsNaN(a.Index) {
		to = &stability{Index: a.Index, Low: a.Low, High: a.High, Verdict: a.Verdict()}
	}
	for _, share := range validate.Frequencies(selections, features(d)) {
		to.Frequency = binary.LittleEndian.AppendUint64(to.Frequency, math.Float64bits(share))
	}
	return to, nil
}

// renumbered returns the same selections with consecutive numbers, without gaps for columns that
// are left out.
func renumbered(selections [][]int) [][]int {
	number, to := map[int]int{}, make([][]int, len(selections))
	for i, s := range selections {
		for _, at := range s {
			if _, known := number[at]; !known {
				number[at] = len(number)
			}
			to[i] = append(to[i], number[at])
		}
	}
	return to
}
