package plots

import (
	"slices"
	"strings"
	"unicode"
)

// The marks around a text whose direction does not change the order of the words beside it.
const isolate, isolated = '\u2068', '\u2069'

// Isolate marks a name that has letters of a script that is written from right to left. Such a name would otherwise change
// the order of the words and numbers beside it.
func Isolate(name string) string {
	if !strings.ContainsFunc(name, leftward) {
		return name
	}
	return string(isolate) + name + string(isolated)
}

// Bare removes the marks of [Isolate].
func Bare(text string) string {
	return strings.Map(func(r rune) rune {
		if r == isolate || r == isolated {
			return -1
		}
		return r
	}, text)
}

// leftward reports whether a letter belongs to a script that is written from right to left: Hebrew, Arabic and others, by the
// blocks that Unicode reserves for them.
func leftward(r rune) bool {
	return r >= 0x590 && r < 0x900 || r >= 0xfb1d && r < 0xfe00 || r >= 0xfe70 && r < 0xff00 || r >= 0x10800 && r < 0x11000 || r >= 0x1e800 && r < 0x1f000
}

// visual returns the letters of a text in the order in which they are drawn from left to right. It reverses each part that is
// written from right to left, except for the numbers in it.
func visual(text string) string {
	if !strings.ContainsFunc(text, leftward) {
		return Bare(text)
	}
	r := []rune(text)
	for i := 0; i < len(r); i++ {
		if !leftward(r[i]) {
			continue
		}
		last := i
		for j := i; j < len(r) && r[j] != isolate && r[j] != isolated && (leftward(r[j]) || !unicode.IsLetter(r[j])); j++ {
			if leftward(r[j]) {
				last = j
			}
		}
		turn(r[i : last+1])
		i = last
	}
	return Bare(string(r))
}

// turn reverses letters and brackets, but not the digits of numbers.
func turn(r []rune) {
	slices.Reverse(r)
	const brackets, mirrored = "()[]{}<>", ")(][}{><"
	for i := 0; i < len(r); i++ {
		if at := strings.IndexRune(brackets, r[i]); at >= 0 {
			r[i] = rune(mirrored[at])
		}
		first := i
		for i < len(r) && unicode.IsDigit(r[i]) {
			i++
		}
		slices.Reverse(r[first:i])
		if i > first {
			i--
		}
	}
}
