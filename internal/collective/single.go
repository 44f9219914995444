package collective

// Single is a job of one process.
type Single struct{}

var _ Comm = Single{}

// Size implements [Comm].
func (Single) Size() int { return 1 }

// Rank implements [Comm].
func (Single) Rank() int { return 0 }

// Sum implements [Comm].
func (Single) Sum([]int64) error { return nil }

// Gather implements [Comm].
func (Single) Gather(dst []byte, _ []int, src []byte) error {
	copy(dst, src)
	return nil
}

// Broadcast implements [Comm].
func (Single) Broadcast(int, []byte) error { return nil }

// Barrier implements [Comm].
func (Single) Barrier() error { return nil }

// Split implements [Comm].
func (Single) Split(int) (Comm, error) { return Single{}, nil }

// Abort implements [Comm]. The caller ends by itself.
func (Single) Abort(int, string) {}

// Close implements [Comm].
func (Single) Close() error { return nil }
