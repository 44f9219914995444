package cuda

import "math/bits"

// Allocating and freeing memory of a device takes as long as a step, and a descent needs a dozen
// small pieces whenever columns are dropped. Small pieces are therefore kept for reuse.

const (
	largestSpare = 1 << 20 // bytes of a piece that is kept
	sparePart    = 64      // share of the usable memory that is kept at most
)

// spares holds pieces that are not in use, by the logarithm of their size.
type spares struct {
	most, held int64 // bytes: a most of 0 means that none are kept
	pieces     [21][]pointer
}

// class returns the logarithm of the size of a piece; false if it is too large to be kept.
func (s *spares) class(bytes int64) (int, bool) {
	return bits.Len64(uint64(max(bytes, 256) - 1)), s.most > 0 && bytes <= largestSpare
}

// room returns how much to allocate, so that the piece can be reused for others of about its size.
func (s *spares) room(bytes int64) int64 {
	if c, small := s.class(bytes); small {
		return 1 << c
	}
	return bytes
}

// take returns a piece that is large enough, or 0.
func (s *spares) take(bytes int64) pointer {
	c, small := s.class(bytes)
	if !small || len(s.pieces[c]) == 0 {
		return 0
	}
	last := len(s.pieces[c]) - 1
	p := s.pieces[c][last]
	s.pieces[c] = s.pieces[c][:last]
	s.held -= 1 << c
	return p
}

// keep keeps a piece. It returns false if the piece has to be freed.
func (s *spares) keep(p pointer, bytes int64) bool {
	c, small := s.class(bytes)
	if !small || s.held+1<<c > s.most {
		return false
	}
	s.pieces[c] = append(s.pieces[c], p)
	s.held += 1 << c
	return true
}
