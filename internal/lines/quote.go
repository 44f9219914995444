package lines

import (
	"strconv"
	"unicode/utf8"
)

// Quote returns text in quotation marks for a message, shortened if it is long.
func Quote(text []byte) string {
	const most = 40
	if len(text) <= most {
		return strconv.Quote(string(text))
	}
	end := most
	for end > most-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return strconv.Quote(string(text[:end]) + "…")
}
