package record

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"fsa"
	"fsa/anneal"
	"fsa/data"
)

// progress returns an epoch after which the first n variables of a million are left.
func progress(number, alive int) fsa.Progress {
	e := anneal.Epoch{Epoch: number, Groups: alive, Loss: 1 / float64(number), Alive: make([]int, alive), Beta: make([]float64, alive), Layout: anneal.Uniform(alive, 1, 0)}
	for i := range e.Alive {
		e.Alive[i], e.Beta[i] = i, float64(number)/float64(i+1)
	}
	return fsa.Progress{Epoch: e, Variable: func(g int) int { return 2 * g }}
}

// However wide the table and however many the epochs, little is recorded: the first epochs, the
// last one, the selected lines and those that were dropped last.
func TestDescentIsThin(t *testing.T) {
	var d Descent
	for e := 1; e <= 100_000; e++ {
		d.Add(progress(e, max(10, 1000000/(e*e*e))))
	}
	p := d.Path([]int{0, 2, 18}, strconv.Itoa, func(v int) int { return v / 2 })
	if n := len(p.Epochs); n > kept+1 || p.Epochs[0] != 1 || p.Epochs[n-1] != 100_000 || len(p.Alive) != n || len(p.Loss) != n {
		t.Errorf("%d epochs from %d to %d", n, p.Epochs[0], p.Epochs[n-1])
	}
	if len(p.Lines) != 3+nearly || !p.Lines[0].Chosen || p.Lines[0].Left != 0 || p.Lines[2].Index != 9 {
		t.Fatalf("%d lines, the first is %+v", len(p.Lines), p.Lines[0])
	}
	if l := p.Lines[3]; l.Chosen || l.Name != "20" || l.Left != 45 { // 10⁶/45³ is the first below 11
		t.Errorf("the last that left is %s in epoch %d", l.Name, l.Left)
	}
	for _, l := range p.Lines {
		if l.From+len(l.Values) > len(p.Epochs) || len(l.Values) == 0 {
			t.Errorf("%s has %d values from epoch %d of %d on", l.Name, len(l.Values), l.From, len(p.Epochs))
		}
	}
}

// The path shows the second search, which begins with more variables.
func TestDescentBeginsAgain(t *testing.T) {
	var d Descent
	for e := 1; e <= 5; e++ {
		d.Add(progress(e, 20-e))
	}
	for e := 6; e <= 10; e++ {
		d.Add(progress(e, 40-e))
	}
	p := d.Path(nil, strconv.Itoa, func(v int) int { return v })
	if !slices.Equal(p.Epochs, []int{6, 7, 8, 9, 10}) || !slices.Equal(p.Alive, []int{34, 33, 32, 31, 30}) {
		t.Errorf("epochs %v with %v variables", p.Epochs, p.Alive)
	}
}

func TestDensity(t *testing.T) {
	nan := math.NaN()
	d := density([]float64{0, 1, 2, nan, 4, 4}, nil)
	if d.Missing != 1 || d.Rows != 6 || d.Counts[0] != 1 || d.Counts[bars-1] != 2 || d.Counts[10] != 1 || d.Edges[0] != 0 || d.Edges[bars] != 4 {
		t.Errorf("numbers: %+v", d)
	}
	d = density([]float64{0, 1, 1, nan, 2}, []string{"a", "<b>", ""})
	if d.Missing != 2 || len(d.Levels) != 2 || d.Levels[0].Text != "<b>" || d.Levels[0].Rows != 2 {
		t.Errorf("texts: %+v", d)
	}
}

// The effects of the variables in a row sum to its decision value, and correlations are those of
// the columns.
func TestLook(t *testing.T) {
	const n = 80
	var x, y []float64
	for i := range n {
		a, b := math.Sin(float64(i)), math.Cos(float64(3*i))
		x, y = append(x, a, b, -a), append(y, 2*a+b*b)
	}
	table, err := data.FromRows([]string{"a", "b", "c"}, 3, x, y)
	if err != nil {
		t.Fatal(err)
	}
	m, err := fsa.Fit(t.Context(), table, fsa.Options{K: 2, Bins: 4, Quick: true})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Inspect(t.Context(), m, table, []int{2}, true)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Examples.Rows) < 5 || len(f.Densities.Variables) != 2 {
		t.Fatalf("%d examples, %d densities", len(f.Examples.Rows), len(f.Densities.Variables))
	}
	for _, r := range f.Examples.Rows {
		sum := f.Examples.Intercept[0]
		for _, v := range r.Adds {
			sum += v
		}
		if math.Abs(sum-r.Decision) > 1e-3 {
			t.Errorf("row %d: %v instead of %v", r.Row, sum, r.Decision)
		}
	}
	c := f.Correlation
	if at := slices.Index(c.Names, "a"); c.Values[at][2] != -1 || c.Values[2][2] != 1 || c.Chosen != 2 {
		t.Errorf("correlations %v of %v", c.Values, c.Names)
	}
	if f, err = Inspect(t.Context(), m, table, nil, false); err != nil || f.Examples != nil {
		t.Errorf("examples that were not wanted: %v, %v", f.Examples, err)
	}
}
