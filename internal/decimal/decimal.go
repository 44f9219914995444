// Package decimal writes numbers as people write them: 87,400 instead of 8.74e+04, and 0.00002
// instead of 2e-05.
package decimal

import (
	"math"
	"strconv"
	"strings"
)

const (
	zero      = 1e-12 // smaller numbers are rounding errors
	smallest  = 1e-6  // smaller numbers have an exponent
	largest   = 1e12  // larger numbers have an exponent
	whole     = 1e6   // smaller numbers keep all digits before the point
	separated = 5     // digits before the point from which they are grouped by commas
)

// Digits writes v with n significant digits and without zeros at the end. Numbers below a million
// keep all digits before the point.
func Digits(v float64, n int) string { return write(v, n, false) }

// Padded is Digits with the zeros at the end, for columns of numbers.
func Padded(v float64, n int) string { return write(v, n, true) }

// Count writes a whole number: 1000, 10,000.
func Count(n int) string { return grouped(strconv.Itoa(n)) }

func write(v float64, n int, pad bool) string {
	a := math.Abs(v)
	switch {
	case a < zero:
		return "0"
	case !(a >= smallest && a < largest): // NaN, too
		return strconv.FormatFloat(v, 'g', n, 64)
	}
	rounded := strconv.FormatFloat(v, 'e', n-1, 64) // 9.996 rounded to 3 digits has the exponent 1
	_, power, _ := strings.Cut(rounded, "e")
	exponent, _ := strconv.Atoi(power)
	decimals := n - 1 - exponent
	if decimals <= 0 {
		if a >= whole {
			v, _ = strconv.ParseFloat(rounded, 64)
		}
		return grouped(strconv.FormatFloat(v, 'f', 0, 64))
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if !pad {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return grouped(text)
}

// grouped puts commas between the thousands of numbers from 10,000 on.
func grouped(text string) string {
	number, negative := strings.CutPrefix(text, "-")
	before, after, fraction := strings.Cut(number, ".")
	if len(before) < separated {
		return text
	}
	for i := len(before) - 3; i > 0; i -= 3 {
		before = before[:i] + "," + before[i:]
	}
	if fraction {
		before += "." + after
	}
	if negative {
		before = "-" + before
	}
	return before
}

// Typeset replaces the exponent and the hyphen of a number by those of print: −1.5×10⁻⁷.
func Typeset(text string) string {
	number, power, found := strings.Cut(text, "e")
	if exponent, err := strconv.Atoi(power); found && err == nil {
		raised := strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹").Replace(strconv.Itoa(exponent))
		if text = number + "×10" + raised; number == "1" || number == "-1" {
			text = strings.TrimSuffix(number, "1") + "10" + raised
		}
	}
	return strings.ReplaceAll(text, "-", "−")
}
