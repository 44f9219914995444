package lines

import (
	"math"
	"math/bits"
	"strconv"
)

// Float parses the decimal number at text[i:] and returns it with the position after it, which is i
// if no number starts there. The grammar is sign, digits with or without a point, exponent; the
// value is the float64 nearest to the text, the same bits as strconv.ParseFloat. A number beyond
// the largest float64 is an infinity; words such as nan are not numbers.
//
// The text after the number is not checked: the caller checks that the number ends the cell.
func Float(text []byte, i int) (v float64, end int) {
	// Most numbers are short. The point and the end of such a number are found in sixteen bytes at
	// once, and its digits are combined without a branch on their number or the sign: these differ
	// from cell to cell, and a mispredicted branch costs more than the arithmetic. The next cell can
	// be started as soon as the end is known.
	if i+24 > len(text) {
		return slowFloat(text, i)
	}
	neg := isByte(text[i], '-')
	w := load(text, i) ^ zeros
	others := (otherBits(w) | otherBits(load(text, i+8)^zeros)<<8) &^ neg
	whole := bits.TrailingZeros64(others) // bytes before the point, sign included
	if whole > 7 {
		return longFloat(text, i)
	}
	mantissa := spell(w &^ (0xff * neg) << 8 << ((56 - 8*uint(whole)) & 63))
	end = i + whole
	if text[end] != '.' {
		if text[end]|0x20 == 'e' {
			return longFloat(text, i)
		}
		if whole == int(neg) {
			return slowFloat(text, i)
		}
		return withSign(float64(int64(mantissa)), neg), end
	}
	point := end + 1
	end = i + bits.TrailingZeros64(others&(others-1))
	places := end - point
	if places > 8 || mantissa > 9e7 || end == i+int(neg)+1 || text[end]|0x20 == 'e' {
		return longFloat(text, i)
	}
	mantissa = mantissa*wholePow10[places] + spell((load(text, point)^zeros)<<(64-8*uint(places)))
	// Both operands are exact, so one division rounds once.
	return withSign(float64(int64(mantissa))/pow10[places], neg), end
}

// longFloat is Float for up to 19 digits and an exponent.
func longFloat(text []byte, start int) (v float64, end int) {
	neg := isByte(text[start], '-')
	i := start + int(neg)
	first, point := i, -1 // where the digits and where the decimals start
	var mantissa uint64
	for {
		if i+8 >= len(text) {
			return slowFloat(text, start)
		}
		w := load(text, i) ^ zeros
		other := others(w)
		if other == 0 {
			mantissa = mantissa*1e8 + spell(w)
			i += 8
			continue
		}
		bit := bits.TrailingZeros64(other)
		mantissa = mantissa*wholePow10[bit/8] + spell(w<<8<<(63-bit))
		i += bit / 8
		if text[i] != '.' || point >= 0 {
			break
		}
		i++
		first++
		point = i
	}
	if i == first || i-first > 19 {
		return slowFloat(text, start)
	}
	places := 0
	if point >= 0 {
		places = i - point
	}
	if text[i]|0x20 == 'e' {
		e, end := tail(text, i)
		if places -= e; -22 <= places && places < 0 && mantissa <= 1<<53 {
			return withSign(float64(int64(mantissa))*pow10[-places], neg), end
		}
		i = end
	}
	switch {
	case mantissa <= 1<<53 && 0 <= places && places <= 22:
		v = float64(int64(mantissa)) / pow10[places]
	case 0 <= places && places <= 19:
		v = ratio(mantissa, wholePow10[places])
	default:
		return slowFloat(text, start)
	}
	return withSign(v, neg), i
}

// slowFloat is Float for any number anywhere.
func slowFloat(text []byte, start int) (v float64, end int) {
	i := start
	if i < len(text) && (text[i] == '-' || text[i] == '+') {
		i++
	}
	digits := 0
	for point := false; i < len(text); i++ {
		if isDigit(text[i]) {
			digits++
		} else if text[i] == '.' && !point {
			point = true
		} else {
			break
		}
	}
	if digits == 0 {
		return 0, start
	}
	_, end = tail(text, i)
	// The only remaining error is that of a number out of range, and then the value is the infinity
	// that Float promises.
	v, _ = strconv.ParseFloat(string(text[start:end]), 64)
	return v, end
}

// tail parses the exponent at text[i:], letter included, and returns it with the position after it,
// which is i if there is none. An exponent that is too large for any float64 is reduced to one that
// is too large as well.
func tail(text []byte, i int) (e, end int) {
	if i == len(text) || text[i]|0x20 != 'e' {
		return 0, i
	}
	j, sign := i+1, 1
	if j < len(text) && (text[j] == '-' || text[j] == '+') {
		if text[j] == '-' {
			sign = -1
		}
		j++
	}
	first := j
	for ; j < len(text) && isDigit(text[j]); j++ {
		if e < 1e6 {
			e = e*10 + int(text[j]-'0')
		}
	}
	if j == first {
		return 0, i
	}
	return sign * e, j
}

// ratio returns m/d correctly rounded. A 64-bit quotient has more bits than a float64, and one bit
// for the remainder settles ties.
func ratio(m, d uint64) float64 {
	lm, ld := bits.LeadingZeros64(m), bits.LeadingZeros64(d)
	m <<= lm
	q, rest := bits.Div64(m>>1, m<<63, d<<ld)
	if rest != 0 {
		q |= 1
	}
	return float64(q) * math.Float64frombits(uint64(1023-63+ld-lm)<<52)
}

func withSign(v float64, neg uint64) float64 {
	return math.Float64frombits(math.Float64bits(v) | neg<<63)
}

// AppendFloat appends the shortest text that parses to v, without an exponent for numbers of common
// size.
func AppendFloat(dst []byte, v float64) []byte {
	format := byte('f')
	if a := math.Abs(v); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(dst, v, format, -1, 64)
}

// pow10 holds the powers of ten that a float64 holds exactly.
var pow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

var wholePow10 = [...]uint64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
	1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
}
