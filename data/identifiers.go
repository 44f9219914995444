package data

import (
	"fmt"
	"math"
	"regexp"
	"slices"

	"fsa/data/kind"
)

// Identifiers name rows and do not generalise to new rows. They are texts that are different in
// nearly every row, or whole numbers that are different in every row of a column without a name or
// with a typical name. They are left out unless the user names them.

// leastUnique is the smallest number of different texts of an identifier.
const leastUnique = 20

// NearlyUnique reports whether a column has so many different texts that few of them would occur in
// new rows.
func NearlyUnique(levels, rows int) bool { return levels >= leastUnique && 2*levels > rows }

// idName matches typical names of identifiers.
var idName = regexp.MustCompile(`^((?i:id|ids|idx|index|key|uuid|guid|uid|rowid|row|row[._ -]?(names?|nr|no|number|index)|nr|no\.?|obs|unnamed: ?\d+|.*[._ -](id|key|uuid|guid|nr|index))|.*[a-z](Id|ID|Nr|Key)|X)$`)

// CalledID reports whether a column has a name that is typical of identifiers.
func CalledID(name string) bool { return idName.MatchString(name) }

// idProbe checks whether all numbers of a column are whole and different.
type idProbe struct {
	variable, column int
	seen             map[float64]bool // nil as soon as they are not
}

// probeIDs starts to check the columns with names that are typical of identifiers.
func (b *Builder) probeIDs() {
	if b.schema.Names == nil {
		return
	}
	for k := range b.whole {
		c := &b.columns[k]
		if name := b.schema.Name(c.Index); !c.Text && !b.used(c.Index) && b.schema.KindOf(c.Index).Kind == kind.Number && CalledID(name) {
			b.probes = append(b.probes, idProbe{k, c.Index, map[float64]bool{}})
		}
	}
}

// addBlock checks the rows of a dense block.
func (p *idProbe) addBlock(cells []float64, width int) {
	for at := p.column; p.seen != nil && at < len(cells); at += width {
		p.add(cells[at])
	}
}

func (p *idProbe) add(v float64) {
	if p.seen == nil {
		return
	}
	if v != math.Trunc(v) || p.seen[v] {
		p.seen = nil
		return
	}
	p.seen[v] = true
}

// used reports whether the user named a column as a variable.
func (c *Collector) used(column int) bool {
	return slices.ContainsFunc(c.roles.Use, func(ref string) bool { return c.schema.FindColumn(ref) == column })
}

// leaveOut marks identifiers as left out.
func (b *Builder) leaveOut(d *Dataset) {
	ids := map[int]bool{} // set of variables
	for _, p := range b.probes {
		ids[p.variable] = p.seen != nil && len(p.seen) >= min(b.rows, leastUnique)
	}
	for k := range b.whole {
		c := &b.columns[k]
		name := b.schema.Name(c.Index)
		switch n := len(b.schema.Categories[c.Index]); {
		case c.Text && !b.used(c.Index) && NearlyUnique(n, b.rows):
			d.left = append(d.left, Left{name, UniqueTexts(n, b.rows)})
		case ids[k]:
			d.left = append(d.left, Left{name, RowNumbers(b.rows)})
		default:
			continue
		}
		c.Left = true
	}
	d.useSomething()
}

// useSomething keeps all columns if otherwise no column would be left.
func (d *Dataset) useSomething() {
	if len(d.left) == d.whole {
		for k := range d.whole {
			d.Columns[k].Left = false
		}
		d.left = nil
	}
}

// RowNumbers returns the reason for leaving out a column that numbers the rows.
func RowNumbers(rows int) string {
	return fmt.Sprintf("its name and %d different numbers suggest that it numbers the rows", rows)
}

// UniqueTexts returns the reason for leaving out a column with this many different texts.
func UniqueTexts(texts, rows int) string {
	return fmt.Sprintf("%d different texts in %d rows", texts, rows)
}
