// Package lines reads large text inputs fast: it cuts them into chunks of whole lines, parses the
// chunks on all cores, and returns the results in the order of the input, with a limited number of
// chunks in memory. Readers of text formats only define what to do with a chunk. The number parsers
// that they share are here, too.
package lines

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"fsa/data"
)

const (
	// chunkSize is large enough that starting a goroutine costs little compared with parsing a
	// chunk, and small enough to stay in a cache.
	chunkSize = 1 << 20
	// keepSize is the largest buffer that is reused: one long line must not keep its memory until
	// the end.
	keepSize = 16 * chunkSize
	// longest is the longest line, a limit for inputs without line feeds: some bytes of a compressed
	// file may unpack to gigabytes.
	longest = 1<<26 - 1
)

// Source cuts an input into chunks of whole lines. The cuts depend on the input alone. It reads
// only when it is asked, on the caller's goroutine.
type Source struct {
	// End returns the length of the longest prefix of text that consists of whole records, 0 if not
	// even one is complete. Text starts with a record. NewSource sets it to whole lines; a format
	// whose records can contain line feeds sets its own rule before it asks for a chunk.
	End func(text []byte) int

	r    io.Reader
	name string
	max  int
	buf  []byte // read and not yet returned
	line int    // number of the line with which buf starts
	err  error  // reason why no more can be read, io.EOF at the end
	free [][]byte
}

// NewSource returns a source that reads r. The name is for messages.
func NewSource(r io.Reader, name string) *Source {
	whole := func(text []byte) int { return bytes.LastIndexByte(text, '\n') + 1 }
	return &Source{End: whole, r: r, name: name, max: longest, line: 1}
}

// Peek returns the lines with which the next chunk would start, at least the requested number if
// there are as many, without consuming them. Like a chunk, they all end in a line feed. At the end
// of the input it returns io.EOF.
func (s *Source) Peek(wanted int) ([]byte, error) {
	for size := chunkSize; ; size *= 2 {
		n, err := s.fill(size)
		if err != nil {
			return nil, err
		}
		if s.err != nil || size >= s.max || bytes.Count(s.buf[:n], []byte("\n")) >= wanted {
			return s.buf[:n], nil
		}
	}
}

// Line returns the number of the next line, counted from 1.
func (s *Source) Line() int { return s.line }

// Discard drops the first n bytes that Peek returned.
func (s *Source) Discard(n int) {
	s.line += bytes.Count(s.buf[:n], []byte("\n"))
	s.buf = s.buf[:copy(s.buf, s.buf[n:])]
}

// next returns the next chunk and the number of its first line, or io.EOF
// after the last. Every line of it ends in a line feed, the last one of the
// input too. The chunk is the caller's until it is recycled.
func (s *Source) next() (chunk []byte, line int, err error) {
	n, err := s.fill(chunkSize)
	if err != nil {
		return nil, 0, err
	}
	chunk, line = s.buf[:n], s.line
	rest := s.buf[n:]
	s.line += bytes.Count(chunk, []byte("\n"))
	s.buf = nil
	if k := len(s.free); k > 0 {
		s.buf, s.free = s.free[k-1][:0], s.free[:k-1]
	}
	s.buf = append(s.buf, rest...)
	return chunk, line, nil
}

// recycle takes back a chunk that is no longer needed.
func (s *Source) recycle(chunk []byte) {
	if cap(chunk) <= keepSize {
		s.free = append(s.free, chunk)
	}
}

// fill reads until buf holds size bytes and a whole record, or the input ends,
// and returns the length of the whole records.
func (s *Source) fill(size int) (int, error) {
	for ; ; size *= 2 {
		size = min(size, s.max)
		s.read(size)
		if n := s.End(s.buf); n > 0 {
			return n, nil
		}
		if s.err == io.EOF && len(s.buf) > 0 {
			return len(s.buf), nil // an incomplete record: the parser reports what it lacks
		}
		if s.err != nil {
			return 0, s.err
		}
		if size == s.max {
			s.err = &data.Error{File: s.name, Line: s.line,
				Msg: fmt.Sprintf("the line is longer than %d bytes, the most that is read (is a quotation mark left open?)", s.max)}
			return 0, s.err
		}
	}
}

// read reads until buf holds size bytes or the input ends.
func (s *Source) read(size int) {
	if s.err != nil || len(s.buf) >= size {
		return
	}
	start := s.line == 1 && len(s.buf) == 0
	s.buf = slices.Grow(s.buf, size+1-len(s.buf)) // room for a last line feed
	for idle := 0; s.err == nil && len(s.buf) < size; idle++ {
		n, err := s.r.Read(s.buf[len(s.buf):size])
		s.buf = s.buf[:len(s.buf)+n]
		switch {
		case err != nil:
			s.err = err
		case n > 0:
			idle = 0
		case idle == 100:
			s.err = io.ErrNoProgress
		}
	}
	switch n := len(s.buf); {
	case s.err == io.EOF && n > 0 && s.buf[n-1] != '\n':
		s.buf = append(s.buf, '\n')
	case s.err != nil && s.err != io.EOF && !errors.Is(s.err, data.ErrBadData): // callers that blame the input name it, too
		s.err = fmt.Errorf("%s: line %d: %w", s.name, s.line+bytes.Count(s.buf, []byte("\n")), s.err)
	}
	if start {
		s.dropMark()
	}
}

// dropMark drops the byte order mark of a UTF-8 input. A UTF-16 input, recognised by its mark, is
// refused, and so is one of zero bytes.
func (s *Source) dropMark() {
	switch {
	case bytes.HasPrefix(s.buf, []byte("\xef\xbb\xbf")):
		s.buf = s.buf[:copy(s.buf, s.buf[3:])]
	case bytes.HasPrefix(s.buf, []byte("\xff\xfe")), bytes.HasPrefix(s.buf, []byte("\xfe\xff")):
		s.buf = s.buf[:0]
		s.err = &data.Error{File: s.name, Msg: "the text is UTF-16; save it as UTF-8"}
	case bytes.HasPrefix(s.buf, []byte{0, 0}):
		s.buf = s.buf[:0]
		s.err = &data.Error{File: s.name, Msg: "this is no text: it begins with zero bytes"}
	}
}
