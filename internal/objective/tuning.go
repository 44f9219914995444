package objective

// Constants that decide the speed. Those that divide the rows also decide the last bits of sums, so they
// must not depend on the machine.
const (
	// A batch is divided into shards, which threads share. There are few enough that adding their sums
	// costs little compared with reading the rows, and enough for many threads.
	mostShards  = 64      // maximum number of shards of a batch
	shardShare  = 32      // minimum number of cells of a shard, per number of its sums
	sparseShare = 4       // the same for a sparse table
	shardCells  = 1 << 16 // minimum number of cells of a shard

	// vectorPart is the number of elements of a long vector that a thread takes at a time.
	vectorPart = 1 << 15

	// The Hessian bound of a table of more than curvedCells cells is measured on a sample of at least
	// one row in curvedShare.
	curvedCells = 1 << 24
	curvedShare = 8

	// If a copy of the remaining columns takes less than 1/smallCopy of the table, it is made in the
	// order of the minibatches instead of compacting the table in place.
	smallCopy = 8

	// runBytes is the maximum size of a run of neighbouring rows, and runsPerBatch the minimum number
	// of runs of a minibatch.
	runBytes     = 128 << 10
	runsPerBatch = 16
)
