// Package tuning holds the constants from which defaults are chosen. The comment of each constant
// gives its unit and what it decides, and names the section of docs/evidence/defaults.md with its
// evidence.
package tuning

const (
	// Minibatches (defaults.md#many-rows).
	MinibatchRows = 2000 // rows above which a step uses a minibatch
	BatchRows     = 500  // minimum number of rows of a minibatch; it also has at least as many cells as the table has columns
	DescentSteps  = 1000 // steps of a descent on minibatches
	SparseSteps   = 4000 // the same for sparse tables, where a minibatch has few cells of each column
	FewestEpochs  = 50   // minimum number of epochs of such a descent, and maximum of the further epochs on the selected variables
	SlowestMu     = 30   // minimum μ of its schedule
	TailTolerance = 1e-5 // the further epochs end if no coefficient changes by more than this share of the largest one

	// Schedule (defaults.md#schedule).
	LorenzMu     = 150   // μ for the lorenz loss
	LorenzMuRows = 45000 // upper limit of μ for the lorenz loss, times the number of dense rows

	// Ridge λ on the mean loss of N rows (defaults.md#ridge).
	FewRowsRidge    = 0.5  // λ·N for shape functions, and minimum of the guard for classes
	BendRoughness   = 10   // ρ: how much stronger rough parts of a shape function are shrunk than its line (defaults.md#curves)
	SparseRidgeRows = 20   // λ·max(N, MinibatchRows) for classes and a sparse table
	ClassRidgeRows  = 0.05 // λ·N for classes and a dense table

	// Learning (defaults.md#refining).
	RowsPerCoefficient = 10 // rows per coefficient above which the lowest training loss is likely the best model; also the minimum number of rows of a contest

	// Polishing (defaults.md#polishing).
	PolishRivals = 5 // dropped variables that compete in the first round, per selected variable
	PolishMu     = 3 // μ of its schedule

	// Swaps (defaults.md#swaps).
	SwapTries      = 5    // swapping ends after this number of pairs in a row without a gain
	SwapPool       = 20   // groups outside a selection that may take the place of each group, from which moves with prices are made, or whose bends are tested
	SwapGain       = 5e-4 // smallest relative decrease of the objective by a swap
	SwapRidgeTimes = 5    // ridge of the objective that swaps lower, in multiples of the smallest ridge

	// Contest (defaults.md#contest).
	ContestCells      = 1 << 22 // maximum number of cells of a table of many rows for a contest of several selections
	ExactCoefficients = 1000    // maximum number of coefficients that the solver fits
	SizeFolds         = 10      // folds if k is open, half as many if it is given; also pairs of half samples for a false discovery rate
	FoldRows          = 200     // held-out rows of a fold above which half as many folds suffice
	MostSizes         = 100     // largest size to compare if k is open
	RowsPerVariable   = 2       // minimum number of rows per variable of the largest size, and half the number of rows of a half sample per coefficient of its candidates
	FoldTolerance     = 1e-6    // share of the loss unit to which the fits of folds converge
	BehindErrors      = 2       // a selection that is worse than the leader by this number of standard errors is not tried on further folds
	RaceRows          = 50      // minimum number of held-out rows for giving up a selection
	SizeTries         = 2       // number of sizes in a row without improvement after which no larger or smaller sizes are tried

	// False discoveries (defaults.md#false-discoveries).
	MirrorOffset = 0.1 // added to the number of negative mirror statistics of each half sample
	ConfirmShare = 0.3 // smallest share of the half samples that confirm a discovery

	// Confidence intervals after selection (confidence.md).
	ConfidencePairs = 25 // pairs of half samples

	// Selections that are as good as the selected one (confidence.md#sets-within-a-margin).
	NearDetour = 10    // multiple of the margin through which the search goes
	NearFits   = 10000 // maximum number of fits

	// PairLevel is the probability that the search for interactions finds any pair if there is none
	// (interactions.md).
	PairLevel = 0.05

	// SurfaceKnots is the largest number of knots of each number in a pair that is a surface (interactions.md#surfaces).
	SurfaceKnots = 6

	// PairVariables is the largest number of variables of which pairs are tried unasked (interactions.md).
	PairVariables = 200

	// WorkCells limits the work on one table: the cells of a table that is read again after the descent or fitted with all its
	// columns, of the candidates of a half sample, or that are read for a Hessian bound (defaults.md#reference). Above it,
	// opening a device saves time (performance.md#on-a-gpu).
	WorkCells = 1 << 25

	// Guard against overfitting (defaults.md#guard-against-overfitting).
	GuardCertain = 0.9 // the guard does nothing if at least this share of the explained variance is no selection noise; it assumes at least 1 − GuardCertain
)

// Ridge strengths λ for the squared loss of standardised columns, in units of its curvature.
var (
	LearnRidges  = []float64{1e-4, 1e-3, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 100} // candidates for the final fit
	SelectRidges = []float64{0.1, 2}                                          // candidates for the selection, besides the smallest ridge
	Poolings     = []float64{0.1, 0.01}                                       // factors on the pseudo-counts of categories, besides 1
	CurveBins    = []int{5, 10, 20}                                           // numbers of bins of the shape functions that compete with lines
)
