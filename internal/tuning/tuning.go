// Package tuning holds the constants by which defaults are chosen, with their units, what they
// decide, and where in docs/evidence.md their evidence is.
package tuning

const (
	// Minibatches (evidence.md#many-rows).
	MinibatchRows  = 2000 // rows above which a step uses a minibatch
	BatchRows      = 500  // rows of a minibatch, at least; and at least as many cells as there are columns
	DescentSteps   = 1000 // steps of a descent on minibatches
	SparseSteps    = 4000 // the same for sparse tables, where a minibatch says less of a column
	FewestEpochs   = 50   // epochs of such a descent, at least
	SlowestMu      = 30   // μ of its schedule, at least
	TailEpochs     = 50   // epochs on the selected variables, at most
	BriefEpochs    = 20   // the same where these are refined afterwards
	TailTolerance  = 1e-5 // largest move, as a share of the largest coefficient, at which the tail ends
	OutlierSquares = 500  // mean squared distance of the extreme values, in variances, above which minibatches are not used

	// Schedule (evidence.md#schedule).
	LorenzMu          = 150   // μ for the lorenz loss
	LorenzMuRows      = 45000 // μ for the lorenz loss is at most this over the number of dense rows
	FactorWarmUpSteps = 20    // steps before the first variable is dropped where one factor dominates all columns (evidence.md#one-factor-in-all-columns)

	// Ridge λ on the mean loss of N rows (evidence.md#ridge).
	CurveRidge      = 0.001 // for curves, at most
	CurveRidgeRows  = 0.5   // for curves, over N
	LeastCurveRidge = 1e-5  // for curves, the least that a contest may choose
	BendRoughness   = 10    // by how much a rough bend of a curve is shrunk more than a line (evidence.md#curves)
	SparseRidgeRows = 20    // for classes of sparse rows, over max(N, MinibatchRows)
	ClassRidgeRows  = 0.05  // for classes of dense rows, over N

	// Categories (evidence.md#categories).
	CategoryRows     = 2  // prior pseudo-count of a category, at least
	CategoryMostRows = 20 // and at most, in multiples of the rows of a category
	CategoryErrors   = 2  // standard errors by which categories have to differ

	// Learning (evidence.md#refining).
	RowsPerCoefficient = 10      // rows for each coefficient above which the least loss is likely the best model
	RefineCells        = 1 << 25 // cells that may be read to find a Hessian bound
	RefineSteps        = 50      // Newton steps, at most
	RefineTolerance    = 1e-9    // share of the objective that a step has to promise

	// Polishing (evidence.md#polishing).
	PolishRivals   = 5    // variables brought back for each selected one in the first round
	PolishRounds   = 10   // at most
	PolishGain     = 0.01 // share of the loss that a round has to gain
	PolishMu       = 3    // μ of its schedule
	PolishFiner    = 8    // factor by which its minibatches are smaller
	PolishProgress = 0.4  // share of the work before it, approximately, for progress

	// Swaps (evidence.md#swaps).
	RereadCells    = 1 << 25 // cells of a table, at most, that is read again after the descent
	MostSwaps      = 20      // rounds of swaps by the Hessian bound
	SwapHope       = 4       // multiple of its predicted gain that a newcomer may reach
	SwapTries      = 5       // pairs that are tried before swapping ends
	SwapGain       = 5e-4    // share of the objective that a swap has to gain
	SwapRidgeTimes = 5       // ridge of the objective that swaps lower, in multiples of the least ridge

	// Contest (evidence.md#contest).
	ContestCells      = 1 << 22 // cells of a table of many rows, at most, on which several recipes compete
	OpenContestCells  = 1 << 20 // the same where k is open, which takes more folds
	OpenSwapCells     = 1 << 18 // the same for swaps, the adaptive ridge and shares of the prior on categories
	ExactCoefficients = 1000    // coefficients, at most, that a solver learns
	FewestTuned       = 12      // rows, at least
	GivenFolds        = 5       // folds where k is given
	FewFolds          = 3       // the same from FewFoldsRows rows on
	FewFoldsRows      = 1000    // rows
	SizeFolds         = 10      // folds where k is open
	MostSizes         = 100     // largest size that is compared where k is open
	RowsPerVariable   = 2       // rows for each variable, at least, of the largest size
	FoldLipschitz     = 1.1     // margin on the Lipschitz constant of all rows, so that it holds for folds
	FoldTolerance     = 1e-6    // share of the loss unit to which folds are learned
	RaceRows          = 100     // held-out rows, at least, by which a selection may be called behind
	BehindErrors      = 2.5     // standard errors over held-out rows by which a selection is behind, so that the other folds do not try it
	SmallerTries      = 2       // sizes that are not chosen with swaps, before no smaller ones are tried
	TieGain           = 1e-9    // share of the loss unit below which two losses are equal
	KeyRounding       = 1e-12   // share of their range below which keys of rows are equal

	// DeviceCells is the number of cells of a table above which opening a device is worth its time
	// (performance.md#on-a-gpu).
	DeviceCells = 1 << 26

	// Guard against overfitting (evidence.md#guard-against-overfitting).
	GuardCertain   = 0.9 // share of what was explained that is no selection noise, above which the guard is idle
	GuardShrinkage = 3   // factor by which coefficients are shrunk, at most
	GuardRidgeRows = 0.5 // least ridge of classes that call for one, over N
)

// Ridge strengths λ for the squared loss of standardised columns, in units of its curvature.
var (
	LearnRidges  = []float64{1e-4, 1e-3, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 100} // compared for learning
	SelectRidges = []float64{0.1, 2}                                          // compared for selecting, besides the least
	Poolings     = []float64{0.1, 0.01}                                       // shares of the prior on categories, besides all of it
	CurveBins    = []int{5, 10}                                               // bins of curves that compete with lines
)
