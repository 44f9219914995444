package json

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"fsa/internal/lines"
)

// blanks returns the position after the blanks at i.
func blanks(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// literal says which bytes occur in numbers and words.
var literal = func() (is [256]bool) {
	for _, c := range "+-." {
		is[c] = true
	}
	for c := range 26 {
		is['a'+c], is['A'+c] = true, true
	}
	for c := range 10 {
		is['0'+c] = true
	}
	return is
}()

// The classes of bytes in a text.
const (
	ordinary = iota
	special  // it needs quotation marks in CSV
	escape   // a backslash
	mark     // the closing quotation mark
	control  // not allowed
)

var class = func() (of [256]uint8) {
	for c := range ' ' {
		of[c] = control
	}
	of[','], of['\\'], of['"'] = special, escape, mark
	return of
}()

// text reads the text whose inside starts at i. It returns it with the position after its closing
// mark.
func (t *tokens) text(b []byte, i int) (text []byte, next int, h how, err error) {
	h = plain
	for next = i; next < len(b); next++ {
		switch class[b[next]] {
		case special:
			h = quoted
		case mark:
			return b[i:next], next + 1, h, nil
		case control:
			return nil, 0, h, t.wrong(next, fmt.Sprintf("a text has the control character %q, which JSON writes as \\u%04x: is a quotation mark missing?", b[next], b[next]))
		case escape:
			text, next, err = t.escaped(b, i, next)
			return text, next, quoted, err
		}
	}
	return nil, 0, h, t.short(next)
}

// escaped reads the text whose inside starts at i and whose first escape is at first.
func (t *tokens) escaped(b []byte, i, first int) (text []byte, next int, err error) {
	start := len(t.spare)
	t.spare = append(t.spare, b[i:first]...)
	for next = first; next < len(b); {
		c := b[next]
		switch class[c] {
		case mark:
			return t.spare[start:len(t.spare):len(t.spare)], next + 1, nil
		case control:
			return nil, 0, t.wrong(next, fmt.Sprintf("a text has the control character %q, which JSON writes as \\u%04x: is a quotation mark missing?", c, c))
		case escape:
			if next+1 == len(b) {
				return nil, 0, t.short(next)
			}
			if next, err = t.unescape(b, next+1); err != nil {
				return nil, 0, err
			}
		default:
			t.spare = append(t.spare, c)
			next++
		}
	}
	return nil, 0, t.short(next)
}

// unescape appends the character whose escape has the letter at i.
func (t *tokens) unescape(b []byte, i int) (next int, err error) {
	const letters, meant = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if at := bytes.IndexByte([]byte(letters), b[i]); at >= 0 {
		t.spare = append(t.spare, meant[at])
		return i + 1, nil
	}
	if b[i] != 'u' {
		return 0, t.wrong(i, fmt.Sprintf("\\%c is not an escape of JSON", b[i]))
	}
	if i+5 > len(b) {
		return 0, t.short(i)
	}
	r, ok := hex(b[i+1 : i+5])
	if !ok {
		return 0, t.wrong(i, fmt.Sprintf("%s is not four hexadecimal digits", lines.Quote(b[i+1:i+5])))
	}
	i += 5
	if utf16.IsSurrogate(r) {
		if i+6 > len(b) && !t.eof {
			return 0, errShort
		}
		pair := rune(utf8.RuneError)
		if i+6 <= len(b) && b[i] == '\\' && b[i+1] == 'u' {
			if low, ok := hex(b[i+2 : i+6]); ok {
				pair = utf16.DecodeRune(r, low)
			}
		}
		if r = pair; r != utf8.RuneError {
			i += 6
		}
	}
	t.spare = utf8.AppendRune(t.spare, r)
	return i, nil
}

// hex returns the number of four hexadecimal digits.
func hex(b []byte) (rune, bool) {
	var v [2]byte
	for i, c := range b {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		v[i/2] = v[i/2]<<4 | c
	}
	return rune(binary.BigEndian.Uint16(v[:])), true
}

// isNumber reports whether a text is a number of JSON: digits with a minus, a fraction, an exponent.
func isNumber(b []byte) bool {
	b = bytes.TrimPrefix(b, []byte("-"))
	b, ok := digits(b)
	if ok && len(b) > 0 && b[0] == '.' {
		b, ok = digits(b[1:])
	}
	if ok && len(b) > 0 && b[0]|0x20 == 'e' {
		if b = b[1:]; len(b) > 0 && (b[0] == '+' || b[0] == '-') {
			b = b[1:]
		}
		b, ok = digits(b)
	}
	return ok && len(b) == 0
}

// digits cuts off the digits at the start; ok is false if there are none.
func digits(b []byte) (rest []byte, ok bool) {
	i := 0
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	return b[i:], i > 0
}

// skip returns the position after the list or object at i.
func (t *tokens) skip(b []byte, i int) (next int, err error) {
	var open []byte
	for next = i; next < len(b); {
		switch c := b[next]; c {
		case '"':
			spare := len(t.spare)
			if _, next, _, err = t.text(b, next+1); err != nil {
				return 0, err
			}
			t.spare = t.spare[:spare]
			continue
		case '[', '{':
			if open = append(open, c+2); len(open) > deepest {
				return 0, t.wrong(next, fmt.Sprintf("lists and objects are nested more than %d deep", deepest))
			}
		case ']', '}':
			if open[len(open)-1] != c {
				return 0, t.wrong(next, fmt.Sprintf("%q is expected before %q", open[len(open)-1], c))
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				return next + 1, nil
			}
		}
		next++
	}
	return 0, t.short(next)
}
