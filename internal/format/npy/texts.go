package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"fsa/data"
)

// IsText reports whether a .npy file that begins with head has texts.
func IsText(h *Header) bool { return h.Type == Text || h.Type == Bytes }

// ReadTexts reads a .npy file with a vector of texts.
func ReadTexts(r io.Reader, name string) ([]string, error) {
	h, _, err := ReadHeader(r, name)
	if err != nil {
		return nil, err
	}
	return h.texts(r, name)
}

// ReadNPZTexts reads an array of texts of an .npz file; nil if the array has none.
func ReadNPZTexts(r io.ReaderAt, size int64, name, array string) ([]string, error) {
	a, err := newArchive(r, size, name)
	if err != nil {
		return nil, err
	}
	f := a.find(array)
	if array == "" {
		f = a.guess(1, []string{"y"})
	}
	if f == nil {
		return nil, nil // reading it as numbers reports the error
	}
	m, h, err := a.member(f)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	if !IsText(&h) {
		return nil, nil
	}
	return h.texts(m, m.name)
}

// texts reads the cells of a vector of texts.
func (h *Header) texts(r io.Reader, name string) ([]string, error) {
	if len(h.Shape) < 1 || len(h.Shape) > 2 || len(h.Shape) == 2 && !slices.Contains(h.Shape, 1) {
		return nil, &data.Error{File: name, Msg: fmt.Sprintf("the array is %s, but a vector (one column or one row) is expected", h)}
	}
	n := 1
	for _, d := range h.Shape {
		n *= d
	}
	cell := make([]byte, h.cellBytes())
	var all []string
	for i := range n {
		if err := readFull(r, cell); err != nil {
			return nil, &data.Error{File: name, Row: i + 1, Msg: "the file was cut short", Err: err}
		}
		text, ok := h.text(cell)
		if !ok {
			return nil, &data.Error{File: name, Row: i + 1, Msg: "the text is not UTF-8; save it as a text, not as bytes"}
		}
		all = append(all, text)
	}
	return all, nil
}

// text decodes a cell, without the zeros at its end.
func (h *Header) text(cell []byte) (string, bool) {
	var runes []rune
	if h.Type == Bytes {
		for len(cell) > 0 && cell[len(cell)-1] == 0 {
			cell = cell[:len(cell)-1]
		}
		return string(cell), utf8.Valid(cell)
	}
	var order binary.ByteOrder = binary.LittleEndian
	if h.Big {
		order = binary.BigEndian
	}
	for ; len(cell) > 0; cell = cell[4:] {
		runes = append(runes, rune(order.Uint32(cell)))
	}
	for len(runes) > 0 && runes[len(runes)-1] == 0 {
		runes = runes[:len(runes)-1]
	}
	for _, r := range runes {
		if !utf8.ValidRune(r) {
			return "", false
		}
	}
	return string(runes), true
}
