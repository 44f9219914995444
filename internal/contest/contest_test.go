package contest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"fsa/anneal"
	"fsa/internal/plan"
	"fsa/internal/search"
	"fsa/internal/tuning"
	"fsa/validate"
)

var (
	swaps   = search.Swaps{Ridge: 0.1, Gain: tuning.SwapGain}
	detours = search.Swaps{Ridge: 0.1, Gain: tuning.SwapGain, Detours: true}
)

func recipe(m search.Method, s search.Swaps, adaptive bool) search.Recipe {
	return search.Recipe{Select: search.Selection{Method: m, Pooling: 1}, Swaps: s, Adaptive: adaptive}
}

// Swaps with detours are the simplest, then no swaps, then swaps without detours. Other selections come next, and the
// adaptive ridge last.
func TestComplexity(t *testing.T) {
	var last = -1
	for _, adaptive := range []bool{false, true} {
		for _, method := range []search.Method{search.Annealing, search.Lasso} {
			for _, s := range []search.Swaps{detours, {}, swaps} {
				if got := complexity(recipe(method, s, adaptive)); got != last+1 {
					t.Errorf("%s %v %v: %d, not %d", method, s, adaptive, got, last+1)
				}
				last++
			}
		}
	}
	for _, bins := range []int{5, 10} { // curves are more complex than lines, for any number of bins
		curved := recipe(search.Annealing, detours, false)
		if curved.Select.Bins = bins; complexity(curved) != last+1 {
			t.Errorf("%d bins: %d, not %d", bins, complexity(curved), last+1)
		}
	}
	polished := recipe(search.Annealing, search.Swaps{}, false)
	polished.Polish, polished.Ridge, polished.Select.Loss = true, 5, "lorenz"
	if complexity(polished) != 1 {
		t.Error("the ridge and polishing change the complexity")
	}
}

// held returns a contest with the given trials, at sizes 1 and 2, and the null model.
func held(null []float64, trials ...*Trial) *contest {
	g := &contest{Config: Config{Repeats: 1, Unit: 1}, bySize: map[int][]*Trial{0: {{Errors: null}}}}
	for _, t := range trials {
		for _, e := range t.Errors {
			t.Mean += e / float64(len(t.Errors))
		}
		g.bySize[1], g.bySize[2] = append(g.bySize[1], t), append(g.bySize[2], t)
	}
	return g
}

// Of each complexity, ordered returns the trial with the lowest mean (up to rounding), in ascending order of complexity.
func TestOrdered(t *testing.T) {
	plain := func(ridge float64) search.Recipe {
		r := recipe(search.Annealing, search.Swaps{}, false)
		r.Ridge = ridge
		return r
	}
	errors := func(v float64) []float64 { return []float64{v, v, v} }
	g := held(errors(2),
		&Trial{Recipe: recipe(search.Annealing, swaps, false), Errors: errors(3)},
		&Trial{Recipe: plain(1), Errors: errors(1)},
		&Trial{Recipe: plain(2), Errors: errors(1 - tie/2)}, // rounding
		&Trial{Recipe: recipe(search.Lasso, search.Swaps{}, true), Errors: errors(1)},
		&Trial{Recipe: recipe(search.Annealing, detours, false), Errors: errors(4)},
		&Trial{Recipe: recipe(search.Annealing, swaps, false), Errors: errors(2.5)},
		&Trial{Recipe: recipe(search.Annealing, swaps, false), Errors: errors(2.7)},
	)
	want := []struct {
		mean, ridge float64
		swaps       search.Swaps
	}{{4, 0, detours}, {1, 1, search.Swaps{}}, {2.5, 0, swaps}, {1, 0, search.Swaps{}}}
	list := g.ordered(2)
	if len(list) != len(want) {
		t.Fatalf("%d trials", len(list))
	}
	for i, w := range want {
		if got := list[i]; math.Abs(got.Mean-w.mean) > 1e-6 || got.Recipe.Ridge != w.ridge || got.Recipe.Swaps != w.swaps {
			t.Errorf("number %d: %+v", i, got)
		}
	}
}

// The winner is the simplest trial that is not significantly worse than the best and keeps 99% of its gain.
func TestWinner(t *testing.T) {
	null := []float64{10, 10, 10, 10}
	for name, c := range map[string]struct {
		simple, best []float64
		want         int
	}{
		"equal":               {[]float64{1, 1, 1, 1}, []float64{1, 1, 1, 1}, 0},
		"within chance":       {[]float64{1.2, 0.8, 1.1, 1.06}, []float64{1, 1, 1, 1}, 0},
		"significantly worse": {[]float64{1.1, 1.11, 1.1, 1.11}, []float64{1, 1, 1, 1}, 1},
		"worse by over 1%":    {[]float64{1.8, 0.8, 1.3, 1.1}, []float64{1, 1, 1, 1}, 1},
		"better":              {[]float64{1, 1, 1, 1}, []float64{1.1, 1.11, 1.1, 1.11}, 0},
		"diverged":            {[]float64{math.Inf(1), 1, 1, 1}, []float64{2, 2, 2, 2}, 1},
		"both diverged":       {[]float64{math.NaN(), 1, 1, 1}, []float64{math.NaN(), 2, 2, 2}, 0},
	} {
		trials := []*Trial{{Recipe: recipe(search.Annealing, search.Swaps{}, false), Errors: c.simple}, {Recipe: recipe(search.Annealing, swaps, false), Errors: c.best}}
		for _, order := range [][]*Trial{{trials[0], trials[1]}, {trials[1], trials[0]}} {
			trials[0].Mean, trials[1].Mean = 0, 0
			g := held(null, order...)
			for size := 1; size <= 2; size++ {
				if got := g.winner(size); got != trials[c.want] {
					t.Errorf("%s: the winner is %+v", name, got)
				}
			}
		}
	}
	// Size 0 has only the null model.
	g := held(null)
	if got := g.winner(0); got != g.bySize[0][0] {
		t.Errorf("the winner of size 0 is %+v", got)
	}
	// Folds of several repeats share rows: with twice as many independent folds, the difference would be significant.
	simple, best := []float64{1.15, 0.95, 1.15, 0.95, 1.15, 0.95}, []float64{1, 1, 1, 1, 1, 1}
	for repeats, want := range map[int]float64{1: 1.05, 3: 1.05} {
		g := held([]float64{10, 10, 10, 10, 10, 10}, &Trial{Recipe: recipe(search.Annealing, search.Swaps{}, false), Errors: simple}, &Trial{Recipe: recipe(search.Annealing, swaps, false), Errors: best})
		g.Repeats = repeats
		if got := g.winner(2).Mean; math.Abs(got-want) > 1e-9 {
			t.Errorf("%d repeats: mean %v", repeats, got)
		}
	}
}

func TestBetween(t *testing.T) {
	for _, c := range []struct {
		sizes []int
		k     int
		want  []int
	}{
		{[]int{0, 1, 2}, 1, nil},
		{[]int{0, 5, 8, 12}, 8, []int{6, 10}},
		{[]int{0, 5, 8, 12}, 5, []int{2, 6}},
		{[]int{0, 5, 7, 12}, 7, []int{6, 9}},
		{[]int{0, 3}, 0, []int{1}},
		{[]int{0, 3}, 3, []int{1}},
		{[]int{0, 1, 3}, 1, []int{2}},
		{[]int{4}, 4, nil},
	} {
		if got := between(c.sizes, c.k); !slices.Equal(got, c.want) {
			t.Errorf("%d in %v: %v, not %v", c.k, c.sizes, got, c.want)
		}
	}
}

func TestFinite(t *testing.T) {
	for v, want := range map[float64]bool{0: true, -1e300: true, math.Inf(1): false, math.Inf(-1): false} {
		if finite(v) != want {
			t.Errorf("%v is finite: %v", v, !want)
		}
	}
	if finite(math.NaN()) {
		t.Error("NaN is finite")
	}
}

// valley returns a contest with a given error for each ridge. The target is the only column, so ½(z−y)² + λβ² has its
// minimum at β = 1/(1+2λ), and the margins determine the ridge.
func valley(t *testing.T, errors []float64) *contest {
	c := &cells{cols: 1}
	for i := range 20 {
		c.x, c.y = append(c.x, float64(i/2%4)), append(c.y, float64(i/2%4))
	}
	config := c.config(t, "squared", plan.Request{K: 1}, 2)
	config.Plan.Ridges = config.Plan.Ridges[:len(errors)]
	config.Unit = 1
	for i := range config.Folds {
		config.Folds[i].Test = []int{0, 6}
		config.Folds[i].Error = func(z []float64) float64 {
			ratio, at := (z[1]-z[0])/3, 0
			for i, λ := range config.Plan.Ridges {
				if math.Abs(ratio-1/(1+2*λ)) < math.Abs(ratio-1/(1+2*config.Plan.Ridges[at])) {
					at = i
				}
			}
			return errors[at]
		}
	}
	return began(t, config)
}

// Ridges are tried upwards and downwards as long as the error falls, and no further.
func TestOverRidges(t *testing.T) {
	for name, c := range map[string]struct {
		errors []float64
		start  int
		best   int
		tried  []int // in this order
	}{
		"at the bottom":      {[]float64{3, 2, 1, 2, 3}, 2, 2, []int{2, 3, 1}},
		"up":                 {[]float64{5, 4, 3, 2, 2.5, 1}, 2, 3, []int{2, 3, 4, 1}},
		"up to the end":      {[]float64{5, 4, 3, 2, 1}, 2, 4, []int{2, 3, 4, 1}},
		"down to the end":    {[]float64{1, 2, 3, 4, 5}, 2, 0, []int{2, 3, 1, 0}},
		"down":               {[]float64{0, 2, 1, 3, 4}, 3, 2, []int{3, 4, 2, 1}},
		"both, down is best": {[]float64{9, 1, 3, 2, 9}, 2, 1, []int{2, 3, 4, 1, 0}},
		"both, up is best":   {[]float64{9, 2, 3, 1, 9}, 2, 3, []int{2, 3, 4, 1}},
		"flat":               {[]float64{1, 1, 1}, 1, 1, []int{1, 2, 0}},
		"rounding":           {[]float64{1, 1, 1 - tie/2}, 1, 1, []int{1, 2, 0}},
		"from the first":     {[]float64{2, 1}, 0, 1, []int{0, 1}},
		"from the last":      {[]float64{1, 2}, 1, 0, []int{1, 0}},
		"diverged at first":  {[]float64{3, 2, math.Inf(1)}, 2, 1, []int{2, 1, 0}},
	} {
		g := valley(t, c.errors)
		r := g.Plan.Recipe
		r.Ridge = g.Plan.Ridges[c.start]
		got, err := g.overRidges(t.Context(), r, 1)
		if err != nil {
			t.Fatal(err)
		}
		var tried []int
		for _, trial := range g.bySize[1] {
			tried = append(tried, slices.Index(g.Plan.Ridges, trial.Recipe.Ridge))
		}
		if got.Recipe.Ridge != g.Plan.Ridges[c.best] || got.Mean != c.errors[c.best] || !slices.Equal(tried, c.tried) {
			t.Errorf("%s: %v with ridge %v, after %v", name, got.Mean, got.Recipe.Ridge, tried)
		}
	}
	g := valley(t, []float64{3, 2, 1})
	if got, err := g.overRidges(t.Context(), g.Plan.Recipe, 0); err != nil || got != g.bySize[0][0] || len(g.trials) != 1 {
		t.Errorf("the null model has no ridge: %+v %v", got, err)
	}
}

// Curves are not fitted with less than the smallest ridge; lines may be.
func TestOverRidgesOfCurves(t *testing.T) {
	for bins, want := range map[int]float64{0: 0, 1: tuning.LearnRidges[0], 5: tuning.LearnRidges[0]} {
		g := valley(t, []float64{1, 2, 3, 4})
		for i := range g.Folds {
			same := g.Folds[i].Sample
			same.Curved = func(context.Context, int) (*search.Sample, error) { return same, nil }
		}
		r := g.Plan.Recipe
		r.Select.Bins, r.Ridge = bins, g.Plan.Ridges[3]
		if got, err := g.overRidges(t.Context(), r, 1); err != nil || got.Recipe.Ridge != want {
			t.Errorf("%d bins: the ridge is %v, not %v: %v", bins, got.Recipe.Ridge, want, err)
		}
	}
}

// Ridges are compared at all sizes if there are few, and otherwise at the quartiles. Each comparison starts from the best
// ridge of the last size. The best recipe of each selection is returned.
func TestRecipes(t *testing.T) {
	few := func(r search.Recipe) bool { return true }
	for name, c := range map[string]struct {
		sizes []int
		want  []int
	}{
		"four": {[]int{1, 2, 3, 4}, []int{0, 1, 2, 3, 4}},
		"five": {[]int{1, 2, 3, 4, 5}, []int{0, 2, 3, 4}},
		"nine": {[]int{0, 1, 2, 3, 4, 5, 6, 7, 8}, []int{0, 2, 4, 6}},
	} {
		g := began(t, normal(1, 60, 8, 1, 2, 1).config(t, "squared", plan.Request{Sizes: c.sizes}, 3))
		recipes, err := g.recipes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := g.sizesTried(few); !slices.Equal(got, c.want) {
			t.Errorf("%s: sizes %v, not %v", name, got, c.want)
		}
		if len(recipes) != len(g.Plan.Selections) {
			t.Fatalf("%d recipes", len(recipes))
		}
		for i, w := range recipes {
			if w.Recipe.Select != g.Plan.Selections[i] || w.Recipe.Swaps != (search.Swaps{}) || w.Recipe.Adaptive || w.Size == 0 {
				t.Errorf("%s: way %d is %v", name, i, w.Recipe)
			}
			for size := range g.bySize {
				for _, other := range g.tried(size, func(r search.Recipe) bool { return r.Select == w.Recipe.Select }) {
					if g.lower(other, w) {
						t.Errorf("%s: %v is worse than %v", name, w, other)
					}
				}
			}
			var best *Trial
			for _, size := range c.want[1:] {
				of := g.tried(size, func(r search.Recipe) bool { return r.Select == w.Recipe.Select })
				if best != nil && of[0].Recipe.Ridge != best.Recipe.Ridge {
					t.Errorf("%s: size %d begins with ridge %v, not %v", name, size, of[0].Recipe.Ridge, best.Recipe.Ridge)
				}
				for _, other := range of {
					if best == nil || g.lower(other, best) {
						best = other
					}
				}
			}
			// The first comparison starts from the middle ridge, later ones from the best ridge of the last size.
			first := g.tried(w.Size, func(r search.Recipe) bool { return r.Select == w.Recipe.Select })[0]
			from := g.Plan.Ridges[len(g.Plan.Ridges)/2]
			if i > 0 {
				from = recipes[i-1].Recipe.Ridge
			}
			if w.Size == c.want[1] && first.Recipe.Ridge != from {
				t.Errorf("%s: way %d began with ridge %v, not %v", name, i, first.Recipe.Ridge, from)
			}
		}
	}
}

// recipes never returns the null model, even if it is the best of few sizes.
func TestRecipesOfNoise(t *testing.T) {
	for seed := range uint64(10) {
		g := began(t, normal(seed, 30, 3, 1, 0).config(t, "squared", plan.Request{Sizes: []int{0, 1, 2, 3}}, 3))
		recipes, err := g.recipes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range recipes {
			if w.Recipe.Select != g.Plan.Selections[i] || w.Size == 0 {
				t.Errorf("seed %d: way %d is %v at size %d", seed, i, w.Recipe, w.Size)
			}
		}
		if _, err := g.openSize(t.Context(), recipes); err != nil {
			t.Error(err)
		}
	}
}

// Only direct recipes are polished before the ridges are compared.
func TestRecipesPolish(t *testing.T) {
	g := began(t, normal(1, 60, 6, 1, 2, 1).config(t, "squared", plan.Request{K: 2, Polish: true}, 2))
	for _, direct := range []bool{false, true} {
		g.Plan.Recipe.Direct = direct
		g.Plan.Ridges, g.Plan.Selections = g.Plan.Ridges[:1], g.Plan.Selections[:1]
		recipes, err := g.recipes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := recipes[0].Recipe; got.Polish != direct || got.Direct != direct {
			t.Errorf("direct %v: %v", direct, got)
		}
	}
}

// improve tries exactly the improvements of the plan.
func TestImprove(t *testing.T) {
	type has func(search.Recipe) bool
	swapped := func(r search.Recipe) bool { return r.Swaps != search.Swaps{} }
	for name, c := range map[string]struct {
		change                             func(*plan.Plan)
		polish, swaps, adaptive, both, all bool
	}{
		"nothing":  {change: func(p *plan.Plan) { p.Swaps, p.Adaptive = false, false }},
		"swaps":    {change: func(p *plan.Plan) { p.Adaptive = false }, swaps: true},
		"adaptive": {change: func(p *plan.Plan) { p.Swaps = false }, adaptive: true},
		"polish":   {change: func(p *plan.Plan) { p.Swaps, p.Adaptive, p.Recipe.Polish = false, false, true }, polish: true},
		"all":      {change: func(p *plan.Plan) { p.Recipe.Polish = true }, polish: true, swaps: true, adaptive: true, both: true},
	} {
		config := normal(2, 60, 8, 1, 2, 1).config(t, "squared", plan.Request{K: 2}, 2)
		c.change(config.Plan)
		g := began(t, config)
		recipes, err := g.recipes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, err := g.improve(t.Context(), recipes, 2)
		if err != nil {
			t.Fatal(err)
		}
		for what, of := range map[string]struct {
			like has
			want bool
		}{
			"polish":           {func(r search.Recipe) bool { return r.Polish }, c.polish},
			"swaps":            {swapped, c.swaps},
			"adaptive":         {func(r search.Recipe) bool { return r.Adaptive }, c.adaptive},
			"polish and swaps": {func(r search.Recipe) bool { return r.Polish && swapped(r) }, c.both},
			"swaps alone":      {func(r search.Recipe) bool { return !r.Polish && !r.Adaptive && swapped(r) }, c.swaps},
		} {
			if n := len(g.tried(2, of.like)); n > 0 != of.want || of.want && n < 2 {
				t.Errorf("%s: %d recipes with %s", name, n, what)
			}
		}
		for _, trial := range g.tried(2, swapped) {
			if s := trial.Recipe.Swaps; s.Ridge != config.Plan.SwapRidge || s.Gain != 5e-4 || s.Detours != (config.Folds[0].Effective >= 30) {
				t.Errorf("%s: %+v", name, s)
			}
		}
		if got != g.winner(2) {
			t.Errorf("%s: %v is not the winner", name, got.Recipe)
		}
		if null, err := g.improve(t.Context(), recipes, 0); err != nil || null != g.bySize[0][0] {
			t.Errorf("%s: %v of size 0", name, err)
		}
	}
}

// Curves are compared if they have two rows per knot. byLoss returns the best trial of each selection loss with as many
// bins as the winner.
func TestForms(t *testing.T) {
	g := began(t, normal(2, 60, 8, 1, 2, 1).config(t, "squared", plan.Request{K: 2}, 2)) // 30 rows in a fold
	for size, want := range map[int]bool{1: true, 3: true, 4: false} {
		r := search.Recipe{Select: search.Selection{Bins: 4}}
		if g.bears(r, size) != want || !g.bears(search.Recipe{}, size) {
			t.Errorf("curves of size %d: %v", size, !want)
		}
	}
	trial := func(loss string, bins int, mean float64) *Trial {
		return &Trial{Recipe: search.Recipe{Select: search.Selection{Loss: loss, Bins: bins}}, Size: 1, Mean: mean}
	}
	best, worse, worst := trial("", 0, 1), trial("lorenz", 0, 3), trial("lorenz", 0, 4)
	g.bySize[1] = []*Trial{trial("", 0, 2), worst, best, worse, trial("huber", 5, 1)}
	for range 2 {
		if got := g.byLoss(best); !slices.Equal(got, []*Trial{best, worse}) {
			t.Errorf("%v", got)
		}
		slices.Reverse(g.bySize[1])
	}
	g.bySize[1] = append(g.bySize[1], trial("", 0, 0.5)) // a more complex one of the loss of the winner is not improved
	if got := g.byLoss(best); !slices.Equal(got, []*Trial{best, worse}) {
		t.Errorf("%v", got)
	}
}

// A selection that is behind on the first folds is not tried on the others. If it has curves, other curves are not tried
// either. A selection that is level is tried on all folds, unless it selects the same variables at a given size.
func TestRace(t *testing.T) {
	config := normal(2, 440, 8, 0.5, 2, 1).config(t, "squared", plan.Request{K: 2}, 4)
	config.Plan.Selections = config.Plan.Selections[:1]
	for i := range config.Folds {
		f := &config.Folds[i]
		f.Known = map[search.Form]anneal.Lipschitz{}
		f.Gain = func(z, than []float64) validate.Gain {
			var g validate.Gain
			for i, row := range f.Test {
				y := f.Target.Y[row]
				g.Add((than[i]-y)*(than[i]-y)-(z[i]-y)*(z[i]-y), 1)
			}
			return g
		}
	}
	g := began(t, config)
	if _, err := g.recipes(t.Context()); err != nil {
		t.Fatal(err)
	}
	if l := g.Folds[0].Known[search.Form{}]; l.Constant == 0 {
		t.Error("the step size was not measured")
	}
	leader := g.winner(2).Recipe
	// The gain of one recipe over another is minus the reverse gain.
	null := key{search.Recipe{}, 0}
	more, err := g.gain(t.Context(), key{leader, 2}, null)
	if err != nil {
		t.Fatal(err)
	}
	if less, err := g.gain(t.Context(), null, key{leader, 2}); err != nil || !(more.Sum > 100) || math.Abs(less.Sum+more.Sum) > 1e-9*more.Sum {
		t.Errorf("gains %v and %v: %v", more.Sum, less.Sum, err)
	}
	diverging, d := leader, *leader.Select.Descent
	d.Eta, diverging.Select.Descent = 1e9, &d
	if got, err := g.behind(t.Context(), diverging, 2); err != nil || !got {
		t.Errorf("a selection that diverges is not behind: %v", err)
	}
	level, curved := leader, leader
	level.Select.Ridge, curved.Select.Bins = 1e-6, 5
	level.Ridge = g.Plan.Ridges[len(g.Plan.Ridges)-1] // a poor ridge: the selection is compared with its best ridge
	for _, r := range append(g.runners(), g.Whole) {
		same := r.Sample
		same.Curved = func(context.Context, int) (*search.Sample, error) { return same, nil }
	}
	if got, err := g.behind(t.Context(), level, 2); err != nil || !got {
		t.Errorf("a selection of the same variables is tried on all folds: %v", err)
	}
	g.Plan.Open = true // it may select others at other sizes
	for _, worse := range []bool{false, true} {
		if worse { // the held-out rows show it
			for i := range g.Folds {
				was := g.Folds[i].Gain
				g.Folds[i].Gain = func(z, than []float64) validate.Gain {
					gain := was(z, than)
					gain.Sum -= gain.Weight
					gain.SquareSum += gain.Weight
					return gain
				}
			}
		}
		if got, err := g.behind(t.Context(), level, 2); err != nil || got != worse {
			t.Errorf("worse %v: behind %v %v", worse, got, err)
		}
	}
	if g.straight {
		t.Error("curves are given up for a selection of lines")
	}
	g.Plan.Selections, g.tested = []search.Selection{level.Select, curved.Select}, true // both are behind now
	if recipes, err := g.recipes(t.Context()); err != nil || len(recipes) != 0 || !g.straight {
		t.Errorf("%d recipes, curves are given up: %v, %v", len(recipes), g.straight, err)
	}
	curved.Select.Bins = 10
	if got, err := g.behind(t.Context(), curved, 2); err != nil || !got {
		t.Errorf("curves are tried after others were behind: %v", err)
	}
}

// Curves are tried only if the training rows of the first fold show bends, and before that no table is divided into bins.
func TestCurvesNeedBends(t *testing.T) {
	for _, bent := range []bool{false, true} {
		c := normal(4, 440, 8, 0.5, 2, 1)
		for i := range c.y {
			if x := c.x[i*c.cols]; bent {
				c.y[i] += x * x
			}
		}
		config := c.config(t, "squared", plan.Request{K: 2}, 4)
		divided := 0
		for _, f := range append(config.Folds, Fold{Runner: config.Whole}) {
			same := f.Sample
			same.Curved = func(context.Context, int) (*search.Sample, error) {
				divided++
				return same, nil
			}
		}
		g := began(t, config)
		curves := g.Plan.Selections[0]
		curves.Bins = 5
		g.Plan.Selections = []search.Selection{g.Plan.Selections[0], curves}
		recipes, err := g.recipes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if g.straight == bent || len(recipes) == 2 != bent || divided > 0 != bent {
			t.Errorf("bends %v: %d selections were tried, %d tables divided into bins", bent, len(recipes), divided)
		}
	}
}

// A selection is given up if it is behind by two standard errors on fifty rows.
func TestWorse(t *testing.T) {
	for _, c := range []struct {
		rows int
		mean float64 // mean gain, in standard errors
		want bool
	}{
		{400, 3, false},
		{400, -1.9, false},
		{400, -2.1, true},
		{50, -2.1, true},
		{49, -9, false},
	} {
		var gain validate.Gain
		for i := range c.rows {
			gain.Add(c.mean/math.Sqrt(float64(c.rows))+float64(1-i%2*2), 1)
		}
		if got := worse(gain); got != c.want {
			t.Errorf("%d rows, a gain of %g standard errors: given up: %v", c.rows, c.mean, got)
		}
	}
}

// The Lipschitz constant is measured once, on all rows, if it determines the step size of a descent.
func TestMeasure(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*search.Runner, *search.Recipe)
		want   float64 // expected constant; −1 means any measured value
	}{
		"all rows":        {func(*search.Runner, *search.Recipe) {}, -1},
		"known":           {func(r *search.Runner, _ *search.Recipe) { r.Known[search.Form{}] = anneal.Lipschitz{Constant: 7} }, 7},
		"nowhere to note": {func(r *search.Runner, _ *search.Recipe) { r.Known = nil }, 0},
		"direct":          {func(_ *search.Runner, r *search.Recipe) { r.Direct = true }, 0},
		"the lasso":       {func(_ *search.Runner, r *search.Recipe) { r.Select.Method = search.Lasso }, 0},
		"minibatches":     {func(_ *search.Runner, r *search.Recipe) { r.Select.Descent.Batch-- }, 0},
		"a given step":    {func(_ *search.Runner, r *search.Recipe) { r.Select.Descent.Eta = 1e-9 }, 0},
	} {
		config := normal(2, 60, 8, 1, 2, 1).config(t, "squared", plan.Request{K: 2}, 2)
		first, r := config.Folds[0].Runner, config.Plan.Recipe
		d := *r.Select.Descent
		r.Select.Descent, first.Known = &d, map[search.Form]anneal.Lipschitz{}
		c.change(first, &r)
		g := began(t, config)
		if err := g.measure(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		whole, err := g.Whole.Lipschitz(t.Context(), r.Select)
		if err != nil {
			t.Fatal(err)
		}
		want := c.want
		if want == -1 {
			want = whole.Constant
		}
		if got := first.Known[r.Select.Form()].Constant; math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: the constant is %v, not %v", name, got, want)
		}
	}
}

// Detours are tried with at least ten rows per coefficient, including the intercept.
func TestDetours(t *testing.T) {
	g := began(t, normal(2, 60, 8, 1, 2, 1).config(t, "squared", plan.Request{K: 2}, 2)) // 30 rows in a fold
	for size, want := range map[int]bool{1: true, 2: true, 3: false} {
		if got := g.swaps(search.Recipe{}, size); len(got) != 1 || got[0].Detours != want {
			t.Errorf("size %d: %+v", size, got)
		}
	}
	if g.Plan.Swaps = false; g.swaps(search.Recipe{}, 2) != nil {
		t.Error("swaps are tried that were not planned")
	}
}

// Weaker priors on categories are tried as long as they help, which is so only if categories have effects.
func TestPoolings(t *testing.T) {
	for _, effect := range []float64{0, 3} {
		c := normal(3, 240, 3, 1, 0, 0, 1)
		c.texts = 1
		for i := range c.y {
			level := (i / 2) % 30
			c.x[i*c.cols] = float64(level)
			c.y[i] += effect * math.Sin(float64(level*level))
		}
		config := c.config(t, "squared", plan.Request{K: 2}, 3)
		if len(config.Plan.Poolings) != 2 {
			t.Fatalf("poolings %v", config.Plan.Poolings)
		}
		v, err := Run(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.Recipe.Select.Pooling; (got < 1) != (effect > 0) {
			t.Errorf("effect %v: share %v of the prior", effect, got)
		}
	}
	// After a share that does not help, no other is tried.
	config := normal(2, 60, 8, 1, 2, 1).config(t, "squared", plan.Request{K: 2}, 2)
	config.Plan.Poolings = []float64{0.1, 0.01}
	g := began(t, config)
	recipes, err := g.recipes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.improve(t.Context(), recipes, 2); err != nil {
		t.Fatal(err)
	}
	for share, want := range map[float64]bool{1: true, 0.1: true, 0.01: false} {
		if got := len(g.tried(2, func(r search.Recipe) bool { return r.Select.Pooling == share })) > 0; got != want {
			t.Errorf("a share of %v was tried: %v", share, got)
		}
	}
}

// Sizes are tried in ascending order until two in a row are no better, unless a larger size is known to be better.
func TestUpwards(t *testing.T) {
	sizes := []int{0, 1, 2, 3, 4, 6, 9, 13}
	way := &Trial{Recipe: search.Recipe{Select: search.Selection{Method: search.Annealing}}}
	for name, c := range map[string]struct {
		errors []float64
		known  int // size that was tried before; 0 for none
		given  bool
		want   []int
	}{
		"a valley":           {errors: []float64{9, 7, 5, 6, 5, 1, 1, 1}, want: []int{0, 1, 2, 3, 4}},
		"it goes on falling": {errors: []float64{9, 8, 7, 6, 5, 4, 3, 2}, want: sizes},
		"one is no better":   {errors: []float64{9, 8, 8, 7, 7, 6, 6, 5}, want: sizes},
		"nothing to find":    {errors: []float64{1, 2, 2, 2, 2, 2, 2, 2}, want: []int{0, 1, 2}},
		"a better one above": {errors: []float64{5, 6, 6, 6, 6, 6, 4, 6}, known: 9, want: sizes},
		"a worse one above":  {errors: []float64{5, 6, 6, 6, 6, 6, 6, 4}, known: 9, want: []int{0, 1, 2}},
		"given sizes":        {errors: []float64{1, 2, 2, 2, 2, 2, 2, 2}, given: true, want: sizes},
	} {
		f := Fold{errors: map[key]score{}}
		for i, size := range sizes {
			r := way.Recipe
			if size == 0 {
				r = search.Recipe{}
			}
			f.errors[key{r, size}] = score{c.errors[i], c.errors[i]}
		}
		g := newContest(Config{Plan: &plan.Plan{Sizes: sizes, Refine: !c.given}, Folds: []Fold{f, f}, Repeats: 1, Abreast: 1})
		g.points = newPoints(nil, 2, 1)
		g.selected[way.Recipe.Select] = true // all errors are known
		for _, size := range []int{0, c.known} {
			if _, err := g.try(t.Context(), way.Recipe, size); err != nil {
				t.Fatal(err)
			}
		}
		if err := g.upwards(t.Context(), []*Trial{way}); err != nil || !slices.Equal(g.sizes, c.want) {
			t.Errorf("%s: sizes %v, not %v: %v", name, g.sizes, c.want, err)
		}
	}
}

// Where fewer than two sizes are no better than the best one, the best recipe is tried at larger sizes, too, and only there.
func TestFurther(t *testing.T) {
	way := &Trial{Recipe: search.Recipe{Select: search.Selection{Method: search.Annealing}}}
	on := way.Recipe
	on.Select.Most = 8
	for name, c := range map[string]struct {
		errors []float64 // of sizes 0 to 4
		more   []float64 // of 6 and 8
		want   int
	}{
		"it goes on falling": {[]float64{9, 7, 5, 3, 2}, []float64{1, 0.5}, 8},
		"one is no better":   {[]float64{9, 7, 5, 2, 3}, []float64{1, 1}, 6},
		"it falls no longer": {[]float64{9, 7, 5, 3, 2}, []float64{3, 3}, 4},
		"two are no better":  {[]float64{9, 7, 2, 3, 3}, nil, 2},
	} {
		f := Fold{errors: map[key]score{}}
		for size, e := range c.errors {
			r := way.Recipe
			if size == 0 {
				r = search.Recipe{}
			}
			f.errors[key{r, size}] = score{e, e}
		}
		for i, e := range c.more {
			f.errors[key{on, 6 + 2*i}] = score{e, e}
		}
		f.errors[key{on, 5}], f.errors[key{on, 7}] = score{9, 9}, score{9, 9} // between these
		g := newContest(Config{Plan: &plan.Plan{Sizes: []int{0, 1, 2, 3, 4}, Size: 4, Further: []int{6, 8}, Refine: true, Rule: "paired", Ridges: []float64{0}}, Folds: []Fold{f, f}, Repeats: 1, Abreast: 1})
		g.points = newPoints(nil, 2, 1)
		g.selected[way.Recipe.Select], g.selected[on.Select] = true, true // all errors are known
		if _, err := g.try(t.Context(), search.Recipe{}, 0); err != nil {
			t.Fatal(err)
		}
		best, err := g.openSize(t.Context(), []*Trial{way})
		if err != nil || best.Size != c.want {
			t.Errorf("%s: %+v: %v", name, best, err)
		}
		for size, list := range g.bySize {
			for _, trial := range list {
				if (trial.Recipe.Select.Most > 0) != (size > 4) {
					t.Errorf("%s: size %d by %v", name, size, trial.Recipe)
				}
			}
		}
	}
}

// With k open, the true size is found, sizes between those of the plan are tried, and smaller sizes are tried with swaps.
func TestOpenSize(t *testing.T) {
	swapped := func(r search.Recipe) bool { return r.Swaps != search.Swaps{} }
	run := func(r plan.Request, change func(*plan.Plan)) (*contest, *Trial) {
		t.Helper()
		config := normal(4, 120, 12, 0.5, 2, -1, 1).config(t, "squared", r, 4)
		if change != nil {
			change(config.Plan)
		}
		g := began(t, config)
		recipes, err := g.recipes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		best, err := g.openSize(t.Context(), recipes)
		if err != nil {
			t.Fatal(err)
		}
		return g, best
	}
	g, best := run(plan.Request{}, nil)
	if best.Size != 3 || best != g.winner(3) {
		t.Errorf("size %d: %v", best.Size, best.Recipe)
	}
	if got := g.sizesTried(swapped); !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("swaps at sizes %v", got)
	}
	if !slices.Equal(g.sizes, []int{0, 1, 2, 3, 4, 6}) { // two sizes that are no better than 3 end the search
		t.Errorf("sizes %v", g.sizes)
	}
	for _, size := range g.sizes[1:] {
		for i, s := range g.Plan.Selections {
			if len(g.tried(size, func(r search.Recipe) bool { return r.Select == s })) == 0 {
				t.Errorf("selection %d was not tried at size %d", i, size)
			}
		}
	}
	// Sizes between the chosen one and its neighbours are tried, unless sizes were given.
	for _, refine := range []bool{false, true} {
		g, best := run(plan.Request{Sizes: []int{0, 2, 5, 9}}, func(p *plan.Plan) { p.Refine = refine })
		if want := []int{0, 1, 2, 3, 4, 5}; refine && (!slices.Equal(g.sizes, want) || best.Size != 3) {
			t.Errorf("size %d of %v", best.Size, g.sizes)
		}
		if !refine && (len(g.sizes) != 4 || best.Size != 5) {
			t.Errorf("size %d of %v", best.Size, g.sizes)
		}
		if !slices.Equal(g.Plan.Sizes, []int{0, 2, 5, 9}) {
			t.Errorf("the plan was changed to %v", g.Plan.Sizes)
		}
	}
	if g, best := run(plan.Request{Sizes: []int{0, 1, 2, 4}}, func(p *plan.Plan) { p.Refine = true }); best.Size != 3 {
		t.Errorf("size %d of %v: one was between", best.Size, g.sizes)
	}
	if g, best := run(plan.Request{Sizes: []int{2, 3}}, nil); best.Size != 3 || len(g.tried(2, swapped)) == 0 {
		t.Errorf("size %d of %v, without the null model", best.Size, g.sizes)
	}
	g, _ = run(plan.Request{}, func(p *plan.Plan) { p.Swaps = false })
	if got := g.sizesTried(swapped); got != nil {
		t.Errorf("without swaps: sizes %v", got)
	}
	g, best = run(plan.Request{Rule: "bic"}, nil)
	if got := g.sizesTried(swapped); best.Size != 3 || !slices.Equal(got, []int{3}) {
		t.Errorf("by a criterion: size %d, swaps at %v", best.Size, got)
	}
}

// Smaller sizes are tried with swaps until two in a row are not chosen.
func TestSmaller(t *testing.T) {
	config := normal(4, 120, 12, 0.5, 2, -1, 1, 1, 1, 1).config(t, "squared", plan.Request{}, 4)
	g := began(t, config)
	recipes, err := g.recipes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	best, err := g.openSize(t.Context(), recipes)
	if err != nil {
		t.Fatal(err)
	}
	swapped := func(r search.Recipe) bool { return r.Swaps != search.Swaps{} }
	if got := g.sizesTried(swapped); best.Size != 6 || !slices.Equal(got, []int{4, 5, 6}) {
		t.Errorf("size %d, swaps at %v", best.Size, got)
	}
	// If the curve without swaps leads to a size that is too large, smaller sizes are tried. The two failures are counted
	// from the last size that was chosen.
	g.bySize = map[int][]*Trial{0: g.bySize[0]}
	for _, size := range g.sizes[1:] { // without swaps, no size below nine explains anything
		e := 0.3
		if size < 9 {
			e = 30
		}
		r := recipes[0].Recipe
		g.bySize[size] = []*Trial{{Recipe: r, Size: size, Errors: []float64{e, e, e, e}, Mean: e}}
	}
	g.trials = map[key]*Trial{}
	if best, err = g.smaller(t.Context(), g.winner(9)); err != nil {
		t.Fatal(err)
	}
	if got := g.sizesTried(swapped); best.Size != 6 || best.Recipe.Swaps == (search.Swaps{}) || !slices.Equal(got, []int{4, 5, 6, 7, 8}) {
		t.Errorf("size %d, %v, swaps at %v", best.Size, best.Recipe, got)
	}
}

// On pure noise nothing is selected.
func TestNullModel(t *testing.T) {
	v, err := Run(t.Context(), normal(5, 80, 10, 1).config(t, "squared", plan.Request{}, 5))
	if err != nil {
		t.Fatal(err)
	}
	if v.Size != 0 || v.Trial != v.Null || v.Recipe != (search.Recipe{}) {
		t.Errorf("size %d: %v", v.Size, v.Recipe)
	}
	for i, f := range v.Fits {
		if len(f.Groups) != 0 || len(v.NullFits[i].Groups) != 0 {
			t.Errorf("fold %d has selected %v", i, f.Groups)
		}
	}
}

// The verdict contains the winner with its fits, the curve and the recipes that it was compared with. Step and Point are
// called with the progress.
func TestVerdict(t *testing.T) {
	for _, r := range []plan.Request{{K: 2}, {Sizes: []int{0, 1, 2, 4}}} {
		config := normal(6, 100, 8, 0.5, 2, 1).config(t, "squared", r, 4)
		var steps []Step
		var told []Point
		config.Step = func(s Step) { steps = append(steps, s) }
		config.Point = func(p Point) { told = append(told, p) }
		v, err := Run(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		if v.Size != 2 || v.Null.Size != 0 || len(v.Fits) != 4 || len(v.NullFits) != 4 {
			t.Fatalf("size %d, %d fits", v.Size, len(v.Fits))
		}
		if !slices.Contains(v.Trials, v.Trial) || v.Curve.Points[v.Best].Mean > v.Mean {
			t.Errorf("%v is not among %v, best %v", v.Trial, v.Trials, v.Curve.Points[v.Best])
		}
		var sizes []int
		for _, p := range v.Curve.Points {
			sizes = append(sizes, p.Size)
		}
		if !slices.Equal(sizes, config.Plan.Sizes) {
			t.Errorf("the curve has %v", sizes)
		}
		for i, f := range v.Fits {
			if !slices.Equal(f.Groups, []int{0, 1}) {
				t.Errorf("fold %d: groups %v", i, f.Groups)
			}
			z, err := f.MarginsOf(t.Context(), config.Folds[i].Test)
			if err != nil {
				t.Fatal(err)
			}
			if e := config.Folds[i].Error(z); math.Abs(e-v.Errors[i]) > 1e-6*e {
				t.Errorf("fold %d: error %v, not %v", i, v.Errors[i], e)
			}
			null, err := v.NullFits[i].MarginsOf(t.Context(), config.Folds[i].Test)
			if err != nil || config.Folds[i].Error(null) != v.Null.Errors[i] {
				t.Errorf("fold %d: null model %v", i, err)
			}
		}
		order, last := []string{Recipes, Improvements, Swaps}, Step{Part: Recipes}
		if config.Plan.Open {
			order = []string{Recipes, Interactions, Sizes, Improvements, Swaps, Smaller}
		}
		for i, s := range steps {
			at, before := slices.Index(order, s.Part), slices.Index(order, last.Part)
			if at < before || at == before && s.Share < last.Share || s.Share < 0 || s.Share > 1 || s.Doing == "" {
				t.Errorf("step %d: %+v after %+v", i, s, last)
			}
			last = s
		}
		if !slices.ContainsFunc(steps, func(s Step) bool {
			return s.Part == Recipes && s.Share > 0.999 && s.Doing == "straight lines, fold 4 of 4"
		}) {
			t.Errorf("steps are %+v", steps)
		}
		for i, p := range told {
			if p.First != (i == 0) || p.Of != 4 || p.Folds < 1 || p.Folds > 4 || !finite(p.Mean) || p.Folds == 1 && p.SE != 0 || p.Folds > 1 && !(p.SE > 0) {
				t.Errorf("point %d: %+v", i, p)
			}
		}
		if last := told[len(told)-1]; !slices.ContainsFunc(v.Curve.Points, func(p validate.Point) bool { return p.Size == last.Size && last.Folds == 4 }) {
			t.Errorf("the last point is %+v", last)
		}
	}
}

// Points are reported fold by fold for the first recipe, and then for better recipes only.
func TestPoints(t *testing.T) {
	var told []Point
	p := newPoints(func(at Point) { told = append(told, at) }, 4, 2)
	first := p.begin(3)
	for _, e := range []float64{1, 3, 2, math.Inf(1)} {
		first(e)
	}
	if len(told) != 3 {
		t.Fatalf("%+v", told)
	}
	second, third, fourth, other := p.begin(3), p.begin(3), p.begin(3), p.begin(4)
	for _, e := range []float64{1, 3, 2, 4} { // the first complete recipe
		second(e)
	}
	for _, e := range []float64{1, 3, 2, 4} { // not better
		third(e)
	}
	for _, e := range []float64{1, 3, 2, 1} { // better in the end
		fourth(e)
	}
	other(7)
	want := []string{
		"true 3 1 1 0", "false 3 2 2 1", "false 3 3 2 0.707107",
		"false 3 1 1 0", "false 3 2 2 1", "false 3 3 2 0.707107", "false 3 4 2.5 0.912871",
		"false 3 4 1.75 0.677003", "false 4 1 7 0",
	}
	var got []string
	for _, at := range told {
		if at.Of != 4 {
			t.Errorf("%+v", at)
		}
		got = append(got, fmt.Sprintf("%v %d %d %.6g %.6g", at.First, at.Size, at.Folds, at.Mean, at.SE))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	newPoints(nil, 4, 1).begin(3)(1) // without a function to call
}

// A descent that diverges in a fold has no error there, and no fit.
func TestDiverged(t *testing.T) {
	config := normal(6, 60, 8, 0.5, 2, 1).config(t, "squared", plan.Request{K: 2, Eta: 1e9}, 3)
	v, err := Run(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range v.Fits {
		if f != nil || !math.IsInf(v.Errors[i], 1) {
			t.Errorf("fold %d: %v %v", i, f, v.Errors[i])
		}
	}
	if v.NullFits[0] == nil || !finite(v.Null.Mean) {
		t.Error("the null model diverges")
	}
}

// A cancelled context ends the contest at any point.
func TestCancelled(t *testing.T) {
	c := normal(6, 60, 6, 0.5, 2, 1)
	for _, r := range []plan.Request{{K: 2, Polish: true}, {Sizes: []int{0, 1, 2, 4}}, {Rule: "bic", Sizes: []int{0, 1, 2}}} {
		calls := 0
		count := func(ctx context.Context, most int, cancel func()) error {
			config := c.config(t, "squared", r, 2)
			config.Plan.Poolings = []float64{0.5}
			calls = 0
			for i := range config.Folds {
				of := config.Folds[i].Error
				config.Folds[i].Error = func(z []float64) float64 {
					if calls++; calls == most {
						cancel()
					}
					return of(z)
				}
			}
			v, err := Run(ctx, config)
			if err != nil && v != nil {
				t.Errorf("%+v after an error", v)
			}
			return err
		}
		if err := count(t.Context(), -1, nil); err != nil {
			t.Fatal(err)
		}
		all := calls
		for after := 1; after <= all; after += 1 + after/20 {
			ctx, cancel := context.WithCancel(t.Context())
			if err := count(ctx, after, cancel); !errors.Is(err, context.Canceled) {
				t.Errorf("%+v: after %d of %d errors of folds: %v", r, after, all, err)
			}
			cancel()
		}
	}
}

// The best recipe of each selection loss is improved by swaps, because they lower that loss.
func TestImproveByLoss(t *testing.T) {
	g := began(t, normal(3, 120, 8, 0.5, 2, -1, 1).signs().config(t, "logistic", plan.Request{K: 2}, 3))
	recipes, err := g.recipes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.improve(t.Context(), recipes, 2); err != nil {
		t.Fatal(err)
	}
	for _, loss := range []string{"", "lorenz"} {
		if len(g.tried(2, func(r search.Recipe) bool { return r.Select.Loss == loss && r.Swaps != search.Swaps{} })) == 0 {
			t.Errorf("the selection by the loss %q was not improved", loss)
		}
	}
}

// With likelihoods, the null model is tested by the gain of all held-out rows, not by the differences between folds. The gain
// must exceed the logarithm of 20 times the number of trials, here ln 40 = 3.69.
func TestByLikelihood(t *testing.T) {
	null := &Trial{Errors: []float64{2, 2, 2, 2}, Mean: 2}
	apart := &Trial{Size: 3, Errors: []float64{1.1, 1.9, 1.9, 2.3}, Mean: 1.8} // folds differ: t = 1.2
	agree := &Trial{Size: 3, Errors: []float64{1.8, 1.81, 1.79, 1.8}, Mean: 1.8}
	for _, c := range []struct {
		name string
		of   *Trial
		nats float64
		rule string
		want int
	}{
		{"folds that differ", apart, 0, "paired", 0},
		{"folds that differ, a likelihood ratio of exp(4)", apart, 20, "paired", 3},
		{"a likelihood ratio of exp(3.6)", apart, 18, "paired", 0},
		{"folds that agree", agree, 0, "paired", 3},
		{"folds that agree, a likelihood ratio of exp(1)", agree, 5, "paired", 0},
		{"another rule", agree, 5, "min", 3},
	} {
		g := newContest(Config{Plan: &plan.Plan{Rule: c.rule}, Folds: make([]Fold, 4), Repeats: 1, Nats: c.nats})
		g.sizes, g.bySize = []int{0, 3}, map[int][]*Trial{0: {null}, 3: {c.of}}
		if got, err := g.choose(t.Context()); err != nil || got != c.want {
			t.Errorf("%s: size %d, not %d (%v)", c.name, got, c.want, err)
		}
	}
	g := newContest(Config{Plan: &plan.Plan{Rule: "paired"}, Folds: make([]Fold, 4), Repeats: 1, Nats: 20})
	g.sizes, g.bySize = []int{0, 3}, map[int][]*Trial{0: {null}, 3: {agree}}
	for of, want := range map[*contest]int{g: 3, g.without(0): 0} { // exp(4) for all rows, exp(3) for three quarters of them
		if got, err := of.choose(t.Context()); err != nil || got != want {
			t.Errorf("size %d, not %d (%v)", got, want, err)
		}
	}
}
