package xlsx

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// texts are the texts that the cells of all sheets share.
type texts struct {
	all  []byte
	ends []int
}

// TooLarge is the error if shared texts take more memory than [Options] allow.
type TooLarge struct{ Need int64 }

func (e *TooLarge) Error() string {
	return fmt.Sprintf("the texts of the workbook take more than %d bytes", e.Need)
}

// perText is the memory of a text besides its letters.
const perText = 8

// texts reads the shared texts.
func (b *book) texts(memory int64) (*texts, error) {
	t := &texts{}
	part, ok := b.main["sharedStrings"]
	if !ok {
		return t, nil
	}
	var in rich
	var large error
	err := b.scan(part, func(s *scanner, e event) error {
		switch {
		case e == opened && s.is("si"):
			in = rich{text: t.all}
		case e == closed && s.is("si"):
			t.all = unescaped(in.text, len(t.all))
			t.ends = append(t.ends, len(t.all))
			if need := int64(len(t.all)) + perText*int64(len(t.ends)); memory > 0 && need > memory {
				large = &TooLarge{need}
				return large
			}
		default:
			in.add(s, e)
		}
		return nil
	})
	if large != nil {
		return nil, large
	}
	return t, err
}

// text returns the shared text with the given number.
func (t *texts) text(number []byte) ([]byte, bool) {
	i, err := strconv.Atoi(string(bytes.TrimSpace(number)))
	if err != nil || i < 0 || i >= len(t.ends) {
		return nil, false
	}
	start := 0
	if i > 0 {
		start = t.ends[i-1]
	}
	return t.all[start:t.ends[i]], true
}

// rich collects a text that may have several parts, each with its own font.
type rich struct {
	text     []byte
	in       bool // the text of a part
	phonetic bool // how to pronounce the text, which is not part of it
}

// add takes an event inside of the text.
func (r *rich) add(s *scanner, e event) {
	switch {
	case e == chars:
		if r.in && !r.phonetic {
			r.text = append(r.text, s.text...)
		}
	case s.is("t"):
		r.in = e == opened
	case s.is("rPh"):
		r.phonetic = e == opened
	}
}

// unescaped replaces characters that XML cannot hold, such as _x000D_ for a carriage return, from a
// position on.
func unescaped(text []byte, from int) []byte {
	const length = len("_x000D_")
	if !bytes.Contains(text[from:], []byte("_x")) {
		return text
	}
	out := text[:from]
	for i := from; i < len(text); {
		if i+length <= len(text) && text[i] == '_' && text[i+1] == 'x' && text[i+length-1] == '_' {
			if v, err := strconv.ParseUint(string(text[i+2:i+length-1]), 16, 16); err == nil {
				out = utf8.AppendRune(out, rune(v))
				i += length
				continue
			}
		}
		out = append(out, text[i])
		i++
	}
	return out
}
