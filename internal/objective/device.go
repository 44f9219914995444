package objective

import (
	"context"

	"fsa/anneal"
)

// Device is another machine to compute on.
type Device interface {
	// Place brings an objective that was not used yet there.
	Place(ctx context.Context, ob *Objective) (Placed, error)
	Close()
}

// Placed is an objective on a device. Close gives back what it takes there.
type Placed interface {
	anneal.Resident
	Close()
}

// Together is a device that several processes share. They have to do the same at the same
// time, also where that depends on a clock.
type Together interface {
	// Decide returns what the first process says. All processes call it.
	Decide(ctx context.Context, yes bool) (bool, error)
}
