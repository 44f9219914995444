// Package collective is the communication between the processes of a job: a few operations that all
// of them call in the same order. [Single] is a job of one process, and [Group] one of goroutines;
// package mpi has processes that a launcher of MPI starts, and package tcp those that anything else
// starts.
package collective

import (
	"encoding/binary"
	"slices"
	"unsafe"
)

// Comm is a group of processes, as seen by one of them. Every method except Size, Rank and Abort is
// collective: all processes call it, in the same order and with vectors of the same length, and it
// returns once all others have called it. Only one goroutine may call at a time. After an error no
// further call is allowed.
//
// Only integers are summed. Sums of floating-point numbers would depend on the order in which a
// library adds them, and so on the number of processes.
type Comm interface {
	// Size is the number of processes, and Rank the number of this one, from 0.
	Size() int
	Rank() int
	// Sum replaces every number by its sum over the processes.
	Sum(v []int64) error
	// Gather sets dst to the src of all processes, one after another; process p has counts[p] bytes.
	Gather(dst []byte, counts []int, src []byte) error
	// Broadcast sets v to the v of process root.
	Broadcast(root int, v []byte) error
	Barrier() error
	// Split makes a group of the processes with the same color, in the order of their ranks.
	Split(color int) (Comm, error)
	// Abort ends all processes of the job; a single process may call it. Why is told to the others
	// where they would not see what this process prints.
	Abort(code int, why string)
	// Close leaves the group; then the process may end.
	Close() error
}

// Bytes returns the memory of numbers, for [Comm.Gather] and [Comm.Broadcast]. All machines of a
// job must have the same byte order.
func Bytes[T float32 | float64 | int64 | int32 | uint16 | uint32](v []T) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*int(unsafe.Sizeof(v[0])))
}

// allToAller is a group that sends data directly to the process that they are for.
type allToAller interface {
	AllToAll(to [][]byte) ([][]byte, error)
}

// AllToAll gives to[p] to process p, and returns what each process has for this one; lengths may
// differ.
func AllToAll(c Comm, to [][]byte) ([][]byte, error) {
	if a, ok := c.(allToAller); ok {
		return a.AllToAll(to)
	}
	lengths := make([]int64, len(to))
	for p, part := range to {
		lengths[p] = int64(len(part))
	}
	heads, err := GatherAll(c, Bytes(lengths))
	if err != nil {
		return nil, err
	}
	all, err := GatherAll(c, slices.Concat(to...))
	if err != nil {
		return nil, err
	}
	for p, part := range all {
		first := 0
		for q := range c.Rank() + 1 {
			n := int(binary.NativeEndian.Uint64(heads[p][8*q:]))
			if q == c.Rank() {
				all[p] = part[first : first+n]
			}
			first += n
		}
	}
	return all, nil
}

// allGatherer is a group that does not need to know the lengths of the other processes.
type allGatherer interface {
	GatherAll(src []byte) ([][]byte, error)
}

// GatherAll returns the src of every process; lengths may differ.
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
