package data

import (
	"context"
	"errors"
	"fmt"
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

// place returns the position of variable j among those of numbers, or among the texts.
func (d *Dataset) place(j int) int {
	if d.places == nil {
		return j
	}
	return d.places[j]
}

// Column is a variable of a dataset. There may be millions, so the order of its
// fields is that which takes least room.
type Column struct {
	// Index is the position of the column in the input, counted from 0.
	Index int
	// Mean, SD, Min and Max describe the numbers of the column, as they stand
	// in the input; missing ones and rows of weight zero do not count. Mean
	// and SD are weighted. The SD of a text is the root of the summed
	// variances of its categories; 0 means that the variable does not vary.
	Mean, SD, Min, Max float64
	// Missing is the number of missing values.
	Missing uint32

	// Text says that the variable is categorical.
	Text bool
	// Left says that the column is left out by default; see [Dataset.LeftOut].
	Left bool
	part uint8 // what of the column it is; see [Dataset.Part]

	// A number x is stored as (x−shift)·2^−exponent, so that a float32 holds
	// its digits wherever they lie.
	shifted bool // the shift was chosen
	power
	shift float64
}

// placesOf returns the places of the columns; nil if all are numbers.
func placesOf(columns []Column) []int {
	if !slices.ContainsFunc(columns, func(c Column) bool { return c.Text }) {
		return nil
	}
	places := make([]int, len(columns))
	numbers, texts := 0, 0
	for j := range columns {
		if columns[j].Text {
			places[j] = texts
			texts++
		} else {
			places[j] = numbers
			numbers++
		}
	}
	return places
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

// Select returns the given rows as a dataset of its own, measured anew. Rows
// of a query have to be chosen together.
func (d *Dataset) Select(ctx context.Context, rows []int) (*Dataset, error) {
	if len(rows) == 0 {
		return nil, errors.New("data: no rows selected")
	}
	to := *d
	to.Columns, to.rows, to.Target, to.texts = slices.Clone(d.Columns), len(rows), nil, nil
	x, err := d.numbers.Select(ctx, rows, nil)
	if err != nil {
		return nil, err
	}
	to.numbers = x.(matrix.Numbers)
	if d.texts != nil {
		to.texts = d.texts.(*matrix.OneHot).Pick(rows, nil)
	}
	if d.Target != nil {
		to.Target = d.Target.Select(rows)
	}
	return &to, to.measure(ctx)
}

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

// FromRows returns a dataset of dense rows: x holds len(y)×cols numbers, row
// after row, NaN where one is missing. Names may be nil. X is copied and y is not: it
// is the target of the dataset. Weights, queries and texts are given to a [Builder].
func FromRows(names []string, cols int, x, y []float64) (*Dataset, error) {
	if len(y) == 0 || cols == 0 || len(x) != len(y)*cols {
		return nil, fmt.Errorf("data: %d numbers for %d rows of %d columns", len(x), len(y), cols)
	}
	if names != nil && len(names) != cols {
		return nil, fmt.Errorf("data: %d names for %d columns", len(names), cols)
	}
	b := NewBuilder("rows", &Schema{Width: cols, Names: names}, Roles{TargetVector: &Vector{Values: y}})
	if err := b.Add(&Block{Rows: len(y), Dense: x}); err != nil {
		return nil, err
	}
	return b.Dataset(context.Background())
}
