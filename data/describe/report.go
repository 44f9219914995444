package describe

import "fsa/data/kind"

// Report is the description of a table.
type Report struct {
	Rows    int      `json:"rows"`
	Columns []Column `json:"columns"`
	// Target is the name of the target. Classes has the number of rows of each of its texts.
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
	// Why is the reason for the kind, if it is not plain.
	Why     string `json:"why,omitempty"`
	Missing int    `json:"missing"`
	// Distinct is the number of different values. If there are more than are counted, it is the
	// number counted, and Many is set.
	Distinct int    `json:"distinct"`
	Many     bool   `json:"many,omitempty"`
	Low      string `json:"low,omitempty"`  // the smallest number, or the most frequent text
	High     string `json:"high,omitempty"` // the largest number
	// Shape has the shares of rows in bins of equal width over the range of most numbers, or the
	// shares of the most frequent texts.
	Shape []float64 `json:"shape,omitempty"`
	// Alone is the share of the variance of the response that the column explains on its own,
	// corrected for chance. For a text response, it is that of the class it predicts best.
	Alone *float64 `json:"alone,omitempty"`
}

// Problem is a possible problem of a column or of the table.
type Problem struct {
	Column string `json:"column,omitempty"` // empty for the whole table
	What   string `json:"what"`
	Cure   string `json:"cure"`
	// Leak says that the column may be known only together with the response. Copy says that it is
	// a copy of another column.
	Leak   bool `json:"-"`
	Copy   bool `json:"-"`
	Table  bool `json:"-"` // it is about rows, not about a column
	weight int  // problems with a larger weight are listed first
}

// Cell describes cells of a column that a reader could not read.
type Cell struct {
	Column int
	Line   int
	Count  int
	Msg    string
}

func (r *Report) add(column string, weight int, what, cure string) {
	r.Problems = append(r.Problems, Problem{Column: column, What: what, Cure: cure, weight: weight})
}
