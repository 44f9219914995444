package open

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"fsa/data"
	"fsa/internal/format/json"
	"fsa/internal/format/rds"
	"fsa/internal/format/sqlite"
	"fsa/internal/format/xlsx"
)

// Functions that open the formats whose rows are typed cells.

// Limits on the text that is searched for keys without reading it twice: the number of bytes, and
// the share of the memory.
const (
	jsonWindow = 16 << 20
	jsonShare  = 16
)

func openJSON(in *input, o *Options) (data.Reader, error) {
	how := json.Options{Options: o.text(in), Names: o.columns, Window: jsonWindow}
	if o.Memory > 0 {
		how.Window = int(min(jsonWindow, o.Memory/jsonShare))
	}
	if !in.isPipe() {
		how.Again = func() (io.ReadCloser, error) {
			again, err := in.again()
			if err != nil {
				return nil, err
			}
			return &stream{again.stream, again}, nil
		}
	}
	r, err := json.NewReader(in.stream, in.path, how)
	if err != nil {
		return nil, o.tooWide(in.path, err)
	}
	return r, nil
}

func createJSON(w io.Writer, s *data.Schema, _ int) (data.Writer, error) { return json.NewWriter(w, s) }

// textsShare: the texts of a workbook may take one part in textsShare of the memory.
const textsShare = 4

func openXLSX(in *input, o *Options) (data.Reader, error) {
	r, size, err := in.at()
	if err != nil {
		return nil, err
	}
	book, err := xlsx.NewReader(r, size, in.path, xlsx.Options{Options: o.text(in), Sheet: in.array, Texts: o.textBytes() / textsShare, Note: o.Note})
	if large, ok := errors.AsType[*xlsx.TooLarge](err); ok {
		return nil, &MemoryError{in.path, large.Need * textsShare, o.textBytes(), "it has too many texts: allow more with --memory, or save the sheet as CSV"}
	}
	if err != nil {
		return nil, o.tooWide(in.path, err)
	}
	return book, nil
}

func createXLSX(w io.Writer, s *data.Schema, _ int) (data.Writer, error) { return xlsx.NewWriter(w, s) }

func openSQLite(in *input, o *Options) (data.Reader, error) {
	if in.file != nil {
		if err := checkJournals(in.path); err != nil {
			return nil, err
		}
	}
	if o.SQL != "" {
		return in.query(o)
	}
	r, size, err := in.at()
	if err != nil {
		return nil, err
	}
	table, err := sqlite.NewReader(r, size, in.path, sqlite.Options{Options: o.text(in), Table: in.array})
	if err != nil {
		return nil, o.tooWide(in.path, err)
	}
	return table, nil
}

// checkJournals returns an error if part of a database is still in a separate journal file.
func checkJournals(path string) error {
	const start = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" // start of a journal that was not emptied
	for _, j := range []struct{ end, start, why, cure string }{
		{"-wal", "", "its last changes are still in", `write them to the database with sqlite3 FILE "pragma wal_checkpoint(truncate)", when no other program writes to it`},
		{"-journal", start, "a change was not completed, according to the journal", `open it once with sqlite3 FILE "select 1 from sqlite_schema", which undoes that change`},
	} {
		f, err := os.Open(path + j.end)
		if err != nil {
			continue
		}
		head := make([]byte, len(start))
		n, _ := io.ReadFull(f, head)
		f.Close()
		if n > 0 && strings.HasPrefix(string(head), j.start) {
			return &data.Error{File: path, Msg: fmt.Sprintf("%s %s: %s", j.why, path+j.end, j.cure)}
		}
	}
	return nil
}

// columnsShare: a table that is read as a whole may take one part in columnsShare of the memory.
const columnsShare = 4

func openRDS(in *input, o *Options) (data.Reader, error) {
	memory := o.Memory
	if memory == 0 {
		memory = o.textBytes()
	}
	r, err := rds.NewReader(in.stream, in.path, rds.Options{Options: o.text(in), Object: in.array, Bytes: memory / columnsShare})
	if large, ok := errors.AsType[*rds.TooLarge](err); ok {
		return nil, &MemoryError{in.path, large.Need * columnsShare, memory, "its columns are in memory as a whole: allow more with --memory, or write the table with write.csv"}
	}
	if err != nil {
		return nil, o.tooWide(in.path, err)
	}
	return r, nil
}

// stream is the contents of an input.
type stream struct {
	io.Reader
	in *input
}

// Close closes the input.
func (s *stream) Close() error { return s.in.closer() }
