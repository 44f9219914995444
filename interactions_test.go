package fsa_test

import (
	"bytes"
	"context"
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

// pairTable returns a table of normal numbers whose target has main effects of 2·pairs variables and products of
// neighbouring ones, 0 × 1, 2 × 3 and so on.
func pairTable(t *testing.T, seed uint64, rows, cols, pairs int, main, noise float64) *data.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	var x, y []float64
	for range rows {
		row, z := make([]float64, cols), 0.0
		for j := range row {
			row[j] = rng.NormFloat64()
		}
		for p := range pairs {
			z += main*(row[2*p]+row[2*p+1]) + row[2*p]*row[2*p+1]
		}
		x, y = append(x, row...), append(y, z+noise*rng.NormFloat64())
	}
	d, err := data.FromRows(nil, cols, x, y)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// pairsOf lists the pairs of a model by the positions of their variables.
func pairsOf(m *model.Model) [][2]int {
	var list [][2]int
	for _, p := range m.Interactions() {
		list = append(list, [2]int{p.Variables[0].Index, p.Variables[1].Index})
	}
	slices.SortFunc(list, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return list
}

// There may be more pairs than variables, and the model does not depend on the number of threads.
func TestManyInteractions(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	var x, y []float64
	for range 500 {
		r := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		z := 0.5 * rng.NormFloat64()
		for a := range r {
			for b := range a {
				z += r[a] * r[b]
			}
		}
		x, y = append(x, r...), append(y, z)
	}
	d, err := data.FromRows(nil, 4, x, y)
	if err != nil {
		t.Fatal(err)
	}
	var first []byte
	for _, threads := range []int{1, 3} {
		m := fit(t, d, fsa.Options{Selection: fsa.Selection{Interactions: fsa.Interactions{Find: true}}, Run: fsa.Run{Threads: threads}})
		if len(m.Interactions()) != 6 || len(m.Selected()) != 4 {
			t.Fatalf("%d variables and the pairs %v", len(m.Selected()), pairsOf(m))
		}
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = file.Bytes()
		} else if !bytes.Equal(first, file.Bytes()) {
			t.Error("3 threads make another model than 1")
		}
	}
}

// A fit that is stopped repeatedly and continued gives the same model, to the last byte.
func TestResumedInteractions(t *testing.T) {
	fit := func(ctx context.Context, r *fsa.Record) ([]byte, error) {
		o := fsa.Options{K: 7, Selection: fsa.Selection{Interactions: fsa.Interactions{Find: true}}, Run: fsa.Run{Record: r}}
		m, err := fsa.Fit(ctx, pairTable(t, 1004, 300, 20, 2, 0.5, 0.5), o)
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		_, err = m.WriteTo(&b)
		return b.Bytes(), err
	}
	want, err := fit(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	record, stops := new(fsa.Record), 0
	for step := int64(100); ; step *= 3 {
		record.Always = true
		got, err := fit(endAfter(t.Context(), step), record)
		if err == nil {
			if !bytes.Equal(got, want) {
				t.Errorf("after %d stops the model is another:\n%s\n%s", stops, got, want)
			}
			break
		}
		stops++
	}
	if stops < 2 {
		t.Errorf("stopped only %d times", stops)
	}
}

// Both variables of a pair are selected with it, and no false pair.
func TestInteractions(t *testing.T) {
	for _, k := range []int{15, fsa.Auto} {
		d := pairTable(t, 1000, 1000, 60, 5, 0.3, 2.4)
		m := fit(t, d, fsa.Options{K: k, Selection: fsa.Selection{Interactions: fsa.Interactions{Find: true}}})
		if got := pairsOf(m); !slices.Equal(got, [][2]int{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}}) {
			t.Errorf("k = %d: pairs %v", k, got)
		}
		if n := len(m.Selected()); m.Training().K != n+5 {
			t.Errorf("k = %d: %d variables, 5 pairs and a size of %d", k, n, m.Training().K)
		}
		if got := indices(m); len(got) < 10 || !slices.Equal(got[:10], []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
			t.Errorf("k = %d: variables %v", k, got)
		}
	}
}

// Without main effects, weak heredity needs one variable of a pair and none needs neither.
func TestHeredity(t *testing.T) {
	d := pairTable(t, 1001, 1000, 30, 2, 0, 1)
	for _, c := range []struct {
		heredity string
		k        int
		pairs    int
		both     int // variables of the pairs
	}{
		{"strong", 6, 2, 4}, {"strong", 3, 1, 2}, {"strong", 2, 0, 0}, {"weak", 4, 2, 2}, {"weak", 2, 1, 1}, {"none", 2, 2, 0}, {"none", 1, 1, 0},
	} {
		m := fit(t, d, fsa.Options{K: c.k, Selection: fsa.Selection{Interactions: fsa.Interactions{Find: true, Heredity: c.heredity}}})
		parents := map[int]bool{}
		for _, p := range pairsOf(m) {
			parents[p[0]], parents[p[1]] = true, true
		}
		both := 0
		for _, j := range indices(m) {
			if parents[j] {
				both++
			}
		}
		if len(m.Interactions()) != c.pairs || both != c.both || len(m.Selected())+len(m.Interactions()) != c.k {
			t.Errorf("%s, k = %d: pairs %v with variables %v", c.heredity, c.k, pairsOf(m), indices(m))
		}
	}
}

// Most limits the number of pairs to the strongest ones, and a table without pairs gets none.
func TestMostInteractions(t *testing.T) {
	of := func(most int) fsa.Selection {
		return fsa.Selection{Interactions: fsa.Interactions{Find: true, Most: most}}
	}
	if got := pairsOf(fit(t, pairTable(t, 1002, 1000, 30, 4, 0.3, 1), fsa.Options{K: 12, Selection: of(2)})); len(got) != 2 {
		t.Errorf("at most 2: %v", got)
	}
	plain := pairTable(t, 1003, 1000, 30, 0, 0, 1)
	if got := pairsOf(fit(t, plain, fsa.Options{K: 5, Selection: of(0)})); len(got) != 0 {
		t.Errorf("of noise: %v", got)
	}
}

// The predictions of the saved model for the training rows are those by which it was measured.
func TestInteractionsPredict(t *testing.T) {
	for _, loss := range []string{"squared", "logistic", "poisson"} {
		rng := rand.New(rand.NewPCG(7, 7))
		var x, y []float64
		for range 800 {
			a, b, c := 1000+5*rng.NormFloat64(), 1e-3*rng.ExpFloat64(), rng.NormFloat64()
			z := (a-1000)/5*(1e3*b-1) + c + 0.3*rng.NormFloat64()
			switch loss {
			case "logistic":
				z = math.Copysign(1, z)
			case "poisson":
				z = math.Round(math.Exp(min(z, 4) / 2))
			}
			if rng.IntN(20) == 0 {
				a = math.NaN()
			}
			x, y = append(x, a, b, c), append(y, z)
		}
		d, err := data.FromRows(nil, 3, x, y)
		if err != nil {
			t.Fatal(err)
		}
		m := fit(t, d, fsa.Options{Loss: loss, K: 4, Selection: fsa.Selection{Interactions: fsa.Interactions{Find: true}}})
		if len(m.Interactions()) != 1 {
			t.Fatalf("%s: pairs %v", loss, pairsOf(m))
		}
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		again, err := model.Read(&file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := again.PredictDataset(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Metrics(d.Target)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range m.Training().Metrics {
			if math.Abs(got[name]-want) > 1e-5*math.Max(1, math.Abs(want)) {
				t.Errorf("%s: %s %v, want %v", loss, name, got[name], want)
			}
		}
	}
}

// The line of the largest category is that of the number, and the others say how they differ from it. With a line for
// every category, nothing would fix the level of their coefficients.
func TestInteractionOfText(t *testing.T) {
	const rows, seed = 600, 8
	rng := rand.New(rand.NewPCG(seed, 1))
	var cells, y []float64
	for i := range rows {
		text, x := float64(max(i%5-2, 0)), rng.NormFloat64() // three fifths have text 0
		cells = append(cells, text, x, rng.NormFloat64())
		y = append(y, (2+[]float64{0, 1, -3}[int(text)])*x+0.3*rng.NormFloat64())
	}
	schema := &data.Schema{Width: 3, Names: []string{"text", "x", "noise"}, Categories: map[int][]string{0: {"a", "b", "c"}}}
	b := data.NewBuilder("rows", schema, data.Roles{TargetVector: &data.Vector{Values: y}})
	if err := b.Add(&data.Block{Rows: rows, Dense: cells}); err != nil {
		t.Fatal(err)
	}
	d, err := b.Dataset(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m := fit(t, d, fsa.Options{K: 3, Selection: fsa.Selection{Interactions: fsa.Interactions{Find: true}}})
	if len(m.Interactions()) != 1 {
		t.Fatalf("pairs %v", pairsOf(m))
	}
	c := m.Interactions()[0].Coefficients[0]
	if c[0] != 0 || math.Abs(c[1]-1) > 0.2 || math.Abs(c[2]+3) > 0.2 {
		t.Errorf("coefficients %v, want 0, 1 and −3 (seed %d)", c, seed)
	}
}

// A surface of two numbers and a curve for each category are found where products and lines explain little. The predictions
// of the saved model are those by which it was measured, also with missing values. With --bins 0 there are none.
func TestSurfaces(t *testing.T) {
	const rows, seed = 900, 9
	rng := rand.New(rand.NewPCG(seed, 1))
	var cells, y []float64
	for i := range rows {
		text, a, b := float64(i%3), rng.NormFloat64(), 5+rng.NormFloat64()
		z := 0.3 * rng.NormFloat64()
		if text == 1 {
			z += 2 * math.Abs(a)
		}
		if math.Abs(a) < 0.7 && math.Abs(b-5) < 0.7 {
			z += 3
		}
		switch rng.IntN(30) {
		case 0:
			a = math.NaN()
		case 1:
			b = math.NaN()
		case 2:
			text = math.NaN()
		}
		cells, y = append(cells, text, a, b, rng.NormFloat64()), append(y, z)
	}
	schema := &data.Schema{Width: 4, Names: []string{"text", "a", "b", "noise"}, Categories: map[int][]string{0: {"x", "y", "z"}}}
	for _, lines := range []bool{false, true} {
		builder := data.NewBuilder("rows", schema, data.Roles{TargetVector: &data.Vector{Values: y}})
		if err := builder.Add(&data.Block{Rows: rows, Dense: cells}); err != nil {
			t.Fatal(err)
		}
		d, err := builder.Dataset(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		o := fsa.Options{K: 5, Selection: fsa.Selection{Interactions: fsa.Interactions{Find: true}}}
		if lines {
			o.Bins = fsa.None
		}
		m := fit(t, d, o)
		knots := 0
		for _, p := range m.Interactions() {
			if p.Variables[0].Knots != nil {
				knots++
			}
		}
		if lines && knots > 0 || !lines && (knots != 2 || len(m.Interactions()) != 2) {
			t.Fatalf("lines %v: %d of the pairs %v have knots (seed %d)", lines, knots, pairsOf(m), seed)
		}
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		again, err := model.Read(&file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := again.PredictDataset(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Metrics(d.Target)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range m.Training().Metrics {
			if math.Abs(got[name]-want) > 1e-5*math.Max(1, math.Abs(want)) {
				t.Errorf("%s %v, want %v", name, got[name], want)
			}
		}
	}
}

func TestInteractionsRefused(t *testing.T) {
	find := fsa.Interactions{Find: true}
	d := pairTable(t, 1, 100, 5, 1, 1, 1)
	for want, o := range map[string]fsa.Options{
		"unknown heredity":        {K: 3, Selection: fsa.Selection{Interactions: fsa.Interactions{Find: true, Heredity: "half"}}},
		"must not be negative":    {K: 3, Selection: fsa.Selection{Interactions: fsa.Interactions{Find: true, Most: -1}}},
		"ask for interactions":    {K: 3, Selection: fsa.Selection{Interactions: fsa.Interactions{Most: 3}}},
		"not looked for":          {K: 3, Selection: fsa.Selection{Interactions: fsa.Interactions{Among: [][]string{{"0", "1"}}}}},
		"are switched off":        {Selection: fsa.Selection{Interactions: fsa.Interactions{None: true, Among: [][]string{{"0", "1"}}}}},
		`no variable "9"`:         {Selection: fsa.Selection{Interactions: fsa.Interactions{Among: [][]string{{"0", "9"}}}}},
		"this is one variable":    {Selection: fsa.Selection{Interactions: fsa.Interactions{Among: [][]string{{"0"}}}}},
		"switched off":            {K: 3, Selection: fsa.Selection{Interactions: fsa.Interactions{None: true, Find: true}}},
		"polishing":               {K: 3, Selection: fsa.Selection{Interactions: find, Polish: true}},
		"constraints do not hold": {K: 3, Objective: fsa.Objective{Constraints: []fsa.Constraint{{Column: "0", Kind: "nonnegative"}}}, Selection: fsa.Selection{Interactions: find}},
		"false discovery rate":    {Selection: fsa.Selection{Interactions: find, FDR: 0.1}},
		"rivals are variables":    {K: 3, Selection: fsa.Selection{Interactions: find}, Validation: fsa.Validation{Rivals: true}},
		"stability":               {K: 3, Selection: fsa.Selection{Interactions: find}, Validation: fsa.Validation{Stability: 5}},
		"on the CPU only":         {K: 3, Selection: fsa.Selection{Interactions: find}, Run: fsa.Run{Device: fsa.DeviceAuto}},
	} {
		if _, err := fsa.Fit(t.Context(), d, o); !errors.Is(err, fsa.ErrOptions) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

// TestInteractionsAmong finds only pairs of which both variables are in one of the given sets, with folds and without.
func TestInteractionsAmong(t *testing.T) {
	d := pairTable(t, 5, 600, 8, 3, 0.5, 0.5)
	for name, c := range map[string]struct {
		options fsa.Options
		want    [][2]int
	}{
		"any":         {fsa.Options{Selection: fsa.Selection{Interactions: fsa.Interactions{Find: true}}}, [][2]int{{0, 1}, {2, 3}, {4, 5}}},
		"one set":     {fsa.Options{Selection: fsa.Selection{Interactions: fsa.Interactions{Find: true, Among: [][]string{{"1", "2", "3", "7"}}}}}, [][2]int{{2, 3}}},
		"two sets":    {fsa.Options{Selection: fsa.Selection{Interactions: fsa.Interactions{Find: true, Among: [][]string{{"0", "1", "2"}, {"3", "4", "5"}}}}}, [][2]int{{0, 1}, {4, 5}}},
		"none":        {fsa.Options{Selection: fsa.Selection{Interactions: fsa.Interactions{Find: true, Among: [][]string{{"6", "7"}}}}}, nil},
		"by contest":  {fsa.Options{Selection: fsa.Selection{Interactions: fsa.Interactions{Among: [][]string{{"1", "2", "3"}}}}}, [][2]int{{2, 3}}},
		"k is given":  {fsa.Options{K: 8, Selection: fsa.Selection{Interactions: fsa.Interactions{Find: true, Among: [][]string{{"4", "5", "6"}}}}}, [][2]int{{4, 5}}},
		"a quick fit": {fsa.Options{Quick: true, Selection: fsa.Selection{Interactions: fsa.Interactions{Find: true, Among: [][]string{{"0", "1"}}}}}, [][2]int{{0, 1}}},
	} {
		if got := pairsOf(fit(t, d, c.options)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
