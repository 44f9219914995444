package objective

import (
	"context"

	"fsa/anneal"
)

// Device computes objectives outside of the processor, such as on a GPU or on a grid of processes.
type Device interface {
	// Place moves an objective to the device. The objective must not have been used yet.
	Place(ctx context.Context, ob *Objective) (Placed, error)
	Close()
}

// Placed is an objective on a device. Close releases its memory there.
type Placed interface {
	anneal.Resident
	Close()
}

// Together is a device that several processes share. All of them must do the same at the same time, even
// if that depends on a clock.
type Together interface {
	// Decide returns the answer yes of the first process. All processes call it.
	Decide(ctx context.Context, yes bool) (bool, error)
}
