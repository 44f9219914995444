package baseline

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/data"
)

// penalisedGolden is what scikit-learn and skglm say.
type penalisedGolden struct {
	Squared, Wide, Logistic penalisedSample
}

type penalisedSample struct {
	sample
	Weights []float64
	Cases   []penalisedCase
}

type penalisedCase struct {
	Penalty   string
	A, B      float64 // the numbers of the penalty
	Weighted  bool
	Beta      []float64
	Intercept float64
}

// cost returns the penalty of a case of coordinate descent, else nil.
func (c *penalisedCase) cost() penalty {
	switch c.Penalty {
	case "elastic":
		return elastic{c.A, c.B}
	case "mcp":
		return minimax{c.A, c.B}
	case "scad":
		return clipped{c.A, c.B}
	}
	return nil
}

// task returns the task of a case with the numbers as they stand.
func (s *penalisedSample) task(t *testing.T, loss string, c penalisedCase) *task {
	t.Helper()
	from := s.sample
	if c.Weighted {
		from.Weight = s.Weights
	}
	return rawTask(t, from.dense(t), loss)
}

// rawTask returns a task of numbers that are neither scaled nor centred.
func rawTask(t *testing.T, d *data.Dataset, loss string) *task {
	t.Helper()
	made, err := newTask(context.Background(), "test", d, Options{K: 1, LossName: loss, Scale: data.ScaleNone}, "squared", "logistic")
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// settle returns a descent to the minimum for a penalty.
func settle(t *testing.T, from *task, p penalty) *descent {
	t.Helper()
	d, err := newDescent(context.Background(), from)
	if err != nil {
		t.Fatal(err)
	}
	d.settled = 1e-20
	if err := d.minimise(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestCoordinateGolden(t *testing.T) {
	var want penalisedGolden
	readGolden(t, "penalised", &want)
	for loss, s := range map[string]*penalisedSample{"squared": &want.Squared, "logistic": &want.Logistic} {
		for _, c := range s.Cases {
			p := c.cost()
			if p == nil {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s/%v/%v", loss, c.Penalty, c.A, c.Weighted), func(t *testing.T) {
				d := settle(t, s.task(t, loss, c), p)
				near(t, "coefficients", d.beta, c.Beta, 2e-7)
				near(t, "intercept", []float64{d.intercept}, []float64{c.Intercept}, 2e-7)
			})
		}
	}
}

// mixed returns a table whose columns are alike in pairs, differ in scale and
// mean, and have rows of unequal weight, some of none.
func mixed(seed uint64, loss string) *sample {
	rng := rand.New(rand.NewPCG(seed, 8))
	s := &sample{Columns: 30}
	for range 150 {
		var last, y float64
		for j := range s.Columns {
			x := rng.NormFloat64()
			if j%2 == 1 {
				x = last + 0.3*x
			}
			last = x
			if j < 6 {
				y += x
			}
			s.X = append(s.X, float64(1+j%3)*x+float64(j%4))
		}
		y += 3 * rng.NormFloat64()
		if loss == "logistic" {
			y = math.Copysign(1, y)
		}
		s.Y = append(s.Y, y)
		s.Weight = append(s.Weight, float64(rng.IntN(4)))
	}
	return s
}

// costs are penalties of each kind.
func costs(lambda float64) []penalty {
	return []penalty{
		elastic{l1: lambda}, elastic{lambda, 0.3}, minimax{lambda, 3}, clipped{lambda, 3.7}, minimax{lambda, 0.5}, clipped{lambda, 1.2},
	}
}

// At a minimum no coefficient gains by a change of its own: not a small one,
// which is the condition of Karush, Kuhn and Tucker, and with a convex penalty
// not any.
func TestMinimumIsOne(t *testing.T) {
	for _, loss := range []string{"squared", "logistic"} {
		for seed := range uint64(3) {
			made := rawTask(t, mixed(seed, loss).dense(t), loss)
			l := newRowLoss(made)
			pull := make([]float64, len(made.Y))
			for _, p := range costs(0.1) {
				d := settle(t, made, p)
				near(t, "margins", d.margin, made.margins(d.intercept, made.design.Usable, d.beta), 1e-9)
				total := func(z, beta []float64) float64 {
					sum := l.value(pull, z)
					for _, b := range beta {
						sum += p.Value(b)
					}
					return sum
				}
				least := total(d.margin, d.beta)
				steps := []float64{1e-4, 1e-3}
				if p.Convex() {
					steps = append(steps, 0.1, 1)
				}
				for v := range d.beta {
					for _, step := range append(steps, -1e-4, -1e-3) {
						z, beta := slices.Clone(d.margin), slices.Clone(d.beta)
						beta[v] += step
						made.columns.Add(z, v, step)
						if now := total(z, beta); now < least-1e-9 {
							t.Fatalf("%s, seed %d, %#v: changing coefficient %d by %v lowers the objective from %v to %v", loss, seed, p, v, step, least, now)
						}
					}
				}
				for v, b := range d.beta {
					if b == 0 && math.Abs(d.slope[v]) > p.Threshold()+1e-6*d.steepest {
						t.Errorf("%s, seed %d, %#v: the slope of the zero coefficient %d is %v", loss, seed, p, v, d.slope[v])
					}
				}
			}
		}
	}
}

// No model makes the objective larger, whatever the penalty and wherever it
// starts.
func TestObjectiveFalls(t *testing.T) {
	ctx := context.Background()
	for _, loss := range []string{"squared", "logistic"} {
		made := rawTask(t, mixed(5, loss).dense(t), loss)
		for _, p := range costs(0.05) {
			d, err := newDescent(ctx, made)
			if err != nil {
				t.Fatal(err)
			}
			objective := func() float64 {
				sum := d.value
				for _, b := range d.beta {
					sum += p.Value(b)
				}
				return sum
			}
			for v := range d.beta { // all variables at once
				d.inside[v] = true
				d.working = append(d.working, v)
			}
			last := objective()
			for range 20 {
				d.settled = math.Inf(1) // one model at a time
				if err := d.descend(ctx, p); err != nil {
					t.Fatal(err)
				}
				now := objective()
				if now > last+1e-12 {
					t.Fatalf("%s, %#v: the objective rises from %v to %v", loss, p, last, now)
				}
				last = now
			}
		}
	}
}

// A sweep changes one coefficient at a time, each to its best.
func TestSweepFalls(t *testing.T) {
	gram := [][]float64{{1, 0.8, -0.3}, {0.8, 1.5, 0.2}, {-0.3, 0.2, 0.4}}
	for _, p := range costs(0.2) {
		beta, slope := []float64{0.5, -2, 0}, []float64{-1, 0.7, 0.3}
		start := slices.Clone(beta)
		first := slices.Clone(slope)
		value := func() float64 {
			sum := 0.0
			for i, b := range beta {
				sum += p.Value(b) + first[i]*(b-start[i])
				for j := range beta {
					sum += gram[i][j] * (b - start[i]) * (beta[j] - start[j]) / 2
				}
			}
			return sum
		}
		for last := math.Inf(1); ; {
			before := slices.Clone(beta)
			sweep(gram, slope, beta, p, 1, 0)
			now := value()
			if now > last+1e-12 {
				t.Fatalf("%#v: a sweep raises the objective from %v to %v", p, last, now)
			}
			last = now
			if slices.Equal(before, beta) {
				break
			}
		}
	}
}

// A sparse table means the same as a dense one of the same numbers.
func TestSparseIsDense(t *testing.T) {
	for _, loss := range []string{"squared", "logistic"} {
		s := mixed(2, loss).thinned(2)
		for _, p := range costs(0.05)[:4] {
			dense := settle(t, rawTask(t, s.dense(t), loss), p)
			sparse := settle(t, rawTask(t, s.sparse(t), loss), p)
			near(t, fmt.Sprintf("%s %#v", loss, p), sparse.beta, dense.beta, 1e-7)
			near(t, "intercept", []float64{sparse.intercept}, []float64{dense.intercept}, 1e-7)
		}
	}
}

// thinned keeps only large cells.
func (s *sample) thinned(least float64) *sample {
	for i, x := range s.X {
		if math.Abs(x) < least {
			s.X[i] = 0
		}
	}
	return s
}
