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
	weights stripe  // of the current rows
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
		j := len(p.columns)
		_, text := p.schema.Categories[j]
		p.columns = append(p.columns, counted{trace: trace{text: text, classes: p.texts}, summed: j != p.target && checksummed(p.schema.Name(j), text)})
	}
	y := make([]float64, b.Rows)
	for i := range y {
		y[i] = p.response(b, i)
		p.y.count(y[i])
	}
	if p.schema.Sparse {
		for i := range b.Rows {
			for at := b.Start[i]; at < b.Start[i+1]; at++ {
				p.columns[b.Index[at]].count(b.Value[at])
				p.columns[b.Index[at]].add(b.Value[at:at+1], y[i:i+1], nil)
			}
		}
	}
	for lo := 0; lo < b.Rows; lo += stripeRows {
		p.stripe(b, y, lo, min(lo+stripeRows, b.Rows))
	}
	p.rows += b.Rows
}

// stripe adds rows lo to hi−1 of a block to the target and, if the table is dense, to its columns.
func (p *pass) stripe(b *data.Block, y []float64, lo, hi int) {
	var column [stripeRows]float64
	x, y := column[:hi-lo], y[lo:hi]
	p.weights.set(p.rows+lo, hi-lo)
	p.y.add(y, nil, &p.weights)
	if p.schema.Sparse {
		return
	}
	small := (p.rows+b.Rows)*p.schema.Width <= mostCells
	for j := range p.columns {
		c := &p.columns[j]
		for i := range x {
			x[i] = b.Dense[(lo+i)*p.schema.Width+j]
			c.count(x[i])
		}
		c.add(x, y, &p.weights)
		if small && c.summed {
			p.sums.add(p.rows+lo, j, x)
		}
	}
	if small {
		p.sums.add(p.rows+lo, -1, y)
	}
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
