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
