package kind

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Numbers are written in many ways: with a decimal comma, with marks between thousands, with a
// currency or percent sign, in parentheses if they are negative. 5% is read as the number 5.

// plainForm is how programs write numbers.
const plainForm = "1234.5"

// numberForms are notations of numbers, given by how 1234.5 would be written. Simpler notations
// come first.
var numberForms = []string{plainForm, "1234,5", "1,234.5", "1.234,5", "1 234.5", "1 234,5", "1'234.5", "1'234,5", "1_234.5", "1_234,5"}

// marks returns the decimal mark and the mark between thousands of a notation; the latter is 0 if
// there is none.
func marks(form string) (decimal, thousands byte) {
	if form[1] != '2' {
		thousands = form[1]
	}
	return form[len(form)-2], thousands
}

// numberLayouts implements rule.layouts.
func numberLayouts(cells []string, h *Hints) []string {
	var all []string
	for _, form := range numberForms {
		decimal, thousands := marks(form)
		switch {
		case h.Decimal != 0 && decimal != h.Decimal,
			h.Thousands == "none" && thousands != 0,
			h.Thousands != "" && h.Thousands != "none" && thousands != 0 && string(thousands) != h.Thousands,
			h.Thousands == string(decimal):
			continue
		}
		if readsAll(cells, func(cell string) bool { return likely(form, cell) }) {
			all = append(all, form)
		}
	}
	return all
}

// likely reports whether a number can be read in the given notation and would be written so. The only mark of 0.123 is a
// decimal mark, because no thousands begin with zero.
func likely(form, cell string) bool {
	if _, ok := parseNumber(form, cell); !ok {
		return false
	}
	_, thousands := marks(form)
	text, _, _ := undress(cell)
	rest, zero := strings.CutPrefix(text, "0"+string(rune(thousands)))
	return !zero || strings.Trim(rest, "0123456789") != ""
}

func readsAll(cells []string, reads func(cell string) bool) bool {
	for _, cell := range cells {
		if !reads(cell) {
			return false
		}
	}
	return len(cells) > 0
}

// parseNumber reads a number in the given notation.
func parseNumber(form, cell string) (float64, bool) {
	text, negative, ok := undress(cell)
	if !ok {
		return 0, false
	}
	if form == "" {
		form = plainForm
	}
	decimal, thousands := marks(form)
	digits := make([]byte, 0, 32)
	run, groups := 0, 0 // digits since the last mark, and number of marks
	i := 0
	for ; i < len(text); i++ {
		c := text[i]
		switch {
		case c >= '0' && c <= '9':
			digits = append(digits, c)
			run++
			continue
		case thousands != 0 && c == thousands:
			if run == 0 || run > 3 || groups > 0 && run != 3 {
				return 0, false
			}
			run, groups = 0, groups+1
			continue
		}
		break
	}
	if groups > 0 && run != 3 {
		return 0, false
	}
	whole := len(digits)
	if i < len(text) && text[i] == decimal {
		digits = append(digits, '.')
		for i++; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
			digits = append(digits, text[i])
			whole++
		}
	}
	if whole == 0 {
		return 0, false
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') && groups == 0 {
		digits = append(digits, text[i:]...)
		i = len(text)
	}
	if i < len(text) {
		return 0, false
	}
	v, err := strconv.ParseFloat(string(digits), 64)
	if err != nil {
		return 0, false
	}
	if negative {
		v = -v
	}
	return v, true
}

// undress removes the sign, currency, percent sign and parentheses from a number, and replaces all
// kinds of blanks inside it by one kind.
func undress(cell string) (text string, negative, ok bool) {
	text = cell
	if len(text) > 64 {
		return "", false, false
	}
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			text = strings.Map(oneBlank, text)
			break
		}
	}
	text = strings.TrimSpace(text)
	if n := len(text); n > 2 && text[0] == '(' && text[n-1] == ')' {
		text, negative = strings.TrimSpace(text[1:n-1]), true
	}
	signs := 0
	for text != "" {
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case r == '-' || r == '+':
			negative = negative != (r == '-')
			signs++
		case !unicode.Is(unicode.Sc, r) && r != ' ':
			n = 0
		}
		if n == 0 {
			break
		}
		text = text[n:]
	}
	for text != "" {
		r, n := utf8.DecodeLastRuneInString(text)
		if r != '%' && !unicode.Is(unicode.Sc, r) && r != ' ' {
			break
		}
		text = text[:len(text)-n]
	}
	for _, code := range currencies {
		text = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, code), code))
	}
	return text, negative, signs < 2
}

// currencies are codes that may precede or follow a number.
var currencies = []string{"EUR", "USD", "GBP", "CHF", "JPY"}

// oneBlank maps all kinds of blanks to one, and likewise all apostrophes and minus signs.
func oneBlank(r rune) rune {
	switch r {
	case '\u00a0', '\u2007', '\u2009', '\u202f':
		return ' '
	case '\u2019':
		return '\''
	case '\u2212':
		return '-'
	}
	return r
}

// chooseForm chooses among the notations that read all cells, and read them the same. If the cells
// or a hint determine the decimal mark, a notation that also allows marks between thousands in
// later rows is preferred.
func chooseForm(forms []string, hint byte) (form string, decimal byte) {
	form = forms[0]
	decimal, _ = marks(form)
	for _, f := range forms {
		if d, _ := marks(f); d != decimal {
			decimal = 0
		}
	}
	known := decimal
	if known == 0 {
		known = hint
	}
	for _, f := range forms {
		if d, thousands := marks(f); d == known && (thousands == '.' || thousands == ',') {
			return f, decimal
		}
	}
	return form, decimal
}

// DecimalPoint reports whether the decimal mark of a column of numbers is a point, so that plain
// texts such as 1234.5 keep their usual meaning.
func (c Column) DecimalPoint() bool {
	decimal, _ := marks(cmp.Or(c.Layout, plainForm))
	return decimal == '.'
}

// MissingWords lists the common words for a missing number, in lower case and sorted.
func MissingWords() []string { return slices.Sorted(maps.Keys(missingWords)) }

// MissingWord reports whether a text is a common word for a missing number.
func MissingWord(text string) bool { return missingWords[strings.ToLower(text)] }

var missingWords = func() map[string]bool {
	set := words("- -- --- . .. * none nil unknown missing undefined n.a. n.a #n/a #na #div/0! #value! #null! unbekannt fehlt k.a. k.a")
	set["not available"], set["keine angabe"] = true, true
	return set
}()

// Looks reports whether a text looks like a number in some notation.
func Looks(cell string) bool {
	for _, form := range numberForms {
		if _, ok := parseNumber(form, cell); ok {
			return true
		}
	}
	return false
}

func showNumber(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e9 {
		return strconv.FormatFloat(x+0, 'f', 0, 64) // turns −0 into 0
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}
