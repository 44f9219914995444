package search

import (
	"cmp"
	"context"
	"slices"

	"fsa/data"
	"fsa/internal/parallel"
)

// screenColumns is the number of columns of a block: pairs are tested in blocks of its square.
const screenColumns = 128

// candidatesPerPair is the largest number of pairs that are tested exactly for each pair to be found.
const candidatesPerPair = 4

// candidates returns the pairs with the largest statistics, the largest first: at most the given
// number, and only pairs that may be significant. Ties are broken by the numbers of the variables.
func (t *pairTest) candidates(ctx context.Context, most int) ([]candidate, error) {
	significant := t.significant(1)
	categories, err := t.categories(ctx)
	if err != nil {
		return nil, err
	}
	var best []candidate
	blocks := slices.Collect(slices.Chunk(t.numbers, screenColumns))
	for i, own := range blocks {
		left, err := t.block(ctx, own)
		if err != nil {
			return nil, err
		}
		if err := t.parallel(ctx, own, &best, most, func(a int) []candidate {
			return t.againstCategories(own[a], left[a], categories)
		}); err != nil {
			return nil, err
		}
		for _, other := range blocks[i:] {
			right, err := t.block(ctx, other)
			if err != nil {
				return nil, err
			}
			if err := t.parallel(ctx, own, &best, most, func(a int) []candidate {
				return t.against(own[a], left[a], other, right, significant)
			}); err != nil {
				return nil, err
			}
		}
	}
	if t.knots == 0 {
		return best, nil
	}
	numbers, err := t.coarsened(ctx, t.numbers)
	if err != nil {
		return nil, err
	}
	texts, err := t.coarsened(ctx, t.texts)
	if err != nil {
		return nil, err
	}
	return best, t.parallel(ctx, t.numbers, &best, most, func(a int) []candidate {
		return t.surfaces(a, numbers, texts)
	})
}

// parallel adds what a function finds for each column of a block to the best candidates.
func (t *pairTest) parallel(ctx context.Context, block []int, best *[]candidate, most int, find func(a int) []candidate) error {
	found := make([][]candidate, len(block))
	err := parallel.Do(ctx, t.Threads, len(block), func(_, a int) error {
		found[a] = find(a)
		return nil
	})
	*best = strongest(slices.Concat(append(found, *best)...), most)
	return err
}

// block returns standardised columns, in the rows with a weight.
func (t *pairTest) block(ctx context.Context, columns []int) ([][]float64, error) {
	list := make([][]float64, len(columns))
	return list, parallel.Do(ctx, t.Threads, len(columns), func(_, k int) error {
		x, err := t.Data.Standardised(ctx, columns[k])
		if err == nil {
			list[k] = t.ofRows(x)
		}
		return err
	})
}

// against tests a column with each later one of a block, by the squared sum of slopes times products,
// divided by the sum of their squares. It returns the pairs that may be significant.
func (t *pairTest) against(a int, left []float64, others []int, right [][]float64, significant float64) []candidate {
	var list []candidate
	scaled := make([]float64, len(left))
	for i, x := range left {
		scaled[i] = x * t.slope[i]
	}
	for k, b := range others {
		if b <= a || !t.mayPair(a, b) {
			continue
		}
		var sum, squares float64
		for i, x := range right[k] {
			v := scaled[i] * x
			sum += v
			squares += v * v
		}
		if sum*sum > nearly*significant*squares {
			list = append(list, candidate{pair: data.Interaction{a, b}, statistic: sum * sum / squares / significant, line: true})
		}
	}
	return list
}

// strongest returns the candidates with the largest statistics, the largest first.
func strongest(list []candidate, most int) []candidate {
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.statistic, a.statistic), slices.Compare(a.pair[:], b.pair[:]))
	})
	seen, once := map[data.Interaction]int{}, make([]candidate, 0, min(len(list), most))
	for _, c := range list {
		if at, again := seen[c.pair]; again { // in another form
			once[at].line, once[at].surface = once[at].line || c.line, once[at].surface || c.surface
		} else if len(once) < most {
			seen[c.pair], once = len(once), append(once, c)
		}
	}
	return once
}
