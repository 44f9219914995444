package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"

	"fsa/data"
)

// maxHeader limits the header's text. That of a table takes about a hundred bytes; only structured
// types, which are refused, can need thousands.
const maxHeader = 1 << 16

// Header describes the layout of an array in the bytes that follow it.
type Header struct {
	Type    Type
	Big     bool  // cells are big-endian
	Fortran bool  // by columns instead of rows
	Shape   []int // as many lengths as the array has dimensions
	Chars   int   // characters of each cell of an array of texts

	descr string // as in the file
}

// Bytes returns the size of the array.
func (h *Header) Bytes() int {
	n := h.cellBytes()
	for _, d := range h.Shape {
		n *= d
	}
	return n
}

// cellBytes returns the number of bytes of a cell.
func (h *Header) cellBytes() int {
	if h.Type == Text || h.Type == Bytes {
		return h.Type.Size() * h.Chars
	}
	return h.Type.Size()
}

// String describes the array for messages: "3×4 float32".
func (h *Header) String() string {
	if len(h.Shape) == 0 {
		return "single " + h.Type.String()
	}
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(h.Shape), "[]"), " ", "×") + " " + h.Type.String()
}

// ReadHeader reads the header of a .npy file and returns it with its length, which is the offset of
// the first cell. It does not read the cells. Any array has a header; a [Reader] accepts only
// tables.
func ReadHeader(r io.Reader, name string) (h Header, length int, err error) {
	bad := func(format string, args ...any) (Header, int, error) {
		return Header{}, 0, &data.Error{File: name, Msg: fmt.Sprintf(format, args...)}
	}
	var lead [12]byte
	if err := readFull(r, lead[:10]); err != nil {
		return Header{}, 0, headerError(name, err)
	}
	if !Sniff(lead[:]) {
		return bad("not a .npy file: it begins with %q, not %q", lead[:6], magic)
	}
	length = 10
	size := int(binary.LittleEndian.Uint16(lead[8:]))
	switch version := [2]byte(lead[6:8]); version {
	case [2]byte{1, 0}:
	case [2]byte{2, 0}, [2]byte{3, 0}:
		length = 12
		if err := readFull(r, lead[10:]); err != nil {
			return Header{}, 0, headerError(name, err)
		}
		long := binary.LittleEndian.Uint32(lead[8:])
		if long > maxHeader {
			return bad("header of %d bytes; at most %d are accepted", long, maxHeader)
		}
		size = int(long)
	default:
		return bad("format version %d.%d; 1.0, 2.0 and 3.0 are supported", version[0], version[1])
	}
	dict := make([]byte, size)
	if err := readFull(r, dict); err != nil {
		return Header{}, 0, headerError(name, err)
	}
	d, err := parseDict(string(dict))
	if err != nil {
		return bad("header %.200q: %v", strings.TrimSpace(string(dict)), err)
	}
	h = Header{Fortran: d.fortran, Shape: d.shape, descr: d.descr}
	var text bool
	if h.Type, h.Big, h.Chars, text = parseText(d.descr); !text {
		h.Chars = 0
		if h.Type, h.Big, err = parseType(d.descr); err != nil {
			return bad("%v", err)
		}
	}
	n := h.cellBytes()
	for _, d := range h.Shape {
		if d > 0 && n > math.MaxInt/d {
			return bad("the header claims a shape of %v, which no file can hold", h.Shape)
		}
		n *= d
	}
	return h, length + size, nil
}

// table returns the rows and columns of an array that is a table.
func (h *Header) table(name string) (rows, cols int, err error) {
	bad := func(msg string) (int, int, error) {
		return 0, 0, &data.Error{File: name, Msg: fmt.Sprintf("a %s: %s", h, msg)}
	}
	if h.Type == Text || h.Type == Bytes {
		_, _, err := parseType(h.descr)
		return 0, 0, &data.Error{File: name, Msg: err.Error()}
	}
	switch len(h.Shape) {
	case 1:
		rows, cols = h.Shape[0], 1
	case 2:
		rows, cols = h.Shape[0], h.Shape[1]
	default:
		return bad("a table has two dimensions, or one if it has one column; use reshape before saving")
	}
	if rows == 0 && len(h.Shape) == 2 || cols == 0 {
		return bad("a table needs at least one row and one column")
	}
	return rows, cols, nil
}

// readFull is io.ReadFull with one error for every early end.
func readFull(r io.Reader, b []byte) error {
	_, err := io.ReadFull(r, b)
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// headerError blames the file if it is too short.
func headerError(name string, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return &data.Error{File: name, Msg: "not a .npy file: it ends within the header"}
	}
	return passOn(name, err)
}

// passOn returns an error of the underlying stream, which knows whether it blames the input and
// then has its name.
func passOn(name string, err error) error {
	if errors.Is(err, data.ErrBadData) {
		return err
	}
	if named, ok := errors.AsType[*fs.PathError](err); ok {
		err = named.Err // the name is not repeated
	}
	return fmt.Errorf("npy: %s: %w", name, err)
}
