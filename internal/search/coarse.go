package search

import (
	"context"
	"math"

	"fsa/data"
	"fsa/internal/parallel"
)

// coarse is a variable with the nearest of more knots than a surface has, or the category, of each row. It is count if it is
// missing. A surface has as many knots or categories as fit says.
type coarse struct {
	column, count, fit int
	of                 []uint16
}

// coarsened returns variables by their knots or categories, without texts that have too few rows.
func (t *pairTest) coarsened(ctx context.Context, columns []int) ([]*coarse, error) {
	list := make([]*coarse, len(columns))
	return list, parallel.Do(ctx, t.Threads, len(columns), func(_, k int) error {
		s, err := t.binned(ctx, columns[k], 2*t.knots-1)
		if err != nil || s == nil || s.count >= math.MaxUint16 || s.alpha == nil && !t.Many(s.count*t.knots) {
			return err
		}
		c := &coarse{column: columns[k], count: s.count, fit: s.count, of: make([]uint16, len(s.bin))}
		if s.alpha != nil {
			c.fit = min(s.count, t.knots)
		}
		for i, bin := range s.bin {
			switch {
			case bin < 0:
				bin = s.count
			case s.alpha != nil && s.alpha[i] > 0.5:
				bin++
			}
			c.of[i] = uint16(bin)
		}
		list[k] = c
		return nil
	})
}

// cellSums are the sums of the slopes of the rows of each cell of a pair, and of their squares.
type cellSums [][2]float64

// against returns the statistic of the differences between the cells of two variables that no sum of
// effects of one variable each explains.
func (c *coarse) against(with *coarse, slope []float64, to cellSums) float64 {
	width := with.count + 1
	to = to[:(c.count+1)*width]
	clear(to)
	other := with.of[:len(slope)]
	for i, a := range c.of[:len(slope)] {
		r, cell := slope[i], &to[int(a)*width+int(other[i])]
		cell[0] += r
		cell[1] += r * r
	}
	left, right := make([]float64, c.count), make([]float64, with.count)
	var statistic float64
	const rounds = 4 // of least squares by one variable after the other
	for range rounds {
		for side := range 2 {
			effects, count := left, with.count
			if side == 1 {
				effects, count = right, c.count
			}
			for f := range effects {
				var sum, squares float64
				for k := range count {
					a, b := f, k
					if side == 1 {
						a, b = k, f
					}
					v := to[a*width+b]
					sum, squares = sum+v[0]-v[1]*(left[a]+right[b]), squares+v[1]
				}
				if squares > 0 {
					effects[f] += sum / squares
				}
			}
		}
	}
	for a, u := range left {
		for b, v := range right {
			if cell := to[a*width+b]; cell[1] > 0 {
				rest := cell[0] - cell[1]*(u+v)
				statistic += rest * rest / cell[1]
			}
		}
	}
	return statistic
}

// surfaces returns the pairs of a number with each later number, and with each text, whose cells differ so
// much that they may be significant.
func (t *pairTest) surfaces(a int, numbers, texts []*coarse) []candidate {
	var list []candidate
	left := numbers[a]
	if left == nil {
		return nil
	}
	var to cellSums
	for _, with := range [][]*coarse{numbers[a+1:], texts} {
		for _, right := range with {
			if right == nil || left.fit < 3 && right.fit < 3 || !t.mayPair(left.column, right.column) {
				continue
			}
			if n := (left.count + 1) * (right.count + 1); n > len(to) {
				to = make(cellSums, n)
			}
			free, fit := (left.count-1)*(right.count-1), (left.fit-1)*(right.fit-1)
			statistic := left.against(right, t.slope, to) - float64(free-fit) // its mean is free if there is no effect
			if significant := t.significant(fit); statistic-float64(fit) > nearly*(significant-float64(fit)) {
				list = append(list, candidate{pair: data.Interaction{left.column, right.column}, statistic: statistic / significant, surface: true})
			}
		}
	}
	return list
}
