package data

import (
	"slices"

	"fsa/data/kind"
	"fsa/internal/matrix"
)

// Dataset is a table that is ready for training: its variables, stored so that they can be
// multiplied, and a target. Training does not modify it.
type Dataset struct {
	// Name is the source of the data.
	Name string
	// Columns lists the variables in the order of the input, with their statistics.
	Columns []Column
	// Target is the target; nil if the table has none. The statistics of the columns use its
	// weights, so weights must be given in [Roles]: setting them later does not change the
	// statistics.
	Target *Target

	schema   *Schema
	whole    int                // number of Columns that are whole columns of the input; parts of columns follow
	levels   map[int][]string   // by text variable, if its categories are not those of the input
	pools    map[int]*pool      // by text variable with rare categories
	response *kind.Column       // kind of the response, if it is not in the schema; otherwise nil
	left     []Left             // columns that are not variables by default
	width    int                // number of columns without a role, including those that are always empty
	numbers  matrix.Numbers     // one column per numeric variable
	texts    matrix.Categorical // the text variables, or nil
	places   []int              // see place; nil if there are no texts and numbers are stored in the order of Columns
	rows     int
}

// Left is a column that is left out by default.
type Left struct {
	Name, Why string
}

// place returns the index of variable j among the numbers, or among the texts.
func (d *Dataset) place(j int) int {
	if d.places == nil {
		return j
	}
	return d.places[j]
}

// Rows returns the number of rows.
func (d *Dataset) Rows() int { return d.rows }

// Width returns the number of variables to select from. In a sparse table, Columns has only
// the nonempty ones.
func (d *Dataset) Width() int { return d.width }

// ColumnName returns the name of variable j.
func (d *Dataset) ColumnName(j int) string { return d.schema.Name(d.Columns[j].Index) }

// Categories returns the texts of text variable j.
func (d *Dataset) Categories(j int) []string {
	if levels, ok := d.levels[j]; ok {
		return levels
	}
	return d.schema.Categories[d.Columns[j].Index]
}

// Order returns the categories of text variable j from the lowest to the highest, if the input has an order; it may have more.
func (d *Dataset) Order(j int) []string { return d.schema.Orders[d.Columns[j].Index] }

// Levels returns the categories of text variable j that training uses, and the index of the one for
// rare and unseen texts, or −1 if there is none.
func (d *Dataset) Levels(j int) (levels []string, rare int) {
	if p := d.pools[j]; p != nil {
		return p.levels, len(p.levels) - 1
	}
	return d.Categories(j), -1
}

// Kind returns the kind of the column of variable j.
func (d *Dataset) Kind(j int) kind.Column { return d.schema.KindOf(d.Columns[j].Index) }

// TargetKind returns the kind of the target column, if the target is a column.
func (d *Dataset) TargetKind() kind.Column {
	switch {
	case d.response != nil:
		return *d.response
	case d.Target == nil || d.Target.Name == "":
		return kind.Column{Kind: kind.Number}
	}
	return d.schema.KindOf(d.schema.FindColumn(d.Target.Name))
}

// KindOf returns the kind of the column with the given name, if there is one.
func (d *Dataset) KindOf(name string) kind.Column { return d.schema.KindOf(d.schema.FindColumn(name)) }

// Lookup returns the variable of the column with the given name, or with the given number counted
// from 0. It returns −1 if there is none.
func (d *Dataset) Lookup(ref string) int {
	index := d.schema.FindColumn(ref)
	j, found := slices.BinarySearchFunc(d.Columns[:d.whole], index, func(c Column, at int) int { return c.Index - at })
	if index < 0 || !found {
		return -1
	}
	return j
}

// Empty reports whether ref, a name or a number counted from 0, is an empty column of a sparse
// table. Such a column does not vary and is not in Columns.
func (d *Dataset) Empty(ref string) bool {
	return d.schema.Sparse && d.schema.FindColumn(ref) >= 0 && d.Lookup(ref) < 0
}

// IndexBase returns the index base of the input; see [Schema].
func (d *Dataset) IndexBase() string { return d.schema.IndexBase }

// NamelessWidth returns the number of columns of the input if they have no names and their number
// is known, and 0 otherwise.
func (d *Dataset) NamelessWidth() int {
	if d.schema.Names != nil || d.schema.Open {
		return 0
	}
	return d.schema.Width
}

// LeftOut lists the columns that are left out, in the order of the input.
func (d *Dataset) LeftOut() []Left { return d.left }

// Sparse reports whether only nonzero numbers are stored.
func (d *Dataset) Sparse() bool { return d.numbers.IsSparse() }

// InMemory reports whether all numbers are in the memory of this process, so that reading a column
// is cheap.
func (d *Dataset) InMemory() bool { return !matrix.Elsewhere(d.numbers) }

// BytesRead returns the number of bytes read so far from a table that stays in a file, or 0 for a
// table in memory.
func (d *Dataset) BytesRead() int64 {
	if f, ok := d.numbers.(matrix.Paged); ok {
		return f.BytesRead()
	}
	return 0
}

// Varies reports whether variable j has more than one value and is not left out.
func (d *Dataset) Varies(j int) bool { return d.Columns[j].SD > 0 && !d.Columns[j].Left }

// rowWeight returns the weight of row i.
func (d *Dataset) rowWeight(i int) float64 {
	if d.Target == nil || d.Target.Weight == nil {
		return 1
	}
	return d.Target.Weight[i]
}

// rowWeights returns the weights of rows lo to hi−1.
func (d *Dataset) rowWeights(lo, hi int) []float64 {
	w := make([]float64, hi-lo)
	for i := range w {
		w[i] = d.rowWeight(lo + i)
	}
	return w
}
