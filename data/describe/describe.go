// Package describe describes all columns of a table and lists possible problems, in one pass over
// the rows.
package describe

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"fsa/data"
)

// Table reads all rows of a table and describes it. The roles are those of a fit; columns with a
// role are described, too. bad is called at the end and returns the cells that could not be read;
// it may be nil.
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

// report returns the description.
func (p *pass) report() *Report {
	out := &Report{Rows: p.rows, Problems: []Problem{}}
	if p.rows < leastRows {
		out.add("", 120, fmt.Sprintf("only %d rows", p.rows), "a model of so few rows cannot be trusted, and most problems are not looked for")
	}
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
	}
	if p.target < 0 && p.y.n > 0 {
		out.Target = "y"
		if p.vector != nil {
			out.Target = p.vector.Name
		}
		p.targetProblems(out, &p.y, -1)
	}
	if !p.schema.Sparse {
		out.Problems = append(out.Problems, p.suspects(out)...)
	}
	return out
}

// suspects looks for leaks, copies and ordered rows.
func (p *pass) suspects(out *Report) []Problem {
	s := search{target: suspect{name: out.Target}, survival: p.roles.Event != "" || p.roles.EventVector != nil}
	if p.y.n > 0 {
		s.target.trace, s.counts = &p.y.trace, p.y.counts
	}
	if len(p.sums) == p.rows {
		s.rows = p.sums
	}
	for j := range out.Columns {
		if role := out.Columns[j].Role; role == "" {
			different := 0
			if c := &p.columns[j]; named.MatchString(out.Columns[j].Name) && (c.text || c.whole) {
				different = out.Columns[j].Distinct
			}
			s.columns = append(s.columns, suspect{out.Columns[j].Name, out.Columns[j].Kind, different, &p.columns[j].trace})
		}
	}
	return s.problems()
}

// describe returns the description of column j.
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
