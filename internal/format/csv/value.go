package csv

import (
	"bytes"
	"math"

	"fsa/data/kind"
	"fsa/internal/lines"
)

// number returns the number that text is. An infinity in words counts as one, so that a column of
// numbers with an infinity is not taken for text.
func number(text []byte) (v float64, ok bool) {
	if v, end := lines.Float(text, 0); end > 0 && end == len(text) {
		return v, true
	}
	unsigned := bytes.TrimLeft(text, "+-")
	return math.Inf(1), len(text)-len(unsigned) <= 1 && (word(unsigned, "inf") || word(unsigned, "infinity"))
}

// numeric reports whether text is a number in any notation.
func numeric(text []byte) bool {
	_, ok := number(text)
	return ok || kind.Looks(string(text))
}

// digitsOnly reports whether text is a whole number without a sign.
func digitsOnly(text []byte) bool {
	return len(bytes.Trim(text, "0123456789")) == 0
}

func word(text []byte, w string) bool { return bytes.EqualFold(text, []byte(w)) }
