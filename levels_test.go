package fsa_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/model"
)

// grades are the categories of graded tables, from the lowest to the highest.
var grades = []string{"none", "low", "mid", "high", "top", "best"}

// graded is a table of a text with ordered categories, two of which are rare, and two numbers.
type graded struct {
	grade []int // of each row; −1 if it is missing
	y     []float64
	*data.Dataset
}

func newGraded(t testing.TB, rows int, seed uint64, loss string) *graded {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 12))
	effect := make([]float64, len(grades))
	for l := range effect {
		effect[l] = 0.3*float64(l) + 0.7*rng.NormFloat64()
	}
	schema := &data.Schema{Width: 3, Names: []string{"grade", "a", "b"}, Categories: map[int][]string{0: grades}}
	g, cells := &graded{}, []float64(nil)
	for i := range rows {
		l := rng.IntN(len(grades) - 2)
		if i < 6 { // the last two are rare
			l = len(grades) - 1 - i%2
		}
		a, b := rng.NormFloat64(), rng.NormFloat64()
		s := effect[l] + a - 0.5*b + rng.NormFloat64()
		code := float64(l)
		if seed%2 == 1 && i%17 == 9 {
			l, code = -1, math.NaN()
		}
		switch loss {
		case "logistic", "svm":
			s = math.Copysign(1, s)
		case "poisson":
			s = math.Floor(math.Exp(min(s/2, 4)))
		}
		g.grade, g.y, cells = append(g.grade, l), append(g.y, s), append(cells, code, a, b)
	}
	builder := data.NewBuilder("grades", schema, data.Roles{TargetVector: &data.Vector{Values: g.y}})
	if err := builder.Add(&data.Block{Rows: rows, Dense: cells}); err != nil {
		t.Fatal(err)
	}
	var err error
	if g.Dataset, err = builder.Dataset(t.Context()); err != nil {
		t.Fatal(err)
	}
	return g
}

// gradeEffects returns the effects of the grades in a model, in their order, and of a missing grade; false if it is not selected.
func gradeEffects(m *model.Model) (of []float64, missing float64, selected bool) {
	for _, v := range m.Selected() {
		if v.Name != "grade" {
			continue
		}
		for _, name := range grades {
			if at := slices.Index(v.Levels, name); at >= 0 {
				of = append(of, v.Coefficients[at])
			}
		}
		if at := slices.Index(v.Levels, ""); at >= 0 {
			missing = v.Coefficients[at]
		}
		return of, missing, true
	}
	return nil, 0, false
}

// TestLevelsKept checks that effects of ordered categories never fall, to the last bit, in models and folds, for several losses,
// lines and curves. Rare categories have effects of their own.
func TestLevelsKept(t *testing.T) {
	losses := []string{"squared", "logistic", "poisson", "svm", "absolute"}
	selected := 0
	for seed := range uint64(30) {
		o := fsa.Options{K: 2, Quick: seed%3 != 0, Loss: losses[seed%5], Bins: fsa.None, Run: fsa.Run{Threads: 1}, Descent: fsa.Descent{Iterations: 40}}
		if seed%4 == 1 {
			o.Bins = 4
		}
		down := seed%7 == 6
		kind, levels := model.Increasing, grades
		if down {
			levels = slices.Clone(grades)
			slices.Reverse(levels)
			kind = model.Decreasing
		}
		o.Objective.Constraints = []fsa.Constraint{{Column: "grade", Kind: kind, Levels: levels}, {Column: "all", Kind: model.Increasing}}
		j, err := fsa.Prepare(t.Context(), newGraded(t, 120, seed, o.Loss).Dataset, o)
		if err != nil {
			t.Fatal(err)
		}
		m, err := j.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		models := []*model.Model{m}
		if e := j.Evidence(); e != nil && e.Folds != nil {
			models = append(models, e.Folds.Models()...)
		}
		for i, m := range models {
			of, _, found := gradeEffects(m)
			if !found {
				continue
			}
			if selected++; !slices.IsSorted(of) || i == 0 && len(of) != len(grades) {
				t.Errorf("seed %d, model %d: the effects are %v", seed, i, of)
			}
		}
	}
	if selected < 40 {
		t.Errorf("the grades are in %d models only", selected)
	}
}

// TestLevelsOptimum compares the effects with those of isotonic regression, which pools adjacent violators.
func TestLevelsOptimum(t *testing.T) {
	for seed := range uint64(10) {
		g := newGraded(t, 100, seed, "squared")
		m, err := fsa.Fit(t.Context(), g.Dataset, fsa.Options{K: 1, Quick: true, Bins: fsa.None, Selection: fsa.Selection{Force: []string{"grade"}},
			Objective: fsa.Objective{Ridge: fsa.None, Constraints: []fsa.Constraint{{Column: "grade", Kind: model.Increasing, Levels: grades}}}})
		if err != nil {
			t.Fatal(err)
		}
		of, missing, _ := gradeEffects(m)
		want, absent := g.isotonic()
		for l := range want {
			if got := of[l] + m.Intercept()[0]; math.Abs(got-want[l]) > 1e-6 {
				t.Errorf("seed %d: %s has %v, isotonic regression %v", seed, grades[l], got, want[l])
			}
		}
		if got := missing + m.Intercept()[0]; seed%2 == 1 && math.Abs(got-absent) > 1e-6 {
			t.Errorf("seed %d: a missing grade has %v, the mean of its rows is %v", seed, got, absent)
		}
	}
}

// isotonic returns the means of the grades if they may not fall, and that of the rows without a grade.
func (g *graded) isotonic() (means []float64, missing float64) {
	type block struct {
		sum, rows float64
		grades    int
	}
	all := make([]block, len(grades)+1)
	for i, l := range g.grade {
		if l < 0 {
			l = len(grades)
		}
		all[l].sum, all[l].rows = all[l].sum+g.y[i], all[l].rows+1
	}
	var list []block
	for _, b := range all[:len(grades)] {
		b.grades = 1
		for len(list) > 0 && list[len(list)-1].sum/list[len(list)-1].rows > b.sum/b.rows {
			last := list[len(list)-1]
			b.sum, b.rows, b.grades, list = b.sum+last.sum, b.rows+last.rows, b.grades+last.grades, list[:len(list)-1]
		}
		list = append(list, b)
	}
	for _, b := range list {
		means = append(means, slices.Repeat([]float64{b.sum / b.rows}, b.grades)...)
	}
	return means, all[len(grades)].sum / all[len(grades)].rows
}

// TestLevelsRefused checks the messages about orders that a text does not have.
func TestLevelsRefused(t *testing.T) {
	d := newGraded(t, 60, 1, "squared").Dataset
	up := func(column string, levels ...string) fsa.Constraint {
		return fsa.Constraint{Column: column, Kind: model.Increasing, Levels: levels}
	}
	convex := up("grade", grades...)
	convex.Kind = model.Convex
	down := up("grade", "best", "top", "high", "mid", "low", "none")
	for says, list := range map[string][]fsa.Constraint{
		"give them from the lowest to the highest, as with --levels grade=": {up("grade")},
		`names the category "good", but the column has none, low, mid`:      {up("grade", "none", "low", "good")},
		`names the category "low" twice`:                                    {up("grade", "none", "low", "low")},
		`misses the category "best"`:                                        {up("grade", grades[:5]...)},
		"whose constraints are increasing and decreasing":                   {{Column: "grade", Kind: model.Nonnegative}},
		"for one column that is increasing or decreasing":                   {convex},
		"holds numbers, which have an order":                                {up("a", grades...)},
		"has another order":                                                 {up("grade", grades...), down},
	} {
		_, err := fsa.Fit(t.Context(), d, fsa.Options{K: 2, Objective: fsa.Objective{Constraints: list}})
		if !errors.Is(err, fsa.ErrOptions) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// TestLevelsThatAreNumbers orders categories that are numbers, and those of a table that has an order, without a list.
func TestLevelsThatAreNumbers(t *testing.T) {
	schema := &data.Schema{Width: 2, Names: []string{"stage", "a"}, Categories: map[int][]string{0: {"10", "9", "-1", "2.5"}}}
	rng := rand.New(rand.NewPCG(3, 1))
	var cells, y []float64
	for i := range 80 {
		cells, y = append(cells, float64(i%4), rng.NormFloat64()), append(y, []float64{0, 3, 2, 1}[i%4]+rng.NormFloat64())
	}
	stages := func() (*model.Model, error) {
		b := data.NewBuilder("stages", schema, data.Roles{TargetVector: &data.Vector{Values: y}})
		if err := b.Add(&data.Block{Rows: 80, Dense: cells}); err != nil {
			return nil, err
		}
		d, err := b.Dataset(t.Context())
		if err != nil {
			return nil, err
		}
		return fsa.Fit(t.Context(), d, fsa.Options{K: 1, Quick: true, Selection: fsa.Selection{Force: []string{"stage"}}, Objective: fsa.Objective{Constraints: []fsa.Constraint{{Column: "stage", Kind: model.Increasing}}}})
	}
	m, err := stages()
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Training().Constraints[0].Levels; !slices.Equal(got, []string{"-1", "2.5", "9", "10"}) {
		t.Errorf("the model records the order %v", got)
	}
	if v := m.Selected()[0]; !slices.IsSorted([]float64{v.Coefficients[2], v.Coefficients[3], v.Coefficients[1], v.Coefficients[0]}) {
		t.Errorf("%q: %v", v.Levels, v.Coefficients)
	}
	schema.Categories[0] = []string{"big", "tiny", "small", "middle"}
	schema.Orders = map[int][]string{0: {"tiny", "small", "middle", "big", "huge"}}
	if m, err = stages(); err != nil {
		t.Fatal(err)
	}
	if got := m.Training().Constraints[0].Levels; !slices.Equal(got, schema.Orders[0][:4]) {
		t.Errorf("the model records the order %v", got)
	}
}
