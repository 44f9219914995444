package challenge

import (
	"bytes"

	"fsa/internal/lines"
)

// Sniff reports whether the start of an input looks like a sparse or binary table of the challenge.
// A dense one need not be distinguished from other tables of numbers separated by blanks.
func Sniff(head []byte) bool { return sniffKind(head) != Dense }

// sniffKind detects the kind of a table from its first rows: pairs are sparse, rows of equally many
// words are dense, and others are binary if they are all ascending indices.
func sniffKind(head []byte) Kind {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	if end := bytes.LastIndexByte(head, '\n'); end >= 0 && len(head) >= 1<<16 {
		head = head[:end+1] // of a long input the last row may be truncated
	}
	count, same, ascending := 0, true, true
	for line := range bytes.Lines(head) {
		words := bytes.Fields(line)
		if len(words) == 0 {
			continue
		}
		if count == 0 {
			if isPair(words[0]) {
				return Sparse
			}
			count = len(words)
		}
		same = same && len(words) == count
		ascending = ascending && areIndices(words)
	}
	if !same && ascending {
		return Binary
	}
	return Dense
}

func isPair(word []byte) bool {
	_, colon := lines.Uint(word, 0)
	_, end := lines.Float(word, min(colon+1, len(word)))
	return colon > 0 && colon+1 < len(word) && word[colon] == ':' && end == len(word)
}

// areIndices reports whether words are ascending whole numbers from 1.
func areIndices(words [][]byte) bool {
	last := uint64(0)
	for _, word := range words {
		at, end := lines.Uint(word, 0)
		if end != len(word) || at <= last {
			return false
		}
		last = at
	}
	return true
}
