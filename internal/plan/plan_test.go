package plan

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fsa/anneal"
	"fsa/data"
	"fsa/internal/search"
	"fsa/loss"
)

// table returns the facts of a small dense table of numbers.
func table(change ...func(*Facts)) Facts {
	f := Facts{
		Rows: 400, Cols: 50, Cells: 20000, Effective: 400, Groups: 50, Outputs: 1, Task: loss.Regression,
		Kind: kind("squared"), LossName: "squared", InMemory: true, Single: true,
	}
	for _, c := range change {
		c(&f)
	}
	return f
}

func kind(name string) loss.Kind { k, _ := loss.Named(name); return k }

func named(name string) func(*Facts) {
	return func(f *Facts) { f.LossName, f.Kind, f.Task = name, kind(name), kind(name).Task }
}

func rows(n int) func(*Facts) {
	return func(f *Facts) { f.Rows, f.Effective, f.Cells = n, n, n*f.Cols }
}

func cols(n int) func(*Facts) {
	return func(f *Facts) { f.Cols, f.Groups, f.Cells = n, n, n*f.Rows }
}

func effective(n int) func(*Facts) { return func(f *Facts) { f.Effective = n } }
func sparse(f *Facts)              { f.Sparse, f.InMemory = true, false }
func outliers(f *Facts)            { f.Outliers = true }
func inFile(f *Facts)              { f.InMemory = false }
func wide(f *Facts)                { f.Single = false }
func texts(f *Facts)               { f.Single, f.Texts = false, true }
func bends(f *Facts)               { f.Bends = true }
func bins(f *Facts)                { f.Bins, f.Single = 5, false }

// large is a table on which recipes do not compete.
func large(f *Facts) { rows(100000)(f) }

// Where there are more than a hundred variables, larger sizes may follow: as many as rows and the solver can bear.
func TestFurther(t *testing.T) {
	for name, c := range map[string]struct {
		r    Request
		f    Facts
		want []int
	}{
		"many":            {f: table(cols(1000), rows(1000)), want: []int{150, 225, 337, 500}},
		"half of rows":    {f: table(cols(1000)), want: []int{150, 200}},
		"few variables":   {f: table(cols(100), rows(1000))},
		"few rows":        {f: table(cols(1000), rows(200))},
		"few more":        {f: table(cols(120), rows(1000)), want: []int{120}},
		"given":           {r: Request{K: 100}, f: table(cols(1000), rows(1000))},
		"sizes given":     {r: Request{Sizes: []int{10, 100}}, f: table(cols(1000), rows(1000))},
		"quick":           {r: Request{Quick: true}, f: table(cols(1000), rows(1000))},
		"a large table":   {f: table(cols(1000), large)},
		"many classes":    {f: table(cols(1000), rows(1000), named("multinomial"), func(f *Facts) { f.Outputs = 9 }), want: []int{106}},
		"several classes": {f: table(cols(1000), rows(1000), named("multinomial"), func(f *Facts) { f.Outputs = 3 }), want: []int{150, 225, 300}},
	} {
		p := New(c.r, c.f)
		if !slices.Equal(p.Further, c.want) {
			t.Errorf("%s: %v", name, p.Further)
		}
		if n := len(p.Further); n > 0 && c.f.coefficients(p.Further[n-1]) > 1000 {
			t.Errorf("%s: %d coefficients", name, c.f.coefficients(p.Further[n-1]))
		}
	}
}

// Square roots compete on a sparse table, unless lines or constraints are given.
func TestRootsCompete(t *testing.T) {
	roots := func(f *Facts) { f.Roots = true }
	for name, c := range map[string]struct {
		r    Request
		f    Facts
		want bool
	}{
		"possible":    {f: table(sparse, roots), want: true},
		"k given":     {r: Request{K: 5}, f: table(sparse, roots), want: true},
		"impossible":  {f: table(sparse)},
		"lines":       {r: Request{Lines: true}, f: table(sparse, roots)},
		"constraints": {r: Request{Constrained: Constrained{What: "all"}}, f: table(sparse, roots)},
		"quick":       {r: Request{K: 5, Quick: true}, f: table(sparse, roots)},
		"large":       {f: table(sparse, roots, large)},
	} {
		if got := New(c.r, c.f).Roots; got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// The plan sets the size and the sizes to compare.
func TestSizes(t *testing.T) {
	for name, c := range map[string]struct {
		r    Request
		f    Facts
		want []int
		last int
	}{
		"given":                  {r: Request{K: 7}, f: table(), want: []int{7}, last: 7},
		"given with sizes":       {r: Request{K: 7, Sizes: []int{1, 2}}, f: table(), want: []int{7}, last: 7},
		"open, few variables":    {f: table(cols(4)), want: []int{0, 1, 2, 3, 4}, last: 4},
		"open, one":              {f: table(cols(1)), want: []int{0, 1}, last: 1},
		"open, few rows":         {f: table(rows(11)), want: []int{0, 1, 2, 3, 4, 5}, last: 5},
		"open, one row":          {f: table(rows(1)), want: []int{0, 1}, last: 1},
		"open, many":             {f: table(cols(1000)), want: []int{0, 1, 2, 3, 4, 6, 9, 13, 19, 28, 42, 63, 94, 100}, last: 100},
		"weights count as rows":  {f: table(effective(8)), want: []int{0, 1, 2, 3, 4}, last: 4},
		"sizes given":            {r: Request{Sizes: []int{9, 3, 3}}, f: table(), want: []int{3, 9}, last: 9},
		"sizes beyond the table": {r: Request{Sizes: []int{3, 90}}, f: table(), want: []int{3, 50}, last: 50},
		"forced":                 {r: Request{Sizes: []int{0, 1, 5}}, f: table(func(f *Facts) { f.Forced = 2 }), want: []int{2, 5}, last: 5},
	} {
		before := slices.Clone(c.r.Sizes)
		p := New(c.r, c.f)
		if !slices.Equal(p.Sizes, c.want) || p.Size != c.last || p.Sizes[len(p.Sizes)-1] != c.last {
			t.Errorf("%s: size %d of %v", name, p.Size, p.Sizes)
		}
		if p.Open != (c.r.K == 0) || p.Refine != (p.Open && c.r.Sizes == nil) {
			t.Errorf("%s: open %v, refine %v", name, p.Open, p.Refine)
		}
		if !slices.Equal(before, c.r.Sizes) {
			t.Errorf("%s: what was asked for was changed to %v", name, c.r.Sizes)
		}
	}
}

// The plan sets the ridge of the first recipe.
func TestRidge(t *testing.T) {
	for name, c := range map[string]struct {
		r    Request
		f    Facts
		want float64
		why  string
	}{
		"numbers":                  {f: table(), want: 0, why: "not needed"},
		"given":                    {r: Request{Ridge: 0.3}, f: table(bins), want: 0.3, why: "given"},
		"one":                      {r: Request{Ridge: 1}, f: table(named("logistic")), want: 1, why: "given"},
		"switched off":             {r: Request{Ridge: None}, f: table(named("logistic")), want: 0, why: "given"},
		"classes":                  {f: table(named("logistic")), want: 0.05 / 400, why: "separable"},
		"many classes":             {f: table(named("multinomial")), want: 0.05 / 400, why: "separable"},
		"classes by weight":        {f: table(named("logistic"), effective(100)), want: 0.05 / 100, why: "separable"},
		"classes, no likelihood":   {f: table(named("svm")), want: 0, why: "not needed"},
		"sparse classes":           {f: table(named("svm"), sparse), want: 20. / 2000, why: "sparse"},
		"sparse classes, many":     {f: table(named("logistic"), sparse, rows(8000)), want: 20. / 8000, why: "sparse"},
		"sparse lorenz":            {f: table(named("lorenz"), sparse), want: 0, why: "not needed"},
		"sparse numbers":           {f: table(sparse), want: 0, why: "not needed"},
		"curves":                   {f: table(bins), want: 0.00125, why: "curves"},
		"curves of one bin":        {f: table(func(f *Facts) { f.Bins = 1 }), want: 0.00125, why: "curves"},
		"curves of many rows":      {f: table(bins, rows(1000)), want: 0.0005, why: "curves"},
		"curves of sparse classes": {f: table(named("logistic"), sparse, bins), want: 0.00125, why: "curves"},
	} {
		p := New(c.r, c.f)
		if got := p.Recipe.Ridge; math.Abs(got-c.want) > 1e-15 || !strings.Contains(why(p, "ridge"), c.why) {
			t.Errorf("%s: ridge %v, not %v: %s", name, got, c.want, why(p, "ridge"))
		}
		if s := p.Recipe.Select; s.Ridge != p.Recipe.Ridge || s.Method != search.Annealing || s.Pooling != 1 || s.Descent == nil {
			t.Errorf("%s: selection %+v", name, s)
		}
	}
}

// why returns the reason of a decision.
func why(p *Plan, setting string) string {
	for _, d := range p.Decisions {
		if d.Setting == setting {
			return d.Why
		}
	}
	return "nothing was said"
}

// value returns a decision.
func value(p *Plan, setting string) string {
	for _, d := range p.Decisions {
		if d.Setting == setting {
			return d.Value
		}
	}
	return "nothing was said"
}

// The plan sets the batch, the epochs, μ and the tolerance of the descent.
func TestDescent(t *testing.T) {
	halves := func(e, _, groups, k int) int { return max(groups>>e, k) }
	for name, c := range map[string]struct {
		r    Request
		f    Facts
		want string // rows of a step, epochs, μ, tolerance
		why  [4]string
	}{
		"few rows":                       {f: table(), want: "400 500 100 0", why: [4]string{"few rows", "default", "default", "number of rows"}},
		"just too few":                   {f: table(rows(1999)), want: "1999 500 100 0", why: [4]string{"few rows"}},
		"many rows":                      {f: table(rows(2000)), want: "500 300 50 1e-05", why: [4]string{"many rows", "given the minibatches", "default", "number of rows"}},
		"many rows, refined":             {r: Request{K: 5}, f: table(rows(2000)), want: "500 300 50 1e-05"},
		"many rows, many coefficients":   {r: Request{K: 50}, f: table(rows(4000), cols(1000)), want: "500 175 30 1e-05"},
		"few rows per coefficient":       {r: Request{K: 249}, f: table(rows(2400), cols(100000)), want: "500 258 41.6 1e-05"},
		"few rows, with a ridge":         {r: Request{K: 249, Ridge: 1}, f: table(rows(2400), cols(100000)), want: "500 258 41.6 1e-05"},
		"more rows":                      {r: Request{K: 5}, f: table(rows(4000)), want: "500 175 30 1e-05"},
		"very many rows":                 {r: Request{K: 5}, f: table(large), want: "500 100 30 1e-05"},
		"many sparse rows":               {r: Request{K: 5}, f: table(rows(4000), sparse), want: "500 550 100 1e-05"},
		"more steps than by default":     {r: Request{K: 5}, f: table(rows(3000), sparse), want: "500 550 100 1e-05"},
		"as many cells as columns":       {r: Request{K: 5}, f: table(rows(20000), cols(50000), sparse, func(f *Facts) { f.Cells = 20000*50 - 1 }), want: "1000 250 40 1e-05"},
		"no batch beyond the table":      {r: Request{K: 5}, f: table(rows(2000), cols(500000), sparse, func(f *Facts) { f.Cells = 2000 }), want: "2000 500 100 0"},
		"all rows asked for":             {r: Request{K: 5, Batch: AllRows}, f: table(large), want: "100000 500 100 0", why: [4]string{"given"}},
		"half of the rows":               {r: Request{K: 5, Batch: 200}, f: table(), want: "200 550 100 1e-05", why: [4]string{"given", "given the minibatches"}},
		"more than half":                 {r: Request{K: 5, Batch: 201}, f: table(), want: "201 500 100 0", why: [4]string{"given", "default"}},
		"batch of a row":                 {r: Request{K: 5, Batch: 1}, f: table(), want: "1 100 30 1e-05", why: [4]string{"given"}},
		"batch beyond the table":         {r: Request{Batch: 1000}, f: table(), want: "400 500 100 0", why: [4]string{"given"}},
		"outliers":                       {f: table(large, outliers), want: "100000 500 100 0", why: [4]string{"outlying rows"}},
		"outliers of few rows":           {f: table(outliers), want: "400 500 100 0", why: [4]string{"few rows"}},
		"iterations given":               {r: Request{Iterations: 9}, f: table(), want: "400 9 100 0", why: [4]string{"", "given"}},
		"iterations of minibatches":      {r: Request{Iterations: 9}, f: table(large), want: "500 9 100 0", why: [4]string{"many rows", "given"}},
		"few sparse rows of classes":     {f: table(named("svm"), sparse, cols(401)), want: "400 50 100 0", why: [4]string{"", "sparse"}},
		"few columns":                    {f: table(named("svm"), sparse, cols(400)), want: "400 500 100 0", why: [4]string{"", "default"}},
		"dense rows of classes":          {f: table(named("svm"), cols(401)), want: "400 500 100 0", why: [4]string{"", "default"}},
		"sparse numbers":                 {f: table(sparse, cols(401)), want: "400 500 100 0", why: [4]string{"", "default"}},
		"many sparse rows of classes":    {r: Request{K: 5}, f: table(named("svm"), sparse, rows(2000), cols(9000)), want: "500 550 100 1e-05", why: [4]string{"", "minibatches"}},
		"sparse rows of classes, lorenz": {f: table(named("lorenz"), sparse, cols(401)), want: "400 500 150 0"},
		"lorenz":                         {f: table(named("lorenz")), want: "400 500 112.5 0", why: [4]string{"", "", "default"}},
		"lorenz, fewest rows":            {f: table(named("lorenz"), rows(100)), want: "100 500 150 0"},
		"lorenz, more rows":              {f: table(named("lorenz"), rows(1900)), want: "1900 500 30 0"},
		"μ given":                        {r: Request{Mu: 7}, f: table(named("lorenz")), want: "400 500 7 0", why: [4]string{"", "", "given"}},
		"slow μ given":                   {r: Request{Mu: 0.5}, f: table(), want: "400 500 0.5 0", why: [4]string{"", "", "given"}},
		"μ of minibatches given":         {r: Request{Mu: 7}, f: table(large), want: "500 100 7 1e-05", why: [4]string{"", "", "given"}},
		"schedule given":                 {r: Request{Schedule: halves}, f: table(named("lorenz")), want: "400 500 -1 0", why: [4]string{"", "", "a schedule was given"}},
		"schedule of minibatches":        {r: Request{Schedule: halves}, f: table(large), want: "500 100 -1 1e-05", why: [4]string{"", "", "a schedule was given"}},
		"tolerance given":                {r: Request{Tolerance: 0.1}, f: table(large), want: "500 100 30 0.1", why: [4]string{"", "", "", "given"}},
		"tolerance switched off":         {r: Request{Tolerance: None}, f: table(large), want: "500 100 30 0", why: [4]string{"", "", "", "given"}},
	} {
		p := New(c.r, c.f)
		d := p.Recipe.Select.Descent
		if got := fmt.Sprint(d.Batch, " ", d.Epochs, " ", float32(d.Mu), " ", d.Tolerance); got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
		for i, setting := range []string{"batch", "iterations", "mu", "tolerance"} {
			if !strings.Contains(why(p, setting), c.why[i]) {
				t.Errorf("%s: %s because of %q, not %q", name, setting, why(p, setting), c.why[i])
			}
		}
		told := []string{fmt.Sprintf("%d of %d rows", d.Batch, c.f.Rows), fmt.Sprint(d.Epochs), number(d.Mu), number(d.Tolerance)}
		if d.Mu < 0 {
			told[2] = "none"
		}
		if d.Tolerance == 0 {
			told[3] = "none"
		}
		if said := []string{value(p, "batch"), value(p, "iterations"), value(p, "mu"), value(p, "tolerance")}; !slices.Equal(said, told) {
			t.Errorf("%s: said %q, not %q", name, said, told)
		}
	}
}

// Given values of the momentum, the step size and the warm-up are used.
func TestDescentGiven(t *testing.T) {
	d := New(Request{Eta: 2, WarmUp: 3}, table()).Recipe.Select.Descent
	if d.Momentum != anneal.DefaultMomentum || d.Eta != 2 || d.WarmUp != 3 {
		t.Errorf("%+v", d)
	}
	if d := New(Request{Momentum: None}, table()).Recipe.Select.Descent; d.Momentum != None {
		t.Errorf("momentum %v", d.Momentum)
	}
}

// With minibatches, all variables are dropped before the last epochs, which fit the rest, by the chosen μ or the given
// schedule.
func TestMinibatchSchedule(t *testing.T) {
	const groups, k = 5000, 10
	halves := func(e, epochs, groups, k int) int { return max(groups*(epochs-e)/epochs, k) }
	for name, c := range map[string]struct {
		r    Request
		rows int
		want anneal.Schedule
		over int
	}{
		"by default":     {rows: 4000, want: anneal.Inverse(30), over: 125},
		"slower":         {rows: 2000, want: anneal.Inverse(50), over: 250},
		"μ given":        {r: Request{Mu: 7}, rows: 4000, want: anneal.Inverse(7), over: 125},
		"schedule given": {r: Request{Schedule: halves}, rows: 4000, want: halves, over: 125},
	} {
		d := New(c.r, table(rows(c.rows))).Recipe.Select.Descent
		for e := 1; e <= d.Epochs; e++ {
			if got, want := d.Schedule(e, d.Epochs, groups, k), c.want(min(e, c.over), c.over, groups, k); got != want {
				t.Errorf("%s: %d are left after epoch %d, not %d", name, got, e, want)
				break
			}
		}
	}
	d := New(Request{Mu: 9}, table()).Recipe.Select.Descent
	for e := 1; e <= d.Epochs; e++ {
		if got, want := d.Schedule(e, d.Epochs, groups, k), anneal.Inverse(9)(e, d.Epochs, groups, k); got != want {
			t.Fatalf("few rows: %d are left after epoch %d, not %d", got, e, want)
		}
	}
}

// The plan decides whether recipes are compared, on how many folds, and whether the recipe is direct.
func TestCompetition(t *testing.T) {
	ranking := func(f *Facts) { named("rank")(f); wide(f) }
	for name, c := range map[string]struct {
		r    Request
		f    Facts
		want string // contest, folds, direct, criterion
		why  string
	}{
		"small, given":                {r: Request{K: 5}, f: table(), want: "true 5 false false", why: "recipes are compared"},
		"small, open":                 {f: table(), want: "true 10 false false", why: "k is not fixed: sizes up to 50"},
		"fewer rows than folds":       {f: table(rows(7)), want: "true 7 false false"},
		"many rows, fewer folds":      {r: Request{K: 5}, f: table(rows(1000)), want: "true 3 false false"},
		"not yet fewer folds":         {r: Request{K: 5}, f: table(rows(999)), want: "true 5 false false"},
		"many rows, open":             {f: table(rows(1000)), want: "true 10 false false"},
		"folds given":                 {r: Request{K: 5, Folds: 4}, f: table(), want: "true 4 false false"},
		"folds given, open":           {r: Request{Folds: 4}, f: table(), want: "true 4 false false"},
		"quick, given":                {r: Request{K: 5, Quick: true}, f: table(), want: "false 5 true false", why: "quick"},
		"quick, open, criterion":      {r: Request{Quick: true, Rule: "ebic"}, f: table(), want: "false 10 false true", why: "k is not fixed: the size with"},
		"quick, open, measured":       {r: Request{Quick: true, Rule: "ebic", Measure: true}, f: table(), want: "true 10 false false"},
		"quick, open, no criterion":   {r: Request{Quick: true, Rule: "paired"}, f: table(), want: "true 10 false false"},
		"quick, open, no likelihood":  {r: Request{Quick: true, Rule: "ebic"}, f: table(named("huber")), want: "true 10 false false"},
		"criterion, not quick":        {r: Request{Rule: "ebic"}, f: table(), want: "true 10 false false"},
		"quick, given, criterion":     {r: Request{K: 5, Quick: true, Rule: "ebic"}, f: table(), want: "false 5 true false"},
		"measured":                    {r: Request{K: 5, Quick: true, Measure: true}, f: table(), want: "true 5 false false"},
		"large, given":                {r: Request{K: 5}, f: table(large), want: "false 3 true false", why: "the table is large"},
		"large, given, measured":      {r: Request{K: 5, Measure: true}, f: table(large), want: "true 3 false false"},
		"large, open":                 {f: table(large), want: "true 5 false false"},
		"fewer than many rows, open":  {f: table(rows(1999)), want: "true 10 false false"},
		"many rows, few cells":        {r: Request{K: 5}, f: table(rows(1<<22/64), cols(64)), want: "true 3 false false"},
		"a cell too many":             {r: Request{K: 5}, f: table(rows(1<<22/64+1), cols(64)), want: "false 3 true false"},
		"few rows, many cells":        {r: Request{K: 5}, f: table(rows(1999), cols(10000)), want: "true 3 false false"},
		"many rows, many cells":       {r: Request{K: 5}, f: table(rows(2000), cols(10000)), want: "false 3 true false"},
		"ranking of few rows":         {r: Request{K: 5}, f: table(ranking), want: "true 5 false false"},
		"ranking of many rows":        {r: Request{K: 5}, f: table(ranking, rows(2000)), want: "false 3 true false"},
		"too few rows":                {r: Request{K: 2}, f: table(rows(9)), want: "false 5 true false"},
		"just enough rows":            {r: Request{K: 2}, f: table(rows(10)), want: "true 5 false false"},
		"too few rows, measured":      {r: Request{K: 2, Measure: true}, f: table(rows(9)), want: "true 5 false false"},
		"as many coefficients":        {r: Request{K: 999}, f: table(cols(2000)), want: "true 5 false false"},
		"too many coefficients":       {r: Request{K: 1000}, f: table(cols(2000)), want: "false 5 true false"},
		"too many by outputs":         {r: Request{K: 500}, f: table(named("multinomial"), wide, cols(2000), func(f *Facts) { f.Outputs = 3 }), want: "false 5 true false"},
		"too many, measured":          {r: Request{K: 1000, Measure: true}, f: table(cols(2000)), want: "true 5 true false"},
		"priors on curves":            {r: Request{K: 5, CurvePriors: true}, f: table(bins), want: "false 5 true false"},
		"priors on curves, open":      {r: Request{CurvePriors: true}, f: table(bins), want: "true 10 true false"},
		"priors on curves, criterion": {r: Request{CurvePriors: true, Quick: true, Rule: "bic"}, f: table(bins), want: "false 10 true true"},
	} {
		p := New(c.r, c.f)
		if got := fmt.Sprint(p.Contest, p.Folds, p.Recipe.Direct, p.Criterion()); got != c.want || !strings.Contains(why(p, "validation"), c.why) {
			t.Errorf("%s: %s, not %s: %s", name, got, c.want, why(p, "validation"))
		}
		said := "none"
		if p.Contest {
			said = fmt.Sprintf("%d folds", p.Folds)
		}
		if value(p, "validation") != said || p.Rule != c.r.Rule {
			t.Errorf("%s: said %s of %s, by %s", name, value(p, "validation"), said, p.Rule)
		}
	}
}

// The plan lists the candidates: ridges of the fit and of the selection, the lasso, swaps, the adaptive ridge and the prior
// on categories.
func TestCandidates(t *testing.T) {
	squared := "0 0.0001 0.001 0.01 0.03 0.1 0.3 1 3 10 100"
	for name, c := range map[string]struct {
		r         Request
		f         Facts
		ridges    string
		selects   string
		swaps     bool
		swapRidge float64
		adaptive  bool
		poolings  int
	}{
		"numbers":                {r: Request{K: 5}, f: table(), ridges: squared, selects: "0 0.1 2", swaps: true, swapRidge: 1e-4, adaptive: true},
		"open":                   {f: table(), ridges: squared, selects: "0 0.1 2", swaps: true, swapRidge: 1e-4, adaptive: true},
		"quick and measured":     {r: Request{K: 5, Quick: true, Measure: true}, f: table(), ridges: "0", selects: "0"},
		"no contest":             {r: Request{K: 5}, f: table(large), ridges: "0", selects: "0"},
		"large and measured":     {r: Request{K: 5, Measure: true}, f: table(large), ridges: squared, selects: "0", swapRidge: 1e-4},
		"large and open":         {f: table(rows(1<<22/64+1), cols(64)), ridges: squared, selects: "0", swapRidge: 1e-4},
		"in a file and open":     {f: table(rows(1<<22/64+1), cols(64), inFile), ridges: "0", selects: "0"},
		"open without swaps":     {f: table(rows(2000), cols(64)), ridges: squared, selects: "0", swapRidge: 1e-4},
		"fewer rows, and open":   {f: table(rows(1999), cols(64)), ridges: squared, selects: "0 0.1 2", swaps: true, swapRidge: 1e-4, adaptive: true},
		"not solved":             {r: Request{K: 1000, Measure: true}, f: table(cols(2000)), ridges: "0", selects: "0"},
		"ridge given":            {r: Request{K: 5, Ridge: 0.5}, f: table(), ridges: "0.5", selects: "0.5", swaps: true, swapRidge: 0.5},
		"ridge switched off":     {r: Request{K: 5, Ridge: None}, f: table(), ridges: "0", selects: "0", swaps: true},
		"step given":             {r: Request{K: 5, Eta: 1}, f: table(), ridges: squared, selects: "0", swaps: true, swapRidge: 1e-4, adaptive: true},
		"many rows":              {r: Request{K: 5}, f: table(rows(2000)), ridges: squared, selects: "0", swaps: true, swapRidge: 1e-4, adaptive: true},
		"groups of columns":      {r: Request{K: 5}, f: table(wide), ridges: squared, selects: "0 0.1 2", swaps: true, swapRidge: 1e-4},
		"categories":             {r: Request{K: 5}, f: table(texts), ridges: squared, selects: "0 0.1 2", swaps: true, swapRidge: 1e-4, poolings: 2},
		"categories and quick":   {r: Request{K: 5, Quick: true, Measure: true}, f: table(texts), ridges: "0", selects: "0"},
		"more columns than rows": {r: Request{K: 5}, f: table(cols(401)), ridges: squared, selects: "0 0.1 2 lasso", swaps: true, swapRidge: 1e-4, adaptive: true},
		"as many":                {r: Request{K: 5}, f: table(cols(400)), ridges: squared, selects: "0 0.1 2", swaps: true, swapRidge: 1e-4, adaptive: true},
		"more groups than rows":  {r: Request{K: 5}, f: table(cols(401), wide), ridges: squared, selects: "0 0.1 2", swaps: true, swapRidge: 1e-4},
		"ridge given, wide":      {r: Request{K: 5, Ridge: 0.5}, f: table(cols(401)), ridges: "0.5", selects: "0.5 lasso", swaps: true, swapRidge: 0.5},
		"svm":                    {r: Request{K: 5}, f: table(named("svm")), ridges: "2.5e-05 0.00025 0.0025 0.0075 0.025 0.075 0.25 0.75 2.5 25", selects: "0 0.025 0.5", swaps: true, swapRidge: 0.25 / 400, adaptive: true},
		"logistic":               {r: Request{K: 5}, f: table(named("logistic"), rows(500)), ridges: "0.0001 0.00025 0.0025 0.0075 0.025 0.075 0.25 0.75 2.5 25", selects: "0.0001 0.025 0.5 lorenz", swaps: true, swapRidge: 5e-4, adaptive: true},
		"logistic, named":        {r: Request{K: 5, Loss: true}, f: table(named("logistic"), rows(500)), ridges: "0.0001 0.00025 0.0025 0.0075 0.025 0.075 0.25 0.75 2.5 25", selects: "0.0001 0.025 0.5", swaps: true, swapRidge: 5e-4, adaptive: true},
		"lines and curves":       {r: Request{K: 5}, f: table(bends), ridges: squared, selects: "0 0.1 2 5:0.00125 10:0.00125 20:0.00125", swaps: true, swapRidge: 1e-4, adaptive: true},
		"many rows, and curves":  {r: Request{K: 5}, f: table(bends, rows(4000)), ridges: squared, selects: "0 5:0.000125 10:0.000125 20:0.000125", swaps: true, swapRidge: 1e-4, adaptive: true},
		"ridge given, curves":    {r: Request{K: 5, Ridge: 0.5}, f: table(bends), ridges: "0.5", selects: "0.5 5:0.5 10:0.5 20:0.5", swaps: true, swapRidge: 0.5},
		"no ridge, no curves":    {r: Request{K: 5, Ridge: None}, f: table(bends), ridges: "0", selects: "0", swaps: true},
		"lines only":             {r: Request{K: 5, Lines: true}, f: table(bends), ridges: squared, selects: "0 0.1 2", swaps: true, swapRidge: 1e-4, adaptive: true},
		"many coefficients":      {r: Request{K: 100}, f: table(bends, rows(1500), cols(200)), ridges: squared, selects: "0 0.1 2 5:0.00033333333", swaps: true, swapRidge: 1e-4, adaptive: true},
		"curves":                 {r: Request{K: 5}, f: table(bins), ridges: "0.0001 0.001 0.01 0.03 0.1 0.3 1 3 10 100", selects: "0.0001 0.1 2", swaps: true, swapRidge: 0.00625},
		"curves of classes":      {r: Request{K: 5}, f: table(named("svm"), bins), ridges: "0.0001 0.00025 0.0025 0.0075 0.025 0.075 0.25 0.75 2.5 25", selects: "0.0001 0.025 0.5", swaps: true, swapRidge: 0.00625},
		"twice the least":        {r: Request{K: 5}, f: table(named("logistic"), rows(400)), ridges: "0.000125 0.0025 0.0075 0.025 0.075 0.25 0.75 2.5 25", selects: "0.000125 0.025 0.5 lorenz", swaps: true, swapRidge: 6.25e-4, adaptive: true},
	} {
		p := New(c.r, c.f)
		var ridges, selects []string
		for _, λ := range p.Ridges {
			ridges = append(ridges, fmt.Sprint(float32(λ)))
		}
		for _, s := range p.Selections {
			if s.Pooling != 1 || s.Descent != p.Recipe.Select.Descent {
				t.Errorf("%s: selection %+v", name, s)
			}
			switch {
			case s.Method == search.Lasso:
				selects = append(selects, "lasso")
			case s.Loss != "":
				selects = append(selects, s.Loss)
			case s.Bins > 0:
				selects = append(selects, fmt.Sprintf("%d:%v", s.Bins, float32(s.Ridge)))
			default:
				selects = append(selects, fmt.Sprint(float32(s.Ridge)))
			}
		}
		if got := strings.Join(ridges, " "); got != c.ridges {
			t.Errorf("%s: ridges %s, not %s", name, got, c.ridges)
		}
		if got := strings.Join(selects, " "); got != c.selects {
			t.Errorf("%s: selections %s, not %s", name, got, c.selects)
		}
		if p.Swaps != c.swaps || math.Abs(p.SwapRidge-c.swapRidge) > 1e-12 || p.Adaptive != c.adaptive || len(p.Poolings) != c.poolings {
			t.Errorf("%s: swaps %v with ridge %v, adaptive %v, poolings %v", name, p.Swaps, p.SwapRidge, p.Adaptive, p.Poolings)
		}
		if said := value(p, "bins") == "by contest"; said != strings.Contains(c.selects, ":") {
			t.Errorf("%s: said that curves compete: %v", name, said)
		}
		if said := value(p, "swaps") == "by contest"; said != c.swaps {
			t.Errorf("%s: said that swaps compete: %v", name, said)
		}
	}
}

// The plan sets the steps after the descent if there is no contest.
func TestSteps(t *testing.T) {
	quick := Request{K: 5, Quick: true}
	for name, c := range map[string]struct {
		r     Request
		f     Facts
		want  string // Hessian swaps, guard, polish
		why   string
		again bool
	}{
		"quick":                    {r: quick, f: table(), want: "true true false", why: "for better ones", again: true},
		"large":                    {r: Request{K: 5}, f: table(large), want: "true true false", why: "for better ones", again: true},
		"contest":                  {r: Request{K: 5}, f: table(), want: "false false false", why: "not worse out of fold", again: true},
		"contest of the direct":    {r: Request{K: 5, CurvePriors: true, Measure: true}, f: table(bins, rows(4000)), want: "true false false", why: "for better ones", again: true},
		"in a file":                {r: quick, f: table(inFile), want: "false false false", why: "sparse or in a file"},
		"ranking":                  {r: quick, f: table(named("rank"), wide), want: "false false false", why: "ranking"},
		"few rows":                 {r: quick, f: table(rows(59)), want: "false true false", why: "few rows per coefficient", again: true},
		"just enough rows":         {r: quick, f: table(rows(60)), want: "true true false", why: "better ones", again: true},
		"costly":                   {r: Request{K: 99, Quick: true}, f: table(rows(3356), cols(500)), want: "false true false", why: "longer than the fit", again: true},
		"not yet costly":           {r: Request{K: 99, Quick: true}, f: table(rows(3355), cols(500)), want: "true true false", why: "better ones", again: true},
		"a larger table":           {r: Request{K: 99, Quick: true}, f: table(rows(3356), cols(20000)), want: "true true false", why: "better ones", again: true},
		"ridge given":              {r: Request{K: 5, Quick: true, Ridge: 1}, f: table(), want: "true false false", why: "better ones", again: true},
		"no likelihood":            {r: quick, f: table(named("lorenz")), want: "true false false", why: "better ones", again: true},
		"no steps":                 {r: quick, f: table(named("svm"), rows(59)), want: "false false false", why: "few rows"},
		"polish":                   {r: Request{K: 5, Quick: true, Polish: true}, f: table(inFile), want: "false false true", again: true},
		"criterion":                {r: Request{Quick: true, Rule: "bic"}, f: table(inFile), want: "false false false", again: true},
		"groups of several":        {r: quick, f: table(wide, cols(150), func(f *Facts) { f.Groups = 20 }), want: "true true false", again: true},
		"groups of more":           {r: quick, f: table(wide, cols(160), func(f *Facts) { f.Groups = 20 }), want: "false true false", why: "few rows", again: true},
		"several outputs":          {r: quick, f: table(named("multinomial"), wide, rows(180), func(f *Facts) { f.Outputs = 3 }), want: "true true false", again: true},
		"several outputs, few":     {r: quick, f: table(named("multinomial"), wide, rows(179), func(f *Facts) { f.Outputs = 3 }), want: "false true false", again: true},
		"contest in a file":        {r: Request{K: 5, CurvePriors: true, Measure: true}, f: table(bins, inFile), want: "false false false", again: true},
		"criterion in a file":      {r: Request{CurvePriors: true, Quick: true, Rule: "bic"}, f: table(bins, inFile), want: "false false false", again: true},
		"measured, large, guarded": {r: Request{K: 5, Measure: true}, f: table(large), want: "false false false", again: true},
	} {
		p := New(c.r, c.f)
		r := p.Recipe
		if got := fmt.Sprint(r.HessianSwaps, r.Guard, r.Polish); got != c.want || !strings.Contains(why(p, "swaps"), c.why) {
			t.Errorf("%s: %s, not %s: %s", name, got, c.want, why(p, "swaps"))
		}
		if p.ReadsAgain() != c.again {
			t.Errorf("%s: reads again %v", name, !c.again)
		}
		for setting, yes := range map[string]bool{"guard": r.Guard, "polish": r.Polish, "swaps": p.Swaps || r.HessianSwaps} {
			if got := value(p, setting); (got == "no") == yes {
				t.Errorf("%s: said %s of %s", name, got, setting)
			}
		}
		if said := why(p, "guard"); strings.Contains(said, "is raised") != r.Guard {
			t.Errorf("%s: guard %s", name, said)
		}
	}
}

// Everything is said once, in the order in which it is decided.
func TestDecisions(t *testing.T) {
	p := New(Request{K: 5, Loss: true}, table())
	var settings []string
	for _, d := range p.Decisions {
		settings = append(settings, d.Setting)
	}
	if want := []string{"loss", "ridge", "batch", "iterations", "mu", "tolerance", "validation", "bins", "polish", "swaps", "guard"}; !slices.Equal(settings, want) {
		t.Errorf("%q, not %q", settings, want)
	}
	if value(p, "loss") != "squared" || why(p, "loss") != "given" || why(New(Request{}, table()), "loss") != "the target is numeric" {
		t.Errorf("loss: %s, %s", value(p, "loss"), why(p, "loss"))
	}
	if got := value(New(Request{Ridge: 0.125}, table()), "ridge"); got != "0.125" {
		t.Errorf("ridge: %s", got)
	}
}

// The huber loss has a contest of its own if targets are extreme, no loss was named and a contest is held.
func TestHuber(t *testing.T) {
	extreme := table()
	extreme.Extreme, extreme.InMemory = 3, true
	p := New(Request{}, extreme)
	if !p.Huber || value(p, "loss") != "squared or huber" || why(p, "loss") != "3 extreme target values: both are cross-validated" {
		t.Errorf("%v: %s, %s", p.Huber, value(p, "loss"), why(p, "loss"))
	}
	large, usual := extreme, extreme
	large.Rows, large.Effective, large.Cells, usual.Extreme = 1<<20, 1<<20, 1<<30, 0
	for name, p := range map[string]*Plan{
		"given": New(Request{Loss: true}, extreme), "quick": New(Request{K: 3, Quick: true}, extreme),
		"criterion": New(Request{Rule: "bic"}, extreme), "large": New(Request{}, large), "usual": New(Request{}, usual),
	} {
		if p.Huber || value(p, "loss") != "squared" {
			t.Errorf("%s: %v, %s", name, p.Huber, value(p, "loss"))
		}
	}
}

// A table has outliers if its extreme values lie further out than those of a minibatch would
// weigh, and a sparse one never has.
func TestOutliers(t *testing.T) {
	for name, c := range map[string]struct {
		columns []data.Column
		want    bool
	}{
		"at the limit":           {[]data.Column{{Mean: 1, SD: 2, Min: 1, Max: 1 + 2*math.Sqrt(500) - 1e-9}}, false},
		"above":                  {[]data.Column{{Mean: 1, SD: 2, Min: 1, Max: 1 + 2*math.Sqrt(500) + 1e-9}}, true},
		"below the mean":         {[]data.Column{{Mean: 1, SD: 2, Max: 1, Min: 1 - 2*math.Sqrt(500) - 1e-9}}, true},
		"the mean over columns":  {[]data.Column{{SD: 1, Max: 30}, {SD: 1, Max: 10}}, false},
		"the mean, above":        {[]data.Column{{SD: 1, Max: 30}, {SD: 1, Max: 11}}, true},
		"texts do not count":     {[]data.Column{{SD: 1, Max: 30}, {SD: 1, Max: 10}, {Text: true, SD: 1, Max: 100}}, false},
		"constants do not count": {[]data.Column{{SD: 1, Max: 30}, {SD: 0, Max: 10}}, true},
	} {
		d, err := data.FromRows(nil, 1, []float64{1, 2}, []float64{1, 2})
		if err != nil {
			t.Fatal(err)
		}
		d.Columns = c.columns
		if got := hasOutliers(d); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// No row of a sparse table has all extreme values.
func TestSparseOutliers(t *testing.T) {
	y := make([]float64, 2000)
	for i := range y {
		y[i] = float64(i)
	}
	for _, sparse := range []bool{false, true} {
		b := data.NewBuilder("one cell", &data.Schema{Width: 1, Sparse: sparse}, data.Roles{TargetVector: &data.Vector{Values: y}})
		block := &data.Block{Rows: len(y), Dense: make([]float64, len(y))}
		if block.Dense[0] = 1; sparse {
			block = &data.Block{Rows: len(y), Start: slices.Repeat([]int{1}, len(y)+1), Index: []uint32{0}, Value: []float64{1}}
			block.Start[0] = 0
		}
		if err := b.Add(block); err != nil {
			t.Fatal(err)
		}
		d, err := b.Dataset(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if hasOutliers(d) == sparse {
			t.Errorf("sparse %v: outliers %v", sparse, !sparse)
		}
	}
}

// The facts are those of the sample.
func TestFacts(t *testing.T) {
	ctx := context.Background()
	x := []float64{1, 2, 3, 5, 4, 1, 0, 2, 7, 7, 1, 3}
	d, err := data.FromRows(nil, 3, x, []float64{1, 2, 3, 4})
	if err != nil {
		t.Fatal(err)
	}
	design, err := d.Design(ctx, data.DesignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := &search.Sample{Design: design, Loss: loss.Squared{}, Kind: kind("squared"), Task: loss.Regression, Effective: 3, InMemory: true, Single: true, Categories: []float64{1}}
	if err := s.SetGroups(d, [][]string{{"x0", "x2"}}, []string{"x1"}); err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%+v", NewFacts(s, d, "squared"))
	for _, want := range []string{
		"Rows:4 Cols:3 Cells:12 Effective:3 Groups:2 Forced:1 Outputs:1 Bins:0 Task:regression", "LossName:squared Sparse:false InMemory:true Single:true Outliers:false Texts:true",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s: no %s", got, want)
		}
	}
	s.Categories = nil
	if f := NewFacts(s, d, ""); f.Texts {
		t.Error("there are categories")
	}
	// Curves need a sample that can have them, of lines in memory, that is not ranked.
	s.Curved = func(context.Context, int) (*search.Sample, error) { return nil, nil }
	for name, change := range map[string]func(*search.Sample){
		"all":         func(*search.Sample) {},
		"not curved":  func(s *search.Sample) { s.Curved = nil },
		"bins":        func(s *search.Sample) { curved := *s.Design; curved.Bins, s.Design = 5, &curved },
		"in a file":   func(s *search.Sample) { s.InMemory = false },
		"of rankings": func(s *search.Sample) { s.Task = loss.Ranking },
	} {
		other := *s
		change(&other)
		if got := NewFacts(&other, d, "").Bends; got != (name == "all") {
			t.Errorf("%s: curves are possible: %v", name, got)
		}
	}
	// Pairs need a sample that can have them, of one output, that is not ranked.
	s.WithInteractions = func(context.Context, []data.PairTerm) (*search.Sample, error) { return nil, nil }
	for name, change := range map[string]func(*search.Sample){
		"all":             func(*search.Sample) {},
		"not possible":    func(s *search.Sample) { s.WithInteractions = nil },
		"several outputs": func(s *search.Sample) { s.Loss = loss.Multinomial{Classes: 3} },
		"of rankings":     func(s *search.Sample) { s.Task = loss.Ranking },
	} {
		other := *s
		change(&other)
		if got := NewFacts(&other, d, "").Pairs; got != (name == "all") {
			t.Errorf("%s: pairs are possible: %v", name, got)
		}
	}
}

// Curves compete if the table can have them, with a ridge, where there are rows and coefficients for them.
func TestCurves(t *testing.T) {
	many := func(f *Facts) { rows(1900)(f); f.Bends, f.Outputs = true, 10 }
	for name, c := range map[string]struct {
		r    Request
		f    Facts
		want []int // bins
		why  string
	}{
		"open":             {f: table(bends), want: []int{5, 10, 20}, why: "if training rows bend"},
		"given":            {r: Request{K: 5}, f: table(bends), want: []int{5, 10, 20}, why: "if training rows bend"},
		"few rows":         {r: Request{K: 5}, f: table(bends, rows(61)), want: nil, why: "too few rows"},
		"rows for 5 bins":  {r: Request{K: 5}, f: table(bends, rows(62)), want: []int{5}, why: "if training rows bend"},
		"59 rows":          {r: Request{K: 1}, f: table(bends, rows(59)), want: nil, why: "too few rows"},
		"10 rows per knot": {r: Request{K: 1}, f: table(bends, rows(60)), want: []int{5}, why: "if training rows bend"},
		"k open, 109 rows": {f: table(bends, rows(109)), want: []int{5}, why: "if training rows bend"},
		"k open, 110 rows": {f: table(bends, rows(110)), want: []int{5, 10}, why: "if training rows bend"},
		"1000 to learn":    {r: Request{K: 9}, f: table(many, effective(1<<20)), want: []int{5, 10}, why: "if training rows bend"},
		"cannot be curved": {f: table(), want: nil, why: "need a dense numeric table"},
		"lines":            {r: Request{Lines: true}, f: table(bends), want: nil, why: "given"},
		"no ridge":         {r: Request{Ridge: None}, f: table(bends), want: nil, why: "too few rows"},
		"a weak ridge":     {r: Request{Ridge: 0.9e-4}, f: table(bends), want: nil, why: "too few rows"},
		"the least ridge":  {r: Request{Ridge: 1e-4}, f: table(bends), want: []int{5, 10, 20}, why: "if training rows bend"},
		"quick":            {r: Request{Quick: true}, f: table(bends), want: nil, why: "nothing is cross-validated"},
	} {
		p := New(c.r, c.f)
		var got []int
		for _, s := range p.Selections {
			if s.Bins > 0 {
				got = append(got, s.Bins)
			}
		}
		if !slices.Equal(got, c.want) || !strings.Contains(why(p, "bins"), c.why) {
			t.Errorf("%s: %v because %q, not %v", name, got, why(p, "bins"), c.want)
		}
	}
}

// Two classes whose loss was not named are also selected by a robust loss, under a ridge that was given.
func TestRobust(t *testing.T) {
	classes := named("logistic")
	for name, c := range map[string]struct {
		r     Request
		f     Facts
		want  bool
		ridge float64
	}{
		"two classes":   {f: table(classes), want: true},
		"a ridge":       {r: Request{Ridge: 0.3}, f: table(classes), want: true, ridge: 0.3},
		"no ridge":      {r: Request{Ridge: None}, f: table(classes), want: true},
		"a named loss":  {r: Request{Loss: true}, f: table(classes)},
		"many classes":  {f: table(named("multinomial"))},
		"numbers":       {f: table()},
		"sparse":        {f: table(classes, sparse)},
		"a given step":  {r: Request{Eta: 0.1}, f: table(classes)},
		"without folds": {r: Request{Quick: true}, f: table(classes)},
	} {
		p := New(c.r, c.f)
		at := slices.IndexFunc(p.Selections, func(s search.Selection) bool { return s.Loss != "" })
		if at >= 0 != c.want || c.want && (p.Selections[at].Loss != "lorenz" || p.Selections[at].Ridge != c.ridge || p.Selections[at].Descent == nil) {
			t.Errorf("%s: %v", name, p.Selections)
		}
	}
}

// A false discovery rate is kept by half samples, whose candidates the solver, the rows of the other half and the memory limit.
func TestDiscoveries(t *testing.T) {
	for name, c := range map[string]struct {
		f    Facts
		want int
	}{
		"few variables":   {table(), 50},
		"few rows":        {table(cols(5000)), 50},
		"by weight":       {table(cols(5000), effective(100)), 12},
		"solver":          {table(cols(5000), rows(30000)), 1000},
		"several outputs": {table(cols(5000), rows(30000), func(f *Facts) { f.Outputs = 4 }), 250},
		"many rows":       {table(cols(5000), rows(1<<16)), 512},
		"groups":          {table(cols(5000), func(f *Facts) { f.Groups = 1000 }), 10},
	} {
		p := New(Request{FDR: 0.1}, c.f)
		if p.Pairs != 10 || p.Size != c.want || !slices.Equal(p.Sizes, []int{c.want}) || p.Contest || p.Criterion() {
			t.Errorf("%s: %d pairs, size %d of %v, contest %v", name, p.Pairs, p.Size, p.Sizes, p.Contest)
		}
	}
}

// Interactions compete unasked if k is open and variables are few.
func TestInteractionsCompete(t *testing.T) {
	possible := func(f *Facts) { f.Pairs = true }
	for name, c := range map[string]struct {
		r    Request
		f    Facts
		want bool
		last int // largest size
	}{
		"open":            {Request{Pairs: true}, table(possible, cols(20)), true, 100},
		"few rows":        {Request{Pairs: true}, table(possible, cols(20), rows(100)), true, 50},
		"more variables":  {Request{Pairs: true}, table(possible, cols(200)), true, 100},
		"many variables":  {Request{Pairs: true}, table(possible, cols(201)), false, 100},
		"one variable":    {Request{Pairs: true}, table(possible, cols(1)), false, 1},
		"not possible":    {Request{Pairs: true}, table(cols(20)), false, 20},
		"not wanted":      {Request{}, table(possible, cols(20)), false, 20},
		"k is given":      {Request{Pairs: true, K: 5}, table(possible, cols(20)), false, 5},
		"quick":           {Request{Pairs: true, Quick: true}, table(possible, cols(20)), false, 20},
		"a criterion":     {Request{Pairs: true, Quick: true, Rule: "ebic"}, table(possible, cols(20)), false, 20},
		"sizes are given": {Request{Pairs: true, Sizes: []int{1, 5}}, table(possible, cols(20)), true, 5},
		"a large table":   {Request{Pairs: true}, table(possible, cols(43), rows(100000)), false, 43},
	} {
		p := New(c.r, c.f)
		if got := p.Interactions.Most > 0; got != c.want || (value(p, "interactions") == "by contest") != c.want || p.Sizes[len(p.Sizes)-1] != c.last {
			t.Errorf("%s: interactions compete: %v, sizes %v", name, got, p.Sizes)
		}
		if p.Size != min(c.last, c.f.Groups) {
			t.Errorf("%s: %d variables", name, p.Size)
		}
	}
}

// Pairs that were asked for are in every selection, which are then those by annealing.
func TestInteractionsGiven(t *testing.T) {
	find := search.Interactions{Most: 3, Heredity: search.Weak}
	for name, c := range map[string]struct {
		r     Request
		f     Facts
		last  int // largest size
		said  string
		knots int
	}{
		"open":       {Request{Interactions: find}, table(cols(4)), 7, "at most 3", 6},
		"few pairs":  {Request{Interactions: find}, table(cols(2)), 3, "at most 3", 6},
		"any number": {Request{Interactions: search.Interactions{Most: math.MaxInt32, Heredity: search.Strong}}, table(cols(5)), 15, "any number", 6},
		"lines":      {Request{Interactions: find, Lines: true}, table(cols(4)), 7, "at most 3", 0},
		"given":      {Request{Interactions: find, K: 5}, table(cols(4)), 5, "at most 3", 6},
		"wide":       {Request{Interactions: find, K: 5}, table(cols(401)), 5, "at most 3", 6},
		"classes":    {Request{Interactions: find, K: 5}, table(named("logistic"), cols(40)), 5, "at most 3", 6},
		"quick":      {Request{Interactions: find, K: 5, Quick: true}, table(cols(40)), 5, "at most 3", 6},
	} {
		want := c.r.Interactions
		want.Knots = c.knots
		p := New(c.r, c.f)
		if p.Size != c.last || value(p, "interactions") != c.said || p.Interactions.Most > 0 {
			t.Errorf("%s: %d terms, said %s; %v compete", name, p.Size, value(p, "interactions"), p.Interactions)
		}
		if p.Recipe.Select.Interactions != want || p.Recipe.Direct || p.Recipe.HessianSwaps || p.Recipe.Guard || p.Swaps {
			t.Errorf("%s: recipe %+v, swaps %v", name, p.Recipe, p.Swaps)
		}
		for _, s := range p.Selections {
			if s.Interactions != want || s.Method != search.Annealing || s.Loss != "" {
				t.Errorf("%s: selection %v", name, s)
			}
		}
	}
}

// The sizes beyond the number of variables grow by half, and pairs have knots unless lines are asked for.
func TestSizesOfInteractions(t *testing.T) {
	possible := func(f *Facts) { f.Pairs = true }
	for name, c := range map[string]struct {
		f    Facts
		want []int
	}{
		"two":          {table(possible, cols(2)), []int{0, 1, 2, 3}},
		"three":        {table(possible, cols(3)), []int{0, 1, 2, 3, 4, 6}},
		"eight":        {table(possible, cols(8)), []int{0, 1, 2, 3, 4, 6, 8, 12, 18, 27, 36}},
		"no more rows": {table(possible, cols(8), rows(16)), []int{0, 1, 2, 3, 4, 6, 8}},
		"few rows":     {table(possible, cols(8), rows(18)), []int{0, 1, 2, 3, 4, 6, 8, 9}},
	} {
		p := New(Request{Pairs: true}, c.f)
		if !slices.Equal(p.Sizes, c.want) || p.Interactions.Knots != 6 || p.Interactions.Heredity != search.Strong {
			t.Errorf("%s: sizes %v, interactions %v", name, p.Sizes, p.Interactions)
		}
	}
	if p := New(Request{Pairs: true, Lines: true}, table(possible, cols(8))); p.Interactions.Knots != 0 {
		t.Errorf("lines: %v", p.Interactions)
	}
}

// The losses are compared by lines alone, up to the number of variables.
func TestStraight(t *testing.T) {
	p := &Plan{Size: 3, Sizes: []int{0, 1, 3, 5}, Selections: []search.Selection{{Pooling: 1}, {Bins: 5}}, Poolings: []float64{0.1}, Interactions: search.Interactions{Most: 2}, Swaps: true, Adaptive: true, Roots: true, Huber: true, Open: true}
	got := p.Straight()
	if len(got.Selections) != 1 || got.Selections[0].Bins != 0 || got.Poolings != nil || got.Interactions.Most != 0 || got.Swaps || got.Adaptive || got.Roots || got.Huber || !got.Open || !slices.Equal(got.Sizes, []int{0, 1, 3}) {
		t.Errorf("%+v", got)
	}
	if len(p.Sizes) != 4 || !slices.Equal(p.Sizes, []int{0, 1, 3, 5}) || !p.Huber {
		t.Errorf("it changed the plan: %+v", p)
	}
}
