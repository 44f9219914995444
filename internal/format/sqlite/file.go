package sqlite

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"fsa/data"
)

// magic is the start of a database file.
const magic = "SQLite format 3\x00"

// file is a database, https://www.sqlite.org/fileformat2.html. Every number in it is checked: pages
// must be in the file, and a scan visits at most as many pages as the file has.
type file struct {
	r        io.ReaderAt
	name     string
	pageSize int
	usable   int   // bytes of a page
	pages    int64 // in the file
	encoding uint32
	cached   int64 // first page of the window, counted from 1
	window   []byte
}

// windowBytes is the number of bytes that are read at once: tables are mostly stored in the order
// of their rows.
const windowBytes = 1 << 18

// openFile reads the header.
func openFile(r io.ReaderAt, size int64, name string) (*file, error) {
	var head [100]byte
	if _, err := io.ReadFull(io.NewSectionReader(r, 0, size), head[:]); err != nil || !bytes.HasPrefix(head[:], []byte(magic)) {
		return nil, &data.Error{File: name, Msg: "this is not an SQLite database, or it is cut or encrypted"}
	}
	f := &file{r: r, name: name, pageSize: int(binary.BigEndian.Uint16(head[16:])), encoding: binary.BigEndian.Uint32(head[56:])}
	if f.pageSize == 1 {
		f.pageSize = 1 << 16
	}
	f.usable = f.pageSize - int(head[20])
	f.pages = size / int64(max(f.pageSize, 1))
	switch {
	case f.pageSize < 512 || f.pageSize&(f.pageSize-1) != 0 || f.usable < 480 || f.pages == 0:
		return nil, f.damaged("its header claims pages of %d bytes", f.pageSize)
	case f.encoding > utf16be:
		return nil, f.damaged("its header claims the text encoding %d", f.encoding)
	case head[18] > 2:
		return nil, &data.Error{File: name, Msg: fmt.Sprintf("the database has format %d of SQLite, but only formats 1 and 2 can be read: save the table as CSV, with sqlite3 -header -csv FILE \"select * from TABLE\"", head[18])}
	}
	return f, nil
}

// The encodings of texts. Databases without a table have none.
const (
	utf16le = 2
	utf16be = 3
)

// damaged returns an error about the file.
func (f *file) damaged(format string, a ...any) error {
	return &data.Error{File: f.name, Msg: "the database is damaged: " + fmt.Sprintf(format, a...) + "; restore it with sqlite3 FILE .recover"}
}

// page returns a page, counted from 1. It is valid until the next call.
func (f *file) page(number int64) ([]byte, error) {
	if number < 1 || number > f.pages {
		return nil, f.damaged("it refers to page %d of %d", number, f.pages)
	}
	at := (number - f.cached) * int64(f.pageSize)
	if f.window == nil || at < 0 || at >= int64(len(f.window)) {
		n := max(windowBytes, f.pageSize)
		if cap(f.window) < n {
			f.window = make([]byte, n)
		}
		left := (f.pages - number + 1) * int64(f.pageSize)
		f.window = f.window[:min(int64(n), left)]
		if _, err := io.ReadFull(io.NewSectionReader(f.r, (number-1)*int64(f.pageSize), int64(len(f.window))), f.window); err != nil {
			f.window = nil
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		f.cached, at = number, 0
	}
	return f.window[at:][:f.pageSize], nil
}

// varint reads a number of one to nine bytes and returns it with its length, or 0 if it is
// truncated.
func varint(b []byte) (v uint64, n int) {
	for n < len(b) && n < 8 {
		v = v<<7 | uint64(b[n]&0x7f)
		n++
		if b[n-1] < 0x80 {
			return v, n
		}
	}
	if n < len(b) && n == 8 {
		return v<<8 | uint64(b[8]), 9
	}
	return 0, 0
}
