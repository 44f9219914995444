package open

import (
	"io"

	"fsa/data"
)

// format is a file format and its capabilities. A new format needs a package and a line in formats.
// Properties of a single file are methods of its reader: [data.Sized], [data.Store], inPlacer and
// labeller.
type format struct {
	name string
	// ext lists the file extensions of the format; files are written with the first.
	ext []string
	// sniff recognises the format from the start of the contents. guess does the same, but is only
	// used if no format was recognised.
	sniff, guess func(head []byte) bool
	open         func(in *input, o *Options) (data.Reader, error)

	declares  bool // columns can be declared as categorical
	indexBase bool // columns are numbered, and the file does not say whether from 0 or 1
	archive   bool // a file holds several arrays; FILE:ARRAY is one of them
	tables    bool // a file holds several tables; FILE:TABLE is one of them
	certain   bool // no other format begins in a way that sniff accepts, so the extension does not matter
	texts     bool // it can store predictions: named columns of numbers and texts
	encoded   bool // its texts may have another encoding than UTF-8
	terse     bool // a missing cell may take no bytes

	// vector reads a file that holds one value per row of a table; nil if the format has no such
	// files.
	vector func(in *input) (*data.Vector, error)
	// target looks for a target in the file of a table. beside lists, by the extension of the
	// table, the extensions of a separate file with the target.
	target func(in *input) (*data.Vector, error)
	beside map[string][]string

	// create starts a file of approximately the given number of rows; nil if the format cannot be
	// written.
	create   func(w io.Writer, s *data.Schema, rows int) (data.Writer, error)
	response place // where a row's response is stored in such a file
}

// place is where a format stores the response of a row.
type place int

const (
	inColumn place = iota // in the last column, called y
	inLabel               // in a label that is not a column
	inFile                // in another file, X.y.npy beside X.npy
)
