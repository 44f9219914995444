package lines

import (
	"encoding/binary"
	"math/bits"
)

// The functions here work on eight bytes of text in one word, the first byte lowest, XORed with
// zeros, so that a digit becomes its value.

// zeros is eight digits 0.
const zeros = 0x3030303030303030

func load(text []byte, i int) uint64 {
	// The third index saves a correction of the pointer for empty slices.
	return binary.LittleEndian.Uint64(text[i : i+8 : len(text)])
}

// others returns a word with the top bit set in the first byte that is no digit and nothing below.
// Adding 0x76 carries a value above 9 into the top bit. The carry out of a byte that is not ASCII
// spoils the next byte, so only the first bit, and bits after ASCII bytes, are valid.
func others(w uint64) uint64 {
	return (w + 0x7676767676767676 | w) & 0x8080808080808080
}

// otherBits is others with the bits of the eight bytes moved together.
func otherBits(w uint64) uint64 {
	return others(w) >> 7 * 0x0102040810204080 >> 56
}

// spell returns the number whose eight decimal digits are the bytes of w: pairs
// first, then all four of them at once.
func spell(w uint64) uint64 {
	w = w*10 + w>>8
	return (w&0xff000000ff*(100+1000000<<32) + w>>16&0xff000000ff*(1+10000<<32)) >> 32
}

// Uint parses the unsigned whole number at text[i:] and returns it with the position after it,
// which is i if there is no digit or there are more than 18.
func Uint(text []byte, i int) (v uint64, end int) {
	if i+8 <= len(text) {
		w := load(text, i) ^ zeros
		if other := others(w); other != 0 {
			bit := bits.TrailingZeros64(other)
			return spell(w << 8 << (63 - bit&63)), i + bit/8
		}
	}
	for end = i; end < len(text) && isDigit(text[end]); end++ {
		if end == i+18 {
			return 0, i
		}
		v = v*10 + uint64(text[end]-'0')
	}
	return v, end
}

// isByte is 1 if a and b are the same byte, otherwise 0, without a branch.
func isByte(a, b byte) uint64 { return (uint64(a^b) - 1) >> 63 }

func isDigit(c byte) bool { return c-'0' <= 9 }
