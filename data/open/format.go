package open

import (
	"io"

	"fsa/data"
)

// format is a kind of file and what it can do: a new one is a package and a line in
// formats. What only an opened file can tell are methods of its reader: [data.Sized],
// [data.Store], inPlacer and labeller.
type format struct {
	name string
	// ext lists the endings of names that tell it; files that are written have the
	// first.
	ext []string
	// sniff tells it by the start of the contents, guess where nothing else is left.
	sniff, guess func(head []byte) bool
	open         func(in *input, o *Options) (data.Reader, error)

	declares  bool // columns can be declared as categorical
	indexBase bool // columns are numbered, and the file does not say from where on
	archive   bool // a file holds several arrays, and FILE:ARRAY is one of them
	tables    bool // a file holds several tables, and FILE:TABLE is one of them
	certain   bool // no other table begins as sniff expects, whatever the name of the file
	texts     bool // predictions can be written in it: numbers and texts under names
	encoded   bool // its texts may be in another encoding than UTF-8
	terse     bool // a missing cell may take no bytes

	// vector reads a file that holds one value for each row of a table; nil if the
	// format has no such files.
	vector func(in *input) (*data.Vector, error)
	// target looks for a target in the file of a table. Beside says what the file beside
	// it that holds one ends in, by the ending of the table.
	target func(in *input) (*data.Vector, error)
	beside map[string][]string

	// create begins a file of about so many rows; nil if the format is not written.
	create   func(w io.Writer, s *data.Schema, rows int) (data.Writer, error)
	response place // of a row in such a file
}

// place is where a format keeps the response of a row.
type place int

const (
	inColumn place = iota // a column called y, the last
	inLabel               // a place of its own
	inFile                // another file, X.y.npy beside X.npy
)
