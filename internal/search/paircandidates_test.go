package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"fsa/data"
	"fsa/internal/tuning"
)

// The candidates of a number and a text are those whose slopes differ between the categories, besides a slope in common.
func TestAgainstCategories(t *testing.T) {
	c := normal(5, 300, 4, 0, 1)
	c.texts = 1
	for i := range c.y {
		level := i % 4
		if c.x[i*4] = float64(level); i%10 == 9 {
			c.x[i*4] = math.NaN()
		}
		c.y[i] += 3*c.x[i*4+1] + 1.5*float64(level-1)*c.x[i*4+2]
	}
	test := pairTested(t, c, "squared", 0)
	texts, err := test.categories(t.Context())
	if err != nil || len(texts) != 1 {
		t.Fatal(texts, err)
	}
	found := 0
	for _, column := range test.numbers {
		x, err := test.Data.Standardised(t.Context(), column)
		if err != nil {
			t.Fatal(err)
		}
		levels, _ := test.Data.Levels(0)
		statistic, sum, squares := 0.0, 0.0, 0.0
		for level := range levels {
			var own, ownSquares float64
			for k, i := range test.rows {
				if texts[0].of[k] == level {
					v := x[i] * test.slope[k]
					own, ownSquares = own+v, ownSquares+v*v
				}
			}
			if ownSquares > 0 {
				statistic += own * own / ownSquares
			}
			sum, squares = sum+own, squares+ownSquares
		}
		statistic -= sum * sum / squares
		free := float64(len(levels) - 1)
		limit := distuv.ChiSquared{K: free}.Quantile(1 - tuning.PairLevel/test.count())
		list := test.againstCategories(column, test.ofRows(x), texts)
		if want := statistic-free > nearly*(limit-free); want != (len(list) == 1) {
			t.Errorf("column %d with %v of %v: %v", column, statistic, limit, list)
		} else if want {
			found++
			if !near(list[0].statistic, statistic/limit, 1e-9) || list[0].pair != (data.Interaction{column, 0}) || !list[0].line || list[0].surface {
				t.Errorf("column %d: %+v, not %v", column, list[0], statistic/limit)
			}
		}
	}
	if found != 1 {
		t.Errorf("%d candidates", found)
	}
}

// Texts are in no pair if they have few rows for each category, and pairs are counted in each form.
func TestPairTexts(t *testing.T) {
	c := normal(5, 250, 4, 0, 1)
	c.texts = 2
	for i := range c.y {
		c.x[i*4], c.x[i*4+1] = float64(i%3), float64(i%30)
	}
	test := pairTested(t, c, "squared", 0)
	texts, err := test.categories(t.Context())
	if err != nil || len(texts) != 1 || texts[0].column != 0 {
		t.Errorf("texts %v: %v", texts, err)
	}
	for knots, want := range map[int]float64{0: 5, 3: 10} { // one pair of numbers, and four of a number and a text
		if test.knots = knots; test.count() != want {
			t.Errorf("%v pairs, not %v", test.count(), want)
		}
	}
}

// The statistic of cells is what no sum of effects of the rows and the columns of a balanced table explains.
func TestCellStatistic(t *testing.T) {
	const left, right, each = 3, 4, 5
	rng := rand.New(rand.NewPCG(1, 2))
	a, b := &coarse{column: 0, count: left, fit: left}, &coarse{column: 1, count: right, fit: right}
	var slope []float64
	var sums [left][right]float64
	for i := range left * right * each {
		u, v := i%left, i/left%right
		a.of, b.of = append(a.of, uint16(u)), append(b.of, uint16(v))
		r := math.Copysign(1, rng.NormFloat64()) // all squares are equal, so one round of effects is the least squares
		slope = append(slope, r)
		sums[u][v] += r
	}
	for range 9 { // missing values count for nothing
		a.of, b.of, slope = append(a.of, left), append(b.of, 0), append(slope, 7)
		a.of, b.of, slope = append(a.of, 0), append(b.of, right), append(slope, -7)
	}
	var rows [left]float64
	var columns [right]float64
	whole := 0.0
	for u := range left {
		for v := range right {
			rows[u], columns[v], whole = rows[u]+sums[u][v]/right, columns[v]+sums[u][v]/left, whole+sums[u][v]/left/right
		}
	}
	want := 0.0
	for u := range left {
		for v := range right {
			rest := sums[u][v] - rows[u] - columns[v] + whole
			want += rest * rest / each
		}
	}
	to := make(cellSums, 100)
	for range 2 { // the second time with the sums of before
		if got := a.against(b, slope, to); !near(got, want, 1e-9) {
			t.Errorf("%v, not %v", got, want)
		}
	}
}

// The surfaces of a number with later numbers and with texts are candidates if their cells differ beyond chance.
func TestSurfaceCandidates(t *testing.T) {
	c := normal(7, 600, 4, 0, 0.4)
	c.texts = 1
	for i := range c.y {
		c.x[i*4] = float64(i % 3)
		c.y[i] += math.Abs(c.x[i*4+1])*math.Copysign(1, c.x[i*4+3]) + float64(i%3-1)*math.Abs(c.x[i*4+2])
	}
	test := pairTested(t, c, "squared", 4)
	numbers, err := test.coarsened(t.Context(), test.numbers)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := test.coarsened(t.Context(), test.texts)
	if err != nil {
		t.Fatal(err)
	}
	var got []data.Interaction
	for a := range numbers {
		for _, found := range test.surfaces(a, numbers, texts) {
			got = append(got, found.pair)
			left, right := numbers[a], texts[0]
			if found.pair[1] > 0 {
				right = numbers[slices.Index(test.numbers, found.pair[1])]
			}
			fit := (left.fit - 1) * (right.fit - 1)
			statistic := left.against(right, test.slope, make(cellSums, 1000)) - float64((left.count-1)*(right.count-1)-fit)
			if !found.surface || found.line || !near(found.statistic, statistic/test.significant(fit), 1e-9) || statistic-float64(fit) <= nearly*(test.significant(fit)-float64(fit)) {
				t.Errorf("%+v, not %v", found, statistic/test.significant(fit))
			}
		}
	}
	if !slices.Contains(got, data.Interaction{1, 3}) || !slices.Contains(got, data.Interaction{2, 0}) || len(got) > 3 {
		t.Errorf("candidates %v", got)
	}
	for i, n := range numbers {
		if n.fit != 4 || n.count < 6 || n.column != test.numbers[i] { // more knots than the surface
			t.Errorf("%d of %d knots of column %d", n.fit, n.count, n.column)
		}
		for k, row := range test.rows { // each row is at its nearest knot
			s, err := test.binned(t.Context(), n.column, 7)
			if err != nil {
				t.Fatal(err)
			}
			x := c.x[row*4+n.column]
			for _, knot := range s.knots {
				if math.Abs(knot-x) < math.Abs(s.knots[n.of[k]]-x)-1e-4 {
					t.Fatalf("%v is at the knot %v of %v", x, s.knots[n.of[k]], s.knots)
				}
			}
			if k > 50 {
				break
			}
		}
	}
	// Two values make a line, which is a product, and columns without knots are in no surface.
	for _, few := range []*coarse{{column: 9, count: 2, fit: 2, of: make([]uint16, 600)}, nil} {
		list := slices.Clone(numbers)
		list[0] = few
		if found := test.surfaces(0, []*coarse{few, {column: 10, count: 2, fit: 2, of: make([]uint16, 600)}}, nil); found != nil {
			t.Errorf("candidates %v", found)
		}
		if found := test.surfaces(1, []*coarse{few, numbers[0], nil}, []*coarse{nil}); found != nil {
			t.Errorf("candidates %v", found)
		}
	}
}

// The strongest candidates come first, each pair once with all its forms.
func TestStrongest(t *testing.T) {
	pair := func(a, b int, statistic float64, line bool) candidate {
		return candidate{pair: data.Interaction{a, b}, statistic: statistic, line: line, surface: !line}
	}
	list := []candidate{pair(0, 1, 2, true), pair(2, 3, 5, true), pair(0, 1, 3, false), pair(1, 2, 2, false), pair(0, 2, 2, true), pair(2, 3, 1, true)}
	for most, want := range map[int][]candidate{
		9: {pair(2, 3, 5, true), {pair: data.Interaction{0, 1}, statistic: 3, line: true, surface: true}, pair(0, 2, 2, true), pair(1, 2, 2, false)},
		2: {pair(2, 3, 5, true), {pair: data.Interaction{0, 1}, statistic: 3, line: true, surface: true}},
		0: {},
	} {
		if got := strongest(slices.Clone(list), most); !slices.Equal(got, want) {
			t.Errorf("%d: %+v, not %+v", most, got, want)
		}
	}
}

// A surface is preferred if it alone is significant, or if it explains significantly more than the other form.
func TestBetter(t *testing.T) {
	test := pairTested(t, normal(2, 100, 4, 0, 1, 1), "squared", 4)
	level := math.Log(tuning.PairLevel / test.count())
	rest := 0.0
	for i, r := range test.slope {
		rest += r * r / test.weight[i]
	}
	enough := distuv.ChiSquared{K: 8}.Quantile(1 - tuning.PairLevel/test.count())
	gain := rest * enough / (100 + enough) // at this gain both sides are equal
	for name, c := range map[string]struct {
		surface, than tested
		want          bool
	}{
		"neither":              {tested{logP: level + 1}, tested{logP: level + 2}, true},
		"neither, less likely": {tested{logP: level + 2}, tested{logP: level + 1}, false},
		"the surface":          {tested{logP: level - 1}, tested{logP: level}, true},
		"the other":            {tested{logP: level}, tested{logP: level - 1}, false},
		"both, much more":      {tested{logP: level - 1, gain: 1.001 * gain, free: 9}, tested{logP: level - 5, free: 1}, true},
		"both, little more":    {tested{logP: level - 5, gain: 0.999 * gain, free: 9}, tested{logP: level - 1, free: 1}, false},
		"as many coefficients": {tested{logP: level - 5, gain: 0.9 * rest, free: 1}, tested{logP: level - 1, free: 1}, true},
	} {
		if got := test.better(&c.surface, &c.than); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Pairs are ordered by their probability, then by their statistic and their columns.
func TestCompareTested(t *testing.T) {
	at := func(logP, statistic float64, a int) *tested {
		return &tested{candidate: candidate{pair: data.Interaction{a, 9}, statistic: statistic}, logP: logP}
	}
	list := []*tested{at(-3, 1, 4), at(-3, 2, 5), at(-3, 2, 6), at(-1, 9, 0), at(-7, 0, 7)}
	slices.SortFunc(list, (*tested).compare)
	var order []int
	for _, c := range list {
		order = append(order, c.pair[0])
	}
	if !slices.Equal(order, []int{7, 5, 6, 4, 0}) {
		t.Errorf("%v", order)
	}
	test := pairTested(t, normal(2, 60, 3, 0, 1, 1), "squared", 0)
	c := &tested{}
	for _, statistic := range []float64{1, 30, 700, 3000} {
		c.judge(test, statistic, 3)
		want := distuv.ChiSquared{K: 3}.Survival(statistic)
		if c.free != 3 || !near(c.statistic, statistic/test.significant(3), 1e-12) || statistic < 1000 && !near(math.Exp(c.logP), want, 1e-9) || !(c.logP < 0) || math.IsInf(c.logP, 0) {
			t.Errorf("%v: %+v, not %v", statistic, c, math.Log(want))
		}
	}
	if want := logTail(1.5, 1500); c.logP != want {
		t.Errorf("%v, not %v", c.logP, want)
	}
}
