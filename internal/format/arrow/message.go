package arrow

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"fsa/data"
	"fsa/internal/format/columnar"
)

// message is a header and the position of its body.
type message struct {
	kind       int   // of the header
	header     table // zero until it is read again
	at, body   int64 // start of the message and its body
	size       int64 // of the body
	rows       int64 // of a batch of records
	dictionary int64 // number of a dictionary
}

// The kinds of messages.
const (
	messageSchema = 1 + iota
	messageDictionary
	messageRecords
)

const (
	blockBytes  = 24 // of the position of a message, in a footer
	fileTail    = 4 + len(magic)
	fileHead    = 8       // the magic bytes, padded
	largestHead = 1 << 28 // bytes of a header: five million columns
	mostRows    = 1 << 48 // of a batch: more than any disk holds
)

// source is what messages are read from.
type source struct {
	io.ReaderAt
	size int64
}

// bytes reads n bytes.
func (s *source) bytes(at, n int64) ([]byte, error) {
	if at < 0 || n < 0 || at > s.size-n {
		return nil, errDamaged
	}
	b := make([]byte, n)
	return b, columnar.ReadAt(s, b, at)
}

// message reads the message at a position. In a stream it may be the end, which is not a message.
func (s *source) message(at int64) (m *message, err error) {
	head, err := s.bytes(at, min(8, s.size-at))
	if err != nil {
		return nil, err
	}
	begin := at
	if bytes.HasPrefix(head, []byte(continuation)) {
		head, begin = head[4:], at+4
	}
	if len(head) < 4 {
		return nil, nil
	}
	n := int64(int32(binary.LittleEndian.Uint32(head)))
	if n == 0 {
		return nil, nil
	}
	if n > largestHead {
		return nil, errDamaged
	}
	buf, err := s.bytes(begin+4, n)
	if err != nil {
		return nil, err
	}
	t := root(buf)
	m = &message{kind: t.byte(1), header: t.table(2), at: at, body: begin + 4 + n, size: t.long(3)}
	switch m.kind {
	case messageRecords:
		m.rows = m.header.long(0)
	case messageDictionary:
		m.dictionary = m.header.long(0)
	}
	if t.damaged || m.header.flat == nil || m.size < 0 || m.body > s.size-m.size || m.rows < 0 || m.rows > mostRows {
		return nil, errDamaged
	}
	return m, nil
}

// messages lists the dictionaries and batches of a file or stream in the order in which they must
// be read, and returns the schema. The headers are read again when they are needed: those of a wide
// table are large.
func (s *source) messages(file string) (schema table, all []message, err error) {
	bad := func(err error, format string, args ...any) error {
		if errors.As(err, new(columnar.IOError)) {
			return fmt.Errorf("arrow: %s: %w", file, err)
		}
		return &data.Error{File: file, Msg: fmt.Sprintf(format, args...), Err: err}
	}
	head, err := s.bytes(0, min(fileHead, s.size))
	if err != nil {
		return table{}, nil, bad(err, "its beginning cannot be read")
	}
	if bytes.HasPrefix(head, []byte(magic)) {
		footer, err := s.footer()
		if err != nil {
			return table{}, nil, bad(err, "its footer cannot be read")
		}
		schema = footer.table(1)
		for _, field := range []int{2, 3} {
			blocks := footer.list(field, blockBytes)
			for i := range blocks.n {
				m, err := s.message(blocks.int64(blocks.pos + blockBytes*i))
				if err == nil && (m == nil || m.kind != field) {
					err = errDamaged
				}
				if err != nil {
					return table{}, nil, bad(err, "its part %d cannot be read", len(all)+1)
				}
				m.header = table{}
				all = append(all, *m)
			}
		}
		if schema.flat == nil || footer.damaged {
			return table{}, nil, bad(errDamaged, "its footer cannot be read")
		}
		return schema, all, nil
	}
	for at := int64(0); at < s.size; {
		m, err := s.message(at)
		if err == nil && m != nil && (m.kind == messageSchema) != (at == 0) {
			err = errDamaged
		}
		if err != nil {
			return table{}, nil, bad(err, "its part %d cannot be read", len(all)+1)
		}
		if m == nil {
			break
		}
		if m.kind == messageSchema {
			schema = m.header
		} else {
			m.header = table{}
			all = append(all, *m)
		}
		at = m.body + m.size
	}
	if schema.flat == nil {
		return table{}, nil, bad(errDamaged, "it has no schema")
	}
	return schema, all, nil
}

// footer reads the footer of a file.
func (s *source) footer() (table, error) {
	tail, err := s.bytes(s.size-int64(fileTail), int64(fileTail))
	if err != nil {
		return table{}, err
	}
	n := int64(int32(binary.LittleEndian.Uint32(tail)))
	if string(tail[4:]) != magic || n <= 0 || n > largestHead {
		return table{}, errDamaged
	}
	buf, err := s.bytes(s.size-int64(fileTail)-n, n)
	if err != nil {
		return table{}, err
	}
	return root(buf), nil
}
