package model_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"fsa/internal/modeltest"
	"fsa/model"
)

// value evaluates a part at a number, by what the fields of model.Term say.
func value(p *model.Term, c int, x float64) float64 {
	at := p.Coefficients[c]
	if x != x {
		return p.Missing[c]
	}
	last := len(p.Knots) - 1
	switch p.Kind {
	case model.Linear:
		return 2 * at[0] * (min(max(x, p.Low), p.High)/2 - p.Center/2)
	case model.Steps:
		bin := 0
		for bin+1 < last && x >= p.Knots[bin+1] {
			bin++
		}
		return at[bin]
	}
	x = min(max(x, p.Knots[0]), p.Knots[last])
	bin, alpha := 0, 0.0
	if p.Even {
		place := (x/2 - p.Knots[0]/2) / (p.Knots[last]/2 - p.Knots[0]/2) * float64(last)
		bin = min(int(place), last-1)
		alpha = place - float64(bin)
	} else {
		for bin+1 < last && x > p.Knots[bin+1] {
			bin++
		}
		alpha = (x - p.Knots[bin]) / (p.Knots[bin+1] - p.Knots[bin])
	}
	return (1-alpha)*at[bin] + alpha*at[bin+1]
}

// awkward returns numbers around the places where a term changes.
func awkward(rng *rand.Rand, p *model.Term) []float64 {
	x := []float64{math.NaN(), 0, -1e250, 1e250, p.Center}
	for _, k := range p.Knots {
		x = append(x, k, math.Nextafter(k, math.Inf(-1)), math.Nextafter(k, math.Inf(1)))
	}
	for range 20 {
		x = append(x, 10*rng.NormFloat64())
	}
	return x
}

// models returns models that were learned and models made by hand.
func models(t *testing.T) map[string]*model.Model {
	t.Helper()
	all := map[string]*model.Model{}
	files, err := filepath.Glob("testdata/v*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if all[path], err = model.Load(path); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range modeltest.Cases(1) {
		all[c.Name] = modeltest.New(t, c.Spec)
	}
	return all
}

// TestTerms compares terms with the responses of their variables.
func TestTerms(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	kinds := map[model.Kind]int{}
	for name, m := range models(t) {
		a := m.Additive()
		for i := range a.Terms {
			p := &a.Terms[i]
			if kinds[p.Kind]++; p.Kind == model.Category {
				continue
			}
			x := awkward(rng, p)
			for c := range m.Outputs() {
				for j, want := range m.Response(i, c, x) {
					got := value(p, c, x[j])
					if wrong := math.Abs(got - want); wrong > 1e-12*max(1, math.Abs(want)) || p.Kind == model.Steps && wrong != 0 {
						t.Errorf("%s: %s adds %v at %v to output %d, but its term says %v", name, p.Name, want, x[j], c, got)
					}
				}
			}
		}
	}
	if len(kinds) != 4 {
		t.Errorf("the models have terms of the kinds %v", kinds)
	}
}

// TestSumOfTerms adds up terms and interactions and compares them with decision values, texts and
// missing values included.
func TestSumOfTerms(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	for name, m := range models(t) {
		a := m.Additive()
		rows := modeltest.Rows(rng, m, 30)
		want := rows.Predict(t, m).Decision
		for i := range rows.Rows {
			for c := range a.Intercept {
				z := a.Intercept[c]
				for j := range a.Terms {
					column := rows.Columns[j]
					switch p := &a.Terms[j]; {
					case p.Kind != model.Category:
						z += value(p, c, column.Numbers[i])
					case column.Null[i]:
						z += p.Missing[c]
					default:
						if l := slices.Index(p.Categories, column.Texts[i]); l >= 0 {
							z += p.Coefficients[c][l]
						}
					}
				}
				for k, p := range m.Interactions() {
					z += m.InteractionAt(k, c, cell(rows, i, p.Variables[0]), cell(rows, i, p.Variables[1]))
				}
				if w := want[i*len(a.Intercept)+c]; math.Abs(z-w) > 1e-9*max(1, math.Abs(w)) {
					t.Errorf("%s: row %d has the decision value %v, its terms add up to %v", name, i, w, z)
				}
			}
		}
	}
}

// cell returns the number of a row in the column of an interaction, or that of its category.
func cell(rows *modeltest.Table, row int, v model.Side) float64 {
	column := rows.Columns[slices.IndexFunc(rows.Columns, func(c modeltest.Column) bool { return c.Name == v.Name })]
	if v.Categories == nil {
		return column.Numbers[row]
	}
	level := slices.Index(v.Categories, column.Texts[row])
	switch {
	case column.Null[row] || column.Texts[row] == "" || level < 0 && !v.Rare:
		return math.NaN()
	case level < 0:
		level = len(v.Categories) - 1
	}
	return float64(level)
}

// TestLinks says which losses give probabilities, and how.
func TestLinks(t *testing.T) {
	for name, want := range map[string]model.Link{
		"logistic": model.Logistic, "multinomial": model.Softmax, "rank": model.NoLink, "mixed": model.NoLink,
	} {
		m, err := model.Load("testdata/v1/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		a := m.Additive()
		p := m.Prediction(make([]float64, m.Outputs())).Probability()
		if a.Link != want || (p == nil) != (want == model.NoLink) {
			t.Errorf("%s: the link is %q, want %q; probabilities %v", name, a.Link, want, p)
		}
	}
}
