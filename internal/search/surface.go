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
	more, err := t.besides(ctx, pair)
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
	more, err := t.besides(ctx, pair)
	if err != nil {
		return nil, err
	}
	return t.gridded(pair, &grid{left: left, right: right, more: more})
}

// besides returns the columns that a pair must add to, besides categories: those of its numbers and of the pairs before it.
func (t *pairTest) besides(ctx context.Context, pair data.Interaction) ([][]float64, error) {
	var more [][]float64
	for _, j := range pair {
		if t.Data.Columns[j].Text {
			continue
		}
		own, err := t.mainEffects(ctx, j)
		if err != nil {
			return nil, err
		}
		for _, x := range own {
			more = append(more, t.ofRows(x))
		}
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

// grid has the cells of a surface, left knot by left knot, and then further columns.
type grid struct {
	left, right *side
	more        [][]float64
}

func (g *grid) cells() int { return g.left.count * g.right.count }
func (g *grid) size() int  { return g.cells() + len(g.more) }

// entries lists the columns in which a row is not 0, and its cells there. It is empty if the row has a
// missing value.
func (g *grid) entries(row int, at []int, x []float64) ([]int, []float64) {
	at, x = at[:0], x[:0]
	if g.left.bin[row] < 0 || g.right.bin[row] < 0 {
		return at, x
	}
	g.left.at(row, func(a int, u float64) {
		g.right.at(row, func(b int, v float64) {
			at, x = append(at, a*g.right.count+b), append(x, u*v)
		})
	})
	for k, column := range g.more {
		at, x = append(at, g.cells()+k), append(x, column[row])
	}
	return at, x
}

// sums returns the scores of the columns, the products of columns weighted by the curvature of the loss,
// and the products of their scores.
func (g *grid) sums(slope, weight []float64) (score *mat.VecDense, heavy, squared *mat.SymDense) {
	n := g.size()
	s, h, q := make([]float64, n), make([]float64, n*n), make([]float64, n*n)
	var at []int
	var x []float64
	for row, r := range slope {
		at, x = g.entries(row, at, x)
		for i, a := range at {
			s[a] += r * x[i]
			w, r := weight[row]*x[i], r*r*x[i]
			for k, b := range at[i:] { // ascending
				h[a*n+b] += w * x[i+k]
				q[a*n+b] += r * x[i+k]
			}
		}
	}
	return mat.NewVecDense(n, s), mat.NewSymDense(n, h), mat.NewSymDense(n, q)
}

// interaction returns the products of functions as combinations of columns, without what the functions of
// single variables and the further columns explain of them.
func (g *grid) interaction(heavy *mat.SymDense) *mat.Dense {
	n, q := g.size(), g.right.count
	left, a := g.left.functions()
	right, b := g.right.functions()
	mains := mat.NewDense(n, len(left)+len(right)+len(g.more), nil)
	for c := range g.cells() {
		for f, at := range left {
			mains.Set(c, f, at[c/q])
		}
		for f, at := range right {
			mains.Set(c, len(left)+f, at[c%q])
		}
	}
	for k := range g.more {
		mains.Set(g.cells()+k, len(left)+len(right)+k, 1)
	}
	products := mat.NewDense(n, len(a)*len(b), nil)
	for c := range g.cells() {
		for f := range a {
			for h := range b {
				products.Set(c, f*len(b)+h, a[f][c/q]*b[h][c%q])
			}
		}
	}
	var with, own, against mat.Dense
	with.Mul(heavy, mains)
	own.Mul(mains.T(), &with)
	against.Mul(with.T(), products)
	of := invert(&own)
	_, cols := products.Dims()
	for f := range cols {
		_, _, share := of.solve(against.ColView(f))
		var explained mat.VecDense
		explained.MulVec(mains, share)
		for c := range n {
			products.Set(c, f, products.At(c, f)-explained.AtVec(c))
		}
	}
	return products
}

// column returns a combination of the columns of a grid.
func (g *grid) column(of *mat.VecDense, rows int) []float64 {
	to := make([]float64, rows)
	var at []int
	var x []float64
	for row := range to {
		at, x = g.entries(row, at, x)
		for i, a := range at {
			to[row] += x[i] * of.AtVec(a)
		}
	}
	return to
}

// pick returns some of the elements of a list.
func pick(list, at []int) []int {
	to := make([]int, len(at))
	for k, i := range at {
		to[k] = list[i]
	}
	return to
}

// singular is the share of the largest eigenvalue below which one is rounding error.
const singular = 1e-9

// inverse is the pseudo-inverse of a symmetric matrix that is not negative, in the basis of its eigenvectors.
type inverse struct {
	vectors *mat.Dense // columns, one for each eigenvalue
	values  []float64
}

func invert(a *mat.Dense) inverse {
	n, _ := a.Dims()
	unit, scaled := make([]float64, n), mat.NewSymDense(n, nil)
	for i := range n {
		if v := a.At(i, i); v > 0 {
			unit[i] = 1 / math.Sqrt(v)
		}
	}
	for i := range n {
		for j := range i + 1 {
			scaled.SetSym(i, j, a.At(i, j)*unit[i]*unit[j])
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(scaled, true) {
		return inverse{vectors: mat.NewDense(n, n, nil)}
	}
	vectors := mat.NewDense(n, n, nil)
	eigen.VectorsTo(vectors)
	for i, u := range unit {
		row := vectors.RawRowView(i)
		for k := range row {
			row[k] *= u
		}
	}
	return inverse{vectors, eigen.Values(nil)} // ascending
}

// solve returns bᵀx and the shortest x with a·x = b, and the rank of a.
func (v inverse) solve(b mat.Vector) (product float64, rank int, x *mat.VecDense) {
	n, _ := v.vectors.Dims()
	x = mat.NewVecDense(n, nil)
	for k, λ := range v.values {
		if last := v.values[len(v.values)-1]; λ <= 0 || λ <= singular*last {
			continue
		}
		way := v.vectors.ColView(k)
		along := mat.Dot(way, b)
		x.AddScaledVec(x, along/λ, way)
		product, rank = product+along*along/λ, rank+1
	}
	return product, rank, x
}
