package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// output is standard output. It remembers the first error, for those who do not look,
// such as whatever prints the help.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// messages is standard error. Whoever read it may have gone, which is no reason to
// stop: its errors are nobody's. What files and strangers put into messages is made
// harmless.
type messages struct{ w io.Writer }

func (m *messages) Write(p []byte) (int, error) {
	io.WriteString(m.w, clean(string(p)))
	return len(p), nil
}

// How many characters of a message may stand together, and on a line. Paths are
// shorter, mostly; what is cut loses its middle.
const (
	longestWord = 300
	longestLine = 4000
)

// clean returns a text as it may be shown on a terminal: what would move the cursor or
// change colours or the direction of writing is spelled out, and words that are far
// too long are cut.
func clean(text string) string {
	ready := len(text) <= longestWord
	for i := 0; ready && i < len(text); i++ {
		ready = ' ' <= text[i] && text[i] < 0x7f || text[i] == '\n' || text[i] == '\t'
	}
	if ready {
		return text
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		body, feed := strings.CutSuffix(line, "\n")
		out.WriteString(cleanLine(body))
		if feed {
			out.WriteByte('\n')
		}
	}
	return out.String()
}

func cleanLine(line string) string {
	words := strings.Split(cutBytes(line, longestLine), " ")
	for i, w := range words {
		words[i] = cleanWord(w)
	}
	return shorten(strings.Join(words, " "), longestLine)
}

func cleanWord(word string) string {
	shown := func(r rune) bool { return r == '\t' || unicode.IsPrint(r) }
	if utf8.ValidString(word) && !strings.ContainsFunc(word, func(r rune) bool { return !shown(r) }) {
		return shorten(word, longestWord)
	}
	var out []byte
	for word = cutBytes(word, longestWord); len(word) > 0; {
		r, size := utf8.DecodeRuneInString(word)
		switch {
		case r == utf8.RuneError && size == 1:
			out = fmt.Appendf(out, `\x%02x`, word[0])
		case shown(r):
			out = append(out, word[:size]...)
		default:
			quoted := strconv.AppendQuoteRune(nil, r)
			out = append(out, quoted[1:len(quoted)-1]...)
		}
		word = word[size:]
	}
	return shorten(string(out), longestWord)
}

// cutBytes takes the middle out of a text of very many bytes, so that no more
// characters have to be looked at than are shown.
func cutBytes(text string, characters int) string {
	if n := 2 * characters; len(text) > 2*n {
		return text[:n] + "…" + text[len(text)-n:]
	}
	return text
}

// oneLine is clean for what stands inside of a line.
func oneLine(text string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(clean(text))
}
