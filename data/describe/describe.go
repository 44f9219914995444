// Package describe says what is in a table and what is wrong with it: every column and
// every problem, in one pass over the rows.
package describe

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"fsa/data"
	"fsa/data/kind"
)

// Report is what a table has.
type Report struct {
	Rows    int      `json:"rows"`
	Columns []Column `json:"columns"`
	// Target is the name of the response, and Classes how many rows each of its texts has.
	Target   string         `json:"target,omitempty"`
	Classes  map[string]int `json:"classes,omitempty"`
	Problems []Problem      `json:"problems"`
}

// Column is a column of a table.
type Column struct {
	Name string `json:"name"`
	// Role is target, weights, queries, dropped or left out; empty for a variable.
	Role string    `json:"role,omitempty"`
	Kind kind.Name `json:"kind"`
	// Why says what spoke for the kind, where it is not plain.
	Why     string `json:"why,omitempty"`
	Missing int    `json:"missing"`
	// Distinct is how many different values there are; of more than it counts, what it
	// has counted, and Many is set.
	Distinct int    `json:"distinct"`
	Many     bool   `json:"many,omitempty"`
	Low      string `json:"low,omitempty"`  // the least number, or the most frequent text
	High     string `json:"high,omitempty"` // the greatest number
	// Shape are the shares of rows in bins of equal width over what most numbers span, or
	// those of the most frequent texts.
	Shape []float64 `json:"shape,omitempty"`
	// Alone is the share of the variance of the response that the column explains alone,
	// on rows that were not looked at; of a text response that of the class that it tells best.
	Alone *float64 `json:"alone,omitempty"`
}

// Problem is something that may be wrong.
type Problem struct {
	Column string `json:"column,omitempty"` // empty for the whole table
	What   string `json:"what"`
	Cure   string `json:"cure"`
	weight int    // what matters more comes first
}

// Cell is something that a reader could not make sense of.
type Cell struct {
	Column int
	Line   int
	Count  int
	Msg    string
}

// Table reads all rows of a table. Roles are those of a fit; the columns that they name
// are described, too. Bad tells, in the end, what could not be read; nil for nothing.
func Table(ctx context.Context, r data.Reader, roles data.Roles, bad func() []Cell) (*Report, error) {
	p := newPass(r.Schema(), roles)
	for b, err := range data.Blocks(ctx, r) {
		if err != nil {
			return nil, err
		}
		if err := b.Check(p.schema); err != nil {
			return nil, err
		}
		p.add(b)
	}
	out := p.report()
	if bad != nil {
		for _, c := range bad() {
			out.add(p.schema.Name(c.Column), 90, c.Msg, "correct these cells; or --categorical, or --drop")
		}
	}
	slices.SortStableFunc(out.Problems, func(a, b Problem) int { return cmp.Compare(b.weight, a.weight) })
	return out, nil
}

func (r *Report) add(column string, weight int, what, cure string) {
	r.Problems = append(r.Problems, Problem{column, what, cure, weight})
}

// pass is a walk through the rows.
type pass struct {
	schema *data.Schema
	roles  data.Roles
	rows   int
	target int // column; −1 without
	vector *data.Vector
	texts  bool // the target is a text

	columns []counted
	y       counted // a target that is no column
}

func newPass(s *data.Schema, roles data.Roles) *pass {
	p := &pass{schema: s, roles: roles, target: -1, vector: roles.TargetVector}
	if roles.Target != "" {
		p.target = s.FindColumn(roles.Target)
	}
	if p.target >= 0 {
		_, p.texts = s.Categories[p.target]
	} else if p.vector != nil {
		p.texts = p.vector.Categories != nil
	}
	return p
}

// response returns that of row i of a block.
func (p *pass) response(b *data.Block, i int) float64 {
	switch {
	case p.target >= 0 && !p.schema.Sparse:
		return b.Dense[i*p.schema.Width+p.target]
	case p.vector != nil && p.rows+i < len(p.vector.Values):
		return p.vector.Values[p.rows+i]
	case p.vector == nil && b.Label != nil:
		return b.Label[i]
	}
	return math.NaN()
}

func (p *pass) add(b *data.Block) {
	for len(p.columns) < p.schema.Width {
		_, text := p.schema.Categories[len(p.columns)]
		p.columns = append(p.columns, counted{text: text, classes: p.texts})
	}
	y := make([]float64, b.Rows)
	for i := range y {
		y[i] = p.response(b, i)
		p.y.add(y[i], math.NaN())
	}
	if p.schema.Sparse {
		for i := range b.Rows {
			for at := b.Start[i]; at < b.Start[i+1]; at++ {
				p.columns[b.Index[at]].add(b.Value[at], y[i])
			}
		}
	} else {
		for j := range p.columns {
			for i := range b.Rows {
				p.columns[j].add(b.Dense[i*p.schema.Width+j], y[i])
			}
		}
	}
	p.rows += b.Rows
}

// report sums up.
func (p *pass) report() *Report {
	out := &Report{Rows: p.rows, Problems: []Problem{}}
	same := map[uint64]int{}
	p.namedTwice(out)
	for j := range p.columns {
		c := &p.columns[j]
		if p.schema.Sparse {
			c.addZeros(p.rows)
		}
		col := p.describe(j)
		out.Columns = append(out.Columns, col)
		if col.Role == "target" {
			out.Target = col.Name
			p.targetProblems(out, c, j)
			continue
		}
		if col.Role != "" && col.Role != leftOut {
			continue
		}
		p.problems(out, c, &col, j)
		if first, known := same[c.hash]; known && !p.schema.Sparse && c.distinct() > 1 && (c.distinct() > 2 || c.text == p.columns[first].text) {
			out.add(col.Name, 50, fmt.Sprintf("it has the same contents as %s", p.schema.Name(first)), "--drop one of them")
		} else if !known {
			same[c.hash] = j
		}
	}
	if p.target < 0 && p.y.n > 0 {
		out.Target = "y"
		if p.vector != nil {
			out.Target = p.vector.Name
		}
		p.y.text = p.texts
		p.targetProblems(out, &p.y, -1)
	}
	return out
}

// leftOut is the role of identifiers.
const leftOut = "left out"

// role returns that of column j.
func (p *pass) role(j int) string {
	is := func(ref string) bool { return ref != "" && p.schema.FindColumn(ref) == j }
	switch {
	case j == p.target:
		return "target"
	case is(p.roles.Weight):
		return "weights"
	case is(p.roles.Query):
		return "queries"
	case slices.ContainsFunc(p.roles.Drop, is):
		return "dropped"
	case !slices.ContainsFunc(p.roles.Use, is) && p.identifier(j):
		return leftOut
	}
	return ""
}

func (p *pass) identifier(j int) bool {
	c := &p.columns[j]
	if c.text {
		return data.NearlyUnique(len(p.schema.Categories[j]), p.rows)
	}
	return p.schema.Names != nil && data.CalledID(p.schema.Name(j)) && c.whole && !c.repeats && c.n == p.rows
}

// describe returns what is known of column j.
func (p *pass) describe(j int) Column {
	c, k := &p.columns[j], p.schema.KindOf(j)
	out := Column{Name: p.schema.Name(j), Role: p.role(j), Kind: k.Kind, Why: k.Why, Missing: c.missing, Distinct: c.distinct(), Many: c.many}
	if c.text {
		texts := p.schema.Categories[j]
		out.Distinct, out.Many = len(texts), false
		if at := c.most(); at >= 0 && at < len(texts) {
			out.Low = texts[at]
		}
	} else if c.n > 0 {
		out.Low, out.High = k.Show(c.low), k.Show(c.high)
	}
	out.Shape = c.shape()
	if j != p.target && p.y.n > 0 {
		if alone := c.alone(); alone == alone {
			out.Alone = &alone
		}
	}
	return out
}
