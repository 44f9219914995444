package fsa

import (
	"fmt"

	"fsa/anneal"
	"fsa/data"
	"fsa/internal/fit"
	"fsa/internal/search"
	"fsa/loss"
	"fsa/model"
)

// Options describe what to select and how to fit. The zero value of every field is a good
// default. Most fits need only the first fields; each group has the details of one topic.
type Options struct {
	// K is the number of variables, or of groups of variables, to select. Auto lets
	// cross-validation choose it.
	K int
	// Loss names the loss; [model.LossNames] lists them. "auto", also "", chooses by the
	// target: rank for queries, logistic for two values or texts, multinomial for more texts,
	// and squared otherwise. If a contest is held and some numbers are extreme, cross-validation
	// chooses between squared and huber.
	Loss string
	// Bins is the number of bins of the curve of each variable; None means straight lines.
	// Auto compares lines and curves if there is a contest.
	Bins int
	// Quick leaves out cross-validation. An open size is chosen by an information criterion if
	// the loss is a likelihood.
	Quick bool
	// Seed determines the random order of rows, if one is needed.
	Seed uint64

	Objective  Objective  // what is minimised
	Selection  Selection  // which variables may be selected, and how many
	Design     Design     // how the table becomes numbers
	Descent    Descent    // how annealing descends
	Validation Validation // how the model is validated
	Run        Run        // where the fit runs, who watches it and when it ends
}

// Objective describes what is minimised: the loss, the weights of classes and the penalties. The
// zero value adds a ridge to the loss whose strength is chosen from the data.
type Objective struct {
	// Custom is a loss of your own that replaces Options.Loss. It receives the target unchanged. It may have a link and measures:
	// see [loss.Linked], [loss.Inverter] and [loss.Measured].
	Custom loss.Loss
	// Number says that the target is a number even if it has only two values.
	Number bool
	// Huber is half the width h of the rounded corner of the svm loss; 0 means 0.5.
	Huber float64
	// Quantile is the quantile of the quantile loss, between 0 and 1; 0 means the median.
	Quantile float64
	// Quantiles are those of the quantile loss, ascending, if there are several: one selection serves
	// all, and predictions do not cross. Quantile is then 0.
	Quantiles []float64
	// Ties says how the cox loss treats events at the same time, one of [model.Ties]; "" means efron.
	Ties string
	// Positive names the positive one of two classes. Empty means the last one in alphabetical
	// order, or the larger number.
	Positive string
	// Order lists the classes of the ordinal loss, from the lowest to the highest. Nil means the order of numbers.
	Order []string
	// ClassWeights multiplies the weights of the rows of a class, by its name.
	ClassWeights map[string]float64
	// Balanced gives every class the same total weight.
	Balanced bool
	// Ridge is λ of the ridge penalty λ‖β‖² on the mean loss, or None; Auto chooses it from the data.
	Ridge float64
	// OffsetModel is a model from which the fit starts: its decision values are added to the offset of each row, also on
	// held-out rows. The fitted model contains it and predicts with it.
	OffsetModel *model.Model
	// Constraints limit the effects of variables. The fit finds the optimum under them.
	Constraints []Constraint
	// CurvePriors holds the strengths of the priors on shape functions, by the
	// names of [prior.Curves].
	CurvePriors map[string]float64
}

// Constraint limits the effect of a column.
type Constraint = model.Constraint

// Cost is the price of a column.
type Cost = model.Cost

// Quota is the largest and the smallest number of some columns that may be selected.
type Quota = model.Quota

// Selection describes which variables may be selected, and how many. The zero value lets all
// variables compete one by one.
type Selection struct {
	// Sizes are compared if K is Auto; 0 is the null model. Nil means all up to 100, more if the
	// error still falls there, or fewer if there are few rows.
	Sizes []int
	// Choose is the rule by which a size is chosen, one of [validate.RuleNames]; "" means
	// paired: the smallest size that is not significantly worse than the best and keeps 99% of
	// its gain over the null model.
	Choose string
	// FDR is a false discovery rate, such as 0.1, by which K is chosen instead of by cross-validation: the expected
	// share of irrelevant variables among the selected ones is at most FDR. 0 means none.
	FDR float64
	// Force names variables that must be selected. They count towards K.
	Force []string
	// Groups lists variables that are kept or dropped together. A variable that is not listed is a group of its own.
	Groups [][]string
	// Costs are the prices of all columns. Budgets are what the selected ones may cost together: with one budget, the fit
	// selects what predicts best within it, and with several, cross-validation chooses the smallest that is not worse. Nil
	// means several up to the price of all. K is then Auto.
	Costs   []Cost
	Budgets []float64
	// Quotas are the largest and the smallest numbers of some columns that may be selected.
	Quotas []Quota
	// Interactions are pairs of variables that may be selected too.
	Interactions Interactions
	// Polish lets dropped variables compete with the selected ones again, as long as that lowers
	// the loss. It keeps the whole table until then.
	Polish bool
}

// Interactions says whether pairs of variables may be selected. A pair adds the product of two
// standardised numbers, or a line for each category. It counts as one of the K selected. The zero
// value lets the data decide.
type Interactions struct {
	// None switches pairs off. Otherwise they compete with variables alone if K is open and there are few variables.
	None bool
	// Find looks for pairs.
	Find bool
	// Most is the largest number of pairs; 0 means any number.
	Most int
	// Heredity says which variables of a pair must be selected with it, one of [Heredities]: both
	// ("strong", also ""), at least one ("weak"), or none ("none").
	Heredity string
	// Among lists sets of variables, by names or patterns such as "lab*": both variables of a pair must be in one of these
	// sets. Nil means any pair.
	Among [][]string
}

// Heredities lists the values of [Interactions.Heredity].
func Heredities() []string {
	return []string{string(search.Strong), string(search.Weak), string(search.Apart)}
}

// Design describes how the numbers of a table are scaled, divided into bins and stored. The zero
// value chooses by the table, and stores float32.
type Design struct {
	// Spacing is the rule for the width of bins; "auto" is the zero value.
	Spacing data.Spacing
	// Scale is the rule for scaling numbers; "auto" is the zero value.
	Scale data.Scale
	// Storage is the type in which the numbers of a dense table are stored while a model
	// of lines is trained. Fewer bits are faster for large tables and may lead to
	// another selection. "float32" is the zero value.
	Storage data.Storage
	// Extrapolate says how predictions follow a line beyond the training range of its variable, one
	// of [model.Extrapolations]: "clip", also "", by the width of that range, and "line" without
	// end.
	Extrapolate string
}

// Descent describes the descent of annealing. All fields but Batch are those of [anneal.Settings].
// Fields with the zero value, Auto, are chosen from the data; see [Plan].
type Descent struct {
	Mu         float64
	Schedule   anneal.Schedule
	Iterations int
	WarmUp     int
	Eta        float64
	Momentum   float64 // may be None
	Tolerance  float64 // may be None
	// Batch is the number of rows of a step, a minibatch, or AllRows. Auto means all rows if
	// there are few, and a sample if there are many. With minibatches, an epoch is one pass
	// through all rows, divided into random samples.
	Batch int
}

// Validation describes cross-validation and half samples, and what is fitted on out-of-fold
// predictions. The zero value cross-validates if there is a choice to make.
type Validation struct {
	// Always asks for cross-validation even if there is nothing to choose, for
	// out-of-fold metrics. All fields below but Stability and Confidence imply it.
	Always bool
	// Measure names the metric to compare, one of [model.MeasureNames]; "" means the loss.
	Measure string
	// Folds is the number of folds of cross-validation. 0 means 10 if K is Auto, or 5 from 2000
	// rows on; for a given K it means 5, or 3 from 1000 rows on. Classes are spread evenly over
	// folds; rows of a query, and those of a group of [data.Target], stay together.
	Folds int
	// Repeats is the number of times that rows are divided into folds anew; 0 means 1.
	Repeats int
	// Ordered says that rows are in the order of time: folds learn from earlier rows only.
	Ordered bool
	// FoldOf gives the fold of each row, instead of random folds.
	FoldOf []float64
	// Calibrate calibrates probabilities on out-of-fold predictions. Losses without
	// probabilities get them.
	Calibrate bool
	// Threshold is the rule that chooses, from out-of-fold decision values, the value above which
	// the last of two classes is predicted: f1, balanced, or cost=FP:FN with the costs of a false
	// positive and of a false negative. "" means 0, a probability of one half.
	Threshold string
	// Reference names a model with all columns, one of [ReferenceNames], that is fitted on the same folds; the out-of-fold
	// losses of both are compared. "" means none.
	Reference string
	// Losses asks for the out-of-fold losses of the rows in [Evidence], to be compared with those of other programs.
	Losses bool
	// Rivals measures, on the held-out rows of the folds, how much the error grows without each variable of the model, and
	// with other variables in its place.
	Rivals bool
	// Stability is the number of complementary pairs of half samples on which the selection is
	// repeated, to measure its stability; 0 means none.
	Stability int
	// Confidence is the level, such as 0.9, of confidence intervals of the effects of the selected variables that account
	// for the selection; 0 means none. It needs half samples: if Stability is 0, there are 25 pairs.
	Confidence float64
}

// ReferenceNames returns the names for [Validation.Reference].
func ReferenceNames() []string { return fit.ReferenceNames() }

// Auto is the zero value of every setting that can be chosen from the data. None switches off Bins,
// Ridge, Momentum or Tolerance. With a Batch of AllRows, every step uses all rows.
const (
	Auto    = 0
	None    = -1
	AllRows = -1
)

// ErrOptions is wrapped by errors about the options.
var ErrOptions = model.ErrOptions

func optionError(format string, a ...any) error {
	return fmt.Errorf("%w: %s", ErrOptions, fmt.Sprintf(format, a...))
}

// MaxIterations is the largest value of Iterations and WarmUp of a [Descent].
const MaxIterations = 10_000_000
