package search

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"fsa/data"
)

// side is a variable of a surface, in the rows with a weight: a number with its knots, or a text.
type side struct {
	knots data.Knots  // nil for a text
	shape *data.Shape // nil for a text, and without functions
	count int         // number of knots or of categories
	bin   []int       // bin or category of each row; −1 if it is missing
	alpha []float64   // position in the bin; nil for a text
}

// binned returns a variable in the form of a surface with at most the given number of knots, without its functions; nil
// if it has no knots. Two knots are the ends of the range, so that there is one line between them.
func (t *pairTest) binned(ctx context.Context, j, most int) (*side, error) {
	if t.Data.Columns[j].Text {
		code, err := t.Data.CategoryOf(ctx, j)
		levels, _ := t.Data.Levels(j)
		return &side{count: len(levels), bin: pick(code, t.rows)}, err
	}
	x, err := t.Data.Numbers(ctx, j)
	if err != nil {
		return nil, err
	}
	knots := data.Knots{t.Data.Columns[j].Min, t.Data.Columns[j].Max}
	if most > 2 {
		knots = t.Data.KnotsAmong(x, most)
	}
	if knots == nil {
		return nil, nil
	}
	s := &side{count: len(knots), bin: make([]int, len(t.rows)), alpha: make([]float64, len(t.rows)), knots: knots}
	for k, i := range t.rows {
		if s.bin[k] = -1; x[i] == x[i] {
			s.bin[k], s.alpha[k] = knots.Locate(x[i])
		}
	}
	return s, nil
}

// sideOf returns a variable in the form of a surface; nil if it has no knots.
func (t *pairTest) sideOf(ctx context.Context, j, most int) (*side, error) {
	return t.sides.get([2]int{j, most}, t.keep, func() (*side, error) { return t.newSide(ctx, j, most) })
}

func (t *pairTest) newSide(ctx context.Context, j, most int) (*side, error) {
	s, err := t.binned(ctx, j, most)
	if err != nil || s == nil || s.alpha == nil {
		return s, err
	}
	share, total := make([]float64, s.count), 0.0
	for k, bin := range s.bin {
		if bin >= 0 {
			w := t.weight[k]
			share[bin] += (1 - s.alpha[k]) * w
			share[bin+1] += s.alpha[k] * w
			total += w
		}
	}
	for k := range share {
		share[k] /= total
	}
	s.shape = shapeOf(s.knots, share)
	return s, nil
}

// shapeOf returns the functions of the basis of a curve without the constant.
func shapeOf(knots data.Knots, share []float64) *data.Shape {
	values := newCurveBasis(0, knots, share).values
	of := &data.Shape{Knots: knots}
	for f := 1; f < len(knots); f++ {
		at := mat.Col(nil, f, values)
		square, total := 0.0, 0.0
		for k, w := range share {
			square, total = square+w*at[k]*at[k], total+w
		}
		of.Values, of.Shrink = append(of.Values, at), append(of.Shrink, math.Sqrt(square/total))
	}
	return of
}

// functions returns the values of the functions of a side at its knots or categories, and those whose
// products are tested.
func (s *side) functions() (all, tested [][]float64) {
	for k := range s.count {
		all = append(all, make([]float64, s.count))
		all[k][k] = 1
	}
	if s.shape == nil {
		return all, all
	}
	return all, s.shape.Values
}

// at calls a function with the knots on both sides of a row and their weights, or with its category.
func (s *side) at(row int, to func(knot int, weight float64)) {
	if s.alpha == nil {
		to(s.bin[row], 1)
		return
	}
	to(s.bin[row], 1-s.alpha[row])
	to(s.bin[row]+1, s.alpha[row])
}

// surface tests a pair by the scores of the products of all functions of its variables. Each row is in few
// cells of the grid of knots, so all sums are those of cells and of the pairs before it.
func (t *pairTest) surface(ctx context.Context, pair data.Interaction) (*tested, error) {
	none := &tested{candidate: candidate{pair: pair}, given: len(t.added)}
	left, err := t.sideOf(ctx, pair[0], t.knots)
	if err != nil || left == nil {
		return none, err
	}
	right, err := t.sideOf(ctx, pair[1], t.knots)
	if err != nil || right == nil || left.count < 3 && right.count < 3 || !t.Many(left.count*right.count) {
		return none, err // two knots make a product
	}
	more, err := t.besides(ctx, pair, 0) // its functions are those of the grid
	if err != nil {
		return none, err
	}
	c, err := t.gridded(pair, &grid{left: left, right: right, more: more})
	c.shapes = [2]*data.Shape{left.shape, right.shape}
	return c, err
}

// lines tests a number and a text by the scores of the slopes of the categories.
func (t *pairTest) lines(ctx context.Context, pair data.Interaction) (*tested, error) {
	left, err := t.sideOf(ctx, pair[0], 2)
	if err != nil {
		return nil, err
	}
	right, err := t.sideOf(ctx, pair[1], 0)
	if err != nil {
		return nil, err
	}
	more, err := t.besides(ctx, pair, t.knots)
	if err != nil {
		return nil, err
	}
	return t.gridded(pair, &grid{left: left, right: right, more: more})
}

// besides returns the columns that a pair must add to, besides categories: those of its numbers, with functions between the
// given number of knots, and of the pairs before it.
func (t *pairTest) besides(ctx context.Context, pair data.Interaction, knots int) ([][]float64, error) {
	var more [][]float64
	for _, j := range pair {
		if t.Data.Columns[j].Text {
			continue
		}
		own, err := t.mainEffects(ctx, j, knots)
		if err != nil {
			return nil, err
		}
		more = append(more, own...)
	}
	return append(more, t.added[1:]...), nil
}

// gridded tests a pair by the scores of the products of the functions of a grid.
func (t *pairTest) gridded(pair data.Interaction, grid *grid) (*tested, error) {
	c := &tested{candidate: candidate{pair: pair}, given: len(t.added)}
	score, heavy, squared := grid.sums(t.slope, t.weight)
	effects := grid.interaction(heavy)
	var own mat.VecDense
	own.MulVec(effects.T(), score)
	var each, both mat.Dense
	each.Mul(squared, effects)
	both.Mul(effects.T(), &each)
	statistic, rank, _ := invert(&both).solve(&own)
	if rank == 0 {
		return c, nil
	}
	c.judge(t, statistic, rank)
	each.Mul(heavy, effects)
	both.Mul(effects.T(), &each)
	gain, _, step := invert(&both).solve(&own)
	c.gain = gain
	total := mat.NewVecDense(grid.size(), nil)
	total.MulVec(effects, step)
	if x := t.residual(grid.column(total, len(t.rows)), t.added); x != nil {
		c.columns = [][]float64{x}
	}
	return c, nil
}

// pick returns some of the elements of a list.
func pick[T any](list []T, at []int) []T {
	to := make([]T, len(at))
	for k, i := range at {
		to[k] = list[i]
	}
	return to
}
