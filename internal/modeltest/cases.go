package modeltest

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"fsa/loss"
	"fsa/model"
)

// Hostile are names and texts that break careless quoting.
var Hostile = []string{
	"plain", "with blank", " edges ", "select", "SELECT * FROM data; --", `"`, `""`, "'", "''", `'; DROP TABLE data; --`, "`", "]", `\`, `\\`, `\'`, `\"`,
	"new\nline", "carriage\rreturn", "tab\t", "*/ int x; /*", "// comment", "# comment", "-- comment", `"""`, "'''", "${x}", "{{.Task}}", "%s%n", "??/", "a??)b", `\u0041`, `\x41`, `\101`,
	"nul", "NULL", "NaN", "None", "decision", "probability", "class", "fsa_decision", "fsa_1", "label", "x0", "rows", "d", "d.*", "true", "0", "-1", "1e5", "--1",
	"größe", "温度", "Δ", "🙂", "\u202egnal", "\u00a0", "\ufeffbom", "e\u0301", "\x7f", "\x1b[31m", "$1", ":name", "?", "@x", "a.b", "a,b", "a;b", "(", ")", "<img src=x onerror=alert(1)>", "=1+1",
}

// Case is a handmade model.
type Case struct {
	Name string
	Spec Spec
}

// Cases returns models of every loss, kind of term and missing value, of odd numbers
// and of hostile names.
func Cases(seed uint64) []Case {
	rng := rand.New(rand.NewPCG(seed, 0))
	var out []Case
	add := func(name string, s Spec) { out = append(out, Case{name, s}) }
	for _, name := range loss.Names() {
		add(name+"-linear", linears(rng, task(name, 3), 4))
		add(name+"-mixed", texts(rng, linears(rng, task(name, 4), 3), 2))
		add(name+"-curves", texts(rng, curves(rng, task(name, 3), 4, 5), 1))
		add(name+"-texts", texts(rng, task(name, 3), 2))
		if task(name, 3).Outputs == 1 {
			add(name+"-steps", steps(rng, task(name, 2), 3, 7))
		}
	}
	custom := Spec{Task: model.Regression, Loss: "custom", Outputs: 2, Intercept: []float64{1, -2}}
	add("custom", texts(rng, linears(rng, custom, 3), 1))
	add("bins-1", curves(rng, task("squared", 0), 3, 1))
	add("steps-1", steps(rng, task("squared", 0), 2, 1))
	add("one-variable", linears(rng, task("logistic", 0), 1))
	add("two-of-many-classes", linears(rng, task("multinomial", 2), 2))
	add("classes-30", texts(rng, linears(rng, task("multinomial", 30), 3), 1))
	add("variables-1200", texts(rng, linears(rng, task("logistic", 0), 1200), 3))
	add("far", far(rng))
	add("units", units(rng))

	add("pairs-lines", pairs(rng, texts(rng, linears(rng, task("squared", 0), 4), 2)))
	add("pairs-curves", pairs(rng, texts(rng, curves(rng, task("logistic", 0), 4, 5), 2)))
	add("pairs-steps", pairs(rng, texts(rng, steps(rng, task("poisson", 0), 2, 4), 1)))
	add("pairs-classes", pairs(rng, texts(rng, linears(rng, task("multinomial", 3), 3), 2)))
	add("pairs-alone", pairs(rng, task("svm", 0)))

	hostile := task("multinomial", 0)
	hostile.Classes = slices.Clone(Hostile)
	hostile.Outputs = len(Hostile)
	hostile.Intercept = normals(rng, hostile.Outputs, 1)
	add("hostile-classes", linears(rng, hostile, 2))
	named := texts(rng, linears(rng, task("logistic", 0), len(Hostile)-8), 8)
	for i := range named.Variables {
		v := &named.Variables[i]
		if v.Name = Hostile[(i*7)%len(Hostile)]; v.Levels != nil {
			v.Levels = append(slices.Clone(Hostile), "")
			v.Coefficients = normals(rng, len(v.Levels), 1)
		}
	}
	named.Classes = []string{`\'; --`, `"yes" 'yes'`}
	add("hostile-names", named)
	return out
}

// task returns a model without variables, with the given number of classes if its loss supports any
// number.
func task(name string, classes int) Spec {
	kind, _ := loss.Named(name)
	s := Spec{Task: kind.Task, Loss: name, Outputs: 1, Intercept: []float64{0.25}}
	if kind.Task == model.Classification {
		s.Classes = []string{"no", "yes"}
	}
	if kind.Ordered {
		classes = max(classes, 3)
	}
	if kind.Many {
		s.Classes, s.Outputs, s.Intercept = nil, classes, make([]float64, classes)
		for c := range classes {
			s.Classes = append(s.Classes, fmt.Sprintf("class %d", c))
			s.Intercept[c] = float64(c%3) / 3
		}
	}
	if kind.Several {
		s.Outputs, s.Intercept = 2, []float64{0.25, -1}
		for _, name := range []string{"first", "second"} {
			one := model.TargetColumn{Name: name}
			if kind.Task == model.Multilabel {
				one.Classes = []string{"no", "yes"}
			}
			s.Targets = append(s.Targets, one)
		}
	}
	if kind.Ordered {
		s.Outputs, s.Intercept = 1, []float64{0}
		for c := range classes - 1 {
			s.Settings.Cuts = append(s.Settings.Cuts, float64(c)-0.5)
		}
	}
	return s
}

func normals(rng *rand.Rand, n int, size float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = size * rng.NormFloat64()
	}
	return out
}

// variable adds a variable with the common fields.
func (s *Spec) variable(rng *rand.Rand, v Variable) {
	v.Index, v.Norm = len(s.Variables), rng.Float64()
	v.Name = fmt.Sprintf("v%d", v.Index)
	s.Variables = append(s.Variables, v)
}

func linears(rng *rand.Rand, s Spec, n int) Spec {
	for j := range n {
		v := Variable{Kind: model.Linear, Coefficients: normals(rng, s.Outputs, 1), Center: 10 * rng.NormFloat64(), Mean: rng.NormFloat64()}
		if j%3 == 1 {
			v.Center = 0 // like that of a sparse column
		}
		if j%3 != 2 { // those of version 1 have no range
			v.Low, v.High = v.Center-1, v.Center+rng.Float64()
		}
		s.variable(rng, v)
	}
	return s
}

// curves adds curves, every second one with even bins, and of each every second one with a value
// for missing numbers.
func curves(rng *rand.Rand, s Spec, n, bins int) Spec {
	s.Bins = bins
	for j := range n {
		v := Variable{Kind: model.Curve, Coefficients: normals(rng, s.Outputs*(bins+1), 1), Mean: rng.NormFloat64()}
		if j%2 == 0 {
			v.Low = 5 * rng.NormFloat64()
			v.High = v.Low + 0.1 + 9*rng.Float64()
		} else {
			for at := rng.NormFloat64(); len(v.Knots) <= bins; at += 0.01 + rng.ExpFloat64() {
				v.Knots = append(v.Knots, at)
			}
		}
		if j%4 < 2 {
			v.Missing = normals(rng, s.Outputs, 1)
		}
		s.variable(rng, v)
	}
	return s
}

// steps adds steps, of which some have whole numbers at their edges.
func steps(rng *rand.Rand, s Spec, n, bins int) Spec {
	s.Bins = bins
	for j := range n {
		v := Variable{Kind: model.Steps, Coefficients: normals(rng, bins, 1), Mean: rng.NormFloat64(), Low: rng.NormFloat64()}
		v.High = v.Low + 3*rng.Float64()
		if j == 0 {
			v.Low, v.High = 0, float64(3*bins)
		}
		s.variable(rng, v)
	}
	return s
}

// texts adds categories; some have an effect of missing texts.
func texts(rng *rand.Rand, s Spec, n int) Spec {
	for j := range n {
		v := Variable{Kind: model.Category, Levels: []string{"red", "Red", "RED ", "it's", "größer", "1", "NA"}[:3+rng.IntN(5)]}
		if j%2 == 0 {
			v.Levels = append(slices.Clone(v.Levels), "")
		}
		v.Coefficients = normals(rng, s.Outputs*len(v.Levels), 1)
		s.variable(rng, v)
	}
	return s
}

// far has curves far from zero, where knots are rounded.
func far(rng *rand.Rand) Spec {
	s := Spec{Task: model.Regression, Loss: "squared", Outputs: 1, Bins: 10, Intercept: []float64{1}}
	for _, v := range []Variable{
		{Low: 1.7e9, High: 1.7e9 + 1e-4},
		{Low: -1e15, High: -1e15 + 4},
		{Low: 1e-200, High: 3e-200},
		{Low: -1.5e308, High: 1.5e308},
	} {
		v.Kind, v.Coefficients, v.Mean = model.Curve, normals(rng, 11, 1), v.Low
		s.variable(rng, v)
	}
	return s
}

// units has columns and a target in unusual units.
func units(rng *rand.Rand) Spec {
	s := Spec{Task: model.Regression, Loss: "squared", Outputs: 1, Intercept: []float64{1e200}}
	for _, v := range []Variable{
		{Center: 1e300, Mean: 1.1e300, Coefficients: []float64{2e-100}},
		{Center: -1e308, Mean: -1.2e308, Coefficients: []float64{-3e-108}},
		{Center: 3e-200, Mean: 3e-200, Coefficients: []float64{1e5}},
	} {
		v.Kind = model.Linear
		s.variable(rng, v)
	}
	return s
}

// pairs adds pairs of the columns of a model and of columns of their own: of two numbers and of a number and a text,
// with and without ends and a category for other texts, as products, surfaces and curves for each category.
func pairs(rng *rand.Rand, s Spec) Spec {
	n := len(s.Variables)
	numbers := []Side{{Index: n, Name: "far", Mean: 1e300, SD: 1e299}, {Index: n + 1, Name: "near", Mean: 1, SD: 2}}
	categories := []Side{{Index: n + 2, Name: "text", Levels: []string{"a", "A", "it's", "other"}, Rare: true}}
	for _, v := range s.Variables {
		side := Side{Index: v.Index, Name: v.Name, Mean: v.Mean, SD: 1 + 3*rng.Float64()}
		if v.Levels == nil {
			numbers = append(numbers, side)
			continue
		}
		side.Mean, side.SD, side.Rare = 0, 0, rng.IntN(2) == 0
		side.Levels = slices.DeleteFunc(slices.Clone(v.Levels), func(level string) bool { return level == "" })
		categories = append(categories, side)
	}
	add := func(a, b Side, limited bool) {
		n := max(1, len(b.Levels))
		p := Interaction{Sides: [2]Side{a, b}, Norm: rng.Float64(), Coefficients: normals(rng, s.Outputs*n, 1)}
		p.Coefficients[0] *= float64(rng.IntN(2)) // the largest category has no slope
		for range n {
			if limited {
				p.Low, p.High = append(p.Low, -rng.Float64()), append(p.High, rng.Float64())
			}
		}
		s.Interactions = append(s.Interactions, p)
	}
	surface := func(a, b Side, knots int) {
		a.Knots = knotsAround(rng, a, knots)
		n := len(b.Levels)
		if b.Levels == nil {
			b.Knots, n = knotsAround(rng, b, knots+1), knots+1
		}
		s.Interactions = append(s.Interactions, Interaction{Sides: [2]Side{a, b}, Norm: rng.Float64(), Coefficients: normals(rng, s.Outputs*knots*n, 1)})
	}
	for i, a := range numbers {
		if i%2 == 1 {
			surface(a, numbers[(i+1)%len(numbers)], 2+i%3)
			surface(a, categories[i%len(categories)], 2+i%3)
			continue
		}
		add(a, numbers[(i+1)%len(numbers)], i < 3)
		add(a, categories[i%len(categories)], i%2 == 0)
	}
	return s
}

// knotsAround returns knots on both sides of the mean of a number.
func knotsAround(rng *rand.Rand, of Side, count int) []float64 {
	knots := make([]float64, count)
	for k := range knots {
		knots[k] = of.Mean + of.SD*(float64(k)-float64(count)/2+rng.Float64()/2)
	}
	return knots
}
