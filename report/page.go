package report

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"fsa/internal/plots"
)

var (
	//go:embed assets/page.html
	pageHTML string
	//go:embed assets/page.css
	pageCSS string
	//go:embed assets/page.js
	pageJS string

	pageTemplate = template.Must(template.New("document").Parse(pageHTML))
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
	CSS                   template.CSS
	JS                    template.JS
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
	halfWidth, halfHeight     = 420, 290
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

// columnsShown says which columns the list of variables has.
type columnsShown struct{ Share, Interval, Missing, Unit, Rivals bool }

// variableRow is a chosen variable in the list.
type variableRow struct {
	Rank                          int
	Name, Unit                    string
	Strength, Sign, Tint          string
	Bar                           string // width of its bar, of 100
	Coefficient                   string
	Interval, Share, ShareBar     string
	ShareOf                       string
	Missing, Rivals               string
	SortStrength, SortShare, Miss string
	Response                      *figure
	Numbers                       []pair
}

// drawnResponses is how many variables have their response drawn. All are listed, and the
// tables have the curves of all: the page must not hang a browser.
const drawnResponses = 150

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
		Title: r.title(), Headline: headline(r), Lead: r.lead(), Policy: policy(), CSS: template.CSS(pageCSS), JS: template.JS(pageJS),
		Facts: facts(r), Data: pageData{CSV: map[string]string{}, Copy: map[string]string{}},
	}
	p.Curve = p.figure(curveFigure(r))
	p.variables(r)
	p.Stable, p.StableText = p.figure(stabilityFigure(r)), stableText(r)
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

// variables fills the list of the chosen ones.
func (p *page) variables(r *Run) {
	m := &r.Model
	selection := [][]string{{"variable", "column", "strength", "kind", "coefficient", "chosen_in", "missing"}}
	responses := [][]string{{"variable", "value", "adds", "class", "rows"}}
	names := m.columns()
	most := 0.0
	for i := range m.Variables {
		most = max(most, m.Variables[i].Strength)
	}
	for i := range m.Variables {
		v := &m.Variables[i]
		row := newVariableRow(r, v, i, most)
		p.Columns.Share = p.Columns.Share || row.Share != ""
		p.Columns.Missing = p.Columns.Missing || row.Missing != "" && row.Missing != "0%"
		p.Columns.Interval = p.Columns.Interval || row.Interval != ""
		p.Columns.Rivals = p.Columns.Rivals || row.Rivals != ""
		f := responseFigure(r, i)
		for _, cells := range f.Table[1:] {
			line := []string{v.Name, cells[0], cells[1], "", ""}
			if v.Kind == KindCategory {
				line[2], line[4] = cells[2], cells[1]
			}
			if m.Outputs > 1 {
				line[3] = cells[len(cells)-1]
			}
			responses = append(responses, line)
		}
		if i < drawnResponses {
			row.Response = newFigure(f)
		}
		p.Variables = append(p.Variables, row)
		coefficient := ""
		if v.Kind == KindLinear && m.Outputs == 1 {
			coefficient = exact(v.Coefficients[0][0])
		}
		selection = append(selection, []string{v.Name, strconv.Itoa(v.Index), exact(v.Strength), v.Kind, coefficient, row.SortShare, row.Miss})
	}
	p.Data.CSV["selection"], p.Data.CSV["responses"] = csvText(selection), csvText(responses)
	p.Data.Copy["csv"] = csvText(selection)
	p.Data.Copy["list"] = pythonList(names)
	p.Data.Copy["names"] = strings.Join(names, "\n") + "\n"
}

func newVariableRow(r *Run, v *Variable, i int, most float64) variableRow {
	row := variableRow{Rank: i + 1, Name: v.Name, Unit: unitOf(v.Name), Strength: steady(v.Strength), SortStrength: exact(v.Strength), Tint: strconv.Itoa(tintOf(v)),
		Sign: map[int]string{1: "raises", -1: "lowers", 0: "varies"}[v.sign()], Bar: strconv.Itoa(max(1, int(100*v.Strength/max(most, 1e-300)))), SortShare: "", Miss: ""}
	switch {
	case v.Kind == KindLinear && r.Model.Outputs == 1:
		row.Coefficient = steady(v.Coefficients[0][0])
	case v.Kind == KindLinear:
		row.Coefficient = "by class"
	case v.Kind == KindCategory:
		row.Coefficient = plural(len(v.Levels), "text", "texts")
	default:
		row.Coefficient = "curve"
	}
	if share, of, known := r.frequency(v.column()); known {
		row.Share, row.ShareOf, row.SortShare = percent(share), of, exact(share)
		row.ShareBar = strconv.Itoa(int(100 * share))
	}
	if s := r.stable(v); s != nil {
		if v.Kind == KindLinear && len(s.Low) == 1 && len(s.High) == 1 {
			row.Interval = brief(s.Low[0]) + " to " + brief(s.High[0])
		}
		var rivals []string
		for _, rival := range s.Rivals[:min(len(s.Rivals), 3)] {
			rivals = append(rivals, fmt.Sprintf("%s (correlation %s)", rival.Name, brief(rival.Correlation)))
		}
		row.Rivals = strings.Join(rivals, ", ")
	}
	if d := r.density(v); d != nil {
		share := float64(d.Missing) / float64(max(d.Rows, 1))
		row.Missing, row.Miss = percent(share), exact(share)
		row.Numbers = append(row.Numbers, pair{"missing", fmt.Sprintf("%d of %s (%s)", d.Missing, plural(d.Rows, "row", "rows"), row.Missing)})
		if len(d.Edges) > 1 {
			row.Numbers = append(row.Numbers, pair{"mean ± sd", strings.TrimSpace(v.show(d.Mean) + " ± " + brief(d.SD) + " " + v.Scale)}, pair{"range", v.show(d.Edges[0]) + " to " + v.show(d.Edges[len(d.Edges)-1])})
		}
	}
	return row.with(r, v)
}

// with adds the numbers that stand beside the response.
func (row variableRow) with(r *Run, v *Variable) variableRow {
	var more []pair
	if v.Kind == KindLinear {
		for c := range min(len(v.Coefficients), shownClasses) {
			name := "coefficient"
			if class := className(&r.Model, c); class != "" {
				name += " of " + class
			}
			more = append(more, pair{name, brief(v.Coefficients[c][0])})
		}
		if d := r.density(v); d != nil && d.SD > 0 && len(v.Coefficients) == 1 {
			more = append(more, pair{"per standard deviation", brief(v.Coefficients[0][0] * d.SD)})
		}
	}
	if row.Interval != "" {
		more = append(more, pair{"interval", row.Interval})
	}
	if row.Share != "" {
		more = append(more, pair{"chosen in", row.Share + " of the " + row.ShareOf})
	}
	if row.Rivals != "" {
		more = append(more, pair{"rivals", row.Rivals})
	}
	if row.Unit != "" {
		more = append(more, pair{"unit", row.Unit})
	}
	row.Numbers = append(more, row.Numbers...)
	row.Numbers = append(row.Numbers, pair{"column", strconv.Itoa(v.Index) + " (from 0)"})
	return row
}

// unitOf returns what stands in brackets at the end of a name, as in weight [kg].
func unitOf(name string) string {
	for _, b := range []string{"[]", "()"} {
		if open := strings.LastIndexByte(name, b[0]); open > 0 && strings.HasSuffix(name, b[1:]) && len(name)-open <= 14 {
			return name[open+1 : len(name)-1]
		}
	}
	return ""
}

// pythonList writes names as a list in Python.
func pythonList(names []string) string {
	var quoted []string
	for _, name := range names {
		quoted = append(quoted, pythonText(name))
	}
	return "[" + strings.Join(quoted, ", ") + "]\n"
}

// pythonText writes a string as Python reads it.
func pythonText(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(s, "\ufffd") {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, "\\x%02x", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// late lists what nearly made it.
func (p *page) late(r *Run) {
	if r.Path == nil {
		return
	}
	for _, l := range r.Path.Lines {
		if l.Chosen || len(p.Late) == namedLate {
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
