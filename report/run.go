package report

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"fsa/internal/decimal"
)

// Run is what is known of a run. Parts that are nil are not known, and the report does
// without them.
type Run struct {
	Name  string // of its folder
	Model Model

	Record      *RunRecord
	Path        *Path
	Densities   *Densities
	Correlation *Correlation
	Examples    *Examples
	Curve       *Curve
	Stability   *Stability
	Rows        *Rows

	some bool // of the chosen variables, only those that were asked for are there
}

// Model is a model in plain numbers.
type Model struct {
	Task, Loss, Method string // Method is empty for annealing
	Target             string
	Classes            []string
	Outputs            int // decision values of a row
	Rows, Columns      int // learned from, and variables to select from
	Ridge              float64
	Intercept          []float64
	Metrics            map[string]float64 // on the training rows
	Variables          []Variable
}

// The tasks of a model and the kinds of a variable, as package model calls them.
const (
	Regression     = "regression"
	Classification = "classification"
	Ranking        = "ranking"
	Survival       = "survival"

	KindLinear   = "linear"
	KindCurve    = "curve"
	KindSteps    = "steps"
	KindCategory = "category"
)

// Variable is what a chosen variable adds to each decision value.
type Variable struct {
	Name              string
	Column            string // whose part it is, such as the month of a date; empty where it is all of it
	Index             int
	Strength          float64
	Kind              string
	Coefficients      [][]float64 // of each decision value
	Center, Low, High float64     // of a line, which is followed from Low to High
	Knots             []float64   // of a curve, or where steps begin and the last ends
	Missing           []float64   // what a missing value adds to each decision value
	Levels            []string    // of a category
	Treatment         string      // what was done to the column, in words
	// Scale is what numbers count where the name does not say it: years of a date. Show writes
	// such a number as people do; nil for plain ones.
	Scale string
	Show  func(x float64) string
}

// column returns the name of the column that the variable comes from.
func (v *Variable) column() string { return cmp.Or(v.Column, v.Name) }

// show writes a number of the variable for a reader.
func (v *Variable) show(x float64) string {
	if v.Show != nil {
		return v.Show(x)
	}
	return minus(decimal.Digits(x, 5))
}

// columns returns the names of the columns that the chosen variables come from, each once.
func (m *Model) columns() []string {
	var names []string
	for i := range m.Variables {
		if v := &m.Variables[i]; v.Column == "" || !slices.Contains(names, v.Column) {
			names = append(names, v.column())
		}
	}
	return names
}

// At returns what a number adds to decision value c.
func (v *Variable) At(c int, x float64) float64 {
	b := v.Coefficients[c]
	last := len(v.Knots) - 1
	switch v.Kind {
	case KindLinear:
		return b[0] * (min(max(x, v.Low), v.High) - v.Center)
	case KindSteps:
		at := sort.Search(last, func(i int) bool { return v.Knots[i+1] > x })
		return b[min(at, len(b)-1)]
	case KindCurve:
		at := sort.SearchFloat64s(v.Knots, x)
		switch {
		case at == 0:
			return b[0]
		case at > last:
			return b[last]
		}
		share := (x - v.Knots[at-1]) / (v.Knots[at] - v.Knots[at-1])
		return b[at-1] + share*(b[at]-b[at-1])
	}
	return math.NaN()
}

// sign says in which direction a variable acts: 1, −1, or 0 where that depends.
func (v *Variable) sign() int {
	if len(v.Coefficients) != 1 {
		return 0
	}
	b := v.Coefficients[0]
	if v.Kind == KindLinear {
		return compare(b[0], 0)
	}
	if v.Kind == KindCategory || len(b) < 2 {
		return 0
	}
	up, down := false, false
	for i := range b[1:] {
		up, down = up || b[i+1] > b[i], down || b[i+1] < b[i]
	}
	switch {
	case up && !down:
		return 1
	case down && !up:
		return -1
	}
	return 0
}

func compare(a, b float64) int {
	switch {
	case a > b:
		return 1
	case a < b:
		return -1
	}
	return 0
}

// Curve is curve.json, or the validation of a model.
type Curve struct {
	Header
	Folds     int                `json:"folds"`
	Measure   string             `json:"measure"`
	Larger    bool               `json:"larger_is_better"`
	Points    []CurvePoint       `json:"points"`
	Rule      string             `json:"rule"`
	Best      int                `json:"best"`
	Chosen    int                `json:"chosen"`
	Null      float64            `json:"null"`
	Agreement *float64           `json:"agreement"`
	Shares    map[string]float64 `json:"inclusion"` // share of the folds that selected a variable
	Ties      []Tie              `json:"ties"`      // variables of the model that most folds did not select
	Metrics   map[string]float64 `json:"metrics"`
	Errors    []struct {
		Size  int       `json:"size"`
		Folds []float64 `json:"folds"`
	} `json:"errors"`
}

// CurvePoint is the mean of what was compared at a size, and its standard error.
type CurvePoint struct {
	Size int     `json:"size"`
	Mean float64 `json:"mean"`
	SE   float64 `json:"se"`
}

// density returns that of a variable, nil if it is not known.
func (r *Run) density(v *Variable) *Density {
	if r.Densities == nil {
		return nil
	}
	for i := range r.Densities.Variables {
		if d := &r.Densities.Variables[i]; d.Index == v.Index && (v.Column == "" || d.Name == v.Name) {
			return d
		}
	}
	return nil
}
