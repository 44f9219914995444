package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fsa/internal/decimal"
)

// The largest number of characters of a message in one word, and on a line. Paths are usually
// shorter; a longer text is shortened in the middle.
const (
	longestWord = 300
	longestLine = 4000
)

const (
	shownVariables    = 30 // with --verbose
	shownCoefficients = 6
	shownLetters      = 30 // of a name
	shownOfLevels     = 12 // of a level
)

// clean makes a text safe for a terminal. It escapes characters that would move the cursor or
// change colours or the direction of writing, and shortens words that are too long.
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

// cutBytes removes the middle of a very long text, so that only as many characters are examined as
// are shown.
func cutBytes(text string, characters int) string {
	if n := 2 * characters; len(text) > 2*n {
		return text[:n] + "…" + text[len(text)-n:]
	}
	return text
}

// oneLine is clean for part of a line.
func oneLine(text string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(clean(text))
}

// readable prepares distinct texts for a table: it quotes texts that would break it, and shortens
// them to n characters unless that makes some of them equal.
func readable(texts []string, n int) []string {
	whole, short := make([]string, len(texts)), make([]string, len(texts))
	count := map[string]int{}
	for i, s := range texts {
		if whole[i] = s; !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
			whole[i] = strconv.Quote(s)
		}
		short[i] = shorten(whole[i], n)
		count[short[i]]++
	}
	for i, s := range short {
		if count[s] > 1 {
			short[i] = whole[i]
		}
	}
	return short
}

// shorten shortens a text to n columns. It removes the middle, because texts often differ at
// their ends.
func shorten(s string, n int) string {
	if len(s) <= n || breadth(s) <= n {
		return s
	}
	r := []rune(s)
	first, last := 0, len(r)
	for wide := breadthOf(r[0]); wide <= n/2; wide += breadthOf(r[first]) {
		first++
	}
	for wide := breadthOf(r[last-1]); wide <= (n-1)/2; wide += breadthOf(r[last-1]) {
		last--
	}
	return string(r[:first]) + "…" + string(r[last:])
}

// lineWidth is the number of characters of a line of output. A terminal has at least 80.
const lineWidth = 78

// wrapped prints a line, and continues on the next if it is long.
func wrapped(w io.Writer, text string) {
	fmt.Fprintln(w, strings.Join(wrap(clean(text), lineWidth, lineWidth-4), "\n    "))
}

// wrap divides a text at blanks into lines of at most first and then rest characters, unless a word is longer.
func wrap(text string, first, rest int) (lines []string) {
	line, width := "", first
	for _, word := range strings.Fields(text) {
		if line != "" && breadth(line)+1+breadth(word) > width {
			lines, line, width = append(lines, line), "", rest
		}
		line = strings.TrimLeft(line+" "+word, " ")
	}
	return append(lines, line)
}

// hanging prints rows of cells as a table, whose last column is continued below if it is long. The first row is the
// heading.
func hanging(w io.Writer, rows [][]string) error {
	var widths []int
	for _, row := range rows {
		widths = append(widths, make([]int, max(0, len(row)-len(widths)))...)
		for i, cell := range row {
			widths[i] = max(widths[i], breadth(cell))
		}
	}
	const between, least = 2, 20
	last, before := len(widths)-1, 0
	for _, n := range widths[:last] {
		before += n + between
	}
	room := max(least, lineWidth-before)
	tab := newTable(w)
	for _, row := range rows {
		for i, line := range wrap(row[last], room, room) {
			if i > 0 {
				row = make([]string, len(row))
			}
			fmt.Fprintf(tab, "%s\t%s\n", strings.Join(row[:last], "\t"), line)
		}
	}
	return tab.Flush()
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// exactly formats a number so that it can be read back exactly.
func exactly(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// numbers formats the first few of some numbers.
func numbers(v []float64) string {
	var parts []string
	for i, x := range v {
		if i == shownCoefficients {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, decimal.Digits(x, 4))
	}
	return strings.Join(parts, " ")
}

// bar draws a share as up to ten characters.
func bar(share float64) string { return barOf(share, 10) }

// barOf draws a share as up to n characters.
func barOf(share float64, n int) string {
	return strings.Repeat("▪", int(math.Round(float64(n)*min(max(share, 0), 1))))
}

// spark draws shares as a line of small bars.
func spark(shape []float64) string {
	if len(shape) == 0 {
		return ""
	}
	const marks = "▁▂▃▄▅▆▇█"
	most := slices.Max(shape)
	var b strings.Builder
	for _, v := range shape {
		level := 0
		if most > 0 {
			level = int(7*v/most + 0.5)
		}
		b.WriteRune([]rune(marks)[level])
	}
	return b.String()
}
