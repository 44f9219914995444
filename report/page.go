package report

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"fsa/internal/plots"
	"fsa/internal/template"
)

var (
	//go:embed assets/page.html
	pageHTML string
	//go:embed assets/page.css
	pageCSS string
	//go:embed assets/page.js
	pageJS string

	pageTemplate = template.HTML("document", pageHTML, template.Funcs{
		"view":     (*figure).View,
		"heads":    (*matrix).Heads,
		"cross":    (*matrix).Cross,
		"sections": (*page).Sections,
		"json":     template.JSON,
	})
)

// policy allows the style and the script of the page and nothing else: no request leaves,
// and nothing that a name could smuggle in would run.
func policy() string {
	return fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; img-src data:; base-uri 'none'; form-action 'none'", hashOf(pageCSS), hashOf(pageJS))
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// page is what the template shows.
type page struct {
	Title, Headline, Lead string
	Policy                string
	CSS, JS               template.Verbatim
	Facts                 []Fact
	Curve, Stable         *figure
	StableText            string
	Variables             []variableRow
	Columns               columnsShown
	Descent               []*figure
	Late                  []lateRow
	Quality               []*figure
	Measures              []measureRow
	Threshold             *thresholds
	Positive, Negative    string
	Confusion             *confusion
	Examples              []*figure
	Matrix                *matrix
	Notes                 []string
	Record                *RunRecord
	Command               string
	Provenance            []pair
	Comparison            *comparison
	Data                  pageData
}

type pair struct{ Name, Value string }

// pageData is what the script needs.
type pageData struct {
	CSV       map[string]string `json:"csv"`
	Copy      map[string]string `json:"copy"`
	Threshold *thresholds       `json:"threshold,omitempty"`
}

// figure is a picture in two sizes, for a screen and for a phone.
type figure struct {
	*Figure
	Wide, Narrow *plots.Inline
}

// The sizes of pictures, in pixels.
const (
	wideWidth, wideHeight     = 860, 340
	halfWidth, halfHeight     = 350, 250
	narrowWidth, narrowHeight = 340, 270
	barHeight                 = 24
)

// newFigure draws a figure; nil stays nil.
func newFigure(f *Figure) *figure {
	if f == nil {
		return nil
	}
	out := &figure{Figure: f}
	width, height, low := wideWidth, wideHeight, narrowHeight
	if f.Half {
		width, height = halfWidth, halfHeight
	}
	if n := len(f.Chart.YNames); n > 0 {
		height = max(120, 60+barHeight*n)
		low = height
	}
	out.Wide = f.Chart.Inline(width, height)
	if f.Half { // which is small enough for a phone
		return out
	}
	out.Narrow = f.Chart.Inline(narrowWidth, low)
	return out
}

// lateRow is a variable that nearly made it.
type lateRow struct {
	Name, Left, Value, Like string
}

// measureRow compares a measure on both kinds of rows.
type measureRow struct{ Name, Training, Other string }

// Write writes the report of a run as one HTML document that needs nothing from outside.
func Write(w io.Writer, r *Run) error {
	p := newPage(r)
	return pageTemplate.Execute(w, p)
}

func newPage(r *Run) *page {
	p := &page{
		Title: r.title(), Headline: headline(r), Lead: r.lead(), Policy: policy(), CSS: template.Verbatim(pageCSS), JS: template.Verbatim(pageJS),
		Facts: facts(r), Data: pageData{CSV: map[string]string{}, Copy: map[string]string{}},
	}
	p.Curve = p.figure(curveFigure(r))
	p.variables(r)
	p.Stable, p.StableText = p.figure(stabilityBars(r, pageBars)), stableText(r)
	for _, f := range []*Figure{aliveFigure(r), pathFigure(r)} {
		if f != nil {
			f.Half = false
			p.Descent = append(p.Descent, p.figure(f))
		}
	}
	p.late(r)
	for _, f := range qualityFigures(r) {
		p.Quality = append(p.Quality, p.figure(f))
	}
	p.measures(r)
	if p.Threshold = newThresholds(r); p.Threshold != nil {
		p.Data.Threshold = p.Threshold
		p.Data.CSV["thresholds"] = csvText(p.Threshold.table())
		p.Negative, p.Positive = r.Model.Classes[0], r.Model.Classes[1]
	}
	if p.Confusion = newConfusion(r); p.Confusion != nil {
		p.Data.CSV["confusion"] = csvText(p.Confusion.table())
	}
	for _, f := range exampleFigures(r) {
		p.Examples = append(p.Examples, p.figure(f))
	}
	if p.Matrix = newMatrix(r.Correlation); p.Matrix != nil {
		p.Data.CSV["correlation"] = csvText(r.Correlation.table())
	}
	p.provenance(r)
	return p
}

// figure draws a figure and keeps its table.
func (p *page) figure(f *Figure) *figure {
	if f == nil {
		return nil
	}
	p.Data.CSV[f.ID] = csvText(f.Table)
	return newFigure(f)
}

func (r *Run) title() string {
	if r.Record != nil && r.Record.Title != "" {
		return r.Record.Title
	}
	if r.Model.Target != "" {
		return "What predicts " + r.Model.Target
	}
	return "What was selected"
}

// lead says what was learned, from what.
func (r *Run) lead() string {
	m := &r.Model
	text := fmt.Sprintf("%s with the %s loss", m.Task, m.Loss)
	if m.Method != "" {
		text += ", method " + m.Method
	}
	text += fmt.Sprintf(", learned from %s of %s", plural(m.Rows, "row", "rows"), plural(m.Columns, "variable", "variables"))
	if len(m.Classes) == 2 {
		text += fmt.Sprintf("; the positive class is %s, the negative one %s", m.Classes[1], m.Classes[0])
	} else if n := len(m.Classes); n > 0 {
		text += fmt.Sprintf("; %d classes: %s", n, strings.Join(m.Classes[:min(n, 8)], ", "))
		if n > 8 {
			text += ", …"
		}
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// late lists what nearly made it.
func (p *page) late(r *Run) {
	if r.Path == nil {
		return
	}
	table := [][]string{{"variable", "column", "dropped_in_epoch", "last_coefficient", "most_like", "correlation"}}
	for _, l := range r.Path.Lines {
		if l.Chosen {
			continue
		}
		line := []string{l.Name, strconv.Itoa(l.Index), strconv.Itoa(l.Left), "", "", ""}
		if n := len(l.Values); n > 0 {
			line[3] = exact(l.Values[n-1])
		}
		if other, v := like(r.Correlation, l.Name); other != "" {
			line[4], line[5] = other, exact(v)
		}
		if table = append(table, line); len(p.Late) == namedLate {
			continue
		}
		row := lateRow{Name: l.Name, Left: strconv.Itoa(l.Left)}
		if n := len(l.Values); n > 0 {
			row.Value = brief(l.Values[n-1])
		}
		if other, v := like(r.Correlation, l.Name); other != "" {
			row.Like = fmt.Sprintf("%s (%s)", other, brief(v))
		}
		p.Late = append(p.Late, row)
	}
	p.Data.CSV["late"] = csvText(table)
}

// like returns the chosen variable that another one is most correlated with.
func like(c *Correlation, name string) (string, float64) {
	if c == nil {
		return "", 0
	}
	i := slices.Index(c.Names[c.Chosen:], name)
	if i < 0 {
		return "", 0
	}
	best, at := 0.3, -1
	for j := range c.Chosen {
		if v := abs(c.Values[c.Chosen+i][j]); v > best {
			best, at = v, j
		}
	}
	if at < 0 {
		return "", 0
	}
	return c.Names[at], c.Values[c.Chosen+i][at]
}

// measures compares rows that were learned from with others.
func (p *page) measures(r *Run) {
	all := map[string]bool{}
	var other map[string]float64
	if r.Curve != nil {
		other = r.Curve.Metrics
	}
	for name := range r.Model.Metrics {
		all[name] = true
	}
	for name := range other {
		all[name] = true
	}
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(measureName(a), measureName(b)) })
	table := [][]string{{"measure", "training_rows", "rows_not_learned_from"}}
	write := func(m map[string]float64, name string, as func(float64) string) string {
		if v, ok := m[name]; ok {
			return as(v)
		}
		return ""
	}
	for _, name := range names {
		p.Measures = append(p.Measures, measureRow{measureName(name), write(r.Model.Metrics, name, precise), write(other, name, precise)})
		table = append(table, []string{name, write(r.Model.Metrics, name, exact), write(other, name, exact)})
	}
	p.Data.CSV["measures"] = csvText(table)
}
