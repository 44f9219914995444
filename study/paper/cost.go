package paper

import (
	"context"
	"fmt"
	"strconv"

	"fsa/anneal"
)

// cost computes the cost of each schedule in passes over all M variables, without the k that are in
// every iteration, which the paper counts separately.
func cost(context.Context, *Setup) (*Result, error) {
	r := &Result{byMethod: true, Notes: []string{fmt.Sprintf(
		"Passes other than those over the k selected variables, for %d iterations; in all there are k·%d/M more.", scheduleEpochs, scheduleEpochs)}}
	const m, k = 1_000_000, 1000 // so many that rounding to whole variables does not matter
	printed := map[float64]figure{}
	for _, row := range publishedRows("table_cost.csv", 2) {
		mu, err := strconv.ParseFloat(row[0], 64)
		if err != nil {
			return nil, err
		}
		if printed[mu], err = parseFigure(row[1]); err != nil {
			return nil, err
		}
	}
	for _, mu := range scheduleMus {
		all := anneal.Passes(anneal.Inverse(mu), scheduleEpochs, m, k)
		row := Row{Method: muName(mu), Metric: passes, Ours: new(all - k*scheduleEpochs/float64(m)), Runs: 1}
		f, known := printed[mu]
		row.compare(f, known)
		r.Rows = append(r.Rows, row)
	}
	return r, nil
}
