package objective

// Constants that decide how fast it is. Those that decide how sums are cut also decide
// their last bits, so that they depend on the data only, never on the machine.
const (
	// A batch is cut into shards, which threads share: few enough that adding them up
	// costs little beside reading the rows, enough for many threads.
	mostShards  = 64
	shardShare  = 32      // cells of a shard for each number that is added up, at least,
	sparseShare = 4       // or so many where cells are far between,
	shardCells  = 1 << 16 // and cells in all: sharing costs something, too

	// vectorPart is how many numbers of a long vector a thread takes at once.
	vectorPart = 1 << 15

	// The Hessian bound of a table of more than so many cells is measured on a sample,
	// one row in curvedShare at least.
	curvedCells = 1 << 24
	curvedShare = 8

	// smallCopy times the size of a copy is the size of the table, where it is rather
	// copied once, in the order of the minibatches, than compacted in place.
	smallCopy = 8

	// runBytes is the size of a run of neighbouring rows, at most, and
	// runsPerBatch how many runs of neighbouring rows make a minibatch, at least.
	runBytes     = 128 << 10
	runsPerBatch = 16
)
