package svmlight

import (
	"bytes"

	"fsa/internal/lines"
)

// Sniff reports whether the start of an input looks like SVMlight format: the first row that has
// more than a label begins with a number, then a query or an index with a value.
func Sniff(head []byte) bool {
	for line := range bytes.Lines(head) {
		line, _, _ = bytes.Cut(line, []byte("#"))
		words := bytes.Fields(line)
		if len(words) == 0 {
			continue
		}
		if _, end := lines.Float(words[0], 0); end != len(words[0]) {
			return false
		}
		if len(words) > 1 {
			return bytes.HasPrefix(words[1], []byte("qid:")) || isPair(words[1])
		}
	}
	return false
}

func isPair(word []byte) bool {
	_, colon := lines.Uint(word, 0)
	return colon > 0 && colon < len(word) && word[colon] == ':'
}
