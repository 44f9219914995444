package export

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"fsa/model"
)

// query writes expressions of SQL.
type query struct {
	*dialect
	*subject
	taken map[string]bool // names of columns, as far as they are known
}

// dialects is the table of engines. A new engine needs a file and a line here.
var dialects = map[string]dialect{
	"sqlite":   sqlite,
	"duckdb":   duckdb,
	"postgres": postgres,
}

// Dialects lists the dialects of SQL.
func Dialects() []string { return slices.Sorted(maps.Keys(dialects)) }

// tableAlias qualifies columns, because SQLite reads a quoted name that is not a column as a text,
// unless it is qualified by a table.
const tableAlias = "d"

// headSQL is the comment above a query.
const headSQL = `-- Predictions of a model of fsa: %s, %s loss.
-- Written by fsa export for %s.
--
-- Columns of numbers, dates and times have such a type, or hold texts such as 1234.5,
-- 2024-01-31, 2024-01-31 23:59:58 and 23:59:58. NULL, empty texts and words such as NA are
-- missing values. A row that has anything else there has no prediction: it is NULL.
`

// sql writes a model as a query that returns all columns of a table, followed by predictions. Each
// level of the query uses the results of the inner one.
func sql(s *subject, o *Options) ([]byte, error) {
	engine := cmp.Or(o.Dialect, "sqlite")
	d, ok := dialects[engine]
	if !ok {
		return nil, fmt.Errorf("unknown dialect %q: it must be one of %s", o.Dialect, strings.Join(Dialects(), ", "))
	}
	if err := d.check(engine, s.Terms); err != nil {
		return nil, err
	}
	q := &query{&d, s, map[string]bool{}}
	for i := range s.Terms {
		q.taken[d.same(s.Terms[i].Column)] = true
	}
	var table []string
	for part := range strings.SplitSeq(cmp.Or(o.Table, "data"), ".") {
		table = append(table, identifier(part))
	}
	decision, err := q.decisions()
	if err != nil {
		return nil, err
	}
	text := q.level(tableAlias+".*", decision, strings.Join(table, ".")+" AS "+tableAlias)
	levels, err := q.predictions(decision)
	if err != nil {
		return nil, err
	}
	for i, results := range levels {
		if len(levels) > 1 {
			text += q.fence
		}
		text = q.level("*", results, "(\n"+indent(text)+"\n) AS fsa_"+strconv.Itoa(i+1))
	}
	return []byte(fmt.Sprintf(headSQL, s.Task, s.Loss, engine) + text + ";\n"), nil
}

// result is a computed column.
type result struct{ name, expression string }

// level returns a query that adds columns to those that it selects.
func (q *query) level(selected string, results []result, from string) string {
	lines := []string{selected}
	for _, r := range results {
		lines = append(lines, r.expression+" AS "+identifier(r.name))
	}
	return "SELECT\n" + indent(strings.Join(lines, ",\n")) + "\nFROM " + from
}

// indent indents lines, but not the text in quotation marks.
func indent(text string) string {
	var out strings.Builder
	out.WriteString("  ")
	within := rune(0) // the current quotation mark; a doubled mark ends and begins a text
	for _, r := range text {
		switch {
		case r == within:
			within = 0
		case within == 0 && (r == '"' || r == '\''):
			within = r
		}
		if out.WriteRune(r); r == '\n' && within == 0 {
			out.WriteString("  ")
		}
	}
	return out.String()
}

// name returns a name for a result that is not the name of a known column.
func (q *query) name(base string) string {
	base = "fsa_" + base
	for q.taken[q.same(base)] {
		base += "_"
	}
	q.taken[q.same(base)] = true
	return base
}

// perClass returns names for results of which there is one per output. They contain the class or the target, or
// its number if the names would be equal, or longer than some engines
// allow.
func (q *query) perClass(base string) []string {
	n := q.Outputs()
	if n == 1 {
		return []string{q.name(base)}
	}
	suffix, names := make([]string, n), q.OutputNames()
	seen := map[string]bool{}
	for c := range suffix {
		if suffix[c] = strconv.Itoa(c); names != nil {
			suffix[c] = names[c]
		}
		full := "fsa_" + base + "_" + suffix[c]
		if seen[q.same(full)] || strings.Contains(full, "\x00") || len(full) > longestName {
			suffix = nil
			break
		}
		seen[q.same(full)] = true
	}
	out := make([]string, n)
	for c := range out {
		end := strconv.Itoa(c)
		if suffix != nil {
			end = suffix[c]
		}
		out[c] = q.name(base + "_" + end)
	}
	return out
}

// decisions returns the decision values.
func (q *query) decisions() ([]result, error) {
	var out []result
	for c, name := range q.perClass(q.Decision()) {
		terms := []string{"CAST(" + literal(q.Intercept[c]) + " AS " + q.double + ")"}
		for i := range q.Terms {
			term, err := q.term(&q.Terms[i], c)
			if err != nil {
				return nil, fmt.Errorf("column %q: %w", q.Terms[i].Column, err)
			}
			terms = append(terms, term)
		}
		for _, p := range q.Pairs {
			term, err := q.pair(p, c)
			if err != nil {
				return nil, fmt.Errorf("column %q: %w", q.Terms[p.Terms[0]].Column, err)
			}
			terms = append(terms, term)
		}
		total := add(terms)
		if q.Log {
			total = q.exp(total)
		}
		if q.Share {
			total = "1e0 / (1e0 + " + q.exp("-("+total+")") + ")"
		}
		out = append(out, result{name, total})
	}
	return out, nil
}

// add returns a sum. Engines allow about 1000 nested operations, and each sign is one.
func add(terms []string) string {
	const most = 100
	if len(terms) <= most {
		return strings.Join(terms, "\n+ ")
	}
	var groups []string
	for group := range slices.Chunk(terms, most) {
		groups = append(groups, "("+strings.Join(group, "\n+ ")+")")
	}
	return add(groups)
}

// term returns what a column adds to decision value c.
func (q *query) term(t *model.Term, c int) (string, error) {
	column := tableAlias + "." + identifier(t.Column)
	switch {
	case t.Part != "":
		return q.part(t, c, column)
	case t.Kind == model.Category:
		return q.category(t, c, column)
	}
	x, cases, err := q.read(t, c, column)
	if err != nil {
		return "", err
	}
	var otherwise string
	at := t.Coefficients[c]
	switch t.Kind {
	case model.Linear:
		for _, end := range []struct {
			beyond string
			at     float64
		}{{" < ", t.Low}, {" > ", t.High}} {
			if math.Abs(end.at) < math.MaxFloat64 {
				cases = append(cases, x+end.beyond+literal(end.at)+" THEN "+literal(2*at[0]*(end.at/2-t.Center/2)))
			}
		}
		otherwise = linearSQL(x, t.Center, at[0])
	case model.Steps:
		for b := 1; b < len(at); b++ {
			cases = append(cases, x+" < "+literal(t.Knots[b])+" THEN "+literal(at[b-1]))
		}
		otherwise = literal(at[len(at)-1])
	case model.Curve:
		last := len(at) - 1
		cases = append(cases, x+" <= "+literal(t.Knots[0])+" THEN "+literal(at[0]), x+" >= "+literal(t.Knots[last])+" THEN "+literal(at[last]))
		var bins []string
		bins, otherwise, err = curveSQL(x, t, at)
		cases = append(cases, bins...)
	}
	return "CASE WHEN " + strings.Join(cases, "\n    WHEN ") + "\n    ELSE " + otherwise + " END", err
}

// linearSQL returns a slope times a distance. If the distance of numbers may overflow, it uses the
// distance of their halves: some engines fail on an overflow.
func linearSQL(x string, center, slope float64) string {
	switch {
	case center == 0:
		return literal(slope) + " * " + x
	case math.Abs(center) > 0x1p960:
		return literal(slope) + " * 2e0 * (" + x + " / 2e0 - " + signed(center/2) + ")"
	}
	return literal(slope) + " * (" + x + " - " + signed(center) + ")"
}

// signed returns a number that may follow a minus: two minus signs would begin a comment.
func signed(x float64) string {
	if math.Signbit(x) {
		return "(" + literal(x) + ")"
	}
	return literal(x)
}

// curveSQL returns the cases of a number between the knots, and the expression for the last bin.
// Positions in bins of equal width are computed from the first knot, because the other knots are
// rounded.
func curveSQL(x string, t *model.Term, at []float64) (cases []string, otherwise string, err error) {
	last := len(at) - 1
	from, to := t.Knots[0], t.Knots[last]
	half := ""
	scale := 1.0
	if math.IsInf(to-from, 0) {
		half, scale = " / 2e0", 2
		// Half of the smallest number would be zero, which PostgreSQL refuses.
		x = "(CASE WHEN abs(" + x + ") < 1e-300 THEN 0e0 ELSE " + x + " END)"
	}
	for b := range last {
		low, width, behind := t.Knots[b]/scale, t.Knots[b+1]/scale-t.Knots[b]/scale, 0.0
		limit := x + " < " + literal(t.Knots[b+1])
		if t.Even {
			low, width = from/scale, (to/scale-from/scale)/float64(last)
			behind = float64(b)
			limit = "(" + x + half + " - " + signed(low) + ") / " + literal(width) + " < " + literal(behind+1)
		}
		rise := at[b+1] - at[b]
		if math.IsInf(rise, 0) {
			return nil, "", errors.New("its effect is too large for a number: change the units of the target and fit again")
		}
		place := "(" + x + half + " - " + signed(low) + ") / " + literal(width)
		if behind > 0 {
			place += " - " + literal(behind)
		}
		value := literal(at[b]) + " + " + literal(rise) + " * (" + place + ")"
		if rise == 0 {
			value = literal(at[b])
		}
		if b == last-1 {
			return cases, value, nil
		}
		cases = append(cases, limit+" THEN "+value)
	}
	return nil, "", nil
}
