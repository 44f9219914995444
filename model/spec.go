package model

import (
	"fsa/data"
	"fsa/data/kind"
	"fsa/loss"
)

// spec is a model as it is saved to a file.
type spec struct {
	Task    Task     `json:"task"`
	Loss    string   `json:"loss"`
	Classes []string `json:"classes,omitempty"`
	// Targets are the targets if there are several, in the order of the outputs.
	Targets []TargetColumn `json:"targets,omitempty"`
	Outputs int            `json:"outputs"`
	// Settings are the parameters of the loss.
	Settings loss.Settings `json:"loss_settings,omitzero"`
	// Link turns decision values into predictions, for a loss of the caller. given is that loss; nil if the model was read from
	// a file.
	Link  loss.Link `json:"link,omitempty"`
	given loss.Loss
	Bins  int `json:"bins,omitempty"`
	// Width is the number of columns of the input if they have no names. Variables are then
	// identified by position, so a table of another width is a different table.
	Width int `json:"width,omitempty"`
	// Intercept of each output, with every linear variable at its center.
	Intercept []float64  `json:"intercept"`
	Variables []variable `json:"variables"`
	// Interactions are the selected pairs of variables, the most important first.
	Interactions []interaction `json:"interactions,omitempty"`
	// OffsetModel is the model whose decision values are added to those of this one; nil if there is none. Its offset is that
	// of this model, and added once.
	OffsetModel *spec `json:"offset_model,omitempty"`
	// Columns says how columns are read that are not plain numbers or texts.
	Columns  []column `json:"columns,omitempty"`
	Training Training `json:"training"`
	// Calibrated says that decision values are log odds, for any loss. Threshold is the decision
	// value above which the last of two classes is predicted.
	Calibrated bool    `json:"calibrated,omitempty"`
	Threshold  float64 `json:"threshold,omitempty"`
	// Baselines are the cumulative hazards of a survival model.
	Baselines []Baseline `json:"baselines,omitempty"`
	// Validation is the result of cross-validation, if there was one.
	Validation *Validation `json:"validation,omitempty"`
	// Discoveries says how variables were discovered at a false discovery rate, if they were.
	Discoveries *Discoveries `json:"discoveries,omitempty"`
	// Tests are metrics on held-out rows.
	Tests []Test `json:"tests,omitempty"`
	// Stability is the stability of the selection, if it was measured.
	Stability *Stability `json:"stability,omitempty"`
}

// The kinds of a variable.
const (
	linear      = "linear"   // coefficient·(x−center)
	curve       = "curve"    // piecewise linear between knots
	steps       = "steps"    // constant in each of the bins
	categorical = "category" // one number per level
)

// column describes how a column of the input is read.
type column struct {
	Name string `json:"name"`
	kind.Column
}

// variable is a selected variable. Coefficients are ordered output after output.
type variable struct {
	Index int    `json:"index"`
	Name  string `json:"name"`
	// Part is the part of the column, such as the month of a date; empty for the whole column.
	Part         string    `json:"part,omitempty"`
	Kind         string    `json:"kind"`
	Norm         float64   `json:"importance"`
	Coefficients []float64 `json:"coefficients"`

	Center float64 `json:"center,omitempty"` // for a line: where its contribution is zero
	Mean   float64 `json:"mean,omitempty"`   // for a number: replaces a missing value
	// Low and High are the range of a number in training. Beyond it a curve is constant, and a line
	// is constant from Margin beyond the range on: predictions should not be extrapolated far. A
	// line without a range is extrapolated without limit; see extrapolate.go.
	Low  float64 `json:"low,omitempty"`
	High float64 `json:"high,omitempty"`
	// Knots of a curve whose bins do not have equal width.
	Knots data.Knots `json:"knots,omitempty"`
	// Missing is the contribution of a missing value. A curve has it if it was learned with missing
	// values, a line if being missing predicts the target.
	Missing []float64 `json:"missing,omitempty"`
	// Gaps is the share of training rows in which the column is missing.
	Gaps float64 `json:"missing_share,omitempty"`
	// Levels are the texts of a category; "" is a missing one.
	Levels []string `json:"categories,omitempty"`
	// Rare is the level of rare texts. It adds nothing, and neither do texts that did not occur in
	// training.
	Rare string `json:"rare,omitempty"`
}

// interaction is a selected pair of variables. It adds a coefficient times the product of two
// standardised numbers or, for a number and a text, a coefficient of each category times the
// standardised number.
type interaction struct {
	Sides [2]side `json:"variables"`
	Norm  float64 `json:"importance"`
	// Coefficients are ordered output after output: one, or one per category.
	Coefficients []float64 `json:"coefficients"`
	// Low and High are the training range of the product, or of the product with the indicator of
	// each category. Beyond it the term is constant from Margin on, like a line. They are nil if the
	// term is extrapolated without limit.
	Low  []float64 `json:"low,omitempty"`
	High []float64 `json:"high,omitempty"`
}

// side is a variable of an interaction: a number x counts as (x−Mean)/SD, and a missing one as 0.
// A text has categories instead; a missing one, or any other without Rare, adds nothing.
type side struct {
	Index  int       `json:"index"`
	Name   string    `json:"name"`
	Mean   float64   `json:"mean,omitempty"`
	SD     float64   `json:"sd,omitempty"`
	Low    float64   `json:"low,omitempty"` // training range, for pictures
	High   float64   `json:"high,omitempty"`
	Knots  []float64 `json:"knots,omitempty"` // of a number in a surface, or in curves for each category
	Levels []string  `json:"categories,omitempty"`
	Rare   bool      `json:"rare,omitempty"` // the last category is for rare and other texts
}

// kind returns what the column of the variable holds, unless the model says otherwise.
func (v *side) kind() kind.Name {
	if v.Levels != nil {
		return kind.Category
	}
	return kind.Number
}

// plainKind returns what the column of a variable holds, unless Columns says otherwise.
func (v *variable) plainKind() kind.Name {
	if v.Kind == categorical && v.Part == "" {
		return kind.Category
	}
	return kind.Number
}

// kindOf returns how the column of a variable is read, if it is not plain.
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
	Target  string `json:"target,omitempty"`  // column of the target
	Weights string `json:"weights,omitempty"` // column of the weights
	Query   string `json:"query,omitempty"`   // column of the queries
	// Offset is the column that is added to decision values. Exposure says that it holds exposures,
	// whose logarithms are added.
	Offset   string `json:"offset,omitempty"`
	Exposure bool   `json:"exposure,omitempty"`
	// Event, Stratum and Entry are the columns of the events, strata and entries of survival times.
	Event   string `json:"event,omitempty"`
	Stratum string `json:"stratum,omitempty"`
	Entry   string `json:"entry,omitempty"`
	// Trials is the column of the numbers of trials.
	Trials string `json:"trials,omitempty"`
	// IndexBase is the index base of a text file with numbered columns; see [data.Schema].
	IndexBase string       `json:"index_base,omitempty"`
	Method    string       `json:"method,omitempty"` // empty for annealing
	Rows      int          `json:"rows"`
	Columns   int          `json:"columns"`
	K         int          `json:"k"`
	Epochs    int          `json:"epochs"`
	Passes    float64      `json:"passes"`
	Eta       float64      `json:"eta"` // learning rate of the last step
	Scale     data.Scale   `json:"scale,omitempty"`
	Storage   data.Storage `json:"storage,omitempty"`  // storage of the numbers, if it is not float32
	Ridge     float64      `json:"ridge,omitempty"`    // λ of the ridge penalty
	Adaptive  bool         `json:"adaptive,omitempty"` // the ridge is weaker on large coefficients
	Guarded   bool         `json:"guarded,omitempty"`  // the ridge was chosen by the guard against overfitting
	// Constraints are the limits of the effects of columns that the fit kept.
	Constraints []Constraint `json:"constraints,omitempty"`
	// Costs is what the selected columns cost; nil if columns have no prices.
	Costs     *Costs             `json:"costs,omitempty"`
	Criterion *Criterion         `json:"criterion,omitempty"` // criterion that chose the size, without folds
	Status    string             `json:"status"`
	Metrics   map[string]float64 `json:"metrics"`
}

// The values of Training.Status: all iterations were done, the coefficients converged earlier, the
// caller asked to stop, or the time was up before the selection was final.
const (
	Completed = "completed"
	Settled   = "settled"
	Stopped   = "stopped"
	OutOfTime = "out of time"
)
