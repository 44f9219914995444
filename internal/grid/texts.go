package grid

import (
	"context"
	"slices"

	"fsa/internal/matrix"
)

var (
	_ matrix.Categorical = (*Matrix)(nil)
	_ matrix.Besider     = (*Matrix)(nil)
)

// NewTexts returns a table of categorical variables with the given numbers of categories, of which
// each process holds its own rows and variables: codes returns the categories of a row in the
// variables of this process.
func NewTexts(g *Grid, cut Cut, categories []int, codes func(row int) []uint32) (*Matrix, error) {
	m, err := newMatrix(g, cut, func(int, int) matrix.Normed { return nil })
	if err != nil {
		return nil, err
	}
	m.text = true
	m.setWidths(categories)
	first := cut.Slices[m.slices[0]]
	for s, tiles := range m.tiles {
		for c := range tiles {
			lo, hi := cut.Slices[m.slices[0]+c], cut.Slices[m.slices[0]+c+1]
			var all []uint32
			for i := cut.Shards[m.shards[0]+s]; i < cut.Shards[m.shards[0]+s+1]; i++ {
				all = append(all, codes(i)[lo-first:hi-first]...)
			}
			tiles[c] = matrix.NewOneHot(slices.Clone(categories[lo:hi]), all)
		}
	}
	return m, nil
}

// setWidths sets the number of columns of each variable.
func (m *Matrix) setWidths(widths []int) {
	m.first = make([]int, len(widths)+1)
	for v, w := range widths {
		m.first[v+1] = m.first[v] + w
	}
	m.cols, m.cells = m.first[len(widths)], m.rows*len(widths)
}

// keepVariables makes slices of the listed ascending variables alone.
func (m *Matrix) keepVariables(vars []int) {
	var at []int
	for _, v := range m.cut.Slices {
		k, _ := slices.BinarySearch(vars, v)
		at = append(at, k)
	}
	m.cut.Slices = at
}

// Choose implements [matrix.Categorical].
func (m *Matrix) Choose(vars []int, recode [][]uint32, categories []int) matrix.Categorical {
	to := m.derived()
	to.keepVariables(vars)
	widths := make([]int, len(vars))
	for k, v := range vars {
		if widths[k] = m.first[v+1] - m.first[v]; recode[k] != nil {
			missing := widths[k] == len(recode[k]) // they have a category of their own
			if widths[k] = categories[k]; missing {
				widths[k]++
			}
		}
	}
	to.setWidths(widths)
	for _, tiles := range m.tiles {
		var chosen []matrix.Normed
		for c, t := range tiles {
			lo, hi := to.cut.Slices[m.slices[0]+c], to.cut.Slices[m.slices[0]+c+1]
			mine := make([]int, hi-lo)
			for k := range mine {
				mine[k] = vars[lo+k] - m.cut.Slices[m.slices[0]+c]
			}
			chosen = append(chosen, t.(*matrix.OneHot).Choose(mine, recode[lo:hi], categories[lo:hi]).(*matrix.OneHot))
		}
		to.tiles = append(to.tiles, chosen)
	}
	return &to
}

// Shares implements [matrix.Categorical].
func (m *Matrix) Shares(ctx context.Context, weight func(row int) float64) ([]float64, error) {
	w, total := make([]float64, m.rows), 0.0
	for i := range w {
		w[i] = weight(i)
		total += w[i]
	}
	share, err := m.WholeMulT(ctx, w)
	for c := range share {
		share[c] /= total
	}
	return share, err
}

// Counts implements [matrix.Categorical].
func (m *Matrix) Counts(ctx context.Context, category []int) ([]uint32, error) {
	var mine []int64
	for c := range m.slices[1] - m.slices[0] {
		lo, hi := m.cut.Slices[m.slices[0]+c], m.cut.Slices[m.slices[0]+c+1]
		sums := make([]int64, hi-lo)
		for _, tiles := range m.tiles {
			counts, err := tiles[c].(*matrix.OneHot).Counts(ctx, category[lo:hi])
			if err != nil {
				return nil, err
			}
			for k, n := range counts {
				sums[k] += int64(n)
			}
		}
		mine = append(mine, sums...)
	}
	if len(mine) > 0 {
		if err := m.grid.column.Sum(mine); err != nil {
			return nil, err
		}
	}
	all, err := gatherAlong(ctx, m.grid.row, m.columnsOf, mine)
	if err != nil {
		return nil, err
	}
	counts := make([]uint32, len(all))
	for v, n := range all {
		counts[v] = uint32(n)
	}
	return counts, nil
}

// Beside implements [matrix.Besider]: it joins numbers and texts of the same cut.
func (m *Matrix) Beside(other matrix.Matrix) matrix.Matrix {
	texts := other.(*Matrix)
	to := m.derived()
	numbers, words := m.derived(), texts.derived() // its tiles hold both
	to.parts = [2]*Matrix{&numbers, &words}
	to.cut.Slices = nil
	for c, at := range m.cut.Slices {
		to.cut.Slices = append(to.cut.Slices, at+texts.cut.Slices[c])
	}
	to.setWidths(slices.Concat(ones(m), texts.Widths()))
	to.cells = m.cells + texts.cells
	for s, tiles := range m.tiles {
		var both []matrix.Normed
		for c, t := range tiles {
			switch text := texts.tiles[s][c]; {
			case matrix.Variables(text) == 0:
				both = append(both, t)
			case matrix.Variables(t) == 0:
				both = append(both, text)
			default:
				both = append(both, matrix.Beside(t, text).(matrix.Normed))
			}
		}
		to.tiles = append(to.tiles, both)
	}
	return &to
}

// ones returns n ones: one column for each variable.
func ones(m *Matrix) []int {
	if widths := m.Widths(); widths != nil {
		return widths
	}
	return slices.Repeat([]int{1}, m.cols)
}
