package bench

import (
	"time"

	"fsa/data/synth"
)

// shape is the size of a table and the number of variables to select.
type shape struct{ n, m, k int }

// threadTable is a table that is fitted with growing numbers of threads.
type threadTable struct {
	shape
	model string // of the variables; see [synth.Config]
}

// plan has the sizes of the measurements.
type plan struct {
	repeats int // number of repetitions; the median is reported

	passWidths []int // numbers of columns
	passBytes  int   // minimum size of the table
	passCaches int   // minimum size, in last-level caches

	fitShapes      []shape
	choosingShapes []shape       // tables on which the cost of choosing is measured
	choiceShapes   []shape       // tables for peers that choose how many variables to select
	commandShape   shape         // of tables in files
	peerLimit      time.Duration // for one fit of a peer
	peerBudget     time.Duration // for all of them; 0 means no limit

	// A fit of few variables is repeated over a decade of rows and a decade of columns,
	// geometrically from the smallest.
	scaleRows, scaleColumns shape
	scalePoints             int
	threadTables            []threadTable

	diskShape shape // of a table that stays on disk
	// How often a table is fitted with and without a page.
	liveShape   shape
	liveRepeats int

	gridShapes  []shape // of tables on grids of processes
	gridRepeats int

	shapeScale float64 // of the largest shapes; 0 means as much as fits

	deviceWidths []int // numbers of columns on a GPU
	deviceBytes  int64 // of a table there; fits have at most nine times as many
}

// threadTables are a tall table, a large one, a wide one and a sparse one, and quickThreadTables
// smaller ones of the same kinds.
var (
	threadTables = []threadTable{
		{shape{100_000, 1000, 30}, synth.AR1},
		{shape{20_000, 30_000, 100}, synth.AR1},
		{shape{2000, 100_000, 50}, synth.AR1},
		{shape{200_000, 300_000, 50}, synth.Zipf},
	}
	quickThreadTables = []threadTable{
		{shape{10_000, 1000, 30}, synth.AR1},
		{shape{2000, 3000, 30}, synth.AR1},
		{shape{500, 10_000, 10}, synth.AR1},
		{shape{20_000, 30_000, 50}, synth.Zipf},
	}
)

func fullPlan() plan {
	return plan{
		repeats:    5,
		passWidths: []int{30000, 1000, 100, 30},
		passBytes:  512 << 20, passCaches: 4,
		fitShapes: []shape{
			{1000, 1000, 10}, {1000, 1000, 30}, {10000, 1000, 10}, {10000, 1000, 30}, {20000, 30000, 100},
		},
		choosingShapes: []shape{{300, 1000, 10}, {1000, 1000, 10}, {10000, 1000, 30}, {100000, 1000, 30}},
		choiceShapes:   []shape{{1000, 1000, 10}, {1000, 1000, 30}, {10000, 1000, 10}},
		commandShape:   shape{10000, 1000, 10},
		peerLimit:      120 * time.Second,
		scaleRows:      shape{10000, 1000, 10}, scaleColumns: shape{1000, 10000, 10}, scalePoints: 4,
		threadTables: threadTables,
		diskShape:    shape{20000, 50000, 100},
		liveShape:    shape{300, 200, 5}, liveRepeats: 9,
		gridShapes: []shape{{20000, 30000, 100}, {200000, 1000, 100}}, gridRepeats: 3,
		deviceWidths: []int{1_000_000, 100_000, 30_000, 10_000, 1000, 100, 30}, deviceBytes: 12_000_000_000,
	}
}

func quickPlan() plan {
	return plan{
		repeats:    3,
		passWidths: []int{30000, 1000, 100, 30},
		passBytes:  128 << 20, passCaches: 2,
		fitShapes: []shape{{1000, 1000, 10}}, choosingShapes: []shape{{300, 1000, 10}}, choiceShapes: []shape{{1000, 1000, 10}}, commandShape: shape{2000, 1000, 10},
		peerLimit: 10 * time.Second, peerBudget: 30 * time.Second,
		scaleRows: shape{2000, 1000, 10}, scaleColumns: shape{1000, 2000, 10}, scalePoints: 3,
		threadTables: quickThreadTables,
		diskShape:    shape{8000, 25000, 50},
		liveShape:    shape{100, 40, 3}, liveRepeats: 3,
		gridShapes: []shape{{2000, 3000, 30}}, gridRepeats: 1,
		shapeScale:   1e-4,
		deviceWidths: []int{100_000, 1000, 100}, deviceBytes: 1_000_000_000,
	}
}

// buffer returns the number of bytes that must be read to defeat the caches, within a quarter of
// the memory.
func (p *plan) buffer(m Machine) int {
	size := max(p.passBytes, p.passCaches*max(m.Caches.L2, m.Caches.L3))
	if m.MemoryBytes > 0 {
		size = min(size, m.MemoryBytes/4)
	}
	return size
}
