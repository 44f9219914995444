package report

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sampleRun returns a run of k variables with everything that a folder may hold.
func sampleRun(k int, name func(i int) string) *Run {
	r := &Run{Name: "run", Model: Model{Task: Classification, Loss: "logistic", Target: "y", Classes: []string{"no", "yes"}, Outputs: 1, Rows: 500, Columns: 100_000, Intercept: []float64{0.1}, Metrics: map[string]float64{"auc": 0.95, "error": 0.1}}}
	r.Curve = &Curve{Folds: 10, Measure: "logistic", Best: 40, Chosen: k, Null: 0.69, Metrics: map[string]float64{"auc": 0.9}, Shares: map[string]float64{}}
	for s := range 100 {
		r.Curve.Points = append(r.Curve.Points, CurvePoint{s, 0.3 + 1/float64(s+1), 0.02})
	}
	r.Densities, r.Path = &Densities{}, &Path{Measure: "coefficient of the scaled variable"}
	for e := range 160 {
		r.Path.Epochs, r.Path.Alive, r.Path.Loss = append(r.Path.Epochs, e+1), append(r.Path.Alive, 100_000/(e+1)), append(r.Path.Loss, 1)
	}
	r.Correlation = &Correlation{Chosen: min(k, 60), Rows: 500}
	r.Examples = &Examples{Intercept: []float64{0.1}}
	for i := range k {
		v := Variable{Name: name(i), Index: i, Strength: 1 / float64(i+1), Kind: KindCurve, Coefficients: [][]float64{{}}, Missing: []float64{0}}
		d := Density{Name: v.Name, Index: i, Rows: 500, Missing: i}
		for b := range 6 {
			v.Knots, v.Coefficients[0] = append(v.Knots, float64(b)), append(v.Coefficients[0], math.Sin(float64(b+i)))
		}
		for b := range 41 {
			d.Edges = append(d.Edges, float64(b)/8)
			if b < 40 {
				d.Counts = append(d.Counts, 1+b%7)
			}
		}
		r.Model.Variables = append(r.Model.Variables, v)
		r.Densities.Variables = append(r.Densities.Variables, d)
		r.Curve.Shares[v.Name] = 0.9
		r.Examples.Names = append(r.Examples.Names, v.Name)
	}
	for i := range k + 40 {
		l := PathLine{Name: name(i), Index: i, Chosen: i < k}
		for e := range r.Path.Epochs {
			l.Values = append(l.Values, math.Sin(float64(e*i)/50))
		}
		r.Path.Lines = append(r.Path.Lines, l)
	}
	for i := range min(k, 60) + 12 {
		r.Correlation.Names = append(r.Correlation.Names, name(i))
		row := make([]float64, min(k, 60)+12)
		for j := range row {
			row[j] = math.Cos(float64(i - j))
		}
		r.Correlation.Values = append(r.Correlation.Values, row)
	}
	r.Rows = &Rows{}
	for i := range 500 {
		p := 0.5 + 0.5*math.Sin(float64(i))
		target := "no"
		if p+0.3*math.Cos(float64(7*i)) > 0.5 {
			target = "yes"
		}
		r.Rows.Row, r.Rows.Fold, r.Rows.Target = append(r.Rows.Row, i+1), append(r.Rows.Fold, i%10), append(r.Rows.Target, target)
		r.Rows.Number, r.Rows.Probability = append(r.Rows.Number, p-0.5), append(r.Rows.Probability, p)
	}
	for i := range 8 {
		e := Example{Row: i + 1, Why: "typical", Target: "yes", Says: "yes", Values: make([]string, k), Adds: make([]float64, k)}
		r.Examples.Rows = append(r.Examples.Rows, e)
	}
	r.Record = &RunRecord{Command: []string{"fit", "a b.csv", "--target", "y"}, Version: "devel", Notes: []string{"a note"}, Plan: []Decision{{"loss", "logistic", "by the look of the response"}}}
	return r
}

func plainName(i int) string { return fmt.Sprintf("variable %d", i) }

func render(t *testing.T, r *Run) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A report of 50 variables with everything in it is below 1.5 MB, the same every time, and
// has all sections.
func TestReport(t *testing.T) {
	r := sampleRun(50, plainName)
	doc := render(t, r)
	if n := len(doc); n > 1_500_000 {
		t.Errorf("%d bytes", n)
	}
	if doc != render(t, r) {
		t.Error("two reports of one run differ")
	}
	for _, id := range []string{"size", "variables", "sure", "quality", "roc", "pr", "calibration", "threshold", "descent", "rows", "columns", "correlation", "notes", "provenance"} {
		if !strings.Contains(doc, `id="`+id+`"`) {
			t.Errorf("there is no %s", id)
		}
	}
	for _, bad := range []string{"NaN", "Inf", "ZgotmplZ", "http:", "https:", " style=", " onclick"} {
		if i := strings.Index(strings.ReplaceAll(doc, "http://www.w3.org/2000/svg", ""), bad); i >= 0 {
			t.Errorf("there is a %q: %s", bad, doc[max(i-80, 0):min(i+80, len(doc))])
		}
	}
	if want := "50 of 100,000 variables; AUC 0.900 ± "; !strings.Contains(doc, want) {
		t.Errorf("the headline lacks %q", want)
	}
	if !strings.Contains(doc, "fsa fit &#39;a b.csv&#39; --target y") {
		t.Error("the command cannot be copied")
	}
}

// Whatever is not known is not there, and nothing else is missing.
func TestReportOfLittle(t *testing.T) {
	r := sampleRun(1, plainName)
	doc := render(t, &Run{Name: "run", Model: r.Model})
	for _, id := range []string{"size", "sure", "roc", "descent", "rows", "correlation", "notes"} {
		if strings.Contains(doc, `id="`+id+`"`) {
			t.Errorf("there is a section %s", id)
		}
	}
	if !strings.Contains(doc, "was not cross-validated") || strings.Contains(doc, `<th scope="col">cross-validated`) {
		t.Error("nothing is said of other rows")
	}
	if doc := render(t, r); strings.Contains(doc, "was not cross-validated") || !strings.Contains(doc, `<th scope="col">cross-validated`) {
		t.Error("the cross-validation is not seen")
	}
	r.Model.Variables = nil // the null model
	render(t, r)
}

// Names are texts in the page, in its scripts and in its tables.
func TestReportNames(t *testing.T) {
	const evil = `</script><img src=x onerror=alert(1)>"'` + "`{{.}}"
	doc := render(t, sampleRun(3, func(i int) string { return evil + fmt.Sprint(i) }))
	if strings.Contains(doc, "<img") || strings.Count(doc, "</script>") != 2 {
		t.Error("a name is markup")
	}
	var b bytes.Buffer
	if err := WriteComparison(&b, []*Run{sampleRun(3, plainName), sampleRun(2, func(int) string { return evil })}); err != nil {
		t.Fatal(err)
	}
	if doc := b.String(); strings.Contains(doc, "<img") || strings.Count(doc, "</script>") != 2 || !strings.Contains(doc, "Variables by run") {
		t.Error("a name is markup in a comparison")
	}
}

func TestPythonList(t *testing.T) {
	if got, want := pythonList([]string{"a", `b"\`, "c\nd"}), `["a", "b\"\\", "c\x0ad"]`+"\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Responses are those of package model.
func TestVariableAt(t *testing.T) {
	line := Variable{Kind: KindLinear, Coefficients: [][]float64{{2}}, Center: 1, Low: -1, High: 3}
	curve := Variable{Kind: KindCurve, Coefficients: [][]float64{{0, 1, 5}}, Knots: []float64{0, 1, 3}}
	steps := Variable{Kind: KindSteps, Coefficients: [][]float64{{7, 8}}, Knots: []float64{0, 1, 2}}
	for _, c := range []struct {
		v       *Variable
		x, want float64
	}{{&line, 2, 2}, {&line, 9, 4}, {&line, -9, -4}, {&curve, -1, 0}, {&curve, 0.5, 0.5}, {&curve, 2, 3}, {&curve, 9, 5}, {&steps, -1, 7}, {&steps, 0.5, 7}, {&steps, 1, 8}, {&steps, 5, 8}} {
		if got := c.v.At(0, c.x); got != c.want {
			t.Errorf("%s at %v: %v, want %v", c.v.Kind, c.x, got, c.want)
		}
	}
}

func TestReadRows(t *testing.T) {
	rows, err := ReadRows(strings.NewReader("row,fold,target,class,probability_a,probability_b\n1,1,a,a,0.7,0.3\n2,2,b,a,0.6,0.4\n"), RowsName)
	if err != nil || len(rows.Classes) != 2 || rows.of(1)[1] != 0.4 {
		t.Fatalf("%+v, %v", rows, err)
	}
	for _, bad := range []string{"", "row\nx\n", "row,fold,target,prediction\n1,1,2\n", "row,fold,target,prediction\n1,1,2,NaN\n", "row,fold\n1,1\n"} {
		if _, err := ReadRows(strings.NewReader(bad), RowsName); !errors.Is(err, ErrDamaged) {
			t.Errorf("%q is taken", bad)
		}
	}
}

// Sizes that are near to each other share a label, which stands beside both lines.
func TestSizeRules(t *testing.T) {
	x := []float64{0, 5, 12, 13}
	for _, c := range []struct {
		chosen, best int
		labels       [2]string
		at           float64 // of the line with the label
		before       bool
	}{
		{5, 13, [2]string{"chosen: 5", "best: 13"}, 5, true},
		{12, 13, [2]string{"chosen: 12, best: 13", ""}, 12, true},
		{1, 2, [2]string{"chosen: 1, best: 2", ""}, 2, false},
		{3, 2, [2]string{"chosen: 3, best: 2", ""}, 3, false},
	} {
		r := (&Curve{Chosen: c.chosen, Best: c.best}).rules(x, false)
		if got := [2]string{r[0].Label, r[1].Label}; got != c.labels || r[0].At != c.at || r[0].Before != c.before {
			t.Errorf("%d and %d: %+v", c.chosen, c.best, r)
		}
	}
	if r := (&Curve{Chosen: 5, Best: 5}).rules(x, true); len(r) != 1 || r[0].Label != "best and chosen: 5" {
		t.Errorf("%+v", r)
	}
}

// Files beside models of version 6 and older have other names of fields.
func TestOlderNames(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		StabilityName: `{"model": "m", "halves": 40, "shares": {"shares": 0.75}, "variables": [{"name": "shares", "share": 0.75}]}`,
		CurveName:     `{"model": "m", "folds": 5, "shares": {"a": 0.1234567890123456789}, "points": [{"size": 1, "mean": 0.5, "se": 0.1}]}`,
		DensitiesName: `{"model": "m", "variables": [{"name": "town", "levels": [{"text": "levels", "rows": 3}]}]}`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var r Run
	if err := r.ReadFolder(folder, "m"); err != nil {
		t.Fatal(err)
	}
	if r.Stability.Halves != 40 || r.Stability.Shares["shares"] != 0.75 || r.Stability.Variables[0].Share != 0.75 {
		t.Errorf("stability %+v", r.Stability)
	}
	if r.Curve.Shares["a"] != 0.1234567890123456789 {
		t.Errorf("inclusion %v", r.Curve.Shares)
	}
	if levels := r.Densities.Variables[0].Levels; len(levels) != 1 || levels[0].Text != "levels" || levels[0].Rows != 3 {
		t.Errorf("categories %+v", levels)
	}
}

func TestHeadlineOfInteractions(t *testing.T) {
	m := Model{Columns: 5, Variables: []Variable{{Name: "a"}, {Name: "b", Index: 1}}, Interactions: []Interaction{{Names: [2]string{"a", "b"}}}}
	if got, want := headline(&Run{Model: m}), "2 of 5 variables and 1 interaction."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What a reader takes from the first lines is true of the task: variables raise the hazard, not the time; several targets
// are listed; a measure that is no loss is not called one.
func TestFirstLines(t *testing.T) {
	m := Model{Task: Survival, Loss: "cox", Target: "months", Outputs: 1, Columns: 5, Variables: []Variable{{Name: "age", Kind: KindLinear, Coefficients: [][]float64{{1}}}}}
	r := &Run{Model: m, Curve: &Curve{Metrics: map[string]float64{"concordance": 0.7, "uno": 0.6}}}
	if got, want := r.strongest(), "Most important for the hazard of an event: age (raises)."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := headline(r); !strings.Contains(got, "concordance 0.700") {
		t.Error(got)
	}
	for name, want := range map[string]string{"uno": "Uno's concordance", "rps": "ranked probability score", "pinball": "pinball loss", "squared": "squared loss"} {
		if got := MeasureName(name); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	r.Model.Task, r.Model.Loss, r.Model.Target, r.Model.Names = Regression, "multitarget", "a,b,c", []string{"a", "b", "c"}
	if got, want := r.title()+" "+r.strongest(), "What predicts a, b and c Most important for the targets: age (raises)."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A line of a pair is named by its category; a bar of a pair in the explanation of a
// row has both names.
func TestPairNames(t *testing.T) {
	r := &Run{Model: Model{Task: Regression, Target: "y", Interactions: []Interaction{{Names: [2]string{"temperature", "pressure-east"}, X: []float64{0, 1},
		Lines: []InteractionLine{{Label: "south-by-south-west", Y: []float64{1, 2}}, {Label: "north-west", Y: []float64{2, 1}}}}}}}
	f := interactionFigure(r, 0)
	if a, b := f.chart.Curves[0], f.chart.Curves[1]; a.Label != shorten("south-by-south-west", 16) || a.Name != "south-by-south-west" || b.Label != "north-west" {
		t.Errorf("%q, %q, %q", a.Label, a.Name, b.Label)
	}
	x := &Examples{Names: []string{"temperature × pressure-east"}, Intercept: []float64{0}}
	if got, want := waterfall(x, &Example{Adds: []float64{1}, Values: []string{"0.277, 1.574"}})[1].name, "temperature × pressu…-east"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The table of true and predicted classes is dense if there are many.
func TestDenseConfusion(t *testing.T) {
	for n, want := range map[int]bool{4: false, 14: true} {
		r := &Run{Name: "run", Model: Model{Task: Classification, Loss: "multinomial", Target: "y", Outputs: n, Rows: 100, Columns: 5, Intercept: make([]float64, n)}, Rows: &Rows{}}
		for c := range n {
			r.Model.Classes = append(r.Model.Classes, fmt.Sprint("class ", c))
			r.Rows.Row, r.Rows.Fold, r.Rows.Target = append(r.Rows.Row, c), append(r.Rows.Fold, 0), append(r.Rows.Target, r.Model.Classes[c])
			for d := range n {
				p := 0.0
				if c == d {
					p = 1
				}
				r.Rows.Probability = append(r.Rows.Probability, p)
			}
		}
		r.Rows.Classes = r.Model.Classes
		if doc := render(t, r); strings.Contains(doc, `class="matrix dense"`) != want || !strings.Contains(doc, `class="matrix`) {
			t.Errorf("%d classes: the table is not %v", n, want)
		}
	}
}

// A list of runs has the names of files and times to the minute.
func TestRunNames(t *testing.T) {
	for file, want := range map[string]string{"/data/of/2024/t.csv": "t.csv", `C:\data\t.csv`: "t.csv", "t.csv": "t.csv", "": ""} {
		if got := base(file); got != want {
			t.Errorf("%q: %q, want %q", file, got, want)
		}
	}
	for text, want := range map[string]string{"2026-11-19T21:00:28Z": "2026-11-19 21:00", "": "", "soon": "soon"} {
		if got := minute(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
