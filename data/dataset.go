package data

import (
	"slices"

	"fsa/data/kind"
	"fsa/internal/matrix"
)

// Dataset is a table ready for learning: its variables, stored so that they
// can be multiplied, and a target. It is not changed by learning from it.
type Dataset struct {
	// Name says where the data came from.
	Name string
	// Columns lists the variables in the order of the input, and what was
	// measured of them.
	Columns []Column
	// Target is the response; nil where the table has none. Columns were measured by its
	// weights, so that those belong into [Roles]: set later, they do not change what was.
	Target *Target

	schema   *Schema
	whole    int                // how many of Columns are columns of the input; parts of them come after
	levels   map[int][]string   // of text variables whose categories are not those of the input
	pools    map[int]*pool      // of text variables with rare categories
	response *kind.Column       // what the response is, where the schema does not tell; else nil
	left     []Left             // columns that are no variables by default
	width    int                // columns that are no target and the like, also those that never occur
	numbers  matrix.Numbers     // a column for each variable of numbers
	texts    matrix.Categorical // the text variables; nil without any
	places   []int              // see place; nil without texts where numbers are stored in the order of Columns
	rows     int
}

// Left is a column that is left out by default.
type Left struct {
	Name, Why string
}

// place returns the position of variable j among those of numbers, or among the texts.
func (d *Dataset) place(j int) int {
	if d.places == nil {
		return j
	}
	return d.places[j]
}

// Rows returns the number of rows.
func (d *Dataset) Rows() int { return d.rows }

// Width returns the number of variables there are to select from. Of a sparse
// table Columns holds only those that occur.
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

// Levels returns the categories that learning makes of text variable j, and the position
// of the one that stands for rare and later ones; −1 if there is none.
func (d *Dataset) Levels(j int) (levels []string, rare int) {
	if p := d.pools[j]; p != nil {
		return p.levels, len(p.levels) - 1
	}
	return d.Categories(j), -1
}

// Kind says what the column of variable j holds.
func (d *Dataset) Kind(j int) kind.Column { return d.schema.KindOf(d.Columns[j].Index) }

// TargetKind says what the column of the response holds, if it is one.
func (d *Dataset) TargetKind() kind.Column {
	switch {
	case d.response != nil:
		return *d.response
	case d.Target == nil || d.Target.Name == "":
		return kind.Column{Kind: kind.Number}
	}
	return d.schema.KindOf(d.schema.FindColumn(d.Target.Name))
}

// Lookup returns the variable whose column has the given name, or number
// counted from 0, or −1.
func (d *Dataset) Lookup(ref string) int {
	index := d.schema.FindColumn(ref)
	j, found := slices.BinarySearchFunc(d.Columns[:d.whole], index, func(c Column, at int) int { return c.Index - at })
	if index < 0 || !found {
		return -1
	}
	return j
}

// Empty reports whether a name, or number counted from 0, is that of a column of a
// sparse table without any cell: a variable that does not vary and is not in Columns.
func (d *Dataset) Empty(ref string) bool {
	return d.schema.Sparse && d.schema.FindColumn(ref) >= 0 && d.Lookup(ref) < 0
}

// IndexBase is that of the input; see [Schema].
func (d *Dataset) IndexBase() string { return d.schema.IndexBase }

// NamelessWidth returns the number of columns of the input if they are known by
// their position only and all there, else 0.
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

// BytesRead returns how much was read so far of a table that stays in a file; 0
// of one in memory.
func (d *Dataset) BytesRead() int64 {
	if f, ok := d.numbers.(matrix.Paged); ok {
		return f.BytesRead()
	}
	return 0
}

// Varies reports whether variable j takes more than one value, and is not left out.
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
