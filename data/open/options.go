package open

import (
	"errors"

	"fsa/data/kind"
)

// Options say how to read a file, where the file itself does not tell.
type Options struct {
	// Encoding is that of a text; empty means UTF-8, unless another one is evident. See [Encodings].
	Encoding string
	// Format names the format; empty means to find out.
	Format string
	// Header says whether the first row of a text table names the columns:
	// yes, no, or auto, also "".
	Header string
	// IndexBase is the index of the first column of an svmlight file: 0, or 1,
	// also "". Files of other formats are refused with it.
	IndexBase string
	// Categorical names columns of a text table that hold texts even where
	// they look like numbers. [Reader] uses those that it finds, since a
	// model says better what it lacks; [Table] refuses others.
	Categorical []string
	// Skip names columns that nobody will look at. Formats that can do so do
	// not read them: their cells are missing then, and may be of any kind.
	// [Table] adds the columns that its roles drop.
	Skip []string
	// More names files that go on where the table ends, as if all were one; see [Expand].
	More []string
	// Names is a file that names the columns of a table without names, one on each line.
	Names string
	// Only names the columns that somebody will look at; nil for all. Formats that can
	// do so do not read others.
	Only []string
	// Kinds says what columns of a text table hold, by their names, so that their cells
	// do not decide: a model says so.
	Kinds map[string]kind.Column
	// Hints say how numbers and dates of a text table are written, where cells leave doubt.
	Hints kind.Hints
	// Tolerant makes cells of a text table that cannot be read missing ones; see [Bad].
	Tolerant bool
	// Memory is how many bytes learning from a table may take; 0 means any
	// number. A table that does not fit stays in its file, or is brought into
	// a temporary one.
	Memory int64
	// Assumed says that nobody asked for Memory: it is what the machine has. Then what
	// can be read only once goes into memory as far as it fits, and not into a
	// temporary file first.
	Assumed bool
	// Least is how many columns of a dense table have to fit in any case.
	Least int
	// Whole names what needs all of the table in memory, such as a flag: then a
	// table that does not fit is refused. Empty if nothing does.
	Whole string
	// Note is told what takes time without being asked for; nil for nobody.
	Note func(format string, a ...any)
	// Reading is told how many bytes of a stream were read, and of how many, or 0
	// where that is not known; nil for nobody. It may be called from any goroutine.
	Reading func(read, size int64)

	// columns are the names that a table has to have whose rows name their cells; nil for any.
	columns []string
}

// ErrUsage is wrapped by errors about the call, not the input: an unknown format, or an
// unknown extension of an output file.
var ErrUsage = errors.New("wrong use")

type usageError string

func (e usageError) Error() string { return string(e) }

func (e usageError) Unwrap() error { return ErrUsage }
