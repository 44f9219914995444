package open

import (
	"context"

	"fsa/data"
)

// skipper is a reader that can skip rows without reading them.
type skipper interface {
	// Skip skips as many of the given number of rows as it can, and returns how many it skipped.
	Skip(rows int) int
}

// Skip skips up to the given number of rows of a table that was opened with [Reader], as far
// as its format allows skipping without reading. It returns the number of rows skipped.
func Skip(ctx context.Context, r data.Reader, rows int) (int, error) {
	if opened, ok := r.(*reader); ok {
		r = opened.Reader
	}
	switch r := r.(type) {
	case *several:
		return r.skip(ctx, rows)
	case skipper:
		return r.Skip(rows), nil
	}
	return 0, nil
}

// skip skips rows, and files that are skipped completely.
func (s *several) skip(ctx context.Context, rows int) (int, error) {
	total := 0
	for {
		if r, ok := s.Reader.(skipper); ok {
			n := r.Skip(rows - total)
			total += n
			s.at += int64(n)
		}
		r, ok := s.Reader.(data.Sized)
		if !ok || len(s.rest) == 0 {
			return total, nil
		}
		if size, _ := r.Size(); s.at < size || total == rows {
			return total, nil
		}
		if err := s.open(ctx, s.rest[0]); err != nil {
			return total, err
		}
		s.rest = s.rest[1:]
	}
}
