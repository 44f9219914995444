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
	LorenzMu          = 150   // μ for the lorenz loss
	LorenzMuRows      = 45000 // upper limit of μ for the lorenz loss, times the number of dense rows
	FactorWarmUpSteps = 20    // steps before the first variable is dropped if one factor dominates all columns (defaults.md#one-factor-in-all-columns)

	// Ridge λ on the mean loss of N rows (defaults.md#ridge).
	FewRowsRidge    = 0.5  // λ·N for shape functions, and minimum of the guard for classes
	BendRoughness   = 10   // ρ: how much stronger rough parts of a shape function are shrunk than its line (defaults.md#curves)
	SparseRidgeRows = 20   // λ·max(N, MinibatchRows) for classes and a sparse table
	ClassRidgeRows  = 0.05 // λ·N for classes and a dense table

	// Categories (defaults.md#categories).
	CategoryRows   = 2 // minimum prior pseudo-count of a category; the maximum is the number of rows
	CategoryErrors = 2 // standard errors of the F statistic by which categories must differ

	// Learning (defaults.md#refining).
	RowsPerCoefficient = 10      // rows per coefficient above which the lowest training loss is likely the best model; also the minimum number of rows of a contest
	RereadCells        = 1 << 25 // maximum number of cells of a table that is read again after the descent or fitted with all its columns, or that are read for a Hessian bound

	// Polishing (defaults.md#polishing).
	PolishRivals = 5 // dropped variables that compete in the first round, per selected variable
	PolishMu     = 3 // μ of its schedule

	// Swaps (defaults.md#swaps).
	SwapTries      = 5    // swapping ends after this number of pairs in a row without a gain
	SwapGain       = 5e-4 // smallest relative decrease of the objective by a swap
	ExchangePool   = 20   // groups inside and outside a selection with prices that moves are made of
	ExchangeTries  = 100  // moves in a row without a gain after which an exchange ends, with many rows per coefficient
	SwapRidgeTimes = 5    // ridge of the objective that swaps lower, in multiples of the smallest ridge

	// Contest (defaults.md#contest).
	ContestCells      = 1 << 22 // maximum number of cells of a table of many rows for a contest of several selections
	ExactCoefficients = 1000    // maximum number of coefficients that the solver fits
	SizeFolds         = 10      // folds if k is open; half as many if it is given
	FoldRows          = 200     // held-out rows of a fold above which half as many folds suffice, and minimum number for giving up a selection in the race
	MostSizes         = 100     // largest size to compare if k is open
	RowsPerVariable   = 2       // minimum number of rows per variable of the largest size, and of rows of a half sample per coefficient of its candidates
	FoldLipschitz     = 1.1     // safety factor on the Lipschitz constant of all rows, so that it holds in every fold
	FoldTolerance     = 1e-6    // share of the loss unit to which the fits of folds converge
	BehindErrors      = 2.5     // a selection that is worse than the leader by this number of standard errors is not tried on further folds
	ComplexErrors     = 1.5     // the same for a selection that is more complex than the leader: it has to be better to be chosen
	ComplexRows       = 50      // minimum number of held-out rows for giving up such a selection
	SizeTries         = 2       // number of sizes in a row without improvement after which no larger or smaller sizes are tried

	// False discoveries (defaults.md#false-discoveries).
	DiscoveryPairs = 10      // pairs of half samples
	CandidateCells = 1 << 24 // maximum number of cells of the candidates
	MirrorOffset   = 0.1     // added to the number of negative mirror statistics of each half sample
	ConfirmShare   = 0.3     // smallest share of the half samples that confirm a discovery

	// Confidence intervals after selection (confidence.md).
	ConfidencePairs = 25 // pairs of half samples

	// Selections that are as good as the selected one (confidence.md#sets-within-a-margin).
	NearMargin = 0.01  // largest growth of the training loss, as a share
	NearDetour = 5     // multiple of this margin through which the search goes
	NearRivals = 30    // groups that may take the place of each group
	NearFits   = 50000 // maximum number of fits with the squared loss
	NearSlower = 20    // with other losses, this many times fewer fits

	// PairLevel is the probability that the search for interactions finds any pair if there is none
	// (interactions.md).
	PairLevel = 0.05

	// SurfaceKnots is the number of knots of each number in a pair that is a surface (interactions.md#surfaces).
	SurfaceKnots = 4

	// PairVariables is the largest number of variables of which pairs are tried unasked (interactions.md).
	PairVariables = 200

	// DeviceCells is the number of cells of a table above which opening a device saves time
	// (performance.md#on-a-gpu).
	DeviceCells = 1 << 26

	// Models with all columns, which a selection is compared with (defaults.md#reference).
	ReferenceSide  = 4000 // maximum of the number of rows or of coefficients, whichever is smaller; time grows with its cube
	ReferenceFolds = 3    // folds within the training rows of a fold that choose the ridge

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
