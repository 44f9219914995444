package cuda

import (
	"math"
	"slices"

	"fsa/anneal"
)

// If few columns are left and a step uses few rows, launching kernels takes longer than their computation. Then one kernel
// takes all steps of an epoch.

// shortArgs is the argument of that kernel.
type shortArgs struct {
	P              passArgs
	U              updateArgs
	List, Told     pointer
	Eta, Ridge     float64
	Batches, Begin int32
}

// shortBatch describes a batch for that kernel.
type shortBatch struct {
	First, Rows     int64
	Weight, Inverse float64 // Inverse: 1/Weight, or 0
}

const (
	shortBlocks = 16      // of its cluster, at most
	shortWarps  = 8       // of each block
	shortBytes  = 2 << 20 // of a batch, at most: larger batches are faster on the whole device
	shortTold   = 4       // numbers that a block passes to the others
)

// shorts lists the kernels for rows with up to a number of quads and groups, the fastest first.
var shorts = []shortKernel{
	{8, 255, 32, "each8"}, {16, 255, 16, "each16"}, {32, 255, 8, "each32"}, {64, 255, 4, "each64"},
	{8, 1024, 0, "short8"}, {16, 1024, 0, "short16"}, {32, 1024, 0, "short32"},
	{64, 1024, 0, "short64"}, {128, 1024, 0, "short128"}, {256, 1024, 0, "short256"}, {512, 2048, 0, "short512"},
}

type shortKernel struct {
	quads, groups int
	rows          int // that a warp processes at once; 0 if the kernel needs all blocks
	kernel        string
}

// blocks returns how many blocks are enough for the rows of a batch. Fewer blocks synchronise
// faster.
func (k *shortKernel) blocks(rows int64) int {
	n := shortBlocks
	for k.rows > 0 && n > 1 && int64(n/2*shortWarps*k.rows) >= rows {
		n /= 2
	}
	return n
}

// prepareShort decides whether steps are short.
func (o *Objective) prepareShort() error {
	d, s := o.d, &o.work.short
	quads, most := int(o.table.stride/4), int64(0)
	for _, b := range o.batches {
		most = max(most, b.rows)
	}
	if o.stream != nil || o.table.format >= codes || d.info().Major < 9 || o.outputs > 1 || len(o.batches) == 1 ||
		most*o.table.stride*int64(sizeOf[o.table.format]) > shortBytes {
		return nil
	}
	at := slices.IndexFunc(shorts, func(k shortKernel) bool { return quads <= k.quads && len(o.column) <= k.groups })
	if at < 0 {
		return nil
	}
	blocks := shorts[at].blocks(most)
	s.shape = shape{grid: [3]int{blocks}, block: 32 * shortWarps, cluster: blocks, shared: shortWarps * shorts[at].quads * 16}
	if n, err := d.clusters(modules[o.table.format], shorts[at].kernel, s.shape); err != nil || n == 0 {
		return err // the device may not have enough room for the cluster
	}
	list := make([]shortBatch, len(o.batches))
	for i, b := range o.batches {
		if list[i] = (shortBatch{First: b.first, Rows: b.rows, Weight: b.weight}); b.weight > 0 {
			list[i].Inverse = 1 / b.weight
		}
	}
	var err error
	if s.list, err = copied(d, list); err != nil {
		return err
	}
	s.kernel = shorts[at].kernel
	s.told, err = d.make(shortTold*shortBlocks, 8)
	return err
}

// shortEpoch takes a step on every batch.
func (o *Objective) shortEpoch(w anneal.Walk, flags int32) (told, error) {
	s := &o.work.short
	a := shortArgs{
		P: o.passArgs(0, 0, 1, o.kind), U: o.updateArgs(updateArgs{Beta: o.now.beta, Momentum: w.Momentum, Flags: flags}, 0),
		List: s.list, Told: s.told, Eta: w.Eta, Ridge: o.ridge,
		Batches: int32(len(o.batches)), Begin: int32(w.First % len(o.batches)),
	}
	if o.momentum {
		a.U.Velocity = o.now.velocity
	}
	for _, b := range o.batches {
		o.count(b.rows)
	}
	if err := o.d.launch(modules[o.table.format], s.kernel, s.shape, &a); err != nil {
		return told{}, err
	}
	said := make([]float64, shortTold*s.shape.grid[0])
	if err := o.d.download(bytesOf(said), s.told); err != nil {
		return told{}, err
	}
	var t told
	for ; len(said) > 0; said = said[shortTold:] {
		t.sum += said[0] + said[1]
		t.moved, t.largest = math.Max(t.moved, said[2]), max(t.largest, said[3]) // NaN stays
	}
	return t, nil
}
