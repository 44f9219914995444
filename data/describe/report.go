package describe

import "fsa/data/kind"

// Report is the description of a table.
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

// Problem is a possible problem of a column or of the table.
type Problem struct {
	Column string `json:"column,omitempty"` // empty for the whole table
	What   string `json:"what"`
	Cure   string `json:"cure"`
	// Leak says that the column may be known only with the response, and Copy that it is a copy
	// of another.
	Leak   bool `json:"-"`
	Copy   bool `json:"-"`
	weight int  // what matters more comes first
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
