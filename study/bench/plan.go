package bench

import "time"

// shape is the size of a table and the number of variables to select.
type shape struct{ n, m, k int }

// plan says how much is measured.
type plan struct {
	repeats int // of which the median is taken

	passWidths []int // numbers of columns
	passBytes  int   // least size of the table
	passCaches int   // least size, in last-level caches

	fitShapes    []shape
	choiceShapes []shape
	commandShape shape         // of tables in files
	peerLimit    time.Duration // for one fit of a peer
	peerBudget   time.Duration // for all of them; 0 means no end

	// A fit of few variables is repeated over a decade of rows and over a
	// decade of columns, geometric from the smallest.
	scaleRows, scaleColumns shape
	scalePoints             int
	// Threads are compared on the table with the most rows of these, and on one
	// of this shape, which no cache holds; none if it has no rows.
	threadShape shape

	diskShape shape // of a table that stays on disk
	// A table is fitted with and without a page, so often.
	liveShape   shape
	liveRepeats int

	gridShapes  []shape // of tables that processes share
	gridRepeats int

	deviceWidths []int // numbers of columns on a GPU
	deviceBytes  int64 // of a table there; fits have nine times as many at most
}

func fullPlan() plan {
	return plan{
		repeats:    5,
		passWidths: []int{30000, 1000, 100, 30},
		passBytes:  512 << 20, passCaches: 4,
		fitShapes: []shape{
			{1000, 1000, 10}, {1000, 1000, 30}, {10000, 1000, 10}, {10000, 1000, 30}, {20000, 30000, 100},
		},
		choiceShapes: []shape{{1000, 1000, 10}, {1000, 1000, 30}, {10000, 1000, 10}},
		commandShape: shape{10000, 1000, 10},
		peerLimit:    120 * time.Second,
		scaleRows:    shape{10000, 1000, 10}, scaleColumns: shape{1000, 10000, 10}, scalePoints: 4,
		threadShape: shape{20000, 30000, 100},
		diskShape:   shape{20000, 50000, 100},
		liveShape:   shape{300, 200, 5}, liveRepeats: 9,
		gridShapes: []shape{{20000, 30000, 100}, {200000, 1000, 100}}, gridRepeats: 3,
		deviceWidths: []int{1_000_000, 100_000, 30_000, 10_000, 1000, 100, 30}, deviceBytes: 12_000_000_000,
	}
}

func quickPlan() plan {
	return plan{
		repeats:    3,
		passWidths: []int{30000, 1000, 100, 30},
		passBytes:  128 << 20, passCaches: 2,
		fitShapes: []shape{{1000, 1000, 10}}, choiceShapes: []shape{{1000, 1000, 10}}, commandShape: shape{2000, 1000, 10},
		peerLimit: 10 * time.Second, peerBudget: 30 * time.Second,
		scaleRows: shape{2000, 1000, 10}, scaleColumns: shape{1000, 2000, 10}, scalePoints: 3,
		diskShape: shape{8000, 25000, 50},
		liveShape: shape{100, 40, 3}, liveRepeats: 3,
		gridShapes: []shape{{2000, 3000, 30}}, gridRepeats: 1,
		deviceWidths: []int{100_000, 1000, 100}, deviceBytes: 1_000_000_000,
	}
}

// buffer returns how many bytes have to be read so that caches do not help,
// within a quarter of the memory.
func (p *plan) buffer(m Machine) int {
	size := max(p.passBytes, p.passCaches*max(m.Caches.L2, m.Caches.L3))
	if m.MemoryBytes > 0 {
		size = min(size, m.MemoryBytes/4)
	}
	return size
}
