// Package matlab reads numeric arrays from MATLAB 5 MAT-files, the format that MATLAB writes by
// default up to version 7.
//
// Such a file is a header of 128 bytes and a list of elements, one per variable. An element is a
// tag with its kind and length, and then its bytes; a compressed element is a zlib stream with
// another element in it. Both byte orders are read. Text, cells, structures, sparse and complex
// arrays are skipped, and refused if they are requested.
package matlab

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"fsa/data"
	"fsa/internal/fault"
)

// Array is a numeric array of any number of dimensions, at least two.
type Array struct {
	// Dims are the lengths of the dimensions.
	Dims []int
	// Values has the numbers, the first index running fastest. Integers beyond 2^53 are rounded.
	Values []float64
}

// File has the requested arrays of a file, by name.
type File map[string]*Array

// MaxValues limits the numbers of one array: a short file of compressed zeros could otherwise ask
// for any amount of memory.
const MaxValues = 1 << 26

// Open reads the named arrays of a file. An array that the file does not have is missing in the
// result; one without numbers is an error.
func Open(path string, want ...string) (File, error) {
	f, err := fault.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, path, want...)
}

// Read reads the same as [Open] from any reader; name is for messages.
func Read(r io.Reader, name string, want ...string) (File, error) {
	in := bufio.NewReader(r)
	order, err := readHeader(in)
	if err != nil {
		return nil, blame(name, err)
	}
	d := &decoder{order: order, want: want, found: File{}}
	for {
		err := d.element(in)
		if errors.Is(err, io.EOF) {
			return d.found, nil
		}
		if err != nil {
			return nil, blame(name, err)
		}
	}
}

// blame adds the name of the file to an error of the input. The end of the input within an element
// is such an error.
func blame(name string, err error) error {
	var bad *data.Error
	switch {
	case errors.As(err, &bad):
		bad.File = name
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &data.Error{File: name, Msg: "the file ends in the middle of an array: it is not complete"}
	}
	return fmt.Errorf("%s: %w", name, err)
}

func badf(format string, a ...any) error {
	return &data.Error{Msg: fmt.Sprintf(format, a...)}
}

const headerSize = 128

// readHeader checks that this is a MATLAB 5 file and returns its byte order.
func readHeader(r io.Reader) (binary.ByteOrder, error) {
	var head [headerSize]byte
	n, err := io.ReadFull(r, head[:])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if bytes.HasPrefix(head[:n], []byte("\x89HDF")) || bytes.HasPrefix(head[:n], []byte("MATLAB 7.3")) {
		return nil, badf("this is a MATLAB 7.3 file: save it with the option -v7, or -v6")
	}
	var order binary.ByteOrder
	switch {
	case n < headerSize:
	case string(head[126:128]) == "IM":
		order = binary.LittleEndian
	case string(head[126:128]) == "MI":
		order = binary.BigEndian
	}
	if order == nil || order.Uint16(head[124:]) != 0x0100 {
		return nil, badf("this is not a MATLAB 5 file: save it in MATLAB with the option -v6 or -v7")
	}
	return order, nil
}

// decoder collects the requested arrays.
type decoder struct {
	order binary.ByteOrder
	want  []string
	found File
}

func (d *decoder) wants(name string) bool { return slices.Contains(d.want, name) }
