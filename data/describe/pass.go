package describe

import (
	"math"
	"slices"

	"fsa/data"
)

// pass is a pass over the rows.
type pass struct {
	schema *data.Schema
	roles  data.Roles
	rows   int
	target int // column of the target, or −1
	vector *data.Vector
	texts  bool // the target is a text

	columns []counted
	sums    rowSums // of the numbers of each row, while the table is small
	y       counted // a target that is not a column
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
	p.y.text = p.texts
	return p
}

// response returns the response of row i of a block.
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
		p.columns = append(p.columns, counted{trace: trace{text: text, classes: p.texts}})
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
		small := (p.rows+b.Rows)*p.schema.Width <= mostCells
		for j := range p.columns {
			summed := small && j != p.target && checksummed(p.schema.Name(j), p.columns[j].text)
			for i := range b.Rows {
				x := b.Dense[i*p.schema.Width+j]
				p.columns[j].add(x, y[i])
				if summed {
					p.sums.add(p.rows+i, j, x)
				}
			}
		}
		for i := range y {
			if small {
				p.sums.add(p.rows+i, -1, y[i])
			}
		}
	}
	p.rows += b.Rows
}

// leftOut is the role of identifiers.
const leftOut = "left out"

// role returns the role of column j.
func (p *pass) role(j int) string {
	is := func(ref string) bool { return ref != "" && p.schema.FindColumn(ref) == j }
	switch {
	case j == p.target:
		return "target"
	case is(p.roles.Weight):
		return "weights"
	case is(p.roles.Offset):
		return "offset"
	case is(p.roles.Query):
		return "queries"
	case slices.ContainsFunc(p.roles.Beside(), func(b data.Beside) bool { return is(*b.Column) }):
		at := slices.IndexFunc(p.roles.Beside(), func(b data.Beside) bool { return is(*b.Column) })
		return p.roles.Beside()[at].Word
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
