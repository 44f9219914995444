package open

import (
	"errors"
	"sync/atomic"

	"fsa/data/kind"
)

// Options say how to read a file, if the file itself does not determine it.
type Options struct {
	// Encoding is the encoding of a text. Empty means UTF-8, unless another encoding is detected.
	// See [Encodings].
	Encoding string
	// Format names the format; empty means to detect it.
	Format string
	// Header says whether the first row of a text table has the names of the columns: yes, no, or
	// auto. Empty means auto.
	Header string
	// SQL is a query over the tables of an SQLite database, whose result is the table. The database is only read.
	SQL string
	// IndexBase is the index of the first column of an svmlight file: 0 or 1; empty means 1. It is
	// an error for files of other formats.
	IndexBase string
	// Categorical names columns of a text table that hold texts even if they look like numbers.
	// [Reader] ignores names that the table lacks, because the model reports missing columns
	// better; [Table] returns an error.
	Categorical []string
	// Skip names columns that are not used. Some formats do not read them at all; their cells are
	// then missing and may be of any kind. [Table] adds the columns that its roles drop.
	Skip []string
	// More names files that continue the table, as if all were one file; see [Expand].
	More []string
	// Names is a file with the column names of a table without names, one per line.
	Names string
	// Only names the columns that are used; nil means all. Some formats do not read other columns.
	Only []string
	// Kinds has the kinds of columns of a text table, by name, such as those in a model. They
	// override the kinds that would be detected.
	Kinds map[string]kind.Column
	// Texts has the texts of columns of a table of numbers, by name. The cells of such a column are
	// positions in its list.
	Texts map[string][]string
	// Hints say how numbers and dates of a text table are written, if cells are ambiguous.
	Hints kind.Hints
	// Tolerant treats cells of a text table that cannot be read as missing; see [Bad].
	Tolerant bool
	// Memory is the number of bytes that training on a table may use; 0 means no limit. A table
	// that does not fit stays in its file, or is copied to a temporary one.
	Memory int64
	// Assumed says that Memory was not given but is the memory of the machine. An input that can be
	// read only once is then read into memory as long as it fits, and not copied to a temporary
	// file first.
	Assumed bool
	// Least is the number of columns of a dense table that must fit in any case.
	Least int
	// Whole names the flag or feature that needs the whole table in memory. A table that does not
	// fit is then an error. It is empty if there is none.
	Whole string
	// Note is called with messages about slow steps that the user did not ask for; it may be nil.
	Note func(format string, a ...any)
	// Reading is called with the number of bytes of a stream that have been read, and its size, or
	// 0 if that is unknown. It may be nil, and may be called from any goroutine.
	Reading func(read, size int64)

	// Bytes counts the bytes that are read of files and objects, decompressed if they are compressed; nil for none.
	// NumPy files that are mapped into memory are not counted.
	Bytes *atomic.Int64

	// folder has the columns that the names of folders give; see [Options.Files].
	folder *folder
	// columns are the required names of a table whose rows name their cells; nil means any.
	columns []string
}

// ErrUsage is wrapped by errors about the call and not the input: an unknown format, or an unknown
// extension of an output file.
var ErrUsage = errors.New("wrong use")

type usageError string

func (e usageError) Error() string { return string(e) }

func (e usageError) Unwrap() error { return ErrUsage }
