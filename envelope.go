package fsa

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"fsa/validate"
)

// ways returns the best way of each descent that was tried, without swaps.
func (t *tuner) ways() []way {
	keys := slices.SortedFunc(maps.Keys(t.trials), func(a, b trialKey) int {
		return cmp.Or(cmp.Compare(a.descent.ridge, b.descent.ridge), cmp.Compare(b.descent.pooling, a.descent.pooling), cmp.Compare(a.ridge, b.ridge), cmp.Compare(a.size, b.size))
	})
	var list []way
	least := 0.0
	for _, k := range keys {
		loss := mean(t.trials[k].losses)
		if k.swap != (swaps{}) || k.size == 0 && len(t.sizes) > 1 || loss != loss {
			continue
		}
		n := len(list)
		switch {
		case n == 0 || list[n-1].descent != k.descent:
			list, least = append(list, k.way), loss
		case loss < least:
			list[n-1], least = k.way, loss
		}
	}
	return list
}

// curve returns the losses at all sizes, each in the way that is best there: few variables
// want another ridge in the descent than many do. It also returns these ways.
func (t *tuner) curve(ctx context.Context, ways []way) (*validate.Curve, []way, error) {
	losses, of := make([][]float64, len(t.sizes)), make([]way, len(t.sizes))
	for s, size := range t.sizes {
		for _, w := range ways {
			o, err := t.try(ctx, w, size)
			if err != nil {
				return nil, nil, err
			}
			if losses[s] == nil || mean(o.losses) < mean(losses[s]) {
				losses[s], of[s] = o.losses, w
			}
		}
	}
	return validate.NewCurve(t.sizes, losses, nil, t.cut.Repeats()), of, nil
}
