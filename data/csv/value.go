package csv

import (
	"bytes"
	"math"
	"regexp"

	"fsa/internal/lines"
)

// number returns the number that text is. An infinity in words counts as one,
// so that a column of numbers with an infinity is not taken for text.
func number(text []byte) (v float64, ok bool) {
	if v, end := lines.Float(text, 0); end > 0 && end == len(text) {
		return v, true
	}
	unsigned := bytes.TrimLeft(text, "+-")
	return math.Inf(1), len(text)-len(unsigned) <= 1 && (word(unsigned, "inf") || word(unsigned, "infinity"))
}

// dressed says whether text, which is no number, is one with a decimal comma, with
// marks between thousands, or with the sign of a currency or of percent.
func dressed(text []byte) bool { return dress.Match(text) }

var dress = regexp.MustCompile(`^[-+]?\p{Sc}?\s*[-+]?(\d{1,3}([,'’\s]\d{3})+(\.\d*)?|\d+([.,]\d*)?)\s*[%\p{Sc}]?$`)

// digitsOnly says whether text is a whole number without a sign.
func digitsOnly(text []byte) bool {
	return len(bytes.Trim(text, "0123456789")) == 0
}

func word(text []byte, w string) bool { return bytes.EqualFold(text, []byte(w)) }
