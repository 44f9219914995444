package synth

import "math/bits"

// stream is the xoshiro256++ generator of Blackman and Vigna (2021). It is implemented here, and
// not taken from math/rand/v2, because the loop of [stream.walk] generates normal numbers twice as
// fast if the compiler can see the whole generator.
type stream struct{ s0, s1, s2, s3 uint64 }

// A row has one stream for its variables and one for its response, so that one can change without
// the other.
const (
	forVariables uint64 = iota
	forResponse
)

// newStream returns the stream of a row for one purpose. The words of its state differ from each
// other, because mix is a bijection, so they are never all zero.
func newStream(seed, row, purpose uint64) stream {
	const golden = 0x9e3779b97f4a7c15
	key := mix(mix(mix(seed+golden)+purpose) + row)
	next := func() uint64 {
		key += golden
		return mix(key)
	}
	return stream{next(), next(), next(), next()}
}

// mix is the output function of SplitMix64 (Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// step returns a random word and the next state. It passes the state by value, because only a state
// whose address is not taken stays in registers.
func (s stream) step() (uint64, stream) {
	u := bits.RotateLeft64(s.s0+s.s3, 23) + s.s0
	t := s.s1 << 17
	s.s2 ^= s.s0
	s.s3 ^= s.s1
	s.s1 ^= s.s2
	s.s0 ^= s.s3
	s.s2 ^= t
	s.s3 = bits.RotateLeft64(s.s3, 45)
	return u, s
}

func (s *stream) next() (u uint64) {
	u, *s = s.step()
	return u
}

// uniform returns a number from (0, 1].
func (s *stream) uniform() float64 {
	return float64(s.next()>>11+1) * 0x1p-53
}
