package report

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"fsa/internal/decimal"
)

// Run is a run. Parts that are nil are not known, and the report omits them.
type Run struct {
	Name  string // name of its folder
	Model Model

	Record      *RunRecord
	Path        *Path
	Densities   *Densities
	Correlation *Correlation
	Examples    *Examples
	Curve       *Curve
	Stability   *Stability
	Rows        *Rows

	some bool // it contains only the requested variables
}

// Model is a model in plain numbers.
type Model struct {
	Task, Loss, Method string // Method is empty for annealing
	Link               string // how decision values become predictions: "exp", "logistic" or others
	Target             string
	Classes            []string
	Positive           []string // the positive class of each of several labels
	Quantiles          []float64
	Power, Size        float64  // parameters of the tweedie and the negbinomial loss
	Outputs            int      // decision values per row
	Names              []string // of the decision values, if there are several
	Rows, Columns      int      // number of training rows, and of variables to select from
	Ridge              float64
	Intercept          []float64
	Metrics            map[string]float64 // on the training rows
	Absent             string             // sentence about variables that most folds selected, but that the model lacks
	Discoveries        string             // sentence about the false discovery rate; empty without one
	Variables          []Variable
	Interactions       []Interaction // the most important first
}

// The tasks of a model and the kinds of a variable, with the names of package model.
const (
	Regression     = "regression"
	Classification = "classification"
	Ranking        = "ranking"
	Survival       = "survival"
	Multilabel     = "multilabel"

	KindLinear   = "linear"
	KindCurve    = "curve"
	KindSteps    = "steps"
	KindCategory = "category"
)

// Interaction is the contribution of a selected pair of variables. That of a number and a text has lines over the values
// of the number.
type Interaction struct {
	Names    [2]string
	Strength float64
	// At is the contribution of two numbers, which lay between Low and High in training; nil for a number and a text.
	At        func(a, b float64) float64
	Low, High [2]float64
	X         []float64
	Lines     []InteractionLine
	Hidden    int // values of the second variable without a line
}

// InteractionLine is the contribution at one value of the second variable.
type InteractionLine struct {
	Label string
	Y     []float64
}

// Variable is the contribution of a selected variable to each decision value.
type Variable struct {
	Name              string
	Column            string // the column if the variable is only a part of it, such as the date of a month; otherwise empty
	Index             int
	Strength          float64
	Kind              string
	Coefficients      [][]float64 // for each decision value
	Center, Low, High float64     // of a line, which is constant beyond Low and High
	Knots             []float64   // of a curve, or the edges of steps
	Missing           []float64   // contribution of a missing value to each decision value
	Levels            []string    // of a category
	Treatment         string      // how the column was read, in words
	// Scale is the unit of numbers if it is not clear from the name: years for a date. Show formats
	// such a number for people; nil for plain numbers.
	Scale string
	Show  func(x float64) string
}

// column returns the name of the column that the variable comes from.
func (v *Variable) column() string { return cmp.Or(v.Column, v.Name) }

// show formats a number of the variable.
func (v *Variable) show(x float64) string {
	if v.Show != nil {
		return v.Show(x)
	}
	return minus(decimal.Digits(x, 5))
}

// columns returns the names of the columns of the selected variables, each once.
func (m *Model) columns() []string {
	var names []string
	for i := range m.Variables {
		if v := &m.Variables[i]; v.Column == "" || !slices.Contains(names, v.Column) {
			names = append(names, v.column())
		}
	}
	return names
}

// At returns the contribution of a number to decision value c.
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

// sign returns the direction of the effect of a variable: 1, −1, or 0 if it depends on the value.
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
	Budgets   []float64          `json:"budgets"` // what the variables may cost at each point, if they have prices
	Rule      string             `json:"rule"`
	Best      int                `json:"best"`
	Chosen    int                `json:"chosen"`
	Null      float64            `json:"null"`
	Agreement *float64           `json:"agreement"`
	Shares    map[string]float64 `json:"inclusion"` // inclusion frequency of each variable, over folds
	Ties      []Tie              `json:"ties"`      // variables of the model that most folds did not select
	Near      *Near              `json:"near"`      // sets of variables that are nearly as good; nil if rivals were not measured
	Reference *Reference         `json:"reference"` // comparison with a model of all columns
	Metrics   map[string]float64 `json:"metrics"`
	Errors    []struct {
		Size  int       `json:"size"`
		Folds []float64 `json:"folds"`
	} `json:"errors"`
}

// CurvePoint is the mean of the compared measure at a size, and its standard error.
type CurvePoint struct {
	Size int     `json:"size"`
	Mean float64 `json:"mean"`
	SE   float64 `json:"se"`
}

// density returns the density of a variable, or nil if it is not known.
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
