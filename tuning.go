package fsa

// All constants by which defaults are chosen, with their units, what they decide, and
// where in docs/evidence.md the numbers are that speak for them.
const (
	// Minibatches (evidence.md#many-rows). Where there are few rows, every step looks at
	// all of them, and variables go in hundreds of epochs. Where there are
	// many, a sample says as much: as many steps are taken in fewer epochs, and the table
	// is read a few times only.
	minibatchRows  = 2000 // rows, from which on a step looks at a minibatch
	batchRows      = 500  // rows of a minibatch, about; and at least as many cells as there are columns, or steps would cost more than reading
	descentSteps   = 1000 // steps while variables go,
	sparseSteps    = 4000 // or so many where most cells are zero, as a minibatch says less of a column there
	fewestEpochs   = 50   // in which variables go
	slowestMu      = 30   // of the schedule then
	tailEpochs     = 50   // at most, on the variables that were chosen,
	briefEpochs    = 20   // or so many where these are refined in the end
	tailTolerance  = 1e-5 // share of the largest coefficient: where none moves by more, the tail ends
	outlierSquares = 500  // mean squared distance of the outermost values, in variances: from it on minibatches would be ruled by the rows that have them

	// Schedule (evidence.md#schedule).
	lorenzMu          = 150   // μ for the lorenz loss, instead of anneal.DefaultMu,
	lorenzMuRows      = 45000 // or for dense rows this over N where that is less, at least slowestMu
	factorWarmUpSteps = 20    // before the first variable goes, where one factor is in all columns; with more columns than rows they would rather fit the rows (evidence.md#one-factor-in-all-columns)

	// Ridge λ on the mean loss, N rows (evidence.md#ridge).
	curveRidge      = 0.001 // at most with curves, whose rarely visited ends would grow and grow,
	curveRidgeRows  = 0.5   // over N: the more rows there are, the better they know
	leastCurveRidge = 1e-5  // the least that validation may choose for them
	sparseRidgeRows = 20    // over N, at most over minibatchRows: classes of sparse rows
	classRidgeRows  = 0.05  // over N: classes of dense rows, or coefficients of separable ones would grow and grow

	// More rows of each category of a text say that it adds nothing (evidence.md#categories).
	categoryRows     = 2  // at least,
	categoryMostRows = 20 // times as many as a category has, at most
	categoryErrors   = 2  // standard errors by which categories have to differ more than by chance

	// Refining (evidence.md#refining).
	refineRowsPerCoefficient = 10      // at least, unless there is a ridge: with fewer the least loss is not the best model
	refineCells              = 1 << 25 // that may be read to find the Hessian bound, or as many as the table has
	refineSteps              = 50      // at most,
	refineTolerance          = 1e-9    // while one promises more than this share of the objective

	// Polishing (evidence.md#polishing).
	polishRivals   = 5    // brought back for each chosen variable in the first round; half as many in each later one,
	fewestRivals   = 1    // and at least so many
	polishRounds   = 10   // at most
	polishGain     = 0.01 // share of the loss that it has to fall by
	polishMu       = 3    // there are few variables, so there is time,
	polishFiner    = 8    // also for more steps, on minibatches smaller by this factor
	polishProgress = 0.4  // share of all work that is done before, about

	// Swaps (evidence.md#swaps).
	rereadCells = 1 << 25 // of a table that is read again, at most: meanwhile it must not be compacted in place
	mostSwaps   = 20      // rounds
	swapHope    = 4       // times what they promise newcomers are given, as the chosen ones will make room for them

	// Validation of the ridge and of swaps where a table is small (evidence.md#validation).
	smallCells        = 1 << 18 // of a table of minibatchRows or more, at most, where k is open
	searchCells       = 1 << 22 // of one that is not small, at most, where swaps are exact all the same
	exactCoefficients = 1000    // at most, of what is learned to its optimum
	fewestTuned       = 12      // rows
	keyRounding       = 1e-12   // share of their range by which keys of equal rows may differ, as sums are rounded
	tuneFolds         = 5
	fewFolds          = 3     // or so many
	fewFoldsRows      = 300   // from so many rows on
	sizeFolds         = 10    // where the size is open, too
	mostSizes         = 100   // variables that are compared then, at most,
	rowsPerVariable   = 2     // and so many rows for each, at least
	tuneEpochs        = 100   // of a descent in a fold, at most
	foldLipschitz     = 1.1   // times that of all rows, the Lipschitz constant of a fold is taken to be
	foldTolerance     = 1e-6  // of what the loss could fall by, to which folds are learned
	tuneGain          = 1e-9  // of what the loss could fall by, by which it has to be lower to be better
	swapGain          = 0.005 // share of the objective that an exact swap has to gain
	anyGain           = 1e-4  // or this one, where whatever gains is wanted
	smallerTries      = 2     // smaller sizes that are worse after swaps, too, before no others are tried
	swapTries         = 5     // pairs that are tried before swapping ends

	// deviceCells is how many cells a table has at least whose descent is worth the time it
	// takes to open a device and to copy it there (performance.md#on-a-gpu).
	deviceCells = 1 << 26

	// Guard against overfitting (evidence.md#guard-against-overfitting).
	guardCertain   = 0.9 // share of what was explained that is no selection noise, from which on all is well
	guardShrinkage = 3   // times shorter than without a ridge coefficients become, at most
	guardRidgeRows = 0.5 // over N: the least ridge of classes that call for one
)

// Strengths of the ridge on the squared loss of standardised columns, besides the least
// one: those among which validation chooses for what is learned, and for the descent.
var (
	tuneRidges   = []float64{1e-4, 1e-3, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 100}
	tuneDescents = []float64{0.1, 2}
	// Shares of the prior on categories besides all of it (evidence.md#categories).
	tunePoolings = []float64{0.1, 0.01}
)

// defaultRule chooses the size where it is open (evidence.md#the-size).
const defaultRule = "paired"

// quickRule chooses it where nothing is chosen by validation.
const quickRule = "ebic"
