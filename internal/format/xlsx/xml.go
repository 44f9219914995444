package xlsx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"unicode/utf8"
)

// mostToken is the maximal length of a tag or text in bytes. A cell has at most 32,767 characters.
const mostToken = 1 << 22

// event is what the scanner found.
type event uint8

const (
	opened event = iota // a start tag
	closed              // an end tag, or the end of an empty element
	chars               // text
)

// scanner splits XML into tags and texts. It ignores namespaces and knows only the five entities of
// XML. Document types are refused, so nothing is expanded or fetched.
type scanner struct {
	r       io.Reader
	buf     []byte // buf[at:end] was read
	at, end int
	empty   bool // the last start tag was an empty element

	// name is the name of a tag without its prefix, attributes the rest of a start tag, and text
	// the characters of a text. They are valid until the next call.
	name, attributes, text []byte
	spare                  []byte
}

func newScanner(r io.Reader) *scanner { return &scanner{r: r, buf: make([]byte, 1<<16)} }

var errXML = errors.New("the XML is damaged")

// next returns the next event, or io.EOF.
func (s *scanner) next() (event, error) {
	if s.empty {
		s.empty = false
		return closed, nil
	}
	for {
		if s.at == s.end {
			if err := s.more(); err != nil {
				return 0, err
			}
		}
		if s.buf[s.at] != '<' {
			n, err := s.find("<", 0)
			if err == io.EOF {
				n, err = s.end-s.at, nil
			}
			if err != nil {
				return 0, err
			}
			text := s.buf[s.at : s.at+n]
			s.at += n
			s.text, err = s.unescape(text)
			return chars, err
		}
		switch {
		case s.starts("<!--"):
			if err := s.pass("-->"); err != nil {
				return 0, err
			}
		case s.starts("<?"):
			if err := s.pass("?>"); err != nil {
				return 0, err
			}
		case s.starts("<![CDATA["):
			n, err := s.find("]]>", 0)
			if err != nil {
				return 0, torn(err)
			}
			s.text = s.buf[s.at+len("<![CDATA[") : s.at+n]
			s.at += n + len("]]>")
			return chars, nil
		case s.starts("<!"):
			return 0, fmt.Errorf("%w: it declares a document type, which no workbook has", errXML)
		default:
			return s.tag()
		}
	}
}

// tag reads the tag at the current position.
func (s *scanner) tag() (event, error) {
	n, quote := 1, byte(0)
	for {
		at, err := s.find(">", n)
		if err != nil {
			return 0, torn(err)
		}
		for _, c := range s.buf[s.at+n : s.at+at] {
			switch {
			case quote == 0 && (c == '"' || c == '\''):
				quote = c
			case c == quote:
				quote = 0
			}
		}
		if n = at + 1; quote == 0 {
			inside := s.buf[s.at+1 : s.at+at]
			s.at += n
			return s.cut(inside)
		}
	}
}

// cut splits the inside of a tag.
func (s *scanner) cut(inside []byte) (event, error) {
	e := opened
	if rest, end := bytes.CutPrefix(inside, []byte("/")); end {
		e, inside = closed, rest
	} else if rest, empty := bytes.CutSuffix(inside, []byte("/")); empty {
		s.empty, inside = true, rest
	}
	n := 0
	for n < len(inside) && inside[n] > ' ' {
		n++
	}
	s.name, s.attributes = inside[:n], inside[n:]
	if i := bytes.IndexByte(s.name, ':'); i >= 0 {
		s.name = s.name[i+1:]
	}
	if len(s.name) == 0 {
		return 0, errXML
	}
	return e, nil
}

// each ranges over the attributes of a start tag, without their prefixes. The values may have
// entities.
func (s *scanner) each() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		rest := s.attributes
		for {
			rest = bytes.TrimLeft(rest, " \t\r\n")
			i := bytes.IndexByte(rest, '=')
			if i < 0 || i+1 == len(rest) {
				return
			}
			name := bytes.TrimRight(rest[:i], " \t\r\n")
			if j := bytes.IndexByte(name, ':'); j >= 0 {
				name = name[j+1:]
			}
			rest = bytes.TrimLeft(rest[i+1:], " \t\r\n")
			if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
				return
			}
			end := bytes.IndexByte(rest[1:], rest[0])
			if end < 0 || !yield(string(name), rest[1:end+1]) {
				return
			}
			rest = rest[end+2:]
		}
	}
}

// attribute returns the value of an attribute, empty if it is missing.
func (s *scanner) attribute(name string) (string, error) {
	for n, v := range s.each() {
		if n == name {
			text, err := s.unescape(v)
			return string(text), err
		}
	}
	return "", nil
}

// is reports whether the current tag has the given name.
func (s *scanner) is(name string) bool { return string(s.name) == name }

// starts reports whether the text at the current position starts with the given bytes.
func (s *scanner) starts(with string) bool {
	for s.end-s.at < len(with) {
		if s.more() != nil {
			break
		}
	}
	return bytes.HasPrefix(s.buf[s.at:s.end], []byte(with))
}

// pass moves behind the next occurrence of a mark.
func (s *scanner) pass(mark string) error {
	n, err := s.find(mark, 0)
	s.at += n + len(mark)
	return torn(err)
}

// find returns the offset of the next occurrence of a mark, at or after from; both are relative to
// the current position.
func (s *scanner) find(mark string, from int) (int, error) {
	for {
		if i := bytes.Index(s.buf[s.at+from:s.end], []byte(mark)); i >= 0 {
			return from + i, nil
		}
		from = max(from, s.end-s.at-len(mark)+1)
		if err := s.more(); err != nil {
			return 0, err
		}
	}
}

// more reads more bytes into the buffer.
func (s *scanner) more() error {
	if s.at > 0 {
		s.end = copy(s.buf, s.buf[s.at:s.end])
		s.at = 0
	}
	if s.end == len(s.buf) {
		if s.end >= mostToken {
			return fmt.Errorf("a cell is longer than the limit of %d bytes", mostToken)
		}
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	for range 100 {
		n, err := s.r.Read(s.buf[s.end:])
		if s.end += n; n > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

// torn returns an error for an unexpected end of the file.
func torn(err error) error {
	if err == io.EOF {
		return fmt.Errorf("%w: it ends too early", errXML)
	}
	return err
}

// unescape replaces the entities of a text.
func (s *scanner) unescape(text []byte) ([]byte, error) {
	i := bytes.IndexByte(text, '&')
	if i < 0 {
		return text, nil
	}
	s.spare = s.spare[:0]
	for i >= 0 {
		s.spare = append(s.spare, text[:i]...)
		name, rest, ok := bytes.Cut(text[i+1:], []byte(";"))
		r, known := entity(name)
		if !ok || !known {
			return nil, fmt.Errorf("%w: &%.12s is not an entity of XML", errXML, name)
		}
		s.spare = utf8.AppendRune(s.spare, r)
		text = rest
		i = bytes.IndexByte(text, '&')
	}
	s.spare = append(s.spare, text...)
	return s.spare, nil
}

// entity returns the character of an entity.
func entity(name []byte) (rune, bool) {
	if number, ok := bytes.CutPrefix(name, []byte("#")); ok {
		base := 10
		if h, ok := bytes.CutPrefix(number, []byte("x")); ok {
			number, base = h, 16
		}
		v, err := strconv.ParseUint(string(number), base, 32)
		return rune(v), err == nil && v <= utf8.MaxRune
	}
	r, ok := map[string]rune{"amp": '&', "lt": '<', "gt": '>', "quot": '"', "apos": '\''}[string(name)]
	return r, ok
}
