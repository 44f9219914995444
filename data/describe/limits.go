package describe

// Limits above which something is suspected.
const (
	leak     = 0.95 // share of the response that a column explains on its own: it may be known only together with the response
	strong   = 0.5  // the same, for a column that explains this much
	farAhead = 8.0  // and this many times as much as any other column that is not its copy
	leastFew = 3    // columns needed for this comparison

	leastMembers = 10 // number of texts of a column that may name persons or things

	copied = 1e-4 // 1 minus the absolute correlation of columns that are copies

	sortedSteps = 10  // number of changes from row to row, all up or all down, in a column by which the rows are sorted
	dependent   = 0.2 // autocorrelation of the target above which neighbouring rows are dependent,
	certain     = 4.0 // if it is this many standard errors above 0
	bothWays    = 0.1 // share of the steps of such a target that go up, and that go down; otherwise rows are sorted by it
	leastSteps  = 20  // changes of such a target from row to row; with fewer, there are blocks of one class

	mostCells   = 1 << 22 // size of a dataset that is searched: 0.02 µs for each cell
	mostClasses = 1000    // number of classes whose names are compared
	neighbours  = 64      // number of columns that each column is compared with
)
