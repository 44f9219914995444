package search

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fsa/anneal"
	"fsa/data"
	"fsa/internal/objective"
	"fsa/loss"
)

// cells is a small table from which samples are made.
type cells struct {
	cols, texts int // the first ones hold numbers of categories
	bins        int
	x, y, w     []float64
	groups      [][]string
	force       []string
	storage     data.Scale
}

// normal returns rows of correlated normal columns. The target is the sum of the first columns times their effects, plus
// noise.
func normal(seed uint64, rows, cols int, correlation, noise float64, effects ...float64) *cells {
	rng := rand.New(rand.NewPCG(seed, 5))
	c := &cells{cols: cols}
	for range rows {
		factor, y := rng.NormFloat64(), noise*rng.NormFloat64()
		for j := range cols {
			v := math.Sqrt(correlation)*factor + math.Sqrt(1-correlation)*rng.NormFloat64()
			if c.x = append(c.x, v); j < len(effects) {
				y += effects[j] * v
			}
		}
		c.y = append(c.y, y)
	}
	return c
}

// of converts the target for a loss.
func (c *cells) of(lossName string) *cells {
	to := *c
	to.y = slices.Clone(c.y)
	for i, v := range c.y {
		switch lossName {
		case "logistic", "svm", "lorenz":
			to.y[i] = math.Copysign(1, v)
		case "multinomial":
			to.y[i] = float64(min(max(int(math.Floor(v+1.5)), 0), 2))
		}
	}
	return &to
}

// holdOut gives every n-th row no weight.
func (c *cells) holdOut(n int) *cells {
	to := *c
	to.w = slices.Repeat([]float64{1}, len(c.y))
	for i := 0; i < len(to.w); i += n {
		to.w[i] = 0
	}
	return &to
}

func (c *cells) dataset(t testing.TB) *data.Dataset {
	t.Helper()
	schema := &data.Schema{Width: c.cols, Categories: map[int][]string{}}
	for j := range c.texts {
		for level := range 30 {
			schema.Categories[j] = append(schema.Categories[j], fmt.Sprint("t", level))
		}
	}
	roles := data.Roles{TargetVector: &data.Vector{Values: slices.Clone(c.y)}}
	if c.w != nil {
		roles.WeightVector = &data.Vector{Values: slices.Clone(c.w)}
	}
	b := data.NewBuilder("cells", schema, roles)
	if err := b.Add(&data.Block{Rows: len(c.y), Dense: c.x}); err != nil {
		t.Fatal(err)
	}
	d, err := b.Dataset(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// sample returns the sample of the rows that have a weight.
func (c *cells) sample(t testing.TB, lossName string) *Sample {
	t.Helper()
	d := c.dataset(t)
	kind, _ := loss.Named(lossName)
	design, err := d.Design(t.Context(), data.DesignOptions{Bins: c.bins, Scale: c.storage})
	if err != nil {
		t.Fatal(err)
	}
	rows := len(c.y)
	s := &Sample{
		Design: design, Loss: kind.New(loss.Params{Classes: 3, Spread: 1}), Kind: kind, Task: kind.Task,
		Target: objective.Target{Y: c.y, Weight: c.w}, Effective: Effective(c.w, rows), Counted: Counted(c.w, rows),
		InMemory: true, Margin: 0.1, Threads: 1, Device: NewDevice(nil, false), Journal: NewJournal(nil, ""), Meter: NewMeter(design.X.Cells()),
	}
	if kind.Task == loss.Classification {
		if s.Classes = 2; kind.Many {
			s.Classes = 3
		}
	}
	s.Single = s.Loss.Outputs() == 1 && c.texts+c.bins == 0 && c.groups == nil
	if err := s.SetGroups(d, c.groups, c.force); err != nil {
		t.Fatal(err)
	}
	if err := s.SetCategories(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Curved = func(_ context.Context, bins int) (*Sample, error) {
		curved := *c
		curved.bins = bins
		return curved.sample(t, lossName), nil
	}
	return s
}

// descent returns the settings of an ordinary descent with full batches.
func descent(s *Sample) *Descent {
	return &Descent{Batch: s.Rows(), Schedule: anneal.Inverse(20), Mu: 20, Epochs: 60, Momentum: 0.9}
}

func annealed(d *Descent, ridge float64) Recipe {
	return Recipe{Select: Selection{Method: Annealing, Ridge: ridge, Pooling: 1, Descent: d}, Ridge: ridge}
}

// ran runs a recipe on a new runner.
func ran(t testing.TB, s *Sample, sizes []int, r Recipe, size int) *Fit {
	t.Helper()
	f, err := NewRunner(s, sizes).Run(t.Context(), r, size)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func near(a, b, tolerance float64) bool {
	return math.Abs(a-b) <= tolerance*max(1, math.Abs(a), math.Abs(b))
}

// Weights that are whole numbers count as copies of rows, in units of their greatest common divisor.
func TestEffective(t *testing.T) {
	for _, c := range []struct {
		weight             []float64
		effective, counted int
	}{
		{nil, 7, 7},
		{[]float64{1, 1, 1}, 3, 3},
		{[]float64{1, 1, 2}, 4, 3},
		{[]float64{2, 2, 4}, 4, 3},
		{[]float64{6, 9}, 5, 2},
		{[]float64{3, 0, 6}, 3, 2},
		{[]float64{0, 0.5, 1}, 2, 2},
		{[]float64{1, 0.5, 3}, 3, 3},
		{[]float64{0, 0}, 0, 0},
		{[]float64{1, 1 << 31}, 2, 2},
		{[]float64{1, math.MaxInt32 - 2}, math.MaxInt32 - 1, 2},
		{[]float64{1, math.MaxInt32 - 1}, 2, 2},
	} {
		if got := Effective(c.weight, 7); got != c.effective {
			t.Errorf("%v: %d, not %d", c.weight, got, c.effective)
		}
		if got := Counted(c.weight, 7); got != c.counted {
			t.Errorf("%v: %d counted, not %d", c.weight, got, c.counted)
		}
	}
}

// The limits of Many and Refinable.
func TestManyAndRefinable(t *testing.T) {
	s := normal(1, 100, 3, 0, 1).sample(t, "squared")
	for n, want := range map[int]bool{9: true, 10: true, 11: false} {
		if s.Many(n) != want || s.Refinable(n, 0) != want || !s.Refinable(n, 0.1) {
			t.Errorf("%d coefficients", n)
		}
	}
	s.Effective = 1 << 15
	for n, want := range map[int]bool{32: true, 33: false} { // 2^25 cells are read
		if s.Refinable(n, 0) != want {
			t.Errorf("%d coefficients of many rows", n)
		}
	}
	if got, want := s.SelectionNoise(2), 1-math.Pow(3, -2./(1<<15)); !near(got, want, 1e-12) {
		t.Errorf("selection noise %v, not %v", got, want)
	}
}

// The loss unit is half the variance of a numeric target and ½ for balanced classes, whatever the unit of the weights.
func TestLossUnit(t *testing.T) {
	c := &cells{cols: 1, x: []float64{1, 2, 3, 5}, y: []float64{1, 1, 1, 5}}
	for _, w := range [][]float64{nil, {1, 1, 1, 1}, {2, 2, 2, 2}} {
		c.w = w
		if got := c.sample(t, "squared").LossUnit(t.Context()); !near(got, 1.5, 1e-9) { // the variance is 3
			t.Errorf("weights %v: %v", w, got)
		}
	}
	c.w = []float64{1, 1, 0, 2} // 1 1 5 5
	s := c.sample(t, "squared")
	if got := s.LossUnit(t.Context()); !near(got, 2, 1e-9) {
		t.Errorf("weights %v: %v", c.w, got)
	}
	slopes, weight := s.NullGradient(t.Context())
	if !slices.Equal(weight, c.w) || len(slopes) != 1 {
		t.Errorf("weights %v, %d outputs", weight, len(slopes))
	}
	for i, want := range []float64{2, 2, 0, -4} {
		if !near(slopes[0][i], want, 1e-9) {
			t.Errorf("slopes %v", slopes[0])
		}
	}
	c = &cells{cols: 1, x: []float64{1, 2, 3, 5}, y: []float64{-1, 1, -1, 1}}
	if got := c.sample(t, "logistic").LossUnit(t.Context()); !near(got, 0.5, 1e-9) {
		t.Errorf("classes: %v", got)
	}
	many := normal(1, 60, 2, 0, 1, 1).of("multinomial").sample(t, "multinomial")
	slopes, _ = many.NullGradient(t.Context())
	for c, s := range slopes {
		var sum, squares float64
		for _, v := range s {
			sum, squares = sum+v, squares+v*v
		}
		if len(s) != 60 || math.Abs(sum) > 1e-3 || squares == 0 {
			t.Errorf("output %d: slopes sum to %v", c, sum)
		}
	}
}

// The listed groups come first, in their order, then single variables. Forcing a variable forces its group.
func TestSetGroups(t *testing.T) {
	c := normal(1, 30, 5, 0, 1)
	for i := range c.y {
		c.x[i*5+4] = 7 // constant
	}
	for name, of := range map[string]struct {
		groups [][]string
		force  []string
		want   string
		err    string
	}{
		"none":                 {want: "[0] [1] [2] [3] forced []"},
		"lists":                {groups: [][]string{{"x2", "x0"}}, want: "[2 0] [1] [3] forced []"},
		"two lists":            {groups: [][]string{{"x3"}, {"x1", "x2"}}, want: "[3] [1 2] [0] forced []"},
		"constants":            {groups: [][]string{{"x4"}, {"x1", "x4"}}, want: "[1] [0] [2] [3] forced []"},
		"forced":               {force: []string{"x3", "x0"}, want: "[0] [1] [2] [3] forced [3 0]"},
		"forced by its group":  {groups: [][]string{{"x2", "x3"}}, force: []string{"x3", "x2", "x1"}, want: "[2 3] [0] [1] forced [0 2]"},
		"unknown":              {groups: [][]string{{"x9"}}, err: `there is no variable "x9", which a group lists, in cells`},
		"twice":                {groups: [][]string{{"x1"}, {"x2", "x1"}}, err: `variable "x1" is listed twice in the groups`},
		"unknown and forced":   {force: []string{"x9"}, err: `there is no variable "x9", which must be selected, in cells`},
		"a constant is forced": {force: []string{"x4"}, err: `variable "x4" cannot be forced: it takes one value only`},
	} {
		s := c.sample(t, "squared")
		err := s.SetGroups(c.dataset(t), of.groups, of.force)
		if fmt.Sprint(err) != of.err && (err != nil || of.err != "") {
			t.Errorf("%s: the error is %v", name, err)
		}
		if err != nil {
			continue
		}
		var list []string
		for g := range s.Groups.Count() {
			list = append(list, fmt.Sprint(s.Groups.Of(g)))
		}
		if got := fmt.Sprintf("%s forced %v", strings.Join(list, " "), s.Force); got != of.want {
			t.Errorf("%s: %s, not %s", name, got, of.want)
		}
	}
}

// A number and its missing-value indicator stay in one group, also if a list names the column.
func TestSetGroupsOfParts(t *testing.T) {
	c := normal(1, 80, 3, 0, 0.1, 1)
	for i := range c.y {
		if i%2 == 0 {
			c.x[i*3+1], c.y[i] = math.NaN(), c.y[i]+5
		}
	}
	d := c.dataset(t)
	if !d.HasParts() {
		t.Fatal("nothing has parts")
	}
	s := c.sample(t, "squared")
	columns := func(g int) (list []int) {
		for _, v := range s.Groups.Of(g) {
			list = append(list, d.Columns[s.Design.Variables[v]].Index)
		}
		return list
	}
	if s.Groups.Count() != 3 || !slices.Equal(columns(1), []int{1, 1}) {
		t.Errorf("%d groups, the second of %v", s.Groups.Count(), columns(1))
	}
	if err := s.SetGroups(d, [][]string{{"x1", "x2"}}, []string{"x1"}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(columns(0), []int{1, 1, 2}) || s.Groups.Count() != 2 || !slices.Equal(s.Force, []int{0}) {
		t.Errorf("%d groups, the first of %v, forced %v", s.Groups.Count(), columns(0), s.Force)
	}
}

// Columns of a sparse table without any cell may be named in groups but cannot be forced.
func TestSetGroupsOfEmptyColumns(t *testing.T) {
	const rows = 20
	block := &data.Block{Rows: rows, Start: []int{0}}
	y := make([]float64, rows)
	for i := range y {
		y[i] = float64(i % 7)
		block.Index, block.Value = append(block.Index, uint32(2*(i%2))), append(block.Value, float64(i+1))
		block.Start = append(block.Start, len(block.Index))
	}
	b := data.NewBuilder("sparse", &data.Schema{Width: 3, Sparse: true}, data.Roles{TargetVector: &data.Vector{Values: y}})
	if err := b.Add(block); err != nil {
		t.Fatal(err)
	}
	d, err := b.Dataset(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	design, err := d.Design(t.Context(), data.DesignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !d.Empty("x1") {
		t.Fatal("the column has cells")
	}
	s := &Sample{Design: design}
	if err := s.SetGroups(d, [][]string{{"x1", "x2"}}, nil); err != nil || s.Groups.Count() != 2 || len(s.Groups.Of(0)) != 1 || design.Variables[s.Groups.Of(0)[0]] != d.Lookup("x2") {
		t.Errorf("%d groups: %v", s.Groups.Count(), err)
	}
	if err := s.SetGroups(d, nil, []string{"x1"}); err == nil {
		t.Error("a column without cells was forced")
	}
}

// Columns and GroupsOf are inverse to each other.
func TestColumns(t *testing.T) {
	c := normal(1, 30, 5, 0, 1)
	c.groups = [][]string{{"x3", "x1"}}
	s := c.sample(t, "squared") // x3 and x1, x0, x2, x4
	if got := s.Columns([]int{0, 2}); !slices.Equal(got, []int{3, 2}) {
		t.Errorf("columns %v", got)
	}
	if got := s.GroupsOf([]int{4, 3, 1}); !slices.Equal(got, []int{0, 3}) {
		t.Errorf("groups %v", got)
	}
}

// The weight of a group is the root mean square of the weights of its variables.
func TestGroupWeight(t *testing.T) {
	c := normal(1, 50, 3, 0, 1)
	for i := range c.y {
		c.x[i*3+1] *= 16
		c.x[i*3+2] *= 81
	}
	c.storage = data.ScaleRoot
	s := c.sample(t, "squared")
	var squares []float64
	for j := range 3 {
		if got := s.groupWeight(j); got != s.Design.Weight(j) || got == 1 {
			t.Errorf("weight %v of variable %d", got, j)
		}
		squares = append(squares, s.Design.Weight(j)*s.Design.Weight(j))
	}
	c.groups = [][]string{{"x0", "x2"}}
	if got, want := c.sample(t, "squared").groupWeight(0), math.Sqrt((squares[0]+squares[2])/2); !near(got, want, 1e-12) {
		t.Errorf("weight %v, not %v", got, want)
	}
}

// Keys depend on the content of rows, not on the order of rows or columns or on units.
func TestKeys(t *testing.T) {
	const rows, cols = 40, 4
	c := normal(3, rows, cols, 0.3, 1, 1, 2)
	for j := range cols { // two equal rows
		c.x[7*cols+j] = c.x[3*cols+j]
	}
	c.y[7] = c.y[3]
	keys := func(c *cells) []uint64 {
		t.Helper()
		k, err := c.sample(t, "squared").Keys(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	want := keys(c)
	if want[3] != want[7] {
		t.Error("equal rows have different keys")
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(want)))
	if len(sorted) != rows-1 || sorted[0] != 0 || sorted[rows-2] != rows-2 {
		t.Errorf("keys %v", want)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	order, columns := rng.Perm(rows), rng.Perm(cols)
	other := &cells{cols: cols}
	for _, i := range order {
		for _, j := range columns {
			other.x = append(other.x, 3*c.x[i*cols+j]+float64(j))
		}
		other.y = append(other.y, c.y[i])
	}
	got := keys(other)
	for at, i := range order {
		if got[at] != want[i] {
			t.Errorf("row %d has key %d, not %d", i, got[at], want[i])
		}
	}
	// Rows without a weight do not change the keys of others, and only the proportions of weights matter.
	more := *c
	more.x, more.y = slices.Concat(c.x, c.x[:cols*5]), slices.Concat(c.y, []float64{9, 9, 9, 9, 9})
	for _, unit := range []float64{1, 4} {
		more.w = slices.Concat(slices.Repeat([]float64{unit}, rows), make([]float64, 5))
		if got := keys(&more); !slices.Equal(got[:rows], want) {
			t.Errorf("with rows without a weight: %v, not %v", got[:rows], want)
		}
	}
	for _, far := range []float64{100, -100} { // one of them comes before all others, the other after them
		more.x, more.y, more.w = nil, slices.Concat([]float64{9}, c.y), slices.Concat([]float64{0}, slices.Repeat([]float64{1}, rows))
		for j := range cols {
			more.x = append(more.x, far*c.x[j])
		}
		more.x = append(more.x, c.x...)
		if got := keys(&more); !slices.Equal(got[1:], want) {
			t.Errorf("after a row without a weight: %v, not %v", got[1:], want)
		}
	}
}

// Categories without an effect are shrunk to almost zero, those with a clear effect hardly, and a column with few
// categories gets the default pseudo-count.
func TestSetCategories(t *testing.T) {
	const rows = 300
	c := normal(4, rows, 4, 0, 1)
	c.texts = 3
	for i := range rows {
		c.x[i*4], c.x[i*4+1], c.x[i*4+2] = float64(i%30), float64(i/10), float64(i%3)
		c.y[i] += 4 * math.Sin(float64((i/10)*(i/10)))
	}
	s := c.sample(t, "squared")
	if len(s.Categories) != 3 {
		t.Fatalf("%v", s.Categories)
	}
	if !near(s.Categories[0], rows, 0.01) || s.Categories[1] != 1 || s.Categories[2] != 1 {
		t.Errorf("pseudo-counts %v", s.Categories)
	}
	half := s.WithPooling(0.5)
	for i, rows := range s.Categories {
		if half.Categories[i] != rows/2 {
			t.Errorf("half of %v is %v", rows, half.Categories[i])
		}
	}
	if s.WithPooling(1) != s {
		t.Error("WithPooling(1) returns another sample")
	}
	if s := normal(4, rows, 4, 0, 1).sample(t, "squared"); s.Categories != nil || s.WithPooling(0.5) != s {
		t.Errorf("without texts: %v", s.Categories)
	}
	// A row of weight 2 counts as two rows.
	c.w = slices.Repeat([]float64{2}, rows)
	c.w[0] = 1
	twice := *c
	twice.w = nil
	twice.x, twice.y = slices.Concat(c.x, c.x[4:]), slices.Concat(c.y, c.y[1:])
	a, b := c.sample(t, "squared").Categories, twice.sample(t, "squared").Categories
	for i := range a {
		if !near(a[i], b[i], 1e-6) {
			t.Errorf("weights: %v, rows: %v", a, b)
		}
	}
}

// The pseudo-count by analysis of variance, for 10 categories of 10 rows whose mean squares have the ratio F. With
// chance = 7/9 it is 10·chance/(F − chance), at least one row and at most the number of rows.
func TestShrinkage(t *testing.T) {
	for name, c := range map[string]struct {
		a    anova
		want float64
	}{
		"three categories":   {anova{rows: 30, weight: 30, total: 100, categories: 3, between: 90, squares: 300}, 1},
		"no effect":          {anova{rows: 100, weight: 100, total: 99, categories: 10, between: 9, squares: 1000}, 35},
		"some effect":        {anova{rows: 100, weight: 100, total: 117, categories: 10, between: 27, squares: 1000}, 3.5},
		"much effect":        {anova{rows: 100, weight: 100, total: 990, categories: 10, between: 900, squares: 1000}, 1},
		"a row each":         {anova{rows: 10, weight: 10, total: 20, categories: 10, between: 20, squares: 10}, 10},
		"weights of 3":       {anova{rows: 100, weight: 300, total: 117, categories: 10, between: 27, squares: 9000}, 3.5},
		"nothing is left":    {anova{rows: 100, weight: 100, total: 27, categories: 10, between: 27, squares: 1000}, 1},
		"below chance":       {anova{rows: 100, weight: 100, total: 90 + 9*0.777, categories: 10, between: 9 * 0.777, squares: 1000}, 100},
		"just above chance":  {anova{rows: 100, weight: 100, total: 90 + 9*0.8, categories: 10, between: 9 * 0.8, squares: 1000}, 100},
		"above chance":       {anova{rows: 100, weight: 100, total: 90 + 9*0.877777778, categories: 10, between: 9 * 0.877777778, squares: 1000}, 77.7777778},
		"four categories":    {anova{rows: 40, weight: 40, total: 36 + 30, categories: 4, between: 30, squares: 400}, 1},
		"four, hardly apart": {anova{rows: 40, weight: 40, total: 36 + 6, categories: 4, between: 6, squares: 400}, 2},
	} {
		if got := c.a.shrinkage(); !near(got, c.want, 1e-4) {
			t.Errorf("%s: %v, not %v", name, got, c.want)
		}
	}
	var a anova
	a.category(0, [][]float64{{5}}, 0)
	a.category(2, [][]float64{{0, 6}, {0, 4}}, 1)
	if want := (anova{categories: 1, between: 18 + 8, squares: 4}); a != want {
		t.Errorf("%+v, not %+v", a, want)
	}
}

// The fingerprint changes with the data.
func TestFingerprint(t *testing.T) {
	base := normal(5, 50, 3, 0, 1, 1)
	print := func(c *cells, whole bool) string {
		t.Helper()
		d := c.dataset(t)
		got, err := c.sample(t, "squared").Fingerprint(t.Context(), d, nil, whole)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	want, parts := print(base, true), print(base, false)
	if want != print(base, true) || want == parts || len(want) != 32 {
		t.Errorf("%s and %s", want, parts)
	}
	change := func(f func(c *cells)) *cells {
		c := *base
		c.x, c.y = slices.Clone(c.x), slices.Clone(c.y)
		f(&c)
		return &c
	}
	for name, c := range map[string]*cells{
		"a cell":     change(func(c *cells) { c.x[4] += 0.5 }),
		"a response": change(func(c *cells) { c.y[4] += 0.5 }),
		"a weight":   change(func(c *cells) { c.w = slices.Repeat([]float64{1}, 50); c.w[3] = 1 }),
		"groups":     change(func(c *cells) { c.groups = [][]string{{"x0", "x1"}} }),
		"a text": change(func(c *cells) {
			c.texts = 1
			c.x[0] = 3
			for i := range c.y {
				c.x[i*3] = float64(i % 4)
			}
		}),
	} {
		if print(c, true) == want || print(c, false) == parts {
			t.Errorf("%s do not change the fingerprint", name)
		}
	}
	if one, other := change(func(c *cells) { c.groups = [][]string{{"x0", "x1"}} }), change(func(c *cells) { c.groups = [][]string{{"x0", "x2"}} }); print(one, true) == print(other, true) {
		t.Error("the columns of a group do not change the fingerprint")
	}
	// Swapping two cells of a column changes the fingerprint in a process that has the whole table.
	for _, row := range []int{1, 15} {
		c := change(func(c *cells) { c.x[0], c.x[row*3] = c.x[row*3], c.x[0] })
		if print(c, true) == want {
			t.Errorf("the cells of row %d do not change the fingerprint", row)
		}
	}
	joined := func(f func(h hasher)) string {
		h := hasher{sha256.New()}
		f(h)
		return string(h.Sum(nil))
	}
	if joined(func(h hasher) { h.text("ab"); h.text("c") }) == joined(func(h hasher) { h.text("a"); h.text("bc") }) {
		t.Error("the boundary between texts is lost")
	}
	if joined(func(h hasher) { h.floats([]float64{0}); h.floats(nil) }) == joined(func(h hasher) { h.floats(nil); h.floats([]float64{0}) }) {
		t.Error("the boundary between numbers is lost")
	}
	s := base.sample(t, "squared")
	d := base.dataset(t)
	d.Columns[1].Missing++
	if gap, _ := s.Fingerprint(t.Context(), d, nil, true); gap == want {
		t.Error("a missing cell does not change the fingerprint")
	}
	d.Columns[1].Missing--
	for _, list := range []*[]float64{&d.Target.Event, &d.Target.Stratum, &d.Target.Entry, &d.Target.Group} {
		*list = make([]float64, 50)
		before, _ := s.Fingerprint(t.Context(), d, nil, true)
		(*list)[7] = 1
		if after, _ := s.Fingerprint(t.Context(), d, nil, true); after == before || before == want {
			t.Error("an event, stratum, entry or group of rows does not change the fingerprint")
		}
		*list = nil
	}
	s.Limits = &Limits{Of: map[int]Limit{1: Free}, Others: Free}
	before, _ := s.Fingerprint(t.Context(), d, nil, true)
	s.Limits.Of[1] = Limit{Lower: 0, Upper: math.Inf(1)}
	if after, _ := s.Fingerprint(t.Context(), d, nil, true); after == before || before == want {
		t.Error("a limit does not change the fingerprint")
	}
	s.Limits = nil
	seen, folds := []string{want}, []float64(nil)
	differs := func(what string, change func()) {
		t.Helper()
		change()
		got, err := s.Fingerprint(t.Context(), d, folds, true)
		if err != nil || slices.Contains(seen, got) {
			t.Errorf("%s: the fingerprint is not new: %v", what, err)
		}
		seen = append(seen, got)
	}
	differs("folds", func() { folds = []float64{0, 1, 0} })
	differs("the fold of a row", func() { folds[2] = 1 })
	folds = nil
	differs("prices", func() {
		s.Spending = &Spending{Item: map[int]int{0: 0, 1: 1}, Prices: []float64{1, 2}, Budgets: []float64{3}}
	})
	differs("a price", func() { s.Spending.Prices[1] = 3 })
	differs("what a column belongs to", func() { s.Spending.Item = map[int]int{0: 1, 1: 0} })
	differs("a budget", func() { s.Spending.Budgets[0] = 4 })
	differs("quotas", func() { s.Spending, s.Quotas, s.quotaOf = nil, []Quota{{Most: 2}}, []int{0, 0, -1} })
	differs("a quota", func() { s.Quotas[0].Most = 1 })
	differs("its smallest number", func() { s.Quotas[0].Least = 1 })
	differs("its columns", func() { s.quotaOf = []int{0, -1, 0} })
	s.Quotas, s.quotaOf = nil, nil
	differs("an offset", func() { s.Target.Offset = make([]float64, 50) })
	differs("an offset of a row", func() { s.Target.Offset[7] = 1 })
	s.Target.Offset = nil
	differs("several targets", func() { d.Target.Each = []data.Vector{{Name: "a", Values: []float64{1, 2}}} })
	differs("the name of a target", func() { d.Target.Each[0].Name = "b" })
	differs("the value of a target", func() { d.Target.Each[0].Values[1] = 3 })
	d.Target.Each = nil
	s.Target.Query = []int{1}
	queries, _ := s.Fingerprint(t.Context(), d, nil, true)
	s.Target.Pairs = []loss.Pair{{I: 1, J: 2, R: 0.5}}
	pairs, _ := s.Fingerprint(t.Context(), d, nil, true)
	s.Target.Pairs[0].R = 0.6
	strengths, _ := s.Fingerprint(t.Context(), d, nil, true)
	s.Target.Pairs[0].I = 3
	others, _ := s.Fingerprint(t.Context(), d, nil, true)
	if list := []string{want, queries, pairs, strengths, others}; len(slices.Compact(slices.Sorted(slices.Values(list)))) != 5 {
		t.Errorf("queries or pairs do not change the fingerprint: %v", list)
	}
}

// bounds returns the smallest and the largest size above 0.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		sizes       []int
		least, most int
	}{
		{[]int{0}, 0, 0}, {[]int{0, 3}, 3, 3}, {[]int{3, 0}, 3, 3}, {[]int{5, 2, 4}, 2, 5}, {[]int{0, 1, 20}, 1, 8}, {[]int{20}, 8, 8}, {nil, 0, 0},
	} {
		if least, most := bounds(c.sizes, 8); least != c.least || most != c.most {
			t.Errorf("%v: %d to %d", c.sizes, least, most)
		}
	}
	if got := all(3); !slices.Equal(got, []int{0, 1, 2}) {
		t.Error(got)
	}
}
