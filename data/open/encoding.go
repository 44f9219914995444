package open

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"fsa/data"
)

// Text encodings other than UTF-8 are detected at the start of a file, and the text is converted
// while it is read. A file in UTF-8 is checked but not converted.

// encoding is a text encoding.
type encoding struct {
	name, meaning string
	decode        func(r *bufio.Reader, file string) io.Reader // nil for UTF-8
}

var encodings = []encoding{
	{"utf-8", "UTF-8", nil},
	{"cp1252", "Windows-1252 (Western Europe)", func(r *bufio.Reader, _ string) io.Reader { return &singleBytes{r: r, high: cp1252} }},
	{"latin-1", "ISO 8859-1 (Western Europe)", func(r *bufio.Reader, _ string) io.Reader { return &singleBytes{r: r, high: latin1()} }},
	{"utf-16", "UTF-16", func(r *bufio.Reader, file string) io.Reader { return wide(r, file, nil) }},
	{"utf-16le", "UTF-16", func(r *bufio.Reader, file string) io.Reader { return wide(r, file, binary.LittleEndian) }},
	{"utf-16be", "UTF-16", func(r *bufio.Reader, file string) io.Reader { return wide(r, file, binary.BigEndian) }},
}

// Encodings returns the names of the encodings that can be read.
func Encodings() []string {
	var names []string
	for _, e := range encodings {
		names = append(names, e.name)
	}
	return names
}

// encodingOf returns the encoding with the given name.
func encodingOf(name string) (*encoding, error) {
	i := slices.IndexFunc(encodings, func(e encoding) bool { return strings.EqualFold(e.name, name) })
	if i < 0 {
		return nil, usageError(fmt.Sprintf("unknown encoding %q: it must be one of %s", name, strings.Join(Encodings(), ", ")))
	}
	return &encodings[i], nil
}

// transcode converts the input to UTF-8 if it is a text in another encoding: the given encoding, or
// UTF-16 if it is detected.
func (in *input) transcode(o *Options) error {
	head, err := in.head()
	if err != nil {
		return err
	}
	if o.Encoding == "" {
		return in.decode(wideName(head), o)
	}
	if _, err := encodingOf(o.Encoding); err != nil {
		return err
	}
	if isBinary(head) && !strings.HasPrefix(strings.ToLower(o.Encoding), "utf-16") {
		return &data.Error{File: in.path, Msg: fmt.Sprintf("an encoding is for texts, and this is a binary file: leave out --encoding %s", o.Encoding)}
	}
	return in.decode(o.Encoding, o)
}

// transcodeTable converts a text table to UTF-8 if it is clearly in another encoding.
func (in *input) transcodeTable(o *Options) error {
	head, err := in.head()
	if err != nil || o.Encoding != "" || isBinary(head) {
		return err
	}
	text := whole(head)
	if utf8.Valid(text) && in.plain && in.file != nil {
		text = in.invalid()
	}
	if invalid, valid := marks(text); invalid > valid {
		return in.decode("cp1252", o)
	}
	return nil
}

// decode converts the input from the named encoding to UTF-8. An empty name changes nothing.
func (in *input) decode(name string, o *Options) error {
	if name == "" {
		return nil
	}
	e, err := encodingOf(name)
	if err != nil || e.decode == nil {
		return err
	}
	if o.Encoding == "" && o.Note != nil {
		o.Note("%s is not UTF-8 and was read as %s, %s; if its texts look wrong, give --encoding with one of %s", in.path, e.name, e.meaning, strings.Join(Encodings(), ", "))
	}
	in.plain, in.stream = false, bufio.NewReaderSize(e.decode(in.stream, in.path), headBytes)
	again := in.again
	in.again = func() (*input, error) {
		second, err := again()
		if err == nil {
			err = second.decode(name, &Options{Encoding: name})
		}
		return second, err
	}
	return nil
}

// marks counts the bytes of a text that are not UTF-8, and its characters beyond ASCII.
func marks(text []byte) (invalid, valid int) {
	if utf8.Valid(text) {
		return 0, 0
	}
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			invalid++
		case size > 1:
			valid++
		}
		text = text[size:]
	}
	return invalid, valid
}

// looked is the number of bytes of a file that are checked for valid UTF-8.
const looked = 64 << 20

// invalid returns the first part of a file that is not UTF-8, or nil if the bytes that it checks
// are valid.
func (in *input) invalid() []byte {
	if _, ok := in.regular(); !ok {
		return nil
	}
	b := make([]byte, 1<<20)
	for at := int64(0); at < looked; {
		n, err := bare{in.file}.ReadAt(b, at)
		text := whole(b[:n])
		if !utf8.Valid(text) {
			return text
		}
		if err != nil || len(text) == 0 {
			return nil
		}
		at += int64(len(text))
	}
	return nil
}

// whole returns a text without an incomplete character at its end.
func whole(text []byte) []byte {
	for back := 1; back <= min(utf8.UTFMax, len(text)); back++ {
		if c := text[len(text)-back]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(text[len(text)-back:]) {
				return text[:len(text)-back]
			}
			break
		}
	}
	return text
}

// isBinary reports whether a file has bytes that do not occur in texts.
func isBinary(head []byte) bool {
	return slices.ContainsFunc(head, func(c byte) bool { return c < ' ' && (c < '\t' || c > '\r') || c == 0x7f })
}

// wideName returns the name of the UTF-16 encoding of a text, or "". A text is UTF-16 if it begins
// with a byte order mark, or if half of its bytes are zero, as in Western languages.
func wideName(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return "utf-16"
	}
	head = head[:min(len(head), 1<<10)&^1]
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	half := len(head) / 2
	evident := func(zero, other int) bool { return half >= 4 && zeros[zero] >= half*3/4 && zeros[other] == 0 }
	text := func(at int) bool { // text reports whether the other bytes are printable
		for i := at; i < len(head); i += 2 {
			if c := head[i]; c < ' ' && (c < '\t' || c > '\r') {
				return false
			}
		}
		return true
	}
	switch {
	case evident(1, 0) && text(0):
		return "utf-16le"
	case evident(0, 1) && text(1):
		return "utf-16be"
	}
	return ""
}

// singleBytes decodes a text with one byte per character whose lower half is ASCII.
type singleBytes struct {
	r    *bufio.Reader
	high [128]rune
	out  []byte // decoded but not yet delivered
	room []byte
}

// Read implements [io.Reader].
func (s *singleBytes) Read(p []byte) (int, error) {
	if len(s.out) == 0 {
		if s.room == nil {
			s.room = make([]byte, 0, 3*headBytes)
		}
		b, err := s.r.Peek(1)
		if len(b) == 0 {
			return 0, err
		}
		b, _ = s.r.Peek(min(s.r.Buffered(), headBytes))
		s.out = s.room[:0]
		for _, c := range b {
			if c < utf8.RuneSelf {
				s.out = append(s.out, c)
			} else {
				s.out = utf8.AppendRune(s.out, s.high[c-utf8.RuneSelf])
			}
		}
		s.r.Discard(len(b))
	}
	n := copy(p, s.out)
	s.out = s.out[n:]
	return n, nil
}

// cp1252 is the upper half of Windows-1252. Its five undefined bytes are decoded as in Latin-1, as
// browsers do.
var cp1252 = func() [128]rune {
	high := latin1()
	copy(high[:], []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"))
	return high
}()

// latin1 returns the upper half of ISO 8859-1.
func latin1() (high [128]rune) {
	for i := range high {
		high[i] = rune(utf8.RuneSelf + i)
	}
	return high
}

// doubleBytes decodes UTF-16.
type doubleBytes struct {
	r     *bufio.Reader
	file  string
	order binary.ByteOrder
	out   []byte
	room  [4 << 10]byte
}

// wide returns a decoder of UTF-16. If no byte order is given, it is that of the byte order mark,
// or little-endian without a mark.
func wide(r *bufio.Reader, file string, order binary.ByteOrder) io.Reader {
	mark, _ := r.Peek(2)
	big := bytes.Equal(mark, []byte("\xfe\xff"))
	if big || bytes.Equal(mark, []byte("\xff\xfe")) {
		r.Discard(2)
	}
	if order == nil {
		order = binary.LittleEndian
		if big {
			order = binary.BigEndian
		}
	}
	return &doubleBytes{r: r, file: file, order: order}
}

// Read implements [io.Reader].
func (d *doubleBytes) Read(p []byte) (int, error) {
	if len(d.out) == 0 {
		d.out = d.room[:0]
		for len(d.out)+utf8.UTFMax <= len(d.room) {
			b, err := d.r.Peek(2)
			if len(b) < 2 {
				if len(d.out) > 0 {
					break
				}
				if len(b) == 1 && err == io.EOF {
					err = &data.Error{File: d.file, Msg: "the UTF-16 text ends within a character"}
				}
				return 0, err
			}
			c := rune(d.order.Uint16(b))
			d.r.Discard(2)
			if utf16.IsSurrogate(c) {
				if b, _ = d.r.Peek(2); len(b) == 2 {
					if pair := utf16.DecodeRune(c, rune(d.order.Uint16(b))); pair != utf8.RuneError {
						c = pair
						d.r.Discard(2)
					}
				}
			}
			d.out = utf8.AppendRune(d.out, c)
		}
	}
	n := copy(p, d.out)
	d.out = d.out[n:]
	return n, nil
}
