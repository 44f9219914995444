package matrixtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"fsa/internal/matrix"
)

// shape: the matrix has the size of its rows.
func shape(s *subject) error { return sameShape("matrix", s.m, s.want) }

func sameShape(what string, m matrix.Matrix, want table) error {
	rows, cols := m.Dims()
	if rows != len(want.rows) || cols != want.cols() {
		return fmt.Errorf("%s: %d×%d, want %d×%d", what, rows, cols, len(want.rows), want.cols())
	}
	if got := widths(m); !slices.Equal(got, want.widths) {
		return fmt.Errorf("%s: widths %v, want %v", what, got, want.widths)
	}
	for i, row := range want.rows {
		if len(row) != cols {
			return fmt.Errorf("%s: row %d of the cells has %d columns, the matrix has %d", what, i, len(row), cols)
		}
	}
	if slices.ContainsFunc(want.widths, func(w int) bool { return w < 1 }) {
		return fmt.Errorf("%s: a variable without columns in %v", what, want.widths)
	}
	if n := m.Cells(); n < 0 || n > rows*cols {
		return fmt.Errorf("%s: %d cells stored of %d×%d", what, n, rows, cols)
	}
	if m.BlockRows() < 1 {
		return fmt.Errorf("%s: blocks of %d rows", what, m.BlockRows())
	}
	return nil
}

// products: Xβ and g + Xᵀr are those of plain loops, and β and r are not changed.
func products(s *subject) error {
	for range 3 {
		if err := s.equal("matrix", s.m, s.want); err != nil {
			return err
		}
	}
	return nil
}

// equal compares a matrix with a table by random products.
func (s *subject) equal(what string, m matrix.Matrix, want table) error {
	if err := sameShape(what, m, want); err != nil {
		return err
	}
	rows, cols := m.Dims()
	beta, r, g := s.vector(cols), s.vector(rows), s.vector(cols)
	beta0, r0 := slices.Clone(beta), slices.Clone(r)

	z, slack := want.mul(0, rows, beta)
	got, err := mul(m, 0, rows, beta)
	if err := errors.Join(err, same(what+": Xβ", got, z, slack)); err != nil {
		return err
	}
	sum, slack := want.mulT(0, rows, g, r)
	if err := errors.Join(mulT(m, 0, rows, g, r), same(what+": g + Xᵀr", g, sum, slack)); err != nil {
		return err
	}
	if !slices.Equal(beta, beta0) || !slices.Equal(r, r0) {
		return fmt.Errorf("%s: a product changed the vector it was given", what)
	}
	return nil
}

// adjoint: ⟨Xβ, r⟩ = ⟨β, Xᵀr⟩ to the precision of float64, because both products use the same
// stored cells.
func adjoint(s *subject) error {
	rows, cols := s.m.Dims()
	for range 5 {
		beta, r, g := s.vector(cols), s.vector(rows), make([]float64, cols)
		z, err := mul(s.m, 0, rows, beta)
		if err := errors.Join(err, mulT(s.m, 0, rows, g, r)); err != nil {
			return err
		}
		var left, right, size float64
		_, slack := s.want.mul(0, rows, beta)
		for i := range r {
			left += z[i] * r[i]
			size += slack[i] / storage * math.Abs(r[i])
		}
		for j := range beta {
			right += beta[j] * g[j]
		}
		if !(math.Abs(left-right) <= summation*size) {
			return fmt.Errorf("⟨Xβ, r⟩ = %v, but ⟨β, Xᵀr⟩ = %v", left, right)
		}
	}
	return nil
}

// slicing: a slice has the rows of the whole matrix, and consecutive slices make up the whole.
func slicing(s *subject) error {
	rows, cols := s.m.Dims()
	beta, r := s.vector(cols), s.vector(rows)
	_, slackZ := s.want.mul(0, rows, beta)
	_, slackG := s.want.mulT(0, rows, make([]float64, cols), r)
	z, err := mul(s.m, 0, rows, beta)
	if err != nil {
		return err
	}
	g := make([]float64, cols)
	if err := mulT(s.m, 0, rows, g, r); err != nil {
		return err
	}
	for _, cut := range [][2]int{{0, 0}, {rows, rows}, {0, min(1, rows)}, {max(rows-1, 0), rows}} {
		if err := s.slice(z, tight(slackZ), cut[0], cut[1], beta); err != nil {
			return err
		}
	}
	for range 10 {
		lo := s.rng.IntN(rows + 1)
		hi := lo + s.rng.IntN(rows-lo+1)
		if err := s.slice(z, tight(slackZ), lo, hi, beta); err != nil {
			return err
		}
	}
	for _, step := range []int{max(1, rows/7), max(1, rows/3), s.m.BlockRows()} {
		sum := make([]float64, cols)
		for lo := 0; lo < rows; lo += step {
			hi := min(lo+step, rows)
			if err := mulT(s.m, lo, hi, sum, r[lo:hi]); err != nil {
				return err
			}
		}
		if err := same(fmt.Sprintf("Xᵀr by %d rows", step), sum, g, tight(slackG)); err != nil {
			return err
		}
	}
	return nil
}

// fused: MulT of one block fused with Mul of the next has the same bits as one after the other.
func fused(s *subject) error {
	rows, cols := s.m.Dims()
	for range 20 {
		at := []int{s.rng.IntN(rows + 1), s.rng.IntN(rows + 1), s.rng.IntN(rows + 1)}
		slices.Sort(at)
		past, err := s.m.Slice(context.Background(), at[0], at[1])
		if err != nil {
			return err
		}
		if _, held := past.(matrix.Releaser); held { // such rows must be used one block at a time
			matrix.Release(past)
			return nil
		}
		x, err := s.m.Slice(context.Background(), at[1], at[2])
		if err != nil {
			return err
		}
		beta, r := s.vector(cols), s.vector(at[1]-at[0])
		wantZ, wantG := make([]float64, at[2]-at[1]), s.vector(cols)
		z, g := make([]float64, len(wantZ)), slices.Clone(wantG)
		past.MulT(wantG, r)
		x.Mul(wantZ, beta)
		matrix.MulTMul(x, z, beta, past, g, r, s.rng.IntN(2) == 0)
		if !slices.Equal(z, wantZ) || !slices.Equal(g, wantG) {
			return fmt.Errorf("rows %d to %d after %d to %d: other bits than one after the other", at[1], at[2]-1, at[0], at[1]-1)
		}
	}
	return nil
}

// ranging: ranges cover the columns, and Xᵀr by ranges has the same bits as for all columns at
// once.
func ranging(s *subject) error {
	m, ok := s.m.(matrix.Ranged)
	if !ok {
		return nil
	}
	rows, cols := m.Dims()
	for n := 1; n <= 5; n++ {
		x, err := m.Slice(context.Background(), 0, rows)
		if err != nil {
			return err
		}
		bounds := m.Ranges(n)
		if len(bounds) > n+1 || bounds[0] != 0 || int(bounds[len(bounds)-1]) != cols || !slices.IsSorted(bounds) {
			return fmt.Errorf("%d ranges of %d columns: %d", n, cols, bounds)
		}
		r, want := s.vector(rows), s.vector(cols)
		g := slices.Clone(want)
		x.MulT(want, r)
		for i := range len(bounds) - 1 {
			x.(matrix.RangedRows).MulTOf(g, r, bounds[i], bounds[i+1])
		}
		if !slices.Equal(g, want) {
			return fmt.Errorf("%d ranges: other bits than all columns at once", n)
		}
	}
	return nil
}

// expanding: a row that is written out has the numbers of the products with unit vectors.
func expanding(s *subject) error {
	expand := matrix.Expanding(s.m)
	if expand == nil {
		return nil
	}
	rows, cols := s.m.Dims()
	all := make([][]float64, rows)
	for i := range all {
		all[i] = slices.Repeat([]float64{math.NaN()}, cols) // every cell is to be set
		expand(all[i], i)
	}
	unit := make([]float64, cols)
	for j := range unit {
		unit[j] = 1
		column, err := mul(s.m, 0, rows, unit)
		if err != nil {
			return err
		}
		unit[j] = 0
		for i, want := range column {
			if all[i][j] != want {
				return fmt.Errorf("row %d written out has %v in column %d, want %v", i, all[i][j], j, want)
			}
		}
	}
	return nil
}

func (s *subject) slice(z, slack []float64, lo, hi int, beta []float64) error {
	got, err := mul(s.m, lo, hi, beta)
	if err != nil {
		return err
	}
	return same(fmt.Sprintf("Xβ of rows %d to %d", lo, hi-1), got, z[lo:hi], slack[lo:hi])
}

// selecting: rows in any order and number, and ascending variables, give the same matrix as a table
// built of them.
func selecting(s *subject) error {
	rows, _ := s.m.Dims()
	for _, c := range []struct {
		name       string
		rows, vars []int
	}{
		{"everything", nil, nil},
		{"everything by number", orAll(nil, rows), orAll(nil, len(s.want.widths))},
		{"no variables", nil, []int{}},
		{"one row", s.someRows(1), nil},
		{"one variable", nil, s.someVars(1)},
		{"the last variable", nil, []int{len(s.want.widths) - 1}},
		{"rows in another order", s.rng.Perm(rows), nil},
		{"rows again and again", s.someRows(2*rows + 1), nil},
		{"some variables", nil, s.someVars(len(s.want.widths)/2 + 1)},
		{"some of both", s.someRows(rows/2 + 1), s.someVars(len(s.want.widths)/3 + 1)},
	} {
		to, err := s.m.Select(context.Background(), c.rows, c.vars)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if err := s.equal(c.name, to, s.want.pick(c.rows, c.vars)); err != nil {
			return err
		}
	}
	return nil
}

// someRows returns n rows, which may repeat.
func (s *subject) someRows(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = s.rng.IntN(len(s.want.rows))
	}
	return list
}

// someVars returns n different variables, ascending.
func (s *subject) someVars(n int) []int {
	list := s.rng.Perm(len(s.want.widths))[:n]
	slices.Sort(list)
	return list
}

// keeping: dropping variables twice is the same as dropping them at once.
func keeping(s *subject) error {
	ctx := context.Background()
	first := s.someVars(len(s.want.widths)*2/3 + 1)
	second := s.rng.Perm(len(first))[:len(first)/2+1]
	slices.Sort(second)
	both := make([]int, len(second))
	for i, v := range second {
		both[i] = first[v]
	}
	half, err := s.m.Select(ctx, nil, first)
	if err != nil {
		return err
	}
	twice, err := half.Select(ctx, nil, second)
	if err != nil {
		return err
	}
	once, err := s.m.Select(ctx, nil, both)
	if err != nil {
		return err
	}
	want := s.want.pick(nil, both)
	if err := errors.Join(sameShape("kept twice", twice, want), sameShape("kept once", once, want)); err != nil {
		return err
	}
	rows, cols := once.Dims()
	beta := s.vector(cols)
	a, errA := mul(twice, 0, rows, beta)
	b, errB := mul(once, 0, rows, beta)
	_, slack := want.mul(0, rows, beta)
	return errors.Join(errA, errB, same("kept twice: Xβ", a, b, tight(slack)))
}

// unchanged: selecting from a matrix and multiplying it does not change it.
func unchanged(s *subject) error {
	rows, cols := s.m.Dims()
	beta := s.vector(cols)
	before, err := mul(s.m, 0, rows, beta)
	if err != nil {
		return err
	}
	for range 3 {
		part, err := s.m.Select(context.Background(), s.someRows(rows), s.someVars(len(s.want.widths)/2+1))
		if err != nil {
			return err
		}
		_, n := part.Dims()
		if err := mulT(part, 0, rows, make([]float64, n), s.vector(rows)); err != nil {
			return err
		}
	}
	after, err := mul(s.m, 0, rows, beta)
	if err != nil {
		return err
	}
	if !slices.Equal(before, after) {
		return errors.New("a selection changes Xβ")
	}
	return sameShape("after a selection", s.m, s.want)
}

// concurrent: concurrent callers get the same results as a single one.
func concurrent(s *subject) error {
	rows, cols := s.m.Dims()
	beta, r := s.vector(cols), s.vector(rows)
	some := s.someVars(len(s.want.widths)/2 + 1)
	use := func() (all []float64, err error) {
		part, err := s.m.Select(context.Background(), nil, some)
		if err != nil {
			return nil, err
		}
		for _, m := range []matrix.Matrix{s.m, part} {
			_, n := m.Dims()
			g := make([]float64, n)
			z, err := mul(m, 0, rows, beta[:n])
			if err := errors.Join(err, mulT(m, 0, rows, g, r)); err != nil {
				return nil, err
			}
			all = append(append(all, z...), g...)
		}
		return all, nil
	}
	want, err := use()
	if err != nil {
		return err
	}
	var wait sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		wait.Go(func() {
			got, err := use()
			if err == nil && !slices.Equal(got, want) {
				err = errors.New("a concurrent product differs from the same one alone")
			}
			errs[i] = err
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}
