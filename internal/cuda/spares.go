package cuda

import "math/bits"

// To get memory of a device and to give it back takes as long as a step, and a descent asks for a dozen small pieces
// whenever columns go. So small ones are kept for the next who asks.

const (
	largestSpare = 1 << 20 // bytes of a piece that is kept
	sparePart    = 64      // of the memory that may be used, what is kept at most
)

// spares are pieces that nobody uses now, by the logarithm of their size.
type spares struct {
	most, held int64 // bytes: a most of 0 means that none are kept
	pieces     [21][]pointer
}

// class returns the logarithm of what a piece takes; false if it is too large to be kept.
func (s *spares) class(bytes int64) (int, bool) {
	return bits.Len64(uint64(max(bytes, 256) - 1)), s.most > 0 && bytes <= largestSpare
}

// room returns how much to ask for, so that the piece serves others of about its size.
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

// keep keeps a piece. It reports false if that has to be given back.
func (s *spares) keep(p pointer, bytes int64) bool {
	c, small := s.class(bytes)
	if !small || s.held+1<<c > s.most {
		return false
	}
	s.pieces[c] = append(s.pieces[c], p)
	s.held += 1 << c
	return true
}
