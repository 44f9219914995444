package lines

import "bytes"

// Missing reports whether text means a missing value.
func Missing(text []byte) bool {
	is := func(word string) bool { return bytes.EqualFold(text, []byte(word)) }
	switch len(text) {
	case 0:
		return true
	case 1:
		return text[0] == '?'
	case 2:
		return is("na")
	case 3:
		return is("nan") || is("n/a")
	case 4:
		return is("null") || is("-nan")
	}
	return false
}
