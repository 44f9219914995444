package export_test

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"fsa/export"
	"fsa/internal/modeltest"
	"fsa/model"
)

// described is what docs/formats.md says of an exported JSON file.
type described struct {
	Format    string
	Version   int
	Task      string
	Loss      string
	Link      string
	Classes   []string
	Targets   []struct{ Classes []string }
	Outputs   int
	Intercept []float64
	Terms     []struct {
		Column       string
		Index        int
		Kind         string
		Center       float64
		Low, High    float64
		Even         bool
		Knots        []float64
		Categories   []string
		Coefficients [][]float64
		Missing      []float64
	}
	Interactions []struct {
		Variables []struct {
			Name       string
			Mean, SD   float64
			Knots      []float64
			Categories []string
			Rare       bool
		}
		Coefficients   [][]float64
		Least, Largest []float64
	}
}

// TestJSON predicts by the rules of docs/formats.md.
func TestJSON(t *testing.T) {
	dir := t.TempDir()
	worst := 0.0
	for _, s := range subjects(t) {
		file, err := os.ReadFile(s.write(t, dir, export.Options{To: "json"}))
		if err != nil {
			t.Fatal(err)
		}
		var d described
		if err := json.Unmarshal(file, &d); err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		version := 2
		if s.model.Interactions() != nil {
			version = 3
		}
		if slices.ContainsFunc(s.model.Interactions(), func(p model.Interaction) bool { return p.Variables[0].Knots != nil }) {
			version = 4
		}
		if d.Format != "fsa-export" || d.Version != version || d.Outputs != s.model.Outputs() || !slices.Equal(d.Classes, s.model.Classes()) {
			t.Errorf("%s: the head is %+v", s.name, d)
		}
		var got predictions
		for i := range s.table.Rows {
			z := d.decision(s, i)
			got.decision = append(got.decision, z)
			switch d.Link {
			case "exp":
				z[0] = math.Exp(min(z[0], 700))
			case "logistic":
				if d.Task == "regression" {
					z[0] = 1 / (1 + math.Exp(-z[0]))
					break
				}
				p := slices.Clone(z)
				for c := range p {
					p[c] = 1 / (1 + math.Exp(-p[c]))
				}
				got.probability = append(got.probability, p)
			case "softmax":
				p, sum := make([]float64, len(z)), 0.0
				for c := range z {
					p[c] = math.Exp(z[c] - slices.Max(z))
					sum += p[c]
				}
				for c := range p {
					p[c] /= sum
				}
				got.probability = append(got.probability, p)
			}
			for c := range d.Targets {
				if at := map[bool]int{true: 1}[z[c] > 0]; d.Task == "multilabel" {
					got.class = append(got.class, d.Targets[c].Classes[at])
				}
			}
			switch {
			case d.Task != "classification":
			case len(z) == 1 && z[0] > 0:
				got.class = append(got.class, d.Classes[1])
			case len(z) == 1:
				got.class = append(got.class, d.Classes[0])
			default:
				got.class = append(got.class, d.Classes[slices.Index(z, slices.Max(z))])
			}
		}
		worst = max(worst, s.compare(t, got, 1e-9))
	}
	t.Logf("largest difference %.2g", worst)
}

// decision returns the decision values of a row.
func (d *described) decision(s *subject, row int) []float64 {
	z := slices.Clone(d.Intercept)
	for i, t := range d.Terms {
		column := s.table.Columns[i]
		for c := range z {
			at := t.Coefficients[c]
			switch {
			case t.Kind == "category" && column.Null[row]:
				z[c] += t.Missing[c]
			case t.Kind == "category":
				if l := slices.Index(t.Categories, column.Texts[row]); l >= 0 {
					z[c] += at[l]
				}
			case math.IsNaN(column.Numbers[row]):
				z[c] += t.Missing[c]
			case t.Kind == "linear":
				z[c] += 2 * at[0] * (min(max(column.Numbers[row], t.Low), t.High)/2 - t.Center/2)
			default:
				z[c] += binned(t.Kind, t.Even, t.Knots, at, column.Numbers[row])
			}
		}
	}
	for _, p := range d.Interactions {
		x, at, known := 1.0, 0, true
		var place [2]float64
		var bin [2]int
		for k, v := range p.Variables {
			column := s.table.Columns[slices.IndexFunc(s.table.Columns, func(c modeltest.Column) bool { return c.Name == v.Name })]
			switch {
			case v.Knots != nil:
				number := column.Numbers[row]
				known = known && !math.IsNaN(number)
				for bin[k]+2 < len(v.Knots) && number > v.Knots[bin[k]+1] {
					bin[k]++
				}
				low, high := v.Knots[bin[k]], v.Knots[bin[k]+1]
				place[k] = min(max((number/2-low/2)/(high/2-low/2), 0), 1)
			case v.Categories == nil && math.IsNaN(column.Numbers[row]):
				x = 0
			case v.Categories == nil:
				x *= min(max((column.Numbers[row]/2-v.Mean/2)/v.SD*2, -math.MaxFloat64), math.MaxFloat64)
			case column.Null[row] || column.Texts[row] == "":
				known = false
			default:
				if at = slices.Index(v.Categories, column.Texts[row]); at < 0 {
					at, known = len(v.Categories)-1, known && v.Rare
				}
			}
		}
		if !known {
			continue
		}
		if n := max(len(p.Variables[1].Knots), len(p.Variables[1].Categories)); p.Variables[0].Knots != nil {
			for c := range z {
				for a, u := range []float64{1 - place[0], place[0]} {
					values := p.Coefficients[c][(bin[0]+a)*n:][:n]
					if p.Variables[1].Categories != nil {
						z[c] += u * values[at]
						continue
					}
					z[c] += u * ((1-place[1])*values[bin[1]] + place[1]*values[bin[1]+1])
				}
			}
			continue
		}
		if p.Least != nil {
			x = min(max(x, p.Least[at]), p.Largest[at])
		}
		for c := range z {
			z[c] += p.Coefficients[c][at] * x
		}
	}
	return z
}

// binned evaluates curves and steps.
func binned(kind string, even bool, knots, at []float64, x float64) float64 {
	last := len(knots) - 1
	bin := 0
	if kind == "steps" {
		for bin+1 < last && x >= knots[bin+1] {
			bin++
		}
		return at[bin]
	}
	share := func(low, high float64) float64 {
		return min(max((x/2-low/2)/(high/2-low/2), 0), 1)
	}
	if even {
		place := share(knots[0], knots[last]) * float64(last)
		bin = min(int(place), last-1)
		return at[bin] + (at[bin+1]-at[bin])*(place-float64(bin))
	}
	for bin+1 < last && x > knots[bin+1] {
		bin++
	}
	return at[bin] + (at[bin+1]-at[bin])*share(knots[bin], knots[bin+1])
}
