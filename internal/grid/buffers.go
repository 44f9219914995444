package grid

import (
	"runtime"

	"fsa/internal/matrix"
)

// worker holds the buffers of one thread.
type worker struct {
	z, d []float64     // margins of a block, or the contribution of a slice to them, and room for one number per row
	sums []int64       // contributions of all slices, in units; or to the gradient, on grids of several columns
	r    []float64     // of the block
	next []matrix.Rows // the block, by slice

	past  []matrix.Rows // the previous block, perhaps of another shard, whose Xᵀr is to be added
	pastR []float64
	pastG []float64 // gradient of its shard; nil if there is none
}

// buffers holds buffers that are kept from pass to pass.
type buffers struct {
	runs      [][][2]int
	at, place []int
	sums      tally
	gradients []int64     // of all slices, in units
	apart     [][]float64 // gradients of each shard, until the units are known
	margins   []int64     // contributions of the slices, in units,
	z         []float64   // and margins, on grids of several columns
	workers   []*worker   // by thread
}

// gradientOf returns zeros for the gradient of a shard.
func (r *buffers) gradientOf(s, n int) []float64 {
	g := zeros(r.apart[s], n)
	r.apart[s] = g
	return g
}

func (r *buffers) runsOf(shards int) [][][2]int {
	r.runs = sized(r.runs, shards)
	return r.runs
}

// team returns the buffers of all threads.
func (r *buffers) team() []*worker {
	threads := runtime.GOMAXPROCS(0)
	for len(r.workers) < threads {
		r.workers = append(r.workers, &worker{})
	}
	return r.workers[:threads]
}

// tally holds the sums over the rows of each shard besides the gradient.
type tally struct {
	per     int
	sums    []float64 // loss, weight and slopes of each shard
	squares []float64 // of its r
}

// tally returns an empty tally.
func (r *buffers) tally(shards, outputs int) *tally {
	t := &r.sums
	t.per = 2 + outputs
	t.sums, t.squares = zeros(t.sums, t.per*shards), zeros(t.squares, shards)
	return t
}

// add adds the sums of a block of a shard, output after output.
func (t *tally) add(s int, r []float64, sum, weight float64) {
	to := t.sums[t.per*s : t.per*(s+1)]
	to[0] += sum
	to[1] += weight
	slope := to[2:]
	n := len(r) / len(slope)
	squares := t.squares[s]
	for q := range slope {
		all := slope[q]
		for _, v := range r[q*n : (q+1)*n] {
			all += v
			squares += v * v
		}
		slope[q] = all
	}
	t.squares[s] = squares
}

// zeros returns n zeros in a slice that is reused.
func zeros[T any](v []T, n int) []T {
	v = sized(v, n)
	clear(v)
	return v
}

// sized returns n values in a slice that is reused.
func sized[T any](v []T, n int) []T {
	if cap(v) < n {
		return make([]T, n)
	}
	return v[:n]
}
