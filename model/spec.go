package model

import (
	"fsa/data"
	"fsa/data/kind"
	"fsa/loss"
)

// spec is a model as it is written to a file.
type spec struct {
	Task    Task     `json:"task"`
	Loss    string   `json:"loss"`
	Classes []string `json:"classes,omitempty"`
	Outputs int      `json:"outputs"`
	// Settings are the parameters of the loss.
	Settings loss.Settings `json:"loss_settings,omitzero"`
	Bins     int           `json:"bins,omitempty"`
	// Width is the number of columns of the input, if they have no names: then
	// a variable is known by its position, and another width is another table.
	Width int `json:"width,omitempty"`
	// Intercept of each output, when every linear variable is at its center.
	Intercept []float64  `json:"intercept"`
	Variables []variable `json:"variables"`
	// Columns says how columns that are not plain numbers or texts are read.
	Columns  []column `json:"columns,omitempty"`
	Training Training `json:"training"`
	// Calibrated says that decision values are log odds, whatever the loss, and Threshold
	// is the one above which the last of two classes is predicted.
	Calibrated bool    `json:"calibrated,omitempty"`
	Threshold  float64 `json:"threshold,omitempty"`
	// Baselines are the cumulative hazards of a survival model.
	Baselines []Baseline `json:"baselines,omitempty"`
	// Validation is what cross-validation said of it, where it was asked.
	Validation *Validation `json:"validation,omitempty"`
	// Tests are measures on rows that were kept from all learning.
	Tests []Test `json:"tests,omitempty"`
	// Stability says how sure the selection is, where it was asked.
	Stability *Stability `json:"stability,omitempty"`
}

// The kinds of a variable's part in a decision value.
const (
	linear      = "linear"   // coefficient·(x−center)
	curve       = "curve"    // piecewise linear between knots
	steps       = "steps"    // constant in each of the bins
	categorical = "category" // a number for each level
)

// column says how a column of the input is read.
type column struct {
	Name string `json:"name"`
	kind.Column
}

// variable is a chosen variable. Coefficients come output after output.
type variable struct {
	Index int    `json:"index"`
	Name  string `json:"name"`
	// Part is what of the column it is, such as the month of a date; empty for all of it.
	Part         string    `json:"part,omitempty"`
	Kind         string    `json:"kind"`
	Norm         float64   `json:"importance"`
	Coefficients []float64 `json:"coefficients"`

	Center float64 `json:"center,omitempty"` // linear: where the part is zero
	Mean   float64 `json:"mean,omitempty"`   // unless a category: stands for a missing value
	// Low and High are the range of a number in training. A curve stays beyond it as it is
	// at its end, a line from Margin beyond it on: it must not be followed far beyond what
	// was seen. A line without a range is followed without end; see extrapolate.go.
	Low  float64 `json:"low,omitempty"`
	High float64 `json:"high,omitempty"`
	// Knots are those of a curve whose bins are not of equal width.
	Knots data.Knots `json:"knots,omitempty"`
	// Missing is the part of a missing value, of a curve learned with some, and of a line
	// where being missing says something.
	Missing []float64 `json:"missing,omitempty"`
	// Gaps is the share of training rows in which the column is missing.
	Gaps float64 `json:"missing_share,omitempty"`
	// Levels are the texts of a category; "" is a missing one.
	Levels []string `json:"categories,omitempty"`
	// Rare is the level of rare texts. It adds nothing, as texts do that were not there.
	Rare string `json:"rare,omitempty"`
}

// plainKind returns what the column of a variable holds, unless the model says otherwise.
func (v *variable) plainKind() kind.Name {
	if v.Kind == categorical && v.Part == "" {
		return kind.Category
	}
	return kind.Number
}

// kindOf says how the column of a variable is read, where that is not plain.
func (s *spec) kindOf(name string) (k kind.Column) {
	for _, c := range s.Columns {
		if c.Name == name {
			k = c.Column
		}
	}
	return k
}

// Training describes the training of a model: the table, the settings and the result.
type Training struct {
	Target  string `json:"target,omitempty"`  // column of the response
	Weights string `json:"weights,omitempty"` // column of the weights
	Query   string `json:"query,omitempty"`   // column of the queries
	// Offset is the column that is added to decision values, and Exposure says that its logarithms are.
	Offset   string `json:"offset,omitempty"`
	Exposure bool   `json:"exposure,omitempty"`
	// Event and Stratum are the columns of the events and strata of survival times.
	Event   string `json:"event,omitempty"`
	Stratum string `json:"stratum,omitempty"`
	// IndexBase is that of a text file that numbered its columns; see [data.Schema].
	IndexBase string             `json:"index_base,omitempty"`
	Method    string             `json:"method,omitempty"` // where it was not annealing
	Rows      int                `json:"rows"`
	Columns   int                `json:"columns"`
	K         int                `json:"k"`
	Epochs    int                `json:"epochs"`
	Passes    float64            `json:"passes"`
	Eta       float64            `json:"eta"` // the last step
	Scale     data.Scale         `json:"scale,omitempty"`
	Storage   data.Storage       `json:"storage,omitempty"`   // of the numbers, where it was not float32
	Ridge     float64            `json:"ridge,omitempty"`     // λ of the ridge penalty
	Adaptive  bool               `json:"adaptive,omitempty"`  // which is weaker on large coefficients
	Guarded   bool               `json:"guarded,omitempty"`   // it was chosen by the guard against overfitting
	Criterion *Criterion         `json:"criterion,omitempty"` // by which the size was chosen, without folds
	Status    string             `json:"status"`
	Metrics   map[string]float64 `json:"metrics"`
}

// The values of Training.Status: all iterations were done, the coefficients converged
// before that, the caller asked to stop, or the time was up before the selection was final.
const (
	Completed = "completed"
	Settled   = "settled"
	Stopped   = "stopped"
	OutOfTime = "out of time"
)
