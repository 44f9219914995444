// Package collective is how the processes of a job talk to each other: a few
// operations that all of them call in the same order. [Single] is a job of one
// process, [Group] one of goroutines; package mpi has those that a cluster starts, and package host
// those that tasks of another engine start.
package collective

import "unsafe"

// Comm is a group of processes, as one of them sees it. Every method but Size, Rank
// and Abort is collective: all processes call it, in the same order and with vectors of
// the same length, and each returns once the others have come that far. Only one
// goroutine may call at a time. After an error nothing more can be asked.
//
// Sums are of integers alone. Those of floating-point numbers would depend on the order
// in which a library adds them, and so on the number of processes.
type Comm interface {
	// Size is the number of processes, and Rank the number of this one, from 0.
	Size() int
	Rank() int
	// Sum replaces every number by its sum over the processes.
	Sum(v []int64) error
	// Gather sets dst to what the processes have in src, one after another; process p
	// has counts[p] bytes.
	Gather(dst []byte, counts []int, src []byte) error
	// Broadcast sets v to what process root has there.
	Broadcast(root int, v []byte) error
	Barrier() error
	// Split makes a group of the processes that give the same color, in the order of their ranks.
	Split(color int) (Comm, error)
	// Abort ends all processes of the job; it may be called by one alone.
	Abort(code int)
	// Close leaves the group, after which the process may end.
	Close() error
}

// Bytes returns the memory of numbers, for [Comm.Gather] and [Comm.Broadcast]. The
// processes of a job are machines of one kind.
func Bytes[T float32 | float64 | int64 | int32 | uint16 | uint32](v []T) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*int(unsafe.Sizeof(v[0])))
}

// allGatherer is a group that need not know how much each process has.
type allGatherer interface {
	GatherAll(src []byte) ([][]byte, error)
}

// GatherAll returns what every process has in src, whose lengths may differ.
func GatherAll(c Comm, src []byte) ([][]byte, error) {
	if a, ok := c.(allGatherer); ok {
		return a.GatherAll(src)
	}
	counts := make([]int, c.Size())
	sizes := make([]int64, c.Size())
	for p := range counts {
		counts[p] = 8
	}
	if err := c.Gather(Bytes(sizes), counts, Bytes([]int64{int64(len(src))})); err != nil {
		return nil, err
	}
	total := 0
	for p, n := range sizes {
		counts[p] = int(n)
		total += counts[p]
	}
	dst := make([]byte, total)
	if err := c.Gather(dst, counts, src); err != nil {
		return nil, err
	}
	parts := make([][]byte, c.Size())
	for p, n := range counts {
		parts[p], dst = dst[:n:n], dst[n:]
	}
	return parts, nil
}
